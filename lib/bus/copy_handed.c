/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows reached through the owner's own /proc/self/mem, of which it passed a descriptor. That
 * belongs to the reach, and leads to the owner's memory or nowhere, whoever gets its pid later.
 */
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "bus/process.h"
#include "bus/reach_parts.h"

/* Any other kind of file might block us for ever. */
static bool is_mem_file(int fd)
{
	char path[64], target[64];
	struct statfs fs;
	ssize_t len;

	if (fstatfs(fd, &fs) != 0 || fs.f_type != PROC_SUPER_MAGIC)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	len = readlink(path, target, sizeof(target));
	return len > 4 && len < (ssize_t)sizeof(target) && memcmp(target + len - 4, "/mem", 4) == 0;
}

static const char *handed_open(struct sdpu_reach *reach, struct reach_offer *offer)
{
	const struct sdpu_grant_msg *msg = &offer->msg;
	uint8_t key[SDPU_KEY_SIZE];

	if (msg->addr > INT64_MAX || msg->len > INT64_MAX - msg->addr ||
	    msg->probe_addr > INT64_MAX - sizeof(key))
		return "the range lies beyond what a file offset can say";
	if (!is_mem_file(offer->mem_fd))
		return "the descriptor that the owner passed is not its memory";
	if (pread(offer->mem_fd, key, sizeof(key), (off_t)msg->probe_addr) != sizeof(key) ||
	    memcmp(key, msg->key, sizeof(key)) != 0)
		return "the key is not where the owner says";
	reach->mem_fd = offer->mem_fd;
	offer->mem_fd = -1;
	return NULL;
}

static void handed_close(struct sdpu_reach *reach)
{
	sdpu_fd_close(reach->mem_fd);
}

/* done 0: the process has ended. The kernel tells the sides apart: EFAULT is ours, EIO theirs. */
static doca_error_t handed_error(struct sdpu_reach *reach, ssize_t done)
{
	if (done == 0) {
		sdpu_reach_lose(reach);
		return DOCA_ERROR_CONNECTION_RESET;
	}
	return errno == EFAULT ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_IO_FAILED;
}

static doca_error_t handed_chunk(const struct sdpu_copy *copy, const struct copy_chunk *chunk,
				 size_t *moved)
{
	int fd = copy->reach->mem_fd;
	ssize_t done;

	if (copy->direction == SDPU_COPY_PUT)
		done = pwritev(fd, chunk->pieces, chunk->num, (off_t)chunk->addr);
	else
		done = preadv(fd, chunk->pieces, chunk->num, (off_t)chunk->addr);
	if (done <= 0)
		return handed_error(copy->reach, done);
	*moved = (size_t)done;
	return DOCA_SUCCESS;
}

const struct reach_kind sdpu_reach_handed = {
	.kind = SDPU_WINDOW_HANDED,
	.name = "handed",
	.open = handed_open,
	.close = handed_close,
	.run = sdpu_copy_in_chunks,
	.chunk = handed_chunk,
	.cancel = sdpu_copy_cancel_nothing,
};
