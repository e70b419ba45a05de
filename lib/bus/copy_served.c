/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Served windows: requests through staging memory that this side makes, to the owner's agent. A
 * copy takes a slot, has one request under way at a time, and holds its slot between runs
 * (served_seq: slot + 1). A slot whose copy was given up is free again when the agent has answered;
 * when the owner is dead or has revoked, every copy fails, and what the slots hold does not matter
 * any more.
 */
#include <string.h>

#include "bus/process.h"
#include "bus/reach_parts.h"

static void agent_closed(struct sdpu_watch *watch, uint32_t events)
{
	sdpu_reach_lose(sdpu_container_of(watch, struct sdpu_reach, staging.watch));
}

static const char *connect_agent(struct reach_staging *staging, const struct sdpu_grant_msg *msg)
{
	pid_t peer;

	if (sdpu_window_call(msg->endpoint, WINDOW_STAGE, msg->key, &staging->segment.fd, 1,
			     &staging->sock, &peer) != DOCA_SUCCESS)
		return "the owner's agent cannot be reached";
	staging->watch = (struct sdpu_watch){.fd = staging->sock, .ready = agent_closed};
	if (sdpu_agent_watch(&staging->watch, 0) == DOCA_SUCCESS)
		return NULL;
	sdpu_fd_close(staging->sock);
	return "our agent cannot watch the connection";
}

static const char *served_open(struct sdpu_reach *reach, struct reach_offer *offer)
{
	struct reach_staging *staging = &reach->staging;
	const char *why;

	if (sdpu_segment_create("softdpu-staging", sizeof(struct stage), sizeof(struct stage),
				false, &staging->segment) != DOCA_SUCCESS)
		return "no memory for staging";
	why = connect_agent(staging, &offer->msg);
	if (why != NULL) {
		sdpu_segment_unmap(&staging->segment);
		return why;
	}
	sdpu_segment_close_fd(&staging->segment);
	staging->stage = staging->segment.base;
	return NULL;
}

static void served_close(struct sdpu_reach *reach)
{
	sdpu_agent_unwatch(&reach->staging.watch);
	sdpu_fd_close(reach->staging.sock);
	sdpu_segment_unmap(&reach->staging.segment);
}

/* acquire: pairs with the release in serve_slot() of window_serve.c */
static bool is_complete(const struct reach_staging *staging, uint32_t slot)
{
	return sdpu_load_acquire(&staging->stage->slot[slot].complete) ==
	       sdpu_load(&staging->request[slot]);
}

static void give_slot(struct reach_staging *staging, uint32_t slot)
{
	/* Orders both ways: pairs with take_slot() by another thread. */
	sdpu_fetch_and(&staging->taken, ~(1u << slot));
}

/* Slots that were given up and have been answered since. Of two threads, one clears the bit. */
static void reap_orphans(struct reach_staging *staging)
{
	uint32_t orphans = sdpu_load_acquire(&staging->orphans);

	for (uint32_t slot = 0; orphans != 0 && slot < STAGE_SLOTS; slot++) {
		uint32_t bit = 1u << slot;

		if ((orphans & bit) != 0 && is_complete(staging, slot) &&
		    (sdpu_fetch_and(&staging->orphans, ~bit) & bit) != 0)
			give_slot(staging, slot);
	}
}

static bool take_slot(struct reach_staging *staging, uint32_t *slot)
{
	reap_orphans(staging);
	for (uint32_t i = 0; i < STAGE_SLOTS; i++) {
		if ((sdpu_fetch_or(&staging->taken, 1u << i) & (1u << i)) == 0) {
			*slot = i;
			return true;
		}
	}
	return false;
}

/* Between the local memory of a chunk and a slot's bytes. */
static void move(enum sdpu_copy_direction direction, const struct copy_chunk *chunk, uint8_t *data)
{
	for (int i = 0; i < chunk->num; i++) {
		const struct iovec *piece = &chunk->pieces[i];

		if (direction == SDPU_COPY_PUT)
			memcpy(data, piece->iov_base, piece->iov_len);
		else
			memcpy(piece->iov_base, data, piece->iov_len);
		data += piece->iov_len;
	}
}

/* Answered requests have the length that this gives again: nothing has advanced since. */
static void gather(const struct sdpu_copy *copy, struct copy_chunk *chunk)
{
	size_t left = copy->len - copy->done;

	sdpu_copy_gather(copy, left < STAGE_SLOT_SIZE ? left : STAGE_SLOT_SIZE, chunk);
}

