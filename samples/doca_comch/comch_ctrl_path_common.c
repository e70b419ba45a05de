/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch_ctrl_path_common.h"

#include <doca_log.h>

#define NUM_SEND_TASKS 8

DOCA_LOG_REGISTER(COMCH_CTRL_PATH::COMMON);

static struct ctrl_path *path_of_connection(const struct doca_comch_connection *connection)
{
	return doca_comch_connection_get_user_data(connection).ptr;
}

/* --- sending --- */

static void end_send(struct doca_comch_task_send *send, union doca_data ctx_user_data)
{
	struct doca_task *task = doca_comch_task_send_as_task(send);
	struct ctrl_path *path = ctx_user_data.ptr;
	doca_error_t status = doca_task_get_status(task);

	if (status != DOCA_SUCCESS && path->result == DOCA_SUCCESS)
		path->result = status;
	path->num_in_flight--;
	doca_task_free(task);
}

/* The API wants two callbacks: for sends that the peer has seen, and for those it will not see. */
static void on_send_completed(struct doca_comch_task_send *send, union doca_data task_user_data,
			      union doca_data ctx_user_data)
{
	(void)task_user_data;
	end_send(send, ctx_user_data);
}

static void on_send_failed(struct doca_comch_task_send *send, union doca_data task_user_data,
			   union doca_data ctx_user_data)
{
	(void)task_user_data;
	DOCA_LOG_ERR(
		"A message was not delivered: %s",
		doca_error_get_descr(doca_task_get_status(doca_comch_task_send_as_task(send))));
	end_send(send, ctx_user_data);
}

doca_error_t ctrl_path_send(struct ctrl_path *path, const void *msg, uint32_t len)
{
	struct doca_comch_task_send *send;
	doca_error_t result;

	if (path->connection == NULL)
		return DOCA_ERROR_NOT_CONNECTED;
	if (path->server != NULL)
		result = doca_comch_server_task_send_alloc_init(path->server, path->connection, msg,
								len, &send);
	else
		result = doca_comch_client_task_send_alloc_init(path->client, path->connection, msg,
								len, &send);
	if (result != DOCA_SUCCESS) {
		DOCA_LOG_ERR("Cannot make a send task: %s", doca_error_get_descr(result));
		return result;
	}

	result = doca_task_submit(doca_comch_task_send_as_task(send));
	if (result != DOCA_SUCCESS) {
		/* A task that was not accepted is still ours. */
		DOCA_LOG_ERR("Cannot send a message: %s", doca_error_get_descr(result));
		doca_task_free(doca_comch_task_send_as_task(send));
		return result;
	}
	path->num_in_flight++;
	return DOCA_SUCCESS;
}

/* --- events --- */

static void on_message(struct doca_comch_event_msg_recv *event, uint8_t *recv_buffer,
		       uint32_t msg_len, struct doca_comch_connection *connection)
{
	struct ctrl_path *path = path_of_connection(connection);

	(void)event;
	if (path != NULL) /* NULL: a second client, which was turned away */
		path->events.message(path, recv_buffer, msg_len);
}

static void on_consumer_new(struct doca_comch_event_consumer *event,
			    struct doca_comch_connection *connection, uint32_t id)
{
	struct ctrl_path *path = path_of_connection(connection);

	(void)event;
	if (path != NULL)
		path->events.consumer_new(path, id);
}

static void on_consumer_gone(struct doca_comch_event_consumer *event,
			     struct doca_comch_connection *connection, uint32_t id)
{
	struct ctrl_path *path = path_of_connection(connection);

	(void)event;
	if (path != NULL)
		path->events.consumer_gone(path, id);
}

static void on_server_connect(struct doca_comch_event_connection_status_changed *event,
			      struct doca_comch_connection *connection, uint8_t change_successful)
{
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
	union doca_data user_data = {0};
	struct ctrl_path *path;

