/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies of one thread: count, sum, extremes, and a histogram for percentiles. Buckets are
 * 1/64 of a power of two wide, so a percentile is off by at most 1.6 %. Recording neither
 * allocates nor branches on the data. One writer; merged after the threads have ended.
 */
#ifndef STORAGE_LATENCY_H
#define STORAGE_LATENCY_H

#include <stdint.h>

#define LATENCY_STEP_BITS 6
#define LATENCY_STEPS (1u << LATENCY_STEP_BITS)

/* Longer ones, beyond 18 minutes, count as this long in the histogram. */
#define LATENCY_BITS_MAX 40
#define LATENCY_BUCKETS ((LATENCY_BITS_MAX - LATENCY_STEP_BITS + 1) * LATENCY_STEPS)

struct latency {
	uint64_t count;
	uint64_t sum; /* nanoseconds, like all that follows */
	uint64_t min;
	uint64_t max;
	uint64_t buckets[LATENCY_BUCKETS];
};

void latency_init(struct latency *latency);
void latency_record(struct latency *latency, uint64_t nsec);
void latency_merge(struct latency *into, const struct latency *from);

/* 0 without any record. */
uint64_t latency_mean(const struct latency *latency);
uint64_t latency_min(const struct latency *latency);

/* The value that permille of 1000 records do not exceed. */
uint64_t latency_percentile(const struct latency *latency, uint32_t permille);

#endif
