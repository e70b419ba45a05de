/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One end of a connection; contract in comch_end.h.  The server listens before bench_sync(), the
 * client starts behind it, so no connect has to be repeated.  When the peer dies, connection
 * becomes NULL and the next send gives up, unless the measurement is over.
 */
#include "comch_end.h"

#include <stdio.h>

struct server_name {
	char text[32];
};

/* Pairs of threads that measure at the same time have a server each. */
static struct server_name server_name(const struct bench *bench)
{
	struct server_name name;

	snprintf(name.text, sizeof(name.text), "softdpu-bench-%u", bench->lane);
	return name;
}

static struct comch_end *context_end(struct doca_ctx *ctx)
{
	union doca_data data = {0};

	doca_ctx_get_user_data(ctx, &data);
	return data.ptr;
}

static struct comch_end *connection_end(struct doca_comch_connection *connection)
{
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
	struct doca_comch_client *client;

	if (server != NULL)
		return context_end(doca_comch_server_as_ctx(server));
	client = doca_comch_client_get_client_ctx(connection);
	return context_end(doca_comch_client_as_ctx(client));
}

static void on_sent(struct doca_comch_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	doca_task_free(doca_comch_task_send_as_task(task));
}

static void on_not_sent(struct doca_comch_task_send *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	struct comch_end *end = ctx_user_data.ptr;
	struct doca_task *base = doca_comch_task_send_as_task(task);

	(void)task_user_data;
	doca_ok(end->bench, doca_task_get_status(base), "control message");
	doca_task_free(base);
}

static void on_message(struct doca_comch_event_msg_recv *event, uint8_t *recv_buffer,
		       uint32_t msg_len, struct doca_comch_connection *connection)
{
	(void)event;
	(void)recv_buffer;
	(void)msg_len;
	connection_end(connection)->received++;
}

static void on_consumer(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *connection, uint32_t id)
{
	struct comch_end *end = connection_end(connection);

	(void)event;
	if (end->num_consumers < COMCH_MAX_CONSUMERS)
		end->consumers[end->num_consumers++] = id;
}

static void on_consumer_gone(struct doca_comch_event_consumer *event,
			     struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	(void)connection;
	(void)id;
}

static void on_connection(struct doca_comch_event_connection_status_changed *event,
			  struct doca_comch_connection *connection, uint8_t change_successful)
{
	struct comch_end *end = connection_end(connection);

	(void)event;
	if (!change_successful || end->num_connections == COMCH_MAX_CLIENTS)
		return;
	end->connections[end->num_connections++] = connection;
	end->connection = end->connections[0];
}

static void on_disconnection(struct doca_comch_event_connection_status_changed *event,
			     struct doca_comch_connection *connection, uint8_t change_successful)
{
	struct comch_end *end = connection_end(connection);

	(void)event;
	(void)change_successful;
	if (connection == end->connection)
		end->connection = NULL;
}

static bool attach(struct comch_end *end, struct doca_ctx *ctx)
{
	union doca_data data = {.ptr = end};

	return doca_ok(end->bench, doca_pe_connect_ctx(end->pe, ctx), "doca_pe_connect_ctx") &&
	       doca_ok(end->bench, doca_ctx_set_user_data(ctx, data), "doca_ctx_set_user_data");
}

static bool configure_server(struct comch_end *end)
{
	struct bench *bench = end->bench;
	struct doca_comch_server *server = end->server;

	return attach(end, doca_comch_server_as_ctx(server)) &&
	       doca_ok(bench,
		       doca_comch_server_task_send_set_conf(server, on_sent, on_not_sent,
							    CONTROL_TASKS),
		       "doca_comch_server_task_send_set_conf") &&
	       doca_ok(bench, doca_comch_server_event_msg_recv_register(server, on_message),
		       "doca_comch_server_event_msg_recv_register") &&
	       doca_ok(bench,
		       doca_comch_server_event_connection_status_changed_register(
			       server, on_connection, on_disconnection),
		       "doca_comch_server_event_connection_status_changed_register") &&
	       doca_ok(bench,
		       doca_comch_server_event_consumer_register(server, on_consumer,
								 on_consumer_gone),
		       "doca_comch_server_event_consumer_register");
}

static bool configure_client(struct comch_end *end)
{
	struct bench *bench = end->bench;
	struct doca_comch_client *client = end->client;

	return attach(end, doca_comch_client_as_ctx(client)) &&
	       doca_ok(bench,
		       doca_comch_client_task_send_set_conf(client, on_sent, on_not_sent,
							    CONTROL_TASKS),
		       "doca_comch_client_task_send_set_conf") &&
	       doca_ok(bench, doca_comch_client_event_msg_recv_register(client, on_message),
		       "doca_comch_client_event_msg_recv_register") &&
	       doca_ok(bench,
		       doca_comch_client_event_consumer_register(client, on_consumer,
								 on_consumer_gone),
		       "doca_comch_client_event_consumer_register");
}

