/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Channel: a connected pair of ends: one socket (records with descriptors, doorbell, death notice)
 * and one segment with the rings. What lies in the segment is its user's business, but it begins
 * with a sdpu_channel_head.
 *
 * Owner: the connection object above; belongs to the thread of its engine, except
 * sdpu_channel_mail() (any thread). Ends with sdpu_channel_close(). When the peer dies or closes,
 * `gone` is set and the engine told; the segment stays mapped, so that what was published before
 * can still be read.
 *
 * Records on the socket ("mail") are announced by a counter in the segment, because a polling
 * engine makes no system call to find out: sender sends the record, then adds to mail[side] and
 * rings.
 */
#ifndef SDPU_BUS_CHANNEL_H
#define SDPU_BUS_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "bus/agent.h"
#include "bus/bell.h"
#include "bus/segment.h"
#include "bus/sock.h"

/* Side 0 made the segment, side 1 mapped it. Index [s] is written by side s, except where said. */
struct sdpu_channel_side {
	uint32_t mail;	 /* records sent so far by this side */
	uint32_t closed; /* set last by a side that ends in order */
	uint32_t cold;	 /* this side does not poll its incoming rings: set our ready bit */
	uint32_t pad[13];
};

struct sdpu_channel_head {
	struct sdpu_channel_side side[2];
};

struct sdpu_channel {
	int sock;
	uint32_t me; /* our side */
	struct sdpu_segment segment;
	struct sdpu_channel_head *head;
	const struct sdpu_channel_side *theirs; /* in head: what the peer's side writes */
	struct sdpu_bell *bell;			/* our engine's, not owned */
	uint32_t bit;				/* our ready bit in it */
	struct sdpu_ringer ringer;
	pid_t peer;
	uint32_t mail_seen;
	uint32_t gone; /* set by the agent or by closing; sdpu_channel_gone() */
	struct sdpu_watch watch;
	struct sdpu_death_watch death_watch;
};

/*
 * Joins socket, segment and bells into a working channel. The ready bit must have been taken from
 * bell before the handshake (the peer was told its number). Takes sock, bit, segment and the peer's
 * bell descriptors over in every outcome.
 */
struct sdpu_channel_parts {
	int sock;
	uint32_t me;
	struct sdpu_segment segment;
	struct sdpu_bell *bell;
	uint32_t bit;
	int peer_armed_fd;
	int peer_ready_fd;
	uint32_t peer_bit;
	/* Instead of these three: opened before, because descriptors are too dear to keep. */
	struct sdpu_ringer ringer;
	pid_t peer;
};
SDPU_SHARED doca_error_t sdpu_channel_open(struct sdpu_channel *channel,
					   const struct sdpu_channel_parts *parts);
/* Says "closed" to the peer, rings it, ends everything; `gone` from then on. Harmless on a zeroed
 * channel, and the second time. */
SDPU_SHARED void sdpu_channel_close(struct sdpu_channel *channel);

static inline bool sdpu_channel_gone(const struct sdpu_channel *channel)
{
	return sdpu_load_acquire(&channel->gone) != 0;
}
static inline bool sdpu_channel_peer_closed(const struct sdpu_channel *channel)
{
	return sdpu_load_acquire(&channel->theirs->closed) != 0;
}

/* Is there an end of whatever kind? */
static inline bool sdpu_channel_has_end(const struct sdpu_channel *channel)
{
	return sdpu_channel_gone(channel) || sdpu_channel_peer_closed(channel);
}

/* Rings the peer after a publish. */
static inline void sdpu_channel_ring(struct sdpu_channel *channel)
{
	sdpu_ringer_ring(&channel->ringer, &channel->theirs->cold);
}

/* Sends a record and announces it. AGAIN: socket full, try later; CONNECTION_RESET. Descriptors
 * stay the caller's. */
SDPU_SHARED doca_error_t sdpu_channel_mail(struct sdpu_channel *channel, const void *bytes,
					   size_t len, const int *fds, uint32_t num_fds);
/* One load. */
static inline bool sdpu_channel_has_mail(const struct sdpu_channel *channel)
{
	return sdpu_load_acquire(&channel->theirs->mail) != channel->mail_seen;
}
/*
 * Next record (rings are skipped). AGAIN: none after all; CONNECTION_RESET: none will come. A peer
 * may die after sending and before counting: when the channel is gone, read to the end whatever the
 * counter says.
 */
SDPU_SHARED doca_error_t sdpu_channel_read(struct sdpu_channel *channel,
					   struct sdpu_record *record);

/* Our side stops / resumes polling. sdpu_channel_cool() fences; look for work after it. */
SDPU_SHARED void sdpu_channel_cool(struct sdpu_channel *channel);
SDPU_SHARED void sdpu_channel_heat(struct sdpu_channel *channel);

#endif
