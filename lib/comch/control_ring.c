/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rings of control messages; contract in control_ring.h.
 */
#include "comch/control_ring.h"

#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/round.h"
#include "bus/channel.h"

#define RING_ENTRIES_MIN 2

#define COMCH_NO_SLOT UINT32_MAX
/* More than any capability allows; keeps sums of sizes from overflowing. */
#define COMCH_RING_NUM_MAX 65536u
#define COMCH_RING_MESSAGE_MAX 65536u
/* Entries beyond these are touched when they are first used. */
#define COMCH_RING_POPULATE (64u * 1024u)

static size_t ring_align(size_t size, size_t to)
{
	return (size + to - 1) & ~(to - 1);
}

doca_error_t comch_ring_layout(const struct comch_ring_shape shape[2],
			       struct comch_ring_layout *layout)
{
	size_t at = ring_align(sizeof(struct sdpu_channel_head), SDPU_CACHE_LINE);

	for (int d = 0; d < 2; d++) {
		if (shape[d].num == 0 || shape[d].num > COMCH_RING_NUM_MAX ||
		    shape[d].max_size == 0 || shape[d].max_size > COMCH_RING_MESSAGE_MAX)
			return DOCA_ERROR_INVALID_VALUE;
	}
	for (int d = 0; d < 2; d++) {
		layout->head[d] = at;
		at += sizeof(struct comch_ring_head);
	}
	for (int d = 0; d < 2; d++) {
		uint32_t entries = sdpu_round_up(shape[d].num, RING_ENTRIES_MIN);
		size_t bytes = entries * sizeof(struct comch_entry);

		layout->mask[d] = entries - 1;
		layout->entries[d] = at;
		at += bytes;
	}
	layout->populate = at < COMCH_RING_POPULATE ? at : COMCH_RING_POPULATE;
	at = ring_align(at, 4096);
	for (int d = 0; d < 2; d++) {
		layout->slot_size[d] = (uint32_t)ring_align(shape[d].max_size, SDPU_CACHE_LINE);
		layout->slots[d] = at;
		at += (size_t)layout->slot_size[d] * shape[d].num;
	}
	layout->size = ring_align(at, 4096);
	return DOCA_SUCCESS;
}

doca_error_t comch_tx_open(struct comch_tx *tx, void *segment,
			   const struct comch_ring_layout *layout,
			   const struct comch_ring_shape *shape, uint32_t direction)
{
	uint8_t *base = segment;

	memset(tx, 0, sizeof(*tx));
	tx->free_slot = malloc(sizeof(*tx->free_slot) * shape->num);
	tx->used_slot = malloc(sizeof(*tx->used_slot) * ((size_t)layout->mask[direction] + 1));
	if (tx->free_slot == NULL || tx->used_slot == NULL) {
		comch_tx_close(tx);
		return DOCA_ERROR_NO_MEMORY;
	}
	tx->head = (void *)(base + layout->head[direction]);
	tx->entries = (void *)(base + layout->entries[direction]);
	tx->slots = base + layout->slots[direction];
	tx->mask = layout->mask[direction];
	tx->slot_size = layout->slot_size[direction];
	tx->max_size = shape->max_size;
	/* The lowest slot is on top of the stack: it is used first, and again. */
	for (uint32_t i = shape->num; i-- > 0;)
		tx->free_slot[tx->num_free++] = i;
	return DOCA_SUCCESS;
}

void comch_tx_close(struct comch_tx *tx)
{
	free(tx->free_slot);
	free(tx->used_slot);
	tx->free_slot = NULL;
	tx->used_slot = NULL;
}

void comch_rx_open(struct comch_rx *rx, void *segment, const struct comch_ring_layout *layout,
		   const struct comch_ring_shape *shape, uint32_t direction)
{
	uint8_t *base = segment;

	memset(rx, 0, sizeof(*rx));
	rx->head = (void *)(base + layout->head[direction]);
	rx->entries = (const void *)(base + layout->entries[direction]);
	rx->slots = base + layout->slots[direction];
	rx->mask = layout->mask[direction];
	rx->slot_size = layout->slot_size[direction];
	rx->num = shape->num;
	rx->max_size = shape->max_size;
}

static void tx_place(struct comch_tx *tx, struct comch_entry *entry, const void *bytes,
		     uint32_t len)
{
	uint32_t slot;

	if (len <= COMCH_ENTRY_INLINE) {
		tx->used_slot[tx->position & tx->mask] = COMCH_NO_SLOT;
		sdpu_copy_entry(entry->bytes, bytes, len);
		return;
	}
	slot = tx->free_slot[--tx->num_free];
	tx->used_slot[tx->position & tx->mask] = slot;
	sdpu_store(&entry->slot, slot);
	memcpy(tx->slots + (size_t)slot * tx->slot_size, bytes, len);
}

doca_error_t comch_tx_send(struct comch_tx *tx, const void *bytes, uint32_t len)
{
	struct comch_entry *entry = &tx->entries[tx->position & tx->mask];

	if (sdpu_unlikely(tx->position - tx->completed > tx->mask || tx->num_free == 0))
		return DOCA_ERROR_FULL;
	tx_place(tx, entry, bytes, len);
	sdpu_store(&entry->len, len);
	tx->position++;
	sdpu_count(&tx->messages, 1);
	sdpu_count(&tx->bytes, len);
	/* Release: pairs with the acquire in comch_rx_ready(). */
	sdpu_store_release(&entry->seq, tx->position);
	return DOCA_SUCCESS;
}

bool comch_tx_take_ack(struct comch_tx *tx)
{
	uint32_t slot;

	if (!comch_tx_has_ack(tx))
		return false;
	slot = tx->used_slot[tx->completed & tx->mask];
	if (slot != COMCH_NO_SLOT)
		tx->free_slot[tx->num_free++] = slot;
	tx->completed++;
	return true;
}

/* Where the peer says that its message lies; NULL when that is nowhere. */
static const uint8_t *rx_locate(const struct comch_rx *rx, const struct comch_entry *entry,
				uint32_t len)
{
	uint32_t slot;

	if (len == 0 || len > rx->max_size)
		return NULL;
	if (len <= COMCH_ENTRY_INLINE)
		return entry->bytes;
	slot = sdpu_load(&entry->slot);
	return slot < rx->num ? rx->slots + (size_t)slot * rx->slot_size : NULL;
}

doca_error_t comch_rx_take(struct comch_rx *rx, uint8_t *bytes, uint32_t *out_len)
{
	const struct comch_entry *entry = &rx->entries[rx->position & rx->mask];
	const uint8_t *from;
	uint32_t len;

	if (!comch_rx_ready(rx))
		return DOCA_ERROR_AGAIN;
	len = sdpu_load(&entry->len);
	from = rx_locate(rx, entry, len);
	if (from == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(bytes, from, len);
	rx->position++;
	sdpu_count(&rx->messages, 1);
	sdpu_count(&rx->bytes, len);
	*out_len = len;
	return DOCA_SUCCESS;
}