bool comch_server_start(struct bench *bench, struct comch_end *end, struct doca_pe *pe)
{
	*end = (struct comch_end){.bench = bench, .pe = pe};
	return device_open(bench, DPU_PCI_ADDR, &end->dev) &&
	       device_rep_open(bench, end->dev, HOST_PCI_ADDR, &end->rep) &&
	       doca_ok(bench,
		       doca_comch_server_create(end->dev, end->rep, server_name(bench).text,
						&end->server),
		       "doca_comch_server_create") &&
	       configure_server(end) &&
	       doca_ok(bench, doca_ctx_start(doca_comch_server_as_ctx(end->server)),
		       "server start");
}

bool comch_server_await(struct comch_end *end, uint32_t num_connections)
{
	return engine_until(end->bench, end->pe, end->num_connections >= num_connections);
}

static bool start_client(struct comch_end *end)
{
	doca_error_t result = doca_ctx_start(doca_comch_client_as_ctx(end->client));

	return result == DOCA_ERROR_IN_PROGRESS || doca_ok(end->bench, result, "client start");
}

bool comch_await_running(struct comch_end *end, struct doca_ctx *ctx, const char *what)
{
	enum doca_ctx_states state;

	do {
		if (!engine_turn(end->bench, end->pe))
			return false;
		if (!doca_ok(end->bench, doca_ctx_get_state(ctx, &state), "doca_ctx_get_state"))
			return false;
		if (state == DOCA_CTX_STATE_IDLE) {
			bench_give_up(end->bench, BENCH_FAILED, "the %s did not start", what);
			return false;
		}
	} while (state != DOCA_CTX_STATE_RUNNING);
	return true;
}

bool comch_client_await(struct comch_end *end)
{
	struct doca_ctx *ctx = doca_comch_client_as_ctx(end->client);

	return comch_await_running(end, ctx, "client") &&
	       doca_ok(end->bench, doca_comch_client_get_connection(end->client, &end->connection),
		       "doca_comch_client_get_connection");
}

bool comch_client_start(struct bench *bench, struct comch_end *end, struct doca_pe *pe,
			struct doca_dev *dev)
{
	*end = (struct comch_end){.bench = bench, .pe = pe, .dev = dev};
	return doca_ok(bench, doca_comch_client_create(dev, server_name(bench).text, &end->client),
		       "doca_comch_client_create") &&
	       configure_client(end) && start_client(end);
}

static bool serve(struct bench *bench, struct comch_end *end, struct doca_pe *pe)
{
	return comch_server_start(bench, end, pe) && bench_sync(bench) &&
	       comch_server_await(end, 1);
}

static bool connect_to_server(struct bench *bench, struct comch_end *end, struct doca_pe *pe)
{
	struct doca_dev *dev;

	return device_open(bench, HOST_PCI_ADDR, &dev) && bench_sync(bench) &&
	       comch_client_start(bench, end, pe, dev) && comch_client_await(end);
}

bool comch_end_open(struct bench *bench, struct comch_end *end)
{
	struct doca_pe *pe;

	if (!engine_open(bench, &pe))
		return false;
	return bench->side == 0 ? connect_to_server(bench, end, pe) : serve(bench, end, pe);
}

static doca_error_t allocate_send(struct comch_end *end, const void *message, uint32_t len,
				  struct doca_comch_task_send **task)
{
	if (end->server != NULL)
		return doca_comch_server_task_send_alloc_init(end->server, end->connection, message,
							      len, task);
	return doca_comch_client_task_send_alloc_init(end->client, end->connection, message, len,
						      task);
}

bool comch_end_send(struct comch_end *end, const void *message, uint32_t len)
{
	struct doca_comch_task_send *task;
	doca_error_t result;

	while ((result = allocate_send(end, message, len, &task)) == DOCA_ERROR_NO_MEMORY) {
		if (!engine_turn(end->bench, end->pe))
			return false;
	}
	if (!doca_ok(end->bench, result, "control message"))
		return false;
	while ((result = doca_task_submit(doca_comch_task_send_as_task(task))) ==
	       DOCA_ERROR_AGAIN) {
		if (!engine_turn(end->bench, end->pe))
			return false;
	}
	return doca_ok(end->bench, result, "control message");
}
