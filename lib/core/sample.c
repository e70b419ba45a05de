/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Timing of some tasks; contract in sample.h.
 */
#include "core/sample.h"

#include "base/atomic.h"
#include "base/clock.h"

#define SAMPLE_EVERY 64

void sdpu_sample_begin(struct sdpu_sample *sample, struct doca_task *task, uint64_t submitted)
{
	if (task->watch != NULL || task->pool->ops->is_receive)
		return;
	sample->is_running = true;
	sample->next = submitted + SAMPLE_EVERY;
	sample->since = sdpu_clock_now();
	task->watch = &sample->watch;
}

void sdpu_sample_drop(struct sdpu_sample *sample, struct doca_task *task)
{
	if (task->watch != &sample->watch)
		return;
	task->watch = NULL;
	sample->is_running = false;
	sample->next = 0;
}

/* Half octaves: the highest bit, and whether the one below is set. */
static uint32_t bucket_of(uint64_t ns)
{
	uint32_t octave = 63 - (uint32_t)__builtin_clzll(ns | 1);
	uint32_t half = octave == 0 ? 0 : (uint32_t)(ns >> (octave - 1)) & 1;
	uint32_t bucket = 2 * octave + half;

	return bucket < SOFTDPU_LATENCY_BUCKETS ? bucket : SOFTDPU_LATENCY_BUCKETS - 1;
}

void sdpu_sample_end(struct sdpu_sample *sample, struct doca_task *task)
{
	uint32_t *bucket;

	if (task->watch != &sample->watch)
		return;
	bucket = &sample->buckets[bucket_of(sdpu_clock_now() - sample->since)];
	sdpu_store(bucket, *bucket + 1);
	task->watch = NULL;
	sample->is_running = false;
}

void sdpu_sample_show(const struct sdpu_sample *sample, struct softdpu_object *row)
{
	for (uint32_t i = 0; i < SOFTDPU_LATENCY_BUCKETS; i++)
		row->latency[i] = sdpu_load(&sample->buckets[i]);
}
