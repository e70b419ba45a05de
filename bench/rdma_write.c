/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RDMA writes, `depth` under way, into memory of a process that does nothing about it; bytes a
 * second.  The target's memory can be mapped, so the limit is one copy.
 */
#include "limits.h"
#include "rdma_end.h"
#include "rows.h"

#include <time.h>

#define MAX_DEPTH 64

static struct rdma_end end;
static struct memory memory;
static uint64_t written;
static uint32_t num_idle;
static struct doca_task *idle[MAX_DEPTH];

static void on_written(struct doca_rdma_task_write *task, union doca_data task_user_data,
		       union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	written++;
	idle[num_idle++] = doca_rdma_task_write_as_task(task);
}

static void on_not_written(struct doca_rdma_task_write *task, union doca_data task_user_data,
			   union doca_data ctx_user_data)
{
	struct doca_task *base = doca_rdma_task_write_as_task(task);

	(void)task_user_data;
	(void)ctx_user_data;
	doca_ok(end.bench, doca_task_get_status(base), "write");
	doca_task_free(base);
}

static bool memory_of_side(struct bench *bench, enum memory_kind kind)
{
	const struct bench_kernel *kernel = bench->kernel;
	const uint32_t permissions =
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE;

	return memory_open(bench, end.dev, kind, (size_t)kernel->depth * kernel->size, permissions,
			   2 * kernel->depth, &memory);
}

static bool allocate_write(struct bench *bench, struct doca_mmap *remote, uint32_t i)
{
	const uint32_t size = bench->kernel->size;
	const size_t offset = (size_t)i * size;
	struct doca_rdma_task_write *task;
	struct doca_buf *from, *to;
	void *base;
	size_t len;

	if (!doca_ok(bench, doca_mmap_get_memrange(remote, &base, &len),
		     "doca_mmap_get_memrange") ||
	    !memory_buf(bench, &memory, offset, size, size, &from) ||
	    !doca_ok(bench,
		     doca_buf_inventory_buf_get_by_addr(memory.inventory, remote,
							(uint8_t *)base + offset, size, &to),
		     "doca_buf_inventory_buf_get_by_addr") ||
	    !doca_ok(bench,
		     doca_rdma_task_write_allocate_init(end.rdma, end.connection, from, to,
							(union doca_data){0}, &task),
		     "doca_rdma_task_write_allocate_init"))
		return false;
	idle[num_idle++] = doca_rdma_task_write_as_task(task);
	return true;
}

static bool requester_open(struct bench *bench)
{
	struct doca_mmap *remote;

	if (!rdma_end_open(bench, &end) || !memory_of_side(bench, MEMORY_PRIVATE) ||
	    !doca_ok(bench,
		     doca_rdma_task_write_set_conf(end.rdma, on_written, on_not_written,
						   bench->kernel->depth),
		     "doca_rdma_task_write_set_conf") ||
	    !rdma_end_connect(&end) || !rdma_end_import(&end, &remote))
		return false;
	for (uint32_t i = 0; i < bench->kernel->depth; i++) {
		if (!allocate_write(bench, remote, i))
			return false;
	}
	return true;
}

/* A write appends to its destination: the buffer must be emptied before it is used again. */
static bool submit_all_idle(struct bench *bench)
{
	struct doca_task *task;

	while (num_idle > 0) {
		task = idle[--num_idle];
		doca_buf_reset_data_len(doca_rdma_task_write_get_dst_buf(
			(struct doca_rdma_task_write *)(void *)task));
		if (!doca_ok(bench, doca_task_submit(task), "write"))
			return false;
	}
	return true;
}

static enum bench_status write_on(struct bench *bench)
{
	uint64_t start, now;

	if (!requester_open(bench))
		return bench_end(bench);
	start = now = bench_now();
	while (now - start < bench->duration) {
		if (!submit_all_idle(bench) || !engine_turn(bench, end.pe))
			return bench_end(bench);
		now = bench_now();
	}
	bench_stop(bench);
	bench_report(bench, (double)written * bench->kernel->size * 1e9 / (double)(now - start));
	return bench_end(bench);
}

static enum bench_status be_written(struct bench *bench)
{
	const struct timespec tick = {.tv_nsec = 1000000};

	if (rdma_end_open(bench, &end) && memory_of_side(bench, MEMORY_SHARED) &&
	    rdma_end_connect(&end) && rdma_end_export(&end, &memory)) {
		while (!bench_stopped(bench))
			nanosleep(&tick, NULL);
	}
	return bench_end(bench);
}

#define WRITE(bytes, slots)                                                                        \
	{                                                                                          \
		.num_sides = 2, .side = {write_on, be_written}, .arena = RDMA_ARENA,               \
		.size = (bytes), .depth = (slots)                                                  \
	}

const struct bench_row rows_rdma_write[] = {
	{"rdma.write.4KiB",
	 "GB/s",
	 1e9,
	 WRITE(4 << 10, 64),
	 {LIMIT_PUSH(4 << 10, 64, LIMIT_COPY_MEMCPY),
	  LIMIT_PUSH(4 << 10, 64, LIMIT_COPY_NON_TEMPORAL)}},
	{"rdma.write.64KiB",
	 "GB/s",
	 1e9,
	 WRITE(64 << 10, 16),
	 {LIMIT_PUSH(64 << 10, 16, LIMIT_COPY_MEMCPY),
	  LIMIT_PUSH(64 << 10, 16, LIMIT_COPY_NON_TEMPORAL)}},
	{0},
};
