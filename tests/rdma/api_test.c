/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Capabilities, properties, and the arguments of everything that needs no peer.
 */
#include <string.h>

#include "core/kit.h"
#include "rdma/rig.h"

static struct rig_end a;

static struct doca_devinfo *info(void)
{
	return doca_dev_as_devinfo(a.dev);
}

static void open_idle(void)
{
	rig_init(&a);
	rig_open(&a);
}

T_CASE(capabilities)
{
	uint32_t value;

	open_idle();
	T_OK(doca_rdma_cap_get_max_send_queue_size(info(), &value));
	T_EQ(value, 32768);
	T_OK(doca_rdma_cap_get_max_recv_queue_size(info(), &value));
	T_EQ(value, 32768);
	T_OK(doca_rdma_cap_get_max_send_buf_list_len(info(), &value));
	T_CHECK(value >= 16);
	T_OK(doca_rdma_cap_get_max_message_size(info(), &value));
	T_EQ(value, 1u << 30);
	T_OK(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
		info(), DOCA_RDMA_TRANSPORT_TYPE_RC, &value));
	T_CHECK(value >= 1);
	T_ERR(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
		      info(), DOCA_RDMA_TRANSPORT_TYPE_DC, &value),
	      DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(NULL, DOCA_RDMA_TRANSPORT_TYPE_RC,
								  &value),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_rdma_cap_transport_type_is_supported(info(), DOCA_RDMA_TRANSPORT_TYPE_RC));
	T_ERR(doca_rdma_cap_transport_type_is_supported(info(), DOCA_RDMA_TRANSPORT_TYPE_DC),
	      DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_rdma_cap_transport_type_is_supported(info(), (enum doca_rdma_transport_type)7),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_cap_transport_type_is_supported(NULL, DOCA_RDMA_TRANSPORT_TYPE_RC),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_cap_get_max_message_size(NULL, &value), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_cap_get_max_message_size(info(), NULL), DOCA_ERROR_INVALID_VALUE);
	rig_close(&a);
}

T_CASE(gids)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	struct doca_rdma_gid gids[8];
	uint32_t size;

	open_idle();
	T_OK(doca_rdma_cap_get_gid_table_size(info(), &size));
	T_EQ(size, 4);
	T_OK(doca_rdma_cap_get_gid(info(), 0, size, gids));
	T_MEMEQ(gids[0].raw, mapped, sizeof(mapped));
	T_OK(doca_rdma_cap_get_gid(info(), size - 1, 1, gids));
	T_EQ(gids[0].raw[0], 0xfe);
	T_OK(doca_rdma_cap_get_gid(info(), size, 0, gids));
	T_ERR(doca_rdma_cap_get_gid(info(), 0, size + 1, gids), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_cap_get_gid(info(), size, 1, gids), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_cap_get_gid(info(), 1, UINT32_MAX, gids), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_cap_get_gid(NULL, 0, 1, gids), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_cap_get_gid(info(), 0, 1, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_cap_get_gid_table_size(info(), NULL), DOCA_ERROR_INVALID_VALUE);
	rig_close(&a);
}

