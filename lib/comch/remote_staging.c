/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Staging blocks of a consumer, as the producers of this process give them out among themselves;
 * contract in remote.h. Data path.
 */
#include <string.h>

#include "base/copy.h"
#include "comch/remote.h"

/* Looks without any news before the consumer is taken to be busy with something else: some tens of
 * microseconds; it needs less than ten for a part. */
#define STAGING_PATIENCE 1000
/*
 * A reader that waits gets lines sooner from the cache that both cores share than from the
 * writer's, but to send them there takes the writer longer than to write them: so many bytes are
 * worth it. In a stream none are.
 */
#define STAGING_DEMOTED 1024u
/* Bytes of the next block: a quarter of the first-level cache. */
#define STAGING_AHEAD 8192u

/* Of the first one; each is one bit. */
static uint64_t staging_bits(uint32_t first, uint32_t blocks)
{
	return ((1ull << blocks) - 1) << first;
}

static int staging_find(uint64_t used, uint32_t blocks)
{
	uint64_t runs = ~used;

	for (uint32_t i = 1; i < blocks; i++)
		runs &= ~used >> i;
	return runs == 0 ? -1 : __builtin_ctzll(runs);
}

static int staging_try(struct comch_remote *remote, bool alone, uint32_t blocks)
{
	uint64_t used = sdpu_load(&remote->staging_used);
	int first;

	while ((first = staging_find(used, blocks)) >= 0) {
		uint64_t more = used | staging_bits((uint32_t)first, blocks);

		if (sdpu_unlikely(!alone)) {
			if (sdpu_cas(&remote->staging_used, &used, more))
				return first;
			continue;
		}
		sdpu_store(&remote->staging_used, more);
		return first;
	}
	return -1;
}

/* The one who changes it from taken to nothing gives it back. */
static bool staging_untie(struct comch_remote *remote, bool alone, uint32_t i, uint64_t entry)
{
	if (sdpu_unlikely(!alone))
		return sdpu_cas(&remote->staging_entry[i], &entry, COMCH_STAGING_NOT_OUT);
	sdpu_store(&remote->staging_entry[i], COMCH_STAGING_NOT_OUT);
	return true;
}

/* Blocks whose entries the consumer has taken. What it says is bounded by what went out. */
static void staging_reclaim(struct comch_remote *remote, bool alone)
{
	/* Acquire: pairs with the release in take_staged(). */
	uint64_t taken = sdpu_load_acquire(&remote->rings.head->taken);
	uint64_t used = sdpu_load(&remote->staging_used);
	uint64_t back = 0;

	for (uint64_t bits = used; bits != 0; bits &= bits - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(bits);
		uint64_t entry = sdpu_load_acquire(&remote->staging_entry[i]);

		if (entry != COMCH_STAGING_NOT_OUT && entry < taken &&
		    staging_untie(remote, alone, i, entry))
			back |= 1ull << i;
	}
	if (sdpu_likely(alone))
		sdpu_store(&remote->staging_used, used & ~back);
	else
		(void)sdpu_fetch_and(&remote->staging_used, ~back);
}

int comch_remote_take_staging(struct comch_remote *remote, uint32_t blocks)
{
	bool alone = sdpu_bias_enter(&remote->bias);
	int first = staging_try(remote, alone, blocks);

	if (sdpu_unlikely(first < 0)) {
		staging_reclaim(remote, alone);
		first = staging_try(remote, alone, blocks);
	}
	if (sdpu_likely(alone))
		sdpu_bias_exit(&remote->bias);
	return first;
}

void comch_remote_staging_goes(struct comch_remote *remote, uint32_t first, uint32_t blocks,
			       uint64_t position)
{
	/* Release: pairs with the acquire in staging_reclaim(); the bit was set before. */
	for (uint32_t i = first; i < first + blocks; i++)
		sdpu_store_release(&remote->staging_entry[i], position);
}

void comch_remote_stage(const struct comch_remote *remote, uint32_t first, const void *from,
			size_t len, bool streaming)
{
	uint8_t *to = comch_staging_at(&remote->rings, first);

	memcpy(to, from, len);
	if (streaming)
		return;
	for (size_t at = 0; at < len && at < STAGING_DEMOTED; at += SDPU_CACHE_LINE)
		sdpu_cache_demote(to + at);
}

void comch_remote_stage_ahead(const struct comch_remote *remote, size_t like)
{
	/* What the consumer has not taken yet is not free. */
	int next = staging_find(sdpu_load(&remote->staging_used), 1);

	if (sdpu_unlikely(next < 0))
		return;
	sdpu_copy_expect(comch_staging_at(&remote->rings, (uint32_t)next),
			 like < STAGING_AHEAD ? like : STAGING_AHEAD);
}

bool comch_remote_staging_comes(struct comch_remote *remote)
{
	uint64_t taken = sdpu_load(&remote->rings.head->taken);

	if (taken != sdpu_load(&remote->staging_seen)) {
		sdpu_store(&remote->staging_seen, taken);
		sdpu_store(&remote->staging_waits, 0);
		return true;
	}
	/* Other threads may count as well: it need not be exact. */
	if (sdpu_load(&remote->staging_waits) >= STAGING_PATIENCE)
		return false;
	sdpu_store(&remote->staging_waits, sdpu_load(&remote->staging_waits) + 1);
	return true;
}
