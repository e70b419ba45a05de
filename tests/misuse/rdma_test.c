/* SPDX-License-Identifier: BSD-3-Clause
 *
 * RDMA contexts, connections by details, and tasks.
 */
#include <string.h>

#include <doca_rdma.h>

#include "misuse/misuse.h"
#include "rdma/rig.h"

static const union doca_data none;

static struct rig_end a, b;
static struct rig_card card_a, card_b;

static void on_connection(struct doca_rdma_connection *connection, union doca_data connection_data,
			  union doca_data ctx_data)
{
	(void)connection, (void)connection_data, (void)ctx_data;
}

static void on_received(struct doca_rdma_task_receive *task, union doca_data task_data,
			union doca_data ctx_data)
{
	(void)task, (void)task_data, (void)ctx_data;
}

static void on_sent(struct doca_rdma_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task, (void)task_data, (void)ctx_data;
}

MISUSE_CASE(properties)
{
	rig_init(&a);
	rig_open(&a);
	MISUSE(INVALID_VALUE, doca_rdma_set_send_queue_size(a.rdma, 0), "0;", "needed: at least 1");
	MISUSE(NOT_SUPPORTED, doca_rdma_set_send_queue_size(a.rdma, 1u << 20), "1048576;",
	       "needed: no more than");
	MISUSE(INVALID_VALUE, doca_rdma_set_recv_queue_size(a.rdma, 0), "0;", "needed: at least 1");
	MISUSE(NOT_SUPPORTED, doca_rdma_set_recv_queue_size(a.rdma, 1u << 20), "1048576;",
	       "needed: no more than");
	MISUSE(INVALID_VALUE, doca_rdma_set_max_send_buf_list_len(a.rdma, 33), "33;",
	       "needed: 1 to");
	MISUSE(INVALID_VALUE, doca_rdma_task_receive_set_dst_buf_list_len(a.rdma, 0), "0;",
	       "needed: 1 to");
	MISUSE(NOT_SUPPORTED, doca_rdma_set_transport_type(a.rdma, DOCA_RDMA_TRANSPORT_TYPE_DC),
	       "1;", "needed: DOCA_RDMA_TRANSPORT_TYPE_RC");
	MISUSE(INVALID_VALUE, doca_rdma_set_transport_type(a.rdma, 7), "7;",
	       "needed: DOCA_RDMA_TRANSPORT_TYPE_RC");
	MISUSE(NOT_SUPPORTED, doca_rdma_set_mtu(a.rdma, DOCA_MTU_SIZE_RAW_ETHERNET),
	       "needed: up to");
	MISUSE(INVALID_VALUE, doca_rdma_set_mtu(a.rdma, 77), "77;", "needed: up to");
	MISUSE(INVALID_VALUE, doca_rdma_set_permissions(a.rdma, 1u << 20), "1048576;",
	       "needed: a mask");
	MISUSE(NOT_SUPPORTED, doca_rdma_set_grh_enabled(a.rdma, 0), "0;", "needed: 1");
	MISUSE(INVALID_VALUE, doca_rdma_set_grh_enabled(a.rdma, 2), "2;", "needed: 1");
	MISUSE(INVALID_VALUE, doca_rdma_set_gid_index(a.rdma, 4), "4;", "needed: an index");
	MISUSE(NOT_SUPPORTED, doca_rdma_set_max_num_connections(a.rdma, 0), "0;",
	       "needed: at least 1");
	MISUSE(NOT_SUPPORTED, doca_rdma_set_rnr_retry_count(a.rdma, 8), "8;", "needed: 0 to 7");
	MISUSE(INVALID_VALUE,
	       doca_rdma_set_connection_state_callbacks(a.rdma, NULL, on_connection, NULL,
							on_connection),
	       "a callback is NULL", "needed: all but that of requests");
	MISUSE(INVALID_VALUE, doca_rdma_task_receive_set_conf(a.rdma, on_received, NULL, 1),
	       "a callback is NULL", "needed: one for completion and one for errors");
	MISUSE(INVALID_VALUE, doca_rdma_task_send_set_conf(a.rdma, on_sent, on_sent, 0), "0 tasks",
	       "needed: 1 to");
	QUIET(NOT_SUPPORTED, doca_rdma_cap_transport_type_is_supported(
				     doca_dev_as_devinfo(a.dev), DOCA_RDMA_TRANSPORT_TYPE_DC));
	rig_close(&a);
}

