/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Back end: what carries connections to peers of one kind. Every back end takes part in an export;
 * which of them carries the connection is decided when the peer's details are there.
 *
 * All slots are called in the engine's thread, hold no lock of ours, and must not block, but where
 * said. None calls the user, but poll as its last act. Conformance: tests/rdma, which run against
 * every back end.
 */
#ifndef SDPU_RDMA_BACKEND_H
#define SDPU_RDMA_BACKEND_H

#include "rdma/connection.h"

struct rdma_backend {
	const char *name;
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
	 * in poll. CONNECTION_ABORTED (logged): nobody there; all is as before. May wait for a busy
	 * peer process (2 s).
	 */
	doca_error_t (*connect)(struct doca_rdma_connection *connection,
				const struct rdma_blob *peer);
	/* CONNECTING and CONNECTED: one event at most, as in struct sdpu_source. */
	bool (*poll)(struct doca_rdma_connection *connection);
	bool (*pending)(const struct doca_rdma_connection *connection);
	/* CONNECTED: as in struct sdpu_source. */
	void (*settle)(struct doca_rdma_connection *connection);
	/* CONNECTED, op is first in line: one step. Data path: no allocation, lock, log or system
	 * call beyond the copy itself. */
	enum rdma_step (*act)(struct doca_rdma_connection *connection, struct rdma_op *op);
	/* Has the peer answered the oldest one of those SENT, which is op? Then its answer is
	 * consumed and base.status set. */
	bool (*answered)(struct doca_rdma_connection *connection, struct rdma_op *op);
};

extern const struct rdma_backend rdma_local;

/* backend.c: for export, end and connect. open undoes what it did when one fails; choose answers
 * NULL when nobody reaches the peer. */
doca_error_t rdma_backend_open_all(struct doca_rdma_connection *connection);
void rdma_backend_close_all(struct doca_rdma_connection *connection);
const struct rdma_backend *rdma_backend_choose(const struct rdma_blob *own,
					       const struct rdma_blob *peer);

#endif
