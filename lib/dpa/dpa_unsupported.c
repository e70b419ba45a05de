/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA: contexts, running code, memory.
 */
#include <doca_dpa.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED_CAP(doca_dpa_cap_is_supported)
SDPU_UNSUPPORTED(doca_dpa_create, (struct doca_dev *dev, struct doca_dpa **dpa), dev && dpa)
SDPU_UNSUPPORTED(doca_dpa_destroy, (struct doca_dpa *dpa), dpa)
SDPU_UNSUPPORTED(doca_dpa_set_app, (struct doca_dpa *dpa, struct doca_dpa_app *app), dpa && app)
SDPU_UNSUPPORTED(doca_dpa_get_app, (struct doca_dpa *dpa, struct doca_dpa_app **app), dpa && app)
SDPU_UNSUPPORTED(doca_dpa_app_get_name,
	(struct doca_dpa_app *app, char *app_name, uint32_t *app_name_len),
	app && app_name && app_name_len)
SDPU_UNSUPPORTED(doca_dpa_start, (struct doca_dpa *dpa), dpa)
SDPU_UNSUPPORTED(doca_dpa_stop, (struct doca_dpa *dpa), dpa)
SDPU_UNSUPPORTED(doca_dpa_set_log_level,
	(struct doca_dpa *dpa, doca_dpa_dev_log_level_t log_level), dpa)
SDPU_UNSUPPORTED(doca_dpa_get_log_level,
	(struct doca_dpa *dpa, doca_dpa_dev_log_level_t *log_level), dpa && log_level)
SDPU_UNSUPPORTED(doca_dpa_log_file_set_path,
	(struct doca_dpa *dpa, const char *file_path), dpa && file_path)
SDPU_UNSUPPORTED(doca_dpa_log_file_get_path,
	(struct doca_dpa *dpa, char *file_path, uint32_t *file_path_len),
	dpa && file_path && file_path_len)
SDPU_UNSUPPORTED(doca_dpa_trace_file_set_path,
	(struct doca_dpa *dpa, const char *file_path), dpa && file_path)
SDPU_UNSUPPORTED(doca_dpa_trace_file_get_path,
	(struct doca_dpa *dpa, char *file_path, uint32_t *file_path_len),
	dpa && file_path && file_path_len)
SDPU_UNSUPPORTED(doca_dpa_device_extend,
	(struct doca_dpa *dpa, struct doca_dev *other_dev, struct doca_dpa **extended_dpa),
	dpa && other_dev && extended_dpa)
SDPU_UNSUPPORTED(doca_dpa_get_dpa_handle,
	(struct doca_dpa *dpa, doca_dpa_dev_t *handle), dpa && handle)
SDPU_UNSUPPORTED(doca_dpa_get_uar_id, (const struct doca_dpa *dpa, uint32_t *uar_id), dpa && uar_id)
SDPU_UNSUPPORTED(doca_dpa_peek_at_last_error, (const struct doca_dpa *dpa), dpa)
SDPU_UNSUPPORTED(doca_dpa_get_max_threads_per_kernel,
	(const struct doca_dpa *dpa, unsigned int *value), dpa && value)
SDPU_UNSUPPORTED(doca_dpa_get_kernel_max_run_time,
	(const struct doca_dpa *dpa, unsigned long long *value), dpa && value)
SDPU_UNSUPPORTED(doca_dpa_get_core_num,
	(struct doca_dpa *dpa, unsigned int *num_cores), dpa && num_cores)
SDPU_UNSUPPORTED(doca_dpa_get_num_eus_per_core,
	(struct doca_dpa *dpa, unsigned int *eus_per_core), dpa && eus_per_core)
SDPU_UNSUPPORTED(doca_dpa_get_total_num_eus_available,
	(struct doca_dpa *dpa, unsigned int *total_num_eus), dpa && total_num_eus)
SDPU_UNSUPPORTED(doca_dpa_rpc,
	(struct doca_dpa *dpa, doca_dpa_func_t *func, uint64_t *retval, ...), dpa && func && retval)
SDPU_UNSUPPORTED(doca_dpa_kernel_launch_update_set,
	(struct doca_dpa *dpa, struct doca_sync_event *wait_event, uint64_t wait_threshold,
	 struct doca_sync_event *comp_event, uint64_t comp_count, unsigned int num_threads,
	 doca_dpa_func_t *func, ...), dpa && func)
SDPU_UNSUPPORTED(doca_dpa_kernel_launch_update_add,
	(struct doca_dpa *dpa, struct doca_sync_event *wait_event, uint64_t wait_threshold,
	 struct doca_sync_event *comp_event, uint64_t comp_count, unsigned int num_threads,
	 doca_dpa_func_t *func, ...), dpa && func)
SDPU_UNSUPPORTED(doca_dpa_mem_free, (struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dev_ptr), dpa)
SDPU_UNSUPPORTED(doca_dpa_h2d_memcpy,
	(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dst_ptr, void *src_ptr, size_t size),
	dpa && src_ptr)
SDPU_UNSUPPORTED(doca_dpa_h2d_buf_memcpy,
	(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dst_ptr, struct doca_buf *buf, size_t size),
	dpa && buf)
SDPU_UNSUPPORTED(doca_dpa_d2h_memcpy,
	(struct doca_dpa *dpa, void *dst_ptr, doca_dpa_dev_uintptr_t src_ptr, size_t size),
	dpa && dst_ptr)
SDPU_UNSUPPORTED(doca_dpa_d2h_buf_memcpy,
	(struct doca_dpa *dpa, struct doca_buf *buf, doca_dpa_dev_uintptr_t src_ptr, size_t size),
	dpa && buf)
SDPU_UNSUPPORTED(doca_dpa_memset,
	(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dev_ptr, int value, size_t size), dpa)
/* clang-format on */

/* The one call that writes its output on failure too. */
doca_error_t doca_dpa_mem_alloc(struct doca_dpa *dpa, size_t size, doca_dpa_dev_uintptr_t *dev_ptr)
{
	if (dev_ptr)
		*dev_ptr = 0;
	return sdpu_unsupported(__func__, dpa && dev_ptr);
}
