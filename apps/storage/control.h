/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A control channel: one end of the conversation in control messages with one peer, over TCP or
 * over comch. The conversation is question and answer; this file knows its rules, the back ends
 * (control_tcp.c, control_comch.c) only move bytes.
 *
 * Owned by the program's application object and used by the control thread alone. It ends when
 * the owner closes it. When the peer dies, the back end notices at its next poll, and every wait
 * of the program ends with a fault that names the peer.
 */
#ifndef STORAGE_CONTROL_H
#define STORAGE_CONTROL_H

#include "control_inbox.h"
#include "waiter.h"

struct control_channel;

struct control_ops {
	/*
	 * Sends one encoded message. Never blocks, and has copied the bytes when it returns.
	 * DOCA_ERROR_AGAIN: no room now, a later turn makes some. Any other error: no way to send.
	 */
	doca_error_t (*send)(struct control_channel *channel, const uint8_t *bytes, size_t size);
	/*
	 * Moves what has arrived into the inbox, and calls control_note_end() when the peer has
	 * gone, after its last message. Never blocks. Errors are those of the inbox.
	 */
	doca_error_t (*poll)(struct control_channel *channel, bool *busy);
};

enum control_state {
	CONTROL_CLOSED,	 /* nobody there yet */
	CONTROL_OPEN,	 /* both sides may speak */
	CONTROL_ENDED,	 /* the peer has gone; a fault as soon as its last messages are handled */
	CONTROL_LEAVING, /* the last message was exchanged: the peer may go without a word */
	CONTROL_GONE,	 /* it did */
};

struct control_channel {
	const struct control_ops *ops;
	const char *peer; /* for texts: "initiator", "bridge", "target" */
	enum control_state state;
	uint32_t last_id; /* correlation id of the last message received, for error replies */
	struct control_inbox inbox;
};

void control_init(struct control_channel *channel, const struct control_ops *ops, const char *peer);

/* The peer is there. */
void control_open(struct control_channel *channel);

/* For back ends: the peer has gone. */
void control_note_end(struct control_channel *channel);

/* The conversation is over, in order: from now on the peer may go. */
void control_leave(struct control_channel *channel);

/*
 * The part of a turn that looks after this peer: takes in what came, raises the fault for a
 * malformed message, for an error that the peer reports, and for its unexpected end.
 */
doca_error_t control_turn(struct control_channel *channel, struct fault *fault, bool *busy);

/* Sends message, waiting for room at most limit seconds. */
doca_error_t control_send(struct control_channel *channel, struct waiter *waiter,
			  const struct wire_message *message, uint32_t limit);

/* Sends the success response to request id. */
doca_error_t control_send_success(struct control_channel *channel, struct waiter *waiter,
				  uint32_t id, uint32_t limit);

/*
 * Tells the peer, once and without waiting, why this side gives up. For the way out after a
 * fault: whether it gets there is not known.
 */
void control_tell_fault(struct control_channel *channel, const struct fault *fault);

/*
 * Waits for the next message and fails unless it is of the given type. Blobs in *message are valid
 * until control_done(). hint, if not NULL, ends the text that says that another type came.
 */
doca_error_t control_expect(struct control_channel *channel, struct waiter *waiter,
			    enum wire_type type, uint32_t limit, const char *hint,
			    struct wire_message *message);

/* Gives back the message that control_expect() handed out. */
void control_done(struct control_channel *channel);

/* Waits at most limit seconds for the success response to request, which was sent before. */
doca_error_t control_await(struct control_channel *channel, struct waiter *waiter,
			   const struct wire_message *request, uint32_t limit);

/* Both: sends request, waits for its success response. */
doca_error_t control_request(struct control_channel *channel, struct waiter *waiter,
			     const struct wire_message *request, uint32_t limit);

#endif
