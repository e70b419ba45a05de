/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Timing of some tasks; contract in sample.h.
 */
#include "core/sample.h"

#include "base/atomic.h"
#include "base/clock.h"
#include "bus/stats.h"
#include "core/ctx.h"

/* What lies between two tasks that are timed: about so long, and never more tasks. */
#define SAMPLE_NS (SDPU_MS / 4)
#define SAMPLE_EVERY_MAX 4095

void sdpu_sample_init(struct sdpu_sample *sample)
{
	sample->next = SDPU_SAMPLE_NONE;
}

/* Tasks that come slowly now are not spaced by how fast they came before. */
void sdpu_sample_look(struct sdpu_sample *sample)
{
	sample->every = 1;
	if (!sample->is_running)
		sample->next = 0;
}

/* Odd at all times, as receives and others may take turns. */
static void sample_thin_out(struct sdpu_sample *sample)
{
	if (sample->every < SAMPLE_EVERY_MAX)
		sample->every = 2 * sample->every + 1;
}

void sdpu_sample_begin(struct sdpu_sample *sample, struct doca_task *task)
{
	if (sdpu_load(&sdpu_stats_look) == 0) {
		sample->next = SDPU_SAMPLE_NONE;
		return;
	}
	if (task->watch != NULL || task->pool->ops->is_receive) {
		sample_thin_out(sample);
		sample->next = task->ctx->submitted + sample->every;
		return;
	}
	sample->is_running = true;
	sample->next = SDPU_SAMPLE_NONE;
	sample->since = sdpu_clock_now();
	task->watch = &sample->watch;
}

void sdpu_sample_drop(struct sdpu_sample *sample, struct doca_task *task)
{
	if (task->watch != &sample->watch)
		return;
	task->watch = NULL;
	sample->is_running = false;
	sample->next = task->ctx->submitted;
}

/* Two buckets per power of two: the highest bit, and whether the one below is set. */
static uint32_t bucket_of(uint64_t ns)
{
	uint32_t octave = 63 - (uint32_t)__builtin_clzll(ns | 1);
	uint32_t half = octave == 0 ? 0 : (uint32_t)(ns >> (octave - 1)) & 1;
	uint32_t bucket = 2 * octave + half;

	return bucket < SOFTDPU_LATENCY_BUCKETS ? bucket : SOFTDPU_LATENCY_BUCKETS - 1;
}

/* Skips twice as many tasks as before where they come fast, half as many where they come slowly. */
static void sample_plan(struct sdpu_sample *sample, uint64_t now, uint64_t submitted)
{
	if (now - sample->ended < SAMPLE_NS)
		sample_thin_out(sample);
	else if (sample->every > 1)
		sample->every /= 2;
	sample->ended = now;
	sample->next = submitted + sample->every - 1;
}

void sdpu_sample_end(struct sdpu_sample *sample, struct doca_task *task)
{
	uint32_t *bucket;
	uint64_t now;

	if (task->watch != &sample->watch)
		return;
	now = sdpu_clock_now();
	bucket = &sample->buckets[bucket_of(now - sample->since)];
	sdpu_store(bucket, *bucket + 1);
	sample_plan(sample, now, task->ctx->submitted);
	task->watch = NULL;
	sample->is_running = false;
}

void sdpu_sample_show(const struct sdpu_sample *sample, struct softdpu_object *row)
{
	for (uint32_t i = 0; i < SOFTDPU_LATENCY_BUCKETS; i++)
		row->latency[i] = sdpu_load(&sample->buckets[i]);
}
