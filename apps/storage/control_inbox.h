/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Control messages that have arrived and wait to be handled, in order, and the reassembly that
 * cuts a TCP stream into such messages. Only well-formed messages get in. The protocol is
 * question and answer, so a handful of places is plenty; a peer that needs more is broken.
 */
#ifndef STORAGE_CONTROL_INBOX_H
#define STORAGE_CONTROL_INBOX_H

#include "wire.h"

#include <stdbool.h>

#define CONTROL_INBOX_SLOTS 8

struct control_inbox {
	struct {
		size_t size;
		uint8_t bytes[WIRE_MESSAGE_MAX];
	} slots[CONTROL_INBOX_SLOTS];
	uint32_t head; /* oldest message */
	uint32_t count;
	const char *fault; /* why the last push failed; static text */
};

/*
 * Appends one message. DOCA_ERROR_INVALID_VALUE: malformed, DOCA_ERROR_FULL: no place left;
 * both leave their reason in inbox->fault and are fatal for the session.
 */
doca_error_t control_inbox_push(struct control_inbox *inbox, const uint8_t *bytes, size_t size);

/* The oldest message, decoded in place (valid until the pop), or false when there is none. */
bool control_inbox_peek(const struct control_inbox *inbox, struct wire_message *message);

void control_inbox_pop(struct control_inbox *inbox);

static inline bool control_inbox_is_full(const struct control_inbox *inbox)
{
	return inbox->count == CONTROL_INBOX_SLOTS;
}

/* The bytes of a stream that are not a whole message yet. */
struct control_stream {
	uint8_t bytes[WIRE_MESSAGE_MAX];
	size_t used;
};

/* Where the next bytes read go, and how many may be read; 0 while the inbox is full. */
size_t control_stream_room(struct control_stream *stream, const struct control_inbox *inbox,
			   uint8_t **at);

/*
 * Takes note of count bytes read to the place given by control_stream_room(), and moves every
 * message that is complete into the inbox. Errors as control_inbox_push().
 */
doca_error_t control_stream_advance(struct control_stream *stream, size_t count,
				    struct control_inbox *inbox);

#endif
