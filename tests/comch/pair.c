/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch/pair.h"

#include <string.h>

static struct end *end_of_ctx(struct doca_ctx *ctx)
{
	union doca_data data;

	T_OK(doca_ctx_get_user_data(ctx, &data));
	return data.ptr;
}

static struct end *end_of_connection(struct doca_comch_connection *connection)
{
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);

	if (server != NULL)
		return end_of_ctx(doca_comch_server_as_ctx(server));
	return end_of_ctx(doca_comch_client_as_ctx(doca_comch_client_get_client_ctx(connection)));
}

static void on_state(const union doca_data user_data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct end *end = user_data.ptr;

	(void)ctx;
	if (end->num_states == 0)
		end->states[end->num_states++] = prev;
	if (end->num_states < 64)
		end->states[end->num_states++] = next;
	if (next == DOCA_CTX_STATE_RUNNING && !end->is_server)
		T_OK(doca_comch_client_get_connection(end->client, &end->connection));
	if (end->on_state != NULL)
		end->on_state(end, next);
}

static void on_message(struct doca_comch_event_msg_recv *event, uint8_t *buffer, uint32_t len,
		       struct doca_comch_connection *connection)
{
	struct end *end = end_of_connection(connection);

	(void)event;
	end->received++;
	end->message_len = len;
	memcpy(end->message, buffer, len);
	if (end->on_message != NULL)
		end->on_message(end, connection);
}

static void task_over(struct doca_comch_task_send *task, union doca_data ctx_data,
		      uint32_t *counter)
{
	struct end *end = ctx_data.ptr;
	struct doca_task *base = doca_comch_task_send_as_task(task);

	(*counter)++;
	end->last_status = doca_task_get_status(base);
	end->last_task = base;
	if (end->on_sent != NULL)
		end->on_sent(end, base);
	else if (!end->keep_tasks)
		doca_task_free(base);
}

static void on_sent(struct doca_comch_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data;
	task_over(task, ctx_data, &((struct end *)ctx_data.ptr)->sent);
}

static void on_failed(struct doca_comch_task_send *task, union doca_data task_data,
		      union doca_data ctx_data)
{
	(void)task_data;
	task_over(task, ctx_data, &((struct end *)ctx_data.ptr)->failed);
}

static void on_connect(struct doca_comch_event_connection_status_changed *event,
		       struct doca_comch_connection *connection, uint8_t successful)
{
	struct end *end = end_of_connection(connection);

	(void)event;
	T_EQ(successful, 1);
	end->connects++;
	end->connection = connection;
	if (end->on_connect != NULL)
		end->on_connect(end, connection);
}

static void on_disconnect(struct doca_comch_event_connection_status_changed *event,
			  struct doca_comch_connection *connection, uint8_t successful)
{
	struct end *end = end_of_connection(connection);

	(void)event;
	T_EQ(successful, 1);
	end->disconnects++;
	if (end->connection == connection)
		end->connection = NULL;
	if (end->on_disconnect != NULL)
		end->on_disconnect(end, connection);
}

static void on_consumer(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *connection, uint32_t id)
{
	struct end *end = end_of_connection(connection);

	(void)event;
	T_CHECK(end->num_ids < PAIR_IDS);
	end->ids[end->num_ids++] = id;
	if (end->on_consumer != NULL)
		end->on_consumer(end, id);
}

static void on_expired(struct doca_comch_event_consumer *event,
		       struct doca_comch_connection *connection, uint32_t id)
{
	struct end *end = end_of_connection(connection);

	(void)event;
	end->expired++;
	if (end->on_expired != NULL)
		end->on_expired(end, id);
}

void end_open_dev(struct end *end, bool is_server)
{
	struct doca_devinfo **list;
	struct doca_devinfo_rep **reps;
	uint32_t num;

	end->is_server = is_server;
	T_OK(doca_devinfo_create_list(&list, &num));
	for (uint32_t i = 0; i < num && end->dev == NULL; i++) {
		if ((is_server ? doca_comch_cap_server_is_supported
			       : doca_comch_cap_client_is_supported)(list[i]) == DOCA_SUCCESS)
			T_OK(doca_dev_open(list[i], &end->dev));
	}
	T_OK(doca_devinfo_destroy_list(list));
	T_CHECK(end->dev != NULL);
	if (!is_server)
		return;
	T_OK(doca_devinfo_rep_create_list(end->dev, DOCA_DEVINFO_REP_FILTER_NET, &reps, &num));
	T_CHECK(num > 0);
	T_OK(doca_dev_rep_open(reps[0], &end->rep));
	T_OK(doca_devinfo_rep_destroy_list(reps));
}

