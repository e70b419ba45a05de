/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Timing how long it takes to wake a sleeper.  The sleeper says in shared memory that it is about
 * to sleep; the waker gives it time to, notes when it rings, and rings by whatever is measured.
 */
#ifndef BENCH_WAKES_H
#define BENCH_WAKES_H

#include "harness.h"

/* In the arena. */
struct wakes_bed {
	uint64_t asleep; /* sleeper's; number of the sleep that is about to begin */
	uint64_t rung;	 /* waker's; when it rang */
};

struct wakes_waker {
	struct wakes_bed *bed;
	uint64_t number; /* of the sleep that was ended last */
	uint64_t ready;	 /* when the next one is taken for deep; 0: it has not begun */
};

/* Shall be asked again and again; true once for each sleep, when it is time to ring. */
bool wakes_due(struct wakes_waker *waker);
/* To be called just before ringing. */
void wakes_ring(struct wakes_waker *waker);

void wakes_fall_asleep(struct wakes_bed *bed);
double wakes_since_ring(const struct wakes_bed *bed);
/* Sleeps until the time is over and reports the median. sleep returns false when it gave up. */
enum bench_status wakes_measure(struct bench *bench,
				bool (*sleep)(void *arg, struct wakes_bed *bed, double *ns),
				void *arg);

#endif
