/* SPDX-License-Identifier: BSD-3-Clause */
/* Contract in rdma_path.h.  Every receive task is always posted, every send task is in idle[] or
 * under way; tasks are allocated once. */
#include "rdma_path.h"

static void on_received(struct doca_rdma_task_receive *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	struct rdma_path *path = task_user_data.ptr;

	(void)ctx_user_data;
	path->received++;
	if (path->then != NULL)
		path->then(path);
	doca_buf_reset_data_len(doca_rdma_task_receive_get_dst_buf(task));
	doca_ok(path->end.bench, doca_task_submit(doca_rdma_task_receive_as_task(task)), "receive");
}

static void on_not_received(struct doca_rdma_task_receive *task, union doca_data task_user_data,
			    union doca_data ctx_user_data)
{
	struct rdma_path *path = task_user_data.ptr;
	struct doca_task *base = doca_rdma_task_receive_as_task(task);

	(void)ctx_user_data;
	doca_ok(path->end.bench, doca_task_get_status(base), "receive");
	doca_task_free(base);
}

static void on_sent(struct doca_rdma_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	struct rdma_path *path = task_user_data.ptr;

	(void)ctx_user_data;
	path->idle[path->idle_sends++] = doca_rdma_task_send_as_task(task);
}

static void on_not_sent(struct doca_rdma_task_send *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	struct rdma_path *path = task_user_data.ptr;
	struct doca_task *base = doca_rdma_task_send_as_task(task);

	(void)ctx_user_data;
	doca_ok(path->end.bench, doca_task_get_status(base), "send");
	doca_task_free(base);
}

static bool post_receive(struct rdma_path *path, uint32_t i)
{
	struct bench *bench = path->end.bench;
	struct doca_rdma_task_receive *task;
	struct doca_buf *buf;

	return memory_buf(bench, &path->memory, (size_t)i * path->size, path->size, 0, &buf) &&
	       doca_ok(bench,
		       doca_rdma_task_receive_allocate_init(path->end.rdma, buf,
							    (union doca_data){.ptr = path}, &task),
		       "doca_rdma_task_receive_allocate_init") &&
	       doca_ok(bench, doca_task_submit(doca_rdma_task_receive_as_task(task)), "receive");
}

static bool allocate_send(struct rdma_path *path, uint32_t i)
{
	struct bench *bench = path->end.bench;
	const size_t offset = (size_t)(path->depth + i) * path->size;
	struct doca_rdma_task_send *task;
	struct doca_buf *buf;

	if (!memory_buf(bench, &path->memory, offset, path->size, path->size, &buf) ||
	    !doca_ok(bench,
		     doca_rdma_task_send_allocate_init(path->end.rdma, path->end.connection, buf,
						       (union doca_data){.ptr = path}, &task),
		     "doca_rdma_task_send_allocate_init"))
		return false;
	path->idle[path->idle_sends++] = doca_rdma_task_send_as_task(task);
	return true;
}

static bool configure(struct rdma_path *path)
{
	struct bench *bench = path->end.bench;
	struct doca_rdma *rdma = path->end.rdma;
	const uint32_t depth = path->depth;

	return memory_open(bench, path->end.dev, MEMORY_PRIVATE, 2 * (size_t)depth * path->size,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, 2 * depth, &path->memory) &&
	       doca_ok(bench,
		       doca_rdma_task_receive_set_conf(rdma, on_received, on_not_received, depth),
		       "doca_rdma_task_receive_set_conf") &&
	       doca_ok(bench, doca_rdma_task_send_set_conf(rdma, on_sent, on_not_sent, depth),
		       "doca_rdma_task_send_set_conf");
}

bool rdma_path_open(struct bench *bench, struct doca_pe *pe, uint32_t depth, struct rdma_path *path)
{
	*path = (struct rdma_path){.size = bench->kernel->size, .depth = depth, .then = path->then};
	if (!rdma_end_open(bench, pe, &path->end) || !configure(path) ||
	    !rdma_end_connect(&path->end))
		return false;
	for (uint32_t i = 0; i < depth; i++) {
		if (!post_receive(path, i) || !allocate_send(path, i))
			return false;
	}
	return engine_sync(bench, path->end.pe);
}

bool rdma_path_send(struct rdma_path *path)
{
	if (path->idle_sends == 0)
		return false;
	path->idle_sends--;
	return doca_ok(path->end.bench, doca_task_submit(path->idle[path->idle_sends]), "send");
}

void rdma_path_answer(struct rdma_path *path)
{
	if (!rdma_path_send(path) && !bench_stopped(path->end.bench))
		bench_give_up(path->end.bench, BENCH_FAILED, "no send was idle for an answer");
}

bool rdma_path_send_now(struct rdma_path *path)
{
	return engine_until(path->end.bench, path->end.pe, path->idle_sends > 0) &&
	       rdma_path_send(path);
}

bool rdma_path_receive(struct rdma_path *path, uint64_t number)
{
	return engine_until(path->end.bench, path->end.pe, path->received >= number);
}
