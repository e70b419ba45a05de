/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Local back end: both ends on one machine. Messages go through rings in a shared segment
 * (local_ring.h), remote memory is reached through memory windows by who asks, so that the other
 * end's threads are never needed.
 *
 * Owner: the connection, from export to close. Thread: the engine's, except the entry point (agent,
 * under the table's lock) and the flags of control connection and channel. Ends with the
 * connection; when the peer dies or closes, what it sent before is taken as far as receives are
 * posted, then the connection fails.
 *
 *   exported    entry point only
 *   requested   the client that has dialled, on a connection that tells of its death
 *   connecting  caller: control connection with our call, segment; other end: one that
 *               tells of the peer's death
 *   connected   channel, rings, grants and reaches for long messages
 */
#ifndef SDPU_RDMA_LOCAL_H
#define SDPU_RDMA_LOCAL_H

#include "bus/channel.h"
#include "rdma/backend.h"
#include "rdma/local_control.h"
#include "rdma/local_ring.h"
#include "rdma/local_table.h"
#include "rdma/receive.h"

/* A window of ours that the peer was given, for long messages out of it. */
struct local_grant {
	struct sdpu_grant *grant; /* NULL: unused */
	uint8_t key[SDPU_KEY_SIZE];
	uint64_t until; /* of all messages ever sent, this one and those before may name it */
};

/* A long message on its way: fetched by us out of the peer's windows. */
struct local_pull {
	struct doca_rdma_task_receive *task; /* NULL: none */
	struct local_pieces pieces;	     /* private copy */
	uint32_t next;			     /* piece */
	struct local_label label;
	bool copying;
	struct sdpu_copy copy;
};

struct rdma_local {
	/* Data path. */
	SDPU_CACHE_ALIGNED struct sdpu_channel channel;
	struct local_tx tx;
	struct local_rx rx;
	uint32_t last_ticks; /* idle progresses of the engine at the last message sent */
	struct local_pull pull;
	struct local_grant grants[LOCAL_GRANTS];
	uint32_t last_grant;
	struct sdpu_reach *reaches[LOCAL_GRANTS];
	/* Joining. */
	struct local_entry_point point;
	struct local_control control;
	struct local_caller *caller; /* REQUESTED: the client; control has its socket */
	struct sdpu_segment segment; /* caller's, until the channel has it */
	uint32_t bit;
	bool has_bit; /* taken and not yet the channel's */
};

/* local.c: the part that open makes, without a way in. NO_MEMORY. */
doca_error_t local_make(struct doca_rdma_connection *connection);

/* local_connect.c */
doca_error_t local_connect(struct doca_rdma_connection *connection, const struct rdma_blob *peer);
/* Goes on with joining; as a poll. */
bool local_join_poll(struct doca_rdma_connection *connection);
bool local_join_pending(const struct doca_rdma_connection *connection);
/* Takes what both ends need to be joined; and gives back what joining holds. */
doca_error_t local_join_prepare(struct doca_rdma_connection *connection);
void local_join_abandon(struct doca_rdma_connection *connection);
/* CALL or DIAL: makes the segment and the control connection. NOT_FOUND: nobody is there, or too
 * busy; CONNECTION_ABORTED: no memory for it. Both are logged; abandon it. */
doca_error_t local_call(struct doca_rdma_connection *connection, enum local_hello_kind kind,
			const char *endpoint, const uint8_t to[RDMA_COOKIE_SIZE]);
/* Joins the end that was called, and has answered; the caller is taken over. On failure the
 * connection has failed. */
void local_join_caller(struct doca_rdma_connection *connection, struct local_caller *caller);

/* The client of a request, with its socket: it is answered now. */
struct local_caller *local_request_take(struct rdma_local *local);

/* local_listen.c, local_address.c */
doca_error_t local_listen(struct rdma_listener *listener);
void local_unlisten(struct rdma_listener *listener);
doca_error_t local_dial(struct doca_rdma_connection *connection, const struct rdma_address *to);
doca_error_t local_accept(struct doca_rdma_connection *connection, const void *private_data,
			  uint8_t len);
void local_reject(struct doca_rdma_connection *connection);

/* local_send.c, local_memory.c, local_atomic.c: steps of operations */
enum rdma_step local_send(struct doca_rdma_connection *connection, struct rdma_op *op);
enum rdma_step local_access(struct doca_rdma_connection *connection, struct rdma_op *op);
enum rdma_step local_atomic(struct doca_rdma_connection *connection, struct rdma_op *op);
/* Tells the peer of a write that is done. */
enum rdma_step local_send_notice(struct doca_rdma_connection *connection, struct rdma_op *op);

/* local_receive.c. One message, or a step of one; delivering is the last act. `ready` as read
 * before mail was looked for. */
bool local_receive(struct doca_rdma_connection *connection, bool ready);
/* Tells the peer what was taken. */
void local_settle(struct doca_rdma_connection *connection);
/* Gives up a message in the midst; its receive is posted again. */
void local_receive_abandon(struct doca_rdma_connection *connection);

/*
 * local_grant.c. Name of the window for the peer, which has been told it when it is used first (the
 * slow path). AGAIN: not now. `until`: number of the message that will name it.
 */
doca_error_t local_grant_name(struct rdma_local *local, struct sdpu_window *window, uint64_t until,
			      uint32_t *id);
/* Reads one record of the peer's. INVALID_VALUE: it lies. */
doca_error_t local_grant_read(struct rdma_local *local);
void local_grant_end_all(struct rdma_local *local);

/* The peer wrote nonsense, or its message cannot be fetched: the connection fails with `status`. */
void local_break(struct doca_rdma_connection *connection, doca_error_t status);

#endif
