/* SPDX-License-Identifier: BSD-3-Clause */
#include <doca_dpa.h>

#include "t.h"
#include "unsupported.h"

T_CASE(context)
{
	UNSUPPORTED(doca_dpa_mem_free(p(), 8));
	UNSUPPORTED(doca_dpa_h2d_memcpy(p(), 8, p(), 8));
	UNSUPPORTED(doca_dpa_h2d_buf_memcpy(p(), 8, p(), 8));
	UNSUPPORTED(doca_dpa_d2h_memcpy(p(), p(), 8, 8));
	UNSUPPORTED(doca_dpa_d2h_buf_memcpy(p(), p(), 8, 8));
	UNSUPPORTED(doca_dpa_memset(p(), 8, 8, 8));
}

T_CASE(thread)
{
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
