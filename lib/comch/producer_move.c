/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The way of a send by steps: inline, through staging blocks or through the window, and what waits
 * in `moving`; contract in producer.h. Data path.
 */
#include <string.h>

#include <doca_types.h>

#include "base/clock.h"
#include "comch/producer_send.h"
#include "comch/remote_ring.h"

/* In doubt: asleep it looks that often; STOPPING it waits no longer than a consumer's stop may take
 * that has other producers' copies to wait for. */
#define DOUBT_LOOK_EVERY SDPU_MS
#define DOUBT_MAX (200 * SDPU_MS)

/* payload: inline; offset: staged. */
static doca_error_t send_publish(struct doca_comch_producer *producer,
				 struct doca_comch_producer_task_send *task, uint8_t where,
				 const void *payload, size_t offset)
{
	struct comch_fill fill = comch_send_fill(producer, task, where);
	doca_error_t result;

	fill.streaming = producer->streams;
	fill.payload = payload;
	fill.offset = (uint32_t)offset;
	result = comch_remote_fill(task->remote, &fill);
	if (sdpu_likely(result == DOCA_SUCCESS))
		comch_send_count(producer, task);
	return result;
}

/* The claim is given back: the consumer takes the receive as posted again. */
static void send_abort(struct doca_comch_producer *producer,
		       struct doca_comch_producer_task_send *task)
{
	struct comch_fill fill = comch_send_fill(producer, task, COMCH_WHERE_ABORTED);

	fill.len = 0;
	fill.imm_len = 0;
	(void)comch_remote_fill(task->remote, &fill);
}

/* There are two, and this thread does all of either: what the peer's agent would do is not timed.
 */
static bool send_knows_ways(const struct comch_remote *remote)
{
	return !remote->mapped && sdpu_reach_kind(remote->reach) != SDPU_WINDOW_SERVED;
}

static bool send_stages(struct doca_comch_producer *producer,
			const struct doca_comch_producer_task_send *task)
{
	const struct comch_remote *remote = task->remote;
	size_t len = task->local.iov_len;

	if (remote->mapped || remote->reach == NULL || len < COMCH_PART_SIZE)
		return !remote->mapped;
	return len <= COMCH_STAGED_MAX &&
	       (!send_knows_ways(remote) || comch_way_stages(&producer->way));
}

/* Not the last one. A consumer that closes meanwhile will not see that: nothing is in doubt. */
static doca_error_t send_part(struct doca_comch_producer *producer,
			      struct doca_comch_producer_task_send *task, uint32_t block)
{
	struct comch_fill fill =
		comch_send_fill(producer, task, (uint8_t)(COMCH_WHERE_PART + block));

	fill.len = (uint32_t)(task->staged + COMCH_PART_SIZE);
	fill.offset = (uint32_t)task->staged;
	fill.imm_len = 0;
	if (comch_remote_fill(task->remote, &fill) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_FOUND;
	task->staged += COMCH_PART_SIZE;
	return DOCA_ERROR_IN_PROGRESS;
}

/*
 * No block is free. What a chunk of the window holds is published by its submit, whether or not
 * anybody progresses; longer ones wait, but not for a consumer that takes nothing.
 */
static bool send_awaits_staging(const struct doca_comch_producer_task_send *task)
{
	return (task->local.iov_len > SDPU_WINDOW_CHUNK || task->remote->reach == NULL) &&
	       comch_remote_staging_comes(task->remote);
}

static void send_fill_blocks(struct doca_comch_producer *producer,
			     const struct doca_comch_producer_task_send *task, uint32_t block,
			     size_t len)
{
	const uint8_t *from = (const uint8_t *)task->local.iov_base + task->staged;
	uint64_t begin = len == COMCH_PART_SIZE ? sdpu_clock_cycles() : 0;

	comch_remote_stage(task->remote, block, from, len, producer->streams);
	if (len == COMCH_PART_SIZE)
		comch_way_note(&producer->way.staged, sdpu_clock_cycles() - begin, len);
}

/* What fits one entry. IN_PROGRESS: there is more, or no block; FULL: what is left must go another
 * way. */
static doca_error_t send_stage_one(struct doca_comch_producer *producer,
				   struct doca_comch_producer_task_send *task)
{
	size_t left = task->local.iov_len - task->staged;
	size_t len = left < COMCH_PART_SIZE ? left : COMCH_PART_SIZE;
	int block = comch_remote_take_staging(task->remote, comch_staging_blocks((uint32_t)len));
	doca_error_t result;

	if (sdpu_unlikely(block < 0))
		return send_awaits_staging(task) ? DOCA_ERROR_IN_PROGRESS : DOCA_ERROR_FULL;
	send_fill_blocks(producer, task, (uint32_t)block, len);
	if (len < left)
		return send_part(producer, task, (uint32_t)block);
	result = send_publish(producer, task, (uint8_t)(COMCH_WHERE_STAGED + block), NULL,
			      task->staged);
	comch_remote_stage_ahead(task->remote, task->local.iov_len);
	return result;
}

/* As much as a step through the window moves. */
static doca_error_t send_stage(struct doca_comch_producer *producer,
			       struct doca_comch_producer_task_send *task)
{
	doca_error_t result = DOCA_ERROR_IN_PROGRESS;

