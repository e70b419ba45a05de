/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls without the pointers that they need, and calls that are not part of this release.
 */
#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_msgq.h>
#include <doca_comch_producer.h>

#include "misuse/misuse.h"

static const union doca_data none;

MISUSE_CASE(comch_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_comch_connection_set_user_data(NULL, none),
	       "connection is NULL");
	MISUSE(INVALID_VALUE, doca_comch_connection_update_info(NULL), "comch_connection is NULL");
	MISUSE(INVALID_VALUE, doca_comch_connection_get_counter(NULL, 1, NULL),
	       "comch_connection and counter_value are NULL");
	MISUSE(INVALID_VALUE, doca_comch_cap_get_max_name_len(NULL, NULL),
	       "devinfo and max_name_len are NULL");
	MISUSE(INVALID_VALUE, doca_comch_cap_get_max_msg_size(NULL, NULL),
	       "devinfo and size are NULL");
	MISUSE(INVALID_VALUE, doca_comch_cap_get_max_recv_queue_size(NULL, NULL),
	       "devinfo and size are NULL");
	MISUSE(INVALID_VALUE, doca_comch_cap_get_max_send_tasks(NULL, NULL),
	       "devinfo and max_send_tasks are NULL");
	MISUSE(INVALID_VALUE, doca_comch_cap_get_max_clients(NULL, NULL),
	       "devinfo and num_clients are NULL");
	MISUSE(INVALID_VALUE, doca_comch_cap_server_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_comch_cap_client_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_create(NULL, NULL, NULL, NULL),
	       "dev and repr and name and comch_server are NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_destroy(NULL), "comch_server is NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_set_max_msg_size(NULL, 1), "comch_server is NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_get_max_msg_size(NULL, NULL),
	       "comch_server and size are NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_set_recv_queue_size(NULL, 1),
	       "comch_server is NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_get_recv_queue_size(NULL, NULL),
	       "comch_server and size are NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_get_device(NULL, NULL),
	       "comch_server and dev are NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_get_device_rep(NULL, NULL),
	       "comch_server and rep are NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_get_device_repr(NULL, NULL),
	       "comch_server and rep are NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_disconnect(NULL, NULL),
	       "comch_server and connection are NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_task_send_set_conf(NULL, NULL, NULL, 1),
	       "comch_server is NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_task_send_alloc_init(NULL, NULL, NULL, 1, NULL),
	       "comch_server and peer and msg and task are NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_event_msg_recv_register(NULL, NULL),
	       "comch_server and recv_event_cb are NULL");
	MISUSE(INVALID_VALUE,
	       doca_comch_server_event_connection_status_changed_register(NULL, NULL, NULL),
	       "comch_server and connect_event_cb and disconnect_event_cb are NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_event_connection_register(NULL, NULL, NULL),
	       "comch_server and connect_event_cb and disconnect_event_cb are NULL");
	MISUSE(INVALID_VALUE, doca_comch_server_event_consumer_register(NULL, NULL, NULL),
	       "comch_server and new_consumer_event_cb and expired_consumer_event_cb are NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_create(NULL, NULL, NULL),
	       "dev and name and comch_client are NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_destroy(NULL), "comch_client is NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_set_max_msg_size(NULL, 1), "comch_client is NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_get_max_msg_size(NULL, NULL),
	       "comch_client and size are NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_set_recv_queue_size(NULL, 1),
	       "comch_client is NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_get_recv_queue_size(NULL, NULL),
	       "comch_client and size are NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_get_device(NULL, NULL),
	       "comch_client and dev are NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_get_connection(NULL, NULL),
	       "comch_client and connection are NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_task_send_set_conf(NULL, NULL, NULL, 1),
	       "comch_client is NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_task_send_alloc_init(NULL, NULL, NULL, 1, NULL),
	       "comch_client and peer and msg and task are NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_event_msg_recv_register(NULL, NULL),
	       "comch_client and recv_event_cb are NULL");
	MISUSE(INVALID_VALUE, doca_comch_client_event_consumer_register(NULL, NULL, NULL),
	       "comch_client and new_consumer_event_cb and expired_consumer_event_cb are NULL");
}

