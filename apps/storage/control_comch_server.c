/* SPDX-License-Identifier: BSD-3-Clause */
/* The bridge's end of the comch control channel. */
#include "control_comch.h"

#include <doca_log.h>

DOCA_LOG_REGISTER(STORAGE::CONTROL_COMCH_SERVER);

static struct control_comch *control_comch_of_server(const struct doca_comch_connection *connection)
{
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
	union doca_data user_data = {0};

	doca_ctx_get_user_data(doca_comch_server_as_ctx(server), &user_data);
	return user_data.ptr;
}

/* The bridge serves one client. Another is told so at once, instead of being left to time out. */
static void control_comch_turn_away(struct control_comch *comch,
				    struct doca_comch_connection *connection)
{
	static const char text[] = "this bridge already serves another initiator";
	const struct wire_message message = {
		.type = WIRE_RESPONSE,
		.response.result = DOCA_ERROR_IN_USE,
		.response.text = {.bytes = (const uint8_t *)text, .size = sizeof(text) - 1},
	};
	uint8_t bytes[WIRE_MESSAGE_MAX];
	struct doca_comch_task_send *task;
	size_t size;

	DOCA_LOG_WARN("Ignoring a second client: %s", text);
	if (wire_message_encode(&message, bytes, &size) != DOCA_SUCCESS ||
	    doca_comch_server_task_send_alloc_init(comch->server, connection, bytes, (uint32_t)size,
						   &task) != DOCA_SUCCESS)
		return;
	if (doca_task_submit(doca_comch_task_send_as_task(task)) != DOCA_SUCCESS)
		doca_task_free(doca_comch_task_send_as_task(task));
}

static void control_comch_connected(struct doca_comch_event_connection_status_changed *event,
				    struct doca_comch_connection *connection,
				    uint8_t change_successful)
{
	struct control_comch *comch = control_comch_of_server(connection);

	if (change_successful == 0) {
		DOCA_LOG_WARN("A client failed to connect");
		return;
	}
	if (comch->connection != NULL) {
		control_comch_turn_away(comch, connection);
		return;
	}
	comch->connection = connection;
	doca_comch_connection_set_user_data(connection, (union doca_data){.ptr = comch});
}

static void control_comch_disconnected(struct doca_comch_event_connection_status_changed *event,
				       struct doca_comch_connection *connection,
				       uint8_t change_successful)
{
	struct control_comch *comch = control_comch_of_server(connection);

	if (comch->connection != connection)
		return;
	comch->connection = NULL;
	comch->consumers.count = 0;
}

static doca_error_t control_comch_configure(struct control_comch *comch)
{
	struct doca_comch_server *server = comch->server;
	struct doca_ctx *ctx = doca_comch_server_as_ctx(server);
	doca_error_t result;

	result = doca_pe_connect_ctx(comch->pe, ctx);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_set_user_data(ctx, (union doca_data){.ptr = comch});
	if (result == DOCA_SUCCESS)
		result = doca_comch_server_task_send_set_conf(server, control_comch_sent,
							      control_comch_send_failed,
							      CONTROL_COMCH_SEND_TASKS);
	if (result == DOCA_SUCCESS)
		result = doca_comch_server_event_msg_recv_register(server, control_comch_received);
	if (result == DOCA_SUCCESS)
		result = doca_comch_server_event_connection_status_changed_register(
			server, control_comch_connected, control_comch_disconnected);
	if (result == DOCA_SUCCESS)
		result = doca_comch_server_event_consumer_register(
			server, control_comch_consumer_added, control_comch_consumer_expired);
	return result;
}

doca_error_t control_comch_listen(struct control_comch *comch, struct doca_pe *pe,
				  struct doca_dev *dev, struct doca_dev_rep *rep, const char *name,
				  struct fault *fault)
{
	doca_error_t result;

	comch->pe = pe;
	result = doca_comch_server_create(dev, rep, name, &comch->server);
	if (result == DOCA_SUCCESS)
		result = control_comch_configure(comch);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_start(doca_comch_server_as_ctx(comch->server));
	if (result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS)
		return DOCA_SUCCESS;
	return fault_raise(fault, result,
			   "Cannot start comch server \"%s\": %s; is another bridge running on "
			   "this device and representor?",
			   name, doca_error_get_name(result));
}

static bool control_comch_has_client(void *arg)
{
	const struct control_comch *comch = arg;

	return comch->connection != NULL;
}

doca_error_t control_comch_accept(struct control_comch *comch, struct waiter *waiter)
{
	doca_error_t result = waiter_wait(waiter, control_comch_has_client, comch, WAITER_NO_LIMIT,
					  "an initiator to connect");

	if (result == DOCA_SUCCESS)
		control_open(&comch->channel);
	return result;
}
