/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This process's own memory, on behalf of others: never in place, as the user may have freed it. No
 * state; any thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bus/window_parts.h"

/* For systems that forbid process_vm_* even on the own process. */
static ssize_t copy_by_file(enum sdpu_copy_direction direction, uint64_t addr, void *data,
			    size_t len)
{
	int fd = open("/proc/self/mem",
		      (direction == SDPU_COPY_PUT ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	ssize_t moved;

	if (fd < 0)
		return -1;
	if (direction == SDPU_COPY_PUT)
		moved = pwrite(fd, data, len, (off_t)addr);
	else
		moved = pread(fd, data, len, (off_t)addr);
	close(fd);
	return moved;
}

static ssize_t copy_some(enum sdpu_copy_direction direction, uint64_t addr, void *data, size_t len)
{
	struct iovec local = {.iov_base = data, .iov_len = len};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)addr, .iov_len = len};
	ssize_t moved;

	if (direction == SDPU_COPY_PUT)
		moved = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
	else
		moved = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	if (moved < 0 && (errno == EPERM || errno == ENOSYS))
		moved = copy_by_file(direction, addr, data, len);
	return moved;
}

doca_error_t sdpu_own_copy(enum sdpu_copy_direction direction, uint64_t addr, void *data,
			   uint32_t len)
{
	uint8_t *bytes = data;

	for (uint32_t done = 0; done < len;) {
		ssize_t moved = copy_some(direction, addr + done, bytes + done, len - done);

		if (moved <= 0)
			return DOCA_ERROR_IO_FAILED;
		done += (uint32_t)moved;
	}
	return DOCA_SUCCESS;
}
