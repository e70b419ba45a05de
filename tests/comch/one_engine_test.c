/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both ends of a connection, and all that lives on it, in one engine: it is its own peer, rings
 * itself, and polls what it has just written.
 */
#include <poll.h>

#include "comch/path.h"

static struct path path;
static struct end *const server = &path.pair.server;
static struct end *const client = &path.pair.client;

/* One progress; the kit would make two. */
static void turn(void *arg)
{
	(void)arg;
	(void)doca_pe_progress(server->pe);
}

#define UNTIL(cond) END_UNTIL(server, cond)

static void open_both(void)
{
	end_create(server, true);
	client->pe = server->pe;
	end_create(client, false);
	end_start(server);
	end_start(client);
	UNTIL(end_state(client) == DOCA_CTX_STATE_RUNNING && server->connects == 1);
}

/* The server's end takes the engine with it. */
static void close_both(void)
{
	(void)doca_ctx_stop(client->ctx);
	UNTIL(end_state(client) == DOCA_CTX_STATE_IDLE);
	T_OK(doca_comch_client_destroy(client->client));
	T_OK(doca_dev_close(client->dev));
	end_close(server);
}

T_CASE(messages)
{
	open_both();
	for (uint32_t i = 1; i <= 1000; i++) {
		end_send(client, "there", 5);
		end_send(server, "back", 4);
		UNTIL(server->received == i && client->received == i);
	}
	UNTIL(server->sent == 1000 && client->sent == 1000);
	close_both();
}

static void open_path(void)
{
	open_both();
	receiver_create(&path.receiver, server, server->pe, 8, 4096, false);
	receiver_start(&path.receiver, turn, NULL);
	UNTIL(client->num_ids == 1);
	sender_open(&path.sender, client, client->pe, 8, 4096, false);
}

static void close_path(void)
{
	sender_close(&path.sender, turn, NULL);
	receiver_close(&path.receiver, turn, NULL);
	UNTIL(client->expired == 1);
	close_both();
}

T_CASE(fast_path)
{
	open_path();
	path.receiver.repost = true;
	receiver_post_all(&path.receiver);
	for (uint32_t i = 1; i <= 1000; i++) {
		T_OK(sender_try(&path.sender, path.receiver.id, 0, 1 + i % 4096, NULL, 0));
		UNTIL(path.receiver.got == i && path.sender.done == i);
		T_EQ(path.receiver.len, 1 + i % 4096);
	}
	close_path();
}

/* What it does to itself is work that it must not sleep over. */
T_CASE(asleep)
{
	struct pollfd handle = {.events = POLLIN};

	open_path();
	path.receiver.repost = true;
	receiver_post_all(&path.receiver);
	T_OK(doca_pe_get_notification_handle(server->pe, &handle.fd));
	for (uint32_t i = 1; i <= 500; i++) {
		end_send(client, "there", 5);
		T_OK(sender_try(&path.sender, path.receiver.id, 0, 100, NULL, 0));
		while (server->received < i || client->sent < i || path.receiver.got < i ||
		       path.sender.done < i) {
			T_OK(doca_pe_request_notification(server->pe));
			T_EQ(poll(&handle, 1, 5000), 1);
			T_OK(doca_pe_clear_notification(server->pe, handle.fd));
			end_drain(server);
		}
	}
	close_path();
}

T_CASE(server_stops_first)
{
	open_both();
	(void)doca_ctx_stop(server->ctx);
	UNTIL(end_state(client) == DOCA_CTX_STATE_IDLE && end_state(server) == DOCA_CTX_STATE_IDLE);
	close_both();
}

static void stop_other(struct end *end, struct doca_comch_connection *connection)
{
	struct end *other = end == server ? client : server;

	(void)connection;
	T_ERR(doca_ctx_stop(other->ctx), DOCA_ERROR_IN_PROGRESS);
}

/* The engine stands in one end's callback when the other is stopped. */
T_CASE(one_stops_the_other_inside_a_callback)
{
	open_both();
	server->on_message = stop_other;
	end_send(client, "stop me", 7);
	UNTIL(end_state(client) == DOCA_CTX_STATE_IDLE && server->disconnects == 1);
	T_EQ(client->sent + client->failed, 1);
	end_start(client);
	UNTIL(end_state(client) == DOCA_CTX_STATE_RUNNING);
	client->on_message = stop_other;
	end_send(server, "stop me", 7);
	UNTIL(end_state(server) == DOCA_CTX_STATE_IDLE && end_state(client) == DOCA_CTX_STATE_IDLE);
	close_both();
}
