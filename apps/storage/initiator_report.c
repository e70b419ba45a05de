/* SPDX-License-Identifier: BSD-3-Clause */
/* What the initiator tells about its run. */
#include "initiator.h"

#include "stats.h"
#include "timing.h"

#define NSEC_PER_USEC 1000

/* In validated writes each operation is a write and a read, but is one operation. */
static uint64_t initiator_count_operations(const struct initiator *initiator)
{
	const uint64_t count = initiator->latency.count;

	return initiator_validates(initiator) ? count / 2 : count;
}

void initiator_collect(struct initiator *initiator)
{
	const struct initiator_thread *thread;
	uint32_t i;

	latency_init(&initiator->latency);
	initiator->failures = initiator->hits = initiator->misses = 0;
	for (i = 0; i < initiator->plan.threads; i++) {
		thread = &initiator->threads[i];
		latency_merge(&initiator->latency, &thread->latency);
		initiator->failures += thread->failures;
		initiator->hits += thread->worker.hits;
		initiator->misses += thread->worker.misses;
	}
	initiator->operations = initiator_count_operations(initiator);
}

static unsigned int to_usec(uint64_t nsec)
{
	return (unsigned int)(nsec / NSEC_PER_USEC);
}

static double initiator_duration(const struct initiator *initiator)
{
	return (double)(initiator->ended - initiator->started) / (double)NSEC_PER_SEC;
}

static void initiator_print_latency(const struct latency *latency)
{
	printf("| Latency:\n");
	printf("| \tMin: %uus\n", to_usec(latency_min(latency)));
	printf("| \tMax: %uus\n", to_usec(latency->max));
	printf("| \tMean: %uus\n", to_usec(latency_mean(latency)));
	printf("| \tp50: %uus\n", to_usec(latency_percentile(latency, 500)));
	printf("| \tp99: %uus\n", to_usec(latency_percentile(latency, 990)));
	printf("| \tp99.9: %uus\n", to_usec(latency_percentile(latency, 999)));
}

void initiator_print_stats(struct app *app)
{
	struct initiator *initiator = (struct initiator *)app;
	const double seconds = initiator_duration(initiator);
	const double count = (double)initiator->operations;
	const double bytes = count * initiator->plan.buffer_size;

	stats_print_title();
	printf("| Duration (seconds): %2.06lf\n", seconds);
	printf("| Operation count: %u\n", (unsigned int)initiator->operations);
	printf("| Data rate: %.03lf GiB/s\n", stats_ratio(bytes / STATS_GIB, seconds));
	printf("| IO rate: %.03lf MIOP/s\n", stats_ratio(count / 1e6, seconds));
	stats_print_hit_rate(initiator->hits, initiator->misses);
	initiator_print_latency(&initiator->latency);
	stats_print_rule('=');
}

static void initiator_write_usec(struct json_out *json, const char *key, uint64_t nsec)
{
	json_out_number(json, key, (double)nsec / NSEC_PER_USEC);
}

void initiator_write_json(struct app *app, struct json_out *json)
{
	struct initiator *initiator = (struct initiator *)app;
	const struct latency *latency = &initiator->latency;

	json_out_text(json, "operation", initiator->options.operation_text);
	stats_write_json_rates(json, initiator->operations,
			       initiator->operations * initiator->plan.buffer_size,
			       initiator->ended - initiator->started);
	json_out_integer(json, "failures", initiator->failures);
	json_out_integer(json, "pe_hits", initiator->hits);
	json_out_integer(json, "pe_misses", initiator->misses);
	initiator_write_usec(json, "latency_min_us", latency_min(latency));
	initiator_write_usec(json, "latency_max_us", latency->max);
	initiator_write_usec(json, "latency_mean_us", latency_mean(latency));
	initiator_write_usec(json, "latency_p50_us", latency_percentile(latency, 500));
	initiator_write_usec(json, "latency_p99_us", latency_percentile(latency, 990));
	initiator_write_usec(json, "latency_p99_9_us", latency_percentile(latency, 999));
}
