/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls without the pointers that they need, and calls that are not part of this release.
 */
#include <doca_clock.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_graph.h>
#include <doca_log.h>
#include <doca_pe.h>
#include <doca_uar.h>
#include <doca_umem.h>
#include <softdpu.h>

#include "misuse/misuse.h"

static const union doca_data none;

MISUSE_CASE(dev_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_devinfo_create_list(NULL, NULL),
	       "dev_list and nb_devs are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_destroy_list(NULL), "dev_list is NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_create_list(NULL, 1, NULL, NULL),
	       "dev and dev_list_rep and nb_devs_rep are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_destroy_list(NULL), "dev_list_rep is NULL");
	MISUSE(INVALID_VALUE, doca_dev_open(NULL, NULL), "devinfo and dev are NULL");
	MISUSE(INVALID_VALUE, doca_dev_close(NULL), "dev is NULL");
	MISUSE(INVALID_VALUE, doca_dev_rep_open(NULL, NULL), "devinfo and dev_rep are NULL");
	MISUSE(INVALID_VALUE, doca_dev_rep_close(NULL), "dev is NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_pci_addr_str(NULL, NULL),
	       "devinfo and pci_addr_str are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_is_equal_pci_addr(NULL, NULL, NULL),
	       "devinfo and pci_addr and is_equal are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_ipv4_addr(NULL, NULL, 1),
	       "devinfo and ipv4_addr are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_ipv6_addr(NULL, NULL, 1),
	       "devinfo and ipv6_addr are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_mac_addr(NULL, NULL, 1),
	       "devinfo and mac_addr are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_iface_name(NULL, NULL, 1),
	       "devinfo and iface_name are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_ibdev_name(NULL, NULL, 1),
	       "devinfo and ibdev_name are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_lid(NULL, NULL), "devinfo and lid are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_active_rate(NULL, NULL),
	       "devinfo and active_rate are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_vhca_id(NULL, NULL), "devinfo and vhca_id are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_pci_func_type(NULL, NULL),
	       "devinfo and func_type are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_get_sf_index(NULL, NULL),
	       "devinfo and sf_index are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_cap_is_hotplug_manager_supported(NULL, NULL),
	       "devinfo and is_hotplug_manager are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_cap_is_notification_moderation_supported(NULL, NULL),
	       "devinfo and is_supported are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_cap_is_accelerate_resource_reclaim_supported(NULL, NULL),
	       "devinfo and is_supported are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_cap_is_filter_all_supported(NULL, NULL),
	       "devinfo and filter_all_supported are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_cap_is_filter_net_supported(NULL, NULL),
	       "devinfo and filter_net_supported are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_cap_is_filter_emulated_supported(NULL, NULL),
	       "devinfo and filter_emulated_supported are NULL");
	MISUSE(INVALID_VALUE, doca_dev_accelerate_resource_reclaim(NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_get_vuid(NULL, NULL, 1),
	       "devinfo_rep and rep_vuid are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_get_pci_addr_str(NULL, NULL),
	       "devinfo_rep and pci_addr_str are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_is_equal_pci_addr(NULL, NULL, NULL),
	       "devinfo_rep and pci_addr and is_equal are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_get_pci_func_type(NULL, NULL),
	       "devinfo_rep and pci_func_type are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_get_is_hotplug(NULL, NULL),
	       "devinfo_rep and is_hotplug are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_get_iface_name(NULL, NULL, 1),
	       "devinfo_rep and iface_name are NULL");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_get_vhca_id(NULL, NULL),
	       "devinfo_rep and vhca_id are NULL");
}

MISUSE_CASE(ctx_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_ctx_start(NULL), "ctx is NULL");
	MISUSE(INVALID_VALUE, doca_ctx_stop(NULL), "ctx is NULL");
	MISUSE(INVALID_VALUE, doca_ctx_get_num_inflight_tasks(NULL, NULL),
	       "ctx and num_inflight_tasks are NULL");
	MISUSE(INVALID_VALUE, doca_ctx_get_state(NULL, NULL), "ctx and state are NULL");
	MISUSE(INVALID_VALUE, doca_ctx_set_user_data(NULL, none), "ctx is NULL");
	MISUSE(INVALID_VALUE, doca_ctx_get_user_data(NULL, NULL), "ctx and user_data are NULL");
	MISUSE(INVALID_VALUE, doca_ctx_set_state_changed_cb(NULL, NULL), "ctx and cb are NULL");
	MISUSE(INVALID_VALUE, doca_ctx_set_datapath_on_gpu(NULL, NULL), "ctx and gpu_dev are NULL");
	MISUSE(INVALID_VALUE, doca_ctx_set_datapath_on_dpa(NULL, NULL), "ctx and dpa_dev are NULL");
	MISUSE(INVALID_VALUE, doca_ctx_set_completion_vector(NULL, 1), "ctx is NULL");
	MISUSE(INVALID_VALUE, doca_ctx_cap_get_num_completion_vectors(NULL, NULL),
	       "devinfo and num are NULL");
}