static void end_configure(struct end *end)
{
	uint32_t num = end->num_tasks != 0 ? end->num_tasks : 16;

	if (end->is_server) {
		T_OK(doca_comch_server_task_send_set_conf(end->server, on_sent, on_failed, num));
		T_OK(doca_comch_server_event_msg_recv_register(end->server, on_message));
		T_OK(doca_comch_server_event_connection_status_changed_register(
			end->server, on_connect, on_disconnect));
		T_OK(doca_comch_server_event_consumer_register(end->server, on_consumer,
							       on_expired));
	} else {
		T_OK(doca_comch_client_task_send_set_conf(end->client, on_sent, on_failed, num));
		T_OK(doca_comch_client_event_msg_recv_register(end->client, on_message));
		T_OK(doca_comch_client_event_consumer_register(end->client, on_consumer,
							       on_expired));
	}
}

void end_create(struct end *end, bool is_server)
{
	const char *name = end->name != NULL ? end->name : PAIR_NAME;
	const union doca_data self = {.ptr = end};

	end_open_dev(end, is_server);
	if (end->pe == NULL)
		T_OK(doca_pe_create(&end->pe));
	if (is_server) {
		T_OK(doca_comch_server_create(end->dev, end->rep, name, &end->server));
		end->ctx = doca_comch_server_as_ctx(end->server);
	} else {
		T_OK(doca_comch_client_create(end->dev, name, &end->client));
		end->ctx = doca_comch_client_as_ctx(end->client);
	}
	T_OK(doca_pe_connect_ctx(end->pe, end->ctx));
	T_OK(doca_ctx_set_user_data(end->ctx, self));
	T_OK(doca_ctx_set_state_changed_cb(end->ctx, on_state));
	end_configure(end);
}

void end_start(struct end *end)
{
	T_ERR(doca_ctx_start(end->ctx), end->is_server ? DOCA_SUCCESS : DOCA_ERROR_IN_PROGRESS);
}

enum doca_ctx_states end_state(const struct end *end)
{
	enum doca_ctx_states state;

	T_OK(doca_ctx_get_state(end->ctx, &state));
	return state;
}

void end_drain(struct end *end)
{
	uint64_t deadline = t_deadline(10000);

	while (doca_pe_progress(end->pe)) {
		if (t_expired(deadline))
			T_FAIL("progress never says 0");
	}
}

void end_close(struct end *end)
{
	if (end->ctx != NULL) {
		(void)doca_ctx_stop(end->ctx);
		END_UNTIL(end, end_state(end) == DOCA_CTX_STATE_IDLE);
	}
	if (end->server != NULL)
		T_OK(doca_comch_server_destroy(end->server));
	if (end->client != NULL)
		T_OK(doca_comch_client_destroy(end->client));
	if (end->pe != NULL)
		T_OK(doca_pe_destroy(end->pe));
	if (end->rep != NULL)
		T_OK(doca_dev_rep_close(end->rep));
	if (end->dev != NULL)
		T_OK(doca_dev_close(end->dev));
	memset(end, 0, sizeof(*end));
}

doca_error_t end_try_send(struct end *end, struct doca_comch_connection *connection,
			  const void *msg, uint32_t len)
{
	struct doca_comch_task_send *task;
	doca_error_t result;

	if (end->is_server)
		result = doca_comch_server_task_send_alloc_init(end->server, connection, msg, len,
								&task);
	else
		result = doca_comch_client_task_send_alloc_init(end->client, connection, msg, len,
								&task);
	if (result != DOCA_SUCCESS)
		return result;
	result = doca_task_submit(doca_comch_task_send_as_task(task));
	if (result != DOCA_SUCCESS)
		doca_task_free(doca_comch_task_send_as_task(task));
	return result;
}

void end_send(struct end *end, const void *msg, uint32_t len)
{
	T_OK(end_try_send(end, end->connection, msg, len));
}

bool pair_progress(struct pair *pair)
{
	bool worked = doca_pe_progress(pair->server.pe) != 0;

	return (doca_pe_progress(pair->client.pe) != 0) | worked;
}

void pair_open(struct pair *pair)
{
	end_create(&pair->server, true);
	end_create(&pair->client, false);
	end_start(&pair->server);
	end_start(&pair->client);
	PAIR_UNTIL(pair, end_state(&pair->client) == DOCA_CTX_STATE_RUNNING &&
				 pair->server.connects == 1);
}

void pair_close(struct pair *pair)
{
	end_close(&pair->client);
	end_close(&pair->server);
}
