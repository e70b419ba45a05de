/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_ctx.h: argument checks, then ctx.c.
 */
#include <doca_ctx.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/ctx_state.h"

doca_error_t doca_ctx_start(struct doca_ctx *ctx)
{
	if (sdpu_any_null(__func__, ctx))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	return sdpu_ctx_request_start(ctx);
}

doca_error_t doca_ctx_stop(struct doca_ctx *ctx)
{
	if (sdpu_any_null(__func__, ctx))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	return sdpu_ctx_request_stop(ctx);
}

doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx, size_t *num_inflight_tasks)
{
	if (sdpu_any_null(__func__, ctx, num_inflight_tasks))
		return DOCA_ERROR_INVALID_VALUE;
	*num_inflight_tasks = sdpu_ctx_inflight(ctx);
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx, enum doca_ctx_states *state)
{
	if (sdpu_any_null(__func__, ctx, state))
		return DOCA_ERROR_INVALID_VALUE;
	*state = ctx->state;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, ctx))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_ctx_configurable(ctx, "doca_ctx_set_user_data");
	if (result == DOCA_SUCCESS)
		ctx->user_data = user_data;
	return result;
}

doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data)
{
	if (sdpu_any_null(__func__, ctx, user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = ctx->user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
					   doca_ctx_state_changed_callback_t cb)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, ctx, cb))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_ctx_configurable(ctx, "doca_ctx_set_state_changed_cb");
	if (result == DOCA_SUCCESS)
		ctx->state_changed = cb;
	return result;
}

doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx, struct doca_gpu *gpu_dev)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, ctx, gpu_dev))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_ctx_configurable(ctx, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_log_err("doca_ctx_set_datapath_on_gpu: there is no GPU here; needed: the CPU's data "
		     "path, which a context has anyway, or doca_ctx_set_datapath_on_dpa()");
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa_dev)
{
	if (sdpu_any_null(__func__, ctx, dpa_dev))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_ctx_set_dpa(ctx, dpa_dev, __func__);
}

void doca_ctx_flush_tasks(struct doca_ctx *ctx)
{
	/* Nothing to flush: each submit was visible to the peer when it returned. */
	(void)ctx;
}

doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx, uint32_t comp_vector)
{
	if (sdpu_any_null(__func__, ctx))
		return DOCA_ERROR_INVALID_VALUE;
	if (comp_vector != 0) {
		sdpu_log_err("doca_ctx_set_completion_vector: vector %u; there is one, number 0",
			     comp_vector);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return sdpu_ctx_configurable(ctx, "doca_ctx_set_completion_vector");
}

doca_error_t doca_ctx_cap_get_num_completion_vectors(const struct doca_devinfo *devinfo,
						     uint32_t *num)
{
	if (sdpu_any_null(__func__, devinfo, num))
		return DOCA_ERROR_INVALID_VALUE;
	*num = 1;
	return DOCA_SUCCESS;
}
