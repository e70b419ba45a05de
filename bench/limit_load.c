/* SPDX-License-Identifier: BSD-3-Clause */
/* A call that loads one cached word: what an idle poll of anything costs at least. */
#include "limits.h"

#define CALLS 100

static __attribute__((noinline)) bool look(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE) != 0;
}

static bool step(void *arg)
{
	for (int i = 0; i < CALLS; i++) {
		if (look(arg))
			return false;
	}
	return true;
}

enum bench_status limit_load(struct bench *bench)
{
	return bench_repeat(bench, step, bench->arena, CALLS);
}
