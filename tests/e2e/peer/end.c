/* SPDX-License-Identifier: BSD-3-Clause */
#include "end.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define END_NAME "peer"

/* --- engine --- */

void engine_watch(struct engine *engine, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	if (epoll_ctl(engine->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
		peer_wrong("epoll_ctl: %m");
}

void engine_open(struct engine *engine, bool asleep)
{
	engine->asleep = asleep;
	engine->epoll = -1;
	TRY(doca_pe_create(&engine->pe));
	if (!asleep)
		return;
	engine->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (engine->epoll < 0)
		peer_wrong("epoll_create1: %m");
	TRY(doca_pe_get_notification_handle(engine->pe, &engine->handle));
	engine_watch(engine, engine->handle);
}

void engine_close(struct engine *engine)
{
	if (engine->epoll >= 0)
		close(engine->epoll);
	TRY(doca_pe_destroy(engine->pe));
}

static void engine_sleep(struct engine *engine)
{
	struct epoll_event event;

	TRY(doca_pe_request_notification(engine->pe));
	while (epoll_wait(engine->epoll, &event, 1, -1) < 0) {
		if (errno != EINTR)
			peer_wrong("epoll_wait: %m");
	}
	TRY(doca_pe_clear_notification(engine->pe, engine->handle));
}

void engine_turn(struct engine *engine)
{
	if (engine->asleep)
		engine_sleep(engine);
	while (doca_pe_progress(engine->pe) != 0 && engine->asleep)
		;
}

/* --- callbacks --- */

static struct end *end_of(struct doca_comch_connection *connection)
{
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
	struct doca_ctx *ctx;
	union doca_data data;

	if (server != NULL)
		ctx = doca_comch_server_as_ctx(server);
	else
		ctx = doca_comch_client_as_ctx(doca_comch_client_get_client_ctx(connection));
	TRY(doca_ctx_get_user_data(ctx, &data));
	return data.ptr;
}

static void end_note_lost(struct end *end)
{
	if (end->lost_at == 0)
		end->lost_at = peer_now();
}

static void on_state(const union doca_data user_data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct end *end = user_data.ptr;

	(void)ctx;
	end->state = next;
	if (end->is_server)
		return;
	if (next == DOCA_CTX_STATE_RUNNING)
		TRY(doca_comch_client_get_connection(end->client, &end->connection));
	else if (prev == DOCA_CTX_STATE_RUNNING && !end->stopping)
		end_note_lost(end);
	if (next == DOCA_CTX_STATE_IDLE)
		end->connection = NULL;
}

static void on_message(struct doca_comch_event_msg_recv *event, uint8_t *msg, uint32_t len,
		       struct doca_comch_connection *connection)
{
	struct end *end = end_of(connection);

	(void)event;
	if (end->events->message != NULL)
		end->events->message(end, connection, msg, len);
}

static void on_sent(struct doca_comch_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	struct doca_task *base = doca_comch_task_send_as_task(task);
	struct end *end = ctx_data.ptr;

	(void)task_data;
	end->in_flight--;
	if (doca_task_get_status(base) != DOCA_SUCCESS)
		end->last_failure = doca_task_get_status(base);
	doca_task_free(base);
}

static void on_connect(struct doca_comch_event_connection_status_changed *event,
		       struct doca_comch_connection *connection, uint8_t successful)
{
	struct end *end = end_of(connection);

	(void)event;
	if (!successful)
		return;
	end->connection = connection;
	if (end->events->connected != NULL)
		end->events->connected(end, connection);
}

static void on_disconnect(struct doca_comch_event_connection_status_changed *event,
			  struct doca_comch_connection *connection, uint8_t successful)
{
	struct end *end = end_of(connection);

	(void)event;
	(void)successful;
	end_note_lost(end);
	if (end->connection == connection)
		end->connection = NULL;
	if (end->events->disconnected != NULL)
		end->events->disconnected(end, connection);
}

static void on_consumer(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *connection, uint32_t id)
{
	struct end *end = end_of(connection);

	(void)event;
	if (end->events->consumer != NULL)
		end->events->consumer(end, connection, id);
}

static void on_expired(struct doca_comch_event_consumer *event,
		       struct doca_comch_connection *connection, uint32_t id)
{
	struct end *end = end_of(connection);

	(void)event;
	if (end->events->expired != NULL)
		end->events->expired(end, connection, id);
}

/* --- life --- */

static void configure_server(struct end *end, uint32_t num_tasks)
{
	struct doca_comch_server *server = end->server;

	TRY(doca_comch_server_task_send_set_conf(server, on_sent, on_sent, num_tasks));
	TRY(doca_comch_server_event_msg_recv_register(server, on_message));
	TRY(doca_comch_server_event_connection_status_changed_register(server, on_connect,
								       on_disconnect));
	TRY(doca_comch_server_event_consumer_register(server, on_consumer, on_expired));
}

static void configure_client(struct end *end, uint32_t num_tasks)
{
	struct doca_comch_client *client = end->client;

	TRY(doca_comch_client_task_send_set_conf(client, on_sent, on_sent, num_tasks));
	TRY(doca_comch_client_event_msg_recv_register(client, on_message));
	TRY(doca_comch_client_event_consumer_register(client, on_consumer, on_expired));
}

void end_open(struct end *end, bool is_server, struct engine *engine, struct doca_dev *dev,
	      struct doca_dev_rep *rep, uint32_t num_tasks)
{
	const union doca_data self = {.ptr = end};

	end->is_server = is_server;
	end->engine = engine;
	end->dev = dev;
	end->state = DOCA_CTX_STATE_IDLE;
	if (is_server) {
		TRY(doca_comch_server_create(dev, rep, END_NAME, &end->server));
		end->ctx = doca_comch_server_as_ctx(end->server);
		configure_server(end, num_tasks);
	} else {
		TRY(doca_comch_client_create(dev, END_NAME, &end->client));
		end->ctx = doca_comch_client_as_ctx(end->client);
		configure_client(end, num_tasks);
	}
	TRY(doca_pe_connect_ctx(engine->pe, end->ctx));
	TRY(doca_ctx_set_user_data(end->ctx, self));
	TRY(doca_ctx_set_state_changed_cb(end->ctx, on_state));
}

void end_start(struct end *end)
{
	end->stopping = false;
	end->lost_at = 0;
	TRY(doca_ctx_start(end->ctx));
}

bool end_connect(struct end *end)
{
	end_start(end);
	while (end->state == DOCA_CTX_STATE_STARTING)
		engine_turn(end->engine);
	/* Connected and lost again within one turn is lost, not refused. */
	return end->state == DOCA_CTX_STATE_RUNNING || end->lost_at != 0;
}

static doca_error_t end_alloc(struct end *end, struct doca_comch_connection *connection,
			      const void *msg, uint32_t len, struct doca_comch_task_send **task)
{
	if (end->is_server)
		return doca_comch_server_task_send_alloc_init(end->server, connection, msg, len,
							      task);
	return doca_comch_client_task_send_alloc_init(end->client, connection, msg, len, task);
}

doca_error_t end_send(struct end *end, struct doca_comch_connection *connection, const void *msg,
		      uint32_t len)
{
	struct doca_comch_task_send *task;
	doca_error_t result = end_alloc(end, connection, msg, len, &task);

	if (result != DOCA_SUCCESS)
		return result;
	result = doca_task_submit(doca_comch_task_send_as_task(task));
	if (result == DOCA_SUCCESS)
		end->in_flight++;
	else
		doca_task_free(doca_comch_task_send_as_task(task));
	return result;
}

void end_stop(struct end *end)
{
	end->stopping = true;
	TRY(doca_ctx_stop(end->ctx));
	while (ctx_state(end->ctx) != DOCA_CTX_STATE_IDLE)
		engine_turn(end->engine);
}

void end_close(struct end *end)
{
	if (end->in_flight != 0)
		peer_wrong("%u sends never came back", end->in_flight);
	if (end->server != NULL)
		TRY(doca_comch_server_destroy(end->server));
	if (end->client != NULL)
		TRY(doca_comch_client_destroy(end->client));
	memset(end, 0, sizeof(*end));
}

enum doca_ctx_states ctx_state(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state;

	TRY(doca_ctx_get_state(ctx, &state));
	return state;
}
