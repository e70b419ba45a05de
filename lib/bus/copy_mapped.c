/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mapped windows: the owner's file in our memory, and plain copies. The mapping belongs to the
 * reach; the file is sealed, so the memory stays when the owner dies, and no access to it can
 * fault.
 */
#include <string.h>
#include <sys/mman.h>

#include "base/copy.h"
#include "bus/reach_parts.h"
#include "bus/window_check.h"
#include "bus/window_parts.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/* Larger ranges are not populated: the first access of each page pays for it, and memory that
 * nobody uses stays unused. */
#define POPULATE_MAX ((size_t)64 << 20)

/* Longer ones keep a core so busy that what comes before them does not count. */
#define AHEAD_MAX 8192u

/*
 * A failure costs speed only. Reading maps pages that exist in bulk, and they may be written then:
 * shared memory needs no notice of a write.
 */
static void populate(const struct window_map *map)
{
	size_t len = map->size < POPULATE_MAX ? map->size : POPULATE_MAX;

	(void)madvise(map->base, len, MADV_POPULATE_READ);
}

static const char *mapped_open(struct sdpu_reach *reach, struct reach_offer *offer)
{
	const struct sdpu_grant_msg *msg = &offer->msg;
	const char *why;

	if (!sdpu_window_file_is_sealed(offer->file_fd, msg->file_offset + msg->len))
		return "the file that the owner passed may shrink or is too short";
	why = sdpu_window_map(offer->file_fd, msg->file_offset, msg->len, reach->may_write,
			      &reach->map);
	if (why == NULL)
		populate(&reach->map);
	return why;
}

static void mapped_close(struct sdpu_reach *reach)
{
	sdpu_window_unmap(&reach->map);
}

static inline uint8_t *mapped_at(const struct sdpu_copy *copy, uint64_t addr)
{
	return copy->reach->map.bytes + (addr - copy->reach->addr);
}

static inline void mapped_move(const struct sdpu_copy *copy, uint8_t *at, void *local, size_t len)
{
	if (copy->direction == SDPU_COPY_GET)
		memcpy(local, at, len);
	else
		sdpu_copy_out(at, local, len, copy->len);
}

static doca_error_t mapped_chunk(const struct sdpu_copy *copy, const struct copy_chunk *chunk,
				 size_t *moved)
{
	uint8_t *at = mapped_at(copy, chunk->addr);

	for (int i = 0; i < chunk->num; i++) {
		const struct iovec *piece = &chunk->pieces[i];

		mapped_move(copy, at, piece->iov_base, piece->iov_len);
		at += piece->iov_len;
	}
	*moved = chunk->len;
	return DOCA_SUCCESS;
}

static inline bool mapped_is_one_piece(const struct sdpu_copy *copy, size_t budget)
{
	return copy->done == 0 && copy->num_local != 0 && copy->local[0].iov_len >= copy->len &&
	       copy->len <= budget && copy->len <= SDPU_WINDOW_CHUNK;
}

/* One piece, and one chunk, is what nearly all of them are. */
static doca_error_t mapped_run(struct sdpu_copy *copy, size_t budget)
{
	struct sdpu_reach *reach = copy->reach;
	enum sdpu_access access;

	if (sdpu_unlikely(!mapped_is_one_piece(copy, budget)))
		return sdpu_copy_in_chunks(copy, budget);
	access = reach_begin(reach);
	if (sdpu_unlikely(access == SDPU_ACCESS_REFUSED))
		return sdpu_reach_fault(reach);
	mapped_move(copy, mapped_at(copy, copy->addr), copy->local[0].iov_base, copy->len);
	reach_end(reach, access);
	copy->done = copy->len;
	return DOCA_SUCCESS;
}

void sdpu_copy_ahead(const struct sdpu_copy *put, uint64_t addr)
{
	const struct sdpu_reach *reach = put->reach;

	if (reach->how != &sdpu_reach_mapped || put->len > AHEAD_MAX ||
	    !sdpu_range_covers(reach->addr, reach->len, addr, put->len))
		return;
	sdpu_copy_expect(mapped_at(put, addr), put->len);
}

const struct reach_kind sdpu_reach_mapped = {
	.kind = SDPU_WINDOW_MAPPED,
	.name = "mapped",
	.open = mapped_open,
	.close = mapped_close,
	.run = mapped_run,
	.chunk = mapped_chunk,
	.cancel = sdpu_copy_cancel_nothing,
};
