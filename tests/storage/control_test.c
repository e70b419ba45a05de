/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of the control conversation, over a back end that exists only here. */
#include "t.h"

#include "control.h"

#include <string.h>

/* A peer on paper: what it will send, and what it was sent. */
static struct control_channel channel;
static struct fault fault;
static struct waiter waiter;
static uint8_t sent[WIRE_MESSAGE_MAX];
static size_t sent_size;
static uint32_t busy_sends; /* sends that find no room first */
static bool peer_ends;

static doca_error_t paper_send(struct control_channel *to, const uint8_t *bytes, size_t size)
{
	if (busy_sends != 0) {
		busy_sends--;
		return DOCA_ERROR_AGAIN;
	}
	memcpy(sent, bytes, size);
	sent_size = size;
	return DOCA_SUCCESS;
}

static doca_error_t paper_poll(struct control_channel *from, bool *busy)
{
	if (peer_ends)
		control_note_end(from);
	return DOCA_SUCCESS;
}

static const struct control_ops paper_ops = {.send = paper_send, .poll = paper_poll};

static doca_error_t turn(struct waiter *of, bool *busy)
{
	return control_turn(&channel, of->fault, busy);
}

static void set_up(void)
{
	fault_init(&fault);
	waiter = (struct waiter){.turn = turn, .fault = &fault};
	control_init(&channel, &paper_ops, "peer");
	control_open(&channel);
}

static void peer_says(const struct wire_message *message)
{
	uint8_t bytes[WIRE_MESSAGE_MAX];
	size_t size;

	T_OK(wire_message_encode(message, bytes, &size));
	T_OK(control_inbox_push(&channel.inbox, bytes, size));
}

static void peer_answers(uint32_t id)
{
	peer_says(&(struct wire_message){.type = WIRE_RESPONSE, .correlation_id = id});
}

static void peer_fails(uint32_t id, const char *text)
{
	peer_says(&(struct wire_message){
		.type = WIRE_RESPONSE,
		.correlation_id = id,
		.response.result = DOCA_ERROR_UNKNOWN,
		.response.text = {.bytes = (const uint8_t *)text, .size = (uint32_t)strlen(text)},
	});
}

static doca_error_t request(uint32_t id)
{
	const struct wire_message message = {.type = WIRE_START_STORAGE, .correlation_id = id};

	return control_request(&channel, &waiter, &message, 1);
}

T_CASE(request_and_answer)
{
	set_up();
	peer_answers(3);
	T_OK(request(3));
	T_EQ(sent_size, WIRE_HEADER_SIZE);
	T_EQ(channel.inbox.count, 0);
	T_EQ(fault_kind(&fault), FAULT_NONE);
}

T_CASE(send_waits_for_room)
{
	set_up();
	busy_sends = 5;
	peer_answers(3);
	T_OK(request(3));
	T_EQ(busy_sends, 0);
}

T_CASE(no_room_within_the_limit)
{
	set_up();
	busy_sends = UINT32_MAX;
	T_ERR(request(3), DOCA_ERROR_TIME_OUT);
	T_CONTAINS(fault.text, "Failed to send start_storage to the peer");
}

T_CASE(no_answer_within_the_limit)
{
	set_up();
	T_ERR(request(3), DOCA_ERROR_TIME_OUT);
	T_CONTAINS(fault.text, "Timed out waiting on response of the peer");
}

T_CASE(answer_to_another_request)
{
	set_up();
	peer_answers(2);
	T_ERR(request(3), DOCA_ERROR_UNEXPECTED);
	T_CONTAINS(fault.text, "answered request 2");
}

T_CASE(reported_failure_is_passed_on)
{
	set_up();
	peer_fails(3, "no space");
	T_ERR(request(3), DOCA_ERROR_UNKNOWN);
	T_STREQ(fault.text, "The peer reports: no space");
}

T_CASE(failure_is_noticed_unasked)
{
	bool busy = false;

	set_up();
	peer_fails(0, "no space");
	T_ERR(control_turn(&channel, &fault, &busy), DOCA_ERROR_UNKNOWN);
}

T_CASE(unexpected_type_is_named_with_the_hint)
{
	struct wire_message message;

	set_up();
	peer_says(&(struct wire_message){.type = WIRE_DESTROY_OBJECTS, .correlation_id = 9});
	T_ERR(control_expect(&channel, &waiter, WIRE_START_STORAGE, 1, "count threads", &message),
	      DOCA_ERROR_UNEXPECTED);
	T_STREQ(fault.text,
		"Expected start_storage from the peer, got destroy_objects: count threads");
	T_EQ(channel.last_id, 9);
}

T_CASE(told_fault_carries_the_last_id)
{
	struct wire_message message;
	const char *reason;

	set_up();
	peer_says(&(struct wire_message){.type = WIRE_DESTROY_OBJECTS, .correlation_id = 9});
	control_expect(&channel, &waiter, WIRE_START_STORAGE, 1, NULL, &message);
	control_tell_fault(&channel, &fault);
	T_OK(wire_message_validate(sent, sent_size, &reason));
	wire_message_decode(sent, &message);
	T_EQ(message.type, WIRE_RESPONSE);
	T_EQ(message.correlation_id, 9);
	T_EQ(message.response.result, DOCA_ERROR_UNKNOWN);
	T_EQ(message.response.text.size, strlen(fault.text));
}

T_CASE(end_of_the_peer_is_a_fault)
{
	bool busy = false;

	set_up();
	peer_ends = true;
	T_ERR(control_turn(&channel, &fault, &busy), DOCA_ERROR_CONNECTION_RESET);
	T_STREQ(fault.text, "The peer has gone: the connection to it was closed");
	T_EQ(channel.state, CONTROL_ENDED);
}

T_CASE(last_message_before_the_end_is_still_taken)
{
	set_up();
	peer_ends = true;
	peer_answers(3);
	T_OK(request(3));
	T_ERR(request(4), DOCA_ERROR_CONNECTION_RESET);
}

T_CASE(end_after_the_last_message_is_none)
{
	bool busy = false;

	set_up();
	control_leave(&channel);
	peer_ends = true;
	T_OK(control_turn(&channel, &fault, &busy));
	T_EQ(channel.state, CONTROL_GONE);
	T_OK(control_turn(&channel, &fault, &busy));
	T_EQ(fault_kind(&fault), FAULT_NONE);
}

T_CASE(nothing_is_said_to_a_peer_that_is_not_there)
{
	set_up();
	control_init(&channel, &paper_ops, "peer");
	fault_raise(&fault, DOCA_ERROR_UNKNOWN, "something");
	control_tell_fault(&channel, &fault);
	T_EQ(sent_size, 0);
}

T_CASE(fault_of_a_thread_ends_the_wait)
{
	set_up();
	fault_raise(&fault, DOCA_ERROR_IO_FAILED, "thread 0 is broken");
	T_ERR(request(3), DOCA_ERROR_IO_FAILED);
	T_STREQ(fault.text, "thread 0 is broken");
}
