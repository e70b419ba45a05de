/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that this process has exported for RDMA, its own or imported and exported again, by the
 * key in the descriptor. Read by who serves requesters of other machines. Owner: the process; an
 * entry belongs to the objects (mmap, sync event) that added it, and ends when all of them have
 * removed it. It says what may be asked for, and keeps nothing alive: whoever finds an entry gets
 * at the memory through a window, or fails. Any thread; never called where local operations run.
 */
#ifndef SDPU_CORE_EXPORT_TABLE_H
#define SDPU_CORE_EXPORT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "base/compiler.h"
#include "bus/agent.h"
#include "bus/window.h"

struct sdpu_export {
	uint8_t key[SDPU_KEY_SIZE];
	char owner[SDPU_ENDPOINT_MAX]; /* agent of the memory's owner: this process's, or not */
	uint32_t perms;		       /* mask of enum doca_access_flag */
	uint64_t addr, len;	       /* as the owner sees them */
};

/* Counted: a key may be there several times, as one range may be exported in several ways.
 * NO_MEMORY. */
SDPU_SHARED doca_error_t sdpu_export_add(const struct sdpu_export *e);
/* Once for each addition. Before the memory's window ends; an mmap counts sdpu_mmap_stops up after
 * it, so that what was found is good until then. */
SDPU_SHARED void sdpu_export_remove(const uint8_t key[SDPU_KEY_SIZE]);

/* Copies the entry; false: not exported, or not any more. */
SDPU_SHARED bool sdpu_export_find(const uint8_t key[SDPU_KEY_SIZE], struct sdpu_export *found);

#endif