	(void)event;
	if (!change_successful)
		return; /* it never came up, so there will be no disconnect event either */
	doca_ctx_get_user_data(doca_comch_server_as_ctx(server), &user_data);
	path = user_data.ptr;
	if (path->connection != NULL) {
		DOCA_LOG_WARN("A second client is turned away: this sample talks to one");
		doca_comch_server_disconnect(server, connection);
		return;
	}
	/* The connection carries its owner, for the callbacks that are given nothing else. */
	doca_comch_connection_set_user_data(connection, user_data);
	path->connection = connection;
}

static void on_server_disconnect(struct doca_comch_event_connection_status_changed *event,
				 struct doca_comch_connection *connection,
				 uint8_t change_successful)
{
	struct ctrl_path *path = path_of_connection(connection);

	(void)event;
	(void)change_successful;
	if (path != NULL)
		path->connection = NULL;
}

static void on_client_state(const union doca_data user_data, struct doca_ctx *ctx,
			    enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
	struct ctrl_path *path = user_data.ptr;

	(void)ctx;
	(void)prev_state;
	if (next_state != DOCA_CTX_STATE_RUNNING) {
		path->connection = NULL;
		return;
	}
	/* Here, and not after the wait: the first message may be the very next event. */
	if (doca_comch_client_get_connection(path->client, &path->connection) == DOCA_SUCCESS)
		doca_comch_connection_set_user_data(path->connection, user_data);
}

/* --- start --- */

static doca_error_t open_engine(struct ctrl_path *path, const struct sample_config *config,
				const struct ctrl_path_events *events)
{
	doca_error_t result;

	*path = (struct ctrl_path){.events = *events};
	result = sample_open_dev(config->pci_addr, &path->dev);
	if (result != DOCA_SUCCESS)
		return result;
	return doca_pe_create(&path->pe);
}

static doca_error_t attach_engine(struct ctrl_path *path)
{
	const union doca_data user_data = {.ptr = path};
	doca_error_t result;

	result = doca_ctx_set_user_data(path->ctx, user_data);
	if (result == DOCA_SUCCESS)
		result = doca_pe_connect_ctx(path->pe, path->ctx);
	return result;
}

static doca_error_t configure_server(struct ctrl_path *path)
{
	struct doca_comch_server *server = path->server;
	doca_error_t result;

	result = doca_comch_server_task_send_set_conf(server, on_send_completed, on_send_failed,
						      NUM_SEND_TASKS);
	if (result == DOCA_SUCCESS)
		result = doca_comch_server_event_msg_recv_register(server, on_message);
	if (result == DOCA_SUCCESS)
		result = doca_comch_server_event_connection_status_changed_register(
			server, on_server_connect, on_server_disconnect);
	if (result == DOCA_SUCCESS && path->events.consumer_new != NULL)
		result = doca_comch_server_event_consumer_register(server, on_consumer_new,
								   on_consumer_gone);
	return result;
}

doca_error_t ctrl_path_start_server(struct ctrl_path *path, const char *name,
				    const struct sample_config *config,
				    const struct ctrl_path_events *events)
{
	doca_error_t result;

	result = open_engine(path, config, events);
	if (result == DOCA_SUCCESS)
		result = sample_open_dev_rep(path->dev, config->rep_pci_addr, &path->rep);
	if (result == DOCA_SUCCESS)
		result = doca_comch_server_create(path->dev, path->rep, name, &path->server);
	if (result == DOCA_SUCCESS) {
		path->ctx = doca_comch_server_as_ctx(path->server);
		result = attach_engine(path);
	}
	if (result == DOCA_SUCCESS)
		result = configure_server(path);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_start(path->ctx); /* a server is RUNNING at once */
	if (result != DOCA_SUCCESS) {
		DOCA_LOG_ERR("Cannot start server \"%s\": %s", name, doca_error_get_descr(result));
		return result;
	}
	DOCA_LOG_INFO("Server \"%s\" waits for a client on host function %s", name,
		      config->rep_pci_addr);
	return DOCA_SUCCESS;
}

