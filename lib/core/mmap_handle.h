/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles of mmaps for DPA code: 32 bits each, a place in a table of the process and how often it
 * was used. Owner: the mmap, from the first doca_mmap_dev_get_dpa_handle() until it stops.
 *
 * A thread that works on the memory behind a handle pins it, by writing the handle into its pins,
 * where stop looks. Stop waits for pins, and afterwards the handle finds nothing; so a long copy
 * checks now and then whether an mmap is stopping, and gives up. A kernel that is ended inside a
 * copy unpins as well.
 */
#ifndef SDPU_CORE_MMAP_HANDLE_H
#define SDPU_CORE_MMAP_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "base/compiler.h"
#include "base/list.h"

#define SDPU_MMAP_PINS 2

struct doca_mmap;
struct sdpu_reach;

/* Used by one thread at a time. Owner: whoever embeds it, zeroed. */
struct sdpu_mmap_pins {
	uint32_t handles[SDPU_MMAP_PINS]; /* atomic; 0: none */
	struct sdpu_list node;
};

/* Before the first pin, and after the last. Any thread; a lock. */
SDPU_SHARED void sdpu_mmap_pins_add(struct sdpu_mmap_pins *pins);
SDPU_SHARED void sdpu_mmap_pins_remove(struct sdpu_mmap_pins *pins);

/* A range behind a handle, while it is pinned. */
struct sdpu_mmap_span {
	uint64_t addr; /* the owner's */
	size_t len;
	uint32_t perms;
	struct sdpu_reach *reach; /* NULL: memory of this process, at addr */
};

/* False: one of the handles is invalid (now), and nothing is pinned. No lock, no system call. */
SDPU_SHARED bool sdpu_mmap_pin(struct sdpu_mmap_pins *pins, const uint32_t *handles, uint32_t num,
			       struct sdpu_mmap_span *spans);
SDPU_SHARED void sdpu_mmap_unpin(struct sdpu_mmap_pins *pins);
/* False once its mmap is stopping, or has stopped. One load. */
SDPU_SHARED bool sdpu_mmap_handle_lives(uint32_t handle);

/* Host's side. A started mmap; the same handle each time. Logged, `call` names the function:
 * NO_MEMORY: the table is full; NOT_SUPPORTED: it is of another machine. */
doca_error_t sdpu_mmap_give_handle(struct doca_mmap *mmap, const char *call, uint32_t *handle);
/* Waits for pins. Harmless when there is no handle. */
void sdpu_mmap_take_handle(struct doca_mmap *mmap);

#endif
