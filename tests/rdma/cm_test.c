/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connections by address: what each side hears, in which order, and what it may answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>

#include "core/kit.h"
#include "rdma/rig.h"

static struct rig_end a, b; /* client, server */
static uint16_t port;

/* ---- How they come up ---- */

static void set_data_and_accept(struct rig_end *end, struct doca_rdma_connection *connection)
{
	union doca_data data = {.u64 = 42};

	rig_accept(end, connection);
	T_OK(doca_rdma_connection_set_user_data(connection, data));
}

/* C6: data that the server sets after it has accepted is there in the callbacks that follow. */
T_CASE(both_sides_hear_of_it_with_their_data)
{
	union doca_data data = {.u64 = 8};

	port = rig_serve_anew(&a, &b);
	b.on_request = set_data_and_accept;
	rig_dial(&a, port, 7);
	T_EQ(a.num_news, 0);
	RIG_UNTIL(&a, &b, a.established == 1 && b.established == 1);
	T_EQ(b.news[0].kind, RIG_REQUEST);
	T_EQ(b.news[0].data, 0);
	T_EQ(rig_last_news(&b, RIG_ESTABLISHED)->data, 42);
	T_CHECK(b.news[0].connection == b.news[1].connection);
	T_EQ(rig_last_news(&a, RIG_ESTABLISHED)->data, 7);
	rig_exchange(&a, &b);
	T_OK(doca_rdma_connection_set_user_data(a.connection, data));
	T_OK(doca_rdma_connection_disconnect(b.connection));
	RIG_UNTIL(&a, &b, a.disconnects == 1 && b.disconnects == 1);
	T_EQ(rig_last_news(&a, RIG_DISCONNECT)->data, 8);
	T_EQ(rig_last_news(&b, RIG_DISCONNECT)->data, 42);
	rig_close_both(&a, &b);
}

T_CASE(accepted_later)
{
	port = rig_serve_anew(&a, &b);
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, b.requests == 1);
	rig_idle(&a, &b);
	T_EQ(a.num_news, 0);
	rig_accept(&b, b.connection);
	T_EQ(b.established, 0);
	RIG_UNTIL(&a, &b, a.established == 1 && b.established == 1);
	rig_exchange(&a, &b);
	rig_close_both(&a, &b);
}

static void accept_with_private_data(struct rig_end *end, struct doca_rdma_connection *connection)
{
	uint8_t bytes[255];

	(void)end;
	memset(bytes, 5, sizeof(bytes));
	T_ERR(doca_rdma_connection_accept(connection, NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_rdma_connection_accept(connection, bytes, sizeof(bytes)));
}

T_CASE(accepted_with_private_data)
{
	port = rig_serve_anew(&a, &b);
	b.on_request = accept_with_private_data;
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, a.established == 1 && b.established == 1);
	rig_exchange(&a, &b);
	rig_close_both(&a, &b);
}

/* Tasks that the server submits before it accepts wait for the connection. */
T_CASE(early_tasks_wait)
{
	port = rig_serve_anew(&a, &b);
	rig_receive(&a, rig_room(&a, 0, 64), 1);
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, b.requests == 1);
	rig_send(&b, rig_data(&b, 0, 64), 1);
	rig_idle(&a, &b);
	T_EQ(b.num_events, 0);
	rig_accept(&b, b.connection);
	RIG_UNTIL(&a, &b, a.ok[RIG_RECEIVE] == 1 && b.ok[RIG_SEND] == 1);
	T_EQ(a.established, 1);
	T_EQ(b.established, 1);
	rig_close_both(&a, &b);
}

static void send_at_once(struct rig_end *end, struct doca_rdma_connection *connection)
{
	(void)connection;
	rig_send(end, rig_data(end, 0, 64), 1);
}

static void was_established(struct rig_end *end, struct doca_task *task,
			    const struct rig_event *event)
{
	(void)task;
	T_EQ(event->kind, RIG_RECEIVE);
	T_EQ(end->established, 1);
}

/* The server is told of the connection before it is given the first message. */
T_CASE(a_message_in_the_established_callback)
{
	port = rig_serve_anew(&a, &b);
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	b.on_event = was_established;
	a.on_established = send_at_once;
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, b.requests == 1);
	rig_accept(&b, b.connection);
	RIG_ALONE(&a, a.established == 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1);
	rig_close_both(&a, &b);
}

