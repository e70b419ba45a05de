/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast path: bytes a second.  Private memory cannot be mapped by the peer; the limit is then the
 * better of two copies through staging memory and one by the kernel.  Shared memory takes one copy.
 */
#include "comch_stream.h"
#include "device.h"
#include "limits.h"
#include "rows.h"

#define STREAM(bytes, slots, kind)                                                                 \
	{                                                                                          \
		.num_sides = 2, .side = {comch_stream_send, comch_stream_count_bytes},             \
		.size = (bytes), .depth = (slots), .batch = 1, .variant = (kind)                   \
	}

#define PRIVATE(name, bytes, slots)                                                                \
	{                                                                                          \
		"comch.bw." name ".private", "GB/s", 1e9, STREAM(bytes, slots, MEMORY_PRIVATE),    \
		{                                                                                  \
			LIMIT_STAGED(bytes, slots), LIMIT_CROSS(bytes, slots)                      \
		}                                                                                  \
	}

#define SHARED(name, bytes, slots)                                                                 \
	{                                                                                          \
		"comch.bw." name ".shared", "GB/s", 1e9, STREAM(bytes, slots, MEMORY_SHARED),      \
		{                                                                                  \
			LIMIT_PUSH(bytes, slots, LIMIT_COPY_MEMCPY),                               \
				LIMIT_PUSH(bytes, slots, LIMIT_COPY_NON_TEMPORAL)                  \
		}                                                                                  \
	}

const struct bench_row rows_comch_bw[] = {
	{"comch.bw.64KiB.ucx",
	 "GB/s",
	 1e9,
	 STREAM(64 << 10, 16, MEMORY_SHARED),
	 {PEER_TOOL(PEER_UCX_BYTES)}},
	PRIVATE("4KiB", 4 << 10, 64),
	PRIVATE("64KiB", 64 << 10, 16),
	PRIVATE("1MiB", 1 << 20, 4),
	SHARED("4KiB", 4 << 10, 64),
	SHARED("64KiB", 64 << 10, 16),
	SHARED("1MiB", 1 << 20, 4),
	{0},
};
