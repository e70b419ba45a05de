/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runtime directories of groups. Whoever makes one locks the directory itself, and all programs of
 * the group inherit the lock. So a directory without a lock is abandoned, and nobody will use it
 * again. A new one has no lock for a moment; its maker checks afterwards that it is still there.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run.h"

#define MAX_TRIES 10
#define FIRST_FD 100

static const char *parent(void)
{
	const char *chosen = getenv("TMPDIR");

	return chosen != NULL && *chosen != '\0' ? chosen : "/tmp";
}

static void write_prefix(char prefix[64])
{
	snprintf(prefix, 64, "softdpu-%u-run.", (unsigned int)geteuid());
}

/*
 * Takes a lock (LOCK_*), held until the descriptor is closed. -1: somebody has it (EWOULDBLOCK), or
 * the directory belongs to another user.
 */
static int lock(const char *path, int how)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), error;
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, how | LOCK_NB) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* Does the path still lead to what was locked? */
static bool is_there(const char *path, int fd)
{
	struct stat held, named;

	return fstat(fd, &held) == 0 && stat(path, &named) == 0 && held.st_dev == named.st_dev &&
	       held.st_ino == named.st_ino;
}

/* Returns the lock. -1: `softdpu clean` removed it first; or it cannot be made, and path is empty.
 */
static int make_once(char path[PATH_MAX])
{
	char prefix[64];
	int fd;

	write_prefix(prefix);
	if (snprintf(path, PATH_MAX, "%s/%sXXXXXX", parent(), prefix) >= PATH_MAX ||
	    mkdtemp(path) == NULL) {
		path[0] = '\0';
		return -1;
	}
	fd = lock(path, LOCK_EX);
	if (fd >= 0 && is_there(path, fd))
		return fd;
	if (fd >= 0)
		close(fd);
	(void)rmdir(path);
	return -1;
}

int run_directory_make(char path[PATH_MAX])
{
	int tries = 0, fd;

	do {
		fd = make_once(path);
		if (fd >= 0)
			return fd;
	} while (path[0] != '\0' && ++tries < MAX_TRIES);
	fprintf(stderr,
		"softdpu run: cannot make a runtime directory in %s: %m; set TMPDIR to a directory "
		"that you can write\n",
		parent());
	return -1;
}

void run_directory_inherit(int fd)
{
	/* High, as scripts use low numbers for descriptors of their own. */
	if (fcntl(fd, F_DUPFD, FIRST_FD) < 0)
		fcntl(fd, F_SETFD, 0);
}

void run_directory_remove(const char *path)
{
	/* What is still in it was reported before, or belongs to somebody who came later. */
	if (rmdir(path) != 0 && errno != ENOENT)
		fprintf(stderr, "softdpu run: %s stays: %m\n", path);
}

/* Each path with such a name; anybody can make one. */
static void each(run_directory_fn fn, void *arg)
{
	DIR *dir = opendir(parent());
	const struct dirent *entry;
	char prefix[64], path[PATH_MAX];

	write_prefix(prefix);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
		    snprintf(path, sizeof(path), "%s/%s", parent(), entry->d_name) < PATH_MAX)
			fn(path, arg);
	}
	if (dir != NULL)
		closedir(dir);
}

struct visit {
	int how; /* LOCK_ */
	run_directory_fn fn;
	void *arg;
};

static void visit_abandoned(const char *path, void *arg)
{
	const struct visit *visit = arg;
	int fd = lock(path, visit->how);

	if (fd < 0)
		return;
	visit->fn(path, visit->arg);
	close(fd);
}

void run_directory_each_abandoned(bool to_remove, run_directory_fn fn, void *arg)
{
	/* Shared: several may look at the same time. */
	struct visit visit = {to_remove ? LOCK_EX : LOCK_SH, fn, arg};

	each(visit_abandoned, &visit);
}

static void visit_used(const char *path, void *arg)
{
	const struct visit *visit = arg;
	int fd;

	errno = 0;
	fd = lock(path, LOCK_SH);
	if (fd >= 0)
		close(fd);
	else if (errno == EWOULDBLOCK)
		visit->fn(path, visit->arg);
}

void run_directory_each_used(run_directory_fn fn, void *arg)
{
	struct visit visit = {LOCK_SH, fn, arg};

	each(visit_used, &visit);
}
