/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pools of tasks; contract in task.h.
 */
#include "core/task.h"

#include <stdlib.h>

#include "base/log.h"
#include "core/ctx.h"

doca_error_t sdpu_task_pool_conf(struct sdpu_task_pool *pool, struct doca_ctx *ctx,
				 const struct sdpu_task_ops *ops, size_t size,
				 sdpu_task_cb completed, sdpu_task_cb failed, uint32_t num,
				 uint32_t max)
{
	doca_error_t result = sdpu_ctx_configurable(ctx, ops->name);

	if (result != DOCA_SUCCESS)
		return result;
	if (completed == NULL || failed == NULL) {
		sdpu_log_err("%s: a callback is NULL; completion and error callback are both "
			     "needed (they may be "
			     "the same function)",
			     ops->name);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (num == 0 || num > max) {
		sdpu_log_err("%s: %u tasks asked for; 1 to %u are possible", ops->name, num, max);
		return DOCA_ERROR_INVALID_VALUE;
	}
	pool->ops = ops;
	pool->ctx = ctx;
	pool->size = (size + SDPU_CACHE_LINE - 1) & ~(size_t)(SDPU_CACHE_LINE - 1);
	pool->completed = completed;
	pool->failed = failed;
	pool->num = num;
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
			sdpu_log_err("%s: no memory for %u tasks", pool->ops->name, pool->num);
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
