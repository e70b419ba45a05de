/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data path of a bridge thread. Everything happens in completion callbacks, all on the
 * thread's engine:
 *
 *	consumer receive done -> RDMA send of the same buf -> consumer receive again
 *	RDMA receive done -> producer send of the same buf -> RDMA receive again
 */
#include "bridge.h"

#include "timing.h"

static void bridge_thread_fail(struct bridge_thread *thread, doca_error_t result)
{
	if (!thread->closing && thread->failure == DOCA_SUCCESS)
		thread->failure = result;
}

/* Requests: initiator to target. */

static void bridge_request_received(struct doca_comch_consumer_task_post_recv *task,
				    union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct bridge_request *request = task_user_data.ptr;
	struct bridge_thread *thread = request->thread;
	doca_error_t result;

	if (thread->closing)
		return;
	result = worker_submit(&thread->worker, doca_rdma_task_send_as_task(request->forward));
	if (result != DOCA_SUCCESS)
		bridge_thread_fail(thread, result);
}

/* A flush while stopping; otherwise the initiator has gone, which the control thread notices. */
static void bridge_request_receive_failed(struct doca_comch_consumer_task_post_recv *task,
					  union doca_data task_user_data,
					  union doca_data ctx_user_data)
{
}

static void bridge_request_forwarded(struct doca_rdma_task_send *task,
				     union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct bridge_request *request = task_user_data.ptr;
	struct bridge_thread *thread = request->thread;
	doca_error_t result;

	if (thread->closing)
		return;
	doca_buf_reset_data_len(request->buf);
	result = batch_submit(&thread->batch,
			      doca_comch_consumer_task_post_recv_as_task(request->receive));
	if (result != DOCA_SUCCESS)
		bridge_thread_fail(thread, result);
}

static void bridge_request_forward_failed(struct doca_rdma_task_send *task,
					  union doca_data task_user_data,
					  union doca_data ctx_user_data)
{
	struct bridge_request *request = task_user_data.ptr;

	bridge_thread_fail(request->thread,
			   doca_task_get_status(doca_rdma_task_send_as_task(task)));
}

/* Answers: target to initiator. */

static uint8_t *bridge_answer_message(const struct bridge_answer *answer)
{
	return message_pool_at(&answer->thread->pool, answer->index);
}

static void bridge_answer_count(struct bridge_answer *answer)
{
	struct stats_thread *stats = &answer->thread->stats;
	const uint8_t *message = bridge_answer_message(answer);

	if (io_message_get_result(message) != DOCA_SUCCESS) {
		stats->failures++;
		return;
	}
	stats->operations++;
	stats->bytes += io_message_get_io_size(message);
}

static void bridge_answer_received(struct doca_rdma_task_receive *task,
				   union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct bridge_answer *answer = task_user_data.ptr;
	struct bridge_thread *thread = answer->thread;
	doca_error_t result;

	if (thread->closing)
		return;
	io_message_relay_answer(bridge_answer_message(answer));
	if (io_message_get_type(bridge_answer_message(answer)) == IO_MESSAGE_STOP)
		worker_group_move(thread->worker.group, WORKERS_STOPPING);
	else
		bridge_answer_count(answer);
	thread->relaying++;
	message_pool_set_full(&thread->pool, answer->index);
	result = worker_submit(&thread->worker,
			       doca_comch_producer_task_send_as_task(answer->relay));
	if (result != DOCA_SUCCESS) {
		thread->relaying--;
		bridge_thread_fail(thread, result);
	}
}

static void bridge_answer_receive_failed(struct doca_rdma_task_receive *task,
					 union doca_data task_user_data,
					 union doca_data ctx_user_data)
{
	struct bridge_answer *answer = task_user_data.ptr;

	bridge_thread_fail(answer->thread,
			   doca_task_get_status(doca_rdma_task_receive_as_task(task)));
}

static void bridge_answer_relayed(struct doca_comch_producer_task_send *task,
				  union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct bridge_answer *answer = task_user_data.ptr;
	struct bridge_thread *thread = answer->thread;
	doca_error_t result;

	thread->relaying--;
	if (thread->closing)
		return;
	doca_buf_reset_data_len(thread->pool.bufs[answer->index]);
	result = doca_task_submit(doca_rdma_task_receive_as_task(answer->receive));
	if (result != DOCA_SUCCESS)
		bridge_thread_fail(thread, result);
}

static void bridge_answer_relay_failed(struct doca_comch_producer_task_send *task,
				       union doca_data task_user_data,
				       union doca_data ctx_user_data)
{
	struct bridge_answer *answer = task_user_data.ptr;

	answer->thread->relaying--;
	bridge_thread_fail(answer->thread,
			   doca_task_get_status(doca_comch_producer_task_send_as_task(task)));
}

doca_error_t bridge_configure_ctrl_tasks(struct bridge_thread *thread)
{
	struct doca_rdma *rdma = thread->links[WIRE_ROLE_CTRL].rdma;
	doca_error_t result;

	result = doca_rdma_task_send_set_conf(rdma, bridge_request_forwarded,
					      bridge_request_forward_failed,
					      bridge_num_requests(thread->bridge));
	if (result == DOCA_SUCCESS)
		result = doca_rdma_task_receive_set_conf(rdma, bridge_answer_received,
							 bridge_answer_receive_failed,
							 thread->bridge->buffer_count);
	return result;
}

void bridge_fill_consumer_conf(struct bridge_thread *thread, struct comch_link_consumer_conf *conf)
{
	*conf = (struct comch_link_consumer_conf){
		.mmap = thread->pool.mmap,
		.num_tasks = bridge_num_requests(thread->bridge),
		.received = bridge_request_received,
		.failed = bridge_request_receive_failed,
		.user_data = thread,
	};
}

void bridge_fill_producer_conf(struct bridge_thread *thread, struct comch_link_producer_conf *conf)
{
	*conf = (struct comch_link_producer_conf){
		.num_tasks = thread->bridge->buffer_count,
		.sent = bridge_answer_relayed,
		.failed = bridge_answer_relay_failed,
		.user_data = thread,
	};
}

/* Lets the last answers, that to the stop message among them, reach the initiator. */
static void bridge_drain(struct bridge_thread *thread)
{
	const uint64_t deadline = timing_deadline(thread->bridge->app.control_timeout);

	while (thread->relaying != 0 && timing_now() < deadline &&
	       worker_group_state(thread->worker.group) != WORKERS_ABORTED)
		worker_progress(&thread->worker);
}

void bridge_thread_body(struct worker *worker)
{
	struct bridge_thread *thread = (struct bridge_thread *)worker;
	struct fault *fault = &thread->bridge->app.fault;

	while (worker_group_state(worker->group) == WORKERS_RUNNING &&
	       thread->failure == DOCA_SUCCESS && !rdma_link_any_is_lost(thread->links))
		worker_progress(worker);
	bridge_drain(thread);
	if (thread->failure != DOCA_SUCCESS)
		worker_report(worker, thread->failure, "a task failed", fault);
	else if (rdma_link_any_is_lost(thread->links))
		worker_report(worker, DOCA_ERROR_CONNECTION_RESET, "its RDMA connections ended",
			      fault);
}
