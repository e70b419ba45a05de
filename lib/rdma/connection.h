/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connection: one end of a connection of an RDMA context, whatever carries it.
 *
 * Owner: its context, until that is destroyed; the handle is the user's from export, or from its
 * first callback, to the stop of the context. The memory of a dead one is kept and used again by a
 * later one, so that an old handle can be looked at. Thread: the engine's; what a back end shares
 * with other threads it keeps in its own part.
 *
 * Ends: the context stops, or the user rejects it (DEAD, tasks get SHUTDOWN); the peer ends, dies
 * or lies, the user disconnects, time is over (FAILED or DISCONNECTED, tasks get `status` one by
 * one through poll, then the user's callback). A failed one keeps its place until the context stops
 * or a new one finds no other.
 *
 *   by export             EXPORTED -> CONNECTING -> CONNECTED
 *   by address, client                CONNECTING -> CONNECTED
 *   by address, server   REQUESTED -> CONNECTING -> CONNECTED
 */
#ifndef SDPU_RDMA_CONNECTION_H
#define SDPU_RDMA_CONNECTION_H

#include "bus/deadline.h"
#include "rdma/address.h"
#include "rdma/blob.h"
#include "rdma/listen.h"
#include "rdma/op.h"
#include "rdma/rdma.h"

struct rdma_backend;
struct rdma_local;
struct rdma_fabric;

enum rdma_connection_state {
	RDMA_CONNECTION_DEAD,	      /* nobody's; the memory waits for a new one */
	RDMA_CONNECTION_EXPORTED,     /* waits for doca_rdma_connect() */
	RDMA_CONNECTION_REQUESTED,    /* waits for the user to accept or reject */
	RDMA_CONNECTION_CONNECTING,   /* waits for the peer */
	RDMA_CONNECTION_CONNECTED,    /* operations act */
	RDMA_CONNECTION_FAILED,	      /* did not come up; tasks fail */
	RDMA_CONNECTION_DISCONNECTED, /* was up; tasks fail */
};

/* Since it was made; for watchers (sdpu_count). Bytes are those of messages, reads and writes. */
struct rdma_traffic {
	uint64_t submitted; /* operations */
	uint64_t completed;
	uint64_t failed;
	uint64_t sent_messages;
	uint64_t sent_bytes;
	uint64_t received_messages;
	uint64_t received_bytes;
};

struct doca_rdma_connection {
	/* Data path. */
	struct doca_rdma *rdma;
	const struct rdma_backend *backend; /* from REQUESTED or CONNECTING on; NULL: nobody's */
	struct rdma_local *local;	    /* the local back end's part, until close */
	struct rdma_fabric *fabric;	    /* the fabric's */
	enum rdma_connection_state state;
	bool announce;		   /* the request or established callback is due, before all else */
	uint32_t peer_permissions; /* of the peer's context, as a responder */
	struct sdpu_task_queue waiting; /* the send queue: only the first one acts */
	struct sdpu_task_queue begun;	/* acted, in order; complete in order */
	struct sdpu_source source;
	struct sdpu_list hungry; /* in rdma->hungry */
	struct rdma_traffic traffic;
	/* The rest. */
	struct sdpu_list node; /* in rdma->connections */
	uint32_t id;
	doca_error_t status;	       /* of tasks, once it has failed */
	bool told;		       /* the user knows that it has failed */
	bool attempt;		       /* one of addr->attempts, until the user knows the outcome */
	struct doca_rdma_addr *addr;   /* the peer's, held; NULL: by export */
	struct sdpu_deadline deadline; /* of CONNECTING, by address */
	union doca_data user_data;
	struct sdpu_stats stats;	      /* while it is not DEAD */
	pid_t peer;			      /* of a local one that is joined; else 0 */
	char peer_address[RDMA_ADDRESS_TEXT]; /* for watchers; by export: empty */
	struct rdma_blob own;
	size_t details_len;
	uint8_t details[RDMA_BLOB_MAX]; /* own, encoded: the user's to read */
};

/* connection_pool.c. A dead one for the caller to move on; at the limit one that has failed and has
 * no tasks left gives up its place. FULL, NO_MEMORY. */
doca_error_t rdma_connection_alloc(struct doca_rdma *rdma,
				   struct doca_rdma_connection **connection);
/* Frees all; the context is IDLE and being destroyed. */
void rdma_connection_free_all(struct doca_rdma *rdma);

/* Of zeroed memory: how it is polled. */
void rdma_connection_init(struct doca_rdma_connection *connection);
/* The only place that changes the state. */
void rdma_connection_move(struct doca_rdma_connection *connection, enum rdma_connection_state next);
/*
 * For back ends: a client asks. The connection is REQUESTED and polled from now on; the user is
 * told by a later poll, and the back end gives it its part before that. `from`: the client's
 * address, as far as it is known. FULL (logged), NO_MEMORY: to be refused.
 */
doca_error_t rdma_connection_request(struct rdma_listener *listener,
				     const struct rdma_backend *backend,
				     const struct rdma_address *from,
				     struct doca_rdma_connection **connection);
/* Gives a dead one, for the user's attempt, its address and the time that it has. Not yet
 * polled. */
void rdma_connection_attempt(struct doca_rdma_connection *connection, struct doca_rdma_addr *addr);
/* Undoes rdma_connection_attempt() before the connection has begun to connect. */
void rdma_connection_forget(struct doca_rdma_connection *connection);
/* Limits the time of CONNECTING to what the context allows. */
void rdma_connection_limit_time(struct doca_rdma_connection *connection);

/* Of this context, and not dead? For handles that the user passes. */
static inline bool rdma_connection_is_of(const struct doca_rdma_connection *connection,
					 const struct doca_rdma *rdma)
{
	return connection != NULL && connection->rdma == rdma &&
	       connection->state != RDMA_CONNECTION_DEAD;
}

/* To CONNECTING: polled from now on. */
void rdma_connection_begin(struct doca_rdma_connection *connection,
			   const struct rdma_backend *backend);
/* CONNECTING -> CONNECTED; by address, the user is told by a later poll, before anything else of
 * it. chill and bit as in struct sdpu_source. */
void rdma_connection_up(struct doca_rdma_connection *connection,
			void (*chill)(struct sdpu_source *source, bool cold), uint32_t bit);
/* Registers it with the engine, perhaps anew; chill and bit as above. */
void rdma_connection_poll_as(struct doca_rdma_connection *connection,
			     void (*chill)(struct sdpu_source *source, bool cold), uint32_t bit);
/* Fails it for good: what it has of tasks ends with `status`, through poll. Calls no user callback.
 */
void rdma_connection_fail(struct doca_rdma_connection *connection, doca_error_t status);
/* Tasks end with SHUTDOWN, the connection is DEAD, the user is told nothing. */
void rdma_connection_end(struct doca_rdma_connection *connection);

/* connection_queue.c, data path. Takes a submitted operation over; it acts at once when it is
 * first. */
doca_error_t rdma_connection_submit(struct doca_rdma_connection *connection, struct rdma_op *op);
/* For polls of back ends. Each returns whether it did something; complete delivers, a few in a row,
 * as its last act. */
bool rdma_connection_complete(struct doca_rdma_connection *connection);
bool rdma_connection_advance(struct doca_rdma_connection *connection);
/* Marks what the peer has answered, though the program stops before it is told. */
void rdma_connection_take_answers(struct doca_rdma_connection *connection);

#endif
