/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast path of one end; contract in comch_path.h.  Every receive task is always posted, every send
 * task is in idle[] or under way; tasks are allocated once.
 */
#include "comch_path.h"

static void on_received(struct doca_comch_consumer_task_post_recv *task,
			union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct comch_path *path = ctx_user_data.ptr;
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);

	(void)task_user_data;
	path->received++;
	doca_buf_reset_data_len(doca_comch_consumer_task_post_recv_get_buf(task));
	doca_ok(path->end.bench, doca_task_submit(base), "post receive");
}

static void on_not_received(struct doca_comch_consumer_task_post_recv *task,
			    union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct comch_path *path = ctx_user_data.ptr;
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);

	(void)task_user_data;
	doca_ok(path->end.bench, doca_task_get_status(base), "post receive");
	doca_task_free(base);
}

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	struct comch_path *path = ctx_user_data.ptr;

	(void)task_user_data;
	path->idle[path->idle_sends++] = doca_comch_producer_task_send_as_task(task);
}

static void on_not_sent(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	struct comch_path *path = ctx_user_data.ptr;
	struct doca_task *base = doca_comch_producer_task_send_as_task(task);

	(void)task_user_data;
	doca_ok(path->end.bench, doca_task_get_status(base), "send");
	doca_task_free(base);
}

static bool attach(struct comch_path *path, struct doca_ctx *ctx)
{
	struct bench *bench = path->end.bench;
	union doca_data data = {.ptr = path};

	return doca_ok(bench, doca_pe_connect_ctx(path->end.pe, ctx), "doca_pe_connect_ctx") &&
	       doca_ok(bench, doca_ctx_set_user_data(ctx, data), "doca_ctx_set_user_data");
}

static bool start_consumer(struct comch_path *path)
{
	struct bench *bench = path->end.bench;
	struct doca_ctx *ctx;
	doca_error_t result;

	if (!doca_ok(bench,
		     doca_comch_consumer_create(path->end.connection, path->memory.mmap,
						&path->consumer),
		     "doca_comch_consumer_create"))
		return false;
	ctx = doca_comch_consumer_as_ctx(path->consumer);
	if (!attach(path, ctx) ||
	    !doca_ok(bench,
		     doca_comch_consumer_task_post_recv_set_conf(path->consumer, on_received,
								 on_not_received, path->depth),
		     "doca_comch_consumer_task_post_recv_set_conf"))
		return false;
	result = doca_ctx_start(ctx);
	return result == DOCA_ERROR_IN_PROGRESS || doca_ok(bench, result, "consumer start");
}

static bool start_producer(struct comch_path *path)
{
	struct bench *bench = path->end.bench;
	struct doca_ctx *ctx;

	if (!doca_ok(bench, doca_comch_producer_create(path->end.connection, &path->producer),
		     "doca_comch_producer_create"))
		return false;
	ctx = doca_comch_producer_as_ctx(path->producer);
	return attach(path, ctx) &&
	       doca_ok(bench,
		       doca_comch_producer_task_send_set_conf(path->producer, on_sent, on_not_sent,
							      path->depth),
		       "doca_comch_producer_task_send_set_conf") &&
	       doca_ok(bench, doca_ctx_start(ctx), "producer start");
}

/* Our consumer is running, and so is the peer's. */
static bool await_consumers(struct comch_path *path)
{
	struct doca_ctx *ctx = doca_comch_consumer_as_ctx(path->consumer);
	enum doca_ctx_states state = DOCA_CTX_STATE_STARTING;

	while (state != DOCA_CTX_STATE_RUNNING || path->end.peer_consumer == 0) {
		if (!engine_turn(path->end.bench, path->end.pe))
			return false;
		if (!doca_ok(path->end.bench, doca_ctx_get_state(ctx, &state),
			     "doca_ctx_get_state"))
			return false;
		if (state == DOCA_CTX_STATE_IDLE) {
			bench_give_up(path->end.bench, BENCH_FAILED, "the consumer did not start");
			return false;
		}
	}
	return true;
}

static bool post_receives(struct comch_path *path)
{
	struct bench *bench = path->end.bench;
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_task *base;
	struct doca_buf *buf;

	for (uint32_t i = 0; i < path->depth; i++) {
		if (!memory_buf(bench, &path->memory, (size_t)i * path->size, path->size, 0,
				&buf) ||
		    !doca_ok(bench,
			     doca_comch_consumer_task_post_recv_alloc_init(path->consumer, buf,
									   &task),
			     "doca_comch_consumer_task_post_recv_alloc_init"))
			return false;
		base = doca_comch_consumer_task_post_recv_as_task(task);
		if (!doca_ok(bench, doca_task_submit(base), "post receive"))
			return false;
	}
	return true;
}

static bool allocate_sends(struct comch_path *path)
{
	struct bench *bench = path->end.bench;
	struct doca_comch_producer_task_send *task;
	struct doca_buf *buf;

	for (uint32_t i = 0; i < path->depth; i++) {
		size_t offset = (size_t)(path->depth + i) * path->size;

		if (!memory_buf(bench, &path->memory, offset, path->size, path->size, &buf) ||
		    !doca_ok(bench,
			     doca_comch_producer_task_send_alloc_init(
				     path->producer, buf, NULL, 0, path->end.peer_consumer, &task),
			     "doca_comch_producer_task_send_alloc_init"))
			return false;
		path->idle[path->idle_sends++] = doca_comch_producer_task_send_as_task(task);
	}
	return true;
}

bool comch_path_open(struct bench *bench, struct comch_path *path)
{
	const struct bench_kernel *kernel = bench->kernel;
	const uint32_t permissions =
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE;

	*path = (struct comch_path){.size = kernel->size, .depth = kernel->depth};
	return comch_end_open(bench, &path->end) &&
	       memory_open(bench, path->end.dev, (enum memory_kind)kernel->variant,
			   2 * (size_t)path->depth * path->size, permissions, 2 * path->depth,
			   &path->memory) &&
	       start_consumer(path) && start_producer(path) && await_consumers(path) &&
	       post_receives(path) && allocate_sends(path) && engine_sync(bench, path->end.pe);
}

bool comch_path_send(struct comch_path *path, uint32_t flags)
{
	struct doca_task *task;
	doca_error_t result;

	if (path->idle_sends == 0)
		return false;
	task = path->idle[path->idle_sends - 1];
	result = doca_task_submit_ex(task, flags);
	if (result == DOCA_ERROR_AGAIN)
		return false;
	/* Taken off only now, yet before any completion could put it back: those come in progress.
	 */
	path->idle_sends--;
	return doca_ok(path->end.bench, result, "send");
}