MISUSE_CASE(idle)
{
	struct doca_rdma_connection *connection;
	struct doca_rdma_task_receive *receive;
	struct doca_rdma_gid gids[8];
	const void *details;
	uint32_t len;
	size_t size;

	rig_init(&a);
	rig_open(&a);
	MISUSE(BAD_STATE, doca_rdma_export(a.rdma, &details, &size, &connection),
	       "the context is not running", "doca_ctx_start()");
	MISUSE(BAD_STATE, doca_rdma_start_listen_to_port(a.rdma, 4711),
	       "the context is not running", "doca_ctx_start()");
	MISUSE(BAD_STATE, doca_rdma_stop_listen_to_port(a.rdma, 4711), "the context is not running",
	       "doca_ctx_start()");
	MISUSE(BAD_STATE, doca_rdma_task_receive_allocate_init(a.rdma, NULL, none, &receive),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(INVALID_VALUE, doca_rdma_cap_get_gid(doca_dev_as_devinfo(a.dev), 1, 4, gids),
	       "4 entries from 1 on", "needed: no more than the table has, 4");
	MISUSE(NOT_SUPPORTED,
	       doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
		       doca_dev_as_devinfo(a.dev), DOCA_RDMA_TRANSPORT_TYPE_DC, &len),
	       "transport 1", "needed: DOCA_RDMA_TRANSPORT_TYPE_RC");
	rig_close(&a);
}

MISUSE_CASE(running)
{
	rig_start(&a);
	MISUSE(BAD_STATE, doca_rdma_set_send_queue_size(a.rdma, 64), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_recv_queue_size(a.rdma, 64), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_max_send_buf_list_len(a.rdma, 2), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_task_receive_set_dst_buf_list_len(a.rdma, 2),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_transport_type(a.rdma, DOCA_RDMA_TRANSPORT_TYPE_RC),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_mtu(a.rdma, DOCA_MTU_SIZE_4K_BYTES),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_permissions(a.rdma, RIG_ALL), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_grh_enabled(a.rdma, 1), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_gid_index(a.rdma, 1), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_sl(a.rdma, 1), "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_connection_request_timeout(a.rdma, 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_max_num_connections(a.rdma, 1), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_set_rnr_retry_count(a.rdma, 1), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_task_receive_set_conf(a.rdma, on_received, on_received, 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_rdma_task_send_set_conf(a.rdma, on_sent, on_sent, 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(CONNECTION_ABORTED, doca_rdma_start_listen_to_port(a.rdma, 0), "port 0 is no port",
	       "needed: 1 to 65535");
	MISUSE(CONNECTION_ABORTED, doca_rdma_stop_listen_to_port(a.rdma, 4711),
	       "does not listen to port 4711", "doca_rdma_start_listen_to_port()");
	rig_close(&a);
}

MISUSE_CASE(details)
{
	struct doca_rdma_connection *connection;
	struct doca_rdma_addr *addr;
	const void *details;
	size_t size;

	rig_init(&a);
	rig_init(&b);
	a.max_connections = 1;
	rig_open(&a);
	rig_open(&b);
	T_OK(doca_ctx_start(a.ctx));
	T_OK(doca_ctx_start(b.ctx));
	rig_export(&a, &card_a);
	rig_export(&b, &card_b);
	MISUSE(FULL, doca_rdma_export(a.rdma, &details, &size, &connection), "1 connections exist",
	       "needed: fewer", "doca_rdma_set_max_num_connections()");
	MISUSE(INVALID_VALUE,
	       doca_rdma_connect(a.rdma, card_b.details, card_b.details_len, b.connection),
	       "not of this context", "doca_rdma_export()");
	MISUSE(CONNECTION_ABORTED,
	       doca_rdma_connect(a.rdma, card_b.details, card_b.details_len - 1, a.connection),
	       "the connection details of", "needed: all bytes that doca_rdma_export() gave");
	MISUSE(CONNECTION_ABORTED,
	       doca_rdma_connect(a.rdma, card_a.details, card_a.details_len, a.connection),
	       "this connection's own", "pass on those of the peer");
	T_OK(doca_rdma_connect(a.rdma, card_b.details, card_b.details_len, a.connection));
	MISUSE(BAD_STATE,
	       doca_rdma_connect(a.rdma, card_b.details, card_b.details_len, a.connection),
	       "was joined already", "export another one");
	MISUSE(CONNECTION_ABORTED, doca_rdma_connection_accept(a.connection, NULL, 0),
	       "is not a request", "needed: one that is");
	MISUSE(CONNECTION_ABORTED, doca_rdma_connection_reject(a.connection), "is not a request",
	       "needed: one that is");
	MISUSE(INVALID_VALUE, doca_rdma_connection_get_addr(a.connection, &addr),
	       "was not made by address", "doca_rdma_connect_to_addr()");
	MISUSE(INVALID_VALUE,
	       doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "10.0.0", 4711, &addr),
	       "\"10.0.0\" is no address", "needed: 10.0.0.1 for IPv4");
	rig_close(&a);
	rig_close(&b);
}

