/* SPDX-License-Identifier: BSD-3-Clause */
#include "path.h"

#include <string.h>

/* --- consumer --- */

static doca_error_t post(struct path *path, struct doca_buf *buf)
{
	struct doca_comch_consumer_task_post_recv *task;
	doca_error_t result;

	result = doca_comch_consumer_task_post_recv_alloc_init(path->consumer, buf, &task);
	if (result != DOCA_SUCCESS)
		return result;
	result = doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task));
	if (result == DOCA_SUCCESS)
		path->posted++;
	else
		doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	return result;
}

static void recv_back(struct path *path, struct doca_comch_consumer_task_post_recv *task)
{
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	doca_error_t result = DOCA_ERROR_BAD_STATE;

	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	if (path_consumer_state(path) == DOCA_CTX_STATE_RUNNING) {
		TRY(doca_buf_reset_data_len(buf));
		result = post(path, buf);
		path->refused = result;
	}
	if (result != DOCA_SUCCESS)
		TRY(doca_buf_dec_refcount(buf, NULL));
}

static void on_received(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
			union doca_data ctx_data)
{
	struct path *path = ctx_data.ptr;
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	void *data;
	size_t len;

	(void)task_data;
	path->posted--;
	TRY(doca_buf_get_data(buf, &data));
	TRY(doca_buf_get_data_len(buf, &len));
	path->received(path, doca_comch_consumer_task_post_recv_get_imm_data(task),
		       doca_comch_consumer_task_post_recv_get_imm_data_len(task), data, len);
	recv_back(path, task);
}

static void on_flushed(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
		       union doca_data ctx_data)
{
	struct path *path = ctx_data.ptr;
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);

	(void)task_data;
	path->posted--;
	path->flushed++;
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	TRY(doca_buf_dec_refcount(buf, NULL));
}

static void join_engine(struct path *path, struct doca_ctx *ctx)
{
	const union doca_data self = {.ptr = path};

	TRY(doca_ctx_set_user_data(ctx, self));
	TRY(doca_pe_connect_ctx(path->end->engine->pe, ctx));
}

doca_error_t path_open_consumer(struct path *path, bool shared)
{
	struct doca_comch_consumer *consumer;
	doca_error_t result;

	peer_memory_open(&path->in, path->end->dev, path->depth * path->slot, shared);
	result = doca_comch_consumer_create(path->end->connection, path->in.mmap, &consumer);
	if (result != DOCA_SUCCESS)
		return result;
	path->consumer = consumer;
	TRY(doca_comch_consumer_task_post_recv_set_conf(consumer, on_received, on_flushed,
							path->depth));
	join_engine(path, doca_comch_consumer_as_ctx(consumer));
	return doca_ctx_start(doca_comch_consumer_as_ctx(consumer));
}

enum doca_ctx_states path_consumer_state(const struct path *path)
{
	return ctx_state(doca_comch_consumer_as_ctx(path->consumer));
}

doca_error_t path_post(struct path *path)
{
	doca_error_t result = DOCA_SUCCESS;
	struct doca_buf *buf;

	for (uint32_t i = 0; i < path->depth && result == DOCA_SUCCESS; i++) {
		TRY(doca_buf_inventory_buf_get_by_addr(path->in.inventory, path->in.mmap,
						       path->in.base + i * path->slot, path->slot,
						       &buf));
		result = post(path, buf);
		if (result != DOCA_SUCCESS)
			TRY(doca_buf_dec_refcount(buf, NULL));
	}
	return result;
}

/* --- producer --- */

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	struct doca_task *base = doca_comch_producer_task_send_as_task(task);
	const struct doca_buf *buf = doca_comch_producer_task_send_get_buf(task);
	struct path *path = ctx_data.ptr;

	(void)task_data;
	path->sending--;
	if (doca_task_get_status(base) == DOCA_SUCCESS)
		path->sent++;
	else
		path->failed++;
	doca_task_free(base);
	TRY(doca_buf_dec_refcount((struct doca_buf *)(uintptr_t)buf, NULL));
}

doca_error_t path_open_producer(struct path *path, bool shared)
{
	struct doca_comch_producer *producer;
	doca_error_t result;

	peer_memory_open(&path->out, path->end->dev, path->depth * path->slot, shared);
	result = doca_comch_producer_create(path->end->connection, &producer);
	if (result != DOCA_SUCCESS)
		return result;
	path->producer = producer;
	TRY(doca_comch_producer_task_send_set_conf(producer, on_sent, on_sent, path->depth));
	join_engine(path, doca_comch_producer_as_ctx(producer));
	return doca_ctx_start(doca_comch_producer_as_ctx(producer));
}

uint8_t *path_slot(struct path *path)
{
	return path->out.base + path->next_slot * path->slot;
}

static doca_error_t submit(struct path *path, struct doca_buf *buf, uint32_t id, const void *imm,
			   uint32_t imm_len)
{
	struct doca_comch_producer_task_send *task;
	doca_error_t result;

	result = doca_comch_producer_task_send_alloc_init(
		path->producer, buf, (uint8_t *)(uintptr_t)imm, imm_len, id, &task);
	if (result != DOCA_SUCCESS)
		return result;
	result = doca_task_submit(doca_comch_producer_task_send_as_task(task));
	if (result != DOCA_SUCCESS)
		doca_task_free(doca_comch_producer_task_send_as_task(task));
	return result;
}

doca_error_t path_send(struct path *path, uint32_t id, size_t len, const void *imm,
		       uint32_t imm_len)
{
	struct doca_buf *buf;
	doca_error_t result;

	TRY(doca_buf_inventory_buf_get_by_data(path->out.inventory, path->out.mmap, path_slot(path),
					       len, &buf));
	result = submit(path, buf, id, imm, imm_len);
	if (result == DOCA_SUCCESS) {
		path->next_slot = (path->next_slot + 1) % path->depth;
		path->sending++;
	} else {
		TRY(doca_buf_dec_refcount(buf, NULL));
	}
	return result;
}

/* --- end --- */

doca_error_t path_open(struct path *path, bool shared)
{
	doca_error_t result = path_open_consumer(path, shared);

	if (result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS)
		result = path_open_producer(path, shared);
	return result;
}

static void stop(struct path *path, struct doca_ctx *ctx)
{
	TRY(doca_ctx_stop(ctx));
	while (ctx_state(ctx) != DOCA_CTX_STATE_IDLE)
		engine_turn(path->end->engine);
}

void path_close(struct path *path)
{
	if (path->producer != NULL) {
		stop(path, doca_comch_producer_as_ctx(path->producer));
		TRY(doca_comch_producer_destroy(path->producer));
	}
	if (path->consumer != NULL) {
		stop(path, doca_comch_consumer_as_ctx(path->consumer));
		TRY(doca_comch_consumer_destroy(path->consumer));
	}
	if (path->posted != 0 || path->sending != 0)
		peer_wrong("%u receives and %u sends never came back", path->posted, path->sending);
	peer_memory_close(&path->in);
	peer_memory_close(&path->out);
	path->consumer = NULL;
	path->producer = NULL;
}
