/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A send into a consumer's rings, inline; contract in remote.h. All of it is on the data path.
 */
#ifndef SDPU_COMCH_REMOTE_RING_H
#define SDPU_COMCH_REMOTE_RING_H

#include <string.h>

#include "base/copy.h"
#include "comch/remote.h"

static inline void comch_fill_bytes(struct comch_filled *entry, const struct comch_fill *fill)
{
	if (fill->payload != NULL)
		sdpu_copy_entry(entry->bytes + fill->imm_len, fill->payload, fill->len);
	if (fill->imm_len != 0)
		memcpy(entry->bytes, fill->imm, fill->imm_len);
}

/* Ownership of the lines that will be written some sends later. */
static inline void comch_fill_ahead(const struct comch_filled *entry, const struct comch_fill *like)
{
	sdpu_prefetch_write(entry);
	if (like->payload != NULL && like->imm_len + like->len > COMCH_FAST_FIRST_LINE)
		sdpu_prefetch_write(entry->bytes + COMCH_FAST_FIRST_LINE);
}

/* The entry at a position that was taken. As comch_remote_fill(), but for NOT_FOUND. */
static inline doca_error_t comch_fill_entry(struct comch_remote *remote,
					    const struct comch_fill *fill, uint64_t position)
{
	const struct comch_fast_rings *rings = &remote->rings;
	struct comch_filled *entry = &rings->filled[position & rings->mask];

	comch_fill_bytes(entry, fill);
	sdpu_store(&entry->index, fill->index);
	sdpu_store(&entry->len, fill->len);
	sdpu_store(&entry->producer, fill->producer);
	sdpu_store(&entry->imm_len, fill->imm_len);
	sdpu_store(&entry->where, fill->where);
	sdpu_peer_was_given(&remote->filled);
	/* Release: pairs with the acquire in the consumer's poll. */
	sdpu_store_release(&entry->seq, (uint32_t)position + 1);
	sdpu_ringer_ring(&remote->ringer, &rings->head->cold);
	/* Behind its fence, which pairs with the one in comch_consumer_shut(). */
	if (sdpu_unlikely(sdpu_load(&rings->head->closed) != 0)) {
		*fill->position = position;
		return DOCA_ERROR_AGAIN;
	}
	if (fill->streaming)
		comch_fill_ahead(&rings->filled[(position + COMCH_FAST_AHEAD) & rings->mask], fill);
	return DOCA_SUCCESS;
}

/*
 * Claim and entry in one go, of a payload that fits an entry, to a consumer that is not closed.
 * NOT_SUPPORTED: not so simple; nothing was done, and the two calls will tell. Else as
 * comch_remote_fill().
 */
static inline doca_error_t comch_remote_send(struct comch_remote *remote, struct comch_fill *fill)
{
	const struct comch_fast_rings *rings = &remote->rings;
	const struct comch_posted *posted;
	uint64_t at, meta, position;

	if (sdpu_unlikely(!sdpu_bias_enter(&remote->bias)))
		return DOCA_ERROR_NOT_SUPPORTED;
	at = sdpu_load(&remote->claimed);
	posted = &rings->posted[at & rings->mask];
	/* Pairs with the release of the consumer's post. */
	meta = sdpu_load_acquire(&posted->meta);
	if (sdpu_unlikely(!comch_posted_is_new(rings, meta, at) ||
			  fill->len > comch_posted_len(meta))) {
		sdpu_bias_exit(&remote->bias);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	position = sdpu_load(&remote->filled);
	sdpu_store(&remote->claimed, at + 1);
	sdpu_store(&remote->filled, position + 1);
	sdpu_bias_exit(&remote->bias);
	sdpu_peer_gave(&remote->filled);
	/* Two lines on: by the time it is needed it has come. */
	__builtin_prefetch(&rings->posted[(at + 8) & rings->mask]);
	fill->index = comch_posted_index(meta);
	return comch_fill_entry(remote, fill, position);
}

#endif