MISUSE_CASE(tasks_of_an_idle_context)
{
	struct doca_rdma_connection *connection = (struct doca_rdma_connection *)(void *)&b;
	struct doca_rdma_task_send_imm *send_imm;
	struct doca_rdma_task_send *send;
	struct doca_rdma_task_read *read;
	struct doca_rdma_task_write *write;

	rig_init(&a);
	rig_open(&a);
	MISUSE(BAD_STATE, doca_rdma_task_send_allocate_init(a.rdma, connection, NULL, none, &send),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE,
	       doca_rdma_task_send_imm_allocate_init(a.rdma, connection, NULL, 0, none, &send_imm),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE,
	       doca_rdma_task_read_allocate_init(a.rdma, connection, NULL, NULL, none, &read),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE,
	       doca_rdma_task_write_allocate_init(a.rdma, connection, NULL, NULL, none, &write),
	       "the context is IDLE", "needed: RUNNING");
	rig_close(&a);
}

MISUSE_CASE(all_tasks_are_out)
{
	struct doca_rdma_task_read *reads[RIG_TASKS], *one;

	rig_pair(&a, &b);
	for (int i = 0; i < RIG_TASKS; i++)
		T_OK(doca_rdma_task_read_allocate_init(a.rdma, a.connection, NULL, NULL, none,
						       &reads[i]));
	MISUSE(NO_MEMORY,
	       doca_rdma_task_read_allocate_init(a.rdma, a.connection, NULL, NULL, none, &one),
	       "all 64 tasks are out", "needed: one that is free");
	for (int i = 0; i < RIG_TASKS; i++)
		doca_task_free(doca_rdma_task_read_as_task(reads[i]));
	rig_close(&a);
	rig_close(&b);
}

MISUSE_CASE(tasks)
{
	struct doca_rdma_task_send *send;
	struct doca_task *task;

	rig_pair(&a, &b);
	MISUSE(INVALID_VALUE,
	       doca_rdma_task_send_allocate_init(a.rdma, b.connection, NULL, none, &send),
	       "not of this context", "export and connect again");
	T_OK(doca_rdma_task_send_allocate_init(a.rdma, a.connection, NULL, none, &send));
	doca_rdma_task_send_set_rdma_connection(send, b.connection);
	task = doca_rdma_task_send_as_task(send);
	MISUSE(INVALID_VALUE, doca_task_submit(task), "not of this context",
	       "needed: one of this start");
	doca_task_free(task);
	MISUSE(IN_USE, doca_pe_destroy(a.pe), "contexts are connected", "destroy its contexts");
	MISUSE(BAD_STATE, doca_rdma_destroy(a.rdma), "it is RUNNING", "needed: IDLE");
	rig_close(&a);
	rig_close(&b);
}

MISUSE_CASE(tasks_that_fail)
{
	rig_pair(&a, &b);
	misuse_begin();
	rig_read(&a, rig_data(&a, 0, 8), rig_room(&a, 64, 8), 1);
	ENDS(INVALID_VALUE, doca_rdma_task_read, (rig_progress(&a, &b), a.failed[RIG_READ] == 1),
	     rig_last(&a, RIG_READ)->status, "of this process's own memory",
	     "doca_mmap_create_from_export()");
	misuse_begin();
	rig_write(&a, rig_data(&a, 0, 8), NULL, 2);
	ENDS(INVALID_VALUE, doca_rdma_task_write, (rig_progress(&a, &b), a.failed[RIG_WRITE] == 1),
	     rig_last(&a, RIG_WRITE)->status, "one of its bufs is NULL", "needed: both");
	rig_close(&a);
	rig_close(&b);
}

