/* SPDX-License-Identifier: BSD-3-Clause */
/* Fast path: a message to the other side and one of the same size back, both ends polling. */
#include "comch_path.h"
#include "limits.h"
#include "rows.h"

static struct comch_path path;

static bool send_one(void)
{
	while (!comch_path_send(&path, DOCA_TASK_SUBMIT_FLAG_FLUSH)) {
		if (!engine_turn(path.end.bench, path.end.pe))
			return false;
	}
	return true;
}

static bool receive(uint64_t number)
{
	while (path.received < number) {
		if (!engine_turn(path.end.bench, path.end.pe))
			return false;
	}
	return true;
}

static bool trip(void *arg)
{
	uint64_t number = path.received + 1;

	(void)arg;
	return send_one() && receive(number);
}

static enum bench_status ping(struct bench *bench)
{
	if (!comch_path_open(bench, &path))
		return bench_end(bench);
	return bench_repeat(bench, trip, NULL, 1);
}

static enum bench_status pong(struct bench *bench)
{
	uint64_t number = 0;

	if (comch_path_open(bench, &path)) {
		while (receive(++number) && send_one()) {
		}
	}
	return bench_end(bench);
}

#define TRIP(bytes, kind)                                                                          \
	{                                                                                          \
		.num_sides = 2, .side = {ping, pong}, .size = (bytes), .depth = 16,                \
		.variant = (kind)                                                                  \
	}

const struct bench_row rows_comch_rtt[] = {
	{"comch.rtt.64B.ucx", "ns", 1, TRIP(64, MEMORY_PRIVATE), {PEER_TOOL(PEER_UCX_POSIX)}},
	{"comch.rtt.8B", "ns", 1, TRIP(8, MEMORY_PRIVATE), {LIMIT_SLOT_TRIP(64)}},
	{"comch.rtt.64B", "ns", 1, TRIP(64, MEMORY_PRIVATE), {LIMIT_SLOT_TRIP(64)}},
	{"comch.rtt.256B", "ns", 1, TRIP(256, MEMORY_PRIVATE), {LIMIT_SLOT_TRIP(256)}},
	{"comch.rtt.4KiB", "ns", 1, TRIP(4096, MEMORY_PRIVATE), {LIMIT_SLOT_TRIP(4096)}},
	{"comch.rtt.4KiB.shared", "ns", 1, TRIP(4096, MEMORY_SHARED), {LIMIT_SLOT_TRIP(4096)}},
	{0},
};
