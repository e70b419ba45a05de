/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Servers, clients and their connections.
 */
#include <doca_comch.h>

#include "comch/pair.h"
#include "misuse/misuse.h"

static struct pair pair;
static struct end *const server = &pair.server;
static struct end *const client = &pair.client;
static const char long_name[4096] = {[0 ... 4094] = 'x'};

static void on_sent(struct doca_comch_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task, (void)task_data, (void)ctx_data;
}

static void on_message(struct doca_comch_event_msg_recv *event, uint8_t *buffer, uint32_t len,
		       struct doca_comch_connection *connection)
{
	(void)event, (void)buffer, (void)len, (void)connection;
}

static void on_status(struct doca_comch_event_connection_status_changed *event,
		      struct doca_comch_connection *connection, uint8_t success)
{
	(void)event, (void)connection, (void)success;
}

static void on_consumer(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *connection, uint32_t id)
{
	(void)event, (void)connection, (void)id;
}

MISUSE_CASE(creation)
{
	struct doca_comch_server *s;
	struct doca_comch_client *c;

	end_open_dev(server, true);
	end_open_dev(client, false);
	MISUSE(NOT_SUPPORTED, doca_comch_server_create(client->dev, server->rep, "x", &s),
	       "0000:3b:00.0 is host side", "a server needs a DPU device", "0000:03:00.0");
	MISUSE(NOT_SUPPORTED, doca_comch_client_create(server->dev, "x", &c),
	       "0000:03:00.0 is DPU side", "a client needs a host device", "0000:3b:00.0");
	MISUSE(INVALID_VALUE, doca_comch_server_create(server->dev, server->rep, "", &s),
	       "name of 0 characters", "needed: 1 to", "doca_comch_cap_get_max_name_len()");
	MISUSE(INVALID_VALUE, doca_comch_client_create(client->dev, long_name, &c),
	       "a server name of", "needed: 1 to", "doca_comch_cap_get_max_name_len()");
	QUIET(NOT_SUPPORTED, doca_comch_cap_server_is_supported(doca_dev_as_devinfo(client->dev)));
	QUIET(NOT_SUPPORTED, doca_comch_cap_client_is_supported(doca_dev_as_devinfo(server->dev)));
	end_close(client);
	end_close(server);
}

MISUSE_CASE(configuration)
{
	struct doca_comch_connection *connection;
	struct doca_comch_task_send *task;

	end_create(server, true);
	end_create(client, false);
	MISUSE(INVALID_VALUE, doca_comch_server_set_max_msg_size(server->server, 0), "0;",
	       "needed: 1 to");
	MISUSE(INVALID_VALUE, doca_comch_client_set_max_msg_size(client->client, 1u << 20),
	       "1048576;", "needed: 1 to");
	MISUSE(INVALID_VALUE, doca_comch_server_set_recv_queue_size(server->server, 0), "0;",
	       "needed: 1 to");
	MISUSE(INVALID_VALUE, doca_comch_client_set_recv_queue_size(client->client, 0), "0;",
	       "needed: 1 to");
	MISUSE(INVALID_VALUE,
	       doca_comch_server_task_send_set_conf(server->server, on_sent, NULL, 1),
	       "a callback is NULL", "needed: one for completion and one for errors");
	MISUSE(INVALID_VALUE,
	       doca_comch_client_task_send_set_conf(client->client, on_sent, on_sent, 0), "0 tasks",
	       "needed: 1 to");
	QUIET(BAD_STATE, doca_comch_client_get_connection(client->client, &connection));
	connection = (struct doca_comch_connection *)(void *)&pair;
	MISUSE(BAD_STATE,
	       doca_comch_server_task_send_alloc_init(server->server, connection, "x", 1, &task),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE,
	       doca_comch_client_task_send_alloc_init(client->client, connection, "x", 1, &task),
	       "the context is IDLE", "needed: RUNNING");
	end_close(client);
	end_close(server);
}

/* Nothing but a connected engine. */
MISUSE_CASE(start_without_configuration)
{
	struct doca_comch_server *s;
	struct doca_comch_client *c;
	struct doca_ctx *ctx;
	struct doca_pe *pe;

	T_OK(doca_pe_create(&pe));
	end_open_dev(server, true);
	end_open_dev(client, false);
	T_OK(doca_comch_client_create(client->dev, "x", &c));
	ctx = doca_comch_client_as_ctx(c);
	T_OK(doca_pe_connect_ctx(pe, ctx));
	MISUSE(BAD_CONFIG, doca_ctx_start(ctx), "the doca_comch_client \"x\"",
	       "needed: call doca_comch_client_task_send_set_conf()");
	T_OK(doca_comch_client_task_send_set_conf(c, on_sent, on_sent, 1));
	MISUSE(BAD_CONFIG, doca_ctx_start(ctx), "the doca_comch_client \"x\"",
	       "needed: call doca_comch_client_event_msg_recv_register()");
	T_OK(doca_comch_client_destroy(c));
	T_OK(doca_comch_server_create(server->dev, server->rep, "x", &s));
	ctx = doca_comch_server_as_ctx(s);
	T_OK(doca_pe_connect_ctx(pe, ctx));
	MISUSE(BAD_CONFIG, doca_ctx_start(ctx), "has no connection callbacks",
	       "doca_comch_server_event_connection_status_changed_register()");
	T_OK(doca_comch_server_destroy(s));
	T_OK(doca_pe_destroy(pe));
	end_close(client);
	end_close(server);
}

