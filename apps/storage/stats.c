/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats.h"

#include "timing.h"

#include <stdio.h>

#define RULE_WIDTH 48

double stats_ratio(double per, double of)
{
	return of > 0 ? per / of : 0;
}

void stats_print_rule(char mark)
{
	int i;

	putchar('+');
	for (i = 0; i < RULE_WIDTH; i++)
		putchar(mark);
	puts("+");
}

void stats_print_title(void)
{
	stats_print_rule('=');
	puts("| Stats");
	stats_print_rule('=');
}

void stats_print_hit_rate(uint64_t hits, uint64_t misses)
{
	printf("| PE hit rate: %2.03lf%% (%lu:%lu)\n",
	       100 * stats_ratio((double)hits, (double)(hits + misses)), (unsigned long)hits,
	       (unsigned long)misses);
}

void stats_print_threads(const struct stats_thread *threads, uint32_t count)
{
	uint32_t i;

	stats_print_title();
	for (i = 0; i < count; i++) {
		printf("| Thread[%u]\n", i);
		stats_print_hit_rate(threads[i].hits, threads[i].misses);
		stats_print_rule('-');
	}
	stats_print_rule('=');
}

struct stats_thread stats_sum(const struct stats_thread *threads, uint32_t count)
{
	struct stats_thread sum = {0};
	uint32_t i;

	for (i = 0; i < count; i++) {
		sum.hits += threads[i].hits;
		sum.misses += threads[i].misses;
		sum.operations += threads[i].operations;
		sum.bytes += threads[i].bytes;
		sum.failures += threads[i].failures;
	}
	return sum;
}

void stats_write_json_rates(struct json_out *json, uint64_t operations, uint64_t bytes,
			    uint64_t nsec)
{
	const double seconds = (double)nsec / (double)NSEC_PER_SEC;

	json_out_integer(json, "operations", operations);
	json_out_integer(json, "bytes", bytes);
	json_out_number(json, "duration_seconds", seconds);
	json_out_number(json, "operations_per_second", stats_ratio((double)operations, seconds));
	json_out_number(json, "gib_per_second", stats_ratio((double)bytes / STATS_GIB, seconds));
}

void stats_write_json(struct json_out *json, const struct stats_thread *total, uint64_t nsec)
{
	stats_write_json_rates(json, total->operations, total->bytes, nsec);
	json_out_integer(json, "failures", total->failures);
	json_out_integer(json, "pe_hits", total->hits);
	json_out_integer(json, "pe_misses", total->misses);
}
