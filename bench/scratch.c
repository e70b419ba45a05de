/* SPDX-License-Identifier: BSD-3-Clause */
#include "scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char directory[200];

static int remove_entry(const char *path, const struct stat *sb, int type, struct FTW *ftw)
{
	(void)sb;
	(void)type;
	(void)ftw;
	return remove(path);
}

static bool make(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(directory, sizeof(directory), "%s/softdpu-bench-XXXXXX",
		 parent != NULL ? parent : "/tmp");
	if (mkdtemp(directory) == NULL || setenv("SOFTDPU_RUNTIME_DIR", directory, 1) != 0) {
		fprintf(stderr, "%s: %s\n", directory, strerror(errno));
		return false;
	}
	return true;
}

int scratch_run(int (*run)(void *arg), void *arg)
{
	int status = 1;

	if (make()) {
		status = run(arg);
		nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	}
	return status;
}
