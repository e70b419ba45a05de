/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The yield policy of the library (lib/core/spin.c), for limits of which several share a core: some
 * hundred empty polls alone and none beside another poller, then a yield, and again for as long as
 * somebody else wants the core. Whether anybody does is found out by the same call.
 */
#ifndef BENCH_IDLE_H
#define BENCH_IDLE_H

#include "harness.h"

#include "base/yield.h"

#define IDLE_POLLS 100
#define IDLE_POLLER_NS 200000

struct idle {
	uint32_t empty; /* polls, in a row */
	bool beside;	/* another poller */
};

static inline void idle_poll(struct idle *idle)
{
	uint64_t gone;

	if (++idle->empty < IDLE_POLLS && !idle->beside)
		return;
	gone = sdpu_yield();
	idle->beside = gone != 0 && gone < IDLE_POLLER_NS;
	if (gone == 0)
		idle->empty = 0;
}

#endif
