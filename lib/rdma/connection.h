/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connection: one end of a connection of an RDMA context, whatever carries it.
 *
 * Owner: its context, until that is destroyed; the handle is the user's from export to the stop of
 * the context. The memory of a dead one is kept and used again by a later export, so that an old
 * handle can be looked at. Thread: the engine's; what a back end shares with other threads it keeps
 * in its own part.
 *
 * Ends: the context stops (DEAD, tasks get SHUTDOWN); the peer ends, dies or lies (FAILED or
 * DISCONNECTED, tasks get `status` one by one through poll, then the user's callback). A failed one
 * keeps its place until the context stops or an export finds no other.
 */
#ifndef SDPU_RDMA_CONNECTION_H
#define SDPU_RDMA_CONNECTION_H

#include "rdma/blob.h"
#include "rdma/op.h"
#include "rdma/rdma.h"

struct rdma_backend;
struct rdma_local;

enum rdma_connection_state {
	RDMA_CONNECTION_DEAD,	      /* nobody's; the memory waits for an export */
	RDMA_CONNECTION_EXPORTED,     /* waits for doca_rdma_connect() */
	RDMA_CONNECTION_CONNECTING,   /* waits for the peer's doca_rdma_connect() */
	RDMA_CONNECTION_CONNECTED,    /* operations act */
	RDMA_CONNECTION_FAILED,	      /* did not come up; tasks fail */
	RDMA_CONNECTION_DISCONNECTED, /* was up; tasks fail */
};

struct doca_rdma_connection {
	/* Data path. */
	struct doca_rdma *rdma;
	const struct rdma_backend *backend; /* from CONNECTING on */
	struct rdma_local *local;	    /* the local back end's part, from export to close */
	enum rdma_connection_state state;
	uint32_t peer_permissions;	/* of the peer's context, as a responder */
	struct sdpu_task_queue waiting; /* the line: only the first one acts */
	struct sdpu_task_queue begun;	/* acted, in order; complete in order */
	struct sdpu_source source;
	struct sdpu_list hungry; /* in rdma->hungry */
	/* The rest. */
	struct sdpu_list node; /* in rdma->connections */
	uint32_t id;
	doca_error_t status; /* of tasks, once it has failed */
	bool told;	     /* the user knows that it has failed */
	union doca_data user_data;
	struct rdma_blob own;
	size_t details_len;
	uint8_t details[RDMA_BLOB_MAX]; /* own, encoded: the user's to read */
};

/* A dead one for the caller to make EXPORTED; at the limit one that has failed and has no tasks
 * left gives up its place. FULL, NO_MEMORY. */
doca_error_t rdma_connection_alloc(struct doca_rdma *rdma,
				   struct doca_rdma_connection **connection);
/* The only place that changes the state. */
void rdma_connection_move(struct doca_rdma_connection *connection, enum rdma_connection_state next);
/* Frees all; the context is IDLE and being destroyed. */
void rdma_connection_bury(struct doca_rdma *rdma);

/* Of this context, and not dead? For handles that the user passes. */
static inline bool rdma_connection_is_of(const struct doca_rdma_connection *connection,
					 const struct doca_rdma *rdma)
{
	return connection != NULL && connection->rdma == rdma &&
	       connection->state != RDMA_CONNECTION_DEAD;
}

/* EXPORTED -> CONNECTING: polled from now on. */
void rdma_connection_begin(struct doca_rdma_connection *connection,
			   const struct rdma_backend *backend);
/* CONNECTING -> CONNECTED. chill and bit as in struct sdpu_source. */
void rdma_connection_up(struct doca_rdma_connection *connection,
			void (*chill)(struct sdpu_source *source, bool cold), uint32_t bit);
/* Fails it for good: what it has of tasks ends with `status`, through poll. Calls no user callback.
 */
void rdma_connection_fail(struct doca_rdma_connection *connection, doca_error_t status);
/* The context stops: tasks end with SHUTDOWN, the connection is DEAD. */
void rdma_connection_end(struct doca_rdma_connection *connection);

/* Data path. Takes a submitted operation over; acts at once when it is first. */
void rdma_connection_submit(struct doca_rdma_connection *connection, struct rdma_op *op);
/* For polls of back ends. Each returns whether it did something; complete delivers as its last act.
 */
bool rdma_connection_complete(struct doca_rdma_connection *connection);
bool rdma_connection_advance(struct doca_rdma_connection *connection);

#endif
