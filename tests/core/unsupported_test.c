/* SPDX-License-Identifier: BSD-3-Clause */
#include <doca_buf_array.h>
#include <doca_clock.h>
#include <doca_graph.h>
#include <doca_rdma_bridge.h>
#include <doca_sync_event.h>
#include <doca_uar.h>
#include <doca_umem.h>

#include "t.h"
#include "unsupported.h"

T_CASE(sync_event)
{
	UNSUPPORTED(doca_sync_event_create(p()));
	UNSUPPORTED(doca_sync_event_create_from_export(p(), p(), 8, p()));
	UNSUPPORTED(doca_sync_event_destroy(p()));
	UNSUPPORTED(doca_sync_event_add_publisher_location_cpu(p(), p()));
	UNSUPPORTED(doca_sync_event_add_publisher_location_dpa(p(), p()));
	UNSUPPORTED(doca_sync_event_add_publisher_location_gpu(p(), p()));
	UNSUPPORTED(doca_sync_event_add_publisher_location_remote_pci(p()));
	UNSUPPORTED(doca_sync_event_add_publisher_location_remote_net(p()));
	UNSUPPORTED(doca_sync_event_add_subscriber_location_cpu(p(), p()));
	UNSUPPORTED(doca_sync_event_add_subscriber_location_dpa(p(), p()));
	UNSUPPORTED(doca_sync_event_add_subscriber_location_gpu(p(), p()));
	UNSUPPORTED(doca_sync_event_add_subscriber_location_remote_pci(p()));
	UNSUPPORTED(doca_sync_event_set_addr(p(), p()));
	UNSUPPORTED(doca_sync_event_set_doca_buf(p(), p()));
	UNSUPPORTED(doca_sync_event_start(p()));
	UNSUPPORTED(doca_sync_event_stop(p()));
	T_EQ(doca_sync_event_as_ctx(p()), 0);
	UNSUPPORTED(doca_sync_event_get(p(), p()));
	UNSUPPORTED(doca_sync_event_update_add(p(), 8, p()));
	UNSUPPORTED(doca_sync_event_update_set(p(), 8));
	UNSUPPORTED(doca_sync_event_wait_gt(p(), 8, 8));
	UNSUPPORTED(doca_sync_event_wait_gt_yield(p(), 8, 8));
	UNSUPPORTED(doca_sync_event_wait_eq(p(), 8, 8));
	UNSUPPORTED(doca_sync_event_wait_eq_yield(p(), 8, 8));
	UNSUPPORTED(doca_sync_event_wait_neq(p(), 8, 8));
	UNSUPPORTED(doca_sync_event_wait_neq_yield(p(), 8, 8));
	UNSUPPORTED(doca_sync_event_export_to_remote_pci(p(), p(), p(), p()));
	UNSUPPORTED(doca_sync_event_export_to_remote_net(p(), p(), p()));
	UNSUPPORTED(doca_sync_event_remote_net_create_from_export(p(), p(), 8, p()));
	UNSUPPORTED(doca_sync_event_remote_net_destroy(p()));
	UNSUPPORTED(doca_sync_event_get_dpa_handle(p(), p(), p()));
	UNSUPPORTED(doca_sync_event_remote_net_get_dpa_handle(p(), p(), p()));
	UNSUPPORTED(doca_sync_event_get_gpu_handle(p(), p(), p()));
	UNSUPPORTED(doca_sync_event_remote_net_get_gpu_handle(p(), p(), p()));
	UNSUPPORTED(doca_sync_event_cap_is_create_from_export_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_remote_net_is_create_from_export_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_is_export_to_remote_pci_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_is_export_to_dpa_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_is_export_to_gpu_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_is_export_to_remote_net_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_remote_net_is_export_to_dpa_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_remote_net_is_export_to_gpu_supported(p()));
}

