/* SPDX-License-Identifier: BSD-3-Clause */
/* DMA: a copy within the memory of this process. */
#include "loops.h"

#include <doca_ctx.h>
#include <doca_dma.h>

#define BYTES 64

static struct doca_pe *pe;
static struct doca_dma *dma;
static struct memory memory;
static struct doca_buf *dst;
static struct doca_task *task;
static uint64_t copied;

static void on_copied(struct doca_dma_task_memcpy *done, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	(void)task_user_data;
	copied++;
	doca_ok(ctx_user_data.ptr, doca_task_get_status(doca_dma_task_memcpy_as_task(done)),
		"copy");
}

static bool open_dma(struct bench *bench, struct doca_dev *dev)
{
	struct doca_ctx *ctx;

	if (!engine_open(bench, &pe) ||
	    !doca_ok(bench, doca_dma_create(dev, &dma), "doca_dma_create"))
		return false;
	ctx = doca_dma_as_ctx(dma);
	return doca_ok(bench, doca_pe_connect_ctx(pe, ctx), "doca_pe_connect_ctx") &&
	       doca_ok(bench, doca_ctx_set_user_data(ctx, (union doca_data){.ptr = bench}),
		       "doca_ctx_set_user_data") &&
	       doca_ok(bench, doca_dma_task_memcpy_set_conf(dma, on_copied, on_copied, 1),
		       "doca_dma_task_memcpy_set_conf") &&
	       doca_ok(bench, doca_ctx_start(ctx), "DMA start");
}

static bool open_all(struct bench *bench)
{
	struct doca_dma_task_memcpy *copy;
	struct doca_dev *dev;
	struct doca_buf *src;

	if (!device_open(bench, DPU_PCI_ADDR, &dev) || !open_dma(bench, dev) ||
	    !memory_open(bench, dev, MEMORY_PRIVATE, 2 * BYTES, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
			 2, &memory) ||
	    !memory_buf(bench, &memory, 0, BYTES, BYTES, &src) ||
	    !memory_buf(bench, &memory, BYTES, BYTES, 0, &dst) ||
	    !doca_ok(bench,
		     doca_dma_task_memcpy_alloc_init(dma, src, dst, (union doca_data){0}, &copy),
		     "doca_dma_task_memcpy_alloc_init"))
		return false;
	task = doca_dma_task_memcpy_as_task(copy);
	return true;
}

static bool copy_once(struct bench *bench)
{
	doca_buf_reset_data_len(dst);
	return doca_ok(bench, doca_task_submit(task), "copy") &&
	       loop_await(bench, pe, &copied, copied + 1);
}

const struct loop dma_loops[] = {
	{"dma.copy.64B", open_all, copy_once, 1},
	{0},
};
