/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MsgQs as watchers see them; contract in show_msgq.h.
 */
#include "comch/show_msgq.h"

#include <stdio.h>

#include "comch/msgq_consumer.h"
#include "comch/msgq_producer.h"
#include "core/dev.h"

static void msgq_show(const struct sdpu_stats *stats, struct softdpu_object *row)
{
	const struct doca_comch_msgq *msgq =
		sdpu_container_of(stats, struct doca_comch_msgq, stats);

	row->state = sdpu_load(&msgq->state) == COMCH_MSGQ_STARTED ? SOFTDPU_STATE_RUNNING
								   : SOFTDPU_STATE_IDLE;
	snprintf(row->device, sizeof(row->device), "%s", sdpu_dev_function(msgq->dev)->pci);
}

void comch_show_enter_msgq(struct doca_comch_msgq *msgq)
{
	sdpu_stats_register(&msgq->stats, SOFTDPU_OBJECT_MSGQ, msgq_show);
}

/* Ports live as long as there are members. */
void comch_show_msgq_consumer(const struct doca_ctx *ctx, struct softdpu_object *row)
{
	const struct comch_msgq_consumer *consumer = comch_msgq_consumer_of_ctx(ctx);
	uint64_t claimed = sdpu_load_acquire(&consumer->port->claimed);
	int64_t credits = comch_msgq_credits(sdpu_load(&consumer->port->granted), claimed);
	uint64_t receives = row->submitted - row->completed;

	row->number = consumer->member.id;
	row->received_messages = sdpu_load(&consumer->base.messages);
	row->received_bytes = sdpu_load(&consumer->base.bytes);
	row->posted = credits > 0 ? (uint64_t)credits : 0;
	/* On a DPA, receives are no tasks. */
	row->queued = receives > row->posted ? receives - row->posted : 0;
}

void comch_show_msgq_producer(const struct doca_ctx *ctx, struct softdpu_object *row)
{
	const struct comch_msgq_producer *producer = comch_msgq_producer_of_ctx(ctx);

	row->number = producer->member.id;
	row->sent_messages = sdpu_load(&producer->base.messages);
	row->sent_bytes = sdpu_load(&producer->base.bytes);
}
