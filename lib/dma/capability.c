/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What devices can do: the limits of the topology. No state; any thread.
 */
#include "base/refuse.h"
#include "dma/dma.h"

doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo)
{
	return sdpu_any_null(__func__, devinfo) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo,
						       uint64_t *buf_size)
{
	if (sdpu_any_null(__func__, devinfo, buf_size))
		return DOCA_ERROR_INVALID_VALUE;
	*buf_size = sdpu_devinfo_function(devinfo)->limits->dma_max_buf_size;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							   uint32_t *max_buf_list_len)
{
	if (sdpu_any_null(__func__, devinfo, max_buf_list_len))
		return DOCA_ERROR_INVALID_VALUE;
	*max_buf_list_len = sdpu_devinfo_function(devinfo)->limits->dma_max_list;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks)
{
	if (sdpu_any_null(__func__, dma, max_num_tasks))
		return DOCA_ERROR_INVALID_VALUE;
	*max_num_tasks = dma_limits(dma)->dma_max_tasks;
	return DOCA_SUCCESS;
}
