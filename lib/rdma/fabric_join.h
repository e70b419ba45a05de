/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Joining: from a control connection to a link. The end that calls (of two exported connections the
 * one with the smaller cookie, or the client) reaches the other end's process on one of its
 * addresses, says what it wants, and waits until the other program has connected or accepted; then
 * it is told where the other end offers its endpoint. The end that is called watches the caller's
 * process on a connection of its own until then, so that it learns of its death.
 *
 * Owner: the connection's fabric part. Thread: the progress thread's, under the port's lock; the
 * engine's begins it, and reads state, why, peer and permissions. Ends as DONE or FAILED, or when
 * it is abandoned; the link is the owner's.
 */
#ifndef SDPU_RDMA_FABRIC_JOIN_H
#define SDPU_RDMA_FABRIC_JOIN_H

#include "rdma/fabric_acceptor.h"
#include "rdma/fabric_endpoint.h"

enum fabric_join_state {
	FABRIC_JOIN_NONE,
	FABRIC_JOIN_ASKING,   /* waits for the peer's process to say that it knows us */
	FABRIC_JOIN_PARKED,   /* waits for the peer's program */
	FABRIC_JOIN_ANSWERED, /* endpoints are being joined */
	FABRIC_JOIN_DONE,
	FABRIC_JOIN_FAILED,
};

struct fabric_join {
	struct fabric_link *link;
	enum fabric_join_state state;
	doca_error_t why;	   /* FAILED: NO_MEMORY is ours, other codes are for the user */
	const char *fault;	   /* the same in words */
	bool reached;		   /* a process of ours has answered, be it to refuse */
	uint32_t peer_permissions; /* DONE */
	uint32_t pid;		   /* of the peer */
	struct rdma_address peer;  /* where it was found, or came from */
	/* Private. */
	struct fabric_hello hello;  /* what we say; permissions, cookies */
	struct fabric_entry *entry; /* where the caller comes; NULL: nobody is to */
	uint32_t seen;		    /* of those who came there */
	bool is_expected;	    /* PARKED: the peer's program has connected */
	struct fabric_control control;
	struct rdma_address to[RDMA_BLOB_ADDRESSES];
	uint32_t num_to, next_to;
	uint64_t until; /* this address, or the endpoints */
	uint64_t limit; /* all addresses */
};

/* Of zeroed memory. The link is JOINING. `own`: permissions of our context, and the cookies of both
 * connections, if they were exported. */
void fabric_join_open(struct fabric_join *join, struct fabric_link *link,
		      const struct fabric_hello *own);
/* Calls (kind as in fabric_hello.h) at one of the addresses, within `ms` if that is not 0. */
void fabric_join_call(struct fabric_join *join, enum fabric_hello_kind kind,
		      const struct rdma_address *to, uint32_t num, uint32_t ms);
/* Expects the peer's connection to come to the entry. */
void fabric_join_expect(struct fabric_join *join, struct fabric_entry *entry);
/* Answers a caller, whom it takes over. NO_MEMORY: it does not, and the caller may be answered
 * later, over another link. */
doca_error_t fabric_join_answer(struct fabric_join *join, struct fabric_caller *caller,
				const void *private_data, uint8_t len);
/* Gives back what it holds, but the link. */
void fabric_join_close(struct fabric_join *join);

/* Waits, engine's thread, until the peer's process has answered; and if its program had connected
 * before, until the ends are joined. Not beyond the time of the call. */
void fabric_join_wait(struct fabric_join *join);
/* The link has come up. */
void fabric_join_done(struct fabric_join *join);
/* Thread: goes on as far as it can. Returns when it is to be called again. */
uint64_t fabric_join_step(struct fabric_join *join, uint64_t now);

#endif
