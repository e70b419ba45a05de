/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Private regions from there on lie in huge pages where the machine has them: a copy by the kernel
 * looks up each page that it touches. */
#define MEMORY_HUGE_FROM ((size_t)64 << 10)
#define MEMORY_HUGE_PAGE ((size_t)2 << 20)

static size_t memory_round_up(size_t size)
{
	return (size + MEMORY_HUGE_PAGE - 1) & ~(MEMORY_HUGE_PAGE - 1);
}

static doca_error_t memory_map(struct memory_region *region, int flags, int fd)
{
	void *base = mmap(NULL, region->size, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (base == MAP_FAILED)
		return DOCA_ERROR_NO_MEMORY;
	region->base = base;
	region->mapped = region->size;
	return DOCA_SUCCESS;
}

/* Maps a huge page too much, and gives back what lies before and behind. False: there is no room
 * for so much; perhaps there is for less. */
static bool memory_allocate_huge(struct memory_region *region)
{
	const size_t size = memory_round_up(region->size);
	uint8_t *start, *base;
	size_t before;

	if (size < region->size)
		return false;
	start = mmap(NULL, size + MEMORY_HUGE_PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (start == MAP_FAILED)
		return false;
	before = memory_round_up((uintptr_t)start) - (uintptr_t)start;
	base = start + before;
	if (before != 0)
		munmap(start, before);
	munmap(base + size, MEMORY_HUGE_PAGE - before);
	/* Costs speed when it fails, nothing else. */
	(void)madvise(base, size, MADV_HUGEPAGE);
	region->base = base;
	region->mapped = size;
	return true;
}

static doca_error_t memory_allocate_private(struct memory_region *region)
{
	if (region->size >= MEMORY_HUGE_FROM && memory_allocate_huge(region))
		return DOCA_SUCCESS;
	return memory_map(region, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

/* Without the seals a peer that maps the memory could be made to touch pages that are gone. */
static doca_error_t memory_allocate_shared(struct memory_region *region)
{
	region->fd = memfd_create("storage-io", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (region->fd < 0)
		return DOCA_ERROR_OPERATING_SYSTEM;
	if (ftruncate(region->fd, (off_t)region->size) != 0 ||
	    fcntl(region->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
		return DOCA_ERROR_OPERATING_SYSTEM;
	return memory_map(region, MAP_SHARED, region->fd);
}

doca_error_t memory_allocate(struct memory_region *region, enum memory_kind kind, size_t size,
			     struct fault *fault)
{
	doca_error_t result;

	*region = (struct memory_region){.kind = kind, .size = size, .fd = -1};
	if (kind == MEMORY_SHARED)
		result = memory_allocate_shared(region);
	else
		result = memory_allocate_private(region);
	if (result == DOCA_SUCCESS)
		return result;
	result = fault_raise(fault, result, "Cannot allocate %zu bytes of %s memory: %s", size,
			     kind == MEMORY_SHARED ? "shared" : "private", strerror(errno));
	memory_free(region);
	return result;
}

doca_error_t memory_map_file(struct memory_region *region, int fd, size_t size, struct fault *fault)
{
	doca_error_t result;

	*region = (struct memory_region){.kind = MEMORY_FILE, .size = size, .fd = -1};
	result = memory_map(region, MAP_SHARED, fd);
	if (result != DOCA_SUCCESS)
		return fault_raise(fault, result, "Cannot map %zu bytes of the storage file: %s",
				   size, strerror(errno));
	return result;
}

void memory_free(struct memory_region *region)
{
	if (region->base != NULL)
		munmap(region->base, region->mapped);
	if (region->kind == MEMORY_SHARED && region->fd >= 0)
		close(region->fd);
	*region = (struct memory_region){.fd = -1};
}

doca_error_t memory_make_mmap(const struct memory_region *region, struct doca_dev *dev,
			      uint32_t permissions, struct doca_mmap **mmap, struct fault *fault)
{
	struct doca_mmap *made = NULL;
	doca_error_t result;

	result = doca_mmap_create(&made);
	if (result == DOCA_SUCCESS)
		result = doca_mmap_add_dev(made, dev);
	if (result == DOCA_SUCCESS)
		result = doca_mmap_set_memrange(made, region->base, region->size);
	if (result == DOCA_SUCCESS)
		result = doca_mmap_set_permissions(made, permissions);
	if (result == DOCA_SUCCESS)
		result = doca_mmap_start(made);
	if (result == DOCA_SUCCESS) {
		*mmap = made;
		return result;
	}
	if (made != NULL)
		doca_mmap_destroy(made);
	return fault_raise(fault, result, "Cannot register %zu bytes of memory: %s", region->size,
			   doca_error_get_name(result));
}
