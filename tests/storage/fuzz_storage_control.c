/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as the stream of a control connection, cut into reads of any length: whatever the
 * inbox takes is well-formed, and encoding it again gives the same message.
 */
#include "control_inbox.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void require_inside(const struct control_inbox *inbox, const struct wire_blob *blob)
{
	const uint8_t *bytes = inbox->slots[inbox->head].bytes;

	require(blob->bytes >= bytes);
	require(blob->bytes + blob->size <= bytes + inbox->slots[inbox->head].size);
}

static void require_sound(const struct control_inbox *inbox, const struct wire_message *message)
{
	if (message->type == WIRE_RESPONSE)
		require_inside(inbox, &message->response.text);
	else if (message->type == WIRE_CONFIGURE_DATA_PATH)
		require_inside(inbox, &message->configure.mmap);
	else if (message->type == WIRE_CREATE_RDMA_CONNECTION_REQUEST ||
		 message->type == WIRE_CREATE_RDMA_CONNECTION_RESPONSE)
		require_inside(inbox, &message->connection.details);
}

/* Padding may come or go, so it is the second encoding that must equal the first. */
static void require_round_trip(const struct wire_message *message)
{
	uint8_t once[WIRE_MESSAGE_MAX], twice[WIRE_MESSAGE_MAX];
	size_t once_size, twice_size;
	struct wire_message again;
	const char *reason;

	if (wire_message_encode(message, once, &once_size) != DOCA_SUCCESS)
		return;
	require(wire_message_validate(once, once_size, &reason) == DOCA_SUCCESS);
	wire_message_decode(once, &again);
	require(wire_message_encode(&again, twice, &twice_size) == DOCA_SUCCESS);
	require(once_size == twice_size && memcmp(once, twice, once_size) == 0);
}

static void take_all(struct control_inbox *inbox)
{
	struct wire_message message;

	while (control_inbox_peek(inbox, &message)) {
		require_sound(inbox, &message);
		require_round_trip(&message);
		control_inbox_pop(inbox);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct control_inbox inbox = {0};
	struct control_stream stream = {0};
	size_t room, count;
	uint8_t *at;

	while (size > 1) {
		/* The first byte of each piece says how long the read is, and how often all is
		 * taken. */
		count = data[0] % 64 + 1;
		if (data[0] >= 64)
			take_all(&inbox);
		data++;
		size--;
		room = control_stream_room(&stream, &inbox, &at);
		if (count > room)
			count = room;
		if (count > size)
			count = size;
		memcpy(at, data, count);
		data += count;
		size -= count;
		if (control_stream_advance(&stream, count, &inbox) != DOCA_SUCCESS)
			return 0;
	}
	take_all(&inbox);
	return 0;
}
