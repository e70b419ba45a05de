/* SPDX-License-Identifier: BSD-3-Clause
 *
 * RDMA connections by address, and tasks of a context that does not run, or that runs already.
 */
#include <doca_rdma.h>

#include "misuse/misuse.h"
#include "rdma/rig.h"

static const union doca_data none;

static struct rig_end a, b;

static void on_connection(struct doca_rdma_connection *connection, union doca_data connection_data,
			  union doca_data ctx_data)
{
	(void)connection, (void)connection_data, (void)ctx_data;
}

static void on_request(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	(void)connection, (void)ctx_data;
}

static struct doca_rdma_addr *address(uint16_t port)
{
	struct doca_rdma_addr *addr;

	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, rig_peer_address(), port, &addr));
	return addr;
}

MISUSE_CASE(nobody_would_hear)
{
	struct doca_dev *dev = kit_open(KIT_HOST);
	struct doca_rdma_addr *addr = address(4711);
	struct doca_rdma *rdma;
	struct doca_pe *pe;

	T_OK(doca_pe_create(&pe));
	T_OK(doca_rdma_create(dev, &rdma));
	T_OK(doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma)));
	MISUSE(BAD_STATE, doca_rdma_connect_to_addr(rdma, addr, none), "the context is not running",
	       "doca_ctx_start()");
	T_OK(doca_ctx_start(doca_rdma_as_ctx(rdma)));
	MISUSE(BAD_STATE, doca_rdma_start_listen_to_port(rdma, 4711),
	       "nobody would hear of requests",
	       "needed: give doca_rdma_set_connection_state_callbacks()");
	MISUSE(BAD_STATE, doca_rdma_connect_to_addr(rdma, addr, none),
	       "nobody would hear of the outcome",
	       "needed: call doca_rdma_set_connection_state_callbacks()");
	MISUSE(BAD_STATE,
	       doca_rdma_set_connection_state_callbacks(rdma, on_request, on_connection,
							on_connection, on_connection),
	       "the context is RUNNING", "needed: IDLE");
	T_OK(doca_ctx_stop(doca_rdma_as_ctx(rdma)));
	T_OK(doca_rdma_destroy(rdma));
	T_OK(doca_pe_destroy(pe));
	T_OK(doca_dev_close(dev));
	T_OK(doca_rdma_addr_destroy(addr));
}

MISUSE_CASE(ports)
{
	uint16_t port = rig_serve_anew(&a, &b);

	MISUSE(CONNECTION_ABORTED, doca_rdma_start_listen_to_port(b.rdma, port),
	       "is listened to by this context", "needed: another one");
	rig_close_both(&a, &b);
}

MISUSE_CASE(requests)
{
	uint16_t port = rig_serve_anew(&a, &b);
	struct doca_rdma_addr *addr = address(port);

	T_OK(doca_rdma_connect_to_addr(a.rdma, addr, none));
	MISUSE(BAD_STATE, doca_rdma_addr_destroy(addr), "1 connections are being made",
	       "wait for their established or failure callback");
	RIG_UNTIL(&a, &b, b.requests == 1);
	MISUSE(CONNECTION_ABORTED, doca_rdma_connection_disconnect(b.connection),
	       "is not established", "needed: one that is");
	MISUSE(INVALID_VALUE, doca_rdma_connection_accept(b.connection, NULL, 8),
	       "private_data is NULL", "needed: a pointer for private_data");
	T_OK(doca_rdma_connection_accept(b.connection, NULL, 0));
	RIG_UNTIL(&a, &b, a.established == 1 && b.established == 1);
	MISUSE(CONNECTION_ABORTED, doca_rdma_connection_accept(b.connection, NULL, 0),
	       "is not a request", "needed: one that is");
	MISUSE(CONNECTION_ABORTED, doca_rdma_connection_reject(b.connection), "is not a request",
	       "needed: one that is");
	rig_close_both(&a, &b);
	T_OK(doca_rdma_addr_destroy(addr));
}

