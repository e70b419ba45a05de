/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Protocol: what one end of an RDMA connection does with the frames of its link (fabric_wire.h).
 * Our operations become messages and requests; the peer's requests are carried out on the memory
 * that this process has exported, and its messages go to posted receives.
 *
 * Owner: the connection's fabric part, in which it is embedded beside its link; the memory behind
 * it is made by fabric_proto_open(). What links of one context share is in fabric_proto_port, which
 * is embedded in their port.
 *
 * Threads. All of it lies under the port's lock, and is driven by whoever drives the port: the
 * engine's thread, or the progress thread while the program does not poll. So that the latter need
 * not know what the user does meanwhile:
 *
 *   - tasks, posted receives, bufs and contexts are touched in the engine's thread only. Of an
 *     operation the other thread reads `vec`, `kind` and `remote`, which do not change from act to
 *     answered, and nothing else;
 *   - the user's memory is written in the engine's thread only: what was pulled or read waits in
 *     staging until the engine polls. How much there may be of it is bounded by what we ask for;
 *   - the user's memory is read in the engine's thread, or by the kernel (sdpu_own_copy, and system
 *     calls of the link: frames from 16 KiB on stay where they are): a task may have been freed,
 * and its memory with it. Once the protocol knows that, it gets zeros for what is gone; a frame
 * that was under way then costs the connection;
 *   - exported memory is reached through windows (fabric_reach.h), in either thread.
 *
 * No user callback is ever called with the lock held, nor from the progress thread.
 *
 * Memory. Short frames are copied out of the port's staging when they come, into places that the
 * link has for as many as there may be. Long ones come only when they were asked for, or when there
 * was credit; they stay in staging while the port has enough of it (FABRIC_HELD for all its links),
 * and are copied into places of the link as well when it has not. So there is always room for the
 * next frame, two ends that flood each other never wait for each other, and a peer that is stopped
 * keeps nothing from others. Memory of a link that is not needed is not touched.
 *
 * Ends: fabric_proto_close(), after the link was closed; or the link's down(), upon which the
 * engine's poll takes what came before as far as receives are posted, and fails the connection. A
 * peer that sends what it may not is logged, and its link ends with CONNECTION_ABORTED.
 */
#ifndef SDPU_RDMA_FABRIC_PROTO_H
#define SDPU_RDMA_FABRIC_PROTO_H

#include <pthread.h>

#include "core/mmap.h"
#include "rdma/connection.h"
#include "rdma/fabric_wire.h"
#include "rdma/receive.h"

#define FABRIC_PULLED 4u /* frames of a lane that were asked for */
#define FABRIC_EAGER 16u /* long frames without being asked for */
#define FABRIC_BULKS 4u	 /* send staging of a link */
#define FABRIC_CALLS 64u /* operations that are under way, or not yet told of */
#define FABRIC_SENDS 64u /* frames whose bytes the link reads */
#define FABRIC_HELD 12u	 /* frames that stay in the staging of a port */
_Static_assert(FABRIC_HELD < FABRIC_STAGING, "one can always come");

/* Of a context. Owner: its port; zeroed memory is closed. */
struct fabric_proto_port {
	/* The port's: all is touched with it held. */
	pthread_mutex_t *lock;
	/* Somebody shall take the lock and call fabric_proto_port_drive() soon. From any thread,
	 * without the lock; must not block. */
	void (*kick)(struct fabric_proto_port *port);
	bool by_thread;		  /* it has the lock: the engine must be told what there is */
	uint32_t held;		  /* frames that are kept in staging */
	struct sdpu_list waiting; /* protocols that wait for a way to memory */
	struct sdpu_list reaches; /* fabric_reach.h */
	uint32_t stops;		  /* sdpu_mmap_stops when they were looked at */
	uint32_t looking;	  /* of these, how many are being opened */
};

/* A payload of the peer's, for later. */
struct fabric_kept {
	const uint8_t *bytes; /* in the frame, or in a place of the link's */
	struct fabric_rx *rx; /* NULL: in a place */
	uint32_t eager;	      /* bit of proto->eager_used */
};

