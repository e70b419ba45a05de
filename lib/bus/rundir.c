/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The runtime directory itself: found, made and checked once, then kept open for the life of the
 * process. Any thread. What lies in it: claim.c.
 */
#include "bus/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "bus/process.h"

static struct {
	pthread_mutex_t lock;
	int fd;		     /* release-stored once valid; -1 before */
	char path[PATH_MAX]; /* written before fd */
} rundir = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

const char *sdpu_rundir_path(void)
{
	return sdpu_load_acquire(&rundir.fd) < 0 ? "(no runtime directory)" : rundir.path;
}

/* True when the path is the user's own choice (he may have it lead through a symbolic link). */
static bool choose_path(char path[PATH_MAX])
{
	const char *chosen = getenv("SOFTDPU_RUNTIME_DIR");

	if (chosen != NULL && chosen[0] != '\0') {
		snprintf(path, PATH_MAX, "%s", chosen);
		return true;
	}
	snprintf(path, PATH_MAX, "/tmp/softdpu-%u", (unsigned int)geteuid());
	return false;
}

static doca_error_t check_owner(const char *call, int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st) != 0) {
		sdpu_log_err(
			"%s: runtime directory %s: %s; needed: one whose owner can be seen; set "
			"SOFTDPU_RUNTIME_DIR to another",
			call, path, strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	if (st.st_uid != geteuid()) {
		sdpu_log_err(
			"%s: runtime directory %s belongs to user %u, we are %u; needed: one of "
			"our own; remove it, or set SOFTDPU_RUNTIME_DIR to a directory of your own",
			call, path, (unsigned int)st.st_uid, (unsigned int)geteuid());
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if ((st.st_mode & 077) != 0) {
		sdpu_log_err("%s: runtime directory %s has mode %03o, so others may enter; needed: "
			     "700; chmod 700 it",
			     call, path, (unsigned int)(st.st_mode & 0777));
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return DOCA_SUCCESS;
}

/* Sockets are bound and found through /proc, as paths may be too long for their addresses. */
static doca_error_t check_use(const char *call, int fd, const char *path)
{
	char link[32];

	/* The real user's rights, which this asks for, may differ from ours: they do not count. */
	if (faccessat(fd, ".", W_OK, 0) != 0 && errno == EROFS) {
		sdpu_log_err("%s: runtime directory %s cannot be written: %s; needed: one that "
			     "can; set SOFTDPU_RUNTIME_DIR to one",
			     call, path, strerror(EROFS));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (access(link, F_OK) != 0) {
		sdpu_log_err("%s: runtime directory %s: %s: %s; needed: /proc; mount it", call,
			     path, link, strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	return DOCA_SUCCESS;
}

static doca_error_t open_checked(const char *call, const char *path, bool chosen, int *dirfd)
{
	doca_error_t result;
	int fd;

	if (mkdir(path, 0700) != 0 && errno != EEXIST) {
		sdpu_log_err("%s: runtime directory %s cannot be made: %s; needed: a place where "
			     "it can; set SOFTDPU_RUNTIME_DIR to one",
			     call, path, strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	fd = sdpu_fd_own(
		open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (chosen ? 0 : O_NOFOLLOW)));
	if (fd < 0) {
		result = errno == EACCES ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_OPERATING_SYSTEM;
		sdpu_log_err("%s: runtime directory %s cannot be opened: %s; needed: a directory "
			     "of user %u; remove what is there, or set SOFTDPU_RUNTIME_DIR",
			     call, path, strerror(errno), (unsigned int)geteuid());
		return result;
	}
	result = check_owner(call, fd, path);
	if (result == DOCA_SUCCESS)
		result = check_use(call, fd, path);
	if (result != DOCA_SUCCESS) {
		sdpu_fd_close(fd);
		return result;
	}
	*dirfd = fd;
	return DOCA_SUCCESS;
}

static doca_error_t find(const char *call, int *dirfd)
{
	doca_error_t result = DOCA_SUCCESS;
	int fd;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	pthread_mutex_lock(&rundir.lock);
	if (rundir.fd < 0) {
		bool chosen = choose_path(rundir.path);

		result = open_checked(call, rundir.path, chosen, &fd);
		/* release: pairs with the acquire in sdpu_rundir_path(), which then reads path */
		if (result == DOCA_SUCCESS)
			sdpu_store_release(&rundir.fd, fd);
	}
	pthread_mutex_unlock(&rundir.lock);
	if (result == DOCA_SUCCESS)
		*dirfd = rundir.fd;
	return result;
}

doca_error_t sdpu_rundir_open(const char *call)
{
	int dirfd;

	return find(call, &dirfd);
}

doca_error_t sdpu_rundir_get(int *dirfd)
{
	return find("softdpu", dirfd);
}
