/* SPDX-License-Identifier: BSD-3-Clause */
#include <doca_dpa.h>

#include "t.h"
#include "unsupported.h"

T_CASE(context)
{
	UNSUPPORTED(doca_dpa_cap_is_supported(p()));
	UNSUPPORTED(doca_dpa_create(p(), p()));
	UNSUPPORTED(doca_dpa_destroy(p()));
	UNSUPPORTED(doca_dpa_set_app(p(), p()));
	UNSUPPORTED(doca_dpa_get_app(p(), p()));
	UNSUPPORTED(doca_dpa_app_get_name(p(), p(), p()));
	UNSUPPORTED(doca_dpa_start(p()));
	UNSUPPORTED(doca_dpa_stop(p()));
	UNSUPPORTED(doca_dpa_set_log_level(p(), DOCA_DPA_DEV_LOG_LEVEL_INFO));
	UNSUPPORTED(doca_dpa_get_log_level(p(), p()));
	UNSUPPORTED(doca_dpa_log_file_set_path(p(), p()));
	UNSUPPORTED(doca_dpa_log_file_get_path(p(), p(), p()));
	UNSUPPORTED(doca_dpa_trace_file_set_path(p(), p()));
	UNSUPPORTED(doca_dpa_trace_file_get_path(p(), p(), p()));
	UNSUPPORTED(doca_dpa_device_extend(p(), p(), p()));
	UNSUPPORTED(doca_dpa_get_dpa_handle(p(), p()));
	UNSUPPORTED(doca_dpa_get_uar_id(p(), p()));
	UNSUPPORTED(doca_dpa_peek_at_last_error(p()));
	UNSUPPORTED(doca_dpa_get_max_threads_per_kernel(p(), p()));
	UNSUPPORTED(doca_dpa_get_kernel_max_run_time(p(), p()));
	UNSUPPORTED(doca_dpa_get_core_num(p(), p()));
	UNSUPPORTED(doca_dpa_get_num_eus_per_core(p(), p()));
	UNSUPPORTED(doca_dpa_get_total_num_eus_available(p(), p()));
	UNSUPPORTED(doca_dpa_rpc(p(), (doca_dpa_func_t *)p(), p()));
	UNSUPPORTED(doca_dpa_kernel_launch_update_set(p(), NULL, 8, NULL, 8, 8,
						      (doca_dpa_func_t *)p()));
	UNSUPPORTED(doca_dpa_kernel_launch_update_add(p(), NULL, 8, NULL, 8, 8,
						      (doca_dpa_func_t *)p()));
	UNSUPPORTED(doca_dpa_mem_free(p(), 8));
	UNSUPPORTED(doca_dpa_h2d_memcpy(p(), 8, p(), 8));
	UNSUPPORTED(doca_dpa_h2d_buf_memcpy(p(), 8, p(), 8));
	UNSUPPORTED(doca_dpa_d2h_memcpy(p(), p(), 8, 8));
	UNSUPPORTED(doca_dpa_d2h_buf_memcpy(p(), p(), 8, 8));
	UNSUPPORTED(doca_dpa_memset(p(), 8, 8, 8));
}

