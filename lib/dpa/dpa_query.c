/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a DPA context tells: its handle, its failure, the resources of its device.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "dpa/dpa_object.h"

static bool is_level(doca_dpa_dev_log_level_t level)
{
	return level == DOCA_DPA_DEV_LOG_LEVEL_DISABLE || level == DOCA_DPA_DEV_LOG_LEVEL_ERROR ||
	       level == DOCA_DPA_DEV_LOG_LEVEL_WARNING || level == DOCA_DPA_DEV_LOG_LEVEL_INFO ||
	       level == DOCA_DPA_DEV_LOG_LEVEL_DEBUG;
}

doca_error_t doca_dpa_set_log_level(struct doca_dpa *dpa, doca_dpa_dev_log_level_t log_level)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa))
		return DOCA_ERROR_INVALID_VALUE;
	if (!is_level(log_level)) {
		sdpu_log_err("doca_dpa_set_log_level: level %d; needed: 10, 30, 40, 50 or 60",
			     (int)log_level);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = dpa_check_configurable(dpa, __func__);
	if (result == DOCA_SUCCESS)
		dpa->log_level = log_level;
	return result;
}

doca_error_t doca_dpa_get_log_level(struct doca_dpa *dpa, doca_dpa_dev_log_level_t *log_level)
{
	if (sdpu_any_null(__func__, dpa, log_level))
		return DOCA_ERROR_INVALID_VALUE;
	*log_level = dpa->log_level;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_get_dpa_handle(struct doca_dpa *dpa, doca_dpa_dev_t *handle)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa, handle))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_check_running(dpa, __func__);
	if (result == DOCA_SUCCESS)
		*handle = (uintptr_t)&dpa->base.head;
	return result;
}

doca_error_t doca_dpa_get_uar_id(const struct doca_dpa *dpa, uint32_t *uar_id)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa, uar_id))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_check_running(dpa, __func__);
	/* There are no doorbell pages; a number as good as any, the function's own. */
	if (result == DOCA_SUCCESS)
		*uar_id = sdpu_dev_function(dpa->base.dev)->vhca_id;
	return result;
}

doca_error_t doca_dpa_peek_at_last_error(const struct doca_dpa *dpa)
{
	if (sdpu_any_null(__func__, dpa))
		return DOCA_ERROR_INVALID_VALUE;
	/* Programs poll this, so it does not log; the failure was logged when it came. */
	return sdpu_dpa_state(dpa) == SDPU_DPA_FATAL ? DOCA_ERROR_BAD_STATE : DOCA_SUCCESS;
}

doca_error_t doca_dpa_get_max_threads_per_kernel(const struct doca_dpa *dpa, unsigned int *value)
{
	if (sdpu_any_null(__func__, dpa, value))
		return DOCA_ERROR_INVALID_VALUE;
	*value = dpa_limits(dpa)->dpa_max_threads_per_kernel;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_get_kernel_max_run_time(const struct doca_dpa *dpa, unsigned long long *value)
{
	if (sdpu_any_null(__func__, dpa, value))
		return DOCA_ERROR_INVALID_VALUE;
	*value = dpa_limits(dpa)->dpa_kernel_max_run_time;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_get_core_num(struct doca_dpa *dpa, unsigned int *num_cores)
{
	if (sdpu_any_null(__func__, dpa, num_cores))
		return DOCA_ERROR_INVALID_VALUE;
	*num_cores = dpa_limits(dpa)->dpa_cores;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_get_num_eus_per_core(struct doca_dpa *dpa, unsigned int *eus_per_core)
{
	if (sdpu_any_null(__func__, dpa, eus_per_core))
		return DOCA_ERROR_INVALID_VALUE;
	*eus_per_core = dpa_limits(dpa)->dpa_eus_per_core;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_get_total_num_eus_available(struct doca_dpa *dpa, unsigned int *total_num_eus)
{
	if (sdpu_any_null(__func__, dpa, total_num_eus))
		return DOCA_ERROR_INVALID_VALUE;
	*total_num_eus = dpa_num_eus(dpa);
	return DOCA_SUCCESS;
}
