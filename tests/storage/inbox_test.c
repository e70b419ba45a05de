/* SPDX-License-Identifier: BSD-3-Clause */
/* Control messages that arrive in pieces, in heaps, and malformed. */
#include "t.h"

#include "control_inbox.h"

#include <string.h>

static struct control_inbox inbox;
static struct control_stream stream;

static size_t encode(uint8_t *out, enum wire_type type, uint32_t id)
{
	const struct wire_message message = {.type = type, .correlation_id = id};
	size_t size;

	T_OK(wire_message_encode(&message, out, &size));
	return size;
}

/* Hands bytes to the stream as one read would. */
static doca_error_t feed(const uint8_t *bytes, size_t size)
{
	uint8_t *at;
	size_t room = control_stream_room(&stream, &inbox, &at);

	T_CHECK(room >= size);
	memcpy(at, bytes, size);
	return control_stream_advance(&stream, size, &inbox);
}

static uint32_t take_id(void)
{
	struct wire_message message;

	T_CHECK(control_inbox_peek(&inbox, &message));
	control_inbox_pop(&inbox);
	return message.correlation_id;
}

T_CASE(message_in_single_bytes)
{
	uint8_t bytes[WIRE_MESSAGE_MAX];
	size_t size = encode(bytes, WIRE_RESPONSE, 7), i;

	for (i = 0; i < size; i++) {
		T_EQ(inbox.count, 0);
		T_OK(feed(bytes + i, 1));
	}
	T_EQ(inbox.count, 1);
	T_EQ(take_id(), 7);
}

T_CASE(several_messages_and_a_half_in_one_read)
{
	uint8_t bytes[WIRE_MESSAGE_MAX];
	size_t size = 0, last;
	uint32_t i;

	for (i = 1; i <= 3; i++)
		size += encode(bytes + size, WIRE_START_STORAGE, i);
	last = encode(bytes + size, WIRE_RESPONSE, 4);
	T_OK(feed(bytes, size + 5));
	T_EQ(inbox.count, 3);
	T_EQ(take_id(), 1);
	T_EQ(take_id(), 2);
	T_EQ(take_id(), 3);
	T_OK(feed(bytes + size + 5, last - 5));
	T_EQ(take_id(), 4);
	T_EQ(stream.used, 0);
}

T_CASE(largest_message_fits)
{
	static const uint8_t blob[WIRE_MMAP_BLOB_MAX];
	const struct wire_message message = {
		.type = WIRE_CONFIGURE_DATA_PATH,
		.correlation_id = 1,
		.configure.mmap = {.bytes = blob, .size = sizeof(blob)},
	};
	uint8_t bytes[WIRE_MESSAGE_MAX];
	size_t size;

	T_OK(wire_message_encode(&message, bytes, &size));
	T_OK(feed(bytes, 1000));
	T_OK(feed(bytes + 1000, size - 1000));
	T_EQ(take_id(), 1);
}

T_CASE(full_inbox_leaves_the_rest_in_the_stream)
{
	uint8_t bytes[WIRE_MESSAGE_MAX], *at;
	size_t size = 0;
	uint32_t i;

	for (i = 0; i <= CONTROL_INBOX_SLOTS; i++)
		size += encode(bytes + size, WIRE_START_STORAGE, i);
	T_OK(feed(bytes, size));
	T_EQ(inbox.count, CONTROL_INBOX_SLOTS);
	T_EQ(control_stream_room(&stream, &inbox, &at), 0);
	for (i = 0; i < CONTROL_INBOX_SLOTS; i++)
		T_EQ(take_id(), i);
	T_OK(control_stream_advance(&stream, 0, &inbox));
	T_EQ(take_id(), CONTROL_INBOX_SLOTS);
}

T_CASE(push_into_a_full_inbox)
{
	uint8_t bytes[WIRE_MESSAGE_MAX];
	size_t size = encode(bytes, WIRE_START_STORAGE, 1);
	uint32_t i;

	for (i = 0; i < CONTROL_INBOX_SLOTS; i++)
		T_OK(control_inbox_push(&inbox, bytes, size));
	T_ERR(control_inbox_push(&inbox, bytes, size), DOCA_ERROR_FULL);
	T_CONTAINS(inbox.fault, "more messages");
}

T_CASE(impossible_sizes_are_refused)
{
	static const uint8_t too_small[] = {0, 3};
	static const uint8_t too_large[] = {4, 1};

	T_ERR(feed(too_small, sizeof(too_small)), DOCA_ERROR_INVALID_VALUE);
	memset(&stream, 0, sizeof(stream));
	T_ERR(feed(too_large, sizeof(too_large)), DOCA_ERROR_INVALID_VALUE);
	T_CHECK(inbox.fault != NULL);
}

T_CASE(malformed_message_is_refused)
{
	static const uint8_t bad[] = {0, 8, 0, 9, 0, 0, 0, 0};

	T_ERR(feed(bad, sizeof(bad)), DOCA_ERROR_INVALID_VALUE);
	T_STREQ(inbox.fault, "unknown type");
}

T_CASE(nothing_there)
{
	struct wire_message message;

	T_CHECK(!control_inbox_peek(&inbox, &message));
}
