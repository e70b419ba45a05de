/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Doorbell: how a sleeping engine learns of work, without a system call while it polls.
 *
 * sdpu_bell is the engine's side. It owns an epoll descriptor (the engine's notification handle),
 * an eventfd for kicks from this process, now and then a timer, a page with the *armed* word that
 * peers map read-only, and a page of *ready* bits that peers set for connections that went cold.
 * Owner: the engine; everything but kick/attend belongs to the engine's thread.
 *
 * sdpu_ringer is a peer's view of somebody's bell: its two pages and the socket to ring on. Owner:
 * the channel. A thread of the same process may be a sender too: it has the bell itself.
 *
 * Protocol (tests/model/doorbell.pml, cold.pml). Sender: publish; fence [F1]; if cold, set the
 * ready bit and its summary, full fence; read armed; if it is asleep and this sleep was not rung
 * into yet, send one byte. Engine: armed = next number; fence [F2]; look for work everywhere; if
 * there is any, make the handle ready (kick). F1 pairs with F2: either the sender sees armed, or
 * the engine sees the work.
 *
 * Who goes to sleep pays for both fences: F2 is a full one in the threads of all processes that
 * have registered for it (base/membarrier.h), and F1 then only the compiler's. F1 is a full one
 * where the sender's process could not register, and where the armed word says that its engine
 * cannot have others fence. A sender that is neither and does not fence harms itself: its own
 * messages may lie there until something else wakes the engine.
 */
#ifndef SDPU_BUS_BELL_H
#define SDPU_BUS_BELL_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "bus/segment.h"

#define SDPU_READY_WORDS 64
#define SDPU_READY_BITS (64 * SDPU_READY_WORDS)
#define SDPU_BELL_FDS 2
#define SDPU_BELL_PAGE 4096
#define SDPU_RING_BYTE 0x01 /* a record of this one byte is a ring; all others are mail */

/* The armed word. Zero, also the value of an empty page, asks the sender for a fence. */
enum sdpu_awake {
	SDPU_AWAKE_FENCE, /* awake; senders have to fence */
	SDPU_AWAKE,	  /* awake; those that have registered need not */
	SDPU_ASLEEP,	  /* from here on: asleep; the number of this sleep */
};

struct sdpu_armed_page {
	uint32_t armed; /* engine writes, peers read */
};

struct sdpu_ready_page {
	uint64_t summary; /* peers set bit w when they set a bit in bits[w]; engine clears */
	uint64_t pad[7];  /* bits live on other cache lines */
	uint64_t bits[SDPU_READY_WORDS]; /* peers set, engine clears */
};

struct sdpu_bell {
	int epoll_fd;
	int kick_fd;
	int timer_fd;	    /* -1 until somebody wants it */
	uint32_t attention; /* set by sdpu_bell_attend(); cleared by the engine */
	struct sdpu_armed_page *armed;
	struct sdpu_ready_page *ready;
	struct sdpu_segment armed_seg;
	struct sdpu_segment ready_seg;
	enum sdpu_awake awake;		 /* what armed says when it is not asleep */
	bool registered;		 /* senders in this process need not fence */
	uint32_t sleep;			 /* number of the last sleep */
	bool may_rouse;			 /* armed, and not roused in this sleep yet */
	uint64_t used[SDPU_READY_WORDS]; /* ready bits handed out */
};

SDPU_SHARED doca_error_t sdpu_bell_create(struct sdpu_bell *bell);
SDPU_SHARED void sdpu_bell_destroy(struct sdpu_bell *bell);

/* The two descriptors to send to a peer that is to ring us (they stay ours). */
SDPU_SHARED void sdpu_bell_fds(const struct sdpu_bell *bell, int fds[SDPU_BELL_FDS]);

/* A socket on which a peer rings us: becomes part of the handle / leaves it (harmless when it has
 * left). */
SDPU_SHARED doca_error_t sdpu_bell_add(struct sdpu_bell *bell, int sock);
SDPU_SHARED void sdpu_bell_remove(struct sdpu_bell *bell, int sock);

