/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The file behind a window, mapped into this process beside whatever its user has mapped: by an
 * importer, or by the owner for atomics. Owner: the object that embeds it. The file is sealed
 * against shrinking, so that the memory stays whoever dies; a forked child does not have it.
 */
#ifndef SDPU_BUS_WINDOW_MAP_H
#define SDPU_BUS_WINDOW_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct window_map {
	uint8_t *base; /* NULL: nothing is mapped */
	size_t size;
	uint8_t *bytes; /* the window's first */
};

/* offset + len does not wrap, and the file was found to be sealed that far. NULL, or why not. */
const char *sdpu_window_map(int fd, uint64_t offset, uint64_t len, bool writable,
			    struct window_map *map);
/* Harmless when nothing is mapped. */
void sdpu_window_unmap(struct window_map *map);

#endif
