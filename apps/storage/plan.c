/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include <stdio.h>

/* Buffers are multiples of this. */
#define BUFFER_ALIGNMENT 64

uint32_t plan_share(const struct plan *plan, uint32_t thread)
{
	return plan->run_limit / plan->threads + (thread < plan->run_limit % plan->threads);
}

uint32_t plan_transactions(const struct plan *plan)
{
	return plan->buffer_count < plan->run_limit ? plan->buffer_count : plan->run_limit;
}

size_t plan_region_size(const struct plan *plan)
{
	return (size_t)plan->threads * plan->buffer_count * plan->buffer_size;
}

size_t plan_offset(const struct plan *plan, uint32_t thread, uint32_t index)
{
	return ((size_t)thread * plan->buffer_count + index) * plan->buffer_size;
}

static uint64_t divide_up(uint64_t value, uint64_t by)
{
	return value / by + (value % by != 0);
}

/* Blocks that fall to a thread when each takes count of them in turn. */
static uint64_t plan_blocks_of(uint64_t blocks, uint64_t count, uint32_t thread)
{
	const uint64_t before = count * thread;

	if (blocks <= before)
		return 0;
	return blocks - before < count ? blocks - before : count;
}

/* The smallest run limit whose shares cover the blocks of every thread. */
static uint64_t plan_run_limit_for(uint32_t threads, uint64_t count, uint64_t blocks)
{
	uint64_t most = 0, own, needed;
	uint32_t i;

	for (i = 0; i < threads; i++) {
		own = plan_blocks_of(blocks, count, i);
		needed = own == 0 ? 0 : (own - 1) * threads + i + 1;
		if (needed > most)
			most = needed;
	}
	return most;
}

/* The smallest buffer size with which the buffers hold length bytes. */
static uint64_t plan_buffer_size_for(const struct plan *plan, uint64_t length)
{
	const uint64_t size = divide_up(length, (uint64_t)plan->threads * plan->buffer_count);

	return divide_up(size, BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT;
}

static void plan_explain_buffers(const struct plan *plan, uint64_t length, uint64_t blocks,
				 char *text, size_t size)
{
	const uint64_t count = divide_up(blocks, plan->threads);
	const uint64_t bytes = plan_buffer_size_for(plan, length);

	snprintf(text, size,
		 "%llu bytes are %llu blocks of %u, more than %u threads x %u buffers hold; use "
		 "--per-cpu-buffer-count %llu and --run-limit-operation-count %llu, or "
		 "--buffer-size %llu and --run-limit-operation-count %llu",
		 (unsigned long long)length, (unsigned long long)blocks, plan->buffer_size,
		 plan->threads, plan->buffer_count, (unsigned long long)count,
		 (unsigned long long)plan_run_limit_for(plan->threads, count, blocks),
		 (unsigned long long)bytes,
		 (unsigned long long)plan_run_limit_for(plan->threads, plan->buffer_count,
							divide_up(length, bytes)));
}

bool plan_fits(const struct plan *plan, uint64_t length, char *text, size_t size)
{
	const uint64_t blocks = divide_up(length, plan->buffer_size);
	uint64_t needed;

	if (length > plan_region_size(plan)) {
		plan_explain_buffers(plan, length, blocks, text, size);
		return false;
	}
	needed = plan_run_limit_for(plan->threads, plan->buffer_count, blocks);
	if (plan->run_limit >= needed)
		return true;
	snprintf(text, size,
		 "%llu bytes are %llu blocks of %u, of which %u operations would not move all; use "
		 "--run-limit-operation-count %llu",
		 (unsigned long long)length, (unsigned long long)blocks, plan->buffer_size,
		 plan->run_limit, (unsigned long long)needed);
	return false;
}