static doca_error_t configure_client(struct ctrl_path *path)
{
	struct doca_comch_client *client = path->client;
	doca_error_t result;

	result = doca_comch_client_task_send_set_conf(client, on_send_completed, on_send_failed,
						      NUM_SEND_TASKS);
	if (result == DOCA_SUCCESS)
		result = doca_comch_client_event_msg_recv_register(client, on_message);
	if (result == DOCA_SUCCESS && path->events.consumer_new != NULL)
		result = doca_comch_client_event_consumer_register(client, on_consumer_new,
								   on_consumer_gone);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_set_state_changed_cb(path->ctx, on_client_state);
	return result;
}

doca_error_t ctrl_path_start_client(struct ctrl_path *path, const char *name,
				    const struct sample_config *config,
				    const struct ctrl_path_events *events)
{
	doca_error_t result;

	result = open_engine(path, config, events);
	if (result == DOCA_SUCCESS)
		result = doca_comch_client_create(path->dev, name, &path->client);
	if (result == DOCA_SUCCESS) {
		path->ctx = doca_comch_client_as_ctx(path->client);
		result = attach_engine(path);
	}
	if (result == DOCA_SUCCESS)
		result = configure_client(path);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_start(
			path->ctx); /* a client is STARTING until the server has answered */
	if (result == DOCA_ERROR_IN_PROGRESS)
		result = sample_wait_ctx(path->pe, path->ctx, DOCA_CTX_STATE_RUNNING,
					 SAMPLE_STEP_SECONDS);
	if (result != DOCA_SUCCESS) {
		DOCA_LOG_ERR("Cannot connect to server \"%s\" (is it running, for this host "
			     "function?): %s",
			     name, doca_error_get_descr(result));
		return result;
	}
	DOCA_LOG_INFO("Connected to server \"%s\"", name);
	return DOCA_SUCCESS;
}

/* --- waiting --- */

struct path_wait {
	struct ctrl_path *path;
	bool (*done)(void *arg);
	void *arg;
	bool is_done;
};

static bool wait_is_over(void *arg)
{
	struct path_wait *wait = arg;

	wait->is_done = wait->done(wait->arg);
	return wait->is_done || wait->path->connection == NULL ||
	       wait->path->result != DOCA_SUCCESS;
}

doca_error_t ctrl_path_wait(struct ctrl_path *path, bool (*done)(void *arg), void *arg, int seconds)
{
	struct path_wait wait = {.path = path, .done = done, .arg = arg};
	doca_error_t result;

	result = sample_progress_until(path->pe, wait_is_over, &wait, seconds);
	if (result == DOCA_SUCCESS && !wait.is_done)
		result = path->result != DOCA_SUCCESS ? path->result : DOCA_ERROR_CONNECTION_RESET;
	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("The other side did not do its part: %s",
			     doca_error_get_descr(result));
	return result;
}

static bool is_connected(void *arg)
{
	return ((struct ctrl_path *)arg)->connection != NULL;
}

static bool is_gone(void *arg)
{
	return ((struct ctrl_path *)arg)->connection == NULL;
}

doca_error_t ctrl_path_wait_connected(struct ctrl_path *path)
{
	doca_error_t result =
		sample_progress_until(path->pe, is_connected, path, SAMPLE_PEER_SECONDS);

	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("No client came within %d s", SAMPLE_PEER_SECONDS);
	return result;
}

doca_error_t ctrl_path_wait_gone(struct ctrl_path *path)
{
	return sample_progress_until(path->pe, is_gone, path, SAMPLE_STEP_SECONDS);
}

/* --- end --- */

doca_error_t ctrl_path_stop(struct ctrl_path *path)
{
	return sample_stop_ctx(path->pe, path->ctx);
}

void ctrl_path_close(struct ctrl_path *path)
{
	if (path->ctx != NULL)
		ctrl_path_stop(path); /* nothing to do for a context that is IDLE already */
	if (path->server != NULL)
		doca_comch_server_destroy(path->server);
	if (path->client != NULL)
		doca_comch_client_destroy(path->client);
	if (path->pe != NULL)
		doca_pe_destroy(path->pe);
	if (path->rep != NULL)
		doca_dev_rep_close(path->rep);
	if (path->dev != NULL)
		doca_dev_close(path->dev);
}
