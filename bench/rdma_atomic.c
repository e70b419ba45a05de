/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Remote fetch-and-add on one value in memory that can be mapped, whose owner sleeps: `batch` are
 * submitted, then all are awaited; ns for each.  The limit is the bare instruction on such a line.
 */
#include "limits.h"
#include "rdma_end.h"
#include "rows.h"

#include <time.h>

#define BATCH 32
#define WORD sizeof(uint64_t)

static struct rdma_end end;
static struct memory memory;
static uint32_t num_done;
static struct doca_task *tasks[BATCH];

static void on_added(struct doca_rdma_task_atomic_fetch_add *task, union doca_data task_user_data,
		     union doca_data ctx_user_data)
{
	(void)task;
	(void)task_user_data;
	(void)ctx_user_data;
	num_done++;
}

static void on_not_added(struct doca_rdma_task_atomic_fetch_add *task,
			 union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct doca_task *base = doca_rdma_task_atomic_fetch_add_as_task(task);

	(void)task_user_data;
	(void)ctx_user_data;
	doca_ok(end.bench, doca_task_get_status(base), "fetch-and-add");
	doca_task_free(base);
}

static bool memory_of_side(struct bench *bench, enum memory_kind kind)
{
	const uint32_t permissions =
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;

	return memory_open(bench, end.dev, kind, BATCH * WORD, permissions, 2 * BATCH, &memory);
}

static bool allocate_add(struct bench *bench, struct doca_mmap *remote, uint32_t i)
{
	struct doca_rdma_task_atomic_fetch_add *task;
	struct doca_buf *dst, *result;
	void *base;
	size_t len;

	if (!doca_ok(bench, doca_mmap_get_memrange(remote, &base, &len),
		     "doca_mmap_get_memrange") ||
	    !memory_buf(bench, &memory, i * WORD, WORD, WORD, &result) ||
	    !doca_ok(bench,
		     doca_buf_inventory_buf_get_by_data(memory.inventory, remote, base, WORD, &dst),
		     "doca_buf_inventory_buf_get_by_data") ||
	    !doca_ok(bench,
		     doca_rdma_task_atomic_fetch_add_allocate_init(
			     end.rdma, end.connection, dst, result, 1, (union doca_data){0}, &task),
		     "doca_rdma_task_atomic_fetch_add_allocate_init"))
		return false;
	tasks[i] = doca_rdma_task_atomic_fetch_add_as_task(task);
	return true;
}

static bool requester_open(struct bench *bench)
{
	struct doca_mmap *remote;

	if (!rdma_end_open(bench, NULL, &end) || !memory_of_side(bench, MEMORY_PRIVATE) ||
	    !doca_ok(bench,
		     doca_rdma_task_atomic_fetch_add_set_conf(end.rdma, on_added, on_not_added,
							      BATCH),
		     "doca_rdma_task_atomic_fetch_add_set_conf") ||
	    !rdma_end_connect(&end) || !rdma_end_import(&end, &remote))
		return false;
	for (uint32_t i = 0; i < BATCH; i++) {
		if (!allocate_add(bench, remote, i))
			return false;
	}
	return true;
}

static bool add_batch(void *arg)
{
	struct bench *bench = arg;

	num_done = 0;
	for (uint32_t i = 0; i < BATCH; i++) {
		if (!doca_ok(bench, doca_task_submit(tasks[i]), "fetch-and-add"))
			return false;
	}
	while (num_done < BATCH) {
		if (!engine_turn(bench, end.pe))
			return false;
	}
	return true;
}

static enum bench_status add(struct bench *bench)
{
	return requester_open(bench) ? bench_repeat(bench, add_batch, bench, BATCH)
				     : bench_end(bench);
}

static enum bench_status be_added_to(struct bench *bench)
{
	const struct timespec tick = {.tv_nsec = 1000000};

	if (rdma_end_open(bench, NULL, &end) && memory_of_side(bench, MEMORY_SHARED) &&
	    rdma_end_connect(&end) && rdma_end_export(&end, &memory)) {
		while (!bench_stopped(bench))
			nanosleep(&tick, NULL);
	}
	return bench_end(bench);
}

static bool add_plainly(void *arg)
{
	uint64_t *value = arg;

	for (uint32_t i = 0; i < BATCH; i++) {
		/* What was there is used, as by a task: else a compiler may take a cheaper one. */
		if (__atomic_fetch_add(value, 1, __ATOMIC_ACQ_REL) == UINT64_MAX)
			return false;
	}
	return true;
}

static enum bench_status limit_add(struct bench *bench)
{
	return bench_repeat(bench, add_plainly, bench->arena, BATCH);
}

const struct bench_row rows_rdma_atomic[] = {
	{"rdma.atomic",
	 "ns",
	 1,
	 {.num_sides = 2, .side = {add, be_added_to}, .arena = RDMA_ARENA},
	 {{.num_sides = 1, .side = {limit_add}, .arena = SLOTS_LINE}}},
	{0},
};
