/* SPDX-License-Identifier: BSD-3-Clause */
#include "latency.h"

#include <string.h>

void latency_init(struct latency *latency)
{
	memset(latency, 0, sizeof(*latency));
	latency->min = UINT64_MAX;
}

/*
 * Values below LATENCY_STEPS have a bucket each. Above, the position of the highest bit chooses
 * a row of LATENCY_STEPS buckets and the bits after it the bucket in the row.
 */
static uint32_t latency_bucket(uint64_t nsec)
{
	uint32_t shift;

	if (nsec >= UINT64_C(1) << LATENCY_BITS_MAX)
		return LATENCY_BUCKETS - 1;
	if (nsec < LATENCY_STEPS)
		return (uint32_t)nsec;
	shift = (uint32_t)(63 - __builtin_clzll(nsec)) - LATENCY_STEP_BITS;
	return shift * LATENCY_STEPS + (uint32_t)(nsec >> shift);
}

/* The largest value that falls into a bucket. */
static uint64_t latency_bucket_top(uint32_t bucket)
{
	const uint32_t row = bucket / LATENCY_STEPS;
	const uint32_t shift = row == 0 ? 0 : row - 1;
	const uint64_t step = bucket - shift * LATENCY_STEPS;

	return ((step + 1) << shift) - 1;
}

void latency_record(struct latency *latency, uint64_t nsec)
{
	latency->count++;
	latency->sum += nsec;
	if (nsec < latency->min)
		latency->min = nsec;
	if (nsec > latency->max)
		latency->max = nsec;
	latency->buckets[latency_bucket(nsec)]++;
}

void latency_merge(struct latency *into, const struct latency *from)
{
	uint32_t i;

	into->count += from->count;
	into->sum += from->sum;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	for (i = 0; i < LATENCY_BUCKETS; i++)
		into->buckets[i] += from->buckets[i];
}

uint64_t latency_mean(const struct latency *latency)
{
	return latency->count == 0 ? 0 : latency->sum / latency->count;
}

uint64_t latency_min(const struct latency *latency)
{
	return latency->count == 0 ? 0 : latency->min;
}

uint64_t latency_percentile(const struct latency *latency, uint32_t permille)
{
	const uint64_t rank = (latency->count * permille + 999) / 1000;
	uint64_t seen = 0, top;
	uint32_t i;

	for (i = 0; i < LATENCY_BUCKETS; i++) {
		seen += latency->buckets[i];
		if (seen >= rank && seen != 0)
			break;
	}
	if (i == LATENCY_BUCKETS)
		return 0;
	/* A bucket reaches beyond what was recorded in it. */
	top = latency_bucket_top(i);
	return top < latency->max && i != LATENCY_BUCKETS - 1 ? top : latency->max;
}
