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
	(void)task_user_data;
	(void)ctx_user_data;
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
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
	(void)task_user_data;
	(void)ctx_user_data;
	doca_task_free(doca_comch_producer_task_send_as_task(task));
}

static bool attach(struct comch_end *end, struct doca_ctx *ctx, void *data)
{
	return doca_ok(end->bench, doca_pe_connect_ctx(end->pe, ctx), "doca_pe_connect_ctx") &&
	       doca_ok(end->bench, doca_ctx_set_user_data(ctx, (union doca_data){.ptr = data}),
		       "doca_ctx_set_user_data");
}

bool comch_consumer_open(struct comch_end *end, struct doca_comch_connection *connection,
			 struct doca_mmap *mmap, uint32_t depth,
			 doca_comch_consumer_task_post_recv_completion_cb_t received_cb, void *data,
			 struct doca_comch_consumer **consumer)
{
	struct bench *bench = end->bench;
	doca_error_t result;

	if (!doca_ok(bench, doca_comch_consumer_create(connection, mmap, consumer),
		     "doca_comch_consumer_create") ||
	    !attach(end, doca_comch_consumer_as_ctx(*consumer), data) ||
	    !doca_ok(bench,
		     doca_comch_consumer_task_post_recv_set_conf(*consumer, received_cb,
								 on_not_received, depth),
		     "doca_comch_consumer_task_post_recv_set_conf"))
		return false;
	result = doca_ctx_start(doca_comch_consumer_as_ctx(*consumer));
	return result == DOCA_ERROR_IN_PROGRESS || doca_ok(bench, result, "consumer start");
}

bool comch_producer_open(struct comch_end *end, uint32_t depth,
			 doca_comch_producer_task_send_completion_cb_t sent_cb, void *data,
			 struct doca_comch_producer **producer)
{
	struct bench *bench = end->bench;

	return doca_ok(bench, doca_comch_producer_create(end->connection, producer),
		       "doca_comch_producer_create") &&
	       attach(end, doca_comch_producer_as_ctx(*producer), data) &&
	       doca_ok(bench,
		       doca_comch_producer_task_send_set_conf(*producer, sent_cb, on_not_sent,
							      depth),
		       "doca_comch_producer_task_send_set_conf") &&
	       doca_ok(bench, doca_ctx_start(doca_comch_producer_as_ctx(*producer)),
		       "producer start");
}

bool comch_await_running(struct comch_end *end, struct doca_ctx *ctx)
{
	enum doca_ctx_states state;

	do {
		if (!engine_turn(end->bench, end->pe))
			return false;
		if (!doca_ok(end->bench, doca_ctx_get_state(ctx, &state), "doca_ctx_get_state"))
			return false;
		if (state == DOCA_CTX_STATE_IDLE) {
			bench_give_up(end->bench, BENCH_FAILED, "the context did not start");
			return false;
		}
	} while (state != DOCA_CTX_STATE_RUNNING);
	return true;
}

static bool await_consumers(struct comch_path *path)
{
	if (!comch_await_running(&path->end, doca_comch_consumer_as_ctx(path->consumer)))
		return false;
	while (path->end.num_consumers == 0) {
		if (!engine_turn(path->end.bench, path->end.pe))
			return false;
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
				     path->producer, buf, NULL, 0, path->end.consumers[0], &task),
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
	       comch_consumer_open(&path->end, path->end.connection, path->memory.mmap, path->depth,
				   on_received, path, &path->consumer) &&
	       comch_producer_open(&path->end, path->depth, on_sent, path, &path->producer) &&
	       await_consumers(path) && post_receives(path) && allocate_sends(path) &&
	       engine_sync(bench, path->end.pe);
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

bool comch_path_send_now(struct comch_path *path)
{
	while (!comch_path_send(path, DOCA_TASK_SUBMIT_FLAG_FLUSH)) {
		if (!engine_turn(path->end.bench, path->end.pe))
			return false;
	}
	return true;
}

bool comch_path_receive(struct comch_path *path, uint64_t number)
{
	while (path->received < number) {
		if (!engine_turn(path->end.bench, path->end.pe))
			return false;
	}
	return true;
}

bool comch_path_trip(void *arg)
{
	struct comch_path *path = arg;
	uint64_t number = path->received + 1;

	return comch_path_send_now(path) && comch_path_receive(path, number);
}

enum bench_status comch_path_ping(struct comch_path *path)
{
	return bench_repeat(path->end.bench, comch_path_trip, path, 1);
}

enum bench_status comch_path_pong(struct comch_path *path)
{
	uint64_t number = 0;

	while (comch_path_receive(path, ++number) && comch_path_send_now(path)) {
	}
	return bench_end(path->end.bench);
}
