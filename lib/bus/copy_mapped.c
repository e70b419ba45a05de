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
#include "bus/window_parts.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/* Beyond that the first access of each page pays for it, and memory that nobody uses stays unused.
 */
#define POPULATE_MAX ((size_t)64 << 20)

/*
 * Costs speed when it fails, nothing else. Pages that are there are mapped many at a time by
 * reading, and may be written then: nobody is to be told of a write to shared memory.
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

static doca_error_t mapped_chunk(const struct sdpu_copy *copy, const struct copy_chunk *chunk,
				 size_t *moved)
{
	uint8_t *at = copy->reach->map.bytes + (chunk->addr - copy->reach->addr);

	for (int i = 0; i < chunk->num; i++) {
		const struct iovec *piece = &chunk->pieces[i];

		if (copy->direction == SDPU_COPY_GET)
			memcpy(piece->iov_base, at, piece->iov_len);
		else
			sdpu_copy_out(at, piece->iov_base, piece->iov_len, copy->len);
		at += piece->iov_len;
	}
	*moved = chunk->len;
	return DOCA_SUCCESS;
}

const struct reach_kind sdpu_reach_mapped = {
	.kind = SDPU_WINDOW_MAPPED,
	.name = "mapped",
	.open = mapped_open,
	.close = mapped_close,
	.run = sdpu_copy_in_chunks,
	.chunk = mapped_chunk,
	.cancel = sdpu_copy_cancel_nothing,
};
