/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Progress engine. Owner: the user. One thread at a time uses it and all that is connected to it;
 * ownership may move between threads that synchronise. Ends with doca_pe_destroy(), refused while
 * contexts are connected.
 *
 * What it polls are *sources*: rings of a connection, a producer's queue. A source that was idle
 * for many polls and can say so to its peer goes cold: it is not polled again before the peer sets
 * its ready bit.
 *
 * A user may free, resubmit, stop and destroy anything inside a callback, the context concerned
 * included. Therefore a source's poll handles one event, and calling the user is its last act; the
 * engine touches a source again only if it is still there.
 */
#ifndef SDPU_CORE_PE_H
#define SDPU_CORE_PE_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_pe.h>

#include "base/compiler.h"
#include "base/list.h"
#include "bus/bell.h"
#include "bus/stats.h"

enum sdpu_source_state { SDPU_SOURCE_OFF, SDPU_SOURCE_HOT, SDPU_SOURCE_COLD };

struct sdpu_source {
	/* Handles at most one event; calling the user is its last act. False: there was nothing. */
	bool (*poll)(struct sdpu_source *source);
	/* Would poll find something? No side effects. Not asked while cold. */
	bool (*pending)(const struct sdpu_source *source);
	/* Tells the peer that we do not (true) or do again (false) poll; fences when true. NULL:
	 * never goes cold. */
	void (*chill)(struct sdpu_source *source, bool cold);
	/* Its budget is used up, and there may be no next progress: tell the peer what was taken.
	 * Calls nobody. NULL: nothing to tell. */
	void (*settle)(struct sdpu_source *source);
	uint32_t bit;	 /* ready bit of its channel, when chill is set */
	uint64_t unrung; /* ns after which a sleeping engine wakes up to poll it, as nobody rings
			    for it; 0: somebody does */

	enum sdpu_source_state state;
	uint32_t idle; /* polls that found nothing, in a row */
	struct doca_pe *pe;
	struct sdpu_list node;
};

struct doca_pe {
	struct sdpu_bell bell;
	uint32_t depth; /* callbacks (progress and synchronous state changes) that we are inside of
			 */
	struct sdpu_list contexts; /* connected */
	uint32_t num_graphs;	   /* made on it */
	struct sdpu_list woken;	   /* contexts to be stepped */
	struct sdpu_list done;	   /* contexts with finished tasks */
	struct sdpu_list hot;	   /* polled sources */
	struct sdpu_list cold;	   /* sources that wait for their ready bit */
	uint32_t num_hot;
	bool refused;		     /* progress inside a callback, which is told of once */
	struct sdpu_source *current; /* being polled; NULL once it was taken off */
	struct sdpu_list *next;	     /* polled after it; kept right by removals */
	uint32_t ticks;		     /* of progress, for what is looked at now and then */
	struct sdpu_stats stats;
	/* While somebody watches: when it last progressed, as far as the time was read. */
	uint64_t progressed;
	uint32_t stamp_in;    /* turns until it is read anew */
	uint32_t stamp_every; /* turns, last time */
	uint32_t look;	      /* of the watcher's, last time */
	struct sdpu_source *by_bit[SDPU_READY_BITS];
};

/* Engine's thread. A source begins hot. Taking off is allowed inside its own poll. */
SDPU_SHARED void sdpu_source_add(struct doca_pe *pe, struct sdpu_source *source);
SDPU_SHARED void sdpu_source_remove(struct sdpu_source *source);
/* Poll it again although the peer said nothing (there is local work). */
SDPU_SHARED void sdpu_source_heat(struct sdpu_source *source);
/*
 * Do not poll it before it is heated, or the engine is called (sdpu_bell_attend). From its poll,
 * when there is nothing: for sources whose work comes from this process.
 */
SDPU_SHARED void sdpu_source_park(struct sdpu_source *source);

/*
 * Has the program not waited since the last call with this `last`? Then it streams, and cache lines
 * that it will write next are worth asking for ahead; in a ping-pong they are not.
 */
static inline bool sdpu_pe_streams(const struct doca_pe *pe, uint32_t *last)
{
	bool streams = pe->ticks - *last <= 1;

	*last = pe->ticks;
	return streams;
}

/* Is the source whose poll we are inside of still there, after a call of the user's? If not, its
 * memory may be gone. */
static inline bool sdpu_pe_still_polls(const struct doca_pe *pe, const struct sdpu_source *source)
{
	return pe->current == source;
}

static inline bool sdpu_pe_in_callback(const struct doca_pe *pe)
{
	return pe->depth != 0;
}

/*
 * Spinning: empty polls and AGAIN returns count per thread over all its engines; after about a
 * hundred, or at once beside another poller, the processor is yielded, and again each time while
 * somebody else wanted it (spin.c).
 * SOFTDPU_POLL=spin|yield|auto.
 */
SDPU_SHARED void sdpu_spin_idle(void);
SDPU_SHARED void sdpu_spin_worked(void);

#endif
