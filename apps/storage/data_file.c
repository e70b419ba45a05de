/* SPDX-License-Identifier: BSD-3-Clause */
#include "data_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIT_TEXT_SIZE 320

void data_file_init(struct data_file *file, const char *path)
{
	*file = (struct data_file){.path = path, .fd = -1};
}

static doca_error_t data_file_refuse(const struct data_file *file, const char *why,
				     struct fault *fault)
{
	return fault_raise(fault, DOCA_ERROR_INVALID_VALUE, "--data-file %s: %s", file->path, why);
}

static doca_error_t data_file_check_fit(const struct data_file *file, const struct plan *plan,
					struct fault *fault)
{
	char text[FIT_TEXT_SIZE];

	if (file->length == 0)
		return data_file_refuse(file, "it is empty", fault);
	if (plan_fits(plan, file->length, text, sizeof(text)))
		return DOCA_SUCCESS;
	return data_file_refuse(file, text, fault);
}

doca_error_t data_file_open_input(struct data_file *file, const struct plan *plan,
				  struct fault *fault)
{
	struct stat info;

	file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file->fd < 0 || fstat(file->fd, &info) != 0)
		return data_file_refuse(file, strerror(errno), fault);
	if (!S_ISREG(info.st_mode))
		return data_file_refuse(file, "not a regular file", fault);
	file->length = (uint64_t)info.st_size;
	return data_file_check_fit(file, plan, fault);
}

doca_error_t data_file_open_output(struct data_file *file, const struct plan *plan, uint64_t length,
				   struct fault *fault)
{
	file->length = length != 0 ? length : plan_region_size(plan);
	file->fd = open(file->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (file->fd < 0 && errno == ENOENT) {
		file->fd = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		file->unfinished = file->fd >= 0;
	}
	if (file->fd < 0)
		return data_file_refuse(file, strerror(errno), fault);
	return data_file_check_fit(file, plan, fault);
}

doca_error_t data_file_fill(struct data_file *file, uint8_t *memory, struct fault *fault)
{
	uint64_t done = 0;
	ssize_t count;

	while (done < file->length) {
		count = pread(file->fd, memory + done, file->length - done, (off_t)done);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return data_file_refuse(file, strerror(errno), fault);
		if (count == 0)
			return data_file_refuse(file, "became shorter while it was read", fault);
		done += (uint64_t)count;
	}
	return DOCA_SUCCESS;
}

doca_error_t data_file_save(struct data_file *file, const uint8_t *memory, struct fault *fault)
{
	uint64_t done = 0;
	ssize_t count;

	while (done < file->length) {
		count = pwrite(file->fd, memory + done, file->length - done, (off_t)done);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return data_file_refuse(file, strerror(errno), fault);
		done += (uint64_t)count;
	}
	/* A device or a pipe has no length to set. */
	if (ftruncate(file->fd, (off_t)file->length) != 0 && errno != EINVAL)
		return data_file_refuse(file, strerror(errno), fault);
	file->unfinished = false;
	return DOCA_SUCCESS;
}

void data_file_close(struct data_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	if (file->unfinished)
		unlink(file->path);
	data_file_init(file, NULL);
}
