/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data path of a target thread. Everything happens in completion callbacks, all on the
 * thread's engine; see enum target_transfer_state for the life of an operation.
 */
#include "target.h"

#include "timing.h"

static uint8_t *target_message(const struct target_transfer *transfer)
{
	return message_pool_at(&transfer->thread->pool, transfer->index);
}

static struct doca_buf *target_message_buf(const struct target_transfer *transfer)
{
	return transfer->thread->pool.bufs[transfer->index];
}

/* The one place where a transfer changes its state, and the count of those in flight with it. */
static void target_transfer_move(struct target_transfer *transfer, enum target_transfer_state next)
{
	transfer->thread->in_flight += next != TARGET_TRANSFER_RECEIVING;
	transfer->thread->in_flight -= transfer->state != TARGET_TRANSFER_RECEIVING;
	transfer->state = next;
}

/* Ends the thread, but only after what is in flight, the answer that tells of it included. */
static void target_thread_fail(struct target_thread *thread, doca_error_t result)
{
	if (!thread->closing && thread->failure == DOCA_SUCCESS)
		thread->failure = result;
}

static void target_receive_again(struct target_transfer *transfer)
{
	doca_error_t result;

	target_transfer_move(transfer, TARGET_TRANSFER_RECEIVING);
	if (transfer->thread->closing)
		return;
	doca_buf_reset_data_len(target_message_buf(transfer));
	result = doca_task_submit(doca_rdma_task_receive_as_task(transfer->receive));
	if (result != DOCA_SUCCESS)
		target_thread_fail(transfer->thread, result);
}

/* Sends the message back in the buffer that it came in. */
static void target_send(struct target_transfer *transfer)
{
	struct target_thread *thread = transfer->thread;
	doca_error_t result;

	target_transfer_move(transfer, TARGET_TRANSFER_ANSWERING);
	message_pool_set_full(&thread->pool, transfer->index);
	result = worker_submit(&thread->worker, doca_rdma_task_send_as_task(transfer->send));
	if (result != DOCA_SUCCESS) {
		target_transfer_move(transfer, TARGET_TRANSFER_RECEIVING);
		target_thread_fail(thread, result);
	}
}

static void target_answer(struct target_transfer *transfer, doca_error_t result)
{
	if (result != DOCA_SUCCESS)
		transfer->thread->stats.failures++;
	io_message_set_answer(target_message(transfer), result);
	target_send(transfer);
}

/* What a read or write message asks for, checked. */
struct target_range {
	size_t offset;
	size_t size;
};

/* Addresses are those of the initiator; whatever lies outside of its region is refused. */
static bool target_take_range(const struct target_transfer *transfer, struct target_range *range)
{
	const size_t region_size = transfer->thread->target->region_size;
	const uint8_t *message = target_message(transfer);
	const uint64_t base = (uintptr_t)transfer->thread->host_base;
	const uint64_t address = io_message_get_io_address(message);

	range->size = io_message_get_io_size(message);
	if (address < base || address - base > region_size)
		return false;
	range->offset = address - base;
	return range->size <= region_size - range->offset;
}

static doca_error_t target_start_read(struct target_transfer *transfer,
				      const struct target_range *range)
{
	struct target_thread *thread = transfer->thread;

	doca_buf_set_data(transfer->host_buf, thread->host_base + range->offset, 0);
	doca_buf_set_data(transfer->storage_buf, thread->storage_base + range->offset, range->size);
	return worker_submit(&thread->worker, doca_rdma_task_write_as_task(transfer->write));
}

static doca_error_t target_start_write(struct target_transfer *transfer,
				       const struct target_range *range)
{
	struct target_thread *thread = transfer->thread;

	doca_buf_set_data(transfer->host_buf, thread->host_base + range->offset, range->size);
	doca_buf_set_data(transfer->storage_buf, thread->storage_base + range->offset, 0);
	return worker_submit(&thread->worker, doca_rdma_task_read_as_task(transfer->read));
}

static void target_start(struct target_transfer *transfer,
			 doca_error_t (*start)(struct target_transfer *transfer,
					       const struct target_range *range))
{
	struct target_range range;
	doca_error_t result = DOCA_ERROR_INVALID_VALUE;

	target_transfer_move(transfer, TARGET_TRANSFER_MOVING);
	if (target_take_range(transfer, &range))
		result = start(transfer, &range);
	if (result != DOCA_SUCCESS)
		target_answer(transfer, result);
}

/* Ends all threads. The message goes back unchanged and counts as in flight until it is taken. */
static void target_stop(struct target_transfer *transfer)
{
	worker_group_move(transfer->thread->worker.group, WORKERS_STOPPING);
	target_send(transfer);
}

static void target_received(struct doca_rdma_task_receive *task, union doca_data task_user_data,
			    union doca_data ctx_user_data)
{
	struct target_transfer *transfer = task_user_data.ptr;
	uint32_t type = io_message_get_type(target_message(transfer));

