/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Producer: a FIFO of sends, each to a consumer of the peer.
 *
 * Owner: the user; thread: its own engine's, which need not be the connection's. It holds a
 * reference to the connection's memory. Nothing on the path of a send allocates, locks, logs, or
 * makes a system call (but the cross-memory copy itself).
 *
 * A send claims a posted receive at submit (AGAIN when there is none, so that AGAIN is exact and
 * clears without progress). Then its payload is moved and the entry published; moves longer than a
 * chunk are continued by the engine, and later sends of the same producer wait behind them in
 * `moving`.
 *
 * A send whose consumer closes while it is published waits there, too, until the consumer has said
 * what it took: what is delivered succeeds, and nothing else does. The consumer says so before its
 * stop returns; one that does not keeps the send waiting until the connection ends, or the producer
 * has been STOPPING for a while.
 *
 * Ends: stop lets moves end, then IDLE. Peer's death: moves fail, submits are refused.
 */
#ifndef SDPU_COMCH_PRODUCER_H
#define SDPU_COMCH_PRODUCER_H

#include <doca_comch_producer.h>

#include "comch/connection.h"
#include "comch/remote.h"
#include "comch/way.h"
#include "core/ctx.h"
#include "core/pe.h"

enum comch_send_stage {
	COMCH_SEND_CLAIMED,
	COMCH_SEND_STAGING, /* goes through staging blocks, as long as there are any */
	COMCH_SEND_COPYING, /* a chunk of its payload has moved */
	COMCH_SEND_IN_DOUBT /* published as its consumer closed, which will say whether it took it
			     */
};

struct doca_comch_producer_task_send {
	struct doca_task base;
	const struct doca_buf *buf;
	uint32_t consumer_id;
	uint32_t imm_len;
	uint8_t imm[COMCH_FAST_IMM_MAX];
	/* While submitted. */
	struct comch_remote *remote; /* the producer's reference */
	struct comch_claim claim;
	struct iovec local;
	struct sdpu_copy copy;
	size_t staged; /* bytes that went out in parts */
	enum comch_send_stage stage;
	uint64_t position; /* of its entry, in doubt */
};

/* Where it sends to: a connection, or a MsgQ (msgq_producer.h), whose producers embed this one. */
struct comch_producer_kind {
	const struct sdpu_task_ops *send; /* NULL: it has no tasks */
	bool buffers;			  /* sends may have one */
	/* At its end, IDLE already: out of the registry, and freed. */
	void (*leave)(struct doca_comch_producer *producer);
};

/* What the log tells of refused sends once, until a send is accepted: programs try again. */
enum comch_told {
	COMCH_TOLD_AGAIN,
	COMCH_TOLD_ENDED,
	COMCH_TOLD_ABSENT,
	COMCH_TOLD_NOBODY,
	COMCH_TOLD_IMM,
	COMCH_TOLD_RELEASED,
	COMCH_TOLD_LIST,
	COMCH_TOLD_FOREIGN,
	COMCH_TOLD_DEVICE,
	COMCH_TOLD_EMPTY,
	COMCH_TOLD_NOTHING,
	COMCH_TOLD_LONG
};

struct doca_comch_producer {
	struct doca_ctx ctx;
	const struct comch_producer_kind *kind;
	struct comch_member member; /* on a MsgQ: its id only */
	struct doca_comch_connection *connection;
	struct sdpu_task_pool sends;
	struct sdpu_source source;
	struct sdpu_task_queue moving;
	/* Remotes that we have used, the last one in front. */
	struct comch_remote *last;
	struct comch_remote **used;
	uint32_t num_used;
	uint32_t max_used;
	uint32_t remotes_seen; /* connection->remotes_changed when `used` was swept last */
	const struct doca_mmap *checked; /* the mmap that the last source buffer came from */
	uint32_t checked_stops;		 /* sdpu_mmap_stops then */
	uint64_t messages;		 /* published; for watchers (sdpu_count) */
	uint64_t bytes;			 /* of these */
	struct comch_way way;		 /* of long messages, to all consumers together */
	uint32_t last_ticks;		 /* idle progresses of the engine at the last send */
	bool streams;			 /* the last send that went by steps came at once */
	uint32_t again;			 /* refusals in a row */
	uint64_t again_since;
	uint32_t told;	  /* since a send was accepted: a bit for each enum comch_told */
	uint32_t refused; /* by this consumer as a second producer, which was told; 0: none */
};

/* producer_send.c */
doca_error_t comch_producer_submit(struct doca_task *base);
/* producer_move.c */
/* Continues the first move by one chunk; false when there is none. */
bool comch_producer_move(struct doca_comch_producer *producer);
/* There is a first move, and looking at it is worth while without waiting. */
bool comch_producer_may_move(const struct doca_comch_producer *producer);

/* producer_remotes.c: the remote with this id, or NULL. Locks only the first time that it is used.
 */
struct comch_remote *comch_producer_remote(struct doca_comch_producer *producer, uint32_t id);
/* Lets go of expired ones, or of all. None may be in use by a move. */
void comch_producer_sweep(struct doca_comch_producer *producer, bool all);

/* producer_explain.c: logs why a send was refused, if it is new, and answers `result`. */
SDPU_COLD doca_error_t comch_producer_explain(struct doca_comch_producer *producer,
					      const struct doca_comch_producer_task_send *task,
					      doca_error_t result);

/* Is this to be told? True once, until a send is accepted. */
static inline bool comch_producer_tells(struct doca_comch_producer *producer, enum comch_told what)
{
	bool is_new = !(producer->told & 1u << what);

	producer->told |= 1u << what;
	return is_new;
}

/*
 * producer_again.c: a program that has got AGAIN for a second is told once what is missing. True:
 * now. After an accepted send it begins anew.
 */
bool comch_producer_again(struct doca_comch_producer *producer);
void comch_producer_note_again(struct doca_comch_producer *producer,
			       const struct comch_remote *remote);
static inline void comch_producer_not_again(struct doca_comch_producer *producer)
{
	producer->again = 0;
	producer->told = 0;
}

#endif
