/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of 64 B over two hops and back: Comch from the initiator to the bridge, RDMA sends from
 * there to the target, and back; each is sent on from its callback.  Three processes on two cores,
 * placed as in the bare two-hop ring beside it: the bridge, which has twice as much to do as each
 * of the others, has a core of its own, and both connections on one engine.
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

/* Messages that this process has sent: to the bridge (initiator); to the target, and back (bridge;
 * target). */
static uint64_t sent, there, back;

/* Keeps DEPTH messages under way; one that came back is sent out again. */
static void circulate(struct comch_path *path)
{
	while (sent < path->received + DEPTH && comch_path_send(path, DOCA_TASK_SUBMIT_FLAG_NONE))
		sent++;
}

static void pass_on(struct comch_path *path)
{
	while (there < path->received && rdma_path_send(&rdma))
		there++;
}

static void pass_back(struct rdma_path *path)
{
	while (back < path->received && comch_path_send(&comch, DOCA_TASK_SUBMIT_FLAG_NONE))
		back++;
}

static void answer(struct rdma_path *path)
{
	while (back < path->received && rdma_path_send(path))
		back++;
}

static enum bench_status initiate(struct bench *bench)
{
	uint64_t turns = 0, start;

	if (!comch_path_open(bench, &comch) || !stand_by(bench, RDMA_PATH_SYNCS))
		return bench_end(bench);
	comch.then = circulate;
	start = bench_now();
	while (++turns % TURNS_BETWEEN_CLOCKS != 0 || bench_now() - start < bench->duration) {
		if (bench_stopped(bench))
			return bench_end(bench);
		doca_pe_progress(comch.end.pe);
		circulate(&comch);
	}
	bench_stop(bench);
	bench_report(bench, (double)comch.received * 1e9 / (double)(bench_now() - start));
	return BENCH_OK;
}

static enum bench_status forward(struct bench *bench)
{
	if (!comch_path_open(bench, &comch) || !rdma_path_open(bench, comch.end.pe, DEPTH, &rdma))
		return bench_end(bench);
	comch.then = pass_on;
	rdma.then = pass_back;
	while (engine_turn(bench, comch.end.pe)) {
		pass_on(&comch);
		pass_back(&rdma);
	}
	return bench_end(bench);
}

static enum bench_status return_all(struct bench *bench)
{
	if (!stand_by(bench, COMCH_SYNCS) || !rdma_path_open(bench, NULL, DEPTH, &rdma))
		return bench_end(bench);
	rdma.then = answer;
	while (engine_turn(bench, rdma.end.pe))
		answer(&rdma);
	return bench_end(bench);
}

const struct bench_row rows_two_hops[] = {
	{"hops.comch_rdma.64B",
	 "M/s",
	 1e6,
	 {.num_sides = 3,
	  .side = {initiate, forward, return_all},
	  .arena = RDMA_ARENA,
	  .size = 64,
	  .depth = DEPTH},
	 {LIMIT_HOP2_BRIDGED(DEPTH)}},
	{0},
};
