/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hot loops whose instructions are counted: both ends live in this process and one thread drives
 * them, so that each run does the same.  What is counted includes a program's own callbacks, which
 * here do next to nothing.
 */
#ifndef PERF_LOOPS_H
#define PERF_LOOPS_H

#include "device.h"

struct loop {
	const char *name;		    /* NULL ends a table */
	bool (*open)(struct bench *bench);  /* what it needs; may have been opened by another one */
	bool (*round)(struct bench *bench); /* false: gave up */
	uint32_t operations;		    /* in a round */
};

extern const struct loop comch_loops[];
extern const struct loop rdma_loops[];
extern const struct loop dma_loops[];
extern const struct loop msgq_loops[];

/* Progresses until so many of something are there. */
static inline bool loop_await(struct bench *bench, struct doca_pe *pe, const uint64_t *count,
			      uint64_t wanted)
{
	while (*count < wanted) {
		if (!engine_turn(bench, pe))
			return false;
	}
	return true;
}

#endif
