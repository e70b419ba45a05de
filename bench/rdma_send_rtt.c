/* SPDX-License-Identifier: BSD-3-Clause */
/* An RDMA send to the other side and one of the same size back, both ends polling. */
#include "limits.h"
#include "rdma_end.h"
#include "rows.h"

#define DEPTH 16

struct path {
	struct rdma_end end;
	struct memory memory; /* DEPTH receive buffers, then DEPTH send buffers */
	uint64_t received;
	uint32_t idle_sends;
	struct doca_task *idle[DEPTH];
};

static struct path path;

static void on_received(struct doca_rdma_task_receive *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	struct rdma_end *end = ctx_user_data.ptr;

	(void)task_user_data;
	path.received++;
	doca_buf_reset_data_len(doca_rdma_task_receive_get_dst_buf(task));
	doca_ok(end->bench, doca_task_submit(doca_rdma_task_receive_as_task(task)), "receive");
}

static void on_not_received(struct doca_rdma_task_receive *task, union doca_data task_user_data,
			    union doca_data ctx_user_data)
{
	struct rdma_end *end = ctx_user_data.ptr;
	struct doca_task *base = doca_rdma_task_receive_as_task(task);

	(void)task_user_data;
	doca_ok(end->bench, doca_task_get_status(base), "receive");
	doca_task_free(base);
}

static void on_sent(struct doca_rdma_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	path.idle[path.idle_sends++] = doca_rdma_task_send_as_task(task);
}

static void on_not_sent(struct doca_rdma_task_send *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	struct rdma_end *end = ctx_user_data.ptr;
	struct doca_task *base = doca_rdma_task_send_as_task(task);

	(void)task_user_data;
	doca_ok(end->bench, doca_task_get_status(base), "send");
	doca_task_free(base);
}

static bool post_receive(uint32_t i)
{
	struct bench *bench = path.end.bench;
	const uint32_t size = bench->kernel->size;
	struct doca_rdma_task_receive *task;
	struct doca_buf *buf;

	return memory_buf(bench, &path.memory, (size_t)i * size, size, 0, &buf) &&
	       doca_ok(bench,
		       doca_rdma_task_receive_allocate_init(path.end.rdma, buf,
							    (union doca_data){0}, &task),
		       "doca_rdma_task_receive_allocate_init") &&
	       doca_ok(bench, doca_task_submit(doca_rdma_task_receive_as_task(task)), "receive");
}

static bool allocate_send(uint32_t i)
{
	struct bench *bench = path.end.bench;
	const uint32_t size = bench->kernel->size;
	struct doca_rdma_task_send *task;
	struct doca_buf *buf;

	if (!memory_buf(bench, &path.memory, (size_t)(DEPTH + i) * size, size, size, &buf) ||
	    !doca_ok(bench,
		     doca_rdma_task_send_allocate_init(path.end.rdma, path.end.connection, buf,
						       (union doca_data){0}, &task),
		     "doca_rdma_task_send_allocate_init"))
		return false;
	path.idle[path.idle_sends++] = doca_rdma_task_send_as_task(task);
	return true;
}

static bool configure(struct bench *bench)
{
	const size_t len = 2 * (size_t)DEPTH * bench->kernel->size;

	return rdma_end_open(bench, &path.end) &&
	       memory_open(bench, path.end.dev, MEMORY_PRIVATE, len,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, 2 * DEPTH, &path.memory) &&
	       doca_ok(bench,
		       doca_rdma_task_receive_set_conf(path.end.rdma, on_received, on_not_received,
						       DEPTH),
		       "doca_rdma_task_receive_set_conf") &&
	       doca_ok(bench,
		       doca_rdma_task_send_set_conf(path.end.rdma, on_sent, on_not_sent, DEPTH),
		       "doca_rdma_task_send_set_conf");
}

static bool path_open(struct bench *bench)
{
	if (!configure(bench) || !rdma_end_connect(&path.end))
		return false;
	for (uint32_t i = 0; i < DEPTH; i++) {
		if (!post_receive(i) || !allocate_send(i))
			return false;
	}
	return engine_sync(bench, path.end.pe);
}

static bool send_one(void)
{
	while (path.idle_sends == 0) {
		if (!engine_turn(path.end.bench, path.end.pe))
			return false;
	}
	path.idle_sends--;
	return doca_ok(path.end.bench, doca_task_submit(path.idle[path.idle_sends]), "send");
}

static bool receive(uint64_t number)
{
	while (path.received < number) {
		if (!engine_turn(path.end.bench, path.end.pe))
			return false;
	}
	return true;
}

static bool trip(void *arg)
{
	uint64_t number = path.received + 1;

	(void)arg;
	return send_one() && receive(number);
}

static enum bench_status ping(struct bench *bench)
{
	if (!path_open(bench))
		return bench_end(bench);
	return bench_repeat(bench, trip, NULL, 1);
}

static enum bench_status pong(struct bench *bench)
{
	uint64_t number = 0;

	if (path_open(bench)) {
		while (receive(++number) && send_one()) {
		}
	}
	return bench_end(bench);
}

const struct bench_row rows_rdma_send_rtt[] = {
	{"rdma.send.rtt.64B",
	 "ns",
	 1,
	 {.num_sides = 2, .side = {ping, pong}, .arena = RDMA_ARENA, .size = 64},
	 {LIMIT_SLOT_TRIP(64)}},
	{"rdma.tcp.send.rtt.64B",
	 "ns",
	 1,
	 {.num_sides = 2,
	  .side = {ping, pong},
	  .arena = RDMA_ARENA,
	  .size = 64,
	  .variant = RDMA_OVER_TCP},
	 {LIMIT_TCP_TRIP(64)}},
	{0},
};
