/* SPDX-License-Identifier: BSD-3-Clause */
/* Out of memory: the terminal is put in order before that is told. */
#include "t.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"

static void restore(void)
{
	fputs("restored; ", stderr);
}

/* What a child says that has no memory. */
static void hear_child(void (*before)(void), char *said, size_t size)
{
	ssize_t len;
	int ends[2], status;
	pid_t child;

	T_EQ(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		memory_before_end(before);
		memory_need(NULL);
		_exit(99);
	}
	close(ends[1]);
	T_EQ(waitpid(child, &status, 0), child);
	T_EQ(WEXITSTATUS(status), EXIT_FAILURE);
	len = read(ends[0], said, size - 1);
	said[len > 0 ? len : 0] = '\0';
	close(ends[0]);
}

T_CASE(the_terminal_is_put_in_order_first)
{
	char said[128];

	hear_child(restore, said, sizeof(said));
	T_STREQ(said, "restored; softdpu: out of memory\n");
	hear_child(NULL, said, sizeof(said));
	T_STREQ(said, "softdpu: out of memory\n");
}

static char said_nothing[1];

T_CASE(memory_that_is_there_is_passed_on)
{
	T_CHECK(memory_need(said_nothing) == said_nothing);
}
