/* SPDX-License-Identifier: BSD-3-Clause */
/* An RDMA send to the other side and one of the same size back, both ends polling, answered as in
 * comch_rtt.c. */
#include "limits.h"
#include "rdma_path.h"
#include "rows.h"

#define DEPTH 16

static struct rdma_path path;

static bool trip(void *arg)
{
	uint64_t number = path.received + 1;

	(void)arg;
	return (path.then != NULL || rdma_path_send_now(&path)) && rdma_path_receive(&path, number);
}

static enum bench_status ping_loop(struct bench *bench)
{
	if (!rdma_path_open(bench, NULL, DEPTH, &path) ||
	    (path.then != NULL && !rdma_path_send_now(&path)))
		return bench_end(bench);
	return bench_repeat(bench, trip, NULL, 1);
}

static enum bench_status pong_loop(struct bench *bench)
{
	uint64_t number = 0;

	if (rdma_path_open(bench, NULL, DEPTH, &path)) {
		while (rdma_path_receive(&path, ++number) &&
		       (path.then != NULL || rdma_path_send_now(&path))) {
		}
	}
	return bench_end(bench);
}

static enum bench_status ping(struct bench *bench)
{
	path.then = rdma_path_answer;
	return ping_loop(bench);
}

static enum bench_status pong(struct bench *bench)
{
	path.then = rdma_path_answer;
	return pong_loop(bench);
}

#define TRIP(here, there, way)                                                                     \
	{                                                                                          \
		.num_sides = 2, .side = {(here), (there)}, .arena = RDMA_ARENA, .size = 64,        \
		.variant = (way)                                                                   \
	}

const struct bench_row rows_rdma_send_rtt[] = {
	{"rdma.send.rtt.64B", "ns", 1, TRIP(ping, pong, 0), {LIMIT_SLOT_TRIP(64)}},
	{"rdma.send.rtt.64B.loop", "ns", 1, TRIP(ping_loop, pong_loop, 0), {LIMIT_SLOT_TRIP(64)}},
	{"rdma.tcp.send.rtt.64B", "ns", 1, TRIP(ping, pong, RDMA_OVER_TCP), {LIMIT_TCP_TRIP(64)}},
	{"rdma.tcp.send.rtt.64B.loop",
	 "ns",
	 1,
	 TRIP(ping_loop, pong_loop, RDMA_OVER_TCP),
	 {LIMIT_TCP_TRIP(64)}},
	{0},
};
