/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The yield policy of the library, for limits of which several share a core: some hundred empty
 * polls, then sched_yield for as long as a yield shows that somebody else wanted the core.
 */
#ifndef BENCH_IDLE_H
#define BENCH_IDLE_H

#include "harness.h"

#include <sched.h>

#define EMPTY_POLLS 100

struct idle {
	uint32_t empty;
	uint64_t bare; /* the quickest yield seen: nobody else ran */
};

static inline void idle_poll(struct idle *idle)
{
	uint64_t took;

	if (++idle->empty < EMPTY_POLLS)
		return;
	took = bench_now();
	sched_yield();
	took = bench_now() - took;
	if (took < idle->bare || idle->bare == 0)
		idle->bare = took;
	if (took < 2 * idle->bare)
		idle->empty = 0;
}

#endif
