/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Claim files: the locks, the inode check, the text. Contract in claim_file.h.
 */
#include "bus/claim_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "bus/process.h"

#define FILE_NAME_SIZE (SDPU_CLAIM_NAME_MAX + sizeof(SDPU_CLAIM_SUFFIX))

/* How long to wait for another process's turn, or for a text that is not yet written. */
#define TRIES 100
#define TRY_EVERY (1 * SDPU_MS)

enum lock_byte { LOCK_OWNER = 0, LOCK_TURN = 1 };

bool sdpu_claim_name_valid(const char *name)
{
	size_t len = strnlen(name, SDPU_CLAIM_NAME_MAX + 1);

	return len > 0 && len <= SDPU_CLAIM_NAME_MAX && name[0] != '.' && strchr(name, '/') == NULL;
}

static void file_name(const char *name, char file[FILE_NAME_SIZE])
{
	snprintf(file, FILE_NAME_SIZE, "%s%s", name, SDPU_CLAIM_SUFFIX);
}

static int file_open(int dirfd, const char *name, int create)
{
	char file[FILE_NAME_SIZE];

	file_name(name, file);
	return sdpu_fd_own(
		openat(dirfd, file, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | create, 0600));
}

static struct flock lock_of(enum lock_byte byte, short type)
{
	return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
}

static bool lock_get(int fd, enum lock_byte byte)
{
	struct flock lock = lock_of(byte, F_WRLCK);

	return fcntl(fd, F_SETLK, &lock) == 0;
}

static void lock_give(int fd, enum lock_byte byte)
{
	struct flock lock = lock_of(byte, F_UNLCK);

	fcntl(fd, F_SETLK, &lock);
}

