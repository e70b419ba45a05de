/* SPDX-License-Identifier: BSD-3-Clause */
/* Fast path: small messages a second from one producer, receives reposted. */
#include "comch_stream.h"
#include "limits.h"
#include "rows.h"

#define STREAM(bytes, at_once)                                                                     \
	{                                                                                          \
		.num_sides = 2, .side = {comch_stream_send, comch_stream_count_messages},          \
		.size = (bytes), .depth = LIMIT_SLOTS, .batch = (at_once)                          \
	}

const struct bench_row rows_comch_rate[] = {
	{"comch.rate.64B.batch1", "M/s", 1e6, STREAM(64, 1), {LIMIT_SLOT_RATE(64)}},
	{"comch.rate.64B.batch32", "M/s", 1e6, STREAM(64, 32), {LIMIT_SLOT_RATE(64)}},
	{"comch.rate.64B.ucx", "M/s", 1e6, STREAM(64, 32), {PEER_TOOL(PEER_UCX_RATE)}},
	{0},
};
