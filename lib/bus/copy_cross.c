/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows reached across processes: the kernel copies between our memory and the owner's. Nothing
 * is kept but the owner's pid. The kernel may give the pid to another process after the owner has
 * died, but the reach's death watch reports the death long before that.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bus/reach_parts.h"

/* One byte: can it be read? */
static bool is_readable(pid_t pid, void *addr)
{
	struct iovec local, remote;
	uint8_t byte;

	local = (struct iovec){.iov_base = &byte, .iov_len = 1};
	remote = (struct iovec){.iov_base = addr, .iov_len = 1};
	return process_vm_readv(pid, &local, 1, &remote, 1, 0) == 1;
}

static const char *cross_open(struct sdpu_reach *reach, struct reach_offer *offer)
{
	uint8_t key[SDPU_KEY_SIZE];
	struct iovec local = {.iov_base = key, .iov_len = sizeof(key)};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)offer->msg.probe_addr,
			       .iov_len = sizeof(key)};
	ssize_t got;

	if (reach->peer <= 0)
		return "the owner is in a PID namespace that we cannot see";
	got = process_vm_readv(reach->peer, &local, 1, &remote, 1, 0);
	if (got < 0)
		return errno == EPERM ? "the kernel does not permit it (Yama, seccomp, or an owner "
					"that is not dumpable)"
				      : strerror(errno);
	if (got != (ssize_t)sizeof(key) || memcmp(key, offer->msg.key, sizeof(key)) != 0)
		return "the key is not where the owner says";
	return NULL;
}

/*
 * Nothing was copied because one side has no memory there. Reading tells which: ours when we put
 * (the source), theirs when we get (if it can be read, then ours cannot be written).
 */
static doca_error_t find_fault(const struct sdpu_copy *copy, const struct copy_chunk *chunk)
{
	bool ours;

	if (copy->direction == SDPU_COPY_PUT)
		ours = !is_readable(getpid(), chunk->pieces[0].iov_base);
	else
		ours = is_readable(copy->reach->peer, (void *)(uintptr_t)chunk->addr);
	return ours ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_IO_FAILED;
}

static doca_error_t cross_error(const struct sdpu_copy *copy, const struct copy_chunk *chunk)
{
	switch (errno) {
	case ESRCH:
		sdpu_reach_lose(copy->reach);
		return DOCA_ERROR_CONNECTION_RESET;
	case EFAULT:
		return find_fault(copy, chunk);
	default:
		return DOCA_ERROR_IO_FAILED;
	}
}

static doca_error_t cross_chunk(const struct sdpu_copy *copy, const struct copy_chunk *chunk,
				size_t *moved)
{
	struct iovec remote = {.iov_base = (void *)(uintptr_t)chunk->addr, .iov_len = chunk->len};
	unsigned long num = (unsigned long)chunk->num;
	pid_t peer = copy->reach->peer;
	ssize_t done;

	if (copy->direction == SDPU_COPY_PUT)
		done = process_vm_writev(peer, chunk->pieces, num, &remote, 1, 0);
	else
		done = process_vm_readv(peer, chunk->pieces, num, &remote, 1, 0);
	if (done <= 0)
		return cross_error(copy, chunk);
	*moved = (size_t)done;
	return DOCA_SUCCESS;
}

static ssize_t cross_many(const struct sdpu_reach *reach, enum sdpu_copy_direction direction,
			  const struct copy_many *many)
{
	if (direction == SDPU_COPY_PUT)
		return process_vm_writev(reach->peer, many->local, many->num_local, many->remote,
					 many->num_remote, 0);
	return process_vm_readv(reach->peer, many->local, many->num_local, many->remote,
				many->num_remote, 0);
}

const struct reach_kind sdpu_reach_cross = {
	.kind = SDPU_WINDOW_CROSS,
	.name = "cross",
	.open = cross_open,
	.run = sdpu_copy_in_chunks,
	.chunk = cross_chunk,
	.cancel = sdpu_copy_cancel_nothing,
	.many = cross_many,
};
