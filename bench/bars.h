/* SPDX-License-Identifier: BSD-3-Clause */
/* What each row must reach: the one table of it.  Knows names and figures, measures nothing. */
#ifndef BENCH_BARS_H
#define BENCH_BARS_H

#include "harness.h"

/* times the limit, plus a constant; at most that, or at least, as the row's unit says. */
struct bench_bar {
	const char *row;
	double times;
	double plus; /* in the row's unit */
};

extern const struct bench_bar bench_bars[]; /* row NULL ends it */

/* Units of time, of memory, of faults and of quotients ("x"); the others are rates. */
bool bench_less_is_better(const char *unit);
/* NULL: that row has none. */
const struct bench_bar *bench_bar_of(const char *row);
bool bench_bar_met(const struct bench_bar *bar, const char *unit, double value, double limit);
/* As people read it: "<= 1.25", "<= 2 + 30 ns", ">= 0.5". */
void bench_bar_text(const struct bench_bar *bar, const char *unit, char *text, size_t size);

#endif
