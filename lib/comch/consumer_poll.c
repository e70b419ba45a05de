/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Posting receives and taking what producers filled; contract in consumer.h. Data path.
 */
#include <string.h>

#include "base/copy.h"
#include "comch/consumer.h"
#include "core/buf.h"

void comch_consumer_post(struct doca_comch_consumer *consumer,
			 struct doca_comch_consumer_task_post_recv *task)
{
	const struct comch_fast_rings *rings = &consumer->rings;
	uint64_t position = consumer->posted;
	struct comch_posted *posted = &rings->posted[position & rings->mask];

	sdpu_count(&consumer->posted, 1);
	task->posted = true;
	sdpu_store(&posted->addr, (uint64_t)(uintptr_t)task->tail);
	/* Release: pairs with the acquire in comch_remote_claim(). Nobody sleeps for it: AGAIN is
	 * polled. */
	sdpu_store_release(&posted->meta, comch_posted_meta(task->room, task->index,
							    comch_fast_lap(rings, position)));
}

doca_error_t comch_consumer_submit(struct doca_task *base)
{
	struct doca_comch_consumer_task_post_recv *task =
		(struct doca_comch_consumer_task_post_recv *)base;
	struct doca_comch_consumer *consumer =
		sdpu_container_of(base->ctx, struct doca_comch_consumer, ctx);
	const struct doca_buf *buf = task->buf;

	task->producer_id = 0;
	task->imm_len = 0;
	task->tail = NULL;
	task->room = 0;
	if (buf != NULL) {
		size_t room = sdpu_buf_tail_room(buf);

		if (sdpu_unlikely(buf->mmap != consumer->mmap || buf->next != NULL ||
				  buf->member)) {
			(void)comch_consumer_fits(consumer, buf, "doca_task_submit");
			return DOCA_ERROR_INVALID_VALUE;
		}
		task->tail = sdpu_buf_tail(buf);
		task->room = room > UINT32_MAX ? UINT32_MAX : (uint32_t)room;
	}
	comch_consumer_post(consumer, task);
	return DOCA_SUCCESS;
}

/* Copy of an entry's fields, taken once and checked. */
struct taken {
	struct doca_comch_consumer_task_post_recv *task;
	uint32_t len;
	uint32_t imm_len;
	uint32_t producer;
	uint32_t where;
	uint32_t offset; /* staged only */
};

static bool take_check_staged(const struct comch_filled *entry, struct taken *taken)
{
	uint32_t first = taken->where % COMCH_STAGING_NUM;

	taken->offset = sdpu_load(&entry->offset);
	return taken->where < COMCH_WHERE_END && taken->offset < taken->len &&
	       taken->len - taken->offset <= (COMCH_STAGING_NUM - first) * COMCH_STAGING_SIZE;
}

static bool take_check(struct doca_comch_consumer *consumer, const struct comch_filled *entry,
		       struct taken *taken)
{
	uint32_t index = sdpu_load(&entry->index);

	taken->len = sdpu_load(&entry->len);
	taken->imm_len = sdpu_load(&entry->imm_len);
	taken->producer = sdpu_load(&entry->producer);
	taken->where = sdpu_load(&entry->where);
	if (sdpu_unlikely(index >= consumer->receives.num))
		return false;
	taken->task = (struct doca_comch_consumer_task_post_recv *)sdpu_task_at(&consumer->receives,
										index);
	if (sdpu_unlikely(!taken->task->posted || taken->len > taken->task->room ||
			  taken->imm_len > consumer->imm_len))
		return false;
	if (sdpu_likely(taken->where == COMCH_WHERE_INLINE))
		return taken->len + taken->imm_len <= COMCH_FAST_INLINE;
	if (taken->where >= COMCH_WHERE_STAGED)
		return take_check_staged(entry, taken);
	return taken->where == COMCH_WHERE_WINDOW || taken->where == COMCH_WHERE_ABORTED;
}

static void take_staged(struct doca_comch_consumer *consumer, const struct taken *taken)
{
	memcpy(taken->task->tail + taken->offset,
	       comch_staging_at(&consumer->rings, taken->where % COMCH_STAGING_NUM),
	       taken->len - taken->offset);
	/* Release: pairs with the acquire in staging_reclaim(); the blocks were read before. */
	sdpu_store_release(&consumer->rings.head->taken, consumer->taken);
}

static void take_payload(struct doca_comch_consumer *consumer, const struct comch_filled *entry,
			 const struct taken *taken)
{
	if (taken->where == COMCH_WHERE_INLINE) {
		if (taken->len != 0)
			sdpu_copy_entry(taken->task->tail, entry->bytes + taken->imm_len,
					taken->len);
	} else if (taken->where >= COMCH_WHERE_STAGED) {
		take_staged(consumer, taken);
	}
}

/* The user has freed the task while it was posted, and maybe its buffer: neither is touched. */
static void take_nothing(struct doca_comch_consumer *consumer,
			 struct doca_comch_consumer_task_post_recv *task)
{
	/* Staging blocks may have come with it; release as in take_staged(). */
	sdpu_store_release(&consumer->rings.head->taken, consumer->taken);
	sdpu_task_deliver(&task->base, DOCA_SUCCESS);
}

/* More of the message follows: the receive stays posted. */
static void take_part(struct doca_comch_consumer *consumer, const struct taken *taken)
{
	sdpu_count(&consumer->parts, 1);
	if (sdpu_unlikely(taken->task->base.state == SDPU_TASK_ORPHANED))
		/* As in take_nothing(). */
		sdpu_store_release(&consumer->rings.head->taken, consumer->taken);
	else
		take_staged(consumer, taken);
}

doca_error_t comch_consumer_take_ready(struct doca_comch_consumer *consumer)
{
	const struct comch_filled *entry =
		&consumer->rings.filled[consumer->taken & consumer->rings.mask];
	struct taken taken;

	if (sdpu_unlikely(!take_check(consumer, entry, &taken)))
		return DOCA_ERROR_INVALID_VALUE;
	sdpu_count(&consumer->taken, 1);
	if (sdpu_unlikely(taken.where == COMCH_WHERE_ABORTED)) {
		/* Stopping, it waits to be flushed. */
		if (consumer->ctx.state == DOCA_CTX_STATE_RUNNING)
			comch_consumer_post(consumer, taken.task);
		return DOCA_SUCCESS;
	}
	if (sdpu_unlikely(taken.where >= COMCH_WHERE_PART)) {
		take_part(consumer, &taken);
		return DOCA_SUCCESS;
	}
	taken.task->posted = false;
	if (sdpu_unlikely(taken.task->base.state == SDPU_TASK_ORPHANED)) {
		take_nothing(consumer, taken.task);
		return DOCA_SUCCESS;
	}
	take_payload(consumer, entry, &taken);
	if (taken.imm_len != 0)
		memcpy(taken.task->imm, entry->bytes, taken.imm_len);
	taken.task->imm_len = taken.imm_len;
	taken.task->producer_id = taken.producer;
	if (taken.task->buf != NULL)
		taken.task->buf->data_len += taken.len;
	sdpu_count(&consumer->messages, 1);
	sdpu_count(&consumer->bytes, taken.len);
	sdpu_task_deliver(&taken.task->base, DOCA_SUCCESS);
	return DOCA_SUCCESS;
}
