/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of msgq_device.c and the side that runs them have in common. */
#ifndef BENCH_MSGQ_SHARED_H
#define BENCH_MSGQ_SHARED_H

#include <doca_dpa_dev_handles.h>

#define MSGQ_DEPTH 64

struct msgq_shared {
	doca_dpa_dev_comch_consumer_t consumer;
	doca_dpa_dev_comch_consumer_completion_t arrivals;
	doca_dpa_dev_comch_producer_t producer;
	/* Of copies. */
	doca_dpa_dev_mmap_t from_mmap, to_mmap;
	uint64_t from, to;
	uint32_t size, depth;
	/* Written by one side, polled by the other. */
	uint64_t woken;
	uint32_t wakes;
	uint32_t stop;
};

#endif
