/* SPDX-License-Identifier: BSD-3-Clause */
/* RDMA of one machine: two contexts on one engine, connected; memory that can be mapped. */
#include "loops.h"

#include <doca_ctx.h>
#include <doca_rdma.h>

#include <stdlib.h>

#define TASKS 64
#define BYTES 64

struct side {
	struct doca_rdma *rdma;
	struct doca_rdma_connection *connection;
	struct memory memory;
};

static struct doca_pe *pe;
static struct doca_dev *dev;
static struct side requester, responder;
static struct doca_mmap *remote; /* responder's memory, as the requester has imported it */
static uint64_t done, received;
static struct doca_task *send_task, *write_task, *read_task, *add_task;

/* Of every type but receives: tasks have one address in every view. */
static void on_done(struct doca_task *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	(void)task;
	(void)task_user_data;
	(void)ctx_user_data;
	done++;
}

static void on_failed(struct doca_task *task, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	(void)task_user_data;
	doca_ok(ctx_user_data.ptr, doca_task_get_status(task), "task");
}

static void on_received(struct doca_rdma_task_receive *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	(void)task_user_data;
	received++;
	doca_buf_reset_data_len(doca_rdma_task_receive_get_dst_buf(task));
	doca_ok(ctx_user_data.ptr, doca_task_submit(doca_rdma_task_receive_as_task(task)),
		"receive");
}

