/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls without the pointers that they need, and calls that are not part of this release.
 */
#include <doca_rdma.h>
#include <doca_rdma_bridge.h>
#include <doca_rdma_property.h>
#include <doca_rdma_task_atomic.h>
#include <doca_rdma_task_memory.h>
#include <doca_rdma_task_message.h>
#include <doca_rdma_task_sync_event.h>

#include "misuse/misuse.h"

static const union doca_data none;

MISUSE_CASE(rdma_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_rdma_create(NULL, NULL), "dev and rdma are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_destroy(NULL), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_export(NULL, NULL, NULL, NULL),
	       "rdma and local_rdma_conn_details and local_rdma_conn_details_size and "
	       "rdma_connection are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_connect(NULL, NULL, 1, NULL),
	       "rdma and remote_rdma_conn_details and rdma_connection are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_addr_create(1, NULL, 1, NULL), "address and addr are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_addr_destroy(NULL), "addr is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_addr_get_params(NULL, NULL, NULL, NULL),
	       "addr and addr_type and address and port are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_start_listen_to_port(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_stop_listen_to_port(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_connect_to_addr(NULL, NULL, none),
	       "rdma and addr are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_connection_accept(NULL, NULL, 1), "private_data is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_connection_reject(NULL), "rdma_connection is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_connection_disconnect(NULL), "rdma_connection is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_set_connection_state_callbacks(NULL, NULL, NULL, NULL, NULL),
	       "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_connection_get_addr(NULL, NULL),
	       "rdma_connection and addr are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_connection_set_user_data(NULL, none),
	       "rdma_connection is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_connection_get_user_data(NULL, NULL),
	       "rdma_connection and connection_user_data are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_connection_get_id(NULL, NULL),
	       "rdma_connection and connection_id are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_bridge_prepare_connection(NULL, NULL, NULL),
	       "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_bridge_accept(NULL, NULL, 1, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_bridge_established(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_get_max_recv_queue_size(NULL, NULL),
	       "devinfo and max_recv_queue_size are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_get_max_send_queue_size(NULL, NULL),
	       "devinfo and max_send_queue_size are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_get_max_send_buf_list_len(NULL, NULL),
	       "devinfo and max_send_buf_list_len are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_get_max_message_size(NULL, NULL),
	       "devinfo and max_message_size are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_get_gid_table_size(NULL, NULL),
	       "devinfo and gid_table_size are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_get_gid(NULL, 1, 1, NULL),
	       "devinfo and gid_array are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_transport_type_is_supported(NULL, 1),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_dpa_handle(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_gpu_handle(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_dpa_completion_attach(NULL, NULL), "a pointer is NULL");
}

