/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is measured over a range of something, and drawn: a sweep is a plot, a curve is ours or a
 * limit of the machine.  A kernel is made for each point.
 */
#ifndef BENCH_SWEEPS_H
#define BENCH_SWEEPS_H

#include "harness.h"

#define SWEEP_CURVES 8
#define SWEEP_POINTS 32

struct sweep_curve {
	const char *title; /* without commas, which part columns; NULL ends a table */
	struct bench_kernel (*kernel)(uint32_t x);
	struct bench_kernel (*other)(uint32_t x); /* the better of the two counts; or NULL */
};

struct sweep {
	const char *name; /* of its file, without .csv; NULL ends the table */
	const char *x;	  /* what grows */
	double scale;	  /* values, which are rates, are divided by this */
	uint32_t from, to;
	bool bulk; /* x is a size: measures longer where few fit into the time */
	struct sweep_curve curves[SWEEP_CURVES];
};

extern const struct sweep sweeps[];

#endif
