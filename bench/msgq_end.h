/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A MsgQ in each direction between this side and a DPA thread, which lives on the other core.  The
 * kernels are in msgq_device.c; they share this memory.
 */
#ifndef BENCH_MSGQ_END_H
#define BENCH_MSGQ_END_H

#include "msgq_shared.h"

#include "device.h"

#include <doca_comch_msgq.h>
#include <doca_dpa.h>

struct msgq_end {
	struct bench *bench;
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_dpa *dpa;
	struct doca_dpa_thread *thread;
	struct doca_comch_msgq *down, *up; /* to the DPA, and from it */
	struct doca_comch_consumer_completion *arrivals;
	struct doca_dpa_completion *sent;
	struct doca_comch_producer_task_send *idle; /* one that may be submitted */
	uint64_t received;
	struct msgq_shared shared;
};

/* kernel: of the thread, which runs when this returns; its argument is &end->shared. */
bool msgq_end_open(struct bench *bench, struct msgq_end *end, doca_dpa_func_t *kernel);
/* Sends one message, progressing while there is no room.  false: stopped or failed. */
bool msgq_end_send(struct msgq_end *end);
/* Where the threads of what is opened next run. */
void msgq_end_on_core(unsigned core);

#endif