T_CASE(remote_memory_over_a_connection_by_address)
{
	struct rig_card card, unused;

	port = rig_serve_anew(&a, &b);
	rig_export(&b, &card);
	rig_export(&a, &unused);
	rig_meet(&a, &b, port);
	rig_import(&a, &card);
	rig_fill(a.memory, 5000, 3);
	rig_write(&a, rig_data(&a, 0, 5000), rig_remote_room(&a, &card, 100, 5000), 1);
	rig_read(&a, rig_remote_data(&a, &card, 100, 5000), rig_room(&a, 10000, 5000), 2);
	RIG_ALONE(&a, a.ok[RIG_WRITE] == 1 && a.ok[RIG_READ] == 1);
	rig_expect(a.memory + 10000, 5000, 3);
	rig_close_both(&a, &b);
}

static char logged[65536];

static void keep_log(char *text)
{
	size_t at = strlen(logged);

	snprintf(logged + at, sizeof(logged) - at, "%s", text);
}

/* Once, at INFO. A back end that is not known is complained of, and not minded. */
T_CASE(the_log_tells_what_carries_a_connection)
{
	static char record[1024];
	bool is_here = strcmp(rig_peer_address(), "127.0.0.1") == 0;
	struct doca_log_backend *backend;

	T_OK(doca_log_backend_create_with_buf_sdk(record, sizeof(record), keep_log, &backend));
	T_OK(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_INFO));
	setenv("SOFTDPU_RDMA", "pigeons", 1);
	port = rig_serve_anew(&a, &b);
	T_CONTAINS(logged, "SOFTDPU_RDMA is \"pigeons\"");
	rig_meet(&a, &b, port);
	T_CONTAINS(logged, "doca_rdma: connection 0 to ");
	T_CONTAINS(logged, is_here ? " is local" : " is over fabric");
	rig_close_both(&a, &b);
}

/* ---- How they do not come up ---- */

T_CASE(nobody_listens)
{
	port = rig_serve_anew(&a, &b);
	rig_dial(&a, rig_port(), 9);
	/* Never inside the call. */
	T_EQ(a.failures, 0);
	RIG_ALONE(&a, a.failures == 1);
	T_EQ(rig_last_news(&a, RIG_FAILURE)->data, 9);
	T_EQ(a.num_news, 1);
	rig_close_both(&a, &b);
}

