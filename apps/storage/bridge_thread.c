/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects of a bridge thread, made and destroyed by the control thread. */
#include "bridge.h"

#include <stdlib.h>

#define MESSAGE_PERMISSIONS (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

static doca_error_t bridge_thread_make_comch(struct bridge_thread *thread)
{
	struct doca_comch_connection *connection = thread->bridge->initiator.connection;
	struct fault *fault = &thread->bridge->app.fault;
	struct comch_link_consumer_conf consumer;
	struct comch_link_producer_conf producer;
	doca_error_t result;

	if (connection == NULL)
		return fault_raise(fault, DOCA_ERROR_CONNECTION_RESET, "The initiator has gone");
	thread->comch.pe = thread->worker.pe;
	bridge_fill_consumer_conf(thread, &consumer);
	bridge_fill_producer_conf(thread, &producer);
	result = comch_link_start_consumer(&thread->comch, connection, &consumer, fault);
	if (result == DOCA_SUCCESS)
		result = comch_link_start_producer(&thread->comch, connection, &producer, fault);
	return result;
}

/*
 * The data link gets no tasks: the target reads and writes through it, and nobody here has to do
 * anything for that. So it may hang on the control engine, out of the way of the data path.
 */
static doca_error_t bridge_thread_make_links(struct bridge_thread *thread)
{
	struct bridge *bridge = thread->bridge;
	struct fault *fault = &bridge->app.fault;
	doca_error_t result;

	result = rdma_link_make(&thread->links[WIRE_ROLE_CTRL], WIRE_ROLE_CTRL, bridge->dev,
				thread->worker.pe, thread, fault);
	if (result == DOCA_SUCCESS)
		result = rdma_link_make(&thread->links[WIRE_ROLE_DATA], WIRE_ROLE_DATA, bridge->dev,
					bridge->pe, thread, fault);
	if (result != DOCA_SUCCESS)
		return result;
	result = bridge_configure_ctrl_tasks(thread);
	if (result != DOCA_SUCCESS)
		return fault_raise(fault, result,
				   "Cannot have %u control RDMA tasks: %s; run the initiator with "
				   "a smaller --per-cpu-buffer-count",
				   bridge_num_requests(bridge), doca_error_get_name(result));
	return DOCA_SUCCESS;
}

doca_error_t bridge_thread_make(struct bridge_thread *thread)
{
	struct bridge *bridge = thread->bridge;
	doca_error_t result;

	result = doca_pe_create(&thread->worker.pe);
	if (result != DOCA_SUCCESS)
		return fault_raise(&bridge->app.fault, result, "Cannot make a progress engine: %s",
				   doca_error_get_name(result));
	result = message_pool_make(&thread->pool, bridge->dev,
				   bridge_num_requests(bridge) + bridge->buffer_count, 0,
				   MESSAGE_PERMISSIONS, &bridge->app.fault);
	if (result == DOCA_SUCCESS)
		result = bridge_thread_make_comch(thread);
	if (result == DOCA_SUCCESS)
		result = bridge_thread_make_links(thread);
	return result;
}

static doca_error_t bridge_make_request(struct bridge_thread *thread, uint32_t index)
{
	struct rdma_link *ctrl = &thread->links[WIRE_ROLE_CTRL];
	struct bridge_request *request = &thread->requests[index];
	const union doca_data user_data = {.ptr = request};
	doca_error_t result;

	request->thread = thread;
	request->buf = thread->pool.bufs[index];
	result = doca_rdma_task_send_allocate_init(ctrl->rdma, ctrl->connection, request->buf,
						   user_data, &request->forward);
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_task_post_recv_alloc_init(
			thread->comch.consumer, request->buf, &request->receive);
	if (result != DOCA_SUCCESS)
		return result;
	doca_task_set_user_data(doca_comch_consumer_task_post_recv_as_task(request->receive),
				user_data);
	return batch_submit(&thread->batch,
			    doca_comch_consumer_task_post_recv_as_task(request->receive));
}

