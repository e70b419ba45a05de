/* SPDX-License-Identifier: BSD-3-Clause */
#include "storage_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void storage_file_init(struct storage_file *file, const char *path)
{
	*file = (struct storage_file){.path = path, .fd = -1, .region.fd = -1};
}

static const char *storage_file_open_hint(int error)
{
	switch (error) {
	case EISDIR:
		return "it is a directory; name a file in it";
	case EACCES:
	case EROFS:
	case EPERM:
		return "it must be readable and writable by you";
	case ENOENT:
		return "its directory does not exist";
	default:
		return "name a file that can be written";
	}
}

static doca_error_t storage_file_refuse(struct fault *fault, const char *path, const char *why,
					const char *hint)
{
	return fault_raise(fault, DOCA_ERROR_INVALID_VALUE, "--storage-file %s: %s; %s", path, why,
			   hint);
}

static doca_error_t storage_file_check(struct storage_file *file, struct fault *fault)
{
	struct stat info;

	if (fstat(file->fd, &info) != 0)
		return storage_file_refuse(fault, file->path, strerror(errno), "cannot look at it");
	if (!S_ISREG(info.st_mode) && !S_ISBLK(info.st_mode))
		return storage_file_refuse(fault, file->path, "not a regular file",
					   "name a regular file or a block device");
	if (flock(file->fd, LOCK_EX | LOCK_NB) != 0)
		return storage_file_refuse(fault, file->path, "in use by another target",
					   "give each target its own file");
	return DOCA_SUCCESS;
}

doca_error_t storage_file_open(struct storage_file *file, struct fault *fault)
{
	if (file->path == NULL)
		return DOCA_SUCCESS;
	file->fd = open(file->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
	if (file->fd < 0)
		return storage_file_refuse(fault, file->path, strerror(errno),
					   storage_file_open_hint(errno));
	return storage_file_check(file, fault);
}

/* A block device is as large as it is. */
static int storage_file_check_device(const struct storage_file *file, size_t size)
{
	const off_t have = lseek(file->fd, 0, SEEK_END);

	return have >= 0 && (uint64_t)have >= size ? 0 : ENOSPC;
}

/*
 * Space is reserved even where the file is long enough: a hole that cannot be filled later, on a
 * full disk, would end the program with a signal in the middle of a transfer.
 */
static doca_error_t storage_file_reserve(struct storage_file *file, size_t size,
					 struct fault *fault)
{
	struct stat info = {0};
	int error;

	if (fstat(file->fd, &info) == 0 && S_ISBLK(info.st_mode))
		error = storage_file_check_device(file, size);
	else
		error = posix_fallocate(file->fd, 0, (off_t)size);
	if (error == 0)
		return DOCA_SUCCESS;
	return fault_raise(fault, DOCA_ERROR_TOO_BIG,
			   "--storage-file %s: has %lld bytes, the initiator needs %zu, and it "
			   "cannot grow: %s; make room, or run the initiator with a smaller "
			   "--per-cpu-buffer-count or --buffer-size",
			   file->path, (long long)info.st_size, size, strerror(error));
}

doca_error_t storage_file_map(struct storage_file *file, size_t size, struct fault *fault)
{
	doca_error_t result = storage_file_reserve(file, size, fault);

	if (result == DOCA_SUCCESS)
		result = memory_map_file(&file->region, file->fd, size, fault);
	return result;
}

doca_error_t storage_file_sync(struct storage_file *file, struct fault *fault)
{
	if (file->region.base == NULL)
		return DOCA_SUCCESS;
	if (msync(file->region.base, file->region.size, MS_SYNC) == 0 && fsync(file->fd) == 0)
		return DOCA_SUCCESS;
	return fault_raise(
		fault, DOCA_ERROR_IO_FAILED,
		"--storage-file %s: writing it back failed: %s; do not trust its content",
		file->path, strerror(errno));
}

void storage_file_close(struct storage_file *file)
{
	memory_free(&file->region);
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}
