/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Port: what the fabric connections of one DOCA context share: objects of libfabric (a domain, a
 * completion queue, an event queue, a shared receive context with its staging), and a lock under
 * which everything of them lies, the protocol included.
 *
 * Owner: the connections of the context that use it; made by the first one, ended by the last, and
 * then kept for another context. Who works for it, its *driver*, is one of two:
 *
 *   engine   the program polls: each progress reads the completion queue, and nobody else wakes up
 *            with a frame. The progress thread looks whether that is still so: after a millisecond,
 *            then each fourth.
 *   thread   the program does something else, or sleeps: the progress thread sleeps in epoll,
 *            serves what comes, and wakes the engine up when there is something for it. The engine
 *            may still poll now and then; it takes over once it does so without a pause.
 *
 * So an engine that polls shares the processor with nobody, and a responder whose program does not
 * progress is served all the same. Joining and ends of links are the thread's business only.
 */
#ifndef SDPU_RDMA_FABRIC_PORT_H
#define SDPU_RDMA_FABRIC_PORT_H

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "bus/bell.h"
#include "core/ctx.h"
#include "rdma/fabric_lib.h"
#include "rdma/fabric_link.h"
#include "rdma/fabric_proto.h"

struct fid_cq;
struct fid_domain;
struct fid_eq;
struct fabric_join;

#define FABRIC_QUEUE_FDS 4u
#define FABRIC_SLOTS_MAX (1u << 16)

enum fabric_driver { FABRIC_BY_THREAD, FABRIC_BY_ENGINE };

/* Frames say for which link of ours they are; guessing the number of another one takes 48 bits. */
struct fabric_slot {
	struct fabric_link *link; /* NULL: free */
	uint64_t token;		  /* lowest 16 bits: number of the slot */
};

struct fabric_port {
	/* The thread's: of all ports, or of the spare ones. First, as leak checkers take memory for
	 * lost to whose start nothing points. */
	struct sdpu_list node;
	pthread_mutex_t lock;
	pthread_cond_t joined; /* broadcast when somebody gets on with joining */
	struct fabric_proto_port proto;
	struct doca_pe *pe;
	const struct fabric_lib *lib;
	struct fid_fabric *fabric;
	struct fid_eq *eq;
	struct fid_domain *domain;
	struct fid_cq *cq;
	struct fid_ep *srx;
	uint8_t *staging;
	struct fabric_rx rx[FABRIC_STAGING];
	uint32_t wanted; /* atomic: the engine waits for the lock */
	/* Under the lock. */
	struct sdpu_list idle;	    /* staging that is done with, the latest first */
	uint32_t num_posted;	    /* of the others, those that libfabric may fill */
	struct sdpu_list links;	    /* that are not CLOSED */
	struct sdpu_list lingering; /* closed links: fabric_linger.c */
	struct sdpu_list offers;    /* retired */
	struct fabric_slot *slots;
	uint32_t num_slots;
	uint32_t num_rerun; /* links to be driven */
	enum fabric_driver driver;
	/* Of the two of them. */
	uint32_t polls;	     /* atomic: of the engine, ever */
	uint32_t seen_polls; /* at the thread's last look */
	uint32_t streak;     /* polls without a sleep between */
	uint32_t sleep;	     /* number of the engine's last sleep then */
	const void *pacer;   /* the connection whose poll drives; engine's thread only */
	/* The thread's. */
	int epoll_fd; /* the queue's descriptors, and control connections */
	struct pollfd queue_fds[FABRIC_QUEUE_FDS];
	uint32_t num_queue_fds;
	bool queue_armed;  /* the queue's descriptors are with epoll_fd */
	uint32_t spurious; /* wake-ups in a row that found nothing */
	uint64_t next_heartbeat;
	uint64_t rest_until; /* the engine drives, and else nothing is due; 0: it does not */
	uint32_t users;	     /* engine's thread */
};

/* Of a context with this engine. CONNECTION_ABORTED (logged), OPERATING_SYSTEM (logged), NO_MEMORY.
 * May take half a second, the first time. */
doca_error_t fabric_port_open(struct doca_pe *pe, struct fabric_port **port);
/* No link is open. Waits for lingering closes (100 ms at most). */
void fabric_port_close(struct fabric_port *port);

/* Not the thread. */
static inline void fabric_port_lock(struct fabric_port *port)
{
	if (sdpu_likely(pthread_mutex_trylock(&port->lock) == 0))
		return;
	sdpu_store(&port->wanted, 1);
	pthread_mutex_lock(&port->lock);
	sdpu_store(&port->wanted, 0);
}
static inline void fabric_port_unlock(struct fabric_port *port)
{
	pthread_mutex_unlock(&port->lock);
}

/* The thread's work; `called`: one of its descriptors was ready, or it was kicked. Returns when
 * more is due, as sdpu_clock_now(); UINT64_MAX: when something happens. *backoff: for so long the
 * thread shall not react to descriptors, which woke it up for nothing again and again; or 0. */
uint64_t fabric_port_progress(struct fabric_port *port, bool called, uint64_t *backoff);

/* Lock held, as all below. Engine: a turn of its polling. */
void fabric_port_poll(struct fabric_port *port);
/* One round: frames, and what is to be continued. False: nothing. */
bool fabric_port_drive(struct fabric_port *port);
/* A slot with a token. FULL, NO_MEMORY. */
doca_error_t fabric_port_take_slot(struct fabric_port *port, struct fabric_link *link,
				   uint64_t *token);
void fabric_port_give_slot(struct fabric_port *port, uint64_t token);

static inline uint32_t fabric_slot_of(uint64_t token)
{
	return (uint32_t)(token & (FABRIC_SLOTS_MAX - 1));
}

/* NULL: a link that is closed, or none. */
static inline struct fabric_link *fabric_port_find(const struct fabric_port *port, uint64_t token)
{
	uint32_t i = fabric_slot_of(token);

	return i < port->num_slots && port->slots[i].token == token ? port->slots[i].link : NULL;
}

#endif