static doca_error_t issue(struct sdpu_copy *copy)
{
	struct reach_staging *staging = &copy->reach->staging;
	uint32_t slot = copy->served_seq - 1;
	struct stage_slot *shared = &staging->stage->slot[slot];
	uint32_t request = staging->request[slot] + 1;
	struct copy_chunk chunk;
	uint8_t ring = 0;

	gather(copy, &chunk);
	if (chunk.len == 0)
		return DOCA_ERROR_INVALID_VALUE;
	if (copy->direction == SDPU_COPY_PUT)
		move(SDPU_COPY_PUT, &chunk, staging->stage->data[slot]);
	sdpu_store(&shared->direction, (uint32_t)copy->direction);
	sdpu_store(&shared->addr, chunk.addr);
	sdpu_store(&shared->len, (uint32_t)chunk.len);
	sdpu_store(&staging->request[slot], request);
	/* Pairs with the acquire in serve_slot() of window_serve.c, and the fence with the one of
	 * rung() there: a full socket holds rings that the agent has not eaten, and it will look.
	 */
	sdpu_publish_fenced(&shared->request, request);
	if (sdpu_sock_send(staging->sock, &ring, sizeof(ring), NULL, 0) ==
	    DOCA_ERROR_CONNECTION_RESET)
		sdpu_reach_lose(copy->reach);
	return DOCA_ERROR_IN_PROGRESS;
}

/* What an agent may answer. */
static doca_error_t judge(uint32_t result)
{
	if (result == DOCA_SUCCESS || result == DOCA_ERROR_NOT_PERMITTED)
		return (doca_error_t)result;
	return DOCA_ERROR_IO_FAILED;
}

/* A complete request's outcome. */
static doca_error_t collect(struct sdpu_copy *copy)
{
	struct reach_staging *staging = &copy->reach->staging;
	uint32_t slot = copy->served_seq - 1;
	doca_error_t result = judge(sdpu_load(&staging->stage->slot[slot].result));
	struct copy_chunk chunk;

	if (result != DOCA_SUCCESS)
		return result;
	gather(copy, &chunk);
	if (copy->direction == SDPU_COPY_GET)
		move(SDPU_COPY_GET, &chunk, staging->stage->data[slot]);
	sdpu_copy_advance(copy, chunk.len);
	return DOCA_SUCCESS;
}

/* The slot is given back, or left to reap_orphans() while the agent may still look at it. */
static void leave(struct sdpu_copy *copy)
{
	struct reach_staging *staging = &copy->reach->staging;
	uint32_t slot = copy->served_seq - 1;

	copy->served_seq = 0;
	if (is_complete(staging, slot))
		give_slot(staging, slot);
	else
		sdpu_fetch_or(&staging->orphans, 1u << slot);
}

/* Takes a slot, or collects the answer in the one that we have. */
static doca_error_t step(struct sdpu_copy *copy)
{
	struct reach_staging *staging = &copy->reach->staging;
	uint32_t slot;

	if (copy->served_seq != 0)
		return is_complete(staging, copy->served_seq - 1) ? collect(copy)
								  : DOCA_ERROR_IN_PROGRESS;
	if (copy->done < copy->len) {
		if (!take_slot(staging, &slot))
			return DOCA_ERROR_IN_PROGRESS;
		copy->served_seq = slot + 1;
	}
	return DOCA_SUCCESS;
}

static doca_error_t served_run(struct sdpu_copy *copy, size_t budget)
{
	doca_error_t result = sdpu_reach_fault(copy->reach);

	if (result == DOCA_SUCCESS)
		result = step(copy);
	if (result == DOCA_SUCCESS && copy->done < copy->len)
		result = issue(copy);
	if (result != DOCA_ERROR_IN_PROGRESS && copy->served_seq != 0)
		leave(copy);
	return result;
}

static void served_cancel(struct sdpu_copy *copy)
{
	if (copy->served_seq != 0)
		leave(copy);
}

const struct reach_kind sdpu_reach_served = {
	.kind = SDPU_WINDOW_SERVED,
	.name = "served",
	.open = served_open,
	.close = served_close,
	.run = served_run,
	.cancel = served_cancel,
};