/* Sets, reads back, tries what is wrong, tries NULL, tries while running. */
#define PROPERTY(name, type, unset, good, got_back, bad, bad_code)                                 \
	T_CASE(property_##name)                                                                    \
	{                                                                                          \
		struct doca_rdma *rdma;                                                            \
		type value;                                                                        \
                                                                                                   \
		open_idle();                                                                       \
		T_OK(doca_rdma_create(a.dev, &rdma));                                              \
		T_OK(doca_rdma_get_##name(rdma, &value));                                          \
		T_EQ(value, unset);                                                                \
		T_OK(doca_rdma_set_##name(rdma, good));                                            \
		T_OK(doca_rdma_get_##name(rdma, &value));                                          \
		T_EQ(value, got_back);                                                             \
		T_ERR(doca_rdma_set_##name(rdma, bad), bad_code);                                  \
		T_OK(doca_rdma_get_##name(rdma, &value));                                          \
		T_EQ(value, got_back);                                                             \
		T_ERR(doca_rdma_set_##name(NULL, good), DOCA_ERROR_INVALID_VALUE);                 \
		T_ERR(doca_rdma_get_##name(NULL, &value), DOCA_ERROR_INVALID_VALUE);               \
		T_ERR(doca_rdma_get_##name(rdma, NULL), DOCA_ERROR_INVALID_VALUE);                 \
		T_OK(doca_rdma_destroy(rdma));                                                     \
		T_OK(doca_ctx_start(a.ctx));                                                       \
		T_ERR(doca_rdma_set_##name(a.rdma, good), DOCA_ERROR_BAD_STATE);                   \
		rig_close(&a);                                                                     \
	}

PROPERTY(send_queue_size, uint32_t, 128, 200, 256, 0, DOCA_ERROR_INVALID_VALUE)
PROPERTY(recv_queue_size, uint32_t, 128, 128, 128, 32769, DOCA_ERROR_NOT_SUPPORTED)
PROPERTY(max_send_buf_list_len, uint32_t, 1, 16, 16, 33, DOCA_ERROR_INVALID_VALUE)
PROPERTY(transport_type, enum doca_rdma_transport_type, DOCA_RDMA_TRANSPORT_TYPE_RC,
	 DOCA_RDMA_TRANSPORT_TYPE_RC, DOCA_RDMA_TRANSPORT_TYPE_RC, DOCA_RDMA_TRANSPORT_TYPE_DC,
	 DOCA_ERROR_NOT_SUPPORTED)
PROPERTY(mtu, enum doca_mtu_size, DOCA_MTU_SIZE_4K_BYTES, DOCA_MTU_SIZE_1K_BYTES,
	 DOCA_MTU_SIZE_1K_BYTES, DOCA_MTU_SIZE_RAW_ETHERNET, DOCA_ERROR_NOT_SUPPORTED)
PROPERTY(permissions, uint32_t, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, DOCA_ACCESS_FLAG_RDMA_WRITE,
	 DOCA_ACCESS_FLAG_RDMA_WRITE, DOCA_ACCESS_FLAG_PCI_READ_WRITE, DOCA_ERROR_INVALID_VALUE)
PROPERTY(grh_enabled, uint8_t, 1, 1, 1, 0, DOCA_ERROR_NOT_SUPPORTED)
PROPERTY(gid_index, uint32_t, 0, 3, 3, 4, DOCA_ERROR_INVALID_VALUE)
PROPERTY(max_num_connections, uint16_t, 1, 16, 16, 0, DOCA_ERROR_NOT_SUPPORTED)
PROPERTY(rnr_retry_count, uint8_t, 6, 7, 7, 8, DOCA_ERROR_NOT_SUPPORTED)

T_CASE(properties_without_bounds)
{
	uint32_t sl;
	uint16_t timeout;

	open_idle();
	T_OK(doca_rdma_set_sl(a.rdma, 3));
	T_OK(doca_rdma_get_sl(a.rdma, &sl));
	T_EQ(sl, 3);
	T_ERR(doca_rdma_set_sl(NULL, 3), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_rdma_get_connection_request_timeout(a.rdma, &timeout));
	T_EQ(timeout, 2000);
	T_OK(doca_rdma_set_connection_request_timeout(a.rdma, 100));
	T_OK(doca_rdma_get_connection_request_timeout(a.rdma, &timeout));
	T_EQ(timeout, 100);
	T_ERR(doca_rdma_set_connection_request_timeout(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_ctx_start(a.ctx));
	T_ERR(doca_rdma_set_sl(a.rdma, 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_rdma_set_connection_request_timeout(a.rdma, 1), DOCA_ERROR_BAD_STATE);
	rig_close(&a);
}

T_CASE(receive_list_length)
{
	uint32_t len;

	open_idle();
	T_OK(doca_rdma_task_receive_set_dst_buf_list_len(a.rdma, 5));
	T_OK(doca_rdma_task_receive_get_dst_buf_list_len(a.rdma, &len));
	T_EQ(len, 5);
	T_ERR(doca_rdma_task_receive_set_dst_buf_list_len(a.rdma, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_task_receive_set_dst_buf_list_len(a.rdma, 33), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_task_receive_set_dst_buf_list_len(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_task_receive_get_dst_buf_list_len(NULL, &len), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_ctx_start(a.ctx));
	T_ERR(doca_rdma_task_receive_set_dst_buf_list_len(a.rdma, 1), DOCA_ERROR_BAD_STATE);
	rig_close(&a);
}

static void on_connection(struct doca_rdma_connection *connection, union doca_data connection_data,
			  union doca_data ctx_data)
{
	(void)connection;
	(void)connection_data;
	(void)ctx_data;
}

T_CASE(connection_callbacks)
{
	open_idle();
	T_OK(doca_rdma_set_connection_state_callbacks(a.rdma, NULL, on_connection, on_connection,
						      on_connection));
	T_ERR(doca_rdma_set_connection_state_callbacks(a.rdma, NULL, NULL, on_connection,
						       on_connection),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_set_connection_state_callbacks(a.rdma, NULL, on_connection, NULL,
						       on_connection),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_set_connection_state_callbacks(a.rdma, NULL, on_connection, on_connection,
						       NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_ctx_start(a.ctx));
	T_ERR(doca_rdma_set_connection_state_callbacks(a.rdma, NULL, on_connection, on_connection,
						       on_connection),
	      DOCA_ERROR_BAD_STATE);
	rig_close(&a);
}

T_CASE(create_and_destroy)
{
	struct doca_rdma *rdma;

	open_idle();
	T_ERR(doca_rdma_create(NULL, &rdma), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_create(a.dev, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_EQ(doca_rdma_as_ctx(NULL), NULL);
	/* A device in use stays open. */
	T_ERR(doca_dev_close(a.dev), DOCA_ERROR_IN_USE);
	T_OK(doca_rdma_create(a.dev, &rdma));
	T_ERR(doca_ctx_start(doca_rdma_as_ctx(rdma)), DOCA_ERROR_NOT_CONNECTED);
	T_OK(doca_rdma_destroy(rdma));
	T_OK(doca_ctx_start(a.ctx));
	T_ERR(doca_rdma_destroy(a.rdma), DOCA_ERROR_BAD_STATE);
	rig_close(&a);
}

static void receive_done(struct doca_rdma_task_receive *task, union doca_data task_data,
			 union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
}

/* A topology file makes limits small enough to be met. */
T_CASE(limits_of_the_topology)
{
	static struct rig_end b;

	kit_topology("{\"limits\": {\"rdma_max_queue\": 8, \"rdma_max_connections\": 2, "
		     "\"rdma_max_message\": 100, \"rdma_max_list\": 3}}");
	rig_init(&a);
	a.num_tasks = 8;
	a.max_connections = 2;
	a.list_len = 3;
	rig_open(&a);
	T_ERR(doca_rdma_set_max_num_connections(a.rdma, 3), DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_rdma_set_max_send_buf_list_len(a.rdma, 4), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_set_send_queue_size(a.rdma, 9), DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_rdma_task_receive_set_conf(a.rdma, receive_done, receive_done, 9),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_ctx_start(a.ctx));
	rig_init(&b);
	b.num_tasks = 8;
	b.max_connections = 2;
	b.list_len = 3;
	rig_open(&b);
	T_OK(doca_ctx_start(b.ctx));
	rig_join(&a, &b);
	rig_receive(&b, rig_room(&b, 0, 200), 1);
	rig_send(&a, rig_data(&a, 0, 101), 1);
	rig_write(&a, rig_data(&a, 0, 101), NULL, 1);
	rig_send(&a, rig_data(&a, 0, 100), 1);
	RIG_UNTIL(&a, &b, a.num_events == 3 && b.num_events == 1);
	T_ERR(a.events[0].status, DOCA_ERROR_INVALID_VALUE);
	T_ERR(a.events[1].status, DOCA_ERROR_INVALID_VALUE);
	T_OK(a.events[2].status);
	rig_close(&a);
	rig_close(&b);
}

/* L8: what was set stays, and may be changed while the context is stopped. */
T_CASE(a_restart_takes_new_properties)
{
	struct doca_rdma_task_receive *tasks[7];
	uint32_t permissions, len;
	union doca_data none = {0};

	open_idle();
	T_OK(doca_ctx_start(a.ctx));
	T_OK(doca_ctx_stop(a.ctx));
	T_OK(doca_rdma_get_permissions(a.rdma, &permissions));
	T_EQ(permissions, RIG_ALL);
	T_OK(doca_rdma_set_permissions(a.rdma, DOCA_ACCESS_FLAG_RDMA_READ));
	T_OK(doca_rdma_set_max_send_buf_list_len(a.rdma, 3));
	T_OK(doca_rdma_task_receive_set_conf(a.rdma, receive_done, receive_done, 7));
	T_OK(doca_ctx_start(a.ctx));
	T_OK(doca_rdma_get_permissions(a.rdma, &permissions));
	T_EQ(permissions, DOCA_ACCESS_FLAG_RDMA_READ);
	T_OK(doca_rdma_get_max_send_buf_list_len(a.rdma, &len));
	T_EQ(len, 3);
	for (int i = 0; i < 7; i++)
		T_OK(doca_rdma_task_receive_allocate_init(a.rdma, NULL, none, &tasks[i]));
	T_ERR(doca_rdma_task_receive_allocate_init(a.rdma, NULL, none, &tasks[0]),
	      DOCA_ERROR_NO_MEMORY);
	for (int i = 0; i < 7; i++)
		doca_task_free(doca_rdma_task_receive_as_task(tasks[i]));
	rig_close(&a);
}

/* 1.9: the queues hold what was configured, when nobody says how long they shall be. */
T_CASE(queues_hold_all_tasks)
{
	uint32_t size;

	rig_init(&a);
	a.num_tasks = 200;
	rig_open(&a);
	T_OK(doca_rdma_get_recv_queue_size(a.rdma, &size));
	T_EQ(size, 256);
	/* Ten types of them. */
	T_OK(doca_rdma_get_send_queue_size(a.rdma, &size));
	T_EQ(size, 2048);
	rig_close(&a);
}
