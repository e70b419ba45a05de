/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Public functions of the memcpy task; dma.c carries it out.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "base/unsupported.h"
#include "dma/dma.h"

static struct doca_dma *task_dma(const struct doca_task *base)
{
	return sdpu_container_of(base->ctx, struct doca_dma, ctx);
}

/* Does not look at the bufs: a card does so later, and so do we. */
static doca_error_t memcpy_submit(struct doca_task *base)
{
	dma_submit(task_dma(base), base);
	return DOCA_SUCCESS;
}

static doca_error_t memcpy_validate(const struct doca_task *base)
{
	const struct doca_dma_task_memcpy *task = (const struct doca_dma_task_memcpy *)base;
	size_t len;
	const char *fault = dma_validate(task_dma(base), task->src, task->dst, &len);

	if (fault == NULL)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_task_try_submit: the doca_dma_task_memcpy cannot run; %s", fault);
	return DOCA_ERROR_INVALID_VALUE;
}

static void memcpy_freed(struct doca_task *base)
{
	dma_cancel(task_dma(base), base);
}

static const struct sdpu_task_ops memcpy_ops = {
	.name = "doca_dma_task_memcpy",
	.submit = memcpy_submit,
	.validate = memcpy_validate,
	.freed = memcpy_freed,
};

doca_error_t doca_dma_task_memcpy_set_conf(struct doca_dma *dma,
					   doca_dma_task_memcpy_completion_cb_t task_completion_cb,
					   doca_dma_task_memcpy_completion_cb_t task_error_cb,
					   uint32_t num_memcpy_tasks)
{
	if (sdpu_any_null(__func__, dma))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_task_pool_conf(&dma->memcpys, &dma->ctx, &memcpy_ops,
				   sizeof(struct doca_dma_task_memcpy),
				   (sdpu_task_cb)task_completion_cb, (sdpu_task_cb)task_error_cb,
				   num_memcpy_tasks, dma_limits(dma)->dma_max_tasks);
}

doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma, const struct doca_buf *src,
					     struct doca_buf *dst, union doca_data user_data,
					     struct doca_dma_task_memcpy **task)
{
	struct doca_dma_task_memcpy *made;
	struct doca_task *base;
	doca_error_t result;

	if (sdpu_has_null(dma, task))
		return sdpu_refuse_null(__func__, dma, task);
	if (sdpu_unlikely(dma->ctx.state != DOCA_CTX_STATE_RUNNING))
		return sdpu_task_alloc_refused(__func__, &dma->ctx, &dma->memcpys,
					       DOCA_ERROR_BAD_STATE);
	result = sdpu_task_alloc(&dma->memcpys, user_data, &base);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return sdpu_task_alloc_refused(__func__, &dma->ctx, &dma->memcpys, result);
	made = (struct doca_dma_task_memcpy *)base;
	made->src = src;
	made->dst = dst;
	*task = made;
	return DOCA_SUCCESS;
}

struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task)
{
	return task == NULL ? NULL : &task->base;
}

void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src)
{
	if (task != NULL)
		task->src = src;
}

const struct doca_buf *doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task)
{
	return task == NULL ? NULL : task->src;
}

void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst)
{
	if (task != NULL)
		task->dst = dst;
}

struct doca_buf *doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task)
{
	return task == NULL ? NULL : task->dst;
}

doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t enable)
{
	(void)enable;
	if (sdpu_any_null(__func__, dma))
		return DOCA_ERROR_INVALID_VALUE;
	/* They always are. */
	return sdpu_ctx_configurable(&dma->ctx, "doca_dma_set_ordered_completions");
}

/* clang-format off */
SDPU_OFF_DATA_PATH(doca_dma_get_gpu_handle, (struct doca_dma *dma, struct doca_gpu_dma **gpu_dma),
	dma && gpu_dma)
/* clang-format on */
