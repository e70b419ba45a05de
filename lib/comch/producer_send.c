/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The way of one send: checks, claim, and all of it at once if it is short; contract in producer.h.
 * Data path.
 */
#include "comch/endpoint.h"
#include "comch/producer_send.h"
#include "comch/remote_ring.h"
#include "core/buf.h"
#include "core/dev.h"
#include "core/mmap.h"

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
		result = comch_send_move(producer, task);
		if (sdpu_likely(result == DOCA_SUCCESS ||
				!comch_send_goes_on(producer, task, result))) {
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
	struct comch_fill fill = comch_send_fill(producer, task, COMCH_WHERE_INLINE);

	if (sdpu_unlikely(producer->moving.first != NULL || !comch_send_fits_inline(task)))
		return DOCA_ERROR_NOT_SUPPORTED;
	fill.streaming = sdpu_pe_streams(producer->ctx.pe, &producer->last_ticks);
	fill.payload = task->local.iov_base;
	return comch_remote_send(task->remote, &fill);
}

/* Published, but its consumer has closed meanwhile. */
SDPU_COLD static doca_error_t send_doubt(struct doca_comch_producer *producer,
					 struct doca_comch_producer_task_send *task)
{
	(void)comch_send_goes_on(producer, task, DOCA_ERROR_AGAIN);
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
	comch_send_count(producer, task);
	sdpu_task_finish(base, DOCA_SUCCESS);
	return DOCA_SUCCESS;
}
