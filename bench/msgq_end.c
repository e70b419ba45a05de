/* SPDX-License-Identifier: BSD-3-Clause */
#include "msgq_end.h"

#include <sched.h>

extern struct doca_dpa_app *bench_msgq_app;
extern doca_dpa_func_t post_receives;

#define OK(call) doca_ok(end->bench, call, #call)

void msgq_end_on_core(unsigned core)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(bench_core(core), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	struct msgq_end *end = ctx_user_data.ptr;

	(void)task_user_data;
	end->idle = task;
}

static void on_failed(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	struct msgq_end *end = ctx_user_data.ptr;

	(void)task_user_data;
	OK(doca_task_get_status(doca_comch_producer_task_send_as_task(task)));
}

static void on_received(struct doca_comch_consumer_task_post_recv *task,
			union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct msgq_end *end = ctx_user_data.ptr;

	(void)task_user_data;
	end->received++;
	OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
}

static void on_flushed(struct doca_comch_consumer_task_post_recv *task,
		       union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
}

static bool open_dpa(struct msgq_end *end, doca_dpa_func_t *kernel)
{
	return device_open(end->bench, DPU_PCI_ADDR, &end->dev) &&
	       engine_open(end->bench, &end->pe) && OK(doca_dpa_create(end->dev, &end->dpa)) &&
	       OK(doca_dpa_set_app(end->dpa, bench_msgq_app)) && OK(doca_dpa_start(end->dpa)) &&
	       OK(doca_dpa_thread_create(end->dpa, &end->thread)) &&
	       OK(doca_dpa_thread_set_func_arg(end->thread, kernel, (uintptr_t)&end->shared)) &&
	       OK(doca_dpa_thread_start(end->thread));
}

static bool open_consumer(struct msgq_end *end)
{
	struct doca_comch_consumer *consumer;

	return OK(doca_comch_msgq_create(end->dev, &end->down)) &&
	       OK(doca_comch_msgq_set_dpa_consumer(end->down, end->dpa)) &&
	       OK(doca_comch_msgq_start(end->down)) &&
	       OK(doca_comch_consumer_completion_create(&end->arrivals)) &&
	       OK(doca_comch_consumer_completion_set_max_num_recv(end->arrivals, MSGQ_DEPTH)) &&
	       OK(doca_comch_consumer_completion_set_dpa_thread(end->arrivals, end->thread)) &&
	       OK(doca_comch_consumer_completion_start(end->arrivals)) &&
	       OK(doca_comch_consumer_completion_get_dpa_handle(end->arrivals,
								&end->shared.arrivals)) &&
	       OK(doca_comch_msgq_consumer_create(end->down, &consumer)) &&
	       OK(doca_ctx_set_datapath_on_dpa(doca_comch_consumer_as_ctx(consumer), end->dpa)) &&
	       OK(doca_comch_consumer_set_completion(consumer, end->arrivals, 0)) &&
	       OK(doca_comch_consumer_set_dev_max_num_recv(consumer, MSGQ_DEPTH)) &&
	       OK(doca_ctx_start(doca_comch_consumer_as_ctx(consumer))) &&
	       OK(doca_comch_consumer_get_dpa_handle(consumer, &end->shared.consumer));
}

static bool open_producer(struct msgq_end *end)
{
	const union doca_data self = {.ptr = end};
	struct doca_comch_producer *producer;
	static uint8_t imm[32];

	return OK(doca_comch_msgq_producer_create(end->down, &producer)) &&
	       OK(doca_pe_connect_ctx(end->pe, doca_comch_producer_as_ctx(producer))) &&
	       OK(doca_ctx_set_user_data(doca_comch_producer_as_ctx(producer), self)) &&
	       OK(doca_comch_producer_task_send_set_conf(producer, on_sent, on_failed, 1)) &&
	       OK(doca_ctx_start(doca_comch_producer_as_ctx(producer))) &&
	       OK(doca_comch_producer_task_send_alloc_init(producer, NULL, imm, sizeof(imm), 1,
							   &end->idle));
}

static bool open_dpa_producer(struct msgq_end *end)
{
	struct doca_comch_producer *producer;

	return OK(doca_comch_msgq_create(end->dev, &end->up)) &&
	       OK(doca_comch_msgq_set_dpa_producer(end->up, end->dpa)) &&
	       OK(doca_comch_msgq_start(end->up)) &&
	       OK(doca_dpa_completion_create(end->dpa, MSGQ_DEPTH, &end->sent)) &&
	       OK(doca_dpa_completion_start(end->sent)) &&
	       OK(doca_comch_msgq_producer_create(end->up, &producer)) &&
	       OK(doca_ctx_set_datapath_on_dpa(doca_comch_producer_as_ctx(producer), end->dpa)) &&
	       OK(doca_comch_producer_set_dev_max_num_send(producer, MSGQ_DEPTH)) &&
	       OK(doca_comch_producer_dpa_completion_attach(producer, end->sent)) &&
	       OK(doca_ctx_start(doca_comch_producer_as_ctx(producer))) &&
	       OK(doca_comch_producer_get_dpa_handle(producer, &end->shared.producer));
}

static bool post_all(struct msgq_end *end, struct doca_comch_consumer *consumer)
{
	struct doca_comch_consumer_task_post_recv *task;

	for (int i = 0; i < MSGQ_DEPTH; i++) {
		if (!OK(doca_comch_consumer_task_post_recv_alloc_init(consumer, NULL, &task)) ||
		    !OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task))))
			return false;
	}
	return true;
}

static bool open_cpu_consumer(struct msgq_end *end)
{
	const union doca_data self = {.ptr = end};
	struct doca_comch_consumer *consumer;

	return OK(doca_comch_msgq_consumer_create(end->up, &consumer)) &&
	       OK(doca_pe_connect_ctx(end->pe, doca_comch_consumer_as_ctx(consumer))) &&
	       OK(doca_ctx_set_user_data(doca_comch_consumer_as_ctx(consumer), self)) &&
	       OK(doca_comch_consumer_task_post_recv_set_conf(consumer, on_received, on_flushed,
							      MSGQ_DEPTH)) &&
	       OK(doca_ctx_start(doca_comch_consumer_as_ctx(consumer))) && post_all(end, consumer);
}

static bool open_all(struct msgq_end *end, doca_dpa_func_t *kernel)
{
	uint64_t result;

	return open_dpa(end, kernel) && open_consumer(end) && open_producer(end) &&
	       open_dpa_producer(end) && open_cpu_consumer(end) &&
	       OK(doca_dpa_rpc(end->dpa, &post_receives, &result,
			       (uint64_t)(uintptr_t)&end->shared)) &&
	       OK(doca_dpa_thread_run(end->thread));
}

bool msgq_end_open(struct bench *bench, struct msgq_end *end, doca_dpa_func_t *kernel)
{
	bool opened;

	end->bench = bench;
	msgq_end_on_core(1);
	opened = open_all(end, kernel);
	msgq_end_on_core(0);
	return opened;
}

bool msgq_end_send(struct msgq_end *end)
{
	struct doca_task *task;
	doca_error_t result = DOCA_ERROR_AGAIN;

	while (result == DOCA_ERROR_AGAIN) {
		while (end->idle == NULL) {
			if (!engine_turn(end->bench, end->pe))
				return false;
		}
		task = doca_comch_producer_task_send_as_task(end->idle);
		result = doca_task_submit(task);
		if (result == DOCA_ERROR_AGAIN && !engine_turn(end->bench, end->pe))
			return false;
	}
	end->idle = NULL;
	return OK(result);
}
