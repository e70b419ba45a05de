/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Back end: what carries connections to peers of one kind. Every back end takes part in an export,
 * and listens; which of them carries the connection is decided when the peer's details are there,
 * or by the first that knows somebody at an address. SOFTDPU_RDMA=local|fabric leaves but one.
 *
 * All slots are called in the engine's thread, hold no lock of ours, and must not block, but where
 * said. NO_MEMORY is for the caller to log. None calls the user, but poll as its last act. Whoever
 * joins two ends logs once, at INFO, to whom the connection leads and over what. Conformance:
 * tests/rdma, which run against every back end.
 */
#ifndef SDPU_RDMA_BACKEND_H
#define SDPU_RDMA_BACKEND_H

#include "rdma/connection.h"

struct rdma_backend {
	const char *name;
	/* By which its connections go, for who looks; in the agent's thread, takes no lock. NULL:
	 * by nothing else. */
	const char *(*carrier)(void);
	/* Makes the connection findable, and adds to its `own` what a peer needs.
	 * CONNECTION_ABORTED, NO_MEMORY: nothing is kept. */
	doca_error_t (*open)(struct doca_rdma_connection *connection);
	/*
	 * Undoes open and all since; tells the peer. Nobody else touches the connection and memory
	 * of its tasks afterwards; the tasks stay in their queues, a receive in the making goes
	 * back to the context. May wait for a peer in the midst of a copy (100 ms). Harmless when
	 * not open.
	 */
	void (*close)(struct doca_rdma_connection *connection);
	/* Can it carry a connection to the peer of these details? */
	bool (*reaches)(const struct rdma_blob *own, const struct rdma_blob *peer);
	/*
	 * Begins to join; on success calls rdma_connection_begin(), and rdma_connection_up() now or
	 * in poll. CONNECTION_ABORTED (logged): nobody there; NO_MEMORY. Then all is as before. May
	 * wait for a busy peer process (2 s).
	 */
	doca_error_t (*connect)(struct doca_rdma_connection *connection,
				const struct rdma_blob *peer);

	/* A port of a context, whose requests become connections by rdma_connection_request(), in
	 * the engine's thread. Fills its part of the listener. CONNECTION_ABORTED (logged),
	 * NO_MEMORY. */
	doca_error_t (*listen)(struct rdma_listener *listener);
	/* Ends that; requests that have no connection yet are refused. Harmless without a part. */
	void (*unlisten)(struct rdma_listener *listener);
	/*
	 * Begins to connect a client to `to`; on success calls rdma_connection_begin(), and
	 * rdma_connection_up() or rdma_connection_fail() in poll. What takes too long is ended by
	 * connection.c. NOT_FOUND: it knows nobody there, the next one is asked; else
	 * CONNECTION_ABORTED (logged), NO_MEMORY. In all cases all is as before. May wait for a
	 * busy peer process (2 s).
	 */
	doca_error_t (*dial)(struct doca_rdma_connection *connection,
			     const struct rdma_address *to);
	/*
	 * REQUESTED. On success calls rdma_connection_begin(), and rdma_connection_up() now or in
	 * poll. CONNECTION_ABORTED: the client has gone away; NO_MEMORY. It is still REQUESTED.
	 */
	doca_error_t (*accept)(struct doca_rdma_connection *connection, const void *private_data,
			       uint8_t len);
	/* REQUESTED: tells the client; close follows. */
	void (*reject)(struct doca_rdma_connection *connection);

	/* REQUESTED to CONNECTED: one event at most, as in struct sdpu_source. A client that goes
	 * away is told by rdma_connection_fail(). */
	bool (*poll)(struct doca_rdma_connection *connection);
	bool (*pending)(const struct doca_rdma_connection *connection);
	/* CONNECTED: as in struct sdpu_source. */
	void (*settle)(struct doca_rdma_connection *connection);
	/* CONNECTED, op is first in the send queue: one step. Data path: no allocation, lock, log
	 * or system call beyond the copy itself. */
	enum rdma_step (*act)(struct doca_rdma_connection *connection, struct rdma_op *op);
	/* The user has freed op, which was found good, and is somewhere on its way: lets go of the
	 * memory of both sides, which may be gone afterwards. NULL: nothing holds it. */
	void (*cancel)(struct rdma_op *op);
	/* Has the peer answered the oldest one of those SENT, which is op? Then its answer is
	 * consumed and base.status set. */
	bool (*answered)(struct doca_rdma_connection *connection, struct rdma_op *op);
};

extern const struct rdma_backend rdma_local;
extern const struct rdma_backend rdma_fabric;

/* Has SOFTDPU_RDMA left no other? */
bool rdma_backend_is_only(const struct rdma_backend *backend);

/*
 * backend.c: of those that SOFTDPU_RDMA leaves. open and listen undo what they did when they fail:
 * open when one does, listen when the best one does, or memory is short. choose answers NULL when
 * nobody reaches the peer, dial NOT_FOUND when nobody knows it.
 */
doca_error_t rdma_backend_open_all(struct doca_rdma_connection *connection);
void rdma_backend_close_all(struct doca_rdma_connection *connection);
const struct rdma_backend *rdma_backend_choose(const struct rdma_blob *own,
					       const struct rdma_blob *peer);
doca_error_t rdma_backend_listen_all(struct rdma_listener *listener);
void rdma_backend_unlisten_all(struct rdma_listener *listener);
doca_error_t rdma_backend_dial(struct doca_rdma_connection *connection,
			       const struct rdma_address *to);

#endif
