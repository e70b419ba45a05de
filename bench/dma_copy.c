/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DMA copies between private memory of this process, `depth` under way; bytes a second.  The limit
 * is memcpy over the same buffers in the same order.
 */
#include "device.h"
#include "limits.h"
#include "rows.h"

#include <string.h>

#include <doca_ctx.h>
#include <doca_dma.h>

#define MAX_DEPTH 16

static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_dma *dma;
static struct memory from, to;
static struct bench *running;
static uint64_t copied;
static uint32_t num_idle;
static struct doca_dma_task_memcpy *idle[MAX_DEPTH];

static void on_copied(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	copied++;
	idle[num_idle++] = task;
}

static void on_not_copied(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
			  union doca_data ctx_user_data)
{
	struct doca_task *base = doca_dma_task_memcpy_as_task(task);

	(void)task_user_data;
	(void)ctx_user_data;
	doca_ok(running, doca_task_get_status(base), "copy");
	doca_task_free(base);
}

static bool open_memory(struct bench *bench)
{
	const size_t len = (size_t)bench->kernel->depth * bench->kernel->size;
	const uint32_t num = bench->kernel->depth;

	return device_open(bench, DPU_PCI_ADDR, &dev) &&
	       memory_open(bench, dev, MEMORY_PRIVATE, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, num,
			   &from) &&
	       memory_open(bench, dev, MEMORY_PRIVATE, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, num,
			   &to);
}

static bool open_dma(struct bench *bench)
{
	return engine_open(bench, &pe) &&
	       doca_ok(bench, doca_dma_create(dev, &dma), "doca_dma_create") &&
	       doca_ok(bench, doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)),
		       "doca_pe_connect_ctx") &&
	       doca_ok(bench,
		       doca_dma_task_memcpy_set_conf(dma, on_copied, on_not_copied,
						     bench->kernel->depth),
		       "doca_dma_task_memcpy_set_conf") &&
	       doca_ok(bench, doca_ctx_start(doca_dma_as_ctx(dma)), "doca_ctx_start");
}

static bool allocate_copy(struct bench *bench, uint32_t i)
{
	const uint32_t size = bench->kernel->size;
	struct doca_buf *src, *dst;

	if (!memory_buf(bench, &from, (size_t)i * size, size, size, &src) ||
	    !memory_buf(bench, &to, (size_t)i * size, size, 0, &dst) ||
	    !doca_ok(bench,
		     doca_dma_task_memcpy_alloc_init(dma, src, dst, (union doca_data){0},
						     &idle[num_idle]),
		     "doca_dma_task_memcpy_alloc_init"))
		return false;
	num_idle++;
	return true;
}

static bool open_all(struct bench *bench)
{
	running = bench;
	if (!open_memory(bench) || !open_dma(bench))
		return false;
	for (uint32_t i = 0; i < bench->kernel->depth; i++) {
		if (!allocate_copy(bench, i))
			return false;
	}
	return true;
}

/* A copy appends to its destination: the buffer must be emptied before it is used again. */
static bool submit_all_idle(struct bench *bench)
{
	const uint32_t num = num_idle;

	num_idle = 0;
	for (uint32_t i = 0; i < num; i++) {
		doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(idle[i]));
		if (!doca_ok(bench, doca_task_submit(doca_dma_task_memcpy_as_task(idle[i])),
			     "copy"))
			return false;
	}
	return true;
}

static enum bench_status copy_by_dma(struct bench *bench)
{
	uint64_t start, now;

	if (!open_all(bench))
		return bench_end(bench);
	start = now = bench_now();
	while (now - start < bench->duration) {
		if (!submit_all_idle(bench) || !engine_turn(bench, pe))
			return bench_end(bench);
		now = bench_now();
	}
	return bench_report_bytes(bench, copied, now - start);
}

static enum bench_status copy_plainly(struct bench *bench)
{
	return open_memory(bench) ? limit_memcpy(bench, to.base, from.base) : bench_end(bench);
}

#define COPY(side_, bytes, slots)                                                                  \
	{                                                                                          \
		.num_sides = 1, .side = {side_}, .arena = SLOTS_LINE, .size = (bytes),             \
		.depth = (slots)                                                                   \
	}

const struct bench_row rows_dma_copy[] = {
	{"dma.copy.64KiB",
	 "GB/s",
	 1e9,
	 COPY(copy_by_dma, 64 << 10, 16),
	 {COPY(copy_plainly, 64 << 10, 16)}},
	{"dma.copy.1MiB",
	 "GB/s",
	 1e9,
	 COPY(copy_by_dma, 1 << 20, 4),
	 {COPY(copy_plainly, 1 << 20, 4)}},
	{0},
};
