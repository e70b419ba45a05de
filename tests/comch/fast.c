/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch/fast.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum doca_ctx_states ctx_state(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state;

	T_OK(doca_ctx_get_state(ctx, &state));
	return state;
}

void memory_open(struct memory *memory, struct doca_dev *dev, size_t size, bool shared,
		 uint32_t permissions)
{
	memory->size = size;
	memory->shared = shared;
	/* The descriptor stays open: the library finds the file by it. */
	memory->base = shared ? t_map_file(t_memory_file(size, F_SEAL_SHRINK), size) : malloc(size);
	T_CHECK(memory->base != NULL);
	memset(memory->base, 0, size);
	T_OK(doca_mmap_create(&memory->mmap));
	T_OK(doca_mmap_add_dev(memory->mmap, dev));
	T_OK(doca_mmap_set_memrange(memory->mmap, memory->base, size));
	T_OK(doca_mmap_set_permissions(memory->mmap, permissions));
	T_OK(doca_mmap_start(memory->mmap));
	T_OK(doca_buf_inventory_create(4096, &memory->inventory));
	T_OK(doca_buf_inventory_start(memory->inventory));
}

void memory_close(struct memory *memory)
{
	if (memory->mmap == NULL)
		return;
	T_OK(doca_buf_inventory_destroy(memory->inventory));
	T_OK(doca_mmap_destroy(memory->mmap));
	if (memory->shared)
		T_EQ(munmap(memory->base, memory->size), 0);
	else
		free(memory->base);
	memset(memory, 0, sizeof(*memory));
}

struct doca_buf *memory_buf(struct memory *memory, size_t offset, size_t len, bool data)
{
	struct doca_buf *buf;

	if (data)
		T_OK(doca_buf_inventory_buf_get_by_data(memory->inventory, memory->mmap,
							memory->base + offset, len, &buf));
	else
		T_OK(doca_buf_inventory_buf_get_by_addr(memory->inventory, memory->mmap,
							memory->base + offset, len, &buf));
	return buf;
}

void pattern_fill(uint8_t *at, size_t len, uint8_t seed)
{
	for (size_t i = 0; i < len; i++)
		at[i] = (uint8_t)(seed + i * 13 + (i >> 8));
}

void pattern_check(const uint8_t *at, size_t len, uint8_t seed)
{
	for (size_t i = 0; i < len; i++)
		if (at[i] != (uint8_t)(seed + i * 13 + (i >> 8)))
			T_FAIL("byte %zu of %zu differs", i, len);
}

static void receiver_note(struct receiver *receiver,
			  struct doca_comch_consumer_task_post_recv *task)
{
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	const uint8_t *imm = doca_comch_consumer_task_post_recv_get_imm_data(task);

	receiver->producer = doca_comch_consumer_task_post_recv_get_producer_id(task);
	receiver->imm_len = doca_comch_consumer_task_post_recv_get_imm_data_len(task);
	if (imm != NULL)
		memcpy(receiver->imm, imm, receiver->imm_len);
	receiver->len = 0;
	if (buf == NULL)
		return;
	T_OK(doca_buf_get_data_len(buf, &receiver->len));
	T_OK(doca_buf_get_data(buf, (void **)&receiver->data));
}

static void on_received(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
			union doca_data ctx_data)
{
	struct receiver *receiver = ctx_data.ptr;
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);

	(void)task_data;
	receiver_note(receiver, task);
	receiver->got++;
	if (receiver->on_message != NULL)
		receiver->on_message(receiver, task);
	if (receiver->repost && ctx_state(receiver->ctx) == DOCA_CTX_STATE_RUNNING) {
		if (buf != NULL)
			T_OK(doca_buf_reset_data_len(buf));
		T_OK(doca_task_submit(base));
		return;
	}
	doca_task_free(base);
	if (buf != NULL)
		T_OK(doca_buf_dec_refcount(buf, NULL));
}

static void on_flushed(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
		       union doca_data ctx_data)
{
	struct receiver *receiver = ctx_data.ptr;
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);

	(void)task_data;
	receiver->flushed++;
	receiver->last_status = doca_task_get_status(base);
	doca_task_free(base);
	if (buf != NULL)
		T_OK(doca_buf_dec_refcount(buf, NULL));
}

