/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles of mmaps for DPA code: 32 bits each, a place in a table of the process and how often it
 * was used. Owner: the mmap, from the first doca_mmap_dev_get_dpa_handle() until it stops.
 *
 * Who works on the memory behind a handle pins it: stop waits for that, and afterwards the handle
 * finds nothing. A thread has at most SDPU_MMAP_PINS pins; it copies with them, and gives up soon
 * when it finds that an mmap is stopping. One that is thrown out of a copy by a fault gives them
 * back with sdpu_mmap_unpin_all().
 */
#ifndef SDPU_CORE_MMAP_HANDLE_H
#define SDPU_CORE_MMAP_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "base/compiler.h"

#define SDPU_MMAP_PINS 2

struct doca_mmap;
struct sdpu_reach;

/* A range behind a handle, while it is pinned. */
struct sdpu_mmap_span {
	uint64_t addr; /* the owner's */
	size_t len;
	uint32_t perms;
	struct sdpu_reach *reach; /* NULL: memory of this process, at addr */
};

/* False: no such handle (any more). Any thread; no lock, no system call. */
SDPU_SHARED bool sdpu_mmap_pin(uint32_t handle, struct sdpu_mmap_span *span);
SDPU_SHARED void sdpu_mmap_unpin(uint32_t handle);
SDPU_SHARED void sdpu_mmap_unpin_all(void);
/* False once its mmap is stopping, or has stopped. One load. */
SDPU_SHARED bool sdpu_mmap_handle_lives(uint32_t handle);

/* Host's side. A started mmap; the same handle each time. Logged, `call` names the function:
 * NO_MEMORY: the table is full; NOT_SUPPORTED: it is of another machine. */
doca_error_t sdpu_mmap_give_handle(struct doca_mmap *mmap, const char *call, uint32_t *handle);
/* Waits for pins. Harmless when there is no handle. */
void sdpu_mmap_take_handle(struct doca_mmap *mmap);

#endif
