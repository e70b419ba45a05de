/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Staging of a reach: memory that this side makes, and a connection, through which the owner's
 * agent is asked to copy or to do atomics. It belongs to the reach. A request takes a slot and
 * holds it between runs. A slot that was given up is free again when the agent has answered; when
 * the owner is dead or has revoked, every request fails, and what the slots hold does not matter
 * any more.
 */
#include "base/error_text.h"
#include "base/log.h"
#include "bus/process.h"
#include "bus/reach_parts.h"

static void agent_closed(struct sdpu_watch *watch, uint32_t events)
{
	sdpu_reach_lose(sdpu_container_of(watch, struct sdpu_reach, staging.watch));
}

static doca_error_t connect_agent(struct sdpu_reach *reach, const struct sdpu_segment *segment)
{
	struct reach_staging *staging = &reach->staging;
	pid_t peer;
	doca_error_t result = sdpu_window_call(reach->endpoint, WINDOW_STAGE, reach->key,
					       &segment->fd, 1, &staging->sock, &peer);

	if (result != DOCA_SUCCESS)
		return result;
	staging->watch = (struct sdpu_watch){.fd = staging->sock, .ready = agent_closed};
	result = sdpu_agent_watch(&staging->watch, 0);
	if (result != DOCA_SUCCESS)
		sdpu_fd_close(staging->sock);
	return result;
}

static doca_error_t open_now(struct sdpu_reach *reach, bool copies)
{
	struct reach_staging *staging = &reach->staging;
	size_t size = copies ? sizeof(struct stage) : STAGE_HEAD_SIZE;
	struct sdpu_segment segment;
	doca_error_t result = sdpu_segment_create("softdpu-staging", size, size, false, &segment);

	if (result != DOCA_SUCCESS)
		return result;
	result = connect_agent(reach, &segment);
	if (result != DOCA_SUCCESS) {
		sdpu_segment_unmap(&segment);
		return result;
	}
	sdpu_segment_close_fd(&segment);
	staging->segment = segment;
	staging->stage = segment.base;
	return DOCA_SUCCESS;
}

/* The outcome of opening, and what requests are answered with. */
static enum staging_state settle(struct sdpu_reach *reach, doca_error_t *result)
{
	switch (*result) {
	case DOCA_SUCCESS:
		return STAGING_OPEN;
	case DOCA_ERROR_AGAIN:
		*result = DOCA_ERROR_IN_PROGRESS;
		return STAGING_NONE;
	case DOCA_ERROR_NOT_FOUND:
		sdpu_reach_lose(reach);
		*result = DOCA_ERROR_CONNECTION_RESET;
		return STAGING_FAILED;
	default:
		sdpu_log_err("memory window: the agent of pid %d cannot be asked: %s",
			     (int)reach->peer, sdpu_error_descr(*result));
		*result = DOCA_ERROR_IO_FAILED;
		return STAGING_FAILED;
	}
}

doca_error_t sdpu_staging_open(struct sdpu_reach *reach, bool copies)
{
	struct reach_staging *staging = &reach->staging;
	/* acquire: pairs with the release below */
	uint32_t state = sdpu_load_acquire(&staging->state);
	doca_error_t result;

	if (sdpu_likely(state == STAGING_OPEN))
		return DOCA_SUCCESS;
	if (state == STAGING_FAILED)
		return DOCA_ERROR_IO_FAILED;
	if (state == STAGING_OPENING || !sdpu_cas(&staging->state, &state, STAGING_OPENING))
		return DOCA_ERROR_IN_PROGRESS;
	result = open_now(reach, copies);
	sdpu_store_release(&staging->state, settle(reach, &result));
	return result;
}

void sdpu_staging_close(struct sdpu_reach *reach)
{
	struct reach_staging *staging = &reach->staging;

	if (sdpu_load_acquire(&staging->state) != STAGING_OPEN)
		return;
	sdpu_agent_unwatch(&staging->watch);
	sdpu_fd_close(staging->sock);
	sdpu_segment_unmap(&staging->segment);
}

