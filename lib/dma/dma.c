/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DMA context: its life, and the way of copies through its queue; contract in dma.h.
 */
#include "dma/dma.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"

/* Bytes that a copy moves between two looks at other work. */
#define DMA_CHUNK ((size_t)1 << 20)

static struct doca_dma *dma_of(const struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct doca_dma, ctx);
}

static void dma_end_copy(struct doca_dma *dma)
{
	if (dma->begun)
		dma_copy_end(&dma->copy);
	dma->begun = false;
}

/* Takes the oldest off the queue. */
static struct doca_task *dma_take(struct doca_dma *dma)
{
	dma_end_copy(dma);
	return sdpu_task_queue_get(&dma->waiting);
}

void dma_cancel(struct doca_dma *dma, const struct doca_task *task)
{
	if (task == dma->waiting.first)
		dma_end_copy(dma);
}

/* Of the oldest: begins it, or goes on with it. On failure *fault says what is wrong. */
static doca_error_t dma_act(struct doca_dma *dma, const char **fault)
{
	struct doca_dma_task_memcpy *task = (struct doca_dma_task_memcpy *)dma->waiting.first;
	doca_error_t result;
	size_t len;

	if (!dma->begun) {
		*fault = dma_validate(dma, task->src, task->dst, &len);
		if (sdpu_unlikely(*fault != NULL))
			return DOCA_ERROR_INVALID_VALUE;
		dma_copy_begin(&dma->copy, task->src, task->dst, len, dma->staging);
		dma->begun = true;
	}
	result = dma_copy_run(&dma->copy, DMA_CHUNK);
	if (sdpu_likely(result == DOCA_SUCCESS))
		sdpu_buf_append(task->dst, dma->copy.len);
	else if (result != DOCA_ERROR_IN_PROGRESS)
		*fault = dma_copy_fault(result);
	return result;
}

/* The oldest is reported first, with what a card reports, whatever it was. Last act. */
static void dma_fail(struct doca_dma *dma, const char *fault)
{
	sdpu_log_err("doca_dma_task_memcpy: it failed, and with it the context stops; %s", fault);
	sdpu_task_finish(dma_take(dma), DOCA_ERROR_IO_FAILED);
	sdpu_ctx_fail(&dma->ctx);
}

static bool dma_poll(struct sdpu_source *source)
{
	struct doca_dma *dma = sdpu_container_of(source, struct doca_dma, source);
	struct doca_task *task = dma->waiting.first;
	const char *fault;
	doca_error_t result;

	if (task == NULL) {
		sdpu_source_park(source);
		return false;
	}
	/* Its bufs may be gone. */
	result = sdpu_task_is_freed(task) ? DOCA_SUCCESS : dma_act(dma, &fault);
	if (result == DOCA_ERROR_IN_PROGRESS)
		return false;
	if (sdpu_likely(result == DOCA_SUCCESS))
		sdpu_task_deliver(dma_take(dma), DOCA_SUCCESS);
	else
		dma_fail(dma, fault);
	return true;
}

static bool dma_pending(const struct sdpu_source *source)
{
	return sdpu_container_of(source, struct doca_dma, source)->waiting.first != NULL;
}

void dma_submit(struct doca_dma *dma, struct doca_task *task)
{
	sdpu_task_queue_put(&dma->waiting, task);
	sdpu_source_heat(&dma->source);
}

static doca_error_t dma_check(struct doca_ctx *ctx)
{
	if (dma_of(ctx)->memcpys.num != 0)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_ctx_start: the doca_dma has no tasks; needed: call "
		     "doca_dma_task_memcpy_set_conf() first");
	return DOCA_ERROR_BAD_CONFIG;
}

static doca_error_t dma_start(struct doca_ctx *ctx)
{
	struct doca_dma *dma = dma_of(ctx);
	doca_error_t result = sdpu_task_pool_open(&dma->memcpys);

	if (result == DOCA_SUCCESS)
		sdpu_source_add(ctx->pe, &dma->source);
	return result;
}

static void dma_stop(struct doca_ctx *ctx)
{
	struct doca_dma *dma = dma_of(ctx);

	while (dma->waiting.first != NULL)
		sdpu_task_finish(dma_take(dma), DOCA_ERROR_SHUTDOWN);
}

static void dma_idle(struct doca_ctx *ctx)
{
	sdpu_source_remove(&dma_of(ctx)->source);
}

static const struct sdpu_ctx_ops dma_ops = {
	.name = "doca_dma",
	.kind = SOFTDPU_OBJECT_DMA,
	.check = dma_check,
	.start = dma_start,
	.stop = dma_stop,
	.idle = dma_idle,
};

doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma)
{
	struct doca_dma *made;

	if (sdpu_any_null(__func__, dev, dma))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	made->source.poll = dma_poll;
	made->source.pending = dma_pending;
	sdpu_ctx_init(&made->ctx, &dma_ops, dev);
	*dma = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_destroy(struct doca_dma *dma)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dma))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_ctx_fini(&dma->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_task_pool_close(&dma->memcpys);
	free(dma);
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma)
{
	return dma == NULL ? NULL : &dma->ctx;
}
