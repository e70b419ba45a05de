/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connections by address: how they end, by either side, by a stop, and what can be begun
 * afterwards.
 */
#include "rdma/rig.h"

static struct rig_end a, b; /* client, server */
static uint16_t port;

/* ---- Ends ---- */

static void disconnect(struct rig_end *end, struct doca_rdma_connection *connection)
{
	(void)end;
	T_OK(doca_rdma_connection_disconnect(connection));
}

/* C7: the published callback does this. */
T_CASE(disconnected_inside_the_callback)
{
	port = rig_serve_anew(&a, &b);
	a.on_disconnect = b.on_disconnect = disconnect;
	for (uint32_t i = 1; i <= 10; i++) {
		rig_meet(&a, &b, port);
		T_OK(doca_rdma_connection_disconnect(i % 2 ? a.connection : b.connection));
		T_OK(doca_rdma_connection_disconnect(i % 2 ? a.connection : b.connection));
		RIG_UNTIL(&a, &b, a.disconnects == i && b.disconnects == i);
		T_OK(doca_rdma_connection_disconnect(a.connection));
		T_OK(doca_rdma_connection_disconnect(b.connection));
	}
	T_EQ(a.failures + b.failures, 0);
	rig_close_both(&a, &b);
}

T_CASE(disconnected_in_the_established_callback)
{
	port = rig_serve_anew(&a, &b);
	a.on_established = disconnect;
	b.on_request = rig_accept;
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, a.disconnects == 1 && b.disconnects == 1);
	T_EQ(a.established, 1);
	T_EQ(b.established, 1);
	rig_close_both(&a, &b);
}

static void in_order(const struct rig_end *end, enum rig_kind kind, uint32_t num,
		     doca_error_t status)
{
	T_EQ(end->failed[kind], num);
	for (uint32_t i = 0; i < num; i++) {
		T_EQ(end->events[i].number, i);
		T_EQ(end->events[i].status, status);
	}
}

static void all_tasks_first(struct rig_end *end, struct doca_rdma_connection *connection)
{
	(void)connection;
	T_EQ(end->failed[RIG_SEND], 5);
}

/* What was submitted ends first; receives are the context's and stay. */
T_CASE(tasks_of_a_connection_that_ends)
{
	port = rig_serve_anew(&a, &b);
	rig_meet(&a, &b, port);
	a.on_disconnect = b.on_disconnect = all_tasks_first;
	for (uint32_t i = 0; i < 5; i++) {
		rig_send(&a, rig_data(&a, 0, 64), i);
		rig_send(&b, rig_data(&b, 0, 64), i);
	}
	rig_idle(&a, &b);
	T_OK(doca_rdma_connection_disconnect(a.connection));
	T_EQ(a.num_events, 0);
	RIG_UNTIL(&a, &b, a.disconnects == 1 && b.disconnects == 1);
	in_order(&a, RIG_SEND, 5, DOCA_ERROR_SHUTDOWN);
	in_order(&b, RIG_SEND, 5, DOCA_ERROR_CONNECTION_RESET);
	/* One submitted now fails as well. */
	rig_send(&a, rig_data(&a, 0, 64), 5);
	RIG_ALONE(&a, a.failed[RIG_SEND] == 6);
	T_EQ(a.disconnects, 1);
	rig_receive(&a, rig_room(&a, 0, 64), 1);
	rig_meet(&a, &b, port);
	rig_send(&b, rig_data(&b, 0, 64), 1);
	RIG_UNTIL(&a, &b, a.ok[RIG_RECEIVE] == 1);
	rig_close_both(&a, &b);
}

T_CASE(exported_connections_are_disconnected_too)
{
	port = rig_serve_anew(&a, &b);
	rig_join(&a, &b);
	T_ERR(doca_rdma_connection_disconnect(a.connection), DOCA_ERROR_CONNECTION_ABORTED);
	rig_exchange(&a, &b);
	T_OK(doca_rdma_connection_disconnect(a.connection));
	RIG_UNTIL(&a, &b, a.disconnects == 1 && b.disconnects == 1);
	rig_close_both(&a, &b);
}

