/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program and a DPA thread with a MsgQ in each direction. Kernels get the rig for their argument,
 * as they share the memory of the test; what they leave there is read by atomics.
 */
#ifndef TESTS_COMCH_MSGQ_RIG_H
#define TESTS_COMCH_MSGQ_RIG_H

#include <doca_dpa.h>
#include <doca_dpa_dev_comch_msgq.h>

#include "comch/msgq_kit.h"
#include "dpa/kit.h"

#define RIG_DEPTH 16

struct rig {
	struct doca_dpa *dpa;
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_dpa_thread *thread;

	/* CPU to DPA */
	struct doca_comch_msgq *down;
	struct doca_comch_consumer_completion *arrivals;
	uint32_t sharers; /* consumers that it is for, if not one; set before open */
	struct doca_comch_consumer *dpa_consumer;
	struct cpu_producer cpu_producer;

	/* DPA to CPU */
	struct doca_comch_msgq *up;
	struct doca_dpa_completion *sent;
	struct doca_comch_producer *dpa_producer;
	struct cpu_consumer cpu_consumer;

	/* For kernels. */
	doca_dpa_dev_comch_consumer_t consumer;
	doca_dpa_dev_comch_consumer_completion_t completion;
	doca_dpa_dev_comch_producer_t producer;
	doca_dpa_dev_completion_t reports;
	uint32_t count; /* of an RPC */
	uint32_t flags; /* of sends */

	/* Of kernels. */
	uint32_t runs;
	uint32_t read;
	uint32_t last_producer;
	uint32_t last_len;
	uint8_t last_imm[32];
};

/* All of it, but that the thread does not run yet. kernel: its function. */
void rig_open(struct rig *rig, doca_dpa_func_t *kernel);
/* As rig_open(), with other depths: receives of the DPA consumer, elements of its completion, sends
 * of the DPA producer. */
void rig_open_with(struct rig *rig, doca_dpa_func_t *kernel, uint32_t receives, uint32_t elements,
		   uint32_t sends);
/* Takes down what is left of each part (NULL: nothing), in the order of programs. */
void rig_close(struct rig *rig);

/* A started consumer of rig->down. */
struct doca_comch_consumer *rig_dpa_consumer(struct rig *rig,
					     struct doca_comch_consumer_completion *completion,
					     uint32_t receives);
/* A started producer of rig->up. */
struct doca_comch_producer *rig_dpa_producer(struct rig *rig, struct doca_dpa_completion *sent,
					     uint32_t sends);

/* One message down, in each way that it can be refused. */
doca_error_t rig_try(struct rig *rig, uint32_t number);
void rig_send(struct rig *rig, uint32_t number);

/* For kernels: answers each message by itself, at consumer 1; reschedules, which ends it. */
void rig_echo(struct rig *rig);

static inline uint32_t rig_load(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void rig_add(uint32_t *word, uint32_t number)
{
	(void)__atomic_fetch_add(word, number, __ATOMIC_ACQ_REL);
}

#define RIG_UNTIL(rig, cond) PE_UNTIL((rig)->pe, cond)

#endif