	if (transfer->thread->closing)
		return;
	if (doca_rdma_task_receive_get_result_len(task) != IO_MESSAGE_SIZE)
		type = IO_MESSAGE_RESULT;
	switch (type) {
	case IO_MESSAGE_READ:
		target_start(transfer, target_start_read);
		break;
	case IO_MESSAGE_WRITE:
		target_start(transfer, target_start_write);
		break;
	case IO_MESSAGE_STOP:
		target_stop(transfer);
		break;
	default:
		target_answer(transfer, DOCA_ERROR_INVALID_VALUE);
		break;
	}
}

static void target_receive_failed(struct doca_rdma_task_receive *task,
				  union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct target_transfer *transfer = task_user_data.ptr;

	target_thread_fail(transfer->thread,
			   doca_task_get_status(doca_rdma_task_receive_as_task(task)));
}

static void target_moved(struct target_transfer *transfer)
{
	struct stats_thread *stats = &transfer->thread->stats;

	if (transfer->thread->closing) {
		target_transfer_move(transfer, TARGET_TRANSFER_RECEIVING);
		return;
	}
	stats->operations++;
	stats->bytes += io_message_get_io_size(target_message(transfer));
	target_answer(transfer, DOCA_SUCCESS);
}

static void target_move_failed(struct target_transfer *transfer, const struct doca_task *task)
{
	struct target_thread *thread = transfer->thread;

	if (thread->closing) {
		target_transfer_move(transfer, TARGET_TRANSFER_RECEIVING);
		return;
	}
	target_thread_fail(thread, doca_task_get_status(task));
	target_answer(transfer, DOCA_ERROR_IO_FAILED);
}

static void target_read_done(struct doca_rdma_task_read *task, union doca_data task_user_data,
			     union doca_data ctx_user_data)
{
	target_moved(task_user_data.ptr);
}

static void target_read_failed(struct doca_rdma_task_read *task, union doca_data task_user_data,
			       union doca_data ctx_user_data)
{
	target_move_failed(task_user_data.ptr, doca_rdma_task_read_as_task(task));
}

static void target_write_done(struct doca_rdma_task_write *task, union doca_data task_user_data,
			      union doca_data ctx_user_data)
{
	target_moved(task_user_data.ptr);
}

static void target_write_failed(struct doca_rdma_task_write *task, union doca_data task_user_data,
				union doca_data ctx_user_data)
{
	target_move_failed(task_user_data.ptr, doca_rdma_task_write_as_task(task));
}

static void target_sent(struct doca_rdma_task_send *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	target_receive_again(task_user_data.ptr);
}

static void target_send_failed(struct doca_rdma_task_send *task, union doca_data task_user_data,
			       union doca_data ctx_user_data)
{
	struct target_transfer *transfer = task_user_data.ptr;

	target_transfer_move(transfer, TARGET_TRANSFER_RECEIVING);
	target_thread_fail(transfer->thread,
			   doca_task_get_status(doca_rdma_task_send_as_task(task)));
}

static doca_error_t target_configure_ctrl_tasks(struct target_thread *thread)
{
	struct doca_rdma *rdma = thread->links[WIRE_ROLE_CTRL].rdma;
	const uint32_t count = thread->target->buffer_count;
	doca_error_t result;

	result = doca_rdma_task_receive_set_conf(rdma, target_received, target_receive_failed,
						 count);
	if (result == DOCA_SUCCESS)
		result = doca_rdma_task_send_set_conf(rdma, target_sent, target_send_failed, count);
	return result;
}

static doca_error_t target_configure_data_tasks(struct target_thread *thread)
{
	struct doca_rdma *rdma = thread->links[WIRE_ROLE_DATA].rdma;
	const uint32_t count = thread->target->buffer_count;
	doca_error_t result;

	result = doca_rdma_task_read_set_conf(rdma, target_read_done, target_read_failed, count);
	if (result == DOCA_SUCCESS)
		result = doca_rdma_task_write_set_conf(rdma, target_write_done, target_write_failed,
						       count);
	return result;
}

doca_error_t target_configure_tasks(struct target_thread *thread, enum wire_role role)
{
	return role == WIRE_ROLE_CTRL ? target_configure_ctrl_tasks(thread)
				      : target_configure_data_tasks(thread);
}

/* Lets what is in flight end, for as long as control answers may take. */
static void target_drain(struct target_thread *thread)
{
	const uint64_t deadline = timing_deadline(thread->target->app.control_timeout);

	while (thread->in_flight != 0 && timing_now() < deadline &&
	       worker_group_state(thread->worker.group) != WORKERS_ABORTED)
		worker_progress(&thread->worker);
}

void target_thread_body(struct worker *worker)
{
	struct target_thread *thread = (struct target_thread *)worker;
	struct fault *fault = &thread->target->app.fault;

	while (worker_group_state(worker->group) == WORKERS_RUNNING &&
	       thread->failure == DOCA_SUCCESS && !rdma_link_any_is_lost(thread->links))
		worker_progress(worker);
	target_drain(thread);
	if (thread->failure != DOCA_SUCCESS)
		worker_report(worker, thread->failure, "a task failed", fault);
	else if (rdma_link_any_is_lost(thread->links))
		worker_report(worker, DOCA_ERROR_CONNECTION_RESET, "its RDMA connections ended",
			      fault);
	else if (thread->in_flight != 0)
		worker_report(worker, DOCA_ERROR_TIME_OUT, "operations are still under way", fault);
}
