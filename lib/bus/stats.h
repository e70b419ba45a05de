/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Statistics: what the process reports of its objects to watchers (softdpu_watch_open()).
 *
 * Objects that can be watched embed a sdpu_stats, which is on the process's list from
 * sdpu_stats_register() to sdpu_stats_unregister(). Watchers are connections to the agent: each has
 * a set of pages of its own, made here and mapped read-only there, into which the agent copies the
 * list whenever that watcher asks. So the data path keeps its counters where it would keep them
 * anyway, a program that never progresses is seen as it is, and a process that nobody watches does
 * nothing.
 *
 * Owner of a sdpu_stats: its object. Register and unregister: any thread, under the list's lock,
 * which is a leaf: `show` runs in the agent's thread with it held, takes no other lock, calls
 * nobody, and reads with sdpu_load() what the object's threads write with sdpu_store() and
 * sdpu_count(). A watcher that dies closes its connection, and its pages are freed.
 */
#ifndef SDPU_BUS_STATS_H
#define SDPU_BUS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <softdpu.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/list.h"
#include "bus/agent.h"

#define SDPU_STATS_ROWS 4096
#define SDPU_STATS_WATCHERS 32

struct sdpu_stats {
	struct sdpu_list node;
	enum softdpu_object_kind kind;
	uint32_t id; /* kept after it has left the list; 0: it was never listed */
	bool is_listed;
	uint32_t parent;    /* atomic: id of the object that it belongs to, or 0 */
	const void *memory; /* what show may read that goes before the object; under the lock */
	/* Fills in what it knows; id, kind and parent are there, the rest is zero. May be NULL. */
	void (*show)(const struct sdpu_stats *stats, struct softdpu_object *row);
};

SDPU_SHARED void sdpu_stats_register(struct sdpu_stats *stats, enum softdpu_object_kind kind,
				     void (*show)(const struct sdpu_stats *stats,
						  struct softdpu_object *row));
/* When it returns, show does not run and will not. Harmless on one that is zeroed or has left. */
SDPU_SHARED void sdpu_stats_unregister(struct sdpu_stats *stats);

/*
 * Lets show read memory that ends before the object does, a ring's. NULL: no more, and when it
 * returns show does not. Harmless on one that has left.
 */
SDPU_SHARED void sdpu_stats_share(struct sdpu_stats *stats, const void *memory);
/* This object belongs to that one. */
static inline void sdpu_stats_set_parent(struct sdpu_stats *stats, const struct sdpu_stats *parent)
{
	sdpu_store(&stats->parent, parent->id);
}

/* Written by the agent's thread. */
extern uint32_t sdpu_stats_watchers;
/* What engines and submits look at. 0: nobody watches; else another number than at the look before.
 */
extern uint32_t sdpu_stats_look;

/* ---- between agent and watcher ---- */

/* The hello asks for the pages and a first list; every further record of this form for another. */
struct sdpu_stats_request {
	struct sdpu_hello hello;
};

/* The first answer carries the descriptor of the pages, SDPU_STATS_ROWS rows. */
struct sdpu_stats_answer {
	uint32_t result; /* doca_error_t */
	uint32_t num_rows;
	uint32_t num_unlisted;
	uint32_t reserved;
	uint64_t taken_ns;
	uint64_t watched_ns;
};

/* Copies the list into rows, of which there are max; answers what it could and could not. */
void sdpu_stats_snapshot(struct softdpu_object *rows, uint32_t max,
			 struct sdpu_stats_answer *answer);

/* Disconnects all watchers. After the agent's thread has ended. */
void sdpu_stats_stop(void);

/*
 * Watcher's side. Record and row are a stranger's: both are copied before they are checked.
 * INVALID_VALUE: nothing that an honest process answers.
 */
doca_error_t sdpu_stats_answer_read(const void *bytes, uint32_t len,
				    struct sdpu_stats_answer *answer);
doca_error_t sdpu_stats_row_read(const struct softdpu_object *shared, struct softdpu_object *row);

#endif