/* The task is the program's again, and its bufs are where the program has left them. */
static void drop_and_free(struct doca_task *task, struct doca_buf *rest)
{
	doca_task_free(task);
	if (rest != NULL)
		T_OK(doca_buf_dec_refcount(rest, NULL));
}

MISUSE_CASE(tasks_with_released_bufs)
{
	struct doca_buf *local, *remote;
	struct doca_task *task;

	rig_init(&a);
	rig_init(&b);
	a.keep_tasks = true;
	rig_raise(&a, &b, &card_a, &card_b);
	local = rig_data(&a, 0, 8);
	T_OK(doca_buf_dec_refcount(local, NULL));
	misuse_begin();
	task = rig_send(&a, local, 1);
	ENDS(INVALID_VALUE, doca_rdma_task_send, (rig_progress(&a, &b), a.failed[RIG_SEND] == 1),
	     rig_last(&a, RIG_SEND)->status, "a buf was released", "needed: one with a reference");
	drop_and_free(task, NULL);
	local = rig_data(&a, 0, 8);
	remote = rig_remote_room(&a, &card_b, 0, 8);
	T_OK(doca_buf_dec_refcount(remote, NULL));
	misuse_begin();
	task = rig_write(&a, local, remote, 2);
	ENDS(INVALID_VALUE, doca_rdma_task_write, (rig_progress(&a, &b), a.failed[RIG_WRITE] == 1),
	     rig_last(&a, RIG_WRITE)->status, "a buf was released", "needed: one with a reference");
	drop_and_free(task, local);
	local = rig_room(&a, 0, 8);
	remote = rig_remote_data(&a, &card_b, 0, 8);
	T_OK(doca_buf_dec_refcount(local, NULL));
	misuse_begin();
	task = rig_read(&a, remote, local, 3);
	ENDS(INVALID_VALUE, doca_rdma_task_read, (rig_progress(&a, &b), a.failed[RIG_READ] == 1),
	     rig_last(&a, RIG_READ)->status, "a buf was released", "needed: one with a reference");
	drop_and_free(task, remote);
	rig_close(&a);
	rig_close(&b);
}

/* The message has ended the connection, and with it everything in flight. */
MISUSE_CASE(tasks_that_end_with_their_connection)
{
	rig_pair(&a, &b);
	rig_receive(&b, rig_room(&b, 0, 32), 1);
	misuse_begin();
	rig_send(&a, rig_data(&a, 0, 64), 1);
	ENDS(IO_FAILED, doca_rdma_task_receive, (rig_progress(&a, &b), b.failed[RIG_RECEIVE] == 1),
	     rig_last(&b, RIG_RECEIVE)->status, "a message of 64 bytes, and room for 32",
	     "needed: room");
	misuse_begin();
	ENDS(IO_FAILED, doca_rdma_task_send, (rig_progress(&a, &b), a.failed[RIG_SEND] == 1),
	     rig_last(&a, RIG_SEND)->status, MISUSE_NO_LINE);
	rig_join(&a, &b);
	rig_await_join(&a, &b);
	rig_send(&a, rig_data(&a, 0, 64), 2);
	misuse_begin();
	T_OK(doca_rdma_connection_disconnect(a.connection));
	ENDS(SHUTDOWN, doca_rdma_task_send, (rig_progress(&a, &b), a.failed[RIG_SEND] == 2),
	     rig_last(&a, RIG_SEND)->status, MISUSE_NO_LINE);
	rig_join(&a, &b);
	rig_await_join(&a, &b);
	rig_send(&a, rig_data(&a, 0, 64), 3);
	misuse_begin();
	T_OK(doca_rdma_connection_disconnect(b.connection));
	ENDS(CONNECTION_RESET, doca_rdma_task_send, (rig_progress(&a, &b), a.failed[RIG_SEND] == 3),
	     rig_last(&a, RIG_SEND)->status, MISUSE_NO_LINE);
	rig_close(&a);
	rig_close(&b);
}
