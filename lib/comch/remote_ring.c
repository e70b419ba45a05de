/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The producers' side of a consumer's rings; contract in remote.h. All of it is on the data path.
 */
#include <string.h>

#include "comch/remote.h"

doca_error_t comch_remote_claim(struct comch_remote *remote, size_t len, struct comch_claim *claim)
{
	const struct comch_fast_rings *rings = &remote->rings;
	uint64_t at = sdpu_load(&remote->claimed);

	for (;;) {
		const struct comch_posted *posted = &rings->posted[at & rings->mask];
		/* Pairs with the release of the consumer's post; the address was written before. */
		uint64_t meta = sdpu_load_acquire(&posted->meta);
		uint64_t addr = sdpu_load(&posted->addr);
		uint64_t now;

		if (sdpu_unlikely(!comch_posted_is_new(rings, meta, at))) {
			/* Not there yet, unless another thread has moved the cursor meanwhile. */
			now = sdpu_load(&remote->claimed);
			if (now == at)
				return DOCA_ERROR_AGAIN;
			at = now;
			continue;
		}
		if (sdpu_unlikely(len > comch_posted_len(meta)))
			return DOCA_ERROR_INVALID_VALUE;
		if (sdpu_likely(sdpu_cas(&remote->claimed, &at, at + 1))) {
			/* Two lines on: by the time it is needed it has come. */
			__builtin_prefetch(&rings->posted[(at + 8) & rings->mask]);
			claim->addr = addr;
			claim->index = comch_posted_index(meta);
			return DOCA_SUCCESS;
		}
	}
}

doca_error_t comch_remote_fill(struct comch_remote *remote, const struct comch_fill *fill)
{
	const struct comch_fast_rings *rings = &remote->rings;
	uint64_t position = sdpu_fetch_add(&remote->filled, 1);
	struct comch_filled *entry = &rings->filled[position & rings->mask];

	sdpu_store(&entry->index, fill->index);
	sdpu_store(&entry->len, fill->len);
	sdpu_store(&entry->producer, fill->producer);
	sdpu_store(&entry->imm_len, fill->imm_len);
	sdpu_store(&entry->where, fill->where);
	if (fill->imm_len != 0)
		memcpy(entry->bytes, fill->imm, fill->imm_len);
	if (fill->payload != NULL)
		memcpy(entry->bytes + fill->imm_len, fill->payload, fill->len);
	/* Pairs with the acquire in the consumer's poll; the fence is F1 of bus/bell.h, and stands
	 * before the look at closed. */
	sdpu_publish_fenced(&entry->seq, (uint32_t)position + 1);
	if (sdpu_unlikely(sdpu_load(&rings->head->closed) != 0))
		return DOCA_ERROR_NOT_FOUND;
	sdpu_ringer_ring(&remote->ringer, &rings->head->cold);
	return DOCA_SUCCESS;
}

int comch_remote_take_staging(struct comch_remote *remote)
{
	uint64_t *word = &remote->rings.head->staging_free;
	uint64_t free_bits = sdpu_load(word) & ((1ull << COMCH_STAGING_NUM) - 1);

	while (free_bits != 0) {
		uint64_t bit = free_bits & -free_bits;

		/* Acquire: pairs with the consumer's giving back, after which it reads the buffer
		 * no more. */
		if (sdpu_fetch_and(word, ~bit) & bit)
			return __builtin_ctzll(bit);
		free_bits &= ~bit;
	}
	return -1;
}
