/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls without the pointers that they need.
 */
#include <doca_dpa.h>
#include <doca_dpa_thread.h>

#include "misuse/misuse.h"

MISUSE_CASE(dpa_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_dpa_cap_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_create(NULL, NULL), "dev and dpa are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_destroy(NULL), "dpa is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_set_app(NULL, NULL), "dpa and app are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_get_app(NULL, NULL), "dpa and app are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_app_get_name(NULL, NULL, NULL),
	       "app and app_name and app_name_len are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_start(NULL), "dpa is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_stop(NULL), "dpa is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_set_log_level(NULL, 1), "dpa is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_get_log_level(NULL, NULL), "dpa and log_level are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_log_file_set_path(NULL, NULL), "dpa and file_path are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_log_file_get_path(NULL, NULL, NULL),
	       "dpa and file_path and file_path_len are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_trace_file_set_path(NULL, NULL),
	       "dpa and file_path are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_trace_file_get_path(NULL, NULL, NULL),
	       "dpa and file_path and file_path_len are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_device_extend(NULL, NULL, NULL),
	       "dpa and other_dev and extended_dpa are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_get_dpa_handle(NULL, NULL), "dpa and handle are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_get_uar_id(NULL, NULL), "dpa and uar_id are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_peek_at_last_error(NULL), "dpa is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_get_max_threads_per_kernel(NULL, NULL),
	       "dpa and value are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_get_kernel_max_run_time(NULL, NULL),
	       "dpa and value are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_get_core_num(NULL, NULL), "dpa and num_cores are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_get_num_eus_per_core(NULL, NULL),
	       "dpa and eus_per_core are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_get_total_num_eus_available(NULL, NULL),
	       "dpa and total_num_eus are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_rpc(NULL, NULL, NULL), "dpa and func and retval are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_kernel_launch_update_set(NULL, NULL, 1, NULL, 1, 1, NULL),
	       "dpa and func are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_kernel_launch_update_add(NULL, NULL, 1, NULL, 1, 1, NULL),
	       "dpa and func are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_mem_alloc(NULL, 1, NULL), "dpa and dev_ptr are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_mem_free(NULL, 1), "dpa is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_h2d_memcpy(NULL, 1, NULL, 1), "src_ptr is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_h2d_buf_memcpy(NULL, 1, NULL, 1), "dpa and buf are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_d2h_memcpy(NULL, NULL, 1, 1), "dst_ptr is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_d2h_buf_memcpy(NULL, NULL, 1, 1), "dpa and buf are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_memset(NULL, 1, 1, 1), "dpa is NULL");
}

MISUSE_CASE(dpa_thread_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_dpa_thread_create(NULL, NULL), "dpa and dpa_thread are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_destroy(NULL), "dpa_thread is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_set_func_arg(NULL, NULL, 1),
	       "dpa_thread and func are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_get_func_arg(NULL, NULL, NULL),
	       "dpa_thread and func and arg are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_set_local_storage(NULL, 1), "dpa_thread is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_get_local_storage(NULL, NULL),
	       "dpa_thread and dev_ptr are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_set_affinity(NULL, NULL),
	       "dpa_thread and affinity are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_get_affinity(NULL, NULL),
	       "dpa_thread and affinity are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_start(NULL), "dpa_thread is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_stop(NULL), "dpa_thread is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_run(NULL), "dpa_thread is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_get_id(NULL, NULL),
	       "dpa_thread and dpa_thread_id are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_group_create(NULL, 1, NULL), "dpa and tg are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_group_destroy(NULL), "tg is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_group_get_num_threads(NULL, NULL),
	       "tg and num_threads are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_group_set_thread(NULL, NULL, 1),
	       "tg and thread are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_group_start(NULL), "tg is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_thread_group_stop(NULL), "tg is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_completion_create(NULL, 1, NULL),
	       "dpa and dpa_comp are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_completion_destroy(NULL), "dpa_comp is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_completion_get_queue_size(NULL, NULL),
	       "dpa_comp and queue_size are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_completion_set_thread(NULL, NULL),
	       "dpa_comp and dpa_thread are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_completion_get_thread(NULL, NULL),
	       "dpa_comp and dpa_thread are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_completion_start(NULL), "dpa_comp is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_completion_stop(NULL), "dpa_comp is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_completion_get_dpa_handle(NULL, NULL),
	       "dpa_comp and handle are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_notification_completion_create(NULL, NULL, NULL),
	       "dpa and dpa_thread and notify_comp are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_notification_completion_destroy(NULL),
	       "notify_comp is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_notification_completion_get_thread(NULL, NULL),
	       "notify_comp and dpa_thread are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_notification_completion_start(NULL), "notify_comp is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_notification_completion_stop(NULL), "notify_comp is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_notification_completion_get_dpa_handle(NULL, NULL),
	       "notify_comp and handle are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_async_ops_create(NULL, 1, 1, NULL),
	       "dpa and async_ops are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_async_ops_destroy(NULL), "async_ops is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_async_ops_get_queue_size(NULL, NULL),
	       "async_ops and queue_size are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_async_ops_get_user_data(NULL, NULL),
	       "async_ops and user_data are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_async_ops_attach(NULL, NULL),
	       "async_ops and dpa_comp are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_async_ops_start(NULL), "async_ops is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_async_ops_stop(NULL), "async_ops is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_async_ops_get_dpa_handle(NULL, NULL),
	       "async_ops and handle are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_eu_affinity_create(NULL, NULL), "dpa and affinity are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_eu_affinity_destroy(NULL), "affinity is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_eu_affinity_set(NULL, 1), "affinity is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_eu_affinity_clear(NULL), "affinity is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_eu_affinity_get(NULL, NULL), "affinity and eu_id are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_hash_table_create(NULL, 1, NULL), "dpa and ht are NULL");
	MISUSE(INVALID_VALUE, doca_dpa_hash_table_destroy(NULL), "ht is NULL");
	MISUSE(INVALID_VALUE, doca_dpa_hash_table_get_dpa_handle(NULL, NULL),
	       "ht and ht_handle are NULL");
}
