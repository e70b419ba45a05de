/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Page-aligned memory regions, and the library's view of them.
 *
 * A region is owned by whoever allocated it and is freed after every mmap over it is destroyed.
 */
#ifndef STORAGE_MEMORY_H
#define STORAGE_MEMORY_H

#include "fault.h"

#include <doca_dev.h>
#include <doca_mmap.h>

#include <stddef.h>

enum memory_kind {
	MEMORY_PRIVATE, /* ordinary private memory */
	MEMORY_SHARED,	/* a shared mapping of a memfd that is sealed against resizing */
	MEMORY_FILE,	/* a shared mapping of a file; the file belongs to somebody else */
};

struct memory_region {
	enum memory_kind kind;
	void *base; /* NULL: nothing allocated */
	size_t size;
	size_t mapped; /* bytes, from base on: size, or more */
	int fd;	       /* MEMORY_SHARED only, else -1 */
};

/* Zeroed memory of kind MEMORY_PRIVATE or MEMORY_SHARED; pages come when they are touched. */
doca_error_t memory_allocate(struct memory_region *region, enum memory_kind kind, size_t size,
			     struct fault *fault);

/* Maps the first size bytes of an open file. */
doca_error_t memory_map_file(struct memory_region *region, int fd, size_t size,
			     struct fault *fault);

/* Harmless on a region that is all zeros, or free already. */
void memory_free(struct memory_region *region);

/* A started mmap over all of the region. The caller destroys it. */
doca_error_t memory_make_mmap(const struct memory_region *region, struct doca_dev *dev,
			      uint32_t permissions, struct doca_mmap **mmap, struct fault *fault);

#endif
