/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects of an initiator thread, made and destroyed by the control thread. */
#include "initiator.h"

#include <stdlib.h>

#define MESSAGE_PERMISSIONS (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

static uint32_t initiator_num_receives(const struct initiator *initiator)
{
	return initiator->num_transactions + initiator->batch_size;
}

static doca_error_t initiator_thread_make_comch(struct initiator_thread *thread)
{
	struct doca_comch_connection *connection = thread->initiator->bridge.connection;
	struct fault *fault = &thread->initiator->app.fault;
	struct comch_link_consumer_conf consumer;
	struct comch_link_producer_conf producer;
	doca_error_t result;

	if (connection == NULL)
		return fault_raise(fault, DOCA_ERROR_CONNECTION_RESET, "The bridge has gone");
	thread->comch.pe = thread->worker.pe;
	initiator_fill_consumer_conf(thread, &consumer);
	initiator_fill_producer_conf(thread, &producer);
	result = comch_link_start_producer(&thread->comch, connection, &producer, fault);
	if (result == DOCA_SUCCESS)
		result = comch_link_start_consumer(&thread->comch, connection, &consumer, fault);
	return result;
}

doca_error_t initiator_thread_make(struct initiator_thread *thread)
{
	struct initiator *initiator = thread->initiator;
	doca_error_t result;

	result = doca_pe_create(&thread->worker.pe);
	if (result != DOCA_SUCCESS)
		return fault_raise(&initiator->app.fault, result,
				   "Cannot make a progress engine: %s",
				   doca_error_get_name(result));
	result = message_pool_make(&thread->pool, initiator->dev,
				   initiator->num_transactions + initiator_num_receives(initiator),
				   0, MESSAGE_PERMISSIONS, &initiator->app.fault);
	if (result == DOCA_SUCCESS)
		result = initiator_thread_make_comch(thread);
	return result;
}

/* All but the type, which each burst sets: the rest of a request never changes. */
static void initiator_fill_message(struct initiator_thread *thread, uint32_t index,
				   uint32_t consumer)
{
	const struct plan *plan = &thread->initiator->plan;
	uint8_t *message = message_pool_at(&thread->pool, index);

	io_message_set_correlation_id(message, index);
	io_message_set_user_data(message, consumer);
	io_message_set_io_size(message, plan->buffer_size);
	io_message_set_io_address(message,
				  (uintptr_t)thread->memory + (size_t)index * plan->buffer_size);
}

static doca_error_t initiator_make_transaction(struct initiator_thread *thread, uint32_t index)
{
	struct initiator *initiator = thread->initiator;
	struct initiator_transaction *transaction = &thread->transactions[index];
	const uint32_t consumer = initiator->bridge.consumers.ids[thread->worker.index];
	doca_error_t result;

	transaction->thread = thread;
	transaction->message = message_pool_at(&thread->pool, index);
	initiator_fill_message(thread, index, consumer);
	result = message_pool_set_full(&thread->pool, index);
	if (result == DOCA_SUCCESS)
		result = doca_comch_producer_task_send_alloc_init(thread->comch.producer,
								  thread->pool.bufs[index], NULL, 0,
								  consumer, &transaction->send);
	if (result == DOCA_SUCCESS)
		doca_task_set_user_data(doca_comch_producer_task_send_as_task(transaction->send),
					(union doca_data){.ptr = transaction});
	return result;
}

static doca_error_t initiator_make_receive(struct initiator_thread *thread, uint32_t index)
{
	struct initiator_receive *receive = &thread->receives[index];
	const uint32_t message = thread->initiator->num_transactions + index;
	doca_error_t result;

	receive->thread = thread;
	receive->buf = thread->pool.bufs[message];
	receive->message = message_pool_at(&thread->pool, message);
	result = doca_comch_consumer_task_post_recv_alloc_init(thread->comch.consumer, receive->buf,
							       &receive->task);
	if (result == DOCA_SUCCESS)
		doca_task_set_user_data(doca_comch_consumer_task_post_recv_as_task(receive->task),
					(union doca_data){.ptr = receive});
	return result;
}

doca_error_t initiator_thread_make_tasks(struct initiator_thread *thread)
{
	struct initiator *initiator = thread->initiator;
	const uint32_t num_receives = initiator_num_receives(initiator);
	doca_error_t result = DOCA_SUCCESS;
	uint32_t i;

	batch_init(&thread->batch, initiator->batch_size);
	thread->transactions = calloc(initiator->num_transactions, sizeof(*thread->transactions));
	thread->receives = calloc(num_receives, sizeof(*thread->receives));
	if (thread->transactions == NULL || thread->receives == NULL)
		result = DOCA_ERROR_NO_MEMORY;
	for (i = 0; i < initiator->num_transactions && result == DOCA_SUCCESS; i++)
		result = initiator_make_transaction(thread, i);
	for (i = 0; i < num_receives && result == DOCA_SUCCESS; i++)
		result = initiator_make_receive(thread, i);
	if (result != DOCA_SUCCESS)
		return fault_raise(&initiator->app.fault, result,
				   "Cannot make the tasks of data path thread %u: %s",
				   thread->worker.index, doca_error_get_name(result));
	return DOCA_SUCCESS;
}

doca_error_t initiator_thread_post_receives(struct initiator_thread *thread)
{
	const uint32_t num_receives = initiator_num_receives(thread->initiator);
	struct doca_task *task;
	doca_error_t result;
	uint32_t i;

	for (i = 0; i < num_receives; i++) {
		task = doca_comch_consumer_task_post_recv_as_task(thread->receives[i].task);
		result = batch_submit(&thread->batch, task);
		if (result != DOCA_SUCCESS)
			return fault_raise(&thread->initiator->app.fault, result,
					   "Cannot post receive %u of data path thread %u: %s", i,
					   thread->worker.index, doca_error_get_name(result));
	}
	return DOCA_SUCCESS;
}

static void initiator_free_sends(void *arg)
{
	struct initiator_thread *thread = arg;
	struct doca_comch_producer_task_send *send;
	uint32_t i;

	for (i = 0; i < thread->initiator->num_transactions && thread->transactions != NULL; i++) {
		send = thread->transactions[i].send;
		if (send != NULL)
			doca_task_free(doca_comch_producer_task_send_as_task(send));
	}
}

static void initiator_free_receives(void *arg)
{
	struct initiator_thread *thread = arg;
	struct doca_comch_consumer_task_post_recv *task;
	uint32_t i;

	for (i = 0; i < initiator_num_receives(thread->initiator) && thread->receives != NULL;
	     i++) {
		task = thread->receives[i].task;
		if (task != NULL)
			doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	}
}

/* Before destroy_objects: what hangs on the connection goes while the bridge still serves it. */
void initiator_thread_disconnect(struct initiator_thread *thread)
{
	struct fault *fault = &thread->initiator->app.fault;

	thread->closing = true;
	comch_link_destroy_producer(&thread->comch, initiator_free_sends, thread, fault);
	comch_link_destroy_consumer(&thread->comch, initiator_free_receives, thread, fault);
}

void initiator_thread_destroy(struct initiator_thread *thread)
{
	initiator_thread_disconnect(thread);
	message_pool_destroy(&thread->pool);
	if (thread->worker.pe != NULL)
		doca_pe_destroy(thread->worker.pe);
	free(thread->transactions);
	free(thread->receives);
}
