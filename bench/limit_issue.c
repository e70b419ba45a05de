/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many independent additions a core issues.  Who shares the core, a neighbour on the other
 * hyperthread whom nobody here sees, takes from it, and instruction-bound rows slow down alike.
 */
#include "limits.h"

#define STEPS 100000
#define TRIES 5

static uint64_t time_additions(void)
{
	uint64_t a = 0, b = 0, c = 0, d = 0, start = bench_now();

	for (uint32_t i = 0; i < STEPS; i++)
		__asm__ volatile("add $1, %0\n\tadd $1, %1\n\tadd $1, %2\n\tadd $1, %3"
				 : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
	return bench_now() - start;
}

double limit_issue_rate(void)
{
	uint64_t best = UINT64_MAX, ns;

	for (int i = 0; i < TRIES; i++) {
		ns = time_additions();
		best = ns < best ? ns : best;
	}
	return 4.0 * STEPS * 1e9 / (double)best;
}

enum bench_status limit_issue(struct bench *bench)
{
	if (!bench_sync(bench))
		return BENCH_FAILED;
	bench_report(bench, limit_issue_rate());
	bench_stop(bench);
	return BENCH_OK;
}
