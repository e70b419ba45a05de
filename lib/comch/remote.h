/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remote: a consumer of the peer, as the producers of this process see it.
 *
 * Owner: shared; the connection has a reference while the consumer is announced, each producer that
 * used it one more. Freed with the last. Made and expired in the endpoint's thread; all producers'
 * threads move the cursors, and as long as there is one producer only, without locked instructions
 * (base/bias.h). When the peer dies, copies fail through the reach; what was published goes
 * nowhere.
 */
#ifndef SDPU_COMCH_REMOTE_H
#define SDPU_COMCH_REMOTE_H

#include <stdint.h>

#include "base/bias.h"
#include "base/list.h"
#include "bus/bell.h"
#include "bus/window.h"
#include "comch/connection.h"
#include "comch/fast_ring.h"

struct comch_remote {
	struct sdpu_list node;
	uint32_t id;
	uint32_t imm_len; /* longest immediate data that it takes */
	uint32_t refs;	  /* atomic */
	uint32_t expired; /* atomic: withdrawn by the peer, or the connection has ended */
	struct comch_fast_rings rings;
	struct sdpu_reach
		*reach; /* its mmap; NULL when it cannot be reached: small payloads only */
	bool mapped;
	struct sdpu_ringer ringer;
	/* Written by every producer's thread. Producers have joined the bias: of both cursors. */
	_Alignas(SDPU_CACHE_LINE) struct sdpu_bias bias;
	_Alignas(SDPU_CACHE_LINE) uint64_t claimed; /* descriptors taken */
	_Alignas(SDPU_CACHE_LINE) uint64_t filled;  /* entries taken */
	/* Staging blocks: taken by producers (bits), and for each the entry that it went out with.
	 */
	_Alignas(SDPU_CACHE_LINE) uint64_t staging_used;
	uint64_t staging_seen;	/* what the consumer had taken when there were too few */
	uint32_t staging_waits; /* looks since then */
	uint64_t staging_entry[COMCH_STAGING_NUM];
};

#define COMCH_STAGING_NOT_OUT UINT64_MAX /* in staging_entry: no entry was published with it */

/* Announcement; travels as mail with descriptors: segment, bell (armed, ready), doorbell socket,
 * grant's. */
struct comch_mail_consumer {
	struct comch_mail_head head;
	uint32_t entries;
	uint32_t imm_len;
	uint32_t bit;
	uint32_t pad;
	struct sdpu_grant_msg grant;
};
#define COMCH_MAIL_CONSUMER_FDS 4

/* Finds a live one by id and takes a reference; NULL when there is none. Any thread; takes the
 * connection's lock. */
struct comch_remote *comch_remote_find(struct doca_comch_connection *connection, uint32_t id);
void comch_remote_release(struct comch_remote *remote);

/*
 * Takes the oldest posted receive. AGAIN: nothing is posted; INVALID_VALUE: it is shorter than len
 * (and stays). No lock, no allocation, no system call.
 */
struct comch_claim {
	uint64_t addr;
	uint32_t index;
};
doca_error_t comch_remote_claim(struct comch_remote *remote, size_t len, struct comch_claim *claim);

/* After a copy to a claimed receive: asks for the lines of the one that is claimed next. */
void comch_remote_copy_ahead(const struct comch_remote *remote, const struct sdpu_copy *copy);

/* Entry for a claimed receive. The payload, if inline, lies behind the immediate data. */
struct comch_fill {
	uint32_t index;
	uint32_t len;
	uint32_t offset; /* staged only */
	uint16_t producer;
	uint8_t where;
	uint8_t imm_len;
	bool streaming; /* more will follow at once */
	const void *imm;
	const void *payload; /* inline only */
	uint64_t *position;  /* result, when in doubt */
};
/*
 * Publishes and rings. NOT_FOUND: the consumer had closed before. AGAIN: it closed meanwhile, and
 * what becomes of the entry at that position comch_remote_judge() will say.
 */
doca_error_t comch_remote_fill(struct comch_remote *remote, const struct comch_fill *fill);
/* SUCCESS: the consumer delivers it; NOT_FOUND: it does not; IN_PROGRESS: it has not said so yet,
 * and never may. */
doca_error_t comch_remote_judge(const struct comch_remote *remote, uint64_t position);

/*
 * The entry that is filled next will be soon: asks for the ownership of its lines, whose way from
 * the consumer takes as long as the rest of a send.
 */
static inline void comch_remote_expect(const struct comch_remote *remote, size_t bytes)
{
	const struct comch_filled *entry =
		&remote->rings.filled[sdpu_load(&remote->filled) & remote->rings.mask];

	/* After a copy the consumer's polls would have fetched them back. */
	if (bytes > COMCH_FAST_INLINE)
		return;
	if (bytes > COMCH_FAST_FIRST_LINE)
		sdpu_prefetch_write(entry->bytes + COMCH_FAST_FIRST_LINE);
	sdpu_prefetch_write(entry);
}

/*
 * remote_staging.c: the first of so many free staging blocks, COMCH_PART_SIZE at most, or -1. They
 * are free again when the consumer has taken the entry that they go out with, of which
 * comch_remote_fill() tells.
 */
int comch_remote_take_staging(struct comch_remote *remote, uint32_t blocks);
void comch_remote_staging_goes(struct comch_remote *remote, uint32_t first, uint32_t blocks,
			       uint64_t position);
/* Copies into blocks that were taken. */
void comch_remote_stage(const struct comch_remote *remote, uint32_t first, const void *from,
			size_t len, bool streaming);
/*
 * Asks for the ownership of the lines that a message of the same length will be copied to next.
 * The consumer has read them since they were written last, and to take them from it costs as much
 * as to copy: that is done by then.
 */
void comch_remote_stage_ahead(const struct comch_remote *remote, size_t like);
/* There were none: is it worth while to look again soon? Not if the consumer takes nothing. */
bool comch_remote_staging_comes(struct comch_remote *remote);

#endif
