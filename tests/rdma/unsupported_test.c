/* SPDX-License-Identifier: BSD-3-Clause */
#include <doca_rdma.h>

#include "t.h"
#include "unsupported.h"

T_CASE(bridge)
{
	UNSUPPORTED(doca_rdma_bridge_prepare_connection(p(), p(), p()));
	UNSUPPORTED(doca_rdma_bridge_accept(p(), object, 8, p()));
	UNSUPPORTED(doca_rdma_bridge_established(p(), p()));
}

T_CASE(device_data_path)
{
	OFF_DATA_PATH(doca_rdma_get_dpa_handle(p(), p()));
	OFF_DATA_PATH(doca_rdma_get_gpu_handle(p(), p()));
	UNSUPPORTED(doca_rdma_dpa_completion_attach(p(), p()));
}

T_CASE(task_remote_net_sync_event_get)
{
	UNSUPPORTED(doca_rdma_cap_task_remote_net_sync_event_get_is_supported(p()));
	UNSUPPORTED(doca_rdma_task_remote_net_sync_event_get_set_conf(
		p(), (doca_rdma_task_remote_net_sync_event_get_completion_cb_t)p(),
		(doca_rdma_task_remote_net_sync_event_get_completion_cb_t)p(), 8));
	UNSUPPORTED(doca_rdma_task_remote_net_sync_event_get_allocate_init(p(), p(), p(), p(), none,
									   p()));
	T_EQ(doca_rdma_task_remote_net_sync_event_get_as_task(p()), 0);
	doca_rdma_task_remote_net_sync_event_get_set_sync_event(p(), p());
	T_EQ(doca_rdma_task_remote_net_sync_event_get_get_sync_event(p()), 0);
	doca_rdma_task_remote_net_sync_event_get_set_dst_buf(p(), p());
	T_EQ(doca_rdma_task_remote_net_sync_event_get_get_dst_buf(p()), 0);
	T_EQ(doca_rdma_task_remote_net_sync_event_get_get_result_len(p()), 0);
	doca_rdma_task_remote_net_sync_event_get_set_rdma_connection(p(), p());
	T_EQ(doca_rdma_task_remote_net_sync_event_get_get_rdma_connection(p()), 0);
}

T_CASE(task_remote_net_sync_event_notify_set)
{
	UNSUPPORTED(doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported(p()));
	UNSUPPORTED(doca_rdma_task_remote_net_sync_event_notify_set_set_conf(
		p(), (doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t)p(),
		(doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t)p(), 8));
	UNSUPPORTED(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(p(), p(), p(),
										  p(), none, p()));
	T_EQ(doca_rdma_task_remote_net_sync_event_notify_set_as_task(p()), 0);
	doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event(p(), p());
	T_EQ(doca_rdma_task_remote_net_sync_event_notify_set_get_sync_event(p()), 0);
	doca_rdma_task_remote_net_sync_event_notify_set_set_rdma_connection(p(), p());
	T_EQ(doca_rdma_task_remote_net_sync_event_notify_set_get_rdma_connection(p()), 0);
	doca_rdma_task_remote_net_sync_event_notify_set_set_src_buf(p(), p());
	T_EQ(doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf(p()), 0);
}

T_CASE(task_remote_net_sync_event_notify_add)
{
	UNSUPPORTED(doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported(p()));
	UNSUPPORTED(doca_rdma_task_remote_net_sync_event_notify_add_set_conf(
		p(), (doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t)p(),
		(doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t)p(), 8));
	UNSUPPORTED(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
		p(), p(), p(), p(), 8, none, p()));
	T_EQ(doca_rdma_task_remote_net_sync_event_notify_add_as_task(p()), 0);
	doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event(p(), p());
	T_EQ(doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event(p()), 0);
	doca_rdma_task_remote_net_sync_event_notify_add_set_result_buf(p(), p());
	T_EQ(doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf(p()), 0);
	doca_rdma_task_remote_net_sync_event_notify_add_set_add_data(p(), 8);
	T_EQ(doca_rdma_task_remote_net_sync_event_notify_add_get_add_data(p()), 0);
	doca_rdma_task_remote_net_sync_event_notify_add_set_rdma_connection(p(), p());
	T_EQ(doca_rdma_task_remote_net_sync_event_notify_add_get_rdma_connection(p()), 0);
}

T_CASE(private_data_without_bytes)
{
	T_ERR(doca_rdma_connection_accept((void *)object, NULL, 8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connection_accept((void *)object, NULL, 0), DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_rdma_bridge_accept((void *)object, NULL, 8, (void *)object),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_bridge_accept((void *)object, NULL, 0, (void *)object),
	      DOCA_ERROR_NOT_SUPPORTED);
}
