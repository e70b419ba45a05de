/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a consumer shares with the producers of its peer: one segment, made by the consumer's
 * process.
 *
 * posted, consumer -> producers: descriptors of receive buffers, 16 bytes, four to a cache line. A
 * descriptor carries the number of its lap, so that nobody reads a shared counter to learn whether
 * it is new.
 *
 * filled, producers -> consumer: entries of two cache lines with a sequence word; the second line
 * is touched only when immediate data and payload do not fit into the first.
 *
 * staging: blocks for payloads that do not fit an entry where the consumer's memory is not mapped
 * by the producers. A short payload takes neighbouring blocks and comes with its entry; a long one
 * comes in parts, each with an entry of its own, and the consumer copies one while the producer
 * fills the next. All of them name the receive; the last one is what delivers it.
 *
 * There are as many entries as descriptors, at least two for each receive task. An entry stands for
 * a claimed descriptor, or is a part; each part holds blocks until it is taken, so that there are
 * COMCH_PARTS_MAX of them at most, half of the shortest ring: the filled ring cannot overflow while
 * the consumer is honest.
 *
 * A consumer that closes marks what was filled by then, and it alone, as kept: that is delivered.
 * An entry that comes later is not, though entries behind it may be.
 *
 * All producers of one consumer live in one process; their cursors are in its private memory
 * (remote.h).
 */
#ifndef SDPU_COMCH_FAST_RING_H
#define SDPU_COMCH_FAST_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "base/atomic.h"
#include "bus/segment.h"

#define COMCH_FAST_INLINE 112	 /* immediate data and payload in an entry */
#define COMCH_FAST_FIRST_LINE 48 /* of these, in the entry's first cache line */
#define COMCH_FAST_AHEAD 4	 /* entries whose lines are asked for ahead while streaming */
#define COMCH_FAST_IMM_MAX 32
/*
 * Of the segment's staging memory: so many that a stream of 4 KiB is some lengths of the
 * first-level cache ahead of its reader (with 32 it is 1.4 times as slow), one bit of a word each,
 * and half of the second-level cache in all.
 */
#define COMCH_STAGING_NUM 64
#define COMCH_STAGING_SIZE (16u * 1024u)
/* With one entry: an engine is busy with it for 5 us. */
#define COMCH_PART_SIZE (4 * COMCH_STAGING_SIZE)
#define COMCH_PARTS_MAX (COMCH_STAGING_NUM * COMCH_STAGING_SIZE / COMCH_PART_SIZE)
/* Beyond that a receiver's engine would have no time for other producers' messages. */
#define COMCH_STAGED_MAX (2u * 1024u * 1024u)

/* Cache lines by who writes them. */
struct comch_fast_head {
	/* Consumer. Producers read the first line at every send; it changes hardly ever. */
	uint32_t closed;
	uint32_t cold;
	/* Closing, once it has marked the entries that it keeps: position + 1 of the first one that
	 * it had not taken before. */
	uint64_t judged;
	uint32_t pad0[12];
	/* Consumer, now and then: for messages. */
	uint64_t heartbeat_ms; /* monotonic clock, when its engine last looked */
	uint64_t pad1[7];
	/* Consumer: entries taken, as of the last staged one; tells which staging buffers are free
	 * again. */
	uint64_t taken;
	uint64_t pad2[7];
	/* The producers' process. */
	uint32_t joined;
	uint32_t pad3[15];
};

struct comch_posted {
	uint64_t addr;
	uint64_t meta; /* length : 32, task index : 24, lap : 8 */
};

enum comch_where {
	COMCH_WHERE_INLINE = 1, /* behind the immediate data in the entry */
	COMCH_WHERE_WINDOW = 2, /* already in the receive buffer */
	COMCH_WHERE_ABORTED =
		3, /* the send failed after its claim: the receive is as if never touched */
	COMCH_WHERE_STAGED = 64, /* + number of the first staging block: the end of a payload */
	COMCH_WHERE_PART = 128,	 /* + the same: more follows */
	COMCH_WHERE_END = 192,
};

struct comch_filled {
	uint32_t seq; /* position + 1 (mod 2^32) when filled; comch_kept_seq() when kept */
	uint32_t index;
	uint32_t len; /* of the payload, up to and with this entry */
	uint16_t producer;
	uint8_t imm_len;
	uint8_t where;
	union {
		uint8_t bytes[COMCH_FAST_INLINE];
		struct {
			uint8_t imm[COMCH_FAST_IMM_MAX];
			uint32_t offset; /* in the payload, of what is staged */
		};
	};
};

struct comch_fast_rings {
	struct sdpu_segment segment;
	struct comch_fast_head *head;
	struct comch_posted *posted;
	struct comch_filled *filled;
	uint8_t *staging;
	uint32_t mask;
	uint32_t shift; /* log2 of the number of entries */
};

/* Entries for that many receive tasks. */
uint32_t comch_fast_entries(uint32_t tasks);
/* INVALID_VALUE unless entries is a power of two within bounds. */
doca_error_t comch_fast_size(uint32_t entries, size_t *size);
doca_error_t comch_fast_create(uint32_t entries, struct comch_fast_rings *rings);
/* Takes fd over in every outcome. */
doca_error_t comch_fast_map(int fd, uint32_t entries, struct comch_fast_rings *rings);
void comch_fast_unmap(struct comch_fast_rings *rings);

/* Blocks that so many bytes take. */
static inline uint32_t comch_staging_blocks(uint32_t bytes)
{
	return (bytes + COMCH_STAGING_SIZE - 1) / COMCH_STAGING_SIZE;
}
static inline uint8_t *comch_staging_at(const struct comch_fast_rings *rings, uint32_t block)
{
	return rings->staging + (size_t)block * COMCH_STAGING_SIZE;
}

static inline uint64_t comch_posted_meta(uint32_t len, uint32_t index, uint64_t lap)
{
	return (uint64_t)len | (uint64_t)index << 32 | lap << 56;
}
static inline uint32_t comch_posted_len(uint64_t meta)
{
	return (uint32_t)meta;
}
static inline uint32_t comch_posted_index(uint64_t meta)
{
	return (uint32_t)(meta >> 32) & 0xffffff;
}
/* Laps count from 1: a descriptor of zeroes is new to nobody. */
static inline uint64_t comch_fast_lap(const struct comch_fast_rings *rings, uint64_t position)
{
	return ((position >> rings->shift) + 1) & 0xff;
}
static inline bool comch_posted_is_new(const struct comch_fast_rings *rings, uint64_t meta,
				       uint64_t position)
{
	return meta >> 56 == comch_fast_lap(rings, position);
}
/* Of an entry that its consumer delivers although it is closed; no position less than 2^31 away
 * has it when filled. */
static inline uint32_t comch_kept_seq(uint64_t position)
{
	return ((uint32_t)position + 1) ^ 0x80000000u;
}

#endif