/* Whatever is given in the place of an object is not looked at. */
MISUSE_CASE(rdma_that_is_not_here)
{
	static unsigned char bytes[256];
	void *const object = bytes;

	MISUSE(NOT_SUPPORTED, doca_rdma_bridge_prepare_connection(object, object, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_rdma_bridge_accept(object, object, 8, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_rdma_bridge_established(object, object),
	       "not part of this release");
	MISUSE(BAD_STATE, doca_rdma_get_dpa_handle(object, object), "is on the CPU data path");
	MISUSE(BAD_STATE, doca_rdma_get_gpu_handle(object, object), "is on the CPU data path");
	MISUSE(NOT_SUPPORTED, doca_rdma_dpa_completion_attach(object, object),
	       "not part of this release");
}

MISUSE_CASE(rdma_bridge_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_rdma_bridge_get_dev_pd(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_bridge_open_dev_from_pd(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_bridge_get_buf_mkey(NULL, NULL, NULL), "a pointer is NULL");
}

/* Whatever is given in the place of an object is not looked at. */
MISUSE_CASE(rdma_bridge_that_is_not_here)
{
	static unsigned char bytes[256];
	void *const object = bytes;

	MISUSE(NOT_SUPPORTED, doca_rdma_bridge_get_dev_pd(object, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_rdma_bridge_open_dev_from_pd(object, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_rdma_bridge_get_buf_mkey(object, object, object),
	       "not part of this release");
}

MISUSE_CASE(rdma_property_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_rdma_set_send_queue_size(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_send_queue_size(NULL, NULL),
	       "rdma and send_queue_size are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_recv_queue_size(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_recv_queue_size(NULL, NULL),
	       "rdma and recv_queue_size are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_max_send_buf_list_len(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_max_send_buf_list_len(NULL, NULL),
	       "rdma and max_send_buf_list_len are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_transport_type(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_transport_type(NULL, NULL),
	       "rdma and transport_type are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_mtu(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_mtu(NULL, NULL), "rdma and mtu are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_permissions(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_permissions(NULL, NULL),
	       "rdma and permissions are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_grh_enabled(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_grh_enabled(NULL, NULL),
	       "rdma and grh_enabled are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_gid_index(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_gid_index(NULL, NULL), "rdma and gid_index are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_sl(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_sl(NULL, NULL), "rdma and sl are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_connection_request_timeout(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_connection_request_timeout(NULL, NULL),
	       "rdma and timeout are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_max_num_connections(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_max_num_connections(NULL, NULL),
	       "rdma and max_num_connections are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_set_rnr_retry_count(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_get_rnr_retry_count(NULL, NULL),
	       "rdma and rnr_retry_count are NULL");
}

MISUSE_CASE(rdma_task_atomic_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_rdma_cap_task_atomic_cmp_swp_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_atomic_cmp_swp_set_conf(NULL, NULL, NULL, 1),
	       "rdma is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_atomic_cmp_swp_allocate_init(NULL, NULL, NULL, NULL, 1, 1, none,
							   NULL),
	       "rdma and rdma_connection and task are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_task_atomic_fetch_add_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_atomic_fetch_add_set_conf(NULL, NULL, NULL, 1),
	       "rdma is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_atomic_fetch_add_allocate_init(NULL, NULL, NULL, NULL, 1, none, NULL),
	       "rdma and rdma_connection and task are NULL");
}

MISUSE_CASE(rdma_task_memory_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_rdma_cap_task_read_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_read_set_conf(NULL, NULL, NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_read_allocate_init(NULL, NULL, NULL, NULL, none, NULL),
	       "rdma and rdma_connection and task are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_task_write_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_write_set_conf(NULL, NULL, NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_write_allocate_init(NULL, NULL, NULL, NULL, none, NULL),
	       "rdma and rdma_connection and task are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_task_write_imm_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_write_imm_set_conf(NULL, NULL, NULL, 1),
	       "rdma is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_write_imm_allocate_init(NULL, NULL, NULL, NULL, 1, none, NULL),
	       "rdma and rdma_connection and task are NULL");
}

MISUSE_CASE(rdma_task_message_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_rdma_cap_task_receive_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_task_receive_get_max_dst_buf_list_len(NULL, 1, NULL),
	       "devinfo and max_buf_list_len are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_receive_set_conf(NULL, NULL, NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_receive_set_dst_buf_list_len(NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_receive_get_dst_buf_list_len(NULL, NULL),
	       "rdma and buf_list_len are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_receive_allocate_init(NULL, NULL, none, NULL),
	       "rdma and task are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_task_send_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_send_set_conf(NULL, NULL, NULL, 1), "rdma is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_send_allocate_init(NULL, NULL, NULL, none, NULL),
	       "rdma and rdma_connection and task are NULL");
	MISUSE(INVALID_VALUE, doca_rdma_cap_task_send_imm_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_rdma_task_send_imm_set_conf(NULL, NULL, NULL, 1),
	       "rdma is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_send_imm_allocate_init(NULL, NULL, NULL, 1, none, NULL),
	       "rdma and rdma_connection and task are NULL");
}

MISUSE_CASE(rdma_task_sync_event_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_rdma_cap_task_remote_net_sync_event_get_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_remote_net_sync_event_get_set_conf(NULL, NULL, NULL, 1),
	       "rdma is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_remote_net_sync_event_get_allocate_init(NULL, NULL, NULL, NULL, none,
								      NULL),
	       "rdma and rdma_connection and task are NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_remote_net_sync_event_notify_set_set_conf(NULL, NULL, NULL, 1),
	       "rdma is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(NULL, NULL, NULL, NULL,
									     none, NULL),
	       "rdma and rdma_connection and task are NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_remote_net_sync_event_notify_add_set_conf(NULL, NULL, NULL, 1),
	       "rdma is NULL");
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(NULL, NULL, NULL, NULL,
									     1, none, NULL),
	       "rdma and rdma_connection and task are NULL");
}
