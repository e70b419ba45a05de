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
 * Copies what fits into an entry of a ring, inline; they do not overlap. From the end on: the
 * reader polls the entry's first line, and would take it away from us between two stores to it
 * while we wait for the second. The caller writes the entry's head and sequence word after it.
 */
static inline void sdpu_copy_entry(void *to, const void *from, size_t len)
{
	uint8_t *out = to;
	const uint8_t *in = from;
	size_t at = len;

	while (sdpu_likely(at >= 16)) {
		at -= 16;
		memcpy(out + at, in + at, 16);
		sdpu_compiler_barrier();
	}
	/* The rest at the front; of short copies, all. */
	if (at == 0)
		return;
	if (len >= 16) {
		memcpy(out, in, 16);
	} else if (len >= 8) {
		memcpy(out, in, 8);
		memcpy(out + len - 8, in + len - 8, 8);
	} else if (len >= 4) {
		memcpy(out, in, 4);
		memcpy(out + len - 4, in + len - 4, 4);
	} else {
		out[0] = in[0];
		out[len / 2] = in[len / 2];
		out[len - 1] = in[len - 1];
	}
}

/* Asks for the ownership of the lines of a range that will be written soon. */
static inline void sdpu_copy_expect(const void *to, size_t len)
{
	for (size_t at = 0; at < len; at += SDPU_CACHE_LINE)
		sdpu_prefetch_write((const uint8_t *)to + at);
}

#endif
