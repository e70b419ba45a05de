/* SPDX-License-Identifier: BSD-3-Clause
 * Machines: the same for all processes of one runtime directory, and for no others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus/machine.h"
#include "t.h"

static uint8_t (*seen)[SDPU_MACHINE_ID_SIZE]; /* shared with the children */

static void look(void *dir, int which)
{
	if (dir != NULL)
		setenv("SOFTDPU_RUNTIME_DIR", dir, 1);
	T_OK(sdpu_machine_id(seen[which]));
}

static int look_0(void *dir)
{
	look(dir, 0);
	return 0;
}

static int look_1(void *dir)
{
	look(dir, 1);
	return 0;
}

/* Two processes look, each with its runtime directory. */
static void look_both(char *dir0, char *dir1)
{
	static const uint8_t zero[SDPU_MACHINE_ID_SIZE];

	seen = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	T_CHECK(seen != MAP_FAILED);
	T_EQ(t_wait(t_fork(look_0, dir0), 10000), 0);
	T_EQ(t_wait(t_fork(look_1, dir1), 10000), 0);
	T_CHECK(memcmp(seen[0], zero, sizeof(zero)) != 0);
}

static char *below(const char *name)
{
	char *path = NULL;

	T_CHECK(asprintf(&path, "%s/%s", getenv("SOFTDPU_RUNTIME_DIR"), name) > 0);
	return path;
}

T_CASE(one_directory_is_one_machine)
{
	look_both(NULL, NULL);
	T_MEMEQ(seen[0], seen[1], SDPU_MACHINE_ID_SIZE);
}

T_CASE(two_names_of_one_directory_are_one_machine)
{
	char *dir = below("a"), *same = below("a/../a");

	look_both(dir, same);
	T_MEMEQ(seen[0], seen[1], SDPU_MACHINE_ID_SIZE);
	free(dir);
	free(same);
}

T_CASE(two_directories_are_two_machines)
{
	char *a = below("a"), *b = below("b");

	look_both(a, b);
	T_CHECK(memcmp(seen[0], seen[1], SDPU_MACHINE_ID_SIZE) != 0);
	free(a);
	free(b);
}

T_CASE(no_directory_no_machine)
{
	uint8_t id[SDPU_MACHINE_ID_SIZE] = {7};

	setenv("SOFTDPU_RUNTIME_DIR", "/proc/none/there", 1);
	T_ERR(sdpu_machine_id(id), DOCA_ERROR_OPERATING_SYSTEM);
	T_EQ(id[0], 7);
}