/* Answers of thread i go to the peer's i-th consumer, which is that of its thread i. */
static doca_error_t bridge_make_answer(struct bridge_thread *thread, uint32_t index)
{
	struct bridge *bridge = thread->bridge;
	struct bridge_answer *answer = &thread->answers[index];
	const uint32_t consumer = bridge->initiator.consumers.ids[thread->worker.index];
	const union doca_data user_data = {.ptr = answer};
	struct doca_buf *buf;
	doca_error_t result;

	answer->thread = thread;
	answer->index = bridge_num_requests(bridge) + index;
	buf = thread->pool.bufs[answer->index];
	result = doca_comch_producer_task_send_alloc_init(thread->comch.producer, buf, NULL, 0,
							  consumer, &answer->relay);
	if (result == DOCA_SUCCESS)
		result = doca_rdma_task_receive_allocate_init(thread->links[WIRE_ROLE_CTRL].rdma,
							      buf, user_data, &answer->receive);
	if (result != DOCA_SUCCESS)
		return result;
	doca_task_set_user_data(doca_comch_producer_task_send_as_task(answer->relay), user_data);
	return doca_task_submit(doca_rdma_task_receive_as_task(answer->receive));
}

/*
 * The thread exists by now, but waits for its release: its engine is still the control thread's.
 * Receives are posted here, so that not one message finds nobody waiting for it.
 */
doca_error_t bridge_thread_make_tasks(struct bridge_thread *thread)
{
	struct bridge *bridge = thread->bridge;
	doca_error_t result = DOCA_SUCCESS;
	uint32_t i;

	batch_init(&thread->batch, bridge->batch_size);
	thread->requests = calloc(bridge_num_requests(bridge), sizeof(*thread->requests));
	thread->answers = calloc(bridge->buffer_count, sizeof(*thread->answers));
	if (thread->requests == NULL || thread->answers == NULL)
		result = DOCA_ERROR_NO_MEMORY;
	for (i = 0; i < bridge->buffer_count && result == DOCA_SUCCESS; i++)
		result = bridge_make_answer(thread, i);
	for (i = 0; i < bridge_num_requests(bridge) && result == DOCA_SUCCESS; i++)
		result = bridge_make_request(thread, i);
	if (result != DOCA_SUCCESS)
		return fault_raise(&bridge->app.fault, result,
				   "Cannot make the tasks of data path thread %u: %s",
				   thread->worker.index, doca_error_get_name(result));
	return DOCA_SUCCESS;
}

static void bridge_free_ctrl_tasks(void *arg)
{
	struct bridge_thread *thread = arg;
	uint32_t i;

	for (i = 0; i < bridge_num_requests(thread->bridge) && thread->requests != NULL; i++)
		if (thread->requests[i].forward != NULL)
			doca_task_free(doca_rdma_task_send_as_task(thread->requests[i].forward));
	for (i = 0; i < thread->bridge->buffer_count && thread->answers != NULL; i++)
		if (thread->answers[i].receive != NULL)
			doca_task_free(doca_rdma_task_receive_as_task(thread->answers[i].receive));
}

static void bridge_free_consumer_tasks(void *arg)
{
	struct bridge_thread *thread = arg;
	struct doca_comch_consumer_task_post_recv *receive;
	uint32_t i;

	for (i = 0; i < bridge_num_requests(thread->bridge) && thread->requests != NULL; i++) {
		receive = thread->requests[i].receive;
		if (receive != NULL)
			doca_task_free(doca_comch_consumer_task_post_recv_as_task(receive));
	}
}

static void bridge_free_producer_tasks(void *arg)
{
	struct bridge_thread *thread = arg;
	struct doca_comch_producer_task_send *relay;
	uint32_t i;

	for (i = 0; i < thread->bridge->buffer_count && thread->answers != NULL; i++) {
		relay = thread->answers[i].relay;
		if (relay != NULL)
			doca_task_free(doca_comch_producer_task_send_as_task(relay));
	}
}

/*
 * Contexts go before the engine that flushes their tasks, tasks before the bufs they use, bufs
 * before the memory. What was never made is passed over.
 */
void bridge_thread_destroy(struct bridge_thread *thread)
{
	struct fault *fault = &thread->bridge->app.fault;

	thread->closing = true;
	rdma_link_destroy(&thread->links[WIRE_ROLE_CTRL], bridge_free_ctrl_tasks, thread, fault);
	rdma_link_destroy(&thread->links[WIRE_ROLE_DATA], NULL, NULL, fault);
	comch_link_destroy_consumer(&thread->comch, bridge_free_consumer_tasks, thread, fault);
	comch_link_destroy_producer(&thread->comch, bridge_free_producer_tasks, thread, fault);
	if (thread->worker.pe != NULL)
		doca_pe_destroy(thread->worker.pe);
	message_pool_destroy(&thread->pool);
	free(thread->requests);
	free(thread->answers);
}
