/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends: what the way at once (producer_send.c) and the way by steps (producer_move.c) share.
 * Owner and thread: the producer's.
 */
#ifndef SDPU_COMCH_PRODUCER_SEND_H
#define SDPU_COMCH_PRODUCER_SEND_H

#include "comch/producer.h"

/* One that is published, for watchers. */
static inline void comch_send_count(struct doca_comch_producer *producer,
				    const struct doca_comch_producer_task_send *task)
{
	sdpu_count(&producer->messages, 1);
	sdpu_count(&producer->bytes, task->local.iov_len);
}

/* The entry of a claimed send, without its payload. */
static inline struct comch_fill comch_send_fill(const struct doca_comch_producer *producer,
						struct doca_comch_producer_task_send *task,
						uint8_t where)
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

static inline bool comch_send_fits_inline(const struct doca_comch_producer_task_send *task)
{
	return task->local.iov_len + task->imm_len <= COMCH_FAST_INLINE;
}

/* producer_move.c: one step of a claimed send. SUCCESS: it is published; IN_PROGRESS: not at its
 * end; AGAIN: in doubt. */
doca_error_t comch_send_move(struct doca_comch_producer *producer,
			     struct doca_comch_producer_task_send *task);
/* After a step without success: does it stay at the head of the queue? */
bool comch_send_goes_on(struct doca_comch_producer *producer,
			struct doca_comch_producer_task_send *task, doca_error_t result);

#endif
