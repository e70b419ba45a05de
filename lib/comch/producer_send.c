/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The way of one send: checks, claim, move, publish; contract in producer.h. Data path.
 */
#include <string.h>

#include <doca_types.h>

#include "base/clock.h"
#include "comch/endpoint.h"
#include "comch/producer.h"
#include "comch/remote_ring.h"
#include "core/buf.h"
#include "core/dev.h"
#include "core/mmap.h"

/* In doubt: asleep it looks that often; STOPPING it waits no longer than a consumer's stop may take
 * that has other producers' copies to wait for. */
#define DOUBT_LOOK_EVERY SDPU_MS
#define DOUBT_MAX (200 * SDPU_MS)

static bool producer_may_read(struct doca_comch_producer *producer, const struct doca_buf *buf)
{
	const struct doca_mmap *mmap = buf->mmap;
	uint32_t stops = sdpu_load(&sdpu_mmap_stops);

	if (sdpu_likely(mmap == producer->checked && stops == producer->checked_stops))
		return true;
	if (sdpu_mmap_window(mmap) == NULL || !sdpu_mmap_has_function(mmap, producer->ctx.dev))
		return false;
	producer->checked = mmap;
	producer->checked_stops = stops;
	return true;
}

/* Payload length of a sendable task. */
static doca_error_t send_check(struct doca_comch_producer *producer,
			       const struct doca_comch_producer_task_send *task,
			       const struct comch_remote *remote, size_t *len)
{
	const struct doca_buf *buf = task->buf;

	*len = 0;
	if (sdpu_unlikely(task->imm_len > remote->imm_len))
		return DOCA_ERROR_INVALID_VALUE;
	if (buf != NULL) {
		if (sdpu_unlikely(buf->next != NULL || buf->member ||
				  !producer_may_read(producer, buf)))
			return DOCA_ERROR_INVALID_VALUE;
		*len = buf->data_len;
	}
	return sdpu_unlikely(*len == 0 && task->imm_len == 0) ? DOCA_ERROR_INVALID_VALUE
							      : DOCA_SUCCESS;
}

static void send_count(struct doca_comch_producer *producer,
		       const struct doca_comch_producer_task_send *task)
{
	sdpu_count(&producer->messages, 1);
	sdpu_count(&producer->bytes, task->local.iov_len);
}

static inline struct comch_fill send_fill(const struct doca_comch_producer *producer,
					  struct doca_comch_producer_task_send *task, uint8_t where)
{
	return (struct comch_fill){
		.index = task->claim.index,
		.len = (uint32_t)task->local.iov_len,
		.producer = (uint16_t)producer->member.id,
		.where = where,
		.imm_len = (uint8_t)task->imm_len,
		.imm = task->imm,
		.position = &task->position,
	};
}

/* payload: inline; offset: staged. */
static doca_error_t send_publish(struct doca_comch_producer *producer,
				 struct doca_comch_producer_task_send *task, uint8_t where,
				 const void *payload, size_t offset)
{
	struct comch_fill fill = send_fill(producer, task, where);
	doca_error_t result;

	fill.streaming = producer->streams;
	fill.payload = payload;
	fill.offset = (uint32_t)offset;
	result = comch_remote_fill(task->remote, &fill);
	if (sdpu_likely(result == DOCA_SUCCESS))
		send_count(producer, task);
	return result;
}

/* The claim is given back: the consumer takes the receive as posted again. */
static void send_abort(struct doca_comch_producer *producer,
		       struct doca_comch_producer_task_send *task)
{
	struct comch_fill fill = send_fill(producer, task, COMCH_WHERE_ABORTED);

	fill.len = 0;
	fill.imm_len = 0;
	(void)comch_remote_fill(task->remote, &fill);
}

static bool send_fits_inline(const struct doca_comch_producer_task_send *task)
{
	return task->local.iov_len + task->imm_len <= COMCH_FAST_INLINE;
}

static bool send_may_stage(const struct doca_comch_producer_task_send *task)
{
	const struct comch_remote *remote = task->remote;

	return !remote->mapped && task->stage == COMCH_SEND_CLAIMED &&
	       (task->local.iov_len <= COMCH_STAGED_MAX || remote->reach == NULL);
}

/* Not the last one. A consumer that closes meanwhile will not see that: nothing is in doubt. */
static doca_error_t send_part(struct doca_comch_producer *producer,
			      struct doca_comch_producer_task_send *task, uint32_t block)
{
	struct comch_fill fill = send_fill(producer, task, (uint8_t)(COMCH_WHERE_PART + block));

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
	comch_remote_stage(task->remote, (uint32_t)block,
			   (const uint8_t *)task->local.iov_base + task->staged, len,
			   producer->streams);
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

static doca_error_t send_copy(struct doca_comch_producer *producer,
			      struct doca_comch_producer_task_send *task)
{
	doca_error_t result;

