/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Producers of a MsgQ: a doca_comch_producer that writes into the ports of its MsgQ's consumers
 * (msgq_port.h). Owner: the user, who destroys it like any other. All consumers are in this
 * process: a send is done when it is accepted, nothing is under way afterwards, and there is no
 * peer that could die. The turn is written by whoever sends, one thread at a time.
 *
 * On the CPU it belongs to the thread of its engine, which only has to deliver its tasks. On a DPA
 * its sends are reported to the DPA completion that it is attached to, from
 * doca_comch_producer_dpa_completion_attach() until it is destroyed.
 */
#ifndef SDPU_COMCH_MSGQ_PRODUCER_H
#define SDPU_COMCH_MSGQ_PRODUCER_H

#include "comch/msgq.h"
#include "comch/producer.h"
#include "dpa/completion.h"

struct comch_msgq_producer {
	struct doca_comch_producer base;
	struct comch_msgq_member member;
	struct comch_msgq_turn turn;
	/* On a DPA. */
	struct sdpu_dpa_head head; /* what its handle leads to; of a kind while RUNNING */
	struct doca_dpa_completion *completion;
	struct sdpu_dpa_slots *slots; /* one for each send that is to be reported */
	uint32_t dev_num_send;
	uint32_t told; /* failures that the log has: bits, DPA thread's */
};

static inline struct comch_msgq_producer *
comch_msgq_producer_of(const struct doca_comch_producer *producer)
{
	return sdpu_container_of(producer, struct comch_msgq_producer, base);
}

static inline struct comch_msgq_producer *comch_msgq_producer_of_ctx(const struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct comch_msgq_producer, base.ctx);
}

/* msgq_producer.c, msgq_producer_dpa.c: what follows from the side that it is on. */
void comch_msgq_producer_on_cpu(struct comch_msgq_producer *producer);
void comch_msgq_producer_on_dpa(struct comch_msgq_producer *producer);

#endif