MISUSE_CASE(pe_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_pe_create(NULL), "pe is NULL");
	MISUSE(INVALID_VALUE, doca_pe_destroy(NULL), "pe is NULL");
	MISUSE(INVALID_VALUE, doca_pe_connect_ctx(NULL, NULL), "pe and ctx are NULL");
	MISUSE(INVALID_VALUE, doca_pe_get_notification_handle(NULL, NULL),
	       "pe and handle are NULL");
	MISUSE(INVALID_VALUE, doca_pe_request_notification(NULL), "pe is NULL");
	MISUSE(INVALID_VALUE, doca_pe_clear_notification(NULL, 1), "pe is NULL");
	MISUSE(INVALID_VALUE, doca_pe_set_notification_handle(NULL, 1, none), "pe is NULL");
	MISUSE(INVALID_VALUE, doca_pe_set_event_mode(NULL, 1), "pe is NULL");
	MISUSE(INVALID_VALUE, doca_pe_get_num_inflight_tasks(NULL, NULL),
	       "pe and num_inflight_tasks are NULL");
	MISUSE(INVALID_VALUE, doca_task_submit(NULL), "task is NULL");
	MISUSE(INVALID_VALUE, doca_task_try_submit(NULL), "task is NULL");
	MISUSE(INVALID_VALUE, doca_task_submit_ex(NULL, 1), "task is NULL");
	MISUSE(INVALID_VALUE, doca_task_get_status(NULL), "task is NULL");
	MISUSE(INVALID_VALUE, doca_task_batch_submit(NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_task_batch_try_submit(NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_task_batch_get_status(NULL), "a pointer is NULL");
}

MISUSE_CASE(graph_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_graph_create(NULL, NULL), "pe and graph are NULL");
	MISUSE(INVALID_VALUE, doca_graph_destroy(NULL), "graph is NULL");
	MISUSE(INVALID_VALUE, doca_graph_node_create_from_ctx(NULL, NULL, NULL),
	       "graph and ctx and node are NULL");
	MISUSE(INVALID_VALUE, doca_graph_node_create_from_user(NULL, NULL, NULL),
	       "graph and cb and node are NULL");
	MISUSE(INVALID_VALUE, doca_graph_add_dependency(NULL, NULL, NULL),
	       "graph and from and to are NULL");
	MISUSE(INVALID_VALUE, doca_graph_set_conf(NULL, NULL, NULL, 1),
	       "graph and graph_completion_cb and graph_error_cb are NULL");
	MISUSE(INVALID_VALUE, doca_graph_set_user_data(NULL, none), "graph is NULL");
	MISUSE(INVALID_VALUE, doca_graph_start(NULL), "graph is NULL");
	MISUSE(INVALID_VALUE, doca_graph_stop(NULL), "graph is NULL");
	MISUSE(INVALID_VALUE, doca_graph_instance_create(NULL, NULL),
	       "graph and instance are NULL");
	MISUSE(INVALID_VALUE, doca_graph_instance_destroy(NULL), "instance is NULL");
	MISUSE(INVALID_VALUE, doca_graph_instance_set_ctx_node_data(NULL, NULL, NULL),
	       "instance and node and task are NULL");
	MISUSE(INVALID_VALUE, doca_graph_instance_set_user_node_data(NULL, NULL, NULL),
	       "instance and node are NULL");
	MISUSE(INVALID_VALUE, doca_graph_instance_set_user_data(NULL, none), "instance is NULL");
	MISUSE(INVALID_VALUE, doca_graph_instance_submit(NULL), "instance is NULL");
}