static bool is_answered(const struct reach_staging *staging, uint32_t slot)
{
	/* acquire: pairs with the release in serve_slot() of window_serve.c */
	return sdpu_load_acquire(&staging->stage->slot[slot].complete) ==
	       sdpu_load(&staging->request[slot]);
}

/* A socket that is full holds rings, but one that the kernel has no memory for may be empty: the
 * two cannot be told apart. */
static void ring(struct sdpu_reach *reach)
{
	struct reach_staging *staging = &reach->staging;
	uint8_t byte = 0;
	doca_error_t result = sdpu_sock_send(staging->sock, &byte, sizeof(byte), NULL, 0);

	if (result == DOCA_ERROR_CONNECTION_RESET)
		sdpu_reach_lose(reach);
	else if (result != DOCA_SUCCESS)
		sdpu_store(&staging->unrung, 1);
}

static void ring_again(struct sdpu_reach *reach)
{
	uint32_t *unrung = &reach->staging.unrung;

	if (sdpu_unlikely(sdpu_load(unrung) != 0) && sdpu_swap(unrung, 0) != 0)
		ring(reach);
}

bool sdpu_staging_answered(struct sdpu_reach *reach, uint32_t seq)
{
	if (is_answered(&reach->staging, seq - 1))
		return true;
	ring_again(reach);
	return false;
}

static void give_slot(struct reach_staging *staging, uint32_t slot)
{
	/* Orders both ways: pairs with sdpu_staging_take() by another thread. */
	sdpu_fetch_and(&staging->taken, ~(1u << slot));
}

/* Frees slots that were given up and have been answered since. If two threads try, one clears the
 * bit. */
static void reap_orphans(struct reach_staging *staging)
{
	uint32_t orphans = sdpu_load_acquire(&staging->orphans);

	for (uint32_t slot = 0; orphans != 0 && slot < STAGE_SLOTS; slot++) {
		uint32_t bit = 1u << slot;

		if ((orphans & bit) != 0 && is_answered(staging, slot) &&
		    (sdpu_fetch_and(&staging->orphans, ~bit) & bit) != 0)
			give_slot(staging, slot);
	}
}

bool sdpu_staging_take(struct sdpu_reach *reach, uint32_t *seq)
{
	struct reach_staging *staging = &reach->staging;

	reap_orphans(staging);
	for (uint32_t i = 0; i < STAGE_SLOTS; i++) {
		if ((sdpu_fetch_or(&staging->taken, 1u << i) & (1u << i)) == 0) {
			*seq = i + 1;
			return true;
		}
	}
	ring_again(reach);
	return false;
}

void sdpu_staging_ask(struct sdpu_reach *reach, uint32_t seq, const struct stage_ask *ask)
{
	struct reach_staging *staging = &reach->staging;
	struct stage_slot *slot = &staging->stage->slot[seq - 1];
	uint32_t request = staging->request[seq - 1] + 1;

	sdpu_store(&slot->ask.op, ask->op);
	sdpu_store(&slot->ask.len, ask->len);
	sdpu_store(&slot->ask.addr, ask->addr);
	sdpu_store(&slot->ask.operand, ask->operand);
	sdpu_store(&slot->ask.compare, ask->compare);
	sdpu_store(&staging->request[seq - 1], request);
	/* Pairs with the acquire in serve_slot() of window_serve.c, and the fence with the one of
	 * rung() there. */
	sdpu_publish_fenced(&slot->request, request);
	ring(reach);
}

/* What an agent may answer. */
doca_error_t sdpu_staging_status(const struct reach_staging *staging, uint32_t seq)
{
	uint32_t status = sdpu_load(&staging->stage->slot[seq - 1].status);

	if (status == DOCA_SUCCESS || status == DOCA_ERROR_NOT_PERMITTED)
		return (doca_error_t)status;
	return DOCA_ERROR_IO_FAILED;
}

void sdpu_staging_leave(struct reach_staging *staging, uint32_t *seq)
{
	/* The agent may still work on it: reap_orphans() frees the slot later. */
	if (is_answered(staging, *seq - 1))
		give_slot(staging, *seq - 1);
	else
		sdpu_fetch_or(&staging->orphans, 1u << (*seq - 1));
	*seq = 0;
}
