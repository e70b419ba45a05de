/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rings of a local connection: one for each direction in the segment of its channel, of one size
 * for everybody, so that there is nothing to agree upon.
 *
 * Entry: two cache lines with a sequence word and the message itself when it is short. Longer ones
 * lie in a slot; yet longer ones stay where they are, and the slot holds the places (pieces), each
 * in a memory window that was granted to the receiver before. Slots are used last in, first out:
 * only as many pages are touched as such messages were under way at once.
 *
 * Writer of entries and slots: the sender. Writer of `taken` and `broken`: the receiver, which
 * takes messages in order and each when a receive is posted for it; until then they stay in the
 * ring. Both are hostile to each other: the sender keeps positions and free slots in private
 * memory, the receiver loads a field once and checks it.
 *
 * An entry also says how many messages its sender had taken by then, as an answer is often all that
 * anybody sends: who gets it need not look at `taken`, whose line it would take away from its
 * writer.
 */
#ifndef SDPU_RDMA_LOCAL_RING_H
#define SDPU_RDMA_LOCAL_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_rdma.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "bus/channel.h"
#include "rdma/vec.h"

#define LOCAL_ENTRIES 256u /* a power of two */
#define LOCAL_INLINE 112u
#define LOCAL_FIRST_LINE 48u /* of these, in the entry's first cache line */
#define LOCAL_AHEAD 4u	     /* entries whose lines are asked for ahead while streaming */
#define LOCAL_SLOTS 16u
#define LOCAL_SLOT_SIZE (16u * 1024u)
#define LOCAL_NO_SLOT UINT32_MAX

enum local_where {
	LOCAL_WHERE_INLINE = 1, /* in the entry */
	LOCAL_WHERE_SLOT = 2,
	LOCAL_WHERE_PIECES = 3, /* where the pieces in the slot say */
};

/* What an entry says of its message. */
struct local_label {
	uint32_t len;
	enum local_where where;
	enum doca_rdma_opcode opcode;
	doca_be32_t immediate;
	uint32_t slot; /* not INLINE */
};

struct local_entry {
	uint32_t word; /* local_word() when filled */
	uint32_t len;
	uint32_t how; /* where, opcode << 8, slot << 16 */
	uint32_t immediate;
	uint8_t bytes[LOCAL_INLINE];
};

struct local_piece {
	uint32_t grant;
	uint32_t pad;
	uint64_t addr; /* the sender's */
	uint64_t len;
};

struct local_pieces {
	uint32_t num;
	uint32_t pad;
	struct local_piece piece[RDMA_LIST_MAX];
};
_Static_assert(sizeof(struct local_pieces) <= LOCAL_SLOT_SIZE, "pieces lie in a slot");

/* One direction; lines by who writes them. */
struct local_ring {
	SDPU_CACHE_ALIGNED uint32_t taken;    /* receiver: messages that lie in receive buffers */
	uint32_t broken;		      /* receiver: the next message can never be taken */
	SDPU_CACHE_ALIGNED uint64_t messages; /* sender: counters for tools */
	uint64_t bytes;
	SDPU_CACHE_ALIGNED struct local_entry entries[LOCAL_ENTRIES];
};

struct local_segment {
	struct sdpu_channel_head head;
	struct local_ring ring[2]; /* [s]: what side s sends */
	__attribute__((aligned(4096))) uint8_t slots[2][LOCAL_SLOTS][LOCAL_SLOT_SIZE];
};
/* Touched when it is made: all but the slots. */
#define LOCAL_POPULATE offsetof(struct local_segment, slots)

struct local_tx {
	struct local_ring *ring;
	uint8_t (*slots)[LOCAL_SLOT_SIZE];
	uint32_t position;  /* messages sent */
	uint32_t completed; /* of these, known to be taken, and given back */
	uint32_t heard;	    /* of these, known to be taken */
	uint32_t answers;   /* messages taken, as of the last one sent */
	uint32_t patience;  /* looks until the peer's word of what it took is worth its line */
	uint64_t messages;
	uint64_t bytes;
	bool blocked; /* the first in line waits for something to be taken */
	uint32_t num_free;
	uint8_t free_slot[LOCAL_SLOTS];
	uint32_t used_slot[LOCAL_ENTRIES]; /* slot of the message, or LOCAL_NO_SLOT */
};

struct local_rx {
	struct local_ring *ring;
	const uint8_t (*slots)[LOCAL_SLOT_SIZE];
	uint32_t position; /* messages taken */
	uint32_t acked;	   /* of these, told to the sender */
};

/* Looks that may pass while an answer is probably on its way, which will tell by itself what the
 * peer took. */
#define LOCAL_PATIENCE 32

/* Number of the message, from 1, and how many its sender had taken by then. 16 bits of each: the
 * ring is much shorter. */
static inline uint32_t local_word(uint32_t number, uint32_t taken)
{
	return (number & 0xffff) | taken << 16;
}

void local_tx_open(struct local_tx *tx, struct local_segment *segment, uint32_t side);
void local_rx_open(struct local_rx *rx, struct local_segment *segment, uint32_t side);

