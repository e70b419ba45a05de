/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast path: a message to the other side and one of the same size back, both ends polling. Each is
 * answered from the callback, and the receive is posted again afterwards; `.loop`: the receive is
 * posted again first, and the program answers when progress has returned.
 */
#include "comch_path.h"
#include "limits.h"
#include "rows.h"

static struct comch_path path;

static enum bench_status ping_loop(struct bench *bench)
{
	return comch_path_open(bench, &path) ? comch_path_ping(&path) : bench_end(bench);
}

static enum bench_status pong_loop(struct bench *bench)
{
	return comch_path_open(bench, &path) ? comch_path_pong(&path) : bench_end(bench);
}

static enum bench_status ping(struct bench *bench)
{
	path.then = comch_path_answer;
	return ping_loop(bench);
}

static enum bench_status pong(struct bench *bench)
{
	path.then = comch_path_answer;
	return pong_loop(bench);
}

#define TRIP_OF(here, there, bytes, kind)                                                          \
	{                                                                                          \
		.num_sides = 2, .side = {(here), (there)}, .size = (bytes), .depth = 16,           \
		.variant = (kind)                                                                  \
	}

#define TRIP(bytes, kind) TRIP_OF(ping, pong, bytes, kind)
#define TRIP_LOOP(bytes, kind) TRIP_OF(ping_loop, pong_loop, bytes, kind)

const struct bench_row rows_comch_rtt[] = {
	{"comch.rtt.64B.ucx", "ns", 1, TRIP(64, MEMORY_PRIVATE), {PEER_TOOL(PEER_UCX_SHARED)}},
	{"comch.rtt.64B.libfabric", "ns", 1, TRIP(64, MEMORY_PRIVATE), {PEER_TOOL(PEER_FI_SHARED)}},
	{"comch.rtt.8B", "ns", 1, TRIP(8, MEMORY_PRIVATE), {LIMIT_SLOT_TRIP(64)}},
	{"comch.rtt.64B", "ns", 1, TRIP(64, MEMORY_PRIVATE), {LIMIT_SLOT_TRIP(64)}},
	{"comch.rtt.64B.loop", "ns", 1, TRIP_LOOP(64, MEMORY_PRIVATE), {LIMIT_SLOT_TRIP(64)}},
	{"comch.rtt.256B", "ns", 1, TRIP(256, MEMORY_PRIVATE), {LIMIT_SLOT_TRIP(256)}},
	{"comch.rtt.4KiB", "ns", 1, TRIP(4096, MEMORY_PRIVATE), {LIMIT_SLOT_TRIP(4096)}},
	{"comch.rtt.4KiB.shared", "ns", 1, TRIP(4096, MEMORY_SHARED), {LIMIT_SLOT_TRIP(4096)}},
	{0},
};
