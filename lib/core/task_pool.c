/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pools of tasks; contract in task.h.
 */
#include "core/task.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "core/ctx.h"

static doca_error_t refuse_conf(const struct doca_ctx *ctx, const struct sdpu_task_ops *ops)
{
	char call[80];

	snprintf(call, sizeof(call), "%s_set_conf", ops->name);
	return sdpu_ctx_configurable(ctx, call);
}

doca_error_t sdpu_task_pool_conf(struct sdpu_task_pool *pool, struct doca_ctx *ctx,
				 const struct sdpu_task_ops *ops, size_t size,
				 sdpu_task_cb completed, sdpu_task_cb failed, uint32_t num,
				 uint32_t max)
{
	doca_error_t result =
		ctx->state == DOCA_CTX_STATE_IDLE ? DOCA_SUCCESS : refuse_conf(ctx, ops);

	if (result != DOCA_SUCCESS)
		return result;
	if (completed == NULL || failed == NULL) {
		sdpu_log_err("%s_set_conf: a callback is NULL; needed: one for completion and one "
			     "for errors, which may be the same function",
			     ops->name);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (num == 0 || num > max) {
		sdpu_log_err("%s_set_conf: %u tasks; needed: 1 to %u", ops->name, num, max);
		return DOCA_ERROR_INVALID_VALUE;
	}
	pool->ops = ops;
	pool->ctx = ctx;
	pool->size = (size + SDPU_CACHE_LINE - 1) & ~(size_t)(SDPU_CACHE_LINE - 1);
	pool->completed = completed;
	pool->failed = failed;
	pool->num = num;
	pool->told = false;
	return DOCA_SUCCESS;
}

static void task_pool_thread(struct sdpu_task_pool *pool)
{
	pool->free = NULL;
	for (uint32_t i = pool->num; i-- > 0;) {
		struct doca_task *task = sdpu_task_at(pool, i);

		task->ctx = pool->ctx;
		task->pool = pool;
		task->state = SDPU_TASK_FREE;
		task->watch = NULL;
		task->next = pool->free;
		pool->free = task;
	}
}

doca_error_t sdpu_task_pool_open(struct sdpu_task_pool *pool)
{
	if (pool->num > pool->made) {
		void *mem = aligned_alloc(SDPU_CACHE_LINE, pool->num * pool->size);

		if (mem == NULL) {
			sdpu_log_err("doca_ctx_start: no memory for %u tasks (%s); needed: %zu "
				     "bytes; configure fewer, or raise the limits of the process",
				     pool->num, pool->ops->name, pool->num * pool->size);
			return DOCA_ERROR_NO_MEMORY;
		}
		/* Touched now, so that the data path takes no page fault. */
		__builtin_memset(mem, 0, pool->num * pool->size);
		free(pool->mem);
		pool->mem = mem;
		pool->made = pool->num;
	}
	if (pool->num != 0)
		task_pool_thread(pool);
	return DOCA_SUCCESS;
}

void sdpu_task_pool_close(struct sdpu_task_pool *pool)
{
	free(pool->mem);
	pool->mem = NULL;
	pool->made = 0;
	pool->free = NULL;
}

/* Of tasks that are out once, as programs live by it: they try again when one has completed. */
doca_error_t sdpu_task_alloc_refused(const char *call, const struct doca_ctx *ctx,
				     struct sdpu_task_pool *pool, doca_error_t result)
{
	if (ctx->state != DOCA_CTX_STATE_RUNNING) {
		sdpu_log_err("%s: the context is %s; needed: RUNNING; call doca_ctx_start(), and "
			     "progress until it is",
			     call, sdpu_ctx_state_name(ctx));
		return DOCA_ERROR_BAD_STATE;
	}
	if (pool->num == 0)
		sdpu_log_err("%s: there are no tasks of this kind; needed: at least 1; call its "
			     "set_conf before doca_ctx_start()",
			     call);
	else if (!pool->told) {
		pool->told = true;
		sdpu_log_warn("%s: all %u tasks are out; needed: one that is free; free tasks when "
			      "they have completed, or configure more (told once)",
			      call, pool->num);
	}
	return result;
}

doca_error_t sdpu_task_alloc(struct sdpu_task_pool *pool, union doca_data user_data,
			     struct doca_task **out)
{
	struct doca_task *task = pool->free;

	if (pool->num == 0)
		return DOCA_ERROR_NO_MEMORY;
	if (sdpu_unlikely(pool->ctx->state != DOCA_CTX_STATE_RUNNING))
		return DOCA_ERROR_BAD_STATE;
	if (task == NULL)
		return DOCA_ERROR_NO_MEMORY;
	pool->free = task->next;
	pool->ctx->allocated++;
	task->state = SDPU_TASK_OWNED;
	task->status = DOCA_SUCCESS;
	task->user_data = user_data;
	*out = task;
	return DOCA_SUCCESS;
}