static void reject(struct rig_end *end, struct doca_rdma_connection *connection)
{
	(void)end;
	T_OK(doca_rdma_connection_reject(connection));
	T_ERR(doca_rdma_connection_reject(connection), DOCA_ERROR_CONNECTION_ABORTED);
	T_ERR(doca_rdma_connection_accept(connection, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	T_ERR(doca_rdma_connection_disconnect(connection), DOCA_ERROR_CONNECTION_ABORTED);
}

T_CASE(rejected_inside_the_callback)
{
	rig_init(&a);
	rig_init(&b);
	b.max_connections = 1;
	port = rig_serve(&a, &b);
	b.on_request = reject;
	for (uint32_t i = 1; i <= 20; i++) {
		rig_dial(&a, port, i);
		RIG_UNTIL(&a, &b, a.failures == i);
		T_EQ(rig_last_news(&a, RIG_FAILURE)->data, i);
	}
	T_EQ(b.num_news, 20);
	rig_meet(&a, &b, port);
	rig_exchange(&a, &b);
	rig_close_both(&a, &b);
}

T_CASE(rejected_later_with_a_task)
{
	port = rig_serve_anew(&a, &b);
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, b.requests == 1);
	rig_send(&b, rig_data(&b, 0, 64), 1);
	rig_idle(&a, &b);
	T_EQ(a.num_news, 0);
	T_OK(doca_rdma_connection_reject(b.connection));
	RIG_UNTIL(&a, &b, a.failures == 1 && b.failed[RIG_SEND] == 1);
	T_EQ(b.num_news, 1);
	rig_close_both(&a, &b);
}

T_CASE(answered_once)
{
	port = rig_serve_anew(&a, &b);
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, b.requests == 1);
	/* Not yet up: nothing to disconnect. */
	T_ERR(doca_rdma_connection_disconnect(b.connection), DOCA_ERROR_CONNECTION_ABORTED);
	rig_accept(&b, b.connection);
	T_ERR(doca_rdma_connection_accept(b.connection, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	T_ERR(doca_rdma_connection_reject(b.connection), DOCA_ERROR_CONNECTION_ABORTED);
	RIG_UNTIL(&a, &b, a.established == 1 && b.established == 1);
	T_ERR(doca_rdma_connection_accept(b.connection, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	T_ERR(doca_rdma_connection_accept(a.connection, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	T_ERR(doca_rdma_connection_reject(a.connection), DOCA_ERROR_CONNECTION_ABORTED);
	rig_exchange(&a, &b);
	rig_close_both(&a, &b);
}

static void open_hasty(void)
{
	rig_init(&a);
	rig_init(&b);
	a.timeout = 400;
	port = rig_serve(&a, &b);
}

/* C10. The server learns that its client has given up, and can answer no more. */
T_CASE(a_request_that_is_not_answered_in_time)
{
	uint64_t soon = t_deadline(350);

	open_hasty();
	rig_dial(&a, port, 3);
	RIG_UNTIL(&a, &b, b.requests == 1);
	RIG_UNTIL(&a, &b, a.failures == 1);
	T_CHECK(t_expired(soon) || getenv("T_TIMEOUT_SCALE") != NULL);
	T_EQ(rig_last_news(&a, RIG_FAILURE)->data, 3);
	RIG_UNTIL(&a, &b, b.failures == 1);
	T_ERR(doca_rdma_connection_accept(b.connection, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	T_ERR(doca_rdma_connection_reject(b.connection), DOCA_ERROR_CONNECTION_ABORTED);
	T_EQ(b.established, 0);
	rig_close_both(&a, &b);
}

/* Nor has a server that does not progress before its client has gone anybody to serve. */
T_CASE(a_server_that_is_too_late)
{
	open_hasty();
	rig_dial(&a, port, 0);
	RIG_ALONE(&a, a.failures == 1);
	rig_idle(&b, &b);
	T_EQ(b.requests, b.failures);
	T_EQ(b.established, 0);
	/* The next one is served. */
	rig_meet(&a, &b, port);
	rig_close_both(&a, &b);
}

T_CASE(accepted_when_the_client_has_gone)
{
	port = rig_serve_anew(&a, &b);
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, b.requests == 1);
	T_OK(doca_ctx_stop(a.ctx));
	T_EVENTUALLY(doca_rdma_connection_accept(b.connection, NULL, 0) ==
				     DOCA_ERROR_CONNECTION_ABORTED ||
			     b.established == 0,
		     1000);
	/* Whichever came first: it fails, or is up for a moment. */
	RIG_ALONE(&b, b.failures + b.disconnects == 1);
	rig_close_both(&a, &b);
}

/* ---- Many ---- */

T_CASE(a_server_has_as_many_as_it_may)
{
	rig_init(&a);
	rig_init(&b);
	b.max_connections = 2;
	port = rig_serve(&a, &b);
	rig_meet(&a, &b, port);
	rig_meet(&a, &b, port);
	rig_dial(&a, port, 5);
	RIG_UNTIL(&a, &b, a.failures == 1);
	T_EQ(rig_last_news(&a, RIG_FAILURE)->data, 5);
	T_EQ(b.requests, 2);
	T_EQ(b.failures, 0);
	/* A request counts as well, and one that has ended does not. */
	T_OK(doca_rdma_connection_disconnect(b.connection));
	RIG_UNTIL(&a, &b, b.disconnects == 1 && a.disconnects == 1);
	b.on_request = NULL;
	rig_dial(&a, port, 6);
	RIG_UNTIL(&a, &b, b.requests == 3);
	rig_dial(&a, port, 7);
	RIG_UNTIL(&a, &b, a.failures == 2);
	rig_accept(&b, b.connection);
	RIG_UNTIL(&a, &b, a.established == 3 && b.established == 3);
	rig_exchange(&a, &b);
	rig_close_both(&a, &b);
}

T_CASE(a_client_has_as_many_as_it_may)
{
	struct doca_rdma_addr *addr;
	union doca_data none = {0};

	rig_init(&a);
	rig_init(&b);
	a.max_connections = 1;
	port = rig_serve(&a, &b);
	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, rig_peer_address(), port, &addr));
	rig_dial(&a, port, 0);
	T_ERR(doca_rdma_connect_to_addr(a.rdma, addr, none), DOCA_ERROR_CONNECTION_ABORTED);
	T_OK(doca_rdma_addr_destroy(addr));
	RIG_UNTIL(&a, &b, b.requests == 1);
	rig_accept(&b, b.connection);
	RIG_UNTIL(&a, &b, a.established == 1);
	rig_close_both(&a, &b);
}

static void try_again(struct rig_end *end, struct doca_rdma_connection *connection)
{
	(void)connection;
	if (end->failures < 5)
		rig_dial(end, port, end->failures);
}

/* With room for one connection only. */
T_CASE(tried_again_in_the_failure_callback)
{
	rig_init(&a);
	a.max_connections = 1;
	a.by_address = true;
	rig_open(&a);
	T_OK(doca_ctx_start(a.ctx));
	a.on_failure = try_again;
	port = rig_port();
	rig_dial(&a, port, 0);
	RIG_ALONE(&a, a.failures == 5);
	for (uint32_t i = 0; i < 5; i++)
		T_EQ(a.news[i].data, i);
	rig_close(&a);
}

T_CASE(several_ports)
{
	uint16_t ports[3];

	port = rig_serve_anew(&a, &b);
	b.on_request = rig_accept;
	for (uint32_t i = 0; i < 3; i++) {
		ports[i] = rig_port();
		rig_listen(&b, ports[i]);
		rig_dial(&a, ports[i], i);
	}
	rig_dial(&a, port, 3);
	RIG_UNTIL(&a, &b, a.established == 4 && b.established == 4);
	T_OK(doca_rdma_stop_listen_to_port(b.rdma, ports[1]));
	rig_dial(&a, ports[1], 4);
	RIG_UNTIL(&a, &b, a.failures == 1);
	rig_dial(&a, ports[2], 5);
	RIG_UNTIL(&a, &b, a.established == 5 && b.established == 5);
	rig_close_both(&a, &b);
}

/* C8. So do requests that wait for their answer. */
T_CASE(connections_stay_when_the_port_goes)
{
	port = rig_serve_anew(&a, &b);
	rig_meet(&a, &b, port);
	b.on_request = NULL;
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, b.requests == 2);
	T_OK(doca_rdma_stop_listen_to_port(b.rdma, port));
	rig_idle(&a, &b);
	T_EQ(a.failures, 0);
	rig_accept(&b, b.connection);
	RIG_UNTIL(&a, &b, a.established == 2 && b.established == 2);
	rig_exchange(&a, &b);
	rig_close_both(&a, &b);
}

/* One that nobody has heard of is refused. */
T_CASE(unheard_requests_go_with_the_port)
{
	port = rig_serve_anew(&a, &b);
	rig_dial(&a, port, 0);
	rig_idle(&a, &a);
	T_OK(doca_rdma_stop_listen_to_port(b.rdma, port));
	RIG_ALONE(&a, a.failures == 1);
	rig_idle(&b, &b);
	T_EQ(b.established, 0);
	rig_close_both(&a, &b);
}

T_CASE(ids_and_addresses)
{
	struct doca_rdma_addr *addr, *made;
	enum doca_rdma_addr_type type;
	union doca_data none = {0};
	const char *text;
	uint16_t got;
	uint32_t ids[2];

	port = rig_serve_anew(&a, &b);
	b.on_request = rig_accept;
	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, rig_peer_address(), port, &addr));
	for (uint32_t i = 0; i < 2; i++) {
		T_OK(doca_rdma_connect_to_addr(a.rdma, addr, none));
		RIG_UNTIL(&a, &b, a.established == i + 1 && b.established == i + 1);
		T_OK(doca_rdma_connection_get_id(b.connection, &ids[0]));
		T_OK(doca_rdma_connection_get_id(a.connection, &ids[1]));
		T_EQ(ids[0], i);
		T_EQ(ids[1], i);
	}
	T_OK(doca_rdma_connection_get_addr(a.connection, &made));
	T_CHECK(made == addr);
	T_OK(doca_rdma_connection_get_addr(b.connection, &made));
	T_OK(doca_rdma_addr_get_params(made, &type, &text, &got));
	T_CHECK(type == DOCA_RDMA_ADDR_TYPE_IPv4 || type == DOCA_RDMA_ADDR_TYPE_IPv6);
	T_CHECK(text[0] != '\0');
	T_OK(doca_rdma_addr_destroy(addr));
	/* Destroyed for its owner; the connection shows it as long as it lives. */
	T_OK(doca_rdma_connection_get_addr(a.connection, &made));
	T_OK(doca_rdma_addr_get_params(made, &type, &text, &got));
	T_STREQ(text, rig_peer_address());
	T_EQ(got, port);
	rig_join(&a, &b);
	T_ERR(doca_rdma_connection_get_addr(a.connection, &made), DOCA_ERROR_INVALID_VALUE);
	rig_close_both(&a, &b);
}

static void destroy_address(struct rig_end *end, struct doca_rdma_connection *connection)
{
	struct doca_rdma_addr *addr;

	(void)end;
	T_OK(doca_rdma_connection_get_addr(connection, &addr));
	T_OK(doca_rdma_addr_destroy(addr));
}

T_CASE(an_address_is_free_in_the_callback)
{
	struct doca_rdma_addr *addr;
	union doca_data none = {0};

	port = rig_serve_anew(&a, &b);
	b.on_request = rig_accept;
	a.on_established = a.on_failure = destroy_address;
	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, rig_peer_address(), port, &addr));
	T_OK(doca_rdma_connect_to_addr(a.rdma, addr, none));
	T_ERR(doca_rdma_addr_destroy(addr), DOCA_ERROR_BAD_STATE);
	RIG_UNTIL(&a, &b, a.established == 1);
	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, rig_peer_address(), rig_port(),
				   &addr));
	T_OK(doca_rdma_connect_to_addr(a.rdma, addr, none));
	RIG_UNTIL(&a, &b, a.failures == 1);
	rig_close_both(&a, &b);
}
