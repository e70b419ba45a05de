/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contract in rdma_access.h.  Where the memory can be mapped, the limit is one copy; where it is
 * private, one call of the kernel for each access.
 */
#include "rdma_access.h"

#include "limits.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_DEPTH 64

#define ACCESS_OF(variant) ((enum rdma_access)((variant) & ~(RDMA_OVER_TCP | RDMA_INTO_PRIVATE)))

struct access {
	struct doca_task *task;
	struct doca_buf *dst;
};

static struct rdma_end end;
static struct memory memory;
static uint64_t done;
static uint32_t num_idle;
static struct access accesses[MAX_DEPTH], *idle[MAX_DEPTH];

/* Of both types: tasks have one address in every view. */
static void on_done(struct doca_task *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	(void)task;
	(void)ctx_user_data;
	done++;
	idle[num_idle++] = task_user_data.ptr;
}

static void on_failed(struct doca_task *task, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	doca_ok(end.bench, doca_task_get_status(task), "access");
	doca_task_free(task);
}

static bool memory_of_side(struct bench *bench, enum memory_kind kind)
{
	const struct bench_kernel *kernel = bench->kernel;
	const uint32_t permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
				     DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE;

	return memory_open(bench, end.dev, kind, (size_t)kernel->depth * kernel->size, permissions,
			   2 * kernel->depth, &memory);
}

static bool configure(struct bench *bench)
{
	const uint32_t depth = bench->kernel->depth;

	return ACCESS_OF(bench->kernel->variant) == RDMA_READ
		       ? doca_ok(bench,
				 doca_rdma_task_read_set_conf(
					 end.rdma,
					 (doca_rdma_task_read_completion_cb_t)(void *)on_done,
					 (doca_rdma_task_read_completion_cb_t)(void *)on_failed,
					 depth),
				 "doca_rdma_task_read_set_conf")
		       : doca_ok(bench,
				 doca_rdma_task_write_set_conf(
					 end.rdma,
					 (doca_rdma_task_write_completion_cb_t)(void *)on_done,
					 (doca_rdma_task_write_completion_cb_t)(void *)on_failed,
					 depth),
				 "doca_rdma_task_write_set_conf");
}

static bool allocate_read(struct bench *bench, struct doca_buf *remote, struct doca_buf *local,
			  struct access *access)
{
	struct doca_rdma_task_read *task;

	access->dst = local;
	if (!doca_ok(bench,
		     doca_rdma_task_read_allocate_init(end.rdma, end.connection, remote, local,
						       (union doca_data){.ptr = access}, &task),
		     "doca_rdma_task_read_allocate_init"))
		return false;
	access->task = doca_rdma_task_read_as_task(task);
	return true;
}

static bool allocate_write(struct bench *bench, struct doca_buf *local, struct doca_buf *remote,
			   struct access *access)
{
	struct doca_rdma_task_write *task;

	access->dst = remote;
	if (!doca_ok(bench,
		     doca_rdma_task_write_allocate_init(end.rdma, end.connection, local, remote,
							(union doca_data){.ptr = access}, &task),
		     "doca_rdma_task_write_allocate_init"))
		return false;
	access->task = doca_rdma_task_write_as_task(task);
	return true;
}

static bool allocate(struct bench *bench, struct doca_mmap *mmap, uint32_t i)
{
	const bool reads = ACCESS_OF(bench->kernel->variant) == RDMA_READ;
	const uint32_t size = bench->kernel->size;
	const size_t offset = (size_t)i * size;
	struct doca_buf *local, *remote;
	void *base;
	size_t len;

	if (!doca_ok(bench, doca_mmap_get_memrange(mmap, &base, &len), "doca_mmap_get_memrange") ||
	    !memory_buf(bench, &memory, offset, size, reads ? 0 : size, &local) ||
	    !doca_ok(bench,
		     doca_buf_inventory_buf_get_by_args(
			     memory.inventory, mmap, (uint8_t *)base + offset, size,
			     (uint8_t *)base + offset, reads ? size : 0, &remote),
		     "doca_buf_inventory_buf_get_by_args"))
		return false;
	idle[num_idle++] = &accesses[i];
	return reads ? allocate_read(bench, remote, local, &accesses[i])
		     : allocate_write(bench, local, remote, &accesses[i]);
}

static bool requester_open(struct bench *bench)
{
	struct doca_mmap *remote;

	if (!rdma_end_open(bench, NULL, &end) || !memory_of_side(bench, MEMORY_PRIVATE) ||
	    !configure(bench) || !rdma_end_connect(&end) || !rdma_end_import(&end, &remote))
		return false;
	for (uint32_t i = 0; i < bench->kernel->depth; i++) {
		if (!allocate(bench, remote, i))
			return false;
	}
	return true;
}