MISUSE_CASE(running)
{
	struct doca_comch_task_send *task;

	pair_open(&pair);
	MISUSE(BAD_STATE, doca_comch_server_set_max_msg_size(server->server, 64),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_client_set_max_msg_size(client->client, 64),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_server_set_recv_queue_size(server->server, 64),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_client_set_recv_queue_size(client->client, 64),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_server_task_send_set_conf(server->server, on_sent, on_sent, 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_client_task_send_set_conf(client->client, on_sent, on_sent, 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_server_event_msg_recv_register(server->server, on_message),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_client_event_msg_recv_register(client->client, on_message),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_comch_server_event_connection_status_changed_register(server->server, on_status,
									  on_status),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_comch_server_event_connection_register(server->server, on_status, on_status),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_comch_server_event_consumer_register(server->server, on_consumer, on_consumer),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_comch_client_event_consumer_register(client->client, on_consumer, on_consumer),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(IN_USE, doca_comch_server_destroy(server->server), "it is RUNNING", "needed: IDLE",
	       "doca_ctx_stop()");
	MISUSE(IN_USE, doca_comch_client_destroy(client->client), "it is RUNNING", "needed: IDLE",
	       "doca_ctx_stop()");
	MISUSE(INVALID_VALUE, doca_comch_server_disconnect(server->server, client->connection),
	       "not one of this server's", "needed: a live one");
	MISUSE(INVALID_VALUE,
	       doca_comch_server_task_send_alloc_init(server->server, server->connection, "x", 0,
						      &task),
	       "a message of 0 bytes", "needed: 1 to", "doca_comch_server_set_max_msg_size()");
	MISUSE(INVALID_VALUE,
	       doca_comch_client_task_send_alloc_init(client->client, client->connection, "x",
						      1u << 20, &task),
	       "a message of 1048576 bytes", "needed: 1 to");
	MISUSE(INVALID_VALUE,
	       doca_comch_client_task_send_alloc_init(client->client, server->connection, "x", 1,
						      &task),
	       "is not of this doca_comch_client", "needed: a live one");
	MISUSE(INVALID_VALUE,
	       doca_comch_server_task_send_alloc_init(server->server, client->connection, "x", 1,
						      &task),
	       "is not of this doca_comch_server", "needed: a live one");
	pair_close(&pair);
}

MISUSE_CASE(all_tasks_are_out)
{
	struct doca_comch_task_send *tasks[16], *one;

	pair_open(&pair);
	for (int i = 0; i < 16; i++)
		T_OK(doca_comch_client_task_send_alloc_init(client->client, client->connection, "x",
							    1, &tasks[i]));
	MISUSE(NO_MEMORY,
	       doca_comch_client_task_send_alloc_init(client->client, client->connection, "x", 1,
						      &one),
	       "all 16 tasks are out", "needed: one that is free");
	QUIET(NO_MEMORY, doca_comch_client_task_send_alloc_init(client->client, client->connection,
								"x", 1, &one));
	for (int i = 0; i < 16; i++)
		doca_task_free(doca_comch_task_send_as_task(tasks[i]));
	for (int i = 0; i < 16; i++)
		T_OK(doca_comch_server_task_send_alloc_init(server->server, server->connection, "x",
							    1, &tasks[i]));
	MISUSE(NO_MEMORY,
	       doca_comch_server_task_send_alloc_init(server->server, server->connection, "x", 1,
						      &one),
	       "all 16 tasks are out", "needed: one that is free");
	for (int i = 0; i < 16; i++)
		doca_task_free(doca_comch_task_send_as_task(tasks[i]));
	pair_close(&pair);
}

MISUSE_CASE(connection_that_has_ended)
{
	struct doca_comch_connection *old;
	struct doca_comch_task_send *task;
	struct doca_task *base;
	uint64_t counter;

	pair_open(&pair);
	old = server->connection;
	MISUSE(INVALID_VALUE, doca_comch_connection_get_counter(old, 0, &counter),
	       "there is no counter 0", "needed: one of enum doca_comch_counter");
	T_OK(doca_comch_server_task_send_alloc_init(server->server, old, "x", 1, &task));
	base = doca_comch_task_send_as_task(task);
	T_OK(doca_comch_server_disconnect(server->server, old));
	MISUSE(NOT_CONNECTED, doca_task_submit(base), "has ended", "needed: one that is");
	doca_task_free(base);
	MISUSE(CONNECTION_ABORTED, doca_comch_connection_update_info(old), "has ended",
	       "needed: a live one");
	MISUSE(INVALID_VALUE, doca_comch_server_disconnect(server->server, old), "has ended",
	       "needed: a live one");
	pair_close(&pair);
}

MISUSE_CASE(name_is_taken)
{
	struct pair second = {0};

	end_create(server, true);
	end_start(server);
	end_create(&second.server, true);
	MISUSE(ALREADY_EXIST, doca_ctx_start(second.server.ctx), "\"pair\" is taken",
	       "stop that server");
	end_close(&second.server);
	end_close(server);
}
