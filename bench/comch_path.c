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
	if (path->then != NULL)
		path->then(path);
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
	struct comch_path *path = task_user_data.ptr;

	(void)ctx_user_data;
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

bool comch_receives_post(struct bench *bench, struct doca_comch_consumer *consumer,
			 struct memory *memory, uint32_t len, size_t stride, uint32_t num)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_task *base;
	struct doca_buf *buf;

	for (uint32_t i = 0; i < num; i++) {
		if (!memory_buf(bench, memory, i * stride, len, 0, &buf) ||
		    !doca_ok(bench,
			     doca_comch_consumer_task_post_recv_alloc_init(consumer, buf, &task),
			     "doca_comch_consumer_task_post_recv_alloc_init"))
			return false;
		base = doca_comch_consumer_task_post_recv_as_task(task);
		if (!doca_ok(bench, doca_task_submit(base), "post receive"))
			return false;
	}
	return true;
}

bool comch_send_allocate(struct bench *bench, struct doca_comch_producer *producer,
			 struct memory *memory, size_t offset, uint32_t len, uint32_t consumer_id,
			 struct doca_task **send)
{
	struct doca_comch_producer_task_send *task;
	struct doca_buf *buf;

	if (!memory_buf(bench, memory, offset, len, len, &buf) ||
	    !doca_ok(bench,
		     doca_comch_producer_task_send_alloc_init(producer, buf, NULL, 0, consumer_id,
							      &task),
		     "doca_comch_producer_task_send_alloc_init"))
		return false;
	*send = doca_comch_producer_task_send_as_task(task);
	return true;
}

bool comch_path_open_consumer(struct comch_path *path)
{
	struct comch_end *end = &path->end;

	return comch_consumer_open(end, end->connection, path->memory.mmap, path->depth,
				   on_received, path, &path->consumer) &&
	       comch_await_running(end, doca_comch_consumer_as_ctx(path->consumer), "consumer") &&
	       comch_receives_post(end->bench, path->consumer, &path->memory, path->size,
				   path->size, path->depth);
}

bool comch_path_start_producer(struct comch_path *path, uint32_t depth)
{
	return comch_producer_open(&path->end, depth, on_sent, NULL, &path->producer);
}

bool comch_path_allocate_sends(struct comch_path *path, uint32_t consumer_id)
{
	const size_t first = path->memory.len - (size_t)path->depth * path->size;
	struct doca_task *task;

	for (uint32_t i = 0; i < path->depth; i++) {
		if (!comch_send_allocate(path->end.bench, path->producer, &path->memory,
					 first + (size_t)i * path->size, path->size, consumer_id,
					 &task))
			return false;
		doca_task_set_user_data(task, (union doca_data){.ptr = path});
		path->idle[path->idle_sends++] = task;
	}
	return true;
}

bool comch_path_open_producer(struct comch_path *path)
{
	struct comch_end *end = &path->end;

	return engine_until(end->bench, end->pe, end->num_consumers > 0) &&
	       comch_path_start_producer(path, path->depth) &&
	       comch_path_allocate_sends(path, end->consumers[0]);
}

bool comch_path_open(struct bench *bench, struct comch_path *path)
{
	const struct bench_kernel *kernel = bench->kernel;

	*path = (struct comch_path){
		.size = kernel->size, .depth = kernel->depth, .then = path->then};
	return comch_end_open(bench, &path->end) &&
	       memory_open(bench, path->end.dev, (enum memory_kind)kernel->variant,
			   2 * (size_t)path->depth * path->size, COMCH_PATH_ACCESS, 2 * path->depth,
			   &path->memory) &&
	       comch_path_open_consumer(path) && comch_path_open_producer(path) &&
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

void comch_path_send_batch(struct comch_path *path, uint32_t batch)
{
	for (uint32_t i = 1; i < batch; i++) {
		if (!comch_path_send(path, DOCA_TASK_SUBMIT_FLAG_NONE))
			return;
	}
	comch_path_send(path, DOCA_TASK_SUBMIT_FLAG_FLUSH);
}

bool comch_path_send_now(struct comch_path *path)
{
	return engine_until(path->end.bench, path->end.pe,
			    comch_path_send(path, DOCA_TASK_SUBMIT_FLAG_FLUSH));
}

bool comch_path_receive(struct comch_path *path, uint64_t number)
{
	return engine_until(path->end.bench, path->end.pe, path->received >= number);
}

void comch_path_answer(struct comch_path *path)
{
	if (!comch_path_send(path, DOCA_TASK_SUBMIT_FLAG_FLUSH) && !bench_stopped(path->end.bench))
		bench_give_up(path->end.bench, BENCH_FAILED, "no send was idle for an answer");
}

bool comch_path_begin(struct comch_path *path)
{
	return path->then == NULL || comch_path_send_now(path);
}

bool comch_path_trip(void *arg)
{
	struct comch_path *path = arg;
	uint64_t number = path->received + 1;

	return (path->then != NULL || comch_path_send_now(path)) &&
	       comch_path_receive(path, number);
}

enum bench_status comch_path_ping(struct comch_path *path)
{
	return comch_path_begin(path) ? bench_repeat(path->end.bench, comch_path_trip, path, 1)
				      : bench_end(path->end.bench);
}

enum bench_status comch_path_pong(struct comch_path *path)
{
	uint64_t number = 0;

	while (comch_path_receive(path, ++number) &&
	       (path->then != NULL || comch_path_send_now(path))) {
	}
	return bench_end(path->end.bench);
}
