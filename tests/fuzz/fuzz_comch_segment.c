/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The segment of a consumer as a hostile peer writes it: filled entries looked at by the consumer,
 * posted descriptors looked at by a producer. No payload may land outside the posted buffer.
 */
#include <stdlib.h>
#include <string.h>

#include "comch/consumer.h"
#include "comch/remote.h"
#include "core/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TASKS 4
#define ROOM 200
#define SIDE 64

static struct doca_comch_consumer consumer;
static uint8_t memory[TASKS][SIDE + ROOM + SIDE];
static struct doca_buf bufs[TASKS];

static void received(struct doca_task *base, union doca_data task_data, union doca_data ctx_data)
{
	struct doca_comch_consumer_task_post_recv *task =
		(struct doca_comch_consumer_task_post_recv *)base;

	(void)task_data;
	(void)ctx_data;
	if (task->imm_len > COMCH_FAST_IMM_MAX || task->buf->data_len > ROOM)
		abort();
}

static doca_error_t start(struct doca_ctx *ctx)
{
	(void)ctx;
	return DOCA_SUCCESS;
}

static const struct sdpu_ctx_ops ops = {.name = "fuzz", .start = start};
static const struct sdpu_task_ops task_ops = {.name = "fuzz task", .submit = comch_consumer_submit};

static void set_up(void)
{
	struct doca_pe *pe;

	if (doca_pe_create(&pe) != DOCA_SUCCESS)
		abort();
	sdpu_ctx_init(&consumer.ctx, &ops, NULL);
	consumer.imm_len = COMCH_FAST_IMM_MAX;
	if (sdpu_task_pool_conf(&consumer.receives, &consumer.ctx, &task_ops,
				sizeof(struct doca_comch_consumer_task_post_recv), received,
				received, TASKS, TASKS) != DOCA_SUCCESS ||
	    sdpu_task_pool_open(&consumer.receives) != DOCA_SUCCESS ||
	    doca_pe_connect_ctx(pe, &consumer.ctx) != DOCA_SUCCESS ||
	    doca_ctx_start(&consumer.ctx) != DOCA_SUCCESS ||
	    comch_fast_create(32, &consumer.rings) != DOCA_SUCCESS)
		abort();
}

static void post_all(void)
{
	const union doca_data none = {.u64 = 0};

	consumer.posted = 0;
	consumer.taken = 0;
	for (uint32_t i = 0; i < TASKS; i++) {
		struct doca_comch_consumer_task_post_recv *task;
		struct doca_task *base;

		if (sdpu_task_alloc(&consumer.receives, none, &base) != DOCA_SUCCESS)
			abort();
		task = (struct doca_comch_consumer_task_post_recv *)base;
		task->index = sdpu_task_index(base);
		bufs[i] = (struct doca_buf){
			.head = memory[i] + SIDE, .data = memory[i] + SIDE, .len = ROOM};
		task->buf = &bufs[i];
		if (doca_task_submit(base) != DOCA_SUCCESS)
			abort();
	}
}

static void take_back(void)
{
	for (uint32_t i = 0; i < TASKS; i++) {
		struct doca_comch_consumer_task_post_recv *task =
			(struct doca_comch_consumer_task_post_recv *)sdpu_task_at(
				&consumer.receives, i);

		if (task->posted) {
			task->posted = false;
			sdpu_task_deliver(&task->base, DOCA_ERROR_SHUTDOWN);
		}
		doca_task_free(&task->base);
	}
}

static void check_sides(void)
{
	for (uint32_t i = 0; i < TASKS; i++)
		for (uint32_t k = 0; k < SIDE; k++)
			if (memory[i][k] != 0 || memory[i][SIDE + ROOM + k] != 0)
				abort();
}

static void produce(void)
{
	struct comch_remote *remote = aligned_alloc(SDPU_CACHE_LINE, sizeof(*remote));
	struct comch_claim claim;

	memset(remote, 0, sizeof(*remote));
	remote->rings = consumer.rings;
	for (int i = 0; i < 8; i++) {
		if (comch_remote_claim(remote, 100, &claim) != DOCA_SUCCESS)
			break;
		if (claim.index > 0xffffff ||
		    comch_remote_take_staging(remote, 1 + (uint32_t)i % 4) >= COMCH_STAGING_NUM)
			abort();
	}
	free(remote);
}

static bool take_one(void)
{
	return comch_consumer_has_entry(&consumer) &&
	       comch_consumer_take_ready(&consumer) == DOCA_SUCCESS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t entries = TASKS * sizeof(struct comch_filled);
	size_t descriptors = TASKS * sizeof(struct comch_posted);

	if (consumer.rings.head == NULL)
		set_up();
	post_all();
	memset(consumer.rings.filled, 0xff, entries);
	memcpy(consumer.rings.filled, data, size < entries ? size : entries);
	for (uint32_t i = 0; i < TASKS && i < size; i++)
		if (data[i] & 1)
			consumer.rings.filled[i].seq = i + 1;
	for (int i = 0; i < 8 && take_one(); i++)
		;
	check_sides();
	take_back();
	if (size > entries)
		memcpy(consumer.rings.posted, data + entries,
		       size - entries < descriptors ? size - entries : descriptors);
	produce();
	return 0;
}
