/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared segment: a memfd sealed against shrinking and growing, mapped MADV_DONTFORK.
 *
 * Owner: whoever created or mapped it; ends with sdpu_segment_unmap(), the memory with the last
 * mapping. A dead peer leaves it readable. Its contents may change at any time.
 */
#ifndef SDPU_BUS_SEGMENT_H
#define SDPU_BUS_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>

#include <doca_error.h>

#include "base/compiler.h"

struct sdpu_segment {
	void *base;
	size_t size;
	int fd; /* -1 once closed; a mapping needs none */
};

enum sdpu_segment_access { SDPU_SEGMENT_READ, SDPU_SEGMENT_WRITE };

/*
 * Makes a zeroed segment, its first `populate` bytes touched now. With `owner_only`, the descriptor
 * can be mapped read-only by others (F_SEAL_FUTURE_WRITE set after our own mapping).
 */
SDPU_SHARED doca_error_t sdpu_segment_create(const char *name, size_t size, size_t populate,
					     bool owner_only, struct sdpu_segment *segment);
/*
 * Maps a peer's descriptor after checking seals and that it is exactly `size` bytes (0: any size up
 * to `max`). Takes fd over in every outcome; it is closed, segment->fd is -1. INVALID_VALUE when it
 * is not what was promised.
 */
SDPU_SHARED doca_error_t sdpu_segment_map(int fd, size_t size, size_t max,
					  enum sdpu_segment_access access, size_t populate,
					  struct sdpu_segment *segment);
/* Closes the descriptor, keeps the mapping. */
SDPU_SHARED void sdpu_segment_close_fd(struct sdpu_segment *segment);
/* Ends both; harmless on a zeroed or ended segment. */
SDPU_SHARED void sdpu_segment_unmap(struct sdpu_segment *segment);

#endif