/* A ready bit for one connection; FULL when all are taken. */
SDPU_SHARED doca_error_t sdpu_bell_take_bit(struct sdpu_bell *bell, uint32_t *bit);
SDPU_SHARED void sdpu_bell_give_bit(struct sdpu_bell *bell, uint32_t bit);

/*
 * F2: what senders published before they could see what we have just stored is seen from now on. A
 * system call, which costs the running senders a microsecond or two as well.
 */
SDPU_SHARED void sdpu_bell_fence(struct sdpu_bell *bell);
/* Sets armed and fences; the caller then looks for work and kicks if there is any. */
SDPU_SHARED void sdpu_bell_arm(struct sdpu_bell *bell);
/*
 * Clears armed, reads kicks and rings (records that are not rings are left for the channel). A
 * socket at its end leaves the handle, which would be ready for ever otherwise.
 */
SDPU_SHARED void sdpu_bell_disarm(struct sdpu_bell *bell);
/* Makes the handle ready. Any thread. */
SDPU_SHARED void sdpu_bell_kick(struct sdpu_bell *bell);
/* The same after a while, unless it is disarmed before; at once if there are no descriptors left.
 */
SDPU_SHARED void sdpu_bell_kick_after(struct sdpu_bell *bell, uint64_t ns);
/*
 * Engine's thread: work was made by a call of the program's own, perhaps after it had asked to be
 * woken, and before it waits. Once a sleep; one load else, fit for the data path.
 */
static inline void sdpu_bell_rouse(struct sdpu_bell *bell)
{
	if (sdpu_likely(!bell->may_rouse))
		return;
	bell->may_rouse = false;
	sdpu_bell_kick(bell);
}
/*
 * From any thread of this process: work for the engine outside the rings (death, accepted
 * connection...). The engine looks at `attention` whenever it looks for work, after arming too; it
 * is kicked only when it sleeps.
 */
SDPU_SHARED void sdpu_bell_attend(struct sdpu_bell *bell);

struct sdpu_ringer {
	const uint32_t *watched; /* the armed word; one of ours, for ever SDPU_AWAKE_FENCE, where
				    this process could not register */
	const struct sdpu_armed_page *armed;
	struct sdpu_ready_page *ready;
	struct sdpu_segment armed_seg;
	struct sdpu_segment ready_seg;
	int sock;		/* not owned */
	struct sdpu_bell *bell; /* the bell, if it belongs to this process: kicked, not rung by
				   socket; else NULL */
	uint32_t bit;
	uint32_t rung; /* the sleep that we have rung into; several producer threads may share a
			  ringer */
};

/* Takes both descriptors over in every outcome. bit >= SDPU_READY_BITS: INVALID_VALUE. */
SDPU_SHARED doca_error_t sdpu_ringer_open(int armed_fd, int ready_fd, int sock, uint32_t bit,
					  struct sdpu_ringer *ringer);
SDPU_SHARED void sdpu_ringer_close(struct sdpu_ringer *ringer);
/* Of a bell of this process, which must outlive its use; there is nothing to close. */
SDPU_SHARED struct sdpu_ringer sdpu_ringer_own(struct sdpu_bell *bell, uint32_t bit);

/* The slow half: a full fence, and what then is to be done. */
SDPU_SHARED void sdpu_ringer_call(struct sdpu_ringer *ringer, const uint32_t *cold);

/*
 * After a publish, which it fences (F1): what is loaded behind it could not be loaded before the
 * publish was visible to an engine in sdpu_bell_fence(). cold: the word beside the ring by which
 * its reader says that it does not poll.
 */
static inline void sdpu_ringer_ring(struct sdpu_ringer *ringer, const uint32_t *cold)
{
	sdpu_compiler_barrier();
	if (sdpu_unlikely(sdpu_load(cold) != 0 || sdpu_load(ringer->watched) != SDPU_AWAKE))
		sdpu_ringer_call(ringer, cold);
	sdpu_compiler_barrier();
}

#endif
