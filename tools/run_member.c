/* SPDX-License-Identifier: BSD-3-Clause */
/* One member of a group: its process, its environment, its pipes. Contract in run.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"

/* The shell splits the command into words and becomes the tool. */
static const char *const tools[] = {
	[TOOL_NONE] = "",
	/* The libraries' own thread goes on while the user thinks, so that peers are served. */
	[TOOL_GDB] = "exec gdb -q -iex 'set non-stop on' --args ",
	[TOOL_VALGRIND] = "exec valgrind -q --error-exitcode=99 ",
};

static bool pipe_make(struct stream *stream, int *end)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0)
		return false;
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	stream->fd = fds[0];
	*end = fds[1];
	return true;
}

/* In the child. A failure here ends the member, with a message on its standard error. */
static void become(const struct group *group, const struct member *member, const char *line,
		   pid_t parent, const int ends[2])
{
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_CANNOT_RUN);
	if (member->side != NULL)
		setenv("SOFTDPU_SIDE", member->side, 1);
	if (member->tool == TOOL_GDB) {
		/* The terminal, if there is one, is the debugger's; we are in the background. */
		signal(SIGTTOU, SIG_IGN);
		tcsetpgrp(STDIN_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
	} else {
		int null = open("/dev/null", O_RDONLY);

		dup2(null, STDIN_FILENO);
		dup2(ends[0], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
	}
	run_directory_inherit(group->directory_fd);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL); /* an ignored signal would stay ignored in the executed program */
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	fprintf(stderr, "softdpu run: /bin/sh: %s\n", strerror(errno));
	_exit(EXIT_CANNOT_RUN);
}

static bool start_failed(struct member *member, int ends[2])
{
	int i;

	fprintf(stderr, "softdpu run: cannot start %s: %m\n", member->name);
	for (i = 0; i < 2; i++) {
		if (member->streams[i].fd >= 0)
			close(member->streams[i].fd);
		if (ends[i] >= 0)
			close(ends[i]);
		member->streams[i].fd = -1;
	}
	return false;
}

bool member_start(struct group *group, struct member *member)
{
	pid_t parent = getpid();
	int ends[2] = {-1, -1};
	char *line;

	member->streams[1].is_err = true;
	if (member->tool != TOOL_GDB && (!pipe_make(&member->streams[0], &ends[0]) ||
					 !pipe_make(&member->streams[1], &ends[1])))
		return start_failed(member, ends);
	if (asprintf(&line, "%s%s", tools[member->tool], member->command) < 0)
		return start_failed(member, ends);
	fflush(NULL);
	member->pid = fork();
	if (member->pid == 0)
		become(group, member, line, parent, ends);
	free(line);
	if (member->pid < 0)
		return start_failed(member, ends);
	setpgid(member->pid, member->pid); /* whichever comes first */
	if (member->tool != TOOL_GDB) {
		close(ends[0]);
		close(ends[1]);
	}
	member->started = now_ms();
	member->state = MEMBER_RUNS;
	return true;
}

void member_signal(const struct member *member, int signal)
{
	if (member->state == MEMBER_RUNS || member->state == MEMBER_READY)
		kill(-member->pid, signal);
}

void member_end(struct member *member, int wait_status)
{
	member->wait_status = wait_status;
	member->state = MEMBER_ENDED;
	if (member->tool == TOOL_GDB && isatty(STDIN_FILENO)) {
		signal(SIGTTOU, SIG_IGN);
		tcsetpgrp(STDIN_FILENO, getpgrp());
		signal(SIGTTOU, SIG_DFL);
	}
}

int member_status(const struct member *member)
{
	return WIFEXITED(member->wait_status) ? WEXITSTATUS(member->wait_status)
					      : 128 + WTERMSIG(member->wait_status);
}