/* What has failed one way leaves nothing for the other, in the same place. */
T_CASE(a_place_is_used_in_both_ways)
{
	struct rig_card card_a, card_b;

	rig_init(&a);
	rig_init(&b);
	a.max_connections = b.max_connections = 1;
	a.timeout = 20;
	port = rig_serve(&a, &b);
	for (uint32_t i = 1; i <= 3; i++) {
		rig_dial(&a, port, 0);
		RIG_UNTIL(&a, &b, a.failures == i && b.failures == b.requests);
		rig_export(&a, &card_a);
		rig_export(&b, &card_b);
		T_OK(rig_connect(&a, &card_b));
		rig_idle(&a, &b);
		T_OK(rig_connect(&b, &card_a));
		rig_exchange(&a, &b);
		T_OK(doca_rdma_connection_disconnect(a.connection));
		RIG_UNTIL(&a, &b, a.disconnects == i && b.disconnects == i);
	}
	rig_close_both(&a, &b);
}

/* ---- Stop ---- */

T_CASE(a_server_stops_with_a_request_and_a_port)
{
	port = rig_serve_anew(&a, &b);
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, b.requests == 1);
	T_OK(doca_ctx_stop(b.ctx));
	T_ERR(doca_rdma_connection_accept(b.connection, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	RIG_ALONE(&a, a.failures == 1);
	rig_dial(&a, port, 0);
	RIG_ALONE(&a, a.failures == 2);
	T_EQ(b.num_news, 1);
	rig_close_both(&a, &b);
}

T_CASE(a_client_stops_while_it_connects)
{
	port = rig_serve_anew(&a, &b);
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, b.requests == 1);
	T_OK(doca_ctx_stop(a.ctx));
	RIG_ALONE(&b, b.failures == 1);
	T_EQ(a.num_news, 0);
	T_OK(doca_ctx_start(a.ctx));
	rig_meet(&a, &b, port);
	rig_exchange(&a, &b);
	rig_close_both(&a, &b);
}

static void reject(struct rig_end *end, struct doca_rdma_connection *connection)
{
	(void)end;
	T_OK(doca_rdma_connection_reject(connection));
}

static void stop_it(struct rig_end *end, struct doca_rdma_connection *connection)
{
	(void)connection;
	T_ERR(doca_ctx_stop(end->ctx), DOCA_ERROR_IN_PROGRESS);
}

static void accept_and_stop(struct rig_end *end, struct doca_rdma_connection *connection)
{
	rig_accept(end, connection);
	stop_it(end, connection);
}

/* L5 */
T_CASE(stop_inside_each_callback)
{
	for (int i = 0; i < 6; i++) {
		struct rig_end *stopped = i == 2 || i == 4 ? &a : &b;

		port = rig_serve_anew(&a, &b);
		b.on_request = i == 0 ? stop_it : i == 1 ? accept_and_stop : rig_accept;
		if (i == 2)
			a.on_established = stop_it;
		if (i == 3)
			b.on_established = stop_it;
		if (i == 4) {
			b.on_request = reject;
			a.on_failure = stop_it;
		}
		if (i == 5) {
			a.on_established = disconnect;
			b.on_disconnect = stop_it;
		}
		rig_dial(&a, port, 0);
		RIG_UNTIL(&a, &b, rig_state(stopped) == DOCA_CTX_STATE_IDLE);
		if (stopped == &b)
			RIG_ALONE(&a, a.failures + a.disconnects == 1);
		else if (i == 2)
			RIG_ALONE(&b, b.failures + b.disconnects == 1);
		rig_close_both(&a, &b);
	}
}

/* L8 */
T_CASE(a_restart_listens_and_connects_anew)
{
	port = rig_serve_anew(&a, &b);
	for (uint32_t i = 1; i <= 20; i++) {
		rig_meet(&a, &b, port);
		rig_exchange(&a, &b);
		T_OK(doca_ctx_stop(i % 2 ? a.ctx : b.ctx));
		RIG_UNTIL(&a, &b, a.disconnects + b.disconnects == i);
		T_OK(doca_ctx_start(i % 2 ? a.ctx : b.ctx));
		if (i % 2 == 0)
			rig_listen(&b, port);
	}
	rig_close_both(&a, &b);
}

T_CASE(hundreds_of_rounds)
{
	rig_init(&a);
	rig_init(&b);
	a.max_connections = b.max_connections = 1;
	port = rig_serve(&a, &b);
	for (uint32_t i = 1; i <= rig_rounds(); i++) {
		rig_meet(&a, &b, port);
		if (i % 10 == 0)
			rig_exchange(&a, &b);
		T_OK(doca_rdma_connection_disconnect(i % 2 ? a.connection : b.connection));
		RIG_UNTIL(&a, &b, a.disconnects == i && b.disconnects == i);
	}
	T_EQ(a.failures + b.failures, 0);
	rig_close_both(&a, &b);
}
