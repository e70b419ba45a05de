/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What lies in this process's address space, as the kernel lists it: looked at, never touched.
 * Owner of a walk: the caller, who ends it. Any thread; other threads may map and unmap meanwhile.
 */
#ifndef SDPU_BUS_MAPPING_H
#define SDPU_BUS_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <doca_error.h>

#include "base/compiler.h"

struct sdpu_mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t inode; /* 0: no file */
	dev_t dev;
	bool readable;
	bool writable;
	bool shared;
};

struct sdpu_mapping_walk {
	FILE *maps; /* NULL: the kernel does not tell */
	char *line;
	size_t size;
};

void sdpu_mapping_open(struct sdpu_mapping_walk *walk);
/* The mapping in which addr lies, or the first behind it; addr only grows from call to call. False:
 * none, or it cannot be told, see sdpu_mapping_seen_all(). */
bool sdpu_mapping_next(struct sdpu_mapping_walk *walk, uint64_t addr, struct sdpu_mapping *mapping);
bool sdpu_mapping_seen_all(const struct sdpu_mapping_walk *walk);
void sdpu_mapping_close(struct sdpu_mapping_walk *walk);

/*
 * SUCCESS: the range, which does not wrap, is mapped as a whole and can be read (and written, if
 * `write`), or the kernel does not tell. Else INVALID_VALUE, logged; `call` names the function that
 * the user called.
 */
SDPU_SHARED doca_error_t sdpu_mapping_check_range(const char *call, const void *addr, size_t len,
						  bool write);

#endif
