/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctx_stop.h"

#include "timing.h"

#define STOP_LIMIT_SEC 3

static size_t ctx_num_inflight(const struct doca_ctx *ctx)
{
	size_t count = 0;

	return doca_ctx_get_num_inflight_tasks(ctx, &count) == DOCA_SUCCESS ? count : 0;
}

static bool ctx_is_idle(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	return doca_ctx_get_state(ctx, &state) != DOCA_SUCCESS || state == DOCA_CTX_STATE_IDLE;
}

static bool ctx_stop_goes_on(doca_error_t result)
{
	return result == DOCA_ERROR_IN_PROGRESS || result == DOCA_ERROR_AGAIN ||
	       result == DOCA_ERROR_IN_USE;
}

static void ctx_progress(struct doca_pe *pe)
{
	if (doca_pe_progress(pe) == 0)
		timing_sleep(NSEC_PER_MSEC / 50);
}

static doca_error_t ctx_stop_by_progress(const struct ctx_stop *stop, struct fault *fault)
{
	const uint64_t deadline = timing_deadline(STOP_LIMIT_SEC);

	while (ctx_num_inflight(stop->ctx) != 0 && timing_now() < deadline)
		ctx_progress(stop->pe);
	if (stop->free_tasks != NULL)
		stop->free_tasks(stop->arg);
	while (!ctx_is_idle(stop->ctx) && timing_now() < deadline)
		ctx_progress(stop->pe);
	if (ctx_is_idle(stop->ctx))
		return DOCA_SUCCESS;
	return fault_raise(fault, DOCA_ERROR_TIME_OUT,
			   "The %s did not stop within %d seconds; it is left as it is", stop->name,
			   STOP_LIMIT_SEC);
}

doca_error_t ctx_stop(const struct ctx_stop *stop, struct fault *fault)
{
	doca_error_t result;

	if (stop->ctx == NULL)
		return DOCA_SUCCESS;
	result = doca_ctx_stop(stop->ctx);
	if (ctx_stop_goes_on(result))
		return ctx_stop_by_progress(stop, fault);
	if (result != DOCA_SUCCESS)
		fault_raise(fault, result, "Failed to stop the %s: %s", stop->name,
			    doca_error_get_name(result));
	return result;
}
