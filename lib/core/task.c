/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The life of one task after it was allocated; contract in task.h.
 */
#include "core/task.h"

#include <doca_pe.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/ctx.h"
#include "core/pe.h"

static void task_give_back(struct doca_task *task)
{
	struct sdpu_task_pool *pool = task->pool;

	task->state = SDPU_TASK_FREE;
	task->next = pool->free;
	pool->free = task;
	pool->ctx->allocated--;
	if (pool->ctx->state == DOCA_CTX_STATE_STOPPING)
		sdpu_ctx_wake(pool->ctx);
}

static void task_tell_watch(struct doca_task *task, bool freed)
{
	struct sdpu_task_watch *watch = task->watch;

	task->watch = NULL;
	if (freed)
		task_give_back(task);
	else
		task->state = SDPU_TASK_OWNED;
	watch->done(watch, task->status);
}

static inline void task_call_back(struct doca_task *task, sdpu_task_cb call)
{
	const struct doca_ctx *ctx = task->ctx;
	struct doca_pe *pe = ctx->pe;

	task->state = SDPU_TASK_OWNED;
	pe->depth++;
	call(task, task->user_data, ctx->user_data);
	pe->depth--;
}

__attribute__((cold, noinline)) static void task_deliver_aside(struct doca_task *task)
{
	bool freed = sdpu_task_is_freed(task);

	if (task->ctx->state == DOCA_CTX_STATE_STOPPING)
		sdpu_ctx_wake(task->ctx);
	if (task->status != DOCA_SUCCESS)
		sdpu_count(&task->ctx->failed, 1);
	sdpu_sample_end(&task->ctx->sample, task);
	if (task->watch != NULL)
		task_tell_watch(task, freed);
	else if (freed)
		task_give_back(task);
	else
		task_call_back(task, task->status == DOCA_SUCCESS ? task->pool->completed
								  : task->pool->failed);
}

void sdpu_task_deliver(struct doca_task *task, doca_error_t status)
{
	struct doca_ctx *ctx = task->ctx;

	task->status = status;
	sdpu_count(&ctx->completed, 1);
	if (sdpu_likely(status == DOCA_SUCCESS && ctx->state != DOCA_CTX_STATE_STOPPING &&
			task->watch == NULL && !sdpu_task_is_freed(task)))
		task_call_back(task, task->pool->completed);
	else
		task_deliver_aside(task);
}

void sdpu_task_finish(struct doca_task *task, doca_error_t status)
{
	struct doca_ctx *ctx = task->ctx;

	task->status = status;
	if (ctx->done.first == NULL)
		sdpu_list_append(&ctx->pe->done, &ctx->done_node);
	sdpu_task_queue_put(&ctx->done, task);
}

__attribute__((noinline)) static doca_error_t task_submit_refused(struct doca_task *task,
								  doca_error_t result)
{
	struct doca_ctx *ctx = task->ctx;

	task->state = SDPU_TASK_OWNED;
	sdpu_sample_drop(&ctx->sample, task);
	if (result == DOCA_ERROR_AGAIN) {
		sdpu_count(&ctx->again, 1);
		sdpu_spin_idle();
	}
	return result;
}

/* No call: its caller tells. */
__attribute__((cold, noinline)) static doca_error_t task_refuse(const char *call,
								const struct doca_task *task)
{
	const char *name = task->pool->ops->name;

	if (call == NULL || sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (task->ctx->state != DOCA_CTX_STATE_RUNNING)
		sdpu_log_err("%s: the context of the %s is %s; needed: RUNNING; call "
			     "doca_ctx_start(), and progress until it is",
			     call, name, sdpu_ctx_state_name(task->ctx));
	else
		sdpu_log_err("%s: the %s %s; needed: a task that is the program's; submit it again "
			     "after its callback, before doca_task_free()",
			     call, name,
			     task->state == SDPU_TASK_SUBMITTED ? "is submitted already"
								: "was freed");
	return DOCA_ERROR_BAD_STATE;
}

static inline doca_error_t task_submit(struct doca_task *task, const char *call)
{
	struct doca_ctx *ctx;
	doca_error_t result;

	if (sdpu_has_null(task))
		return sdpu_refuse_null(call, task);
	ctx = task->ctx;
	if (sdpu_unlikely(ctx->state != DOCA_CTX_STATE_RUNNING || task->state != SDPU_TASK_OWNED ||
			  sdpu_process_inert()))
		return task_refuse(call, task);
	task->state = SDPU_TASK_SUBMITTED;
	if (sdpu_unlikely(ctx->submitted >= ctx->sample.next))
		sdpu_sample_begin(&ctx->sample, task);
	result = task->pool->ops->submit(task);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return task_submit_refused(task, result);
	sdpu_count(&ctx->submitted, 1);
	sdpu_bell_rouse(&ctx->pe->bell);
	return DOCA_SUCCESS;
}

doca_error_t doca_task_submit(struct doca_task *task)
{
	return task_submit(task, __func__);
}

doca_error_t sdpu_task_submit_watched(struct doca_task *task, struct sdpu_task_watch *watch)
{
	doca_error_t result;

	/* Somebody else may have submitted it, and watch it. */
	if (task->state != SDPU_TASK_OWNED)
		return DOCA_ERROR_BAD_STATE;
	task->watch = watch;
	result = task_submit(task, NULL);
	if (result != DOCA_SUCCESS)
		task->watch = NULL;
	return result;
}

doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags)
{
	if (flags &
	    ~(uint32_t)(DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS)) {
		sdpu_log_err("doca_task_submit_ex: flags 0x%x; needed: none but FLUSH (1) and "
			     "OPTIMIZE_REPORTS (2)",
			     flags);
		return DOCA_ERROR_INVALID_VALUE;
	}
	/* Every submit takes effect at once here, flushed or not. */
	return task_submit(task, __func__);
}

doca_error_t doca_task_try_submit(struct doca_task *task)
{
	const struct sdpu_task_ops *ops;
	doca_error_t result;

	if (sdpu_any_null(__func__, task))
		return DOCA_ERROR_INVALID_VALUE;
	ops = task->pool->ops;
	if (ops->validate != NULL) {
		result = ops->validate(task);
		if (result != DOCA_SUCCESS)
			return result;
	}
	return task_submit(task, __func__);
}

static void task_orphan(struct doca_task *task)
{
	task->state = SDPU_TASK_ORPHANED;
	if (task->pool->ops->freed != NULL)
		task->pool->ops->freed(task);
}

void doca_task_free(struct doca_task *task)
{
	if (task == NULL || sdpu_process_inert())
		return;
	if (sdpu_likely(task->state == SDPU_TASK_OWNED))
		task_give_back(task);
	else if (task->state == SDPU_TASK_SUBMITTED)
		task_orphan(task);
	else
		sdpu_log_warn("doca_task_free: a %s was freed twice; free a task once, before its "
			      "slot is used again",
			      task->pool->ops->name);
}

doca_error_t doca_task_get_status(const struct doca_task *task)
{
	return sdpu_any_null(__func__, task) ? DOCA_ERROR_INVALID_VALUE : task->status;
}

void doca_task_set_user_data(struct doca_task *task, union doca_data user_data)
{
	if (task != NULL)
		task->user_data = user_data;
}

union doca_data doca_task_get_user_data(const struct doca_task *task)
{
	const union doca_data none = {.u64 = 0};

	return task == NULL ? none : task->user_data;
}

struct doca_ctx *doca_task_get_ctx(const struct doca_task *task)
{
	return task == NULL ? NULL : task->ctx;
}
