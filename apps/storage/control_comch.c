/* SPDX-License-Identifier: BSD-3-Clause */
#include "control_comch.h"

#include "ctx_stop.h"

#include <doca_log.h>

DOCA_LOG_REGISTER(STORAGE::CONTROL_COMCH);

struct doca_ctx *control_comch_ctx(const struct control_comch *comch)
{
	if (comch->server != NULL)
		return doca_comch_server_as_ctx(comch->server);
	if (comch->client != NULL)
		return doca_comch_client_as_ctx(comch->client);
	return NULL;
}

static doca_error_t control_comch_alloc(struct control_comch *comch, const uint8_t *bytes,
					size_t size, struct doca_comch_task_send **task)
{
	if (comch->server != NULL)
		return doca_comch_server_task_send_alloc_init(comch->server, comch->connection,
							      bytes, (uint32_t)size, task);
	return doca_comch_client_task_send_alloc_init(comch->client, comch->connection, bytes,
						      (uint32_t)size, task);
}

/* The library copies the bytes at submit: they may live on the caller's stack. */
static doca_error_t control_comch_send(struct control_channel *channel, const uint8_t *bytes,
				       size_t size)
{
	struct control_comch *comch = (struct control_comch *)channel;
	struct doca_comch_task_send *task;
	doca_error_t result;

	if (comch->connection == NULL)
		return DOCA_ERROR_NOT_CONNECTED;
	result = control_comch_alloc(comch, bytes, size, &task);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_NO_MEMORY ? DOCA_ERROR_AGAIN : result;
	result = doca_task_submit(doca_comch_task_send_as_task(task));
	if (result != DOCA_SUCCESS)
		doca_task_free(doca_comch_task_send_as_task(task));
	return result;
}

static bool control_comch_is_up(const struct control_comch *comch)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	doca_ctx_get_state(control_comch_ctx(comch), &state);
	return comch->connection != NULL && state == DOCA_CTX_STATE_RUNNING;
}

/* Messages come by callback while the owner progresses the engine; here only the end is noticed. */
static doca_error_t control_comch_poll(struct control_channel *channel, bool *busy)
{
	struct control_comch *comch = (struct control_comch *)channel;

	if (!control_comch_is_up(comch))
		control_note_end(channel);
	return comch->receive_error;
}

const struct control_ops control_comch_ops = {
	.send = control_comch_send,
	.poll = control_comch_poll,
};

void control_comch_init(struct control_comch *comch, const char *peer)
{
	memset(comch, 0, sizeof(*comch));
	control_init(&comch->channel, &control_comch_ops, peer);
}

void control_comch_sent(struct doca_comch_task_send *task, union doca_data task_user_data,
			union doca_data ctx_user_data)
{
	doca_task_free(doca_comch_task_send_as_task(task));
}

/*
 * Not a fault of its own: a message fails when the peer is going, which the next poll notices, or
 * when this side stops with its last message not yet acknowledged.
 */
void control_comch_send_failed(struct doca_comch_task_send *task, union doca_data task_user_data,
			       union doca_data ctx_user_data)
{
	struct doca_task *base = doca_comch_task_send_as_task(task);

	DOCA_LOG_DBG("A control message was not acknowledged: %s",
		     doca_error_get_name(doca_task_get_status(base)));
	doca_task_free(base);
}

static struct control_comch *control_comch_of(const struct doca_comch_connection *connection)
{
	return doca_comch_connection_get_user_data(connection).ptr;
}

void control_comch_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t size,
			    struct doca_comch_connection *connection)
{
	struct control_comch *comch = control_comch_of(connection);
	doca_error_t result;

	if (comch == NULL)
		return;
	result = control_inbox_push(&comch->channel.inbox, bytes, size);
	if (comch->receive_error == DOCA_SUCCESS)
		comch->receive_error = result;
}

void control_comch_consumer_added(struct doca_comch_event_consumer *event,
				  struct doca_comch_connection *connection, uint32_t id)
{
	struct control_comch *comch = control_comch_of(connection);

	if (comch == NULL)
		return;
	switch (consumer_ids_add(&comch->consumers, id)) {
	case CONSUMER_IDS_DUPLICATE:
		DOCA_LOG_WARN("Consumer %u of the %s was announced twice", id, comch->channel.peer);
		break;
	case CONSUMER_IDS_FULL:
		DOCA_LOG_ERR("Consumer %u of the %s is one too many", id, comch->channel.peer);
		break;
	default:
		break;
	}
}

void control_comch_consumer_expired(struct doca_comch_event_consumer *event,
				    struct doca_comch_connection *connection, uint32_t id)
{
	struct control_comch *comch = control_comch_of(connection);

	if (comch != NULL && consumer_ids_remove(&comch->consumers, id) != CONSUMER_IDS_DONE)
		DOCA_LOG_WARN("Consumer %u of the %s expired, but was never announced", id,
			      comch->channel.peer);
}

struct consumers_wanted {
	const struct consumer_ids *consumers;
	uint32_t count;
};

static bool control_comch_has_consumers(void *arg)
{
	const struct consumers_wanted *wanted = arg;

	return wanted->consumers->count >= wanted->count;
}

doca_error_t control_comch_wait_consumers(struct control_comch *comch, struct waiter *waiter,
					  uint32_t count, uint32_t limit)
{
	struct consumers_wanted wanted = {.consumers = &comch->consumers, .count = count};
	doca_error_t result = waiter_wait(waiter, control_comch_has_consumers, &wanted, limit,
					  "the consumers of the peer");

	if (result != DOCA_SUCCESS && result != DOCA_ERROR_TIME_OUT)
		return result;
	if (comch->consumers.count == count)
		return DOCA_SUCCESS;
	return fault_raise(waiter->fault, DOCA_ERROR_UNEXPECTED,
			   "The %s has %u consumers after %u seconds, expected %u: give both "
			   "programs the same number of --cpu",
			   comch->channel.peer, comch->consumers.count, limit, count);
}

static void control_comch_destroy(struct control_comch *comch)
{
	doca_error_t result = DOCA_SUCCESS;

	if (comch->server != NULL)
		result = doca_comch_server_destroy(comch->server);
	if (comch->client != NULL)
		result = doca_comch_client_destroy(comch->client);
	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("Failed to destroy the comch %s: %s",
			     comch->server != NULL ? "server" : "client",
			     doca_error_get_name(result));
}

/*
 * A reply sent just before still reaches the peer: the library delivers what was submitted before
 * it tells of the end.
 */
void control_comch_close(struct control_comch *comch, struct fault *fault)
{
	const struct ctx_stop stop = {
		.ctx = control_comch_ctx(comch),
		.pe = comch->pe,
		.name = comch->server != NULL ? "comch server" : "comch client",
	};

	if (stop.ctx == NULL)
		return;
	ctx_stop(&stop, fault);
	control_comch_destroy(comch);
	control_comch_init(comch, comch->channel.peer);
}
