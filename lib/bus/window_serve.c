/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Served copies: the owner's agent copies for an importer that has no way of its own. One
 * window_serve per grant and connection; it belongs to the agent, whose thread runs everything here
 * but the end. It ends with the connection or with the grant; an importer that dies closes the
 * connection.
 *
 * The staging memory and the doorbell are the importer's to fill with anything at any time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/atomic.h"
#include "bus/process.h"
#include "bus/window_check.h"
#include "bus/window_parts.h"

struct window_serve {
	struct sdpu_watch watch;
	struct sdpu_grant *grant; /* a reference */
	struct sdpu_segment staging;
	struct stage *stage;
	uint32_t seen[STAGE_SLOTS]; /* the last request done in each slot */
};

/* Where process_vm_* is forbidden even for oneself. */
static ssize_t copy_by_file(uint32_t direction, uint64_t addr, void *data, size_t len)
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

/* Our own memory, never in place: the user may have freed it. */
static ssize_t copy_some(uint32_t direction, uint64_t addr, void *data, size_t len)
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

static doca_error_t copy_own(uint32_t direction, uint64_t addr, uint8_t *data, uint32_t len)
{
	for (uint32_t done = 0; done < len;) {
		ssize_t moved = copy_some(direction, addr + done, data + done, len - done);

		if (moved <= 0)
			return DOCA_ERROR_IO_FAILED;
		done += (uint32_t)moved;
	}
	return DOCA_SUCCESS;
}

static bool may(const struct sdpu_grant *grant, uint32_t direction)
{
	return (direction == SDPU_COPY_PUT && grant->may_write) ||
	       (direction == SDPU_COPY_GET && grant->may_read);
}

doca_error_t sdpu_serve_copy(struct sdpu_grant *grant, uint32_t direction, uint64_t addr,
			     uint32_t len, void *data)
{
	doca_error_t result = DOCA_ERROR_NOT_PERMITTED;

	if (len > STAGE_SLOT_SIZE || !may(grant, direction) ||
	    !sdpu_range_covers(grant->addr, grant->len, addr, len))
		return DOCA_ERROR_NOT_PERMITTED;
	/* Full fence: pairs with the one of silence() in grant.c. */
	sdpu_publish_fenced(&grant->serving, 1);
	if (sdpu_load(&grant->live) != 0)
		result = copy_own(direction, addr, data, len);
	/* release: pairs with the acquire in is_quiet() */
	sdpu_store_release(&grant->serving, 0);
	return result;
}

static void serve_slot(struct window_serve *serve, uint32_t i)
{
	struct stage_slot *slot = &serve->stage->slot[i];
	/* acquire: pairs with the release in issue() of copy_served.c */
	uint32_t request = sdpu_load_acquire(&slot->request);
	doca_error_t result;

	if (request == serve->seen[i])
		return;
	serve->seen[i] = request;
	result = sdpu_serve_copy(serve->grant, sdpu_load(&slot->direction), sdpu_load(&slot->addr),
				 sdpu_load(&slot->len), serve->stage->data[i]);
	sdpu_store(&slot->result, (uint32_t)result);
	/* release: pairs with the acquire in collect() of copy_served.c */
	sdpu_store_release(&slot->complete, request);
}

/* True when it is ours to end: it may be somebody else's already. */
static bool claim_end(struct window_serve *serve)
{
	bool mine;

	sdpu_window_lock();
	mine = serve->grant->serve == serve;
	if (mine)
		serve->grant->serve = NULL;
	sdpu_window_unlock();
	return mine;
}

/*
 * One turn. A ring is eaten before the slots are looked at: so a request that was published before
 * its ring, or before a ring that found the socket full, is seen in this turn or in the next.
 */
static void rung(struct sdpu_watch *watch, uint32_t events)
{
	struct window_serve *serve = sdpu_container_of(watch, struct window_serve, watch);
	struct sdpu_record record;
	doca_error_t result = sdpu_sock_recv(watch->fd, &record);

	if (result == DOCA_SUCCESS)
		sdpu_record_drop(&record);
	if (result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN) {
		/* Pairs with the fence of issue() in copy_served.c. */
		sdpu_fence_full();
		for (uint32_t i = 0; i < STAGE_SLOTS; i++)
			serve_slot(serve, i);
		return;
	}
	if (claim_end(serve))
		sdpu_serve_end(serve);
}

static struct window_serve *serve_new(struct sdpu_grant *grant, int sock,
				      struct sdpu_segment *staging)
{
	struct window_serve *serve = calloc(1, sizeof(*serve));

	if (serve == NULL) {
		sdpu_fd_close(sock);
		sdpu_segment_unmap(staging);
		return NULL;
	}
	serve->watch = (struct sdpu_watch){.fd = sock, .ready = rung};
	serve->grant = grant;
	serve->staging = *staging;
	serve->stage = staging->base;
	return serve;
}

doca_error_t sdpu_serve_start(struct sdpu_grant *grant, int sock, struct sdpu_segment *staging)
{
	struct window_serve *serve = serve_new(grant, sock, staging);
	bool taken;
	doca_error_t result;

	if (serve == NULL)
		return DOCA_ERROR_NO_MEMORY;
	sdpu_window_lock();
	grant->refs++;
	/* Whoever ends the grant has looked for a serve already. */
	taken = !grant->ending && grant->serve == NULL;
	if (taken)
		grant->serve = serve;
	sdpu_window_unlock();
	result = taken ? sdpu_agent_watch(&serve->watch, EPOLLIN) : DOCA_ERROR_BAD_STATE;
	/* A failed watch leaves us where a hang-up would have. */
	if (!taken || (result != DOCA_SUCCESS && claim_end(serve)))
		sdpu_serve_end(serve);
	return result;
}

void sdpu_serve_end(struct window_serve *serve)
{
	sdpu_agent_unwatch(&serve->watch);
	sdpu_fd_close(serve->watch.fd);
	sdpu_segment_unmap(&serve->staging);
	sdpu_window_lock();
	sdpu_grant_put(serve->grant);
	sdpu_window_unlock();
	free(serve);
}
