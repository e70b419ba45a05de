/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which way long messages go into memory that is not mapped: in parts through staging blocks, which
 * both sides copy, or by one copy of the kernel through the window. Staging is faster where the
 * cores of both sides share a cache, several times slower where they do not; so what each way takes
 * is measured, and the better one taken. Now and then a message goes the other way, as the
 * scheduler may have moved somebody.
 *
 * Owner and thread: the producer's; its consumers live in one process.
 */
#ifndef SDPU_COMCH_WAY_H
#define SDPU_COMCH_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "comch/fast_ring.h"

/*
 * Messages between two that go the other way. Staging shows by itself when it becomes slow, so the
 * window is tried seldom, but for the beginning, in which page faults slow the window down.
 */
#define COMCH_WAY_STAGED_EVERY 512u
#define COMCH_WAY_WINDOW_EVERY 4096u
#define COMCH_WAY_EARLY 2048u
#define COMCH_WAY_EARLY_EVERY 64u

struct comch_way {
	/* Cycles for COMCH_PART_SIZE bytes, lately; 0: not known. */
	uint64_t staged; /* by the sender; the receiver copies meanwhile */
	uint64_t window;
	uint32_t turn;
};

/* Shall the next long message be staged? */
static inline bool comch_way_stages(struct comch_way *way)
{
	bool is_better = way->window == 0 || way->staged <= way->window;
	uint32_t turn = ++way->turn, every = COMCH_WAY_STAGED_EVERY;

	if (is_better)
		every = turn < COMCH_WAY_EARLY ? COMCH_WAY_EARLY_EVERY : COMCH_WAY_WINDOW_EVERY;
	return is_better != (turn % every == 0);
}

/* What so many bytes took. Less is believed at once, more by a quarter at a time: the first time
 * has page faults in it, and any time may have been interrupted. */
static inline void comch_way_note(uint64_t *cost, uint64_t took, uint64_t bytes)
{
	uint64_t per_part = took * COMCH_PART_SIZE / bytes;
	uint64_t most = *cost + *cost / 4;

	*cost = *cost == 0 || per_part < most ? per_part : most;
}

#endif
