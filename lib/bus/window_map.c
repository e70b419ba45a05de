/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See window_map.h. No state; any thread, one object by one thread.
 */
#include "bus/window_map.h"

#include <sys/mman.h>
#include <unistd.h>

const char *sdpu_window_map(int fd, uint64_t offset, uint64_t len, bool writable,
			    struct window_map *map)
{
	/* Mappings begin at a page: map from the one below the offset. */
	uint64_t below = offset % (uint64_t)sysconf(_SC_PAGESIZE);
	int prot = writable ? PROT_READ | PROT_WRITE : PROT_READ;
	void *base = mmap(NULL, len + below, prot, MAP_SHARED, fd, (off_t)(offset - below));

	if (base == MAP_FAILED)
		return "the file that the owner passed cannot be mapped";
	if (madvise(base, len + below, MADV_DONTFORK) != 0) {
		munmap(base, len + below);
		return "the mapping cannot be kept from forked children";
	}
	map->base = base;
	map->size = len + below;
	map->bytes = map->base + below;
	return NULL;
}

void sdpu_window_unmap(struct window_map *map)
{
	if (map->base == NULL)
		return;
	munmap(map->base, map->size);
	map->base = NULL;
}
