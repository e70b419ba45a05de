/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/toy.h"

#include <stdlib.h>

static struct toy *toy_of(struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct toy, ctx);
}

static bool toy_poll(struct sdpu_source *source)
{
	struct toy *toy = sdpu_container_of(source, struct toy, source);

	if (toy->deliver == 0 || toy->waiting.first == NULL)
		return false;
	toy->deliver--;
	sdpu_task_deliver(sdpu_task_queue_get(&toy->waiting), DOCA_SUCCESS);
	return true;
}

static bool toy_pending(const struct sdpu_source *source)
{
	const struct toy *toy = sdpu_container_of(source, struct toy, source);

	return toy->deliver != 0 && toy->waiting.first != NULL;
}

static doca_error_t toy_check(struct doca_ctx *ctx)
{
	return toy_of(ctx)->check;
}

static doca_error_t toy_start(struct doca_ctx *ctx)
{
	struct toy *toy = toy_of(ctx);

	T_OK(sdpu_task_pool_open(&toy->pool));
	sdpu_source_add(ctx->pe, &toy->source);
	return toy->asynchronous ? DOCA_ERROR_IN_PROGRESS : DOCA_SUCCESS;
}

static doca_error_t toy_may_stop(struct doca_ctx *ctx)
{
	return toy_of(ctx)->may_stop;
}

static bool toy_step(struct doca_ctx *ctx)
{
	struct doca_task *task;

	if (ctx->state != DOCA_CTX_STATE_STOPPING)
		return false;
	task = sdpu_task_queue_get(&toy_of(ctx)->waiting);
	if (task == NULL)
		return false;
	sdpu_task_deliver(task, DOCA_ERROR_SHUTDOWN);
	return true;
}

static void toy_idle(struct doca_ctx *ctx)
{
	sdpu_source_remove(&toy_of(ctx)->source);
}

const struct sdpu_ctx_ops toy_ops = {
	.name = "toy",
	.check = toy_check,
	.start = toy_start,
	.may_stop = toy_may_stop,
	.step = toy_step,
	.idle = toy_idle,
};

static doca_error_t toy_submit(struct doca_task *task)
{
	sdpu_task_queue_put(&toy_of(task->ctx)->waiting, task);
	return DOCA_SUCCESS;
}

static doca_error_t toy_validate(const struct doca_task *task)
{
	return task->user_data.u64 == 13 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

const struct sdpu_task_ops toy_task_ops = {
	.name = "toy_task",
	.submit = toy_submit,
	.validate = toy_validate,
};

static void toy_over(struct toy *toy, struct doca_task *task)
{
	toy->last_status = doca_task_get_status(task);
	if (toy->on_task != NULL)
		toy->on_task(toy, task);
	else
		doca_task_free(task);
}

void toy_completed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct toy *toy = ctx_data.ptr;

	(void)task_data;
	toy->completed++;
	toy_over(toy, task);
}

void toy_failed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct toy *toy = ctx_data.ptr;

	(void)task_data;
	toy->failed++;
	toy_over(toy, task);
}

void toy_state(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states prev,
	       enum doca_ctx_states next)
{
	struct toy *toy = user_data.ptr;
	enum doca_ctx_states now;

	(void)prev;
	T_OK(doca_ctx_get_state(ctx, &now));
	T_EQ(now, next);
	toy->states[toy->num_states++] = next;
	if (toy->on_state != NULL)
		toy->on_state(toy, next);
}

struct doca_pe *pe;

struct toy *toy_make(void)
{
	struct toy *toy = calloc(1, sizeof(*toy));
	const union doca_data self = {.ptr = toy};

	if (pe == NULL)
		T_OK(doca_pe_create(&pe));
	sdpu_ctx_init(&toy->ctx, &toy_ops, NULL);
	toy->source.poll = toy_poll;
	toy->source.pending = toy_pending;
	T_OK(sdpu_task_pool_conf(&toy->pool, &toy->ctx, &toy_task_ops, sizeof(struct doca_task),
				 toy_completed, toy_failed, 4, 16));
	T_OK(doca_pe_connect_ctx(pe, &toy->ctx));
	T_OK(doca_ctx_set_user_data(&toy->ctx, self));
	T_OK(doca_ctx_set_state_changed_cb(&toy->ctx, toy_state));
	return toy;
}

void toy_free(struct toy *toy)
{
	T_OK(sdpu_ctx_fini(&toy->ctx));
	sdpu_task_pool_close(&toy->pool);
	free(toy);
}

void finish(struct toy *toy)
{
	toy_free(toy);
	T_OK(doca_pe_destroy(pe));
	pe = NULL;
}

void progress_all(void)
{
	while (doca_pe_progress(pe))
		;
}

struct doca_task *toy_task(struct toy *toy)
{
	const union doca_data none = {.u64 = 0};
	struct doca_task *task;

	T_OK(sdpu_task_alloc(&toy->pool, none, &task));
	return task;
}