/* Locked by another process; our own locks do not count. *pid: as the kernel tells it. */
static bool lock_is_held_by(int fd, enum lock_byte byte, pid_t *pid)
{
	struct flock lock = lock_of(byte, F_WRLCK);

	if (fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
		return false;
	*pid = lock.l_pid;
	return true;
}

static bool lock_is_held(int fd, enum lock_byte byte)
{
	pid_t pid;

	return lock_is_held_by(fd, byte, &pid);
}

/* Does the name still lead to the file that we hold open? */
static bool is_current(int dirfd, const char *name, int fd)
{
	char file[FILE_NAME_SIZE];
	struct stat ours, named;

	file_name(name, file);
	return fstat(fd, &ours) == 0 && S_ISREG(ours.st_mode) &&
	       fstatat(dirfd, file, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

/* The socket first: while it exists, there is a claim that shows whether its owner is dead. */
static void unlink_both(int dirfd, const char *name)
{
	char file[FILE_NAME_SIZE];

	file_name(name, file);
	unlinkat(dirfd, name, 0);
	unlinkat(dirfd, file, 0);
}

/* A line feed ends the text, and so says that it is whole. */
static bool text_write(int fd, const char *text)
{
	char line[SDPU_CLAIM_TEXT_MAX + 1];
	int len = snprintf(line, sizeof(line), "%s\n", text);

	return pwrite(fd, line, (size_t)len, 0) == len;
}

static bool text_read(int fd, char text[SDPU_CLAIM_TEXT_MAX])
{
	char line[SDPU_CLAIM_TEXT_MAX];
	ssize_t len = pread(fd, line, sizeof(line), 0);

	if (len <= 0 || line[len - 1] != '\n')
		return false;
	line[len - 1] = '\0';
	memcpy(text, line, (size_t)len);
	return true;
}

static doca_error_t failed(const char *name, const char *step)
{
	sdpu_log_err("claim %s in %s: %s: %s", name, sdpu_rundir_path(), step, strerror(errno));
	return DOCA_ERROR_OPERATING_SYSTEM;
}

/* Holding the turn, and nobody owns the file: the text is a dead owner's. */
static doca_error_t become_owner(int dirfd, const char *name, const char *text, int fd)
{
	if (ftruncate(fd, 0) != 0)
		return failed(name, "ftruncate");
	unlinkat(dirfd, name, 0);
	if (!lock_get(fd, LOCK_OWNER))
		return failed(name, "fcntl lock");
	if (!text_write(fd, text)) {
		doca_error_t result = failed(name, "write");

		unlink_both(dirfd, name);
		return result;
	}
	lock_give(fd, LOCK_TURN);
	return DOCA_SUCCESS;
}

/* AGAIN: somebody else has the turn, or unlinked the file before we had it. */
static doca_error_t try_take(int dirfd, const char *name, const char *text, int fd)
{
	if (!lock_get(fd, LOCK_TURN))
		return errno == EAGAIN || errno == EACCES ? DOCA_ERROR_AGAIN
							  : failed(name, "fcntl lock");
	if (lock_is_held(fd, LOCK_OWNER))
		return DOCA_ERROR_ALREADY_EXIST;
	if (!is_current(dirfd, name, fd))
		return DOCA_ERROR_AGAIN;
	return become_owner(dirfd, name, text, fd);
}

doca_error_t sdpu_claim_file_take(int dirfd, const char *name, const char *text, int *fd)
{
	for (int i = 0; i < TRIES; i++) {
		int file = file_open(dirfd, name, O_CREAT);
		doca_error_t result;

		if (file < 0)
			return failed(name, "open");
		result = try_take(dirfd, name, text, file);
		if (result == DOCA_SUCCESS) {
			*fd = file;
			return DOCA_SUCCESS;
		}
		sdpu_fd_close(file);
		if (result != DOCA_ERROR_AGAIN)
			return result;
		sdpu_clock_sleep(TRY_EVERY);
	}
	/* A process that holds the turn for so long is stopped, most likely while taking the name.
	 */
	return DOCA_ERROR_ALREADY_EXIST;
}

void sdpu_claim_file_end(int dirfd, const char *name, int fd)
{
	if (is_current(dirfd, name, fd))
		unlink_both(dirfd, name);
	sdpu_fd_close(fd);
}

/* AGAIN: cannot tell yet. */
static doca_error_t try_read(int dirfd, const char *name, int fd, char text[SDPU_CLAIM_TEXT_MAX])
{
	if (lock_is_held(fd, LOCK_OWNER))
		return text_read(fd, text) ? DOCA_SUCCESS : DOCA_ERROR_AGAIN;
	if (!lock_get(fd, LOCK_TURN) || lock_is_held(fd, LOCK_OWNER) ||
	    !is_current(dirfd, name, fd))
		return DOCA_ERROR_AGAIN;
	unlink_both(dirfd, name);
	return DOCA_ERROR_NOT_FOUND;
}

doca_error_t sdpu_claim_file_read(int dirfd, const char *name, char text[SDPU_CLAIM_TEXT_MAX])
{
	for (int i = 0; i < TRIES; i++) {
		int fd = file_open(dirfd, name, 0);
		doca_error_t result;

		if (fd < 0)
			return DOCA_ERROR_NOT_FOUND;
		result = try_read(dirfd, name, fd, text);
		sdpu_fd_close(fd);
		if (result != DOCA_ERROR_AGAIN)
			return result;
		sdpu_clock_sleep(TRY_EVERY);
	}
	return DOCA_ERROR_NOT_FOUND;
}

doca_error_t sdpu_claim_file_look(int dirfd, const char *name, struct sdpu_claim_state *state)
{
	int fd = file_open(dirfd, name, 0);
	pid_t pid = 0;

	if (fd < 0)
		return DOCA_ERROR_NOT_FOUND;
	/* A file without an owner whose turn is held is about to be owned: it counts as alive. */
	state->is_alive = lock_is_held_by(fd, LOCK_OWNER, &pid) || lock_is_held(fd, LOCK_TURN);
	state->pid = pid > 0 ? pid : 0;
	if (!text_read(fd, state->text))
		state->text[0] = '\0';
	sdpu_fd_close(fd);
	return DOCA_SUCCESS;
}
