/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One copy between local memory and a window: what all kinds have in common. A copy belongs to one
 * thread at a time, its reach may be shared. When the owner dies or revokes, the next chunk fails.
 */
#include "bus/process.h"
#include "bus/reach_parts.h"
#include "bus/window_check.h"

enum sdpu_access sdpu_reach_begin(struct sdpu_reach *reach)
{
	return reach_begin(reach);
}

void sdpu_reach_end(struct sdpu_reach *reach, enum sdpu_access access)
{
	reach_end(reach, access);
}

void sdpu_copy_gather(const struct sdpu_copy *copy, size_t want, struct copy_chunk *chunk)
{
	size_t offset = copy->offset;

	chunk->num = 0;
	chunk->len = 0;
	chunk->addr = copy->addr + copy->done;
	for (uint32_t i = copy->index; i < copy->num_local && chunk->len < want; i++) {
		size_t room = copy->local[i].iov_len - offset;
		size_t len = room < want - chunk->len ? room : want - chunk->len;
		struct iovec *piece = &chunk->pieces[chunk->num];

		piece->iov_base = (uint8_t *)copy->local[i].iov_base + offset;
		piece->iov_len = len;
		chunk->len += len;
		offset = 0;
		if (len > 0 && ++chunk->num == COPY_PIECES)
			break;
	}
}

void sdpu_copy_advance(struct sdpu_copy *copy, size_t moved)
{
	copy->done += moved;
	copy->offset += moved;
	while (copy->index < copy->num_local && copy->offset >= copy->local[copy->index].iov_len) {
		copy->offset -= copy->local[copy->index].iov_len;
		copy->index++;
	}
}

doca_error_t sdpu_copy_in_chunks(struct sdpu_copy *copy, size_t budget)
{
	struct sdpu_reach *reach = copy->reach;
	struct copy_chunk chunk;
	enum sdpu_access access;
	doca_error_t result;
	size_t want, moved;

	while (copy->done < copy->len && budget > 0) {
		want = copy->len - copy->done;
		want = want < budget ? want : budget;
		want = want < SDPU_WINDOW_CHUNK ? want : SDPU_WINDOW_CHUNK;
		sdpu_copy_gather(copy, want, &chunk);
		if (chunk.len == 0)
			return DOCA_ERROR_INVALID_VALUE;
		access = reach_begin(reach);
		if (access == SDPU_ACCESS_REFUSED)
			return sdpu_reach_fault(reach);
		result = reach->how->chunk(copy, &chunk, &moved);
		reach_end(reach, access);
		if (result != DOCA_SUCCESS)
			return result;
		sdpu_copy_advance(copy, moved);
		budget -= moved;
	}
	return copy->done == copy->len ? DOCA_SUCCESS : DOCA_ERROR_IN_PROGRESS;
}

/* What does not change while the copy runs, in few enough loads to be looked at each time. */
bool sdpu_copy_is_permitted(const struct sdpu_copy *copy)
{
	const struct sdpu_reach *reach = copy->reach;

	if (copy->direction == SDPU_COPY_PUT && !reach->may_write)
		return false;
	if (copy->need != 0 && (copy->need & reach->perms) == 0)
		return false;
	return sdpu_range_covers(reach->addr, reach->len, copy->addr, copy->len);
}

doca_error_t sdpu_copy_run(struct sdpu_copy *copy, size_t budget)
{
	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	if (sdpu_unlikely(!sdpu_copy_is_permitted(copy)))
		return DOCA_ERROR_NOT_PERMITTED;
	return copy->reach->how->run(copy, budget);
}

void sdpu_copy_cancel(struct sdpu_copy *copy)
{
	if (!sdpu_process_inert())
		copy->reach->how->cancel(copy);
}

void sdpu_copy_cancel_nothing(struct sdpu_copy *copy)
{
}
