/* SPDX-License-Identifier: BSD-3-Clause */
#include "control_inbox.h"

#include <string.h>

doca_error_t control_inbox_push(struct control_inbox *inbox, const uint8_t *bytes, size_t size)
{
	uint32_t slot = (inbox->head + inbox->count) % CONTROL_INBOX_SLOTS;
	doca_error_t result;

	if (control_inbox_is_full(inbox)) {
		inbox->fault = "more messages than the protocol allows";
		return DOCA_ERROR_FULL;
	}
	result = wire_message_validate(bytes, size, &inbox->fault);
	if (result != DOCA_SUCCESS)
		return result;
	memcpy(inbox->slots[slot].bytes, bytes, size);
	inbox->slots[slot].size = size;
	inbox->count++;
	return DOCA_SUCCESS;
}

bool control_inbox_peek(const struct control_inbox *inbox, struct wire_message *message)
{
	if (inbox->count == 0)
		return false;
	wire_message_decode(inbox->slots[inbox->head].bytes, message);
	return true;
}

void control_inbox_pop(struct control_inbox *inbox)
{
	inbox->head = (inbox->head + 1) % CONTROL_INBOX_SLOTS;
	inbox->count--;
}

size_t control_stream_room(struct control_stream *stream, const struct control_inbox *inbox,
			   uint8_t **at)
{
	*at = stream->bytes + stream->used;
	return control_inbox_is_full(inbox) ? 0 : sizeof(stream->bytes) - stream->used;
}

/*
 * The size of the first message in the stream if all of it is there, else 0. A size that no
 * message can have is handed on as it is: the validator then says what is wrong with it.
 */
static size_t control_stream_complete(const struct control_stream *stream)
{
	const size_t size = wire_message_size(stream->bytes, stream->used);

	if (stream->used < 2)
		return 0;
	if (size < WIRE_HEADER_SIZE || size > WIRE_MESSAGE_MAX)
		return stream->used;
	return stream->used >= size ? size : 0;
}

doca_error_t control_stream_advance(struct control_stream *stream, size_t count,
				    struct control_inbox *inbox)
{
	doca_error_t result;
	size_t size;

	stream->used += count;
	while (!control_inbox_is_full(inbox) && (size = control_stream_complete(stream)) != 0) {
		result = control_inbox_push(inbox, stream->bytes, size);
		if (result != DOCA_SUCCESS)
			return result;
		stream->used -= size;
		memmove(stream->bytes, stream->bytes + size, stream->used);
	}
	return DOCA_SUCCESS;
}