	for (uint32_t n = 0; n < SDPU_WINDOW_CHUNK && result == DOCA_ERROR_IN_PROGRESS;
	     n += COMCH_PART_SIZE)
		result = send_stage_one(producer, task);
	return result;
}

static void send_begin_copy(struct doca_comch_producer_task_send *task)
{
	task->stage = COMCH_SEND_COPYING;
	memset(&task->copy, 0, sizeof(task->copy));
	task->copy.reach = task->remote->reach;
	task->copy.direction = SDPU_COPY_PUT;
	task->copy.need = DOCA_ACCESS_FLAG_PCI_READ_WRITE;
	task->copy.addr = task->claim.addr;
	task->copy.local = &task->local;
	task->copy.num_local = 1;
	task->copy.len = task->local.iov_len;
	task->copy.done = task->staged;
	task->copy.offset = task->staged;
}

/* A chunk of it. What is left to others tells nothing. */
static doca_error_t send_run_copy(struct doca_comch_producer *producer,
				  struct doca_comch_producer_task_send *task)
{
	size_t left = task->copy.len - task->copy.done;
	size_t len = left < SDPU_WINDOW_CHUNK ? left : SDPU_WINDOW_CHUNK;
	bool is_timed = len >= COMCH_PART_SIZE && send_knows_ways(task->remote);
	uint64_t begin = is_timed ? sdpu_clock_cycles() : 0;
	doca_error_t result = sdpu_copy_run(&task->copy, SDPU_WINDOW_CHUNK);

	if (is_timed && (result == DOCA_SUCCESS || task->copy.len - task->copy.done == left - len))
		comch_way_note(&producer->way.window, sdpu_clock_cycles() - begin, len);
	return result;
}

static doca_error_t send_copy(struct doca_comch_producer *producer,
			      struct doca_comch_producer_task_send *task)
{
	doca_error_t result;

	if (task->remote->reach == NULL)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (task->stage != COMCH_SEND_COPYING)
		send_begin_copy(task);
	result = send_run_copy(producer, task);
	if (result != DOCA_SUCCESS)
		return result;
	result = send_publish(producer, task, COMCH_WHERE_WINDOW, NULL, 0);
	comch_remote_copy_ahead(task->remote, &task->copy);
	return result;
}

doca_error_t comch_send_move(struct doca_comch_producer *producer,
			     struct doca_comch_producer_task_send *task)
{
	doca_error_t result;

	if (sdpu_likely(comch_send_fits_inline(task)))
		return send_publish(producer, task, COMCH_WHERE_INLINE, task->local.iov_base, 0);
	if (task->stage == COMCH_SEND_CLAIMED && send_stages(producer, task))
		task->stage = COMCH_SEND_STAGING;
	if (task->stage == COMCH_SEND_STAGING) {
		result = send_stage(producer, task);
		if (result != DOCA_ERROR_FULL)
			return result;
	}
	result = send_copy(producer, task);
	if (sdpu_unlikely(result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS &&
			  result != DOCA_ERROR_AGAIN))
		send_abort(producer, task);
	return result;
}

bool comch_send_goes_on(struct doca_comch_producer *producer,
			struct doca_comch_producer_task_send *task, doca_error_t result)
{
	if (result == DOCA_ERROR_AGAIN) {
		task->stage = COMCH_SEND_IN_DOUBT;
		producer->source.unrung = DOUBT_LOOK_EVERY;
	}
	return result == DOCA_ERROR_AGAIN || result == DOCA_ERROR_IN_PROGRESS;
}

/* The peer is dead: the first move fails, and none behind it may seem to have arrived. */
static void producer_lose_moves(struct doca_comch_producer *producer)
{
	struct doca_task *base;

	while ((base = sdpu_task_queue_get(&producer->moving)) != NULL) {
		struct doca_comch_producer_task_send *task =
			(struct doca_comch_producer_task_send *)base;

		if (task->stage == COMCH_SEND_COPYING)
			sdpu_copy_cancel(&task->copy);
		sdpu_task_finish(base, DOCA_ERROR_CONNECTION_RESET);
	}
}

/* One look; IN_PROGRESS: nothing is known yet. What was said before the connection ended counts. */
static doca_error_t send_judge(struct doca_comch_producer *producer,
			       const struct doca_comch_producer_task_send *task)
{
	doca_error_t result = comch_remote_judge(task->remote, task->position);

	if (result == DOCA_SUCCESS)
		comch_send_count(producer, task);
	if (result != DOCA_ERROR_IN_PROGRESS)
		return result;
	if (!comch_connection_alive(producer->connection))
		return DOCA_ERROR_CONNECTION_RESET;
	if (producer->ctx.state == DOCA_CTX_STATE_STOPPING &&
	    sdpu_clock_now() - producer->ctx.stopping_since > DOUBT_MAX)
		return DOCA_ERROR_SHUTDOWN;
	return result;
}

static bool send_in_doubt(const struct doca_task *base)
{
	return ((const struct doca_comch_producer_task_send *)base)->stage == COMCH_SEND_IN_DOUBT;
}

bool comch_producer_may_move(const struct doca_comch_producer *producer)
{
	return producer->moving.first != NULL && !send_in_doubt(producer->moving.first);
}

bool comch_producer_move(struct doca_comch_producer *producer)
{
	struct doca_task *base = producer->moving.first;
	struct doca_comch_producer_task_send *task = (struct doca_comch_producer_task_send *)base;
	doca_error_t result = DOCA_ERROR_CONNECTION_RESET;

	if (sdpu_unlikely(send_in_doubt(base)))
		result = send_judge(producer, task);
	else if (sdpu_likely(comch_connection_alive(producer->connection)))
		result = comch_send_move(producer, task);
	if (result != DOCA_SUCCESS && comch_send_goes_on(producer, task, result))
		/* One chunk (or look) for each progress, so that a long message does not hold up
		 * its neighbours. */
		return false;
	if (sdpu_unlikely(result == DOCA_ERROR_CONNECTION_RESET)) {
		producer_lose_moves(producer);
		return true;
	}
	(void)sdpu_task_queue_get(&producer->moving);
	sdpu_task_finish(base, result);
	return true;
}