MISUSE_CASE(comch_consumer_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_comch_consumer_create(NULL, NULL, NULL),
	       "comch_connection and buf_mmap and consumer are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_destroy(NULL), "consumer is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_get_id(NULL, NULL), "consumer and id are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_set_imm_data_len(NULL, 1), "consumer is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_get_imm_data_len(NULL, NULL),
	       "consumer and imm_data_len are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_cap_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_cap_get_max_num_tasks(NULL, NULL),
	       "devinfo and max_num_tasks are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_cap_get_max_buf_size(NULL, NULL),
	       "devinfo and max_buf_size are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_cap_get_max_buf_list_len(NULL, NULL),
	       "devinfo and max_buf_list_len are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_cap_get_max_consumers(NULL, NULL),
	       "devinfo and max_consumers are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_cap_get_max_imm_data_len(NULL, NULL),
	       "devinfo and max_imm_data_len are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_task_post_recv_set_conf(NULL, NULL, NULL, 1),
	       "consumer is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_task_post_recv_alloc_init(NULL, NULL, NULL),
	       "consumer and task are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_set_completion(NULL, NULL, 1),
	       "consumer and consumer_comp are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_set_dev_max_num_recv(NULL, 1),
	       "consumer is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_set_dev_num_recv(NULL, 1), "consumer is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_get_dpa_handle(NULL, NULL),
	       "consumer and dpa_consumer are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_get_gpu_handle(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_create(NULL), "consumer_comp is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_set_dpa_thread(NULL, NULL),
	       "consumer_comp and dpa_thread are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_set_max_num_consumers(NULL, 1),
	       "consumer_comp is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_get_max_num_consumers(NULL, NULL),
	       "consumer_comp and max_num_consumers are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_set_max_num_recv(NULL, 1),
	       "consumer_comp is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_get_max_num_recv(NULL, NULL),
	       "consumer_comp and max_num_recv are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_set_imm_data_len(NULL, 1),
	       "consumer_comp is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_get_imm_data_len(NULL, NULL),
	       "consumer_comp and imm_data_len are NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_start(NULL), "consumer_comp is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_stop(NULL), "consumer_comp is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_destroy(NULL),
	       "consumer_comp is NULL");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_get_dpa_handle(NULL, NULL),
	       "consumer_comp and consumer_comp_handle are NULL");
}

/* Whatever is given in the place of an object is not looked at. */
MISUSE_CASE(comch_consumer_that_is_not_here)
{
	static unsigned char bytes[256];
	void *const object = bytes;

	MISUSE(BAD_STATE, doca_comch_consumer_get_gpu_handle(object, object),
	       "is on the CPU data path");
}

MISUSE_CASE(comch_msgq_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_comch_msgq_create(NULL, NULL), "dev and msgq are NULL");
	MISUSE(INVALID_VALUE, doca_comch_msgq_destroy(NULL), "msgq is NULL");
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_dpa_consumer(NULL, NULL),
	       "msgq and dpa are NULL");
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_max_num_consumers(NULL, 1), "msgq is NULL");
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_dpa_producer(NULL, NULL),
	       "msgq and dpa are NULL");
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_max_num_producers(NULL, 1), "msgq is NULL");
	MISUSE(INVALID_VALUE, doca_comch_msgq_start(NULL), "msgq is NULL");
	MISUSE(INVALID_VALUE, doca_comch_msgq_stop(NULL), "msgq is NULL");
	MISUSE(INVALID_VALUE, doca_comch_msgq_consumer_create(NULL, NULL),
	       "msgq and consumer are NULL");
	MISUSE(INVALID_VALUE, doca_comch_msgq_producer_create(NULL, NULL),
	       "msgq and producer are NULL");
}

MISUSE_CASE(comch_producer_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_comch_producer_create(NULL, NULL),
	       "comch_connection and producer are NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_destroy(NULL), "producer is NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_get_id(NULL, NULL), "producer and id are NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_cap_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_cap_get_max_num_tasks(NULL, NULL),
	       "devinfo and max_num_tasks are NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_cap_get_max_buf_size(NULL, NULL),
	       "devinfo and max_buf_size are NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_cap_get_max_buf_list_len(NULL, NULL),
	       "devinfo and max_buf_list_len are NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_cap_get_max_producers(NULL, NULL),
	       "devinfo and max_producers are NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_task_send_set_conf(NULL, NULL, NULL, 1),
	       "producer is NULL");
	MISUSE(INVALID_VALUE,
	       doca_comch_producer_task_send_alloc_init(NULL, NULL, NULL, 1, 1, NULL),
	       "producer and task are NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_set_dev_max_num_send(NULL, 1),
	       "producer is NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_set_dev_num_send(NULL, 1), "producer is NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_dpa_completion_attach(NULL, NULL),
	       "producer and dpa_comp are NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_get_dpa_handle(NULL, NULL),
	       "producer and dpa_producer are NULL");
	MISUSE(INVALID_VALUE, doca_comch_producer_get_gpu_handle(NULL, NULL), "a pointer is NULL");
}

/* Whatever is given in the place of an object is not looked at. */
MISUSE_CASE(comch_producer_that_is_not_here)
{
	static unsigned char bytes[256];
	void *const object = bytes;

	MISUSE(BAD_STATE, doca_comch_producer_get_gpu_handle(object, object),
	       "is on the CPU data path");
}