/* The entry to be filled next, or NULL: full. */
static inline struct local_entry *local_tx_entry(const struct local_tx *tx)
{
	if (sdpu_unlikely(tx->position - tx->completed >= LOCAL_ENTRIES))
		return NULL;
	return &tx->ring->entries[tx->position % LOCAL_ENTRIES];
}
/*
 * A message of that length will soon be in the next entry: asks for the ownership of its lines,
 * whose way from the receiver takes as long as the rest of a send.
 */
static inline void local_tx_expect(const struct local_tx *tx, size_t len)
{
	const struct local_entry *entry = &tx->ring->entries[tx->position % LOCAL_ENTRIES];

	/* After a copy the receiver's polls would have fetched them back. */
	if (len > LOCAL_INLINE)
		return;
	if (len > LOCAL_FIRST_LINE)
		sdpu_prefetch_write(entry->bytes + LOCAL_FIRST_LINE);
	sdpu_prefetch_write(entry);
}
/* A slot for the message that is sent next, or NULL: all are in use. */
uint8_t *local_tx_slot(struct local_tx *tx);
/* `taken`: messages that came and lie in receive buffers. The caller rings. The slot is known. */
void local_tx_publish(struct local_tx *tx, struct local_entry *entry,
		      const struct local_label *label, uint32_t taken);
/* The peer says that it took so many, by 16 bits or more. What it claims beyond what was sent is
 * nothing. */
static inline void local_tx_hear(struct local_tx *tx, uint32_t taken)
{
	uint32_t more = (taken - tx->heard) & 0xffff;

	if (more <= tx->position - tx->heard)
		tx->heard += more;
}
/* Of those that it says it took, is there one that is not given back yet? */
static inline bool local_tx_owes(const struct local_tx *tx, uint32_t taken)
{
	uint32_t more = (taken - tx->completed) & 0xffff;

	return more != 0 && more <= tx->position - tx->completed;
}
/* The same of all that it ever said. */
static inline bool local_tx_is_heard(const struct local_tx *tx)
{
	return tx->completed != tx->heard;
}
/* Has the peer answered the oldest one? Looks. */
static inline bool local_tx_look(struct local_tx *tx)
{
	if (!local_tx_is_heard(tx) && tx->completed != tx->position)
		/* Acquire: pairs with the publish in local_rx_ack(). */
		local_tx_hear(tx, sdpu_load_acquire(&tx->ring->taken));
	return local_tx_is_heard(tx);
}
/* The same where an answer will tell, or it is time to look. */
static inline bool local_tx_has_ack(struct local_tx *tx)
{
	if (local_tx_is_heard(tx))
		return true;
	if (tx->patience != 0) {
		tx->patience--;
		return false;
	}
	return local_tx_look(tx);
}
/* Of all messages ever sent: positions come round again in minutes. */
static inline uint64_t local_tx_num_completed(const struct local_tx *tx)
{
	return tx->messages - (tx->position - tx->completed);
}
/* Ownership of the lines that will be written some messages like this one later. */
static inline void local_tx_ahead(const struct local_tx *tx, size_t len)
{
	const struct local_entry *entry =
		&tx->ring->entries[(tx->position + LOCAL_AHEAD) % LOCAL_ENTRIES];

	sdpu_prefetch_write(entry);
	if (len > LOCAL_FIRST_LINE && len <= LOCAL_INLINE)
		sdpu_prefetch_write(entry->bytes + LOCAL_FIRST_LINE);
}
/* Consumes the answer to one message, which is there; its slot is free. */
void local_tx_take_ack(struct local_tx *tx);
static inline bool local_tx_is_broken(const struct local_tx *tx)
{
	return sdpu_load_acquire(&tx->ring->broken) != 0;
}

static inline const struct local_entry *local_rx_entry(const struct local_rx *rx)
{
	return &rx->ring->entries[rx->position % LOCAL_ENTRIES];
}
static inline bool local_rx_ready(const struct local_rx *rx)
{
	const struct local_entry *entry = local_rx_entry(rx);

	/* Both lines come together, if the second one is written at all. */
	__builtin_prefetch(entry->bytes + LOCAL_FIRST_LINE);
	/* Acquire: pairs with the publish in local_tx_publish(). */
	return (uint16_t)sdpu_load_acquire(&entry->word) == (uint16_t)(rx->position + 1);
}
/* What the ready entry says of our messages, by 16 bits. */
static inline uint32_t local_rx_taken(const struct local_rx *rx)
{
	return sdpu_load(&local_rx_entry(rx)->word) >> 16;
}
/* Of a ready entry, each word once. False: what it says makes no sense. */
static inline bool local_rx_read(const struct local_entry *entry, struct local_label *label)
{
	uint32_t how = sdpu_load(&entry->how);

	label->len = sdpu_load(&entry->len);
	label->immediate = sdpu_load(&entry->immediate);
	label->where = (enum local_where)(how & 0xff);
	label->opcode = (enum doca_rdma_opcode)(how >> 8 & 0xff);
	label->slot = how >> 16;
	return label->slot < LOCAL_SLOTS &&
	       (label->opcode < DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM ||
		(label->opcode == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM && label->len == 0));
}
/* Tells the sender what was taken. False: no news, no need to ring. */
bool local_rx_ack(struct local_rx *rx);
/* The next message can never be taken; the caller closes the channel after it. */
void local_rx_break(struct local_rx *rx);

#endif
