/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Consumers of a MsgQ: a doca_comch_consumer whose messages come through a port of its MsgQ
 * (msgq_port.h). Owner: the user, who destroys it like any other. All producers are in this
 * process: there is no handshake, and no peer that could die.
 *
 * On the CPU it owns its ring, and belongs to the thread of its engine. A message completes the
 * oldest posted receive; without one it waits in the ring. Stop closes the port, delivers what the
 * ring holds while receives are posted, and flushes the rest.
 *
 * On a DPA it shares the ring of its consumer completion (consumer_completion.h), to which it is
 * attached from doca_comch_consumer_set_completion() until it is destroyed; receives are credits
 * that device code posts. Stop closes the port; what has arrived stays with the completion.
 */
#ifndef SDPU_COMCH_MSGQ_CONSUMER_H
#define SDPU_COMCH_MSGQ_CONSUMER_H

#include "comch/consumer.h"
#include "comch/msgq.h"

struct comch_msgq_consumer {
	struct doca_comch_consumer base;
	struct comch_msgq_member member;
	struct comch_msgq_port *port;
	/* On the CPU. */
	struct comch_msgq_ring *ring; /* from start to IDLE */
	uint64_t taken;		      /* messages read */
	struct sdpu_task_queue posted;
	/* On a DPA. */
	struct sdpu_dpa_head head; /* what its handle leads to; of a kind while RUNNING */
	struct doca_comch_consumer_completion *completion;
	uint32_t place; /* in the completion; no call reads the tag that comes with it */
	uint32_t dev_num_recv;
};

static inline struct comch_msgq_consumer *
comch_msgq_consumer_of(const struct doca_comch_consumer *consumer)
{
	return sdpu_container_of(consumer, struct comch_msgq_consumer, base);
}

static inline struct comch_msgq_consumer *comch_msgq_consumer_of_ctx(const struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct comch_msgq_consumer, base.ctx);
}

/* msgq_consumer.c, msgq_consumer_dpa.c: what follows from the side that it is on. */
void comch_msgq_consumer_on_cpu(struct comch_msgq_consumer *consumer);
void comch_msgq_consumer_on_dpa(struct comch_msgq_consumer *consumer);

#endif
