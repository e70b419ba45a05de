/* SPDX-License-Identifier: BSD-3-Clause */
/* The data path of an initiator thread: the life of a transaction. */
#include "initiator.h"

#include "timing.h"

/* For what only a broken bridge, or its end, can cause. The thread ends and says so. */
static void initiator_thread_fail(struct initiator_thread *thread, doca_error_t result,
				  const char *what)
{
	if (thread->closing || thread->failure != DOCA_SUCCESS)
		return;
	thread->failure = result;
	thread->failure_text = what;
}

void initiator_transaction_start(struct initiator_transaction *transaction, uint64_t now)
{
	struct initiator_thread *thread = transaction->thread;
	doca_error_t result;

	transaction->pending = INITIATOR_PENDING_SEND | INITIATOR_PENDING_ANSWER;
	transaction->started = now;
	thread->in_flight++;
	result = worker_submit(&thread->worker,
			       doca_comch_producer_task_send_as_task(transaction->send));
	if (result != DOCA_SUCCESS)
		initiator_thread_fail(thread, result, "a request could not be sent");
}

bool initiator_thread_goes_on(struct initiator_thread *thread)
{
	return thread->failure == DOCA_SUCCESS &&
	       worker_group_state(thread->worker.group) == WORKERS_RUNNING;
}

/* Read once for all that completes in one turn of the engine: a few microseconds at most, while the
 * clock would take a fifth of the thread's time. */
static uint64_t initiator_now(struct initiator_thread *thread)
{
	if (thread->now == 0)
		thread->now = timing_now();
	return thread->now;
}

/*
 * Starts the next operation from within the completion of the last one, with the same reading of
 * the clock: the queue stays full without the thread's loop having to look for free places.
 */
static void initiator_transaction_complete(struct initiator_transaction *transaction)
{
	struct initiator_thread *thread = transaction->thread;
	const uint64_t now = initiator_now(thread);

	thread->in_flight--;
	if (!thread->measuring)
		return;
	latency_record(&thread->latency, now - transaction->started);
	atomic_store_explicit(&thread->completed, thread->latency.count, memory_order_relaxed);
	if (thread->to_start == 0 || !initiator_thread_goes_on(thread))
		return;
	thread->to_start--;
	initiator_transaction_start(transaction, now);
}

static void initiator_transaction_got(struct initiator_transaction *transaction,
				      enum initiator_pending what)
{
	transaction->pending &= ~(uint32_t)what;
	if (transaction->pending == 0)
		initiator_transaction_complete(transaction);
}

/* The first failed operation ends the run, but in order: the session itself is whole. */
static void initiator_check_result(struct initiator_thread *thread, const uint8_t *message)
{
	const doca_error_t result = (doca_error_t)io_message_get_result(message);
	struct initiator *initiator = thread->initiator;

	if (!thread->measuring || result == DOCA_SUCCESS)
		return;
	if (thread->failures++ != 0)
		return;
	fault_raise_kind(&initiator->app.fault, FAULT_VERDICT, result,
			 "An operation on buffer %u of thread %u failed: %s",
			 io_message_get_correlation_id(message), thread->worker.index,
			 doca_error_get_name(result));
	worker_group_move(&initiator->app.group, WORKERS_STOPPING);
}

/* The transaction that an answer belongs to, or NULL for an answer that nobody waits for. */
static struct initiator_transaction *initiator_find(struct initiator_thread *thread,
						    const uint8_t *message)
{
	const uint32_t id = io_message_get_correlation_id(message);
	const uint32_t type = io_message_get_type(message);
	const uint32_t expected = thread->measuring ? IO_MESSAGE_RESULT : IO_MESSAGE_STOP;

	if (id >= thread->initiator->num_transactions || type != expected)
		return NULL;
	if ((thread->transactions[id].pending & INITIATOR_PENDING_ANSWER) == 0)
		return NULL;
	return &thread->transactions[id];
}

static void initiator_received(struct doca_comch_consumer_task_post_recv *task,
			       union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct initiator_receive *receive = task_user_data.ptr;
	struct initiator_thread *thread = receive->thread;
	struct initiator_transaction *transaction = initiator_find(thread, receive->message);
	doca_error_t result;

	if (thread->closing)
		return;
	if (transaction == NULL) {
		initiator_thread_fail(thread, DOCA_ERROR_UNEXPECTED,
				      "the bridge sent an answer to nothing that was asked");
		return;
	}
	initiator_check_result(thread, receive->message);
	/* Posted again first: completing the transaction may start it again at once. */
	doca_buf_reset_data_len(receive->buf);
	result = batch_submit(&thread->batch, doca_comch_consumer_task_post_recv_as_task(task));
	if (result != DOCA_SUCCESS)
		initiator_thread_fail(thread, result, "a receive could not be posted");
	initiator_transaction_got(transaction, INITIATOR_PENDING_ANSWER);
}

/* A flush while stopping; otherwise the bridge has gone, which the control thread notices. */
static void initiator_receive_failed(struct doca_comch_consumer_task_post_recv *task,
				     union doca_data task_user_data, union doca_data ctx_user_data)
{
}

static void initiator_sent(struct doca_comch_producer_task_send *task,
			   union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct initiator_transaction *transaction = task_user_data.ptr;

	if (!transaction->thread->closing)
		initiator_transaction_got(transaction, INITIATOR_PENDING_SEND);
}

static void initiator_send_failed(struct doca_comch_producer_task_send *task,
				  union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct initiator_transaction *transaction = task_user_data.ptr;

	initiator_thread_fail(transaction->thread,
			      doca_task_get_status(doca_comch_producer_task_send_as_task(task)),
			      "a request was not delivered");
}

void initiator_fill_consumer_conf(struct initiator_thread *thread,
				  struct comch_link_consumer_conf *conf)
{
	*conf = (struct comch_link_consumer_conf){
		.mmap = thread->pool.mmap,
		.num_tasks = thread->initiator->num_transactions + thread->initiator->batch_size,
		.received = initiator_received,
		.failed = initiator_receive_failed,
		.user_data = thread,
	};
}

void initiator_fill_producer_conf(struct initiator_thread *thread,
				  struct comch_link_producer_conf *conf)
{
	*conf = (struct comch_link_producer_conf){
		.num_tasks = thread->initiator->num_transactions,
		.sent = initiator_sent,
		.failed = initiator_send_failed,
		.user_data = thread,
	};
}

void initiator_burst(struct initiator_thread *thread, enum io_message_type type, uint32_t count)
{
	const uint32_t num_transactions = thread->initiator->num_transactions;
	const uint32_t first = count < num_transactions ? count : num_transactions;
	uint32_t i;

	for (i = 0; i < first; i++)
		io_message_set_type(thread->transactions[i].message, type);
	thread->to_start = count - first;
	for (i = 0; i < first && initiator_thread_goes_on(thread); i++)
		initiator_transaction_start(&thread->transactions[i], timing_now());
	while (thread->in_flight != 0 && thread->failure == DOCA_SUCCESS &&
	       worker_group_state(thread->worker.group) != WORKERS_ABORTED) {
		thread->now = 0;
		worker_progress(&thread->worker);
	}
}
