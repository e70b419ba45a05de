/* SPDX-License-Identifier: BSD-3-Clause */
/* A call that loads one cached word: what an idle poll of anything costs at least. */
#include "limits.h"

#define CALLS 1000000

static __attribute__((noinline)) bool look(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE) != 0;
}

enum bench_status limit_load(struct bench *bench)
{
	const uint32_t *word = bench->arena;
	uint64_t start = bench_now();
	uint64_t calls = 0;

	do {
		for (int i = 0; i < CALLS; i++) {
			if (look(word))
				return BENCH_FAILED;
		}
		calls += CALLS;
	} while (bench_now() - start < bench->duration);
	bench_report(bench, (double)(bench_now() - start) / (double)calls);
	return BENCH_OK;
}