MISUSE_CASE(log_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_file(NULL, NULL),
	       "fptr and backend are NULL");
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_fd(1, NULL), "backend is NULL");
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_buf(NULL, 1, NULL, NULL),
	       "buf and handler and backend are NULL");
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_syslog(NULL, NULL),
	       "name and backend are NULL");
	MISUSE(INVALID_VALUE, doca_log_backend_set_level_lower_limit(NULL, 1),
	       "(nil) is no log backend of the program tier");
	MISUSE(INVALID_VALUE, doca_log_backend_set_level_upper_limit(NULL, 1),
	       "(nil) is no log backend of the program tier");
	MISUSE(INVALID_VALUE, doca_log_backend_set_level_lower_limit_strict(NULL),
	       "(nil) is no log backend of the program tier");
	MISUSE(INVALID_VALUE, doca_log_backend_set_level_upper_limit_strict(NULL),
	       "(nil) is no log backend of the program tier");
	MISUSE(INVALID_VALUE, doca_log_register_source(NULL, NULL),
	       "source_name and source are NULL");
	MISUSE(INVALID_VALUE, doca_log(1, 1, NULL, 1, NULL, NULL), "needed: a level of 20 to 70");
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_file_sdk(NULL, NULL),
	       "fptr and backend are NULL");
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_fd_sdk(1, NULL), "backend is NULL");
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_buf_sdk(NULL, 1, NULL, NULL),
	       "buf and handler and backend are NULL");
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_syslog_sdk(NULL, NULL),
	       "name and backend are NULL");
	MISUSE(INVALID_VALUE, doca_log_backend_set_sdk_level(NULL, 1),
	       "(nil) is no log backend of the SDK tier");
	MISUSE(INVALID_VALUE, doca_logger_create_list(NULL, 1, NULL, NULL),
	       "logger_list and nb_loggers are NULL");
	MISUSE(INVALID_VALUE, doca_logger_destroy_list(NULL), "logger_list is NULL");
	MISUSE(INVALID_VALUE, doca_logger_set_level(NULL, 1, 1), "level 1, logger (nil)");
	MISUSE(INVALID_VALUE, doca_logger_get_level(NULL, NULL), "logger and level are NULL");
	MISUSE(INVALID_VALUE, doca_logger_get_name(NULL, NULL), "logger and name are NULL");
}

MISUSE_CASE(clock_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_clock_create(NULL, NULL), "dev and clock are NULL");
	MISUSE(INVALID_VALUE, doca_clock_destroy(NULL), "clock is NULL");
	MISUSE(INVALID_VALUE, doca_clock_get_timestamp(NULL, 1, NULL),
	       "clock and clock_ts are NULL");
	MISUSE(INVALID_VALUE, doca_clock_get_crosstimestamp(NULL, 1, 1, NULL, NULL, NULL),
	       "clock and primary_clock_ts and nic_clock_ts and error_margin_nsecs are NULL");
	MISUSE(INVALID_VALUE, doca_clock_cap_nic_free_running_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_clock_cap_nic_real_time_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_clock_cap_nic_dpa_timer_is_supported(NULL), "devinfo is NULL");
}

MISUSE_CASE(uar_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_uar_create(NULL, 1, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_uar_dpa_create(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_uar_destroy(NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_uar_id_get(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_uar_page_get(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_uar_reg_addr_get(NULL, NULL), "a pointer is NULL");
}

/* Whatever is given in the place of an object is not looked at. */
MISUSE_CASE(uar_that_is_not_here)
{
	static unsigned char bytes[256];
	void *const object = bytes;

	MISUSE(NOT_SUPPORTED, doca_uar_create(object, DOCA_UAR_ALLOCATION_TYPE_NONCACHE, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_uar_dpa_create(object, object), "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_uar_destroy(object), "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_uar_id_get(object, object), "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_uar_page_get(object, object), "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_uar_reg_addr_get(object, object), "not part of this release");
}

MISUSE_CASE(umem_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_umem_create(NULL, NULL, 1, 1, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_umem_dpa_create(NULL, 1, 1, 1, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_umem_gpu_create(NULL, NULL, NULL, 1, 1, NULL),
	       "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_umem_destroy(NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_umem_get_id(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_umem_get_size(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_umem_get_address(NULL, NULL), "a pointer is NULL");
}

/* Whatever is given in the place of an object is not looked at. */
MISUSE_CASE(umem_that_is_not_here)
{
	static unsigned char bytes[256];
	void *const object = bytes;

	MISUSE(NOT_SUPPORTED, doca_umem_create(object, object, 8, 8, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_umem_dpa_create(object, 8, 8, 8, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_umem_gpu_create(object, object, object, 8, 8, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_umem_destroy(object), "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_umem_get_id(object, object), "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_umem_get_size(object, object), "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_umem_get_address(object, object), "not part of this release");
}
