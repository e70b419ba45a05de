/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MsgQ: what each call refuses, by what code, and which order of calls is legal.
 */
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>

#include "comch/msgq_rig.h"

static struct rig rig;

KIT_GLOBAL(idle)
{
	doca_dpa_dev_thread_reschedule();
}

static void open_rig(void)
{
	rig_open(&rig, KIT_FUNC(idle));
}

T_CASE(null_pointers)
{
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_comch_msgq *msgq;

	open_rig();
	T_ERR(doca_comch_msgq_create(NULL, &msgq), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_create(rig.dev, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_start(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_set_dpa_consumer(NULL, rig.dpa), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_set_dpa_consumer(rig.down, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_set_dpa_producer(NULL, rig.dpa), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_set_dpa_producer(rig.down, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_set_max_num_consumers(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_set_max_num_producers(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_consumer_create(NULL, &consumer), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_consumer_create(rig.up, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_producer_create(NULL, &producer), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_producer_create(rig.up, NULL), DOCA_ERROR_INVALID_VALUE);
	rig_close(&rig);
}

T_CASE(null_pointers_of_completions)
{
	uint32_t number;
	uint64_t handle;

	open_rig();
	T_ERR(doca_comch_consumer_completion_create(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_start(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_set_dpa_thread(NULL, rig.thread),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_set_dpa_thread(rig.arrivals, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_set_max_num_consumers(NULL, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_set_max_num_recv(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_set_imm_data_len(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_get_max_num_consumers(NULL, &number),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_get_max_num_consumers(rig.arrivals, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_get_max_num_recv(NULL, &number),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_get_max_num_recv(rig.arrivals, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_get_imm_data_len(NULL, &number),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_get_imm_data_len(rig.arrivals, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_get_dpa_handle(NULL, &handle),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_get_dpa_handle(rig.arrivals, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	rig_close(&rig);
}

T_CASE(null_pointers_of_members)
{
	uint64_t handle;

	open_rig();
	T_ERR(doca_comch_consumer_set_completion(NULL, rig.arrivals, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_set_completion(rig.dpa_consumer, NULL, 0),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_set_dev_max_num_recv(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_set_dev_num_recv(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_get_dpa_handle(NULL, &handle), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_get_dpa_handle(rig.dpa_consumer, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_set_dev_max_num_send(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_set_dev_num_send(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_dpa_completion_attach(NULL, rig.sent), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_dpa_completion_attach(rig.dpa_producer, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_get_dpa_handle(NULL, &handle), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_get_dpa_handle(rig.dpa_producer, NULL), DOCA_ERROR_INVALID_VALUE);
	rig_close(&rig);
}

T_CASE(device_without_a_dpa)
{
	struct doca_comch_msgq *msgq;
	struct doca_dev *dev;

	kit_topology("{\"limits\": {\"dpa_cores\": 0}}");
	dev = kit_open(KIT_DPU);
	T_ERR(doca_comch_msgq_create(dev, &msgq), DOCA_ERROR_NOT_SUPPORTED);
	T_OK(doca_dev_close(dev));
}

T_CASE(device_is_held)
{
	struct doca_dev *dev = kit_open(KIT_HOST);
	struct doca_comch_msgq *msgq;

	T_OK(doca_comch_msgq_create(dev, &msgq));
	T_ERR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	T_OK(doca_comch_msgq_destroy(msgq));
	T_OK(doca_dev_close(dev));
}

T_CASE(one_side_on_a_dpa)
{
	struct doca_dpa *other = kit_dpa(KIT_DPU_1);
	struct doca_comch_msgq *msgq;

	open_rig();
	msgq = msgq_open(rig.dev, 1, 1);
	T_ERR(doca_comch_msgq_set_dpa_consumer(msgq, other), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_set_dpa_producer(msgq, other), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_msgq_set_dpa_producer(msgq, rig.dpa));
	T_ERR(doca_comch_msgq_set_dpa_consumer(msgq, rig.dpa), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_msgq_destroy(msgq));
	T_OK(doca_comch_msgq_create(rig.dev, &msgq));
	T_OK(doca_comch_msgq_set_dpa_consumer(msgq, rig.dpa));
	T_ERR(doca_comch_msgq_set_dpa_producer(msgq, rig.dpa), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_msgq_destroy(msgq));
	rig_close(&rig);
	kit_dpa_end(other);
}

T_CASE(settings_are_fixed_by_start)
{
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_comch_msgq *msgq;

	open_rig();
	msgq = msgq_open(rig.dev, 1, 1);
	T_ERR(doca_comch_msgq_stop(msgq), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_consumer_create(msgq, &consumer), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_producer_create(msgq, &producer), DOCA_ERROR_BAD_STATE);
	T_OK(doca_comch_msgq_start(msgq));
	T_ERR(doca_comch_msgq_start(msgq), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_set_dpa_consumer(msgq, rig.dpa), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_set_dpa_producer(msgq, rig.dpa), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_set_max_num_consumers(msgq, 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_set_max_num_producers(msgq, 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_destroy(msgq), DOCA_ERROR_BAD_STATE);
	T_OK(doca_comch_msgq_stop(msgq));
	T_OK(doca_comch_msgq_set_max_num_consumers(msgq, 2));
	T_OK(doca_comch_msgq_start(msgq));
	msgq_close(msgq);
	rig_close(&rig);
}

T_CASE(numbers_of_members)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_comch_consumer *consumers[3];
	struct doca_comch_producer *producers[3];
	struct doca_comch_msgq *msgq;

	T_OK(doca_comch_msgq_create(dev, &msgq));
	T_ERR(doca_comch_msgq_set_max_num_consumers(msgq, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_set_max_num_consumers(msgq, 65), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_msgq_set_max_num_consumers(msgq, 2));
	T_ERR(doca_comch_msgq_set_max_num_producers(msgq, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_msgq_set_max_num_producers(msgq, 65), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_msgq_set_max_num_producers(msgq, 2));
	T_OK(doca_comch_msgq_start(msgq));
	for (int i = 0; i < 2; i++) {
		T_OK(doca_comch_msgq_consumer_create(msgq, &consumers[i]));
		T_OK(doca_comch_msgq_producer_create(msgq, &producers[i]));
	}
	T_ERR(doca_comch_msgq_consumer_create(msgq, &consumers[2]), DOCA_ERROR_NO_MEMORY);
	T_ERR(doca_comch_msgq_producer_create(msgq, &producers[2]), DOCA_ERROR_NO_MEMORY);
	/* Any member stands against stop, started or not. */
	for (int i = 0; i < 2; i++) {
		T_ERR(doca_comch_msgq_stop(msgq), DOCA_ERROR_IN_USE);
		T_OK(doca_comch_consumer_destroy(consumers[i]));
		T_ERR(doca_comch_msgq_stop(msgq), DOCA_ERROR_IN_USE);
		T_OK(doca_comch_producer_destroy(producers[i]));
	}
	msgq_close(msgq);
	T_OK(doca_dev_close(dev));
}

T_CASE(settings_of_a_completion)
{
	struct doca_comch_consumer_completion *completion;
	uint32_t number;
	uint64_t handle;

	open_rig();
	T_OK(doca_comch_consumer_completion_create(&completion));
	T_OK(doca_comch_consumer_completion_get_max_num_consumers(completion, &number));
	T_EQ(number, 1);
	T_ERR(doca_comch_consumer_completion_set_max_num_consumers(completion, 0),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_set_max_num_consumers(completion, 1u << 31),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_consumer_completion_set_max_num_consumers(completion, 3));
	T_OK(doca_comch_consumer_completion_get_max_num_consumers(completion, &number));
	T_EQ(number, 4);
	T_ERR(doca_comch_consumer_completion_set_max_num_recv(completion, 0),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_completion_set_max_num_recv(completion, UINT32_MAX),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_consumer_completion_set_max_num_recv(completion, 100));
	T_OK(doca_comch_consumer_completion_get_max_num_recv(completion, &number));
	T_EQ(number, 128);
	T_OK(doca_comch_consumer_completion_get_imm_data_len(completion, &number));
	T_EQ(number, 32);
	T_ERR(doca_comch_consumer_completion_set_imm_data_len(completion, 33),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_consumer_completion_set_imm_data_len(completion, 16));
	T_OK(doca_comch_consumer_completion_get_imm_data_len(completion, &number));
	T_EQ(number, 16);
	T_ERR(doca_comch_consumer_completion_start(completion), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_completion_stop(completion), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_completion_get_dpa_handle(completion, &handle),
	      DOCA_ERROR_BAD_STATE);
	T_OK(doca_comch_consumer_completion_destroy(completion));
	rig_close(&rig);
}

T_CASE(completion_that_is_started)
{
	open_rig();
	T_ERR(doca_comch_consumer_completion_start(rig.arrivals), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_completion_set_dpa_thread(rig.arrivals, rig.thread),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_completion_set_max_num_consumers(rig.arrivals, 1),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_completion_set_max_num_recv(rig.arrivals, 1),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_completion_set_imm_data_len(rig.arrivals, 1),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_completion_destroy(rig.arrivals), DOCA_ERROR_BAD_STATE);
	/* Attached from set_completion() on, until the consumer is destroyed. */
	T_ERR(doca_comch_consumer_completion_stop(rig.arrivals), DOCA_ERROR_IN_USE);
	T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(rig.dpa_consumer)));
	T_ERR(doca_comch_consumer_completion_stop(rig.arrivals), DOCA_ERROR_IN_USE);
	rig_close(&rig);
}

T_CASE(thread_of_a_completion_is_started)
{
	struct doca_comch_consumer_completion *completion;
	struct doca_dpa_thread *thread;

	open_rig();
	T_OK(doca_dpa_thread_create(rig.dpa, &thread));
	T_OK(doca_comch_consumer_completion_create(&completion));
	T_OK(doca_comch_consumer_completion_set_dpa_thread(completion, thread));
	T_ERR(doca_comch_consumer_completion_start(completion), DOCA_ERROR_BAD_STATE);
	T_OK(doca_comch_consumer_completion_destroy(completion));
	T_OK(doca_dpa_thread_destroy(thread));
	rig_close(&rig);
}

static struct doca_comch_consumer *new_consumer(void)
{
	struct doca_comch_consumer *consumer;

	T_OK(doca_comch_msgq_consumer_create(rig.down, &consumer));
	return consumer;
}

T_CASE(dpa_consumer_is_configured_in_order)
{
	struct doca_comch_consumer *consumer;
	struct doca_ctx *ctx;
	uint64_t handle;

	rig.sharers = 2;
	open_rig();
	consumer = new_consumer();
	ctx = doca_comch_consumer_as_ctx(consumer);
	T_ERR(doca_comch_consumer_set_completion(consumer, rig.arrivals, 0), DOCA_ERROR_BAD_STATE);
	T_OK(doca_pe_connect_ctx(rig.pe, ctx));
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_set_datapath_on_dpa(ctx, rig.dpa));
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_BAD_CONFIG);
	T_OK(doca_comch_consumer_set_completion(consumer, rig.arrivals, 0));
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_BAD_CONFIG);
	T_ERR(doca_comch_consumer_set_dev_max_num_recv(consumer, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_set_dev_max_num_recv(consumer, 1u << 20),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_consumer_set_dev_num_recv(consumer, 4));
	T_ERR(doca_comch_consumer_get_dpa_handle(consumer, &handle), DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_start(ctx));
	T_OK(doca_comch_consumer_get_dpa_handle(consumer, &handle));
	T_ERR(doca_comch_consumer_set_completion(consumer, rig.arrivals, 0), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_set_dev_max_num_recv(consumer, 4), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_destroy(consumer), DOCA_ERROR_IN_USE);
	T_OK(doca_ctx_stop(ctx));
	T_ERR(doca_comch_consumer_get_dpa_handle(consumer, &handle), DOCA_ERROR_BAD_STATE);
	T_OK(doca_comch_consumer_destroy(consumer));
	rig_close(&rig);
}

T_CASE(completion_has_room_for_consumers)
{
	struct doca_comch_consumer *consumers[3];

	rig.sharers = 4;
	open_rig();
	for (int i = 0; i < 3; i++) {
		consumers[i] = new_consumer();
		T_OK(doca_ctx_set_datapath_on_dpa(doca_comch_consumer_as_ctx(consumers[i]),
						  rig.dpa));
		T_OK(doca_comch_consumer_set_completion(consumers[i], rig.arrivals, 0));
	}
	/* Four are there now; a change counts twice for a moment. */
	T_ERR(doca_comch_consumer_set_completion(consumers[2], rig.arrivals, 0),
	      DOCA_ERROR_NO_MEMORY);
	for (int i = 0; i < 3; i++)
		T_OK(doca_comch_consumer_destroy(consumers[i]));
	rig_close(&rig);
}

T_CASE(completion_takes_as_much_as_its_consumers)
{
	struct doca_comch_consumer_completion *completion;
	struct doca_comch_consumer *consumer;
	struct doca_ctx *ctx;

	open_rig();
	T_OK(doca_comch_consumer_completion_create(&completion));
	T_OK(doca_comch_consumer_completion_set_imm_data_len(completion, 8));
	T_OK(doca_comch_consumer_completion_set_dpa_thread(completion, rig.thread));
	consumer = new_consumer();
	ctx = doca_comch_consumer_as_ctx(consumer);
	T_OK(doca_ctx_set_datapath_on_dpa(ctx, rig.dpa));
	T_ERR(doca_comch_consumer_set_completion(consumer, completion, 0), DOCA_ERROR_BAD_STATE);
	T_OK(doca_comch_consumer_completion_start(completion));
	T_OK(doca_comch_consumer_set_completion(consumer, completion, 0));
	T_OK(doca_comch_consumer_set_dev_max_num_recv(consumer, 4));
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_BAD_CONFIG);
	T_OK(doca_comch_consumer_set_imm_data_len(consumer, 8));
	T_OK(doca_ctx_start(ctx));
	T_OK(doca_ctx_stop(ctx));
	T_OK(doca_comch_consumer_destroy(consumer));
	T_OK(doca_comch_consumer_completion_stop(completion));
	T_OK(doca_comch_consumer_completion_destroy(completion));
	rig_close(&rig);
}

T_CASE(dpa_producer_is_configured_in_order)
{
	struct doca_comch_producer *producer;
	struct doca_dpa_completion *sent;
	struct doca_ctx *ctx;
	uint64_t handle;

	open_rig();
	T_OK(doca_dpa_completion_create(rig.dpa, 4, &sent));
	T_OK(doca_comch_msgq_producer_create(rig.up, &producer));
	ctx = doca_comch_producer_as_ctx(producer);
	T_ERR(doca_comch_producer_dpa_completion_attach(producer, rig.sent), DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_set_datapath_on_dpa(ctx, rig.dpa));
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_BAD_CONFIG);
	T_ERR(doca_comch_producer_dpa_completion_attach(producer, sent), DOCA_ERROR_BAD_STATE);
	T_OK(doca_comch_producer_dpa_completion_attach(producer, rig.sent));
	T_ERR(doca_comch_producer_set_dev_max_num_send(producer, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_set_dev_max_num_send(producer, 1u << 20),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_producer_set_dev_num_send(producer, 8));
	T_ERR(doca_comch_producer_get_dpa_handle(producer, &handle), DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_start(ctx));
	T_OK(doca_comch_producer_get_dpa_handle(producer, &handle));
	T_ERR(doca_comch_producer_dpa_completion_attach(producer, rig.sent), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_producer_set_dev_max_num_send(producer, 8), DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_stop(ctx));
	T_OK(doca_comch_producer_destroy(producer));
	T_OK(doca_dpa_completion_destroy(sent));
	rig_close(&rig);
}

static void refuse_task(struct doca_comch_producer_task_send *task, union doca_data task_data,
			union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_producer_task_send_as_task(task));
}

static void refuse_receive(struct doca_comch_consumer_task_post_recv *task,
			   union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
}

T_CASE(members_on_a_dpa_have_no_tasks)
{
	open_rig();
	T_ERR(doca_comch_producer_task_send_set_conf(rig.dpa_producer, refuse_task, refuse_task, 4),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_task_post_recv_set_conf(rig.dpa_consumer, refuse_receive,
							  refuse_receive, 4),
	      DOCA_ERROR_BAD_STATE);
	rig_close(&rig);
}

T_CASE(members_on_the_cpu_have_no_dpa)
{
	struct doca_comch_consumer *consumer = NULL;
	struct doca_comch_producer *producer = NULL;
	uint64_t handle;

	open_rig();
	T_OK(doca_comch_msgq_consumer_create(rig.up, &consumer));
	T_OK(doca_comch_msgq_producer_create(rig.down, &producer));
	T_ERR(doca_ctx_set_datapath_on_dpa(doca_comch_consumer_as_ctx(consumer), rig.dpa),
	      DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_ctx_set_datapath_on_dpa(doca_comch_producer_as_ctx(producer), rig.dpa),
	      DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_comch_consumer_set_completion(consumer, rig.arrivals, 0), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_set_dev_max_num_recv(consumer, 4), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_producer_dpa_completion_attach(producer, rig.sent), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_producer_set_dev_max_num_send(producer, 4), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_get_dpa_handle(rig.cpu_consumer.consumer, &handle),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_producer_get_dpa_handle(rig.cpu_producer.producer, &handle),
	      DOCA_ERROR_BAD_STATE);
	T_OK(doca_comch_consumer_destroy(consumer));
	T_OK(doca_comch_producer_destroy(producer));
	rig_close(&rig);
}

T_CASE(another_dpa)
{
	struct doca_dpa *other = kit_dpa(KIT_DPU_1);
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_dpa_completion *sent;

	open_rig();
	consumer = new_consumer();
	T_ERR(doca_ctx_set_datapath_on_dpa(doca_comch_consumer_as_ctx(consumer), other),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_consumer_destroy(consumer));
	T_OK(doca_comch_msgq_producer_create(rig.up, &producer));
	T_OK(doca_ctx_set_datapath_on_dpa(doca_comch_producer_as_ctx(producer), rig.dpa));
	T_OK(doca_dpa_completion_create(other, 4, &sent));
	T_OK(doca_dpa_completion_start(sent));
	T_ERR(doca_comch_producer_dpa_completion_attach(producer, sent), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_producer_destroy(producer));
	T_OK(doca_dpa_completion_destroy(sent));
	rig_close(&rig);
	kit_dpa_end(other);
}

static char byte;

T_CASE(no_buffers_on_a_msgq)
{
	struct doca_comch_consumer_task_post_recv *receive;
	struct doca_comch_producer_task_send *send;
	struct doca_buf_inventory *inventory;
	struct doca_mmap *mmap;
	struct doca_buf *buf;

	open_rig();
	mmap = kit_mmap(rig.dev, &byte, 1, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	T_OK(doca_buf_inventory_create(1, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, &byte, 1, &buf));
	T_ERR(doca_comch_consumer_task_post_recv_alloc_init(rig.cpu_consumer.consumer, buf,
							    &receive),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_task_send_alloc_init(rig.cpu_producer.producer, buf, NULL, 0, 1,
						       &send),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_consumer_task_post_recv_alloc_init(rig.cpu_consumer.consumer, NULL,
							   &receive));
	doca_comch_consumer_task_post_recv_set_buf(receive, buf);
	T_ERR(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(receive)),
	      DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(receive));
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
	rig_close(&rig);
}

T_CASE(start_needs_tasks)
{
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;

	open_rig();
	T_OK(doca_comch_msgq_consumer_create(rig.up, &consumer));
	T_OK(doca_pe_connect_ctx(rig.pe, doca_comch_consumer_as_ctx(consumer)));
	T_ERR(doca_ctx_start(doca_comch_consumer_as_ctx(consumer)), DOCA_ERROR_BAD_CONFIG);
	T_OK(doca_comch_consumer_destroy(consumer));
	T_OK(doca_comch_msgq_producer_create(rig.down, &producer));
	T_ERR(doca_ctx_start(doca_comch_producer_as_ctx(producer)), DOCA_ERROR_NOT_CONNECTED);
	T_OK(doca_pe_connect_ctx(rig.pe, doca_comch_producer_as_ctx(producer)));
	T_ERR(doca_ctx_start(doca_comch_producer_as_ctx(producer)), DOCA_ERROR_BAD_CONFIG);
	T_OK(doca_comch_producer_destroy(producer));
	rig_close(&rig);
}

static void in_child(void)
{
	struct doca_comch_consumer_completion *completion;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_comch_msgq *msgq;

	T_ERR(doca_comch_msgq_create(rig.dev, &msgq), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_stop(rig.up), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_destroy(rig.up), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_consumer_create(rig.up, &consumer), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_producer_create(rig.up, &producer), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_completion_create(&completion), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_completion_stop(rig.arrivals), DOCA_ERROR_BAD_STATE);
	T_ERR(rig_try(&rig, 1), DOCA_ERROR_BAD_STATE);
}

T_CASE(nothing_of_it_works_after_fork)
{
	open_rig();
	kit_in_child(in_child);
	rig_close(&rig);
}