/* An access appends to its destination: the buffer must be emptied before it is used again. */
static bool submit_all_idle(struct bench *bench)
{
	struct access *access;

	while (num_idle > 0) {
		access = idle[--num_idle];
		doca_buf_reset_data_len(access->dst);
		if (!doca_ok(bench, doca_task_submit(access->task), "access"))
			return false;
	}
	return true;
}

enum bench_status rdma_access_request(struct bench *bench)
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
	return bench_report_bytes(bench, done, now - start);
}

enum bench_status rdma_access_respond(struct bench *bench)
{
	const struct timespec tick = {.tv_nsec = 1000000};
	const enum memory_kind kind =
		(bench->kernel->variant & RDMA_INTO_PRIVATE) != 0 ? MEMORY_PRIVATE : MEMORY_SHARED;

	if (rdma_end_open(bench, NULL, &end) && memory_of_side(bench, kind) &&
	    rdma_end_connect(&end) && rdma_end_export(&end, &memory)) {
		while (!bench_stopped(bench))
			nanosleep(&tick, NULL);
	}
	return bench_end(bench);
}

/* The limit of reads: memcpy out of shared memory that nobody else touches meanwhile. */
static enum bench_status copy_plainly(struct bench *bench)
{
	const size_t len = (size_t)bench->kernel->depth * bench->kernel->size;
	uint8_t *to = malloc(len);
	enum bench_status status;

	if (to == NULL)
		return BENCH_FAILED;
	memset(to, 1, len);
	status = limit_memcpy(bench, to, bench->arena);
	free(to);
	return status;
}

#define ACCESS(direction, bytes, slots)                                                            \
	{                                                                                          \
		.num_sides = 2, .side = {rdma_access_request, rdma_access_respond},                \
		.arena = RDMA_ARENA, .size = (bytes), .depth = (slots), .variant = (direction)     \
	}

#define PULL(bytes, slots)                                                                         \
	{                                                                                          \
		.num_sides = 1, .side = {copy_plainly}, .arena = (size_t)(slots) * (bytes),        \
		.size = (bytes), .depth = (slots)                                                  \
	}

const struct bench_row rows_rdma_access[] = {
	{"rdma.write.4KiB",
	 "GB/s",
	 1e9,
	 ACCESS(RDMA_WRITE, 4 << 10, 64),
	 {LIMIT_PUSH(4 << 10, 64, LIMIT_COPY_MEMCPY),
	  LIMIT_PUSH(4 << 10, 64, LIMIT_COPY_NON_TEMPORAL)}},
	{"rdma.write.64KiB",
	 "GB/s",
	 1e9,
	 ACCESS(RDMA_WRITE, 64 << 10, 16),
	 {LIMIT_PUSH(64 << 10, 16, LIMIT_COPY_MEMCPY),
	  LIMIT_PUSH(64 << 10, 16, LIMIT_COPY_NON_TEMPORAL)}},
	{"rdma.read.4KiB", "GB/s", 1e9, ACCESS(RDMA_READ, 4 << 10, 64), {PULL(4 << 10, 64)}},
	{"rdma.read.64KiB", "GB/s", 1e9, ACCESS(RDMA_READ, 64 << 10, 16), {PULL(64 << 10, 16)}},
	{"rdma.write.4KiB.private",
	 "GB/s",
	 1e9,
	 ACCESS(RDMA_WRITE | RDMA_INTO_PRIVATE, 4 << 10, 32),
	 {LIMIT_CROSS(4 << 10, 32)}},
	{"rdma.read.4KiB.private",
	 "GB/s",
	 1e9,
	 ACCESS(RDMA_READ | RDMA_INTO_PRIVATE, 4 << 10, 32),
	 {LIMIT_CROSS(4 << 10, 32)}},
	{"rdma.tcp.write.64KiB",
	 "GB/s",
	 1e9,
	 ACCESS(RDMA_WRITE | RDMA_OVER_TCP, 64 << 10, 16),
	 {LIMIT_FABRIC_WRITE(64 << 10, 16)}},
	{"rdma.tcp.read.64KiB",
	 "GB/s",
	 1e9,
	 ACCESS(RDMA_READ | RDMA_OVER_TCP, 64 << 10, 16),
	 {LIMIT_FABRIC_WRITE(64 << 10, 16)}},
	{0},
};
