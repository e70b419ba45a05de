/* SPDX-License-Identifier: BSD-3-Clause */
/* The statistics block on standard output, and the pieces of it that the programs share. */
#ifndef STORAGE_STATS_H
#define STORAGE_STATS_H

#include "json_out.h"

#include <stdint.h>

/* What a bridge or target thread has done; kept when its objects are destroyed. */
struct stats_thread {
	uint64_t hits;
	uint64_t misses;
	uint64_t operations;
	uint64_t bytes;
	uint64_t failures; /* operations answered with an error */
};

/* The frame: a rule, the title, a rule; and the rules alone. */
void stats_print_title(void);
void stats_print_rule(char mark);

/* The line of the PE hit rate; 0 % when there was no progress call at all. */
void stats_print_hit_rate(uint64_t hits, uint64_t misses);

/* The whole block of bridge and target. */
void stats_print_threads(const struct stats_thread *threads, uint32_t count);

/* Sum over threads. */
struct stats_thread stats_sum(const struct stats_thread *threads, uint32_t count);

/* The JSON members of bridge and target; nsec is the length of the data path. */
void stats_write_json(struct json_out *json, const struct stats_thread *total, uint64_t nsec);

/* The members that say how fast it went, the same for all three programs. */
void stats_write_json_rates(struct json_out *json, uint64_t operations, uint64_t bytes,
			    uint64_t nsec);

/* per / of, and 0 where that has no meaning. */
double stats_ratio(double per, double of);

#define STATS_GIB (1024.0 * 1024.0 * 1024.0)

#endif
