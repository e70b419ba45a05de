/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of 64 B over two hops and back: Comch from the initiator to the bridge, RDMA sends from
 * there to the target.  Three processes on two cores, placed as in the bare two-hop ring beside it:
 * the bridge, which has twice as much to do as each of the others, has a core of its own, and both
 * connections on one engine.
 */
#include "comch_path.h"
#include "limits.h"
#include "rdma_path.h"
#include "rows.h"

#define COMCH_SYNCS 2 /* of comch_path_open() */
#define DEPTH 32
#define TURNS_BETWEEN_CLOCKS 1024

static struct comch_path comch;
static struct rdma_path rdma;

/* For a side that has no part in what the other two set up. */
static bool stand_by(struct bench *bench, unsigned syncs)
{
	while (syncs-- > 0) {
		if (!bench_sync(bench))
			return false;
	}
	return true;
}

/* Keeps DEPTH messages under way; one that came back is sent out again. */
static void circulate(uint64_t *sent)
{
	doca_pe_progress(comch.end.pe);
	while (*sent < comch.received + DEPTH &&
	       comch_path_send(&comch, DOCA_TASK_SUBMIT_FLAG_NONE))
		++*sent;
}

static enum bench_status initiate(struct bench *bench)
{
	uint64_t sent = 0, turns = 0, start;

	if (!comch_path_open(bench, &comch) || !stand_by(bench, RDMA_PATH_SYNCS))
		return bench_end(bench);
	start = bench_now();
	while (++turns % TURNS_BETWEEN_CLOCKS != 0 || bench_now() - start < bench->duration) {
		if (bench_stopped(bench))
			return bench_end(bench);
		circulate(&sent);
	}
	bench_stop(bench);
	bench_report(bench, (double)comch.received * 1e9 / (double)(bench_now() - start));
	return BENCH_OK;
}

static enum bench_status forward(struct bench *bench)
{
	uint64_t there = 0, back = 0;

	if (!comch_path_open(bench, &comch) || !rdma_path_open(bench, comch.end.pe, DEPTH, &rdma))
		return bench_end(bench);
	while (engine_turn(bench, comch.end.pe)) {
		while (there < comch.received && rdma_path_send(&rdma))
			there++;
		while (back < rdma.received && comch_path_send(&comch, DOCA_TASK_SUBMIT_FLAG_NONE))
			back++;
	}
	return bench_end(bench);
}

static enum bench_status answer(struct bench *bench)
{
	uint64_t answered = 0;

	if (!stand_by(bench, COMCH_SYNCS) || !rdma_path_open(bench, NULL, DEPTH, &rdma))
		return bench_end(bench);
	while (engine_turn(bench, rdma.end.pe)) {
		while (answered < rdma.received && rdma_path_send(&rdma))
			answered++;
	}
	return bench_end(bench);
}

const struct bench_row rows_two_hops[] = {
	{"hops.comch_rdma.64B",
	 "M/s",
	 1e6,
	 {.num_sides = 3,
	  .side = {initiate, forward, answer},
	  .arena = RDMA_ARENA,
	  .size = 64,
	  .depth = DEPTH},
	 {LIMIT_HOP2_BRIDGED(DEPTH)}},
	{0},
};
