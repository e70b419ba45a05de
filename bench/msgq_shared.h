/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of msgq_device.c and the side that runs them have in common. */
#ifndef BENCH_MSGQ_SHARED_H
#define BENCH_MSGQ_SHARED_H

#include <doca_dpa_dev_handles.h>

#define MSGQ_DEPTH 64
#define MSGQ_LINE 64

/* In cache lines of its own, as it would be in memory of the DPA: what the program counts beside it
 * must not cost the kernels their handles. */
struct msgq_shared {
	doca_dpa_dev_comch_consumer_t consumer;
	doca_dpa_dev_comch_consumer_completion_t arrivals;
	doca_dpa_dev_comch_producer_t producer;
	/* Of copies. */
	doca_dpa_dev_mmap_t from_mmap, to_mmap;
	uint64_t from, to;
	uint32_t size, depth;
	/* Written by one side, polled by the other. */
	uint64_t woken __attribute__((aligned(MSGQ_LINE)));
	uint32_t wakes;
	uint32_t stop;
	uint32_t sent, answered; /* batches */
} __attribute__((aligned(MSGQ_LINE)));

#endif
