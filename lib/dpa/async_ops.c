/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queue of asynchronous operations, host's side; contract in async_ops.h.
 */
#include "dpa/async_ops.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "core/sync_event.h"
#include "dpa/dpa.h"
#include "dpa/host_thread.h"

#define USER_DATA_MASK ((1u << DOCA_DPA_COMPLETION_LOG_MAX_USER_DATA) - 1)
#define THREAD_STACK ((size_t)256 << 10)

static struct doca_dpa_async_ops *make(struct doca_dpa *dpa, uint32_t size, uint64_t user_data)
{
	struct doca_dpa_async_ops *async = aligned_alloc(SDPU_CACHE_LINE, sizeof(*async));

	if (async == NULL)
		return NULL;
	*async = (struct doca_dpa_async_ops){
		.dpa = dpa,
		.size = size,
		.user_data = (uint32_t)user_data & USER_DATA_MASK,
		.queue = calloc(size, sizeof(*async->queue)),
	};
	if (async->queue != NULL)
		return async;
	free(async);
	return NULL;
}

doca_error_t doca_dpa_async_ops_create(struct doca_dpa *dpa, unsigned int queue_size,
				       uint64_t user_data, struct doca_dpa_async_ops **async_ops)
{
	struct doca_dpa_async_ops *made;
	doca_error_t result;
	uint32_t size;

	if (sdpu_any_null(__func__, dpa, async_ops))
		return DOCA_ERROR_INVALID_VALUE;
	result = dpa_queue_size(__func__, queue_size, &size);
	if (result == DOCA_SUCCESS)
		result = sdpu_dpa_join(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	made = make(dpa, size, user_data);
	if (made == NULL) {
		sdpu_dpa_leave(dpa);
		return sdpu_no_memory(__func__);
	}
	*async_ops = made;
	return DOCA_SUCCESS;
}

/* After the thread has ended: releases the events of what it has not done. */
static void forget_waits(struct doca_dpa_async_ops *async)
{
	for (uint32_t i = sdpu_load(&async->done); i != sdpu_load(&async->posted); i++)
		sdpu_event_release(async->queue[i & (async->size - 1)].event);
}

/* A program must not stop the queue while a kernel posts to it; copies of such a kernel end by
 * themselves. */
static void stop(struct doca_dpa_async_ops *async)
{
	sdpu_dpa_drain(async->dpa);
	sdpu_dpa_handle_withdraw(&async->head);
	sdpu_publish_fenced(&async->ending, 1);
	dpa_async_wake(async);
	pthread_join(async->thread, NULL);
	forget_waits(async);
	sdpu_dpa_completion_detach(async->comp, async->slots);
	async->state = DPA_MEMBER_IDLE;
}

doca_error_t doca_dpa_async_ops_destroy(struct doca_dpa_async_ops *async_ops)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, async_ops))
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_dpa_may_destroy_member(async_ops->dpa, __func__, &result))
		return result;
	if (async_ops->state == DPA_MEMBER_STARTED)
		stop(async_ops);
	free(async_ops->queue);
	sdpu_dpa_retire_member(async_ops->dpa, async_ops);
	return result;
}

doca_error_t doca_dpa_async_ops_get_queue_size(struct doca_dpa_async_ops *async_ops,
					       unsigned int *queue_size)
{
	if (sdpu_any_null(__func__, async_ops, queue_size))
		return DOCA_ERROR_INVALID_VALUE;
	*queue_size = async_ops->size;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_async_ops_get_user_data(struct doca_dpa_async_ops *async_ops,
					      uint64_t *user_data)
{
	if (sdpu_any_null(__func__, async_ops, user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = async_ops->user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_async_ops_attach(struct doca_dpa_async_ops *async_ops,
				       struct doca_dpa_completion *dpa_comp)
{
	if (sdpu_any_null(__func__, async_ops, dpa_comp))
		return DOCA_ERROR_INVALID_VALUE;
	if (async_ops->state == DPA_MEMBER_STARTED) {
		sdpu_log_err("doca_dpa_async_ops_attach: the queue is started; its completion is "
			     "chosen before doca_dpa_async_ops_start()");
		return DOCA_ERROR_BAD_STATE;
	}
	if (sdpu_dpa_base(sdpu_dpa_completion_dpa(dpa_comp))->root !=
	    sdpu_dpa_base(async_ops->dpa)->root) {
		sdpu_log_err("doca_dpa_async_ops_attach: the completion is of another DPA context; "
			     "needed: one of the same");
		return DOCA_ERROR_INVALID_VALUE;
	}
	async_ops->comp = dpa_comp;
	return DOCA_SUCCESS;
}

static doca_error_t start_check(const struct doca_dpa_async_ops *async, const char *call)
{
	if (async->state == DPA_MEMBER_IDLE && async->comp != NULL)
		return sdpu_dpa_check_running(async->dpa, call);
	sdpu_log_err("%s: %s", call,
		     async->comp == NULL ? "no completion; call doca_dpa_async_ops_attach() first"
					 : "it is started; needed: one that is not");
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_dpa_async_ops_start(struct doca_dpa_async_ops *async_ops)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, async_ops))
		return DOCA_ERROR_INVALID_VALUE;
	result = start_check(async_ops, __func__);
	if (result == DOCA_SUCCESS)
		result = sdpu_dpa_completion_attach(async_ops->comp, __func__, async_ops->size,
						    &async_ops->slots);
	if (result != DOCA_SUCCESS)
		return result;
	async_ops->posted = async_ops->done = 0;
	async_ops->ending = async_ops->told = 0;
	result = dpa_host_thread_start(&async_ops->thread, "dpa-async", THREAD_STACK,
				       dpa_async_main, async_ops);
	if (result != DOCA_SUCCESS) {
		sdpu_dpa_completion_detach(async_ops->comp, async_ops->slots);
		return result;
	}
	(void)sdpu_dpa_handle_give(&async_ops->head, SDPU_DPA_KIND_ASYNC_OPS);
	async_ops->state = DPA_MEMBER_STARTED;
	return DOCA_SUCCESS;
}

static doca_error_t check_started(const struct doca_dpa_async_ops *async, const char *call)
{
	return dpa_member_check_started(
		async->state, async->dpa, call,
		"the queue is not started; call doca_dpa_async_ops_start() first");
}

doca_error_t doca_dpa_async_ops_stop(struct doca_dpa_async_ops *async_ops)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, async_ops))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_started(async_ops, __func__);
	if (result == DOCA_SUCCESS)
		stop(async_ops);
	return result;
}

doca_error_t doca_dpa_async_ops_get_dpa_handle(struct doca_dpa_async_ops *async_ops,
					       doca_dpa_dev_async_ops_t *handle)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, async_ops, handle))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_started(async_ops, __func__);
	if (result == DOCA_SUCCESS)
		*handle = (uintptr_t)&async_ops->head;
	return result;
}
