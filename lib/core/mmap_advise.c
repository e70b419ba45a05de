/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Advice about memory: a context whose one task drops a range from the device's cache. There is no
 * such cache: a task is validated as a card would do it, and is over when it was submitted; the
 * next progress tells. Owner: the user; thread: that of the engine. It has no peer.
 */
#include <stdlib.h>

#include <doca_mmap_advise.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/buf.h"
#include "core/ctx.h"
#include "core/dev.h"
#include "core/mmap_object.h"

#define ADVISE_MAX_TASKS 65536

struct doca_mmap_advise {
	struct doca_ctx ctx;
	struct sdpu_task_pool invalidates;
};

struct doca_mmap_advise_task_invalidate_cache {
	struct doca_task base; /* first: it is a task */
	const struct doca_buf *buf;
};

static struct doca_mmap_advise *advise_of(const struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct doca_mmap_advise, ctx);
}

static doca_error_t advise_check(struct doca_ctx *ctx)
{
	if (advise_of(ctx)->invalidates.num != 0)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_ctx_start: the doca_mmap_advise has no tasks; needed: call "
		     "doca_mmap_advise_task_invalidate_cache_set_conf() first");
	return DOCA_ERROR_BAD_CONFIG;
}

static doca_error_t advise_start(struct doca_ctx *ctx)
{
	return sdpu_task_pool_open(&advise_of(ctx)->invalidates);
}

static const struct sdpu_ctx_ops advise_ops = {
	.name = "doca_mmap_advise",
	.check = advise_check,
	.start = advise_start,
};

doca_error_t doca_mmap_advise_create(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise)
{
	struct doca_mmap_advise *advise;

	if (sdpu_any_null(__func__, dev, mmap_advise))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	advise = calloc(1, sizeof(*advise));
	if (advise == NULL)
		return sdpu_no_memory(__func__);
	sdpu_ctx_init(&advise->ctx, &advise_ops, dev);
	*mmap_advise = advise;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap_advise))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_ctx_fini(&mmap_advise->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_task_pool_close(&mmap_advise->invalidates);
	free(mmap_advise);
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise)
{
	return mmap_advise == NULL ? NULL : &mmap_advise->ctx;
}

doca_error_t
doca_mmap_advise_cap_task_cache_invalidate_is_supported(const struct doca_devinfo *devinfo)
{
	return sdpu_any_null(__func__, devinfo) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

/* Every piece of the range lies in an mmap that can be used, and that the device can see. */
static doca_error_t invalidate_check(const struct doca_task *base)
{
	const struct doca_buf *buf =
		((const struct doca_mmap_advise_task_invalidate_cache *)base)->buf;

	for (; buf != NULL; buf = buf->next) {
		if (sdpu_mmap_holds(buf->mmap, buf->head, buf->len) &&
		    sdpu_mmap_has_function(buf->mmap, base->ctx->dev))
			continue;
		sdpu_log_err("doca_mmap_advise_task_invalidate_cache: %zu bytes at %p; needed: a "
			     "range of a started mmap that has the context's device; call "
			     "doca_mmap_add_dev() before its start",
			     buf->len, (void *)buf->head);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

static doca_error_t invalidate_submit(struct doca_task *base)
{
	sdpu_task_finish(base, invalidate_check(base));
	return DOCA_SUCCESS;
}

static const struct sdpu_task_ops invalidate_ops = {
	.name = "doca_mmap_advise_task_invalidate_cache",
	.submit = invalidate_submit,
	.validate = invalidate_check,
};

doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
	struct doca_mmap_advise *mmap_advise,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap_advise))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_task_pool_conf(&mmap_advise->invalidates, &mmap_advise->ctx, &invalidate_ops,
				     sizeof(struct doca_mmap_advise_task_invalidate_cache),
				     (sdpu_task_cb)completion_cb, (sdpu_task_cb)error_cb, num_tasks,
				     ADVISE_MAX_TASKS);
	/* this call alone answers with this code */
	return result == DOCA_ERROR_BAD_STATE ? DOCA_ERROR_NOT_PERMITTED : result;
}

doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
	struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
	struct doca_mmap_advise_task_invalidate_cache **task)
{
	struct doca_task *base;
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap_advise, buf, task))
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap_advise->ctx.state != DOCA_CTX_STATE_RUNNING)
		return sdpu_task_alloc_refused(__func__, &mmap_advise->ctx,
					       &mmap_advise->invalidates, DOCA_ERROR_BAD_STATE);
	result = sdpu_task_alloc(&mmap_advise->invalidates, user_data, &base);
	if (result != DOCA_SUCCESS)
		return sdpu_task_alloc_refused(__func__, &mmap_advise->ctx,
					       &mmap_advise->invalidates, result);
	*task = (struct doca_mmap_advise_task_invalidate_cache *)base;
	(*task)->buf = buf;
	return DOCA_SUCCESS;
}

struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
	struct doca_mmap_advise_task_invalidate_cache *task)
{
	return task == NULL ? NULL : &task->base;
}
