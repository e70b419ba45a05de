/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of /proc/self/maps, in the order of addresses; see mapping.h. What is mapped throughout a
 * walk is listed, whatever other threads do.
 */
#include "bus/mapping.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/log.h"

static bool parse_mapping(const char *line, struct sdpu_mapping *mapping)
{
	unsigned int major, minor;
	char perms[5];

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64, &mapping->start,
		   &mapping->end, perms, &mapping->offset, &major, &minor, &mapping->inode) != 7)
		return false;
	mapping->dev = makedev(major, minor);
	mapping->readable = strchr(perms, 'r') != NULL;
	mapping->writable = strchr(perms, 'w') != NULL;
	mapping->shared = strchr(perms, 's') != NULL;
	return true;
}

void sdpu_mapping_open(struct sdpu_mapping_walk *walk)
{
	*walk = (struct sdpu_mapping_walk){.maps = fopen("/proc/self/maps", "re")};
}

bool sdpu_mapping_next(struct sdpu_mapping_walk *walk, uint64_t addr, struct sdpu_mapping *mapping)
{
	if (walk->maps == NULL)
		return false;
	while (getline(&walk->line, &walk->size, walk->maps) > 0)
		if (parse_mapping(walk->line, mapping) && mapping->end > addr)
			return true;
	return false;
}

/* A line that memory was short for ends a walk as well. */
bool sdpu_mapping_seen_all(const struct sdpu_mapping_walk *walk)
{
	return walk->maps != NULL && feof(walk->maps);
}

void sdpu_mapping_close(struct sdpu_mapping_walk *walk)
{
	free(walk->line);
	if (walk->maps != NULL)
		fclose(walk->maps);
}

struct mapping_fault {
	const char *found;
	const char *needed;
};

static const struct mapping_fault missing = {
	"is not mapped", "memory that exists; was it freed, or is the length wrong?"};
static const struct mapping_fault read_only = {
	"cannot be written",
	"memory that the program itself can write; is it a constant, or mapped for reading?"};
static const struct mapping_fault unreadable = {
	"cannot be read", "memory that the program itself can read; is it mapped with PROT_NONE?"};

static const struct mapping_fault *mapping_fault(const struct sdpu_mapping *mapping, uint64_t at,
						 bool write)
{
	if (mapping->start > at)
		return &missing;
	if (!mapping->readable)
		return &unreadable;
	return write && !mapping->writable ? &read_only : NULL;
}

/* NULL, or what is wrong with the range, and at which address that begins. */
static const struct mapping_fault *find_fault(uint64_t addr, uint64_t len, bool write, uint64_t *at)
{
	struct sdpu_mapping_walk walk;
	struct sdpu_mapping mapping;
	const struct mapping_fault *fault = NULL;

	*at = addr;
	sdpu_mapping_open(&walk);
	while (fault == NULL && *at < addr + len && sdpu_mapping_next(&walk, *at, &mapping)) {
		fault = mapping_fault(&mapping, *at, write);
		if (fault == NULL)
			*at = mapping.end;
	}
	if (fault == NULL && *at < addr + len && sdpu_mapping_seen_all(&walk))
		fault = &missing;
	sdpu_mapping_close(&walk);
	return fault;
}

doca_error_t sdpu_mapping_check_range(const char *call, const void *addr, size_t len, bool write)
{
	uint64_t at;
	const struct mapping_fault *fault = find_fault((uintptr_t)addr, len, write, &at);

	if (fault == NULL)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: of the %zu bytes at %p, what begins with byte %" PRIu64 " %s; needed: %s",
		     call, len, addr, at - (uintptr_t)addr, fault->found, fault->needed);
	return DOCA_ERROR_INVALID_VALUE;
}
