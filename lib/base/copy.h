/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copying to memory that another core will read. A long copy by ordinary stores pulls the
 * destination into this core's cache only to have it pulled out again; streaming stores go past it.
 */
#ifndef SDPU_BASE_COPY_H
#define SDPU_BASE_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/atomic.h"
#include "base/compiler.h"

/*
 * Copies len bytes; they do not overlap. whole: length of the operation of which this is a part; it
 * decides how. What was copied is in memory before anything stored after the call.
 */
SDPU_SHARED void sdpu_copy_out(void *to, const void *from, size_t len, size_t whole);

/*
 * Copies into an entry of two cache lines, of whose first `first` bytes are left. The second line
 * first: the reader polls the first one, and would take it away from us between two stores to it
 * while we wait for the second. The caller writes the entry's head and sequence word after it.
 */
static inline void sdpu_copy_entry(uint8_t *to, size_t first, const void *from, size_t len)
{
	if (len > first) {
		memcpy(to + first, (const uint8_t *)from + first, len - first);
		sdpu_compiler_barrier();
		len = first;
	}
	memcpy(to, from, len);
}

#endif
