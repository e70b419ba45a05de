/* SPDX-License-Identifier: BSD-3-Clause */
/* doca_pe_progress with one connected client on its engine and nothing to do. */
#include "comch_end.h"
#include "limits.h"
#include "rows.h"

#define CALLS 100

static struct comch_end end;

static bool step(void *arg)
{
	(void)arg;
	for (int i = 0; i < CALLS; i++)
		doca_pe_progress(end.pe);
	return true;
}

static enum bench_status idle(struct bench *bench)
{
	if (!comch_end_open(bench, &end) || !engine_sync(bench, end.pe))
		return bench_end(bench);
	return bench_repeat(bench, step, NULL, CALLS);
}

static enum bench_status stay(struct bench *bench)
{
	if (comch_end_open(bench, &end) && engine_sync(bench, end.pe)) {
		while (engine_turn(bench, end.pe) && !bench_stopped(bench)) {
		}
	}
	return bench_end(bench);
}

const struct bench_row rows_pe_idle[] = {
	{"pe.idle", "ns", 1, {.num_sides = 2, .side = {idle, stay}}, {LIMIT_LOAD}},
	{0},
};