MISUSE_CASE(too_many_connections)
{
	struct doca_rdma_connection *connection;
	struct doca_rdma_addr *addr;
	const void *details;
	uint16_t port;
	size_t size;

	rig_init(&a);
	rig_init(&b);
	a.max_connections = 1;
	port = rig_serve(&a, &b);
	addr = address(port);
	T_OK(doca_rdma_export(a.rdma, &details, &size, &connection));
	MISUSE(CONNECTION_ABORTED, doca_rdma_connect_to_addr(a.rdma, addr, none),
	       "1 connections exist", "needed: fewer", "doca_rdma_set_max_num_connections()");
	rig_close_both(&a, &b);
	T_OK(doca_rdma_addr_destroy(addr));
}

static void on_task(void)
{
}

/* The callback of each kind has a type of its own; none is called here. */
#define CALLBACK(kind) ((doca_rdma_task_##kind##_completion_cb_t)on_task)

MISUSE_CASE(tasks_of_a_running_context)
{
	rig_start(&a);
	MISUSE(BAD_STATE, doca_rdma_task_read_set_conf(a.rdma, CALLBACK(read), CALLBACK(read), 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_rdma_task_write_set_conf(a.rdma, CALLBACK(write), CALLBACK(write), 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_rdma_task_write_imm_set_conf(a.rdma, CALLBACK(write_imm), CALLBACK(write_imm),
						 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_rdma_task_send_imm_set_conf(a.rdma, CALLBACK(send_imm), CALLBACK(send_imm), 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_rdma_task_atomic_cmp_swp_set_conf(a.rdma, CALLBACK(atomic_cmp_swp),
						      CALLBACK(atomic_cmp_swp), 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_rdma_task_atomic_fetch_add_set_conf(a.rdma, CALLBACK(atomic_fetch_add),
							CALLBACK(atomic_fetch_add), 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_rdma_task_remote_net_sync_event_get_set_conf(
		       a.rdma, CALLBACK(remote_net_sync_event_get),
		       CALLBACK(remote_net_sync_event_get), 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_rdma_task_remote_net_sync_event_notify_set_set_conf(
		       a.rdma, CALLBACK(remote_net_sync_event_notify_set),
		       CALLBACK(remote_net_sync_event_notify_set), 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_rdma_task_remote_net_sync_event_notify_add_set_conf(
		       a.rdma, CALLBACK(remote_net_sync_event_notify_add),
		       CALLBACK(remote_net_sync_event_notify_add), 1),
	       "the context is RUNNING", "needed: IDLE");
	rig_close(&a);
}

MISUSE_CASE(tasks_of_an_idle_context)
{
	struct doca_rdma_connection *connection = (struct doca_rdma_connection *)(void *)&b;
	struct doca_sync_event_remote_net *event = (struct doca_sync_event_remote_net *)(void *)&b;
	struct doca_buf *buf = (struct doca_buf *)(void *)&b;
	struct doca_rdma_task_remote_net_sync_event_notify_set *set;
	struct doca_rdma_task_remote_net_sync_event_notify_add *add;
	struct doca_rdma_task_remote_net_sync_event_get *get;
	struct doca_rdma_task_atomic_cmp_swp *cmp_swp;
	struct doca_rdma_task_atomic_fetch_add *fetch_add;
	struct doca_rdma_task_write_imm *write_imm;

	rig_init(&a);
	rig_open(&a);
	MISUSE(BAD_STATE,
	       doca_rdma_task_write_imm_allocate_init(a.rdma, connection, buf, buf, 0, none,
						      &write_imm),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE,
	       doca_rdma_task_atomic_cmp_swp_allocate_init(a.rdma, connection, buf, buf, 1, 2, none,
							   &cmp_swp),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE,
	       doca_rdma_task_atomic_fetch_add_allocate_init(a.rdma, connection, buf, buf, 1, none,
							     &fetch_add),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE,
	       doca_rdma_task_remote_net_sync_event_get_allocate_init(a.rdma, connection, event,
								      buf, none, &get),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE,
	       doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
		       a.rdma, connection, event, buf, none, &set),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE,
	       doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
		       a.rdma, connection, event, buf, 1, none, &add),
	       "the context is IDLE", "needed: RUNNING");
	rig_close(&a);
}
