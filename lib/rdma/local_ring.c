/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rings of a local connection; contract in local_ring.h. Data path.
 */
#include "rdma/local_ring.h"

#include <string.h>

void local_tx_open(struct local_tx *tx, struct local_segment *segment, uint32_t side)
{
	memset(tx, 0, sizeof(*tx));
	tx->ring = &segment->ring[side];
	tx->slots = segment->slots[side];
	/* The lowest slot is on top of the stack: it is used first, and again. */
	for (uint32_t i = LOCAL_SLOTS; i-- > 0;)
		tx->free_slot[tx->num_free++] = (uint8_t)i;
	for (uint32_t i = 0; i < LOCAL_ENTRIES; i++)
		tx->used_slot[i] = LOCAL_NO_SLOT;
}

void local_rx_open(struct local_rx *rx, struct local_segment *segment, uint32_t side)
{
	memset(rx, 0, sizeof(*rx));
	rx->ring = &segment->ring[!side];
	rx->slots = segment->slots[!side];
}

uint8_t *local_tx_slot(struct local_tx *tx)
{
	uint32_t slot;

	if (tx->num_free == 0)
		return NULL;
	slot = tx->free_slot[--tx->num_free];
	tx->used_slot[tx->position % LOCAL_ENTRIES] = slot;
	return tx->slots[slot];
}

void local_tx_publish(struct local_tx *tx, struct local_entry *entry,
		      const struct local_label *label, uint32_t taken)
{
	uint32_t slot = tx->used_slot[tx->position % LOCAL_ENTRIES];

	sdpu_store(&entry->len, label->len);
	sdpu_store(&entry->how,
		   label->where | label->opcode << 8 | (slot == LOCAL_NO_SLOT ? 0 : slot << 16));
	sdpu_store(&entry->immediate, label->immediate);
	tx->position++;
	tx->messages++;
	tx->bytes += label->len;
	sdpu_store(&tx->ring->messages, tx->messages);
	sdpu_store(&tx->ring->bytes, tx->bytes);
	/* Release: pairs with the acquire in local_rx_ready(). */
	sdpu_store_release(&entry->word, local_word(tx->position, taken));
	tx->patience = taken == tx->answers ? 0 : LOCAL_PATIENCE;
	tx->answers = taken;
}

void local_tx_take_ack(struct local_tx *tx)
{
	uint32_t *used = &tx->used_slot[tx->completed % LOCAL_ENTRIES];

	if (*used != LOCAL_NO_SLOT) {
		tx->free_slot[tx->num_free++] = (uint8_t)*used;
		*used = LOCAL_NO_SLOT;
	}
	tx->completed++;
	tx->blocked = false;
}

bool local_rx_ack(struct local_rx *rx)
{
	if (sdpu_likely(rx->acked == rx->position))
		return false;
	rx->acked = rx->position;
	/* Release: pairs with the acquire in local_tx_has_ack(). */
	sdpu_store_release(&rx->ring->taken, rx->acked);
	return true;
}

void local_rx_break(struct local_rx *rx)
{
	(void)local_rx_ack(rx);
	/* Release: who sees it has seen what was taken before. */
	sdpu_store_release(&rx->ring->broken, 1);
}