T_CASE(thread)
{
	UNSUPPORTED(doca_dpa_thread_create(p(), p()));
	UNSUPPORTED(doca_dpa_thread_destroy(p()));
	UNSUPPORTED(doca_dpa_thread_set_func_arg(p(), (doca_dpa_func_t *)p(), 8));
	UNSUPPORTED(doca_dpa_thread_get_func_arg(p(), p(), p()));
	UNSUPPORTED(doca_dpa_thread_set_local_storage(p(), 8));
	UNSUPPORTED(doca_dpa_thread_get_local_storage(p(), p()));
	UNSUPPORTED(doca_dpa_thread_set_affinity(p(), p()));
	UNSUPPORTED(doca_dpa_thread_get_affinity(p(), p()));
	UNSUPPORTED(doca_dpa_thread_start(p()));
	UNSUPPORTED(doca_dpa_thread_stop(p()));
	UNSUPPORTED(doca_dpa_thread_run(p()));
	UNSUPPORTED(doca_dpa_thread_get_id(p(), p()));
	UNSUPPORTED(doca_dpa_thread_group_create(p(), 8, p()));
	UNSUPPORTED(doca_dpa_thread_group_destroy(p()));
	UNSUPPORTED(doca_dpa_thread_group_get_num_threads(p(), p()));
	UNSUPPORTED(doca_dpa_thread_group_set_thread(p(), p(), 8));
	UNSUPPORTED(doca_dpa_thread_group_start(p()));
	UNSUPPORTED(doca_dpa_thread_group_stop(p()));
	UNSUPPORTED(doca_dpa_completion_create(p(), 8, p()));
	UNSUPPORTED(doca_dpa_completion_destroy(p()));
	UNSUPPORTED(doca_dpa_completion_get_queue_size(p(), p()));
	UNSUPPORTED(doca_dpa_completion_set_thread(p(), p()));
	UNSUPPORTED(doca_dpa_completion_get_thread(p(), p()));
	UNSUPPORTED(doca_dpa_completion_start(p()));
	UNSUPPORTED(doca_dpa_completion_stop(p()));
	UNSUPPORTED(doca_dpa_completion_get_dpa_handle(p(), p()));
	UNSUPPORTED(doca_dpa_notification_completion_create(p(), p(), p()));
	UNSUPPORTED(doca_dpa_notification_completion_destroy(p()));
	UNSUPPORTED(doca_dpa_notification_completion_get_thread(p(), p()));
	UNSUPPORTED(doca_dpa_notification_completion_start(p()));
	UNSUPPORTED(doca_dpa_notification_completion_stop(p()));
	UNSUPPORTED(doca_dpa_notification_completion_get_dpa_handle(p(), p()));
	UNSUPPORTED(doca_dpa_async_ops_create(p(), 8, 8, p()));
	UNSUPPORTED(doca_dpa_async_ops_destroy(p()));
	UNSUPPORTED(doca_dpa_async_ops_get_queue_size(p(), p()));
	UNSUPPORTED(doca_dpa_async_ops_get_user_data(p(), p()));
	UNSUPPORTED(doca_dpa_async_ops_attach(p(), p()));
	UNSUPPORTED(doca_dpa_async_ops_start(p()));
	UNSUPPORTED(doca_dpa_async_ops_stop(p()));
	UNSUPPORTED(doca_dpa_async_ops_get_dpa_handle(p(), p()));
	UNSUPPORTED(doca_dpa_eu_affinity_create(p(), p()));
	UNSUPPORTED(doca_dpa_eu_affinity_destroy(p()));
	UNSUPPORTED(doca_dpa_eu_affinity_set(p(), 8));
	UNSUPPORTED(doca_dpa_eu_affinity_clear(p()));
	UNSUPPORTED(doca_dpa_eu_affinity_get(p(), p()));
	UNSUPPORTED(doca_dpa_hash_table_create(p(), 8, p()));
	UNSUPPORTED(doca_dpa_hash_table_destroy(p()));
	UNSUPPORTED(doca_dpa_hash_table_get_dpa_handle(p(), p()));
}

T_CASE(mem_alloc_clears_its_output_on_failure)
{
	doca_dpa_dev_uintptr_t ptr = 1;

	T_ERR(doca_dpa_mem_alloc(p(), 8, &ptr), DOCA_ERROR_NOT_SUPPORTED);
	T_EQ(ptr, 0);
	ptr = 1;
	T_ERR(doca_dpa_mem_alloc(NULL, 8, &ptr), DOCA_ERROR_INVALID_VALUE);
	T_EQ(ptr, 0);
	T_ERR(doca_dpa_mem_alloc(p(), 8, NULL), DOCA_ERROR_INVALID_VALUE);
}