#define CONF(bench, side, type)                                                                    \
	doca_ok(bench,                                                                             \
		doca_rdma_task_##type##_set_conf(                                                  \
			(side)->rdma, (doca_rdma_task_##type##_completion_cb_t)(void *)on_done,    \
			(doca_rdma_task_##type##_completion_cb_t)(void *)on_failed, TASKS),        \
		"doca_rdma_task_" #type "_set_conf")

static bool configure(struct bench *bench, struct side *side)
{
	struct doca_ctx *ctx = doca_rdma_as_ctx(side->rdma);

	return doca_ok(bench, doca_pe_connect_ctx(pe, ctx), "doca_pe_connect_ctx") &&
	       doca_ok(bench, doca_ctx_set_user_data(ctx, (union doca_data){.ptr = bench}),
		       "doca_ctx_set_user_data") &&
	       CONF(bench, side, send) && CONF(bench, side, write) && CONF(bench, side, read) &&
	       CONF(bench, side, atomic_fetch_add) &&
	       doca_ok(bench,
		       doca_rdma_task_receive_set_conf(
			       side->rdma, on_received,
			       (doca_rdma_task_receive_completion_cb_t)(void *)on_failed, TASKS),
		       "doca_rdma_task_receive_set_conf") &&
	       doca_ok(bench, doca_ctx_start(ctx), "RDMA start");
}

static bool open_side(struct bench *bench, struct side *side)
{
	const uint32_t permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
				     DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
				     DOCA_ACCESS_FLAG_RDMA_ATOMIC;

	return doca_ok(bench, doca_rdma_create(dev, &side->rdma), "doca_rdma_create") &&
	       doca_ok(bench, doca_rdma_set_permissions(side->rdma, permissions),
		       "doca_rdma_set_permissions") &&
	       configure(bench, side) &&
	       memory_open(bench, dev, MEMORY_SHARED, 2 * BYTES, permissions, 2 * TASKS,
			   &side->memory);
}

static bool export(struct bench *bench, struct side *side, const void **blob, size_t *len)
{
	return doca_ok(bench, doca_rdma_export(side->rdma, blob, len, &side->connection),
		       "doca_rdma_export");
}

static bool join(struct bench *bench, struct side *side, const void *blob, size_t len)
{
	return doca_ok(bench, doca_rdma_connect(side->rdma, blob, len, side->connection),
		       "doca_rdma_connect");
}

static bool connect_sides(struct bench *bench)
{
	const void *blob[2], *descriptor;
	size_t len[2], descriptor_len;

	return export(bench, &requester, &blob[0], &len[0]) &&
	       export(bench, &responder, &blob[1], &len[1]) &&
	       join(bench, &requester, blob[1], len[1]) &&
	       join(bench, &responder, blob[0], len[0]) &&
	       doca_ok(bench,
		       doca_mmap_export_rdma(responder.memory.mmap, dev, &descriptor,
					     &descriptor_len),
		       "doca_mmap_export_rdma") &&
	       doca_ok(bench,
		       doca_mmap_create_from_export(NULL, descriptor, descriptor_len, dev, &remote),
		       "doca_mmap_create_from_export");
}

static bool post_receives(struct bench *bench)
{
	struct doca_rdma_task_receive *task;
	struct doca_buf *buf;

	for (int i = 0; i < TASKS; i++) {
		if (!memory_buf(bench, &responder.memory, BYTES, BYTES, 0, &buf) ||
		    !doca_ok(bench,
			     doca_rdma_task_receive_allocate_init(responder.rdma, buf,
								  (union doca_data){0}, &task),
			     "doca_rdma_task_receive_allocate_init") ||
		    !doca_ok(bench, doca_task_submit(doca_rdma_task_receive_as_task(task)),
			     "receive"))
			return false;
	}
	return true;
}

/* A buf of the requester's memory, and one of the responder's, each with that much data. */
static bool open_bufs(struct bench *bench, size_t len, size_t data, size_t remote_data,
		      struct doca_buf **local, struct doca_buf **there)
{
	void *base;
	size_t window;

	return memory_buf(bench, &requester.memory, 0, len, data, local) &&
	       doca_ok(bench, doca_mmap_get_memrange(remote, &base, &window),
		       "doca_mmap_get_memrange") &&
	       doca_ok(bench,
		       doca_buf_inventory_buf_get_by_args(requester.memory.inventory, remote, base,
							  len, base, remote_data, there),
		       "doca_buf_inventory_buf_get_by_args");
}

static struct doca_buf *write_dst, *read_dst;

static bool open_accesses(struct bench *bench)
{
	const union doca_data none = {0};
	struct doca_rdma_task_write *write;
	struct doca_rdma_task_read *read;
	struct doca_buf *write_src, *read_src;

	if (!open_bufs(bench, BYTES, BYTES, 0, &write_src, &write_dst) ||
	    !open_bufs(bench, BYTES, 0, BYTES, &read_dst, &read_src) ||
	    !doca_ok(bench,
		     doca_rdma_task_write_allocate_init(requester.rdma, requester.connection,
							write_src, write_dst, none, &write),
		     "doca_rdma_task_write_allocate_init") ||
	    !doca_ok(bench,
		     doca_rdma_task_read_allocate_init(requester.rdma, requester.connection,
						       read_src, read_dst, none, &read),
		     "doca_rdma_task_read_allocate_init"))
		return false;
	write_task = doca_rdma_task_write_as_task(write);
	read_task = doca_rdma_task_read_as_task(read);
	return true;
}

static bool open_tasks(struct bench *bench)
{
	const union doca_data none = {0};
	struct doca_rdma_task_send *send;
	struct doca_rdma_task_atomic_fetch_add *add;
	struct doca_buf *src, *result, *counter;

	if (!memory_buf(bench, &requester.memory, BYTES, BYTES, BYTES, &src) ||
	    !open_bufs(bench, sizeof(uint64_t), sizeof(uint64_t), sizeof(uint64_t), &result,
		       &counter) ||
	    !doca_ok(bench,
		     doca_rdma_task_send_allocate_init(requester.rdma, requester.connection, src,
						       none, &send),
		     "doca_rdma_task_send_allocate_init") ||
	    !doca_ok(bench,
		     doca_rdma_task_atomic_fetch_add_allocate_init(
			     requester.rdma, requester.connection, counter, result, 1, none, &add),
		     "doca_rdma_task_atomic_fetch_add_allocate_init"))
		return false;
	send_task = doca_rdma_task_send_as_task(send);
	add_task = doca_rdma_task_atomic_fetch_add_as_task(add);
	return open_accesses(bench);
}

static bool open_all(struct bench *bench)
{
	if (pe != NULL)
		return true;
	setenv("SOFTDPU_RDMA", "local", 1);
	return engine_open(bench, &pe) && device_open(bench, DPU_PCI_ADDR, &dev) &&
	       open_side(bench, &requester) && open_side(bench, &responder) &&
	       connect_sides(bench) && post_receives(bench) && open_tasks(bench);
}

static bool run(struct bench *bench, struct doca_task *task)
{
	return doca_ok(bench, doca_task_submit(task), "submit") &&
	       loop_await(bench, pe, &done, done + 1);
}

static bool send(struct bench *bench)
{
	const uint64_t until = received + 1;

	return run(bench, send_task) && loop_await(bench, pe, &received, until);
}

static bool write_once(struct bench *bench)
{
	doca_buf_reset_data_len(write_dst);
	return run(bench, write_task);
}

static bool read_once(struct bench *bench)
{
	doca_buf_reset_data_len(read_dst);
	return run(bench, read_task);
}

static bool add(struct bench *bench)
{
	return run(bench, add_task);
}

const struct loop rdma_loops[] = {
	{"rdma.send.64B", open_all, send, 1},
	{"rdma.write.64B", open_all, write_once, 1},
	{"rdma.read.64B", open_all, read_once, 1},
	{"rdma.atomic", open_all, add, 1},
	{0},
};