/* A frame that was asked for: in its lane from the asking to the use. */
struct fabric_piece {
	uint32_t seq;
	uint64_t addr; /* as the frame will say */
	uint32_t len;
	doca_error_t status;	  /* READ: why nothing will come */
	struct fabric_kept kept;  /* once it has arrived */
	struct fabric_call *call; /* READ */
};

/* Asked for, arrived, used: each in order. */
struct fabric_lane {
	struct fabric_piece piece[FABRIC_PULLED];
	uint32_t used, arrived, asked;
};

/* An operation of ours, from its first frame until the engine is told of its end. */
struct fabric_call {
	const struct rdma_op *op;
	bool has_message, has_request;
	bool resulted;		   /* RESULT has come */
	doca_error_t status;	   /* SUCCESS until it says something else */
	uint32_t message, request; /* numbers; the last one of several requests */
	bool is_freed;		   /* by the user: its memory may be gone */
	uint32_t sending;	   /* frames of its memory that the link reads */
	bool pulled;		   /* the peer pulls the bytes */
	uint64_t size;
	uint64_t upto;	/* pulled: asked for; READ: what was asked for */
	uint64_t done;	/* pulled: given to the link; READ: in its place, or dropped */
	uint64_t value; /* atomics: what was there before */
};

/* A frame whose bytes the link reads. */
struct fabric_send {
	uint8_t head[FABRIC_HEAD_LONG];
	struct fabric_call *call; /* NULL, or whose memory it is */
	uint8_t *bulk;		  /* NULL, or where it lies */
};

/* What a link has places for. */
struct fabric_memory {
	uint8_t small[FABRIC_REQUESTS + FABRIC_MESSAGES][FABRIC_SMALL];
	uint8_t eager[FABRIC_EAGER][FABRIC_PAYLOAD_MAX];
	uint8_t pulled[FABRIC_LANES][FABRIC_PULLED][FABRIC_PAYLOAD_MAX];
	uint8_t out[FABRIC_SENDS][FABRIC_SMALL];
	uint8_t bulk[FABRIC_BULKS][FABRIC_PAYLOAD_MAX];
};

/* A request of the peer's that has not been carried out. */
struct fabric_request {
	struct fabric_head head;
	struct fabric_kept kept;
	uint64_t message; /* NOTICE: number of its message */
	uint64_t asked;	  /* pulled write: bytes that were asked for */
};

enum fabric_run_state {
	FABRIC_RUN_NEW,	   /* to be judged */
	FABRIC_RUN_LOOK,   /* the way to its memory is being opened */
	FABRIC_RUN_ACT,	   /* copying */
	FABRIC_RUN_DRAIN,  /* has failed; what was pulled for it is dropped */
	FABRIC_RUN_ANSWER, /* done, and the peer is to be told */
};

/* The peer's oldest request: the one that is carried out. */
struct fabric_run {
	enum fabric_run_state state;
	doca_error_t status;
	struct fabric_reach *reach;
	uint8_t *bulk;
	uint64_t done; /* pulled write: bytes that are in their place */
	bool copying;
	struct iovec local;
	union {
		struct sdpu_copy copy;
		struct sdpu_atomic atomic;
	};
};

/* A message of the peer's that no receive has taken. */
struct fabric_message {
	enum doca_rdma_opcode opcode;
	doca_be32_t immediate;
	bool offered;	/* to be pulled */
	bool dropped;	/* of a write that failed: nobody gets it */
	uint64_t after; /* requests that come before it */
	uint64_t size;
	struct fabric_kept kept;
};

/* Engine's thread: the message that is being pulled. */
struct fabric_pull {
	bool active;
	struct doca_rdma_task_receive *task; /* NULL: freed by the user meanwhile */
	uint64_t asked, got;
};

/* A message for the user, who is told without the lock. */
struct fabric_delivery {
	struct doca_rdma_task_receive *task; /* NULL: nothing */
	enum doca_rdma_opcode opcode;
	doca_be32_t immediate;
	size_t len;
	doca_error_t status;
};

struct fabric_proto {
	struct fabric_link *link;
	struct fabric_proto_port *port;
	struct doca_rdma_connection *connection;
	uint32_t permissions; /* of our context, as a responder */
	bool is_up;
	doca_error_t why; /* SUCCESS; or it is over */
	uint64_t broken;  /* 0; or the peer has until then to close, as a message was too long */
	bool break_told;
	bool stuck;		  /* the engine could not go on, and nothing has changed since */
	bool ended_first;	  /* the last event was a message */
	struct sdpu_list waiting; /* in port->waiting */

