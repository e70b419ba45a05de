/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency statistics: extremes, mean, percentiles. */
#include "t.h"

#include "latency.h"

static struct latency latency;

/* The histogram may be off by one step, 1/64. */
static void check_near(uint64_t got, uint64_t expected)
{
	T_CHECK(got >= expected);
	T_CHECK(got <= expected + expected / LATENCY_STEPS + 1);
}

T_CASE(nothing_recorded)
{
	latency_init(&latency);
	T_EQ(latency_min(&latency), 0);
	T_EQ(latency.max, 0);
	T_EQ(latency_mean(&latency), 0);
	T_EQ(latency_percentile(&latency, 500), 0);
}

T_CASE(one_record)
{
	latency_init(&latency);
	latency_record(&latency, 12345);
	T_EQ(latency_min(&latency), 12345);
	T_EQ(latency.max, 12345);
	T_EQ(latency_mean(&latency), 12345);
	T_EQ(latency_percentile(&latency, 1), 12345);
	T_EQ(latency_percentile(&latency, 999), 12345);
}

T_CASE(percentiles_of_a_uniform_ramp)
{
	uint64_t i;

	latency_init(&latency);
	for (i = 1; i <= 100000; i++)
		latency_record(&latency, i * 10);
	T_EQ(latency.count, 100000);
	T_EQ(latency_mean(&latency), 500005);
	check_near(latency_percentile(&latency, 500), 500000);
	check_near(latency_percentile(&latency, 990), 990000);
	check_near(latency_percentile(&latency, 999), 999000);
	T_EQ(latency_percentile(&latency, 1000), 1000000);
}

T_CASE(small_values_are_exact)
{
	uint64_t i;

	latency_init(&latency);
	for (i = 0; i < LATENCY_STEPS; i++)
		latency_record(&latency, i);
	T_EQ(latency_percentile(&latency, 500), LATENCY_STEPS / 2 - 1);
	T_EQ(latency_min(&latency), 0);
}

T_CASE(one_outlier_shows_in_the_tail_only)
{
	uint32_t i;

	latency_init(&latency);
	for (i = 0; i < 999; i++)
		latency_record(&latency, 1000);
	latency_record(&latency, 1000000);
	check_near(latency_percentile(&latency, 990), 1000);
	check_near(latency_percentile(&latency, 999), 1000);
	T_EQ(latency_percentile(&latency, 1000), 1000000);
}

T_CASE(longer_than_the_histogram)
{
	latency_init(&latency);
	latency_record(&latency, UINT64_C(1) << 50);
	T_EQ(latency_percentile(&latency, 500), (long long)(UINT64_C(1) << 50));
}

T_CASE(merge_adds_up)
{
	static struct latency other;

	latency_init(&latency);
	latency_init(&other);
	latency_record(&latency, 100);
	latency_record(&other, 10);
	latency_record(&other, 1000);
	latency_merge(&latency, &other);
	T_EQ(latency.count, 3);
	T_EQ(latency_min(&latency), 10);
	T_EQ(latency.max, 1000);
	T_EQ(latency_mean(&latency), 370);
	check_near(latency_percentile(&latency, 500), 100);
}

/* Whatever the bucket, its values come back no smaller and at most a step larger. */
T_CASE(every_power_of_two)
{
	uint32_t bit;

	for (bit = 0; bit < LATENCY_BITS_MAX; bit++) {
		latency_init(&latency);
		latency_record(&latency, UINT64_C(1) << bit);
		latency_record(&latency, UINT64_C(1) << LATENCY_BITS_MAX);
		check_near(latency_percentile(&latency, 500), UINT64_C(1) << bit);
	}
}
