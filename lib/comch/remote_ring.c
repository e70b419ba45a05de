/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The producers' side of a consumer's rings; contract in remote.h. All of it is on the data path.
 */
#include "comch/remote_ring.h"

static inline bool claim_move(struct comch_remote *remote, bool alone, uint64_t *at)
{
	if (sdpu_unlikely(!alone))
		return sdpu_cas(&remote->claimed, at, *at + 1);
	sdpu_store(&remote->claimed, *at + 1);
	return true;
}

static inline doca_error_t claim_oldest(struct comch_remote *remote, bool alone, size_t len,
					struct comch_claim *claim)
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
		if (sdpu_likely(claim_move(remote, alone, &at))) {
			/* Two lines on: by the time it is needed it has come. */
			__builtin_prefetch(&rings->posted[(at + 8) & rings->mask]);
			claim->addr = addr;
			claim->index = comch_posted_index(meta);
			sdpu_peer_gave(&remote->filled);
			return DOCA_SUCCESS;
		}
	}
}

doca_error_t comch_remote_claim(struct comch_remote *remote, size_t len, struct comch_claim *claim)
{
	bool alone = sdpu_bias_enter(&remote->bias);
	doca_error_t result = claim_oldest(remote, alone, len, claim);

	if (sdpu_likely(alone))
		sdpu_bias_exit(&remote->bias);
	return result;
}

void comch_remote_copy_ahead(const struct comch_remote *remote, const struct sdpu_copy *copy)
{
	const struct comch_fast_rings *rings = &remote->rings;
	uint64_t at = sdpu_load(&remote->claimed);
	const struct comch_posted *posted = &rings->posted[at & rings->mask];
	/* As in claim_oldest(). */
	uint64_t meta = sdpu_load_acquire(&posted->meta);

	if (comch_posted_is_new(rings, meta, at))
		sdpu_copy_ahead(copy, sdpu_load(&posted->addr));
}

static inline uint64_t fill_position(struct comch_remote *remote)
{
	uint64_t position;

	if (sdpu_unlikely(!sdpu_bias_enter(&remote->bias)))
		return sdpu_fetch_add(&remote->filled, 1);
	position = sdpu_load(&remote->filled);
	sdpu_store(&remote->filled, position + 1);
	sdpu_bias_exit(&remote->bias);
	return position;
}

static void fill_staged(struct comch_remote *remote, const struct comch_fill *fill,
			uint64_t position)
{
	struct comch_filled *entry = &remote->rings.filled[position & remote->rings.mask];

	sdpu_store(&entry->offset, fill->offset);
	comch_remote_staging_goes(remote, fill->where % COMCH_STAGING_NUM,
				  comch_staging_blocks(fill->len - fill->offset), position);
}

doca_error_t comch_remote_judge(const struct comch_remote *remote, uint64_t position)
{
	const struct comch_fast_rings *rings = &remote->rings;
	/* Acquire: pairs with the release in stop_keep_filled(); the marks were set before. */
	uint64_t judged = sdpu_load_acquire(&rings->head->judged);

	if (judged == 0)
		return DOCA_ERROR_IN_PROGRESS;
	/* Nobody fills this entry again: a closing consumer posts nothing. */
	return position < judged - 1 || sdpu_load(&rings->filled[position & rings->mask].seq) ==
						comch_kept_seq(position)
		       ? DOCA_SUCCESS
		       : DOCA_ERROR_NOT_FOUND;
}

doca_error_t comch_remote_fill(struct comch_remote *remote, const struct comch_fill *fill)
{
	uint64_t position;

	/* A send whose copy was cut off by the consumer's stop must not be followed by a later one
	 * that arrives. */
	if (sdpu_unlikely(sdpu_load_acquire(&remote->rings.head->closed) != 0))
		return DOCA_ERROR_NOT_FOUND;
	position = fill_position(remote);
	if (sdpu_unlikely(fill->where >= COMCH_WHERE_STAGED))
		fill_staged(remote, fill, position);
	return comch_fill_entry(remote, fill, position);
}
