/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control messages: one ring per direction in the connection's segment.
 *
 * Entry: two cache lines with a sequence word, a length and the message itself when it is short;
 * longer ones lie in a slot. There is a slot and an entry for each send task of the sender, so that
 * an accepted submit is in shared memory when it returns and the ring is never full. Slots are
 * reused last in, first out: only as many pages are touched as messages were in flight at once.
 *
 * Writer of entries and slots: the sender. Writer of `acked`: the receiver, when its callback has
 * had a message, or sends one itself: an answer is seen after what it answers is. Both are hostile
 * to each other: the sender keeps positions and free slots in private memory; the receiver copies a
 * message out before it looks at it.
 */
#ifndef SDPU_COMCH_CONTROL_RING_H
#define SDPU_COMCH_CONTROL_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "base/atomic.h"
#include "base/compiler.h"

#define COMCH_ENTRY_INLINE 112
#define COMCH_ENTRY_FIRST_LINE 48 /* of these, in the entry's first cache line */

struct comch_entry {
	uint32_t seq; /* position + 1 (mod 2^32) when filled */
	uint32_t len;
	uint32_t slot; /* for messages that are not inline */
	uint32_t pad;
	uint8_t bytes[COMCH_ENTRY_INLINE];
};

/* One direction, as agreed in the handshake. */
struct comch_ring_shape {
	uint32_t num;	   /* send tasks of the sender */
	uint32_t max_size; /* largest message of the sender */
};

/* Words of one direction, written as said; a cache line each. */
struct comch_ring_head {
	uint32_t acked; /* receiver: messages delivered so far */
	uint32_t pad[15];
};

/* Where things lie in the segment; a pure function of both shapes, computed by both ends. */
struct comch_ring_layout {
	size_t head[2];
	size_t entries[2];
	size_t slots[2];
	uint32_t mask[2];
	uint32_t slot_size[2];
	size_t populate; /* bytes worth touching at once */
	size_t size;
};
/* INVALID_VALUE for shapes out of bounds (they come from the peer). */
doca_error_t comch_ring_layout(const struct comch_ring_shape shape[2],
			       struct comch_ring_layout *layout);

struct comch_tx {
	struct comch_ring_head *head;
	struct comch_entry *entries;
	uint8_t *slots;
	uint32_t mask;
	uint32_t slot_size;
	uint32_t max_size;
	uint32_t position;   /* messages sent */
	uint32_t completed;  /* messages whose task was given back */
	uint32_t num_free;   /* free slots */
	uint32_t *free_slot; /* stack */
	uint32_t *used_slot; /* by entry: slot to be freed with it, or COMCH_NO_SLOT */
	uint64_t messages;   /* these two for watchers, too (sdpu_count) */
	uint64_t bytes;
};

struct comch_rx {
	struct comch_ring_head *head;
	const struct comch_entry *entries;
	const uint8_t *slots;
	uint32_t mask;
	uint32_t slot_size;
	uint32_t num;
	uint32_t max_size;
	uint32_t position; /* messages taken out */
	uint32_t acked;	   /* of these, told to the sender */
	uint64_t messages; /* as in comch_tx */
	uint64_t bytes;
};

/* direction: 0 what side 0 sends, 1 what side 1 sends. */
doca_error_t comch_tx_open(struct comch_tx *tx, void *segment,
			   const struct comch_ring_layout *layout,
			   const struct comch_ring_shape *shape, uint32_t direction);
void comch_tx_close(struct comch_tx *tx);
void comch_rx_open(struct comch_rx *rx, void *segment, const struct comch_ring_layout *layout,
		   const struct comch_ring_shape *shape, uint32_t direction);

/* Copies and publishes (the caller rings). FULL cannot happen while tasks are
 * counted; checked all the same. */
doca_error_t comch_tx_send(struct comch_tx *tx, const void *bytes, uint32_t len);
/* Messages acknowledged since; each call takes one. False: none. */
bool comch_tx_take_ack(struct comch_tx *tx);
static inline bool comch_tx_has_ack(const struct comch_tx *tx)
{
	/* Acquire: pairs with the publish in comch_rx_ack(). How much the peer claims beyond what
	 * was sent does not matter: what was sent bounds it. */
	return tx->completed != tx->position &&
	       sdpu_load_acquire(&tx->head->acked) != tx->completed;
}

static inline uint32_t comch_tx_num_acks(const struct comch_tx *tx)
{
	uint32_t sent = tx->position - tx->completed;
	/* Acquire: as above. */
	uint32_t acks = sdpu_load_acquire(&tx->head->acked) - tx->completed;

	return acks < sent ? acks : sent;
}

/* A message is there. */
static inline bool comch_rx_ready(const struct comch_rx *rx)
{
	const struct comch_entry *entry = &rx->entries[rx->position & rx->mask];

	/* Both lines come together, if the second one is written at all. */
	__builtin_prefetch(entry->bytes + COMCH_ENTRY_FIRST_LINE);
	/* Acquire: pairs with the publish in comch_tx_send(). */
	return sdpu_load_acquire(&entry->seq) == rx->position + 1;
}
/* Copies the next message out. AGAIN: none; INVALID_VALUE: the peer wrote nonsense. */
doca_error_t comch_rx_take(struct comch_rx *rx, uint8_t *bytes, uint32_t *len);
/* Tells the sender what was delivered; true when there was news (the caller rings). */
static inline bool comch_rx_ack(struct comch_rx *rx)
{
	if (sdpu_likely(rx->acked == rx->position))
		return false;
	rx->acked = rx->position;
	/* Release: pairs with the acquire in comch_tx_has_ack(). */
	sdpu_store_release(&rx->head->acked, rx->acked);
	return true;
}

#endif
