/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch/msgq_kit.h"

#include <string.h>

struct doca_comch_msgq *msgq_open(struct doca_dev *dev, uint32_t consumers, uint32_t producers)
{
	struct doca_comch_msgq *msgq;

	T_OK(doca_comch_msgq_create(dev, &msgq));
	T_OK(doca_comch_msgq_set_max_num_consumers(msgq, consumers));
	T_OK(doca_comch_msgq_set_max_num_producers(msgq, producers));
	return msgq;
}

void msgq_close(struct doca_comch_msgq *msgq)
{
	T_OK(doca_comch_msgq_stop(msgq));
	T_OK(doca_comch_msgq_destroy(msgq));
}

static enum doca_ctx_states state_of(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state;

	T_OK(doca_ctx_get_state(ctx, &state));
	return state;
}

static void note(struct cpu_consumer *consumer,
		 const struct doca_comch_consumer_task_post_recv *task)
{
	const uint8_t *imm = doca_comch_consumer_task_post_recv_get_imm_data(task);

	consumer->producer = doca_comch_consumer_task_post_recv_get_producer_id(task);
	consumer->imm_len = doca_comch_consumer_task_post_recv_get_imm_data_len(task);
	if (imm != NULL)
		memcpy(consumer->imm, imm, consumer->imm_len);
	consumer->got++;
}

static void on_message(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
		       union doca_data ctx_data)
{
	struct cpu_consumer *consumer = ctx_data.ptr;
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);

	(void)task_data;
	note(consumer, task);
	if (consumer->on_message != NULL)
		consumer->on_message(consumer);
	if (consumer->repost && state_of(consumer->ctx) == DOCA_CTX_STATE_RUNNING)
		T_OK(doca_task_submit(base));
	else
		doca_task_free(base);
}

static void on_flushed(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
		       union doca_data ctx_data)
{
	struct cpu_consumer *consumer = ctx_data.ptr;
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);

	(void)task_data;
	consumer->flushed++;
	consumer->last_status = doca_task_get_status(base);
	doca_task_free(base);
}

void cpu_consumer_open(struct cpu_consumer *consumer, struct doca_comch_msgq *msgq,
		       struct doca_pe *pe, uint32_t num)
{
	const union doca_data self = {.ptr = consumer};

	consumer->pe = pe;
	consumer->num = num;
	T_OK(doca_comch_msgq_consumer_create(msgq, &consumer->consumer));
	T_OK(doca_comch_consumer_get_id(consumer->consumer, &consumer->id));
	consumer->ctx = doca_comch_consumer_as_ctx(consumer->consumer);
	T_OK(doca_pe_connect_ctx(pe, consumer->ctx));
	T_OK(doca_ctx_set_user_data(consumer->ctx, self));
	T_OK(doca_comch_consumer_task_post_recv_set_conf(consumer->consumer, on_message, on_flushed,
							 num));
	T_OK(doca_ctx_start(consumer->ctx));
}

void cpu_consumer_post(struct cpu_consumer *consumer, uint32_t num)
{
	for (uint32_t i = 0; i < num; i++) {
		struct doca_comch_consumer_task_post_recv *task;

		T_OK(doca_comch_consumer_task_post_recv_alloc_init(consumer->consumer, NULL,
								   &task));
		T_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	}
}

void cpu_consumer_close(struct cpu_consumer *consumer)
{
	consumer->repost = false;
	(void)doca_ctx_stop(consumer->ctx);
	PE_UNTIL(consumer->pe, state_of(consumer->ctx) == DOCA_CTX_STATE_IDLE);
	T_OK(doca_comch_consumer_destroy(consumer->consumer));
}

uint32_t cpu_consumer_number(const struct cpu_consumer *consumer)
{
	uint32_t number;

	T_EQ(consumer->imm_len, sizeof(number));
	memcpy(&number, consumer->imm, sizeof(number));
	return number;
}

static void on_done(struct doca_comch_producer_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	struct cpu_producer *producer = ctx_data.ptr;

	(void)task_data;
	producer->done++;
	doca_task_free(doca_comch_producer_task_send_as_task(task));
}

static void on_failed(struct doca_comch_producer_task_send *task, union doca_data task_data,
		      union doca_data ctx_data)
{
	struct cpu_producer *producer = ctx_data.ptr;

	(void)task_data;
	producer->failed++;
	doca_task_free(doca_comch_producer_task_send_as_task(task));
}

void cpu_producer_open(struct cpu_producer *producer, struct doca_comch_msgq *msgq,
		       struct doca_pe *pe, uint32_t num)
{
	const union doca_data self = {.ptr = producer};

	producer->pe = pe;
	T_OK(doca_comch_msgq_producer_create(msgq, &producer->producer));
	T_OK(doca_comch_producer_get_id(producer->producer, &producer->id));
	producer->ctx = doca_comch_producer_as_ctx(producer->producer);
	T_OK(doca_pe_connect_ctx(pe, producer->ctx));
	T_OK(doca_ctx_set_user_data(producer->ctx, self));
	T_OK(doca_comch_producer_task_send_set_conf(producer->producer, on_done, on_failed, num));
	T_OK(doca_ctx_start(producer->ctx));
}

doca_error_t cpu_producer_try(struct cpu_producer *producer, uint32_t id, const void *imm,
			      uint32_t imm_len)
{
	struct doca_comch_producer_task_send *task;
	doca_error_t result = doca_comch_producer_task_send_alloc_init(
		producer->producer, NULL, (uint8_t *)(uintptr_t)imm, imm_len, id, &task);

	if (result != DOCA_SUCCESS)
		return result;
	result = doca_task_submit(doca_comch_producer_task_send_as_task(task));
	if (result != DOCA_SUCCESS)
		doca_task_free(doca_comch_producer_task_send_as_task(task));
	return result;
}

void cpu_producer_send(struct cpu_producer *producer, uint32_t id, uint32_t number)
{
	doca_error_t result;

	T_EVENTUALLY((doca_pe_progress(producer->pe),
		      (result = cpu_producer_try(producer, id, &number, sizeof(number))) !=
				      DOCA_ERROR_AGAIN &&
			      result != DOCA_ERROR_NO_MEMORY),
		     10000);
	T_OK(result);
}

void cpu_producer_close(struct cpu_producer *producer)
{
	(void)doca_ctx_stop(producer->ctx);
	PE_UNTIL(producer->pe, state_of(producer->ctx) == DOCA_CTX_STATE_IDLE);
	T_OK(doca_comch_producer_destroy(producer->producer));
}
