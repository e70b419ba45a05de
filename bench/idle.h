/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The yield policy of the library (lib/core/spin.c), for limits of which several share a core: some
 * hundred empty polls alone and a few beside another poller, then sched_yield for as long as a
 * yield shows that somebody else wanted the core.
 */
#ifndef BENCH_IDLE_H
#define BENCH_IDLE_H

#include "harness.h"

#include <sched.h>
#include <sys/resource.h>

#define IDLE_ALONE 100
#define IDLE_BESIDE_POLLER 4
#define IDLE_PATIENCE_MAX 1600
#define IDLE_POLLER_NS 200000

struct idle {
	uint32_t empty;
	uint32_t patience; /* empty polls until the next yield */
	uint32_t first;	   /* the same after work */
	uint64_t bare;	   /* the quickest yield that let nobody run; 0: none yet */
};

#define IDLE_INIT                                                                                  \
	{                                                                                          \
		.patience = IDLE_ALONE, .first = IDLE_ALONE                                        \
	}

static inline uint64_t idle_switches(void)
{
	struct rusage usage = {0};

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

static inline bool idle_yield(struct idle *idle, uint64_t *took)
{
	uint64_t switches = idle->bare == 0 ? idle_switches() : 0;
	uint64_t before = bench_now();
	bool crowded;

	sched_yield();
	*took = bench_now() - before;
	crowded = idle->bare == 0 ? idle_switches() != switches : *took > 2 * idle->bare;
	if (!crowded && (idle->bare == 0 || *took < idle->bare))
		idle->bare = *took;
	return crowded;
}

static inline void idle_poll(struct idle *idle)
{
	uint64_t took;
	bool crowded;

	if (++idle->empty < idle->patience)
		return;
	idle->empty = 0;
	crowded = idle_yield(idle, &took);
	idle->first = crowded && took < IDLE_POLLER_NS ? IDLE_BESIDE_POLLER : IDLE_ALONE;
	if (crowded)
		idle->patience = 1;
	else if (idle->patience < IDLE_ALONE)
		idle->patience = IDLE_ALONE;
	else if (idle->patience < IDLE_PATIENCE_MAX)
		idle->patience *= 2;
}

static inline void idle_worked(struct idle *idle)
{
	idle->empty = 0;
	idle->patience = idle->first;
}

#endif