	/* Ours: numbers of what was sent, and what the peer has said of it. */
	uint32_t messages_sent, messages_acked;
	uint32_t requests_sent, requests_taken;
	uint32_t eager_sent, eager_credit;
	struct fabric_call calls[FABRIC_CALLS];
	uint32_t first_call, next_call;
	struct fabric_call *acting; /* its operation is first in the send queue, and has begun */
	struct fabric_send sends[FABRIC_SENDS];
	uint32_t first_send, next_send;
	struct fabric_lane lanes[FABRIC_LANES];

	/* The peer's. `told`: what it was told last. */
	struct fabric_request requests[FABRIC_REQUESTS];
	uint64_t requests_arrived, requests_done;
	uint64_t pulling; /* the first request of which not all has been pulled */
	struct fabric_run run;
	struct fabric_message messages[FABRIC_MESSAGES];
	uint64_t messages_arrived, messages_done;
	struct fabric_pull pull;
	uint32_t eager_given; /* cumulative credit */
	uint32_t eager_used;  /* bits: of what came with it, what is not done with */
	uint32_t told_messages, told_requests, told_credit;
	uint32_t told_age;   /* rounds since messages are owed to be told */
	uint32_t told_at;    /* so many requests done with are told of at once */
	uint64_t told_by;    /* and fewer then, if no other comes */
	uint32_t bulks_used; /* bits */
	struct fabric_memory *memory;
};

/*
 * Of zeroed memory in which lock and kick are set. Closed when all of its protocols are: without
 * the lock held, as nobody else uses it any more; it may wait for the owner of memory that was
 * exported again (2 s).
 */
void fabric_proto_port_open(struct fabric_proto_port *port);
void fabric_proto_port_close(struct fabric_proto_port *port);
/* In every round of the port. */
void fabric_proto_port_go_on(struct fabric_proto_port *port);
static inline void fabric_proto_port_drive(struct fabric_proto_port *port)
{
	/* Ways to memory are being opened, or some may have been revoked. */
	if (sdpu_unlikely(port->looking != 0 || sdpu_load(&sdpu_mmap_stops) != port->stops))
		fabric_proto_port_go_on(port);
}

/*
 * Makes the protocol, and itself the owner of the link (link->owner, link->ops), which is not up.
 * NO_MEMORY: nothing is kept.
 */
doca_error_t fabric_proto_open(struct fabric_proto *proto, struct fabric_proto_port *port,
			       struct fabric_link *link, struct doca_rdma_connection *connection);
/* Engine's thread, with the lock held, after fabric_link_close(). A receive in the making goes back
 * to the context. Harmless when not open. */
void fabric_proto_close(struct fabric_proto *proto);

extern const struct fabric_link_ops fabric_proto_link_ops;

/* Slots of backend.h, for CONNECTED; engine's thread, with the lock held. */
enum rdma_step fabric_proto_act(struct fabric_proto *proto, struct rdma_op *op);
bool fabric_proto_answered(struct fabric_proto *proto, struct rdma_op *op);
void fabric_proto_cancel(struct fabric_proto *proto, const struct rdma_op *op);
void fabric_proto_settle(struct fabric_proto *proto);
bool fabric_proto_pending(const struct fabric_proto *proto);

/* One event of a connection: what the look under the lock has found. */
struct fabric_event {
	struct fabric_delivery delivery; /* a message that has got its receive, or is too long */
	bool taken;			 /* that, whoever it is for */
	bool ended;			 /* the oldest operation is over */
	bool more;			 /* another message could be taken */
	doca_error_t why;		 /* SUCCESS; or the connection is over */
};

/*
 * The poll of a CONNECTED connection, after the port was driven, in two steps. One event: a message
 * to its receive, a completion, the next operation, or the end of the connection. Look: with the
 * lock held. Deliver: without it; the user's callback is its last act. False: there was nothing.
 */
void fabric_proto_look(struct fabric_proto *proto, struct fabric_event *event);
bool fabric_proto_deliver(struct fabric_proto *proto, const struct fabric_event *event);

#endif
