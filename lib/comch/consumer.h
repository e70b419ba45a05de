/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Consumer: a queue of posted receive buffers that producers of the peer fill.
 *
 * Owner: the user; thread: its own engine's. It owns the segment of its rings (fast_ring.h) and a
 * grant of its mmap's window to the peer. What stands in the segment is hostile: which receives are
 * posted, and where their memory is, stays in the tasks.
 *
 * Start, in IDLE: segment, grant, announcement to the peer's end of the connection.
 *
 * STARTING until the peer's process has mapped the segment (`joined`); when the connection is lost,
 * back to IDLE.
 *
 * RUNNING: tasks are posted and filled; when the connection is lost nothing comes any more, and the
 * user stops it.
 *
 * STOPPING: closed, grant revoked; what was filled by then is delivered, the rest flushed; the peer
 * is told.
 */
#ifndef SDPU_COMCH_CONSUMER_H
#define SDPU_COMCH_CONSUMER_H

#include <doca_comch_consumer.h>

#include "bus/window.h"
#include "comch/connection.h"
#include "comch/fast_ring.h"
#include "core/ctx.h"
#include "core/pe.h"

struct doca_comch_consumer_task_post_recv {
	struct doca_task base;
	struct doca_buf *buf;
	uint32_t index; /* slot in the pool; what descriptors carry */
	bool posted;
	uint32_t room;
	uint8_t *tail;
	/* Results. */
	uint32_t producer_id;
	uint32_t imm_len;
	uint8_t imm[COMCH_FAST_IMM_MAX];
};

/* Where it receives from: a connection, or a MsgQ (msgq_consumer.h), whose consumers embed this
 * one. */
struct comch_consumer_kind {
	const struct sdpu_task_ops *receive; /* NULL: it has no tasks */
	/* At its end, IDLE already: out of the registry, and freed. */
	void (*leave)(struct doca_comch_consumer *consumer);
};

struct doca_comch_consumer {
	struct doca_ctx ctx;
	const struct comch_consumer_kind *kind;
	struct comch_member member; /* on a MsgQ: its id only */
	struct doca_comch_connection *connection;
	struct doca_mmap *mmap;
	uint32_t imm_len;
	struct sdpu_task_pool receives;
	struct sdpu_source source;
	/* Data path; counters for watchers, too (sdpu_count). */
	struct comch_fast_rings rings;
	uint64_t posted; /* descriptors written */
	uint64_t taken;	 /* entries read; while stopping: looked at */
	uint64_t parts;	 /* of these, such as delivered nothing */
	uint64_t messages;
	uint64_t bytes;
	uint32_t idle_polls;
	uint64_t kept;	  /* while stopping: no entry from here on is delivered */
	uint32_t flushed; /* while stopping: slots looked at */
	/* What the peer was given, from start to IDLE. */
	struct sdpu_grant *grant;
	uint32_t bit;
	int doorbell[2]; /* ours, and the peer's until it was sent */
	bool announced;	 /* the peer has been told that we came */
	bool withdrawn;	 /* ... that we went */
};

static inline bool comch_consumer_has_entry(const struct doca_comch_consumer *consumer)
{
	const struct comch_fast_rings *rings = &consumer->rings;
	const struct comch_filled *entry = &rings->filled[consumer->taken & rings->mask];

	/* Both lines come together, if the second one is written at all. */
	__builtin_prefetch(entry->bytes + COMCH_FAST_FIRST_LINE);
	/* Acquire: pairs with the publish in comch_remote_fill(). */
	return sdpu_load_acquire(&entry->seq) == (uint32_t)consumer->taken + 1;
}
/* consumer_poll.c. An entry that is there; delivering is the last act. INVALID_VALUE: the peer
 * wrote nonsense. */
doca_error_t comch_consumer_take_ready(struct doca_comch_consumer *consumer);
void comch_consumer_post(struct doca_comch_consumer *consumer,
			 struct doca_comch_consumer_task_post_recv *task);
doca_error_t comch_consumer_submit(struct doca_task *base);

/* consumer_stop.c. Closes it to its producers, and decides which entries it keeps. */
void comch_consumer_shut(struct doca_comch_consumer *consumer);
/* Delivers an entry that was kept, or flushes a receive; false: none is left. */
bool comch_consumer_give_back(struct doca_comch_consumer *consumer);

/* consumer_announce.c */
doca_error_t comch_consumer_open(struct doca_comch_consumer *consumer);
void comch_consumer_close(struct doca_comch_consumer *consumer);
/*
 * AGAIN: call again; SUCCESS: told, or (withdraw) nobody is there to be told; BAD_STATE: the mmap
 * was stopped meanwhile.
 */
doca_error_t comch_consumer_announce(struct doca_comch_consumer *consumer);
doca_error_t comch_consumer_withdraw(struct doca_comch_consumer *consumer);

/* consumer_api.c: may the consumer receive into that buf? Logs why not, as `call`. */
SDPU_COLD bool comch_consumer_fits(const struct doca_comch_consumer *consumer,
				   const struct doca_buf *buf, const char *call);

#endif
