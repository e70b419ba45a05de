/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Layout of the segment; contract in fast_ring.h.
 */
#include "comch/fast_ring.h"

#include <string.h>

#include "base/round.h"
#include "bus/process.h"

#define FAST_ENTRIES_MIN (2u * COMCH_PARTS_MAX)
#define FAST_ENTRIES_MAX 65536u
#define FAST_PAGE 4096u

static size_t fast_rings_bytes(uint32_t entries)
{
	size_t bytes = sizeof(struct comch_fast_head) +
		       entries * (sizeof(struct comch_posted) + sizeof(struct comch_filled));

	return (bytes + FAST_PAGE - 1) & ~(size_t)(FAST_PAGE - 1);
}

/*
 * Twice as many as can be posted: a receive that is posted again must not be written into the cache
 * line from which producers claim next.
 */
uint32_t comch_fast_entries(uint32_t tasks)
{
	return sdpu_round_up(2 * tasks, FAST_ENTRIES_MIN);
}

doca_error_t comch_fast_size(uint32_t entries, size_t *size)
{
	if (entries < FAST_ENTRIES_MIN || entries > FAST_ENTRIES_MAX ||
	    (entries & (entries - 1)) != 0)
		return DOCA_ERROR_INVALID_VALUE;
	*size = fast_rings_bytes(entries) + (size_t)COMCH_STAGING_NUM * COMCH_STAGING_SIZE;
	return DOCA_SUCCESS;
}

static void fast_point(struct comch_fast_rings *rings, uint32_t entries)
{
	uint8_t *base = rings->segment.base;

	rings->mask = entries - 1;
	rings->shift = (uint32_t)__builtin_ctz(entries);
	rings->head = (void *)base;
	rings->filled = (void *)(base + sizeof(struct comch_fast_head));
	rings->posted = (void *)(rings->filled + entries);
	rings->staging = base + fast_rings_bytes(entries);
}

doca_error_t comch_fast_create(uint32_t entries, struct comch_fast_rings *rings)
{
	doca_error_t result;
	size_t size;

	memset(rings, 0, sizeof(*rings));
	result = comch_fast_size(entries, &size);
	if (result == DOCA_SUCCESS)
		result = sdpu_segment_create("softdpu-comch-fast", size, fast_rings_bytes(entries),
					     false, &rings->segment);
	if (result != DOCA_SUCCESS)
		return result;
	fast_point(rings, entries);
	return DOCA_SUCCESS;
}

doca_error_t comch_fast_map(int fd, uint32_t entries, struct comch_fast_rings *rings)
{
	doca_error_t result;
	size_t size;

	memset(rings, 0, sizeof(*rings));
	result = comch_fast_size(entries, &size);
	if (result != DOCA_SUCCESS) {
		sdpu_fd_close(fd);
		return result;
	}
	result = sdpu_segment_map(fd, size, size, SDPU_SEGMENT_WRITE, fast_rings_bytes(entries),
				  &rings->segment);
	if (result != DOCA_SUCCESS)
		return result;
	fast_point(rings, entries);
	sdpu_segment_close_fd(&rings->segment);
	return DOCA_SUCCESS;
}

void comch_fast_unmap(struct comch_fast_rings *rings)
{
	sdpu_segment_unmap(&rings->segment);
}
