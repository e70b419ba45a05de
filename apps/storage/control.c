/* SPDX-License-Identifier: BSD-3-Clause */
#include "control.h"

#include <doca_log.h>

#include <stdio.h>
#include <string.h>

DOCA_LOG_REGISTER(STORAGE::CONTROL);

void control_init(struct control_channel *channel, const struct control_ops *ops, const char *peer)
{
	memset(channel, 0, sizeof(*channel));
	channel->ops = ops;
	channel->peer = peer;
	channel->state = CONTROL_CLOSED;
}

static doca_error_t control_check_reported(struct control_channel *channel, struct fault *fault)
{
	struct wire_message message;

	if (!control_inbox_peek(&channel->inbox, &message) || message.type != WIRE_RESPONSE ||
	    message.response.result == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	return fault_raise(fault, message.response.result, "The %s reports: %.*s", channel->peer,
			   (int)message.response.text.size,
			   (const char *)message.response.text.bytes);
}

/* Legal moves: the row is the state before, the column the one after. */
static const bool control_moves[CONTROL_GONE + 1][CONTROL_GONE + 1] = {
	[CONTROL_CLOSED] = {[CONTROL_OPEN] = true},
	[CONTROL_OPEN] = {[CONTROL_ENDED] = true, [CONTROL_LEAVING] = true},
	[CONTROL_ENDED] = {[CONTROL_GONE] = true},
	[CONTROL_LEAVING] = {[CONTROL_GONE] = true},
};

static void control_move(struct control_channel *channel, enum control_state next)
{
	if (control_moves[channel->state][next])
		channel->state = next;
}

void control_open(struct control_channel *channel)
{
	control_move(channel, CONTROL_OPEN);
}

void control_note_end(struct control_channel *channel)
{
	control_move(channel, channel->state == CONTROL_OPEN ? CONTROL_ENDED : CONTROL_GONE);
}

void control_leave(struct control_channel *channel)
{
	control_move(channel, channel->state == CONTROL_OPEN ? CONTROL_LEAVING : CONTROL_GONE);
}

doca_error_t control_turn(struct control_channel *channel, struct fault *fault, bool *busy)
{
	doca_error_t result;

	if (channel->state == CONTROL_OPEN || channel->state == CONTROL_LEAVING) {
		result = channel->ops->poll(channel, busy);
		if (result != DOCA_SUCCESS)
			return fault_raise(fault, result,
					   "Malformed control message from the %s: %s",
					   channel->peer, channel->inbox.fault);
	}
	if (channel->state != CONTROL_OPEN && channel->state != CONTROL_ENDED)
		return DOCA_SUCCESS;
	result = control_check_reported(channel, fault);
	if (result == DOCA_SUCCESS && channel->state == CONTROL_ENDED && channel->inbox.count == 0)
		result = fault_raise(fault, DOCA_ERROR_CONNECTION_RESET,
				     "The %s has gone: the connection to it was closed",
				     channel->peer);
	return result;
}

/* What a wait for room to send carries between its turns. */
struct control_sending {
	struct control_channel *channel;
	const uint8_t *bytes;
	size_t size;
	doca_error_t result;
};

static bool control_try_send(void *arg)
{
	struct control_sending *sending = arg;

	sending->result =
		sending->channel->ops->send(sending->channel, sending->bytes, sending->size);
	return sending->result != DOCA_ERROR_AGAIN;
}

doca_error_t control_send(struct control_channel *channel, struct waiter *waiter,
			  const struct wire_message *message, uint32_t limit)
{
	const char *name = wire_type_name(message->type);
	uint8_t bytes[WIRE_MESSAGE_MAX];
	struct control_sending sending = {.channel = channel, .bytes = bytes};
	doca_error_t result;

	result = wire_message_encode(message, bytes, &sending.size);
	if (result != DOCA_SUCCESS)
		return fault_raise(waiter->fault, result,
				   "Cannot send %s to the %s: it is longer than %d bytes", name,
				   channel->peer, WIRE_MESSAGE_MAX);
	result = waiter_wait(waiter, control_try_send, &sending, limit, "room to send");
	if (result == DOCA_SUCCESS)
		result = sending.result;
	else if (result != DOCA_ERROR_TIME_OUT)
		return result;
	if (result != DOCA_SUCCESS)
		return fault_raise(waiter->fault, result, "Failed to send %s to the %s: %s", name,
				   channel->peer, doca_error_get_name(result));
	DOCA_LOG_DBG("Sent %s %u to the %s", name, message->correlation_id, channel->peer);
	return DOCA_SUCCESS;
}

doca_error_t control_send_success(struct control_channel *channel, struct waiter *waiter,
				  uint32_t id, uint32_t limit)
{
	const struct wire_message message = {
		.type = WIRE_RESPONSE,
		.correlation_id = id,
		.response.result = DOCA_SUCCESS,
	};

	return control_send(channel, waiter, &message, limit);
}

void control_tell_fault(struct control_channel *channel, const struct fault *fault)
{
	const struct wire_message message = {
		.type = WIRE_RESPONSE,
		.correlation_id = channel->last_id,
		/* The published programs put UNKNOWN here, whatever the text says. */
		.response.result = DOCA_ERROR_UNKNOWN,
		.response.text.bytes = (const uint8_t *)fault->text,
		.response.text.size = (uint32_t)strlen(fault->text),
	};
	uint8_t bytes[WIRE_MESSAGE_MAX];
	size_t size;

	if (channel->state != CONTROL_OPEN)
		return;
	if (wire_message_encode(&message, bytes, &size) == DOCA_SUCCESS &&
	    channel->ops->send(channel, bytes, size) != DOCA_SUCCESS)
		DOCA_LOG_DBG("The %s could not be told of the failure", channel->peer);
}

static bool control_has_message(void *arg)
{
	const struct control_channel *channel = arg;

	return channel->inbox.count != 0;
}

static doca_error_t control_reject(struct control_channel *channel, struct fault *fault,
				   enum wire_type expected, const char *hint,
				   const struct wire_message *message)
{
	return fault_raise(fault, DOCA_ERROR_UNEXPECTED, "Expected %s from the %s, got %s%s%s",
			   wire_type_name(expected), channel->peer, wire_type_name(message->type),
			   hint == NULL ? "" : ": ", hint == NULL ? "" : hint);
}

doca_error_t control_expect(struct control_channel *channel, struct waiter *waiter,
			    enum wire_type type, uint32_t limit, const char *hint,
			    struct wire_message *message)
{
	char what[96];
	doca_error_t result;

	snprintf(what, sizeof(what), "%s of the %s", wire_type_name(type), channel->peer);
	result = waiter_wait(waiter, control_has_message, channel, limit, what);
	if (result == DOCA_ERROR_TIME_OUT)
		return fault_raise(waiter->fault, result,
				   "Timed out waiting on %s: nothing came in %u seconds", what,
				   limit);
	if (result != DOCA_SUCCESS)
		return result;

	control_inbox_peek(&channel->inbox, message);
	channel->last_id = message->correlation_id;
	result = control_check_reported(channel, waiter->fault);
	if (result == DOCA_SUCCESS && message->type != type)
		result = control_reject(channel, waiter->fault, type, hint, message);
	if (result != DOCA_SUCCESS)
		return result;
	DOCA_LOG_DBG("Got %s %u from the %s", wire_type_name(type), message->correlation_id,
		     channel->peer);
	return DOCA_SUCCESS;
}

void control_done(struct control_channel *channel)
{
	control_inbox_pop(&channel->inbox);
}

doca_error_t control_await(struct control_channel *channel, struct waiter *waiter,
			   const struct wire_message *request, uint32_t limit)
{
	struct wire_message response;
	doca_error_t result;

	result = control_expect(channel, waiter, WIRE_RESPONSE, limit, NULL, &response);
	if (result != DOCA_SUCCESS)
		return result;
	control_done(channel);
	if (response.correlation_id != request->correlation_id)
		return fault_raise(waiter->fault, DOCA_ERROR_UNEXPECTED,
				   "The %s answered request %u while %s was request %u",
				   channel->peer, response.correlation_id,
				   wire_type_name(request->type), request->correlation_id);
	return DOCA_SUCCESS;
}

doca_error_t control_request(struct control_channel *channel, struct waiter *waiter,
			     const struct wire_message *request, uint32_t limit)
{
	doca_error_t result = control_send(channel, waiter, request, limit);

	if (result == DOCA_SUCCESS)
		result = control_await(channel, waiter, request, limit);
	return result;
}