	if (task->remote->reach == NULL)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (task->stage == COMCH_SEND_CLAIMED) {
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
	result = sdpu_copy_run(&task->copy, SDPU_WINDOW_CHUNK);
	if (result != DOCA_SUCCESS)
		return result;
	result = send_publish(producer, task, COMCH_WHERE_WINDOW, NULL, 0);
	comch_remote_copy_ahead(task->remote, &task->copy);
	return result;
}

/* One step of moving; IN_PROGRESS: not at its end; AGAIN: in doubt. */
static doca_error_t send_move(struct doca_comch_producer *producer,
			      struct doca_comch_producer_task_send *task)
{
	doca_error_t result;

	if (sdpu_likely(send_fits_inline(task)))
		return send_publish(producer, task, COMCH_WHERE_INLINE, task->local.iov_base, 0);
	if (send_may_stage(task)) {
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

/* After a step without success: does it stay at the head of the queue? */
static bool send_goes_on(struct doca_comch_producer *producer,
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
		send_count(producer, task);
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
		result = send_move(producer, task);
	if (result != DOCA_SUCCESS && send_goes_on(producer, task, result))
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

/* Somebody is there to whom it may go. */
static inline doca_error_t send_aim(struct doca_comch_producer *producer,
				    struct doca_comch_producer_task_send *task)
{
	struct comch_remote *remote = comch_producer_remote(producer, task->consumer_id);
	doca_error_t result;
	size_t len;

	if (sdpu_unlikely(remote == NULL || sdpu_load_acquire(&remote->rings.head->closed) != 0))
		return task->consumer_id == 0 ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_FOUND;
	comch_remote_expect(remote, task->imm_len + (task->buf == NULL ? 0 : task->buf->data_len));
	result = send_check(producer, task, remote, &len);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return result;
	task->remote = remote;
	task->stage = COMCH_SEND_CLAIMED;
	task->staged = 0;
	task->local.iov_base = len == 0 ? NULL : task->buf->data;
	task->local.iov_len = len;
	return DOCA_SUCCESS;
}

static doca_error_t send_claim(struct doca_comch_producer *producer,
			       struct doca_comch_producer_task_send *task)
{
	doca_error_t result = comch_remote_claim(task->remote, task->local.iov_len, &task->claim);

	if (result == DOCA_ERROR_AGAIN)
		comch_producer_note_again(producer, task->remote);
	return result;
}

/* Not at once: it is longer, waits for others, or meets something unusual. */
__attribute__((noinline)) static doca_error_t
send_by_steps(struct doca_comch_producer *producer, struct doca_comch_producer_task_send *task)
{
	doca_error_t result = send_claim(producer, task);

	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return result == DOCA_ERROR_AGAIN ? result
						  : comch_producer_explain(producer, task, result);
	comch_producer_not_again(producer);
	producer->streams = sdpu_pe_streams(producer->ctx.pe, &producer->last_ticks);
	if (sdpu_likely(producer->moving.first == NULL)) {
		result = send_move(producer, task);
		if (sdpu_likely(result == DOCA_SUCCESS || !send_goes_on(producer, task, result))) {
			sdpu_task_finish(&task->base, result);
			return DOCA_SUCCESS;
		}
	}
	sdpu_task_queue_put(&producer->moving, &task->base);
	sdpu_source_heat(&producer->source);
	return DOCA_SUCCESS;
}

/* A short one, first in line. NOT_SUPPORTED: by steps. */
static inline doca_error_t send_at_once(struct doca_comch_producer *producer,
					struct doca_comch_producer_task_send *task)
{
	struct comch_fill fill = send_fill(producer, task, COMCH_WHERE_INLINE);

	if (sdpu_unlikely(producer->moving.first != NULL || !send_fits_inline(task)))
		return DOCA_ERROR_NOT_SUPPORTED;
	fill.streaming = sdpu_pe_streams(producer->ctx.pe, &producer->last_ticks);
	fill.payload = task->local.iov_base;
	return comch_remote_send(task->remote, &fill);
}

/* Published, but its consumer has closed meanwhile. */
SDPU_COLD static doca_error_t send_doubt(struct doca_comch_producer *producer,
					 struct doca_comch_producer_task_send *task)
{
	(void)send_goes_on(producer, task, DOCA_ERROR_AGAIN);
	sdpu_task_queue_put(&producer->moving, &task->base);
	sdpu_source_heat(&producer->source);
	return DOCA_SUCCESS;
}

doca_error_t comch_producer_submit(struct doca_task *base)
{
	struct doca_comch_producer_task_send *task = (struct doca_comch_producer_task_send *)base;
	struct doca_comch_producer *producer =
		sdpu_container_of(base->ctx, struct doca_comch_producer, ctx);
	doca_error_t result;

	if (sdpu_unlikely(!comch_connection_alive(producer->connection)))
		return comch_producer_explain(producer, task, DOCA_ERROR_NOT_CONNECTED);
	result = send_aim(producer, task);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return comch_producer_explain(producer, task, result);
	result = send_at_once(producer, task);
	if (result == DOCA_ERROR_NOT_SUPPORTED)
		return send_by_steps(producer, task);
	comch_producer_not_again(producer);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return send_doubt(producer, task);
	send_count(producer, task);
	sdpu_task_finish(base, DOCA_SUCCESS);
	return DOCA_SUCCESS;
}