void receiver_create(struct receiver *receiver, struct end *end, struct doca_pe *pe, uint32_t num,
		     size_t slot, bool shared)
{
	const union doca_data self = {.ptr = receiver};

	receiver->end = end;
	receiver->pe = pe;
	receiver->num = num;
	receiver->slot = slot;
	memory_open(&receiver->memory, end->dev, slot == 0 ? 4096 : num * slot, shared,
		    DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	T_OK(doca_comch_consumer_create(end->connection, receiver->memory.mmap,
					&receiver->consumer));
	T_OK(doca_comch_consumer_get_id(receiver->consumer, &receiver->id));
	receiver->ctx = doca_comch_consumer_as_ctx(receiver->consumer);
	T_OK(doca_pe_connect_ctx(pe, receiver->ctx));
	T_OK(doca_ctx_set_user_data(receiver->ctx, self));
	T_OK(doca_comch_consumer_task_post_recv_set_conf(receiver->consumer, on_received,
							 on_flushed, num));
}

void receiver_start(struct receiver *receiver, void (*turn)(void *), void *arg)
{
	T_ERR(doca_ctx_start(receiver->ctx), DOCA_ERROR_IN_PROGRESS);
	T_EVENTUALLY((turn(arg), doca_pe_progress(receiver->pe),
		      ctx_state(receiver->ctx) == DOCA_CTX_STATE_RUNNING),
		     10000);
}

void receiver_post(struct receiver *receiver, uint32_t i)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *buf = NULL;

	if (receiver->slot != 0)
		buf = memory_buf(&receiver->memory, i * receiver->slot, receiver->slot, false);
	T_OK(doca_comch_consumer_task_post_recv_alloc_init(receiver->consumer, buf, &task));
	T_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
}

void receiver_post_all(struct receiver *receiver)
{
	for (uint32_t i = 0; i < receiver->num; i++)
		receiver_post(receiver, i);
}

void receiver_close(struct receiver *receiver, void (*turn)(void *), void *arg)
{
	receiver->repost = false;
	(void)doca_ctx_stop(receiver->ctx);
	T_EVENTUALLY((turn(arg), doca_pe_progress(receiver->pe),
		      ctx_state(receiver->ctx) == DOCA_CTX_STATE_IDLE),
		     10000);
	T_OK(doca_comch_consumer_destroy(receiver->consumer));
	memory_close(&receiver->memory);
	memset(receiver, 0, sizeof(*receiver));
}

static void sender_over(struct doca_comch_producer_task_send *task, struct sender *sender)
{
	struct doca_task *base = doca_comch_producer_task_send_as_task(task);
	struct doca_buf *buf =
		(struct doca_buf *)(uintptr_t)doca_comch_producer_task_send_get_buf(task);

	sender->last_status = doca_task_get_status(base);
	if (sender->on_done != NULL) {
		sender->on_done(sender, base);
		return;
	}
	doca_task_free(base);
	if (buf != NULL)
		T_OK(doca_buf_dec_refcount(buf, NULL));
}

static void on_done(struct doca_comch_producer_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	struct sender *sender = ctx_data.ptr;

	(void)task_data;
	sender->done++;
	sender_over(task, sender);
}

static void on_failed(struct doca_comch_producer_task_send *task, union doca_data task_data,
		      union doca_data ctx_data)
{
	struct sender *sender = ctx_data.ptr;

	(void)task_data;
	sender->failed++;
	sender_over(task, sender);
}

void sender_create(struct sender *sender, struct end *end, struct doca_pe *pe, uint32_t num,
		   size_t size, bool shared)
{
	const union doca_data self = {.ptr = sender};

	sender->end = end;
	sender->pe = pe;
	sender->num = num;
	memory_open(&sender->memory, end->dev, size, shared,
		    DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	T_OK(doca_comch_producer_create(end->connection, &sender->producer));
	sender->ctx = doca_comch_producer_as_ctx(sender->producer);
	T_OK(doca_pe_connect_ctx(pe, sender->ctx));
	T_OK(doca_ctx_set_user_data(sender->ctx, self));
	T_OK(doca_comch_producer_task_send_set_conf(sender->producer, on_done, on_failed, num));
}

void sender_open(struct sender *sender, struct end *end, struct doca_pe *pe, uint32_t num,
		 size_t size, bool shared)
{
	sender_create(sender, end, pe, num, size, shared);
	T_OK(doca_ctx_start(sender->ctx));
}

doca_error_t sender_try(struct sender *sender, uint32_t id, size_t offset, size_t len,
			const void *imm, uint32_t imm_len)
{
	struct doca_comch_producer_task_send *task;
	struct doca_buf *buf = len == 0 ? NULL : memory_buf(&sender->memory, offset, len, true);
	doca_error_t result;

	result = doca_comch_producer_task_send_alloc_init(
		sender->producer, buf, (uint8_t *)(uintptr_t)imm, imm_len, id, &task);
	if (result == DOCA_SUCCESS) {
		result = doca_task_submit(doca_comch_producer_task_send_as_task(task));
		if (result != DOCA_SUCCESS)
			doca_task_free(doca_comch_producer_task_send_as_task(task));
	}
	if (result != DOCA_SUCCESS && buf != NULL)
		T_OK(doca_buf_dec_refcount(buf, NULL));
	return result;
}

void sender_close(struct sender *sender, void (*turn)(void *), void *arg)
{
	(void)doca_ctx_stop(sender->ctx);
	T_EVENTUALLY((turn(arg), doca_pe_progress(sender->pe),
		      ctx_state(sender->ctx) == DOCA_CTX_STATE_IDLE),
		     10000);
	T_OK(doca_comch_producer_destroy(sender->producer));
	memory_close(&sender->memory);
	memset(sender, 0, sizeof(*sender));
}