T_CASE(sync_event_task)
{
	UNSUPPORTED(doca_sync_event_cap_task_get_is_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_task_notify_set_is_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_task_notify_add_is_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_task_wait_eq_is_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_task_wait_neq_is_supported(p()));
	UNSUPPORTED(doca_sync_event_task_get_set_conf(
		p(), (doca_sync_event_task_get_completion_cb_t)p(),
		(doca_sync_event_task_get_completion_cb_t)p(), 8));
	UNSUPPORTED(doca_sync_event_task_notify_set_set_conf(
		p(), (doca_sync_event_task_notify_set_completion_cb_t)p(),
		(doca_sync_event_task_notify_set_completion_cb_t)p(), 8));
	UNSUPPORTED(doca_sync_event_task_notify_add_set_conf(
		p(), (doca_sync_event_task_notify_add_completion_cb_t)p(),
		(doca_sync_event_task_notify_add_completion_cb_t)p(), 8));
	UNSUPPORTED(doca_sync_event_task_wait_eq_set_conf(
		p(), (doca_sync_event_task_wait_eq_completion_cb_t)p(),
		(doca_sync_event_task_wait_eq_completion_cb_t)p(), 8));
	UNSUPPORTED(doca_sync_event_task_wait_neq_set_conf(
		p(), (doca_sync_event_task_wait_neq_completion_cb_t)p(),
		(doca_sync_event_task_wait_neq_completion_cb_t)p(), 8));
	UNSUPPORTED(doca_sync_event_task_get_alloc_init(p(), p(), none, p()));
	UNSUPPORTED(doca_sync_event_task_notify_set_alloc_init(p(), 8, none, p()));
	UNSUPPORTED(doca_sync_event_task_notify_add_alloc_init(p(), 8, p(), none, p()));
	UNSUPPORTED(doca_sync_event_task_wait_eq_alloc_init(p(), 8, 8, none, p()));
	UNSUPPORTED(doca_sync_event_task_wait_neq_alloc_init(p(), 8, 8, none, p()));
	T_EQ(doca_sync_event_task_get_as_doca_task(p()), 0);
	T_EQ(doca_sync_event_task_notify_set_as_doca_task(p()), 0);
	T_EQ(doca_sync_event_task_notify_add_as_doca_task(p()), 0);
	T_EQ(doca_sync_event_task_wait_eq_as_doca_task(p()), 0);
	T_EQ(doca_sync_event_task_wait_neq_as_doca_task(p()), 0);
	doca_sync_event_task_get_set_ret_val_ptr(p(), p());
	T_EQ(doca_sync_event_task_get_get_ret_val_ptr(p()), 0);
	doca_sync_event_task_notify_set_set_set_val(p(), 8);
	T_EQ(doca_sync_event_task_notify_set_get_set_val(p()), 0);
	doca_sync_event_task_notify_add_set_inc_val(p(), 8);
	T_EQ(doca_sync_event_task_notify_add_get_inc_val(p()), 0);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(p(), p());
	T_EQ(doca_sync_event_task_notify_add_get_fetched_val_ptr(p()), 0);
	doca_sync_event_task_wait_eq_set_wait_val(p(), 8);
	T_EQ(doca_sync_event_task_wait_eq_get_wait_val(p()), 0);
	doca_sync_event_task_wait_eq_set_mask(p(), 8);
	T_EQ(doca_sync_event_task_wait_eq_get_mask(p()), 0);
	doca_sync_event_task_wait_neq_set_wait_val(p(), 8);
	T_EQ(doca_sync_event_task_wait_neq_get_wait_val(p()), 0);
	doca_sync_event_task_wait_neq_set_mask(p(), 8);
	T_EQ(doca_sync_event_task_wait_neq_get_mask(p()), 0);
}

T_CASE(buf_array_targets)
{
	UNSUPPORTED(doca_buf_arr_set_target_gpu(p(), p()));
	UNSUPPORTED(doca_buf_arr_set_target_dpa(p(), p()));
}

T_CASE(umem_and_uar)
{
	UNSUPPORTED(doca_umem_create(p(), p(), 8, 8, p()));
	UNSUPPORTED(doca_umem_dpa_create(p(), 8, 8, 8, p()));
	UNSUPPORTED(doca_umem_gpu_create(p(), p(), p(), 8, 8, p()));
	UNSUPPORTED(doca_umem_destroy(p()));
	UNSUPPORTED(doca_umem_get_id(p(), p()));
	UNSUPPORTED(doca_umem_get_size(p(), p()));
	UNSUPPORTED(doca_umem_get_address(p(), p()));
	UNSUPPORTED(doca_uar_create(p(), DOCA_UAR_ALLOCATION_TYPE_NONCACHE, p()));
	UNSUPPORTED(doca_uar_dpa_create(p(), p()));
	UNSUPPORTED(doca_uar_destroy(p()));
	UNSUPPORTED(doca_uar_id_get(p(), p()));
	UNSUPPORTED(doca_uar_page_get(p(), p()));
	UNSUPPORTED(doca_uar_reg_addr_get(p(), p()));
}

T_CASE(graph)
{
	UNSUPPORTED(doca_graph_create(p(), p()));
	UNSUPPORTED(doca_graph_destroy(p()));
	UNSUPPORTED(doca_graph_node_create_from_ctx(p(), p(), p()));
	UNSUPPORTED(doca_graph_node_create_from_user(p(), (doca_error_t(*)(void *))p(), p()));
	UNSUPPORTED(doca_graph_add_dependency(p(), p(), p()));
	UNSUPPORTED(doca_graph_set_conf(p(), (doca_graph_completion_cb_t)p(),
					(doca_graph_completion_cb_t)p(), 8));
	UNSUPPORTED(doca_graph_set_user_data(p(), none));
	UNSUPPORTED(doca_graph_start(p()));
	UNSUPPORTED(doca_graph_stop(p()));
	UNSUPPORTED(doca_graph_instance_create(p(), p()));
	UNSUPPORTED(doca_graph_instance_destroy(p()));
	UNSUPPORTED(doca_graph_instance_set_ctx_node_data(p(), p(), p()));
	UNSUPPORTED(doca_graph_instance_set_user_node_data(p(), p(), NULL));
	UNSUPPORTED(doca_graph_instance_set_user_data(p(), none));
	UNSUPPORTED(doca_graph_instance_submit(p()));
}

T_CASE(clock)
{
	UNSUPPORTED(doca_clock_create(p(), p()));
	UNSUPPORTED(doca_clock_destroy(p()));
	UNSUPPORTED(doca_clock_get_timestamp(p(), 8, p()));
	UNSUPPORTED(doca_clock_get_crosstimestamp(p(), 8, 8, p(), p(), p()));
	UNSUPPORTED(doca_clock_cap_nic_free_running_is_supported(p()));
	UNSUPPORTED(doca_clock_cap_nic_real_time_is_supported(p()));
	UNSUPPORTED(doca_clock_cap_nic_dpa_timer_is_supported(p()));
}

T_CASE(rdma_bridge)
{
	UNSUPPORTED(doca_rdma_bridge_get_dev_pd(p(), p()));
	UNSUPPORTED(doca_rdma_bridge_open_dev_from_pd(p(), p()));
	UNSUPPORTED(doca_rdma_bridge_get_buf_mkey(p(), p(), p()));
}
