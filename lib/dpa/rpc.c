/* SPDX-License-Identifier: BSD-3-Clause
 *
 * RPC: a device function that a strand runs while the host's thread waits for it.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "dpa/dpa_object.h"
#include "dpa/strand_run.h"

struct rpc {
	uint8_t frame[SOFTDPU_DPA_FRAME_SIZE] __attribute__((aligned(SOFTDPU_DPA_FRAME_ALIGN)));
	struct dpa_job job;
	struct doca_dpa *device;
	const struct softdpu_dpa_kernel *kernel;
	enum sdpu_dpa_end end;
	uint64_t result;
};

static void rpc_run(struct dpa_job *job, struct sdpu_dpa_strand *strand)
{
	struct rpc *rpc = sdpu_container_of(job, struct rpc, job);

	dpa_strand_set_role(strand, NULL, 0, 1);
	strand->device = rpc->device;
	rpc->end = dpa_strand_run(strand, rpc->kernel, rpc->frame);
	rpc->result = strand->result;
}

/* True: the job has ended and belongs to the caller again. */
static bool rpc_call(struct rpc *rpc, doca_error_t *result)
{
	struct dpa_pool *pool = &dpa_root(rpc->device)->pool;

	*result = dpa_pool_submit(pool, &rpc->job, "doca_dpa_rpc");
	if (*result != DOCA_SUCCESS)
		return true;
	if (!dpa_pool_wait(pool, &rpc->job)) {
		*result = DOCA_ERROR_DRIVER;
		return false;
	}
	if (rpc->end == SDPU_DPA_END_RETURN)
		return true;
	sdpu_log_err("doca_dpa_rpc: %s did not return; it failed, or was ended with its context",
		     rpc->kernel->name);
	*result = DOCA_ERROR_DRIVER;
	return true;
}

static doca_error_t rpc(struct doca_dpa *dpa, const struct softdpu_dpa_kernel *kernel,
			uint64_t *retval, va_list *args)
{
	struct rpc *rpc = aligned_alloc(SOFTDPU_DPA_FRAME_ALIGN, sizeof(*rpc));
	doca_error_t result;

	if (rpc == NULL)
		return sdpu_no_memory("doca_dpa_rpc");
	rpc->job = (struct dpa_job){.run = rpc_run};
	rpc->device = dpa;
	rpc->kernel = kernel;
	kernel->pack(rpc->frame, args);
	if (!rpc_call(rpc, &result))
		return result;
	if (result == DOCA_SUCCESS)
		*retval = rpc->result;
	free(rpc);
	return result;
}

doca_error_t doca_dpa_rpc(struct doca_dpa *dpa, doca_dpa_func_t *func, uint64_t *retval, ...)
{
	const struct softdpu_dpa_kernel *kernel;
	doca_error_t result;
	va_list args;

	if (sdpu_any_null(__func__, dpa, func, retval))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_check_running(dpa, __func__);
	if (result == DOCA_SUCCESS)
		result = dpa_app_find(dpa, __func__, func, SOFTDPU_DPA_KERNEL_RPC, &kernel);
	if (result != DOCA_SUCCESS)
		return result;
	va_start(args, retval);
	result = rpc(dpa, kernel, retval, &args);
	va_end(args);
	return result;
}
