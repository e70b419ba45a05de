/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs every loop and says how many operations were counted and how long each took: a line NAME
 * OPERATIONS NANOSECONDS.  Under callgrind, where the time means nothing, a dump of the same name
 * holds the instructions that they took.
 */
#include "loops.h"

#include "counting.h"

#include <stdio.h>

#define WARM_ROUNDS 300
#define ROUNDS 1000

static const struct loop *const tables[] = {comch_loops, rdma_loops, dma_loops, msgq_loops};

static bool run_rounds(struct bench *bench, const struct loop *loop, uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++) {
		if (!loop->round(bench))
			return false;
	}
	return true;
}

static bool count(struct bench *bench, const struct loop *loop)
{
	uint64_t start, ns;
	bool ran;

	if (!loop->open(bench) || !run_rounds(bench, loop, WARM_ROUNDS))
		return false;
	CALLGRIND_ZERO_STATS;
	start = bench_now();
	CALLGRIND_TOGGLE_COLLECT;
	ran = run_rounds(bench, loop, ROUNDS);
	CALLGRIND_TOGGLE_COLLECT;
	ns = bench_now() - start;
	CALLGRIND_DUMP_STATS_AT(loop->name);
	printf("%s %u %.0f\n", loop->name, ROUNDS * loop->operations,
	       (double)ns / (ROUNDS * loop->operations));
	return ran;
}

int main(void)
{
	static struct bench_shared shared;
	const struct bench_kernel kernel = {.num_sides = 1};
	struct bench bench = {.kernel = &kernel, .shared = &shared};

	bench_init();
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (const struct loop *loop = tables[i]; loop->name != NULL; loop++) {
			if (count(&bench, loop))
				continue;
			fprintf(stderr, "%s: %s\n", loop->name, shared.why);
			return 1;
		}
	}
	return 0;
}
