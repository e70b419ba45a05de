/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The protocol, as its files know it: fabric_proto.c (frames in, the engine's poll),
 * fabric_keep.c (memory, and what links of a port share), fabric_send.c (frames out), fabric_lane.c
 * (what was asked for), fabric_request.c (our operations), fabric_answer.c (what becomes of them),
 * fabric_serve.c (the peer's requests), fabric_message.c (its messages). Contract and threads in
 * fabric_proto.h; every function wants the port's lock.
 *
 * A handler of frames answers NULL, or what the peer may not do in words. It sets *rx to NULL when
 * it keeps the frame.
 */
#ifndef SDPU_RDMA_FABRIC_PARTS_H
#define SDPU_RDMA_FABRIC_PARTS_H

#include "rdma/fabric_proto.h"

/* Are there more than `then` of what is counted by 32 bits? */
static inline bool fabric_is_past(uint32_t count, uint32_t then)
{
	return (int32_t)(count - then) > 0;
}

/* fabric_keep.c. drive() comes when a way to memory was opened, or could not be. */
void fabric_keep_wait(struct fabric_proto *proto);
/* The payload, which is the rest of the frame: in staging if that goes, else in `place`. */
void fabric_keep(struct fabric_proto *proto, struct fabric_rx **rx, const struct fabric_head *head,
		 uint8_t *place, struct fabric_kept *kept);
/* The same for what comes without being asked for: small, or with credit. */
const char *fabric_keep_arrived(struct fabric_proto *proto, struct fabric_rx **rx,
				const struct fabric_head *head, uint8_t small[FABRIC_SMALL],
				struct fabric_kept *kept);
/* It is done with. Nothing kept: harmless. */
void fabric_keep_drop(struct fabric_proto *proto, struct fabric_kept *kept);
/* Send staging of the link. NULL: none now, and sent() comes. */
uint8_t *fabric_bulk_take(struct fabric_proto *proto);
void fabric_bulk_give(struct fabric_proto *proto, const uint8_t *bulk);

/*
 * fabric_send.c. Each fills the counts in, and thereby tells them; SUCCESS, AGAIN (drive() comes),
 * CONNECTION_RESET.
 */
doca_error_t fabric_send(struct fabric_proto *proto, struct fabric_head *head);
/* The payload is head->len bytes at `bytes`: at most FABRIC_COPIED_MAX with the head. */
doca_error_t fabric_send_copied(struct fabric_proto *proto, struct fabric_head *head,
				const void *bytes);
/* The payload lies in the bulk, which is the link's on success. */
doca_error_t fabric_send_bulk(struct fabric_proto *proto, struct fabric_head *head, uint8_t *bulk);
/* The payload is all of the operation's memory; engine's thread. */
doca_error_t fabric_send_op(struct fabric_proto *proto, struct fabric_head *head,
			    struct fabric_call *call);
/* The payload is head->len bytes from head->addr on of the operation's memory, as the peer pulls
 * it; any thread. IO_FAILED: there is no memory (any more). */
doca_error_t fabric_send_pulled(struct fabric_proto *proto, struct fabric_head *head,
				struct fabric_call *call);
/* The oldest frame whose bytes the link read: it does not any more. */
void fabric_send_done(struct fabric_proto *proto);
/* Bulks go back; the link is closed. */
void fabric_send_drop_all(struct fabric_proto *proto);

/* fabric_lane.c */
static inline uint32_t fabric_lane_room(const struct fabric_lane *lane)
{
	return FABRIC_PULLED - (lane->asked - lane->used);
}
/* The oldest one, if it has arrived; else NULL. */
static inline struct fabric_piece *fabric_lane_arrived(struct fabric_lane *lane)
{
	return lane->used == lane->arrived ? NULL : &lane->piece[lane->used % FABRIC_PULLED];
}
/* The caller has asked for it, and there was room. */
void fabric_lane_ask(struct fabric_lane *lane, const struct fabric_piece *piece);
/* The oldest one is done with. */
void fabric_lane_use(struct fabric_proto *proto, enum fabric_lane_kind kind);
void fabric_lane_drop_all(struct fabric_proto *proto);
/*
 * Asks for pieces of something of `size` bytes, `asked` of which were asked for, as many as there
 * may be. Returns the new `asked`; the same: not now, drive() comes when it may be tried again.
 */
uint64_t fabric_lane_pull(struct fabric_proto *proto, enum fabric_lane_kind kind, uint32_t seq,
			  uint64_t asked, uint64_t size);
const char *fabric_lane_data(struct fabric_proto *proto, const struct fabric_head *head,
			     struct fabric_rx **rx);

static inline struct fabric_call *fabric_call_at(struct fabric_proto *proto, uint32_t at)
{
	return &proto->calls[at % FABRIC_CALLS];
}

/* fabric_answer.c */
const char *fabric_answer_pull(struct fabric_proto *proto, const struct fabric_head *head,
			       struct fabric_rx **rx);
const char *fabric_answer_result(struct fabric_proto *proto, const struct fabric_head *head,
				 struct fabric_rx **rx);
/* Bytes that the peer has asked for. */
void fabric_answer_push(struct fabric_proto *proto);
/* Engine's thread: what has been read, to its place. */
void fabric_answer_absorb(struct fabric_proto *proto);
/* Would answered() say true of the oldest one? */
bool fabric_answer_is_over(const struct fabric_proto *proto);

/* fabric_serve.c */
const char *fabric_serve_arrive(struct fabric_proto *proto, const struct fabric_head *head,
				struct fabric_rx **rx);
/* Carries out what can be. */
void fabric_serve(struct fabric_proto *proto);
void fabric_serve_drop_all(struct fabric_proto *proto);

/* fabric_proto.c. The next message can never be received: tells the peer, which closes the link, so
 * that it surely learns why. */
void fabric_proto_break(struct fabric_proto *proto);

/* fabric_message.c */
const char *fabric_message_arrive(struct fabric_proto *proto, const struct fabric_head *head,
				  struct fabric_rx **rx);
/* The message of a write with immediate that is the next request. */
const char *fabric_message_notice(struct fabric_proto *proto, const struct fabric_head *head);
/* There is one that a receive may take. */
static inline bool fabric_message_is_ready(const struct fabric_proto *proto)
{
	return proto->messages_done != proto->messages_arrived &&
	       proto->requests_done >=
		       proto->messages[proto->messages_done % FABRIC_MESSAGES].after;
}

/* Engine's thread: one message to its receive. False: there is none, or not all of it. */
bool fabric_message_take(struct fabric_proto *proto, struct fabric_delivery *delivery);
bool fabric_message_pending(const struct fabric_proto *proto);
void fabric_message_drop_all(struct fabric_proto *proto);

#endif
