/* SPDX-License-Identifier: BSD-3-Clause */
/* doca_pe_progress with connected clients on its engine and nothing to do. */
#include "comch_end.h"
#include "limits.h"
#include "rows.h"

#define CALLS 100
#define CLIENTS_MAX 64

static struct comch_end ends[CLIENTS_MAX];
static struct doca_pe *pe;

static bool step(void *arg)
{
	(void)arg;
	for (int i = 0; i < CALLS; i++)
		doca_pe_progress(pe);
	return true;
}

static bool connect_all(struct bench *bench)
{
	struct doca_dev *dev;

	if (!engine_open(bench, &pe) || !device_open(bench, HOST_PCI_ADDR, &dev) ||
	    !bench_sync(bench))
		return false;
	for (uint32_t i = 0; i < bench->kernel->depth; i++) {
		if (!comch_client_start(bench, &ends[i], pe, dev) || !comch_client_await(&ends[i]))
			return false;
	}
	return engine_sync(bench, pe);
}

static enum bench_status idle(struct bench *bench)
{
	return connect_all(bench) ? bench_repeat(bench, step, NULL, CALLS) : bench_end(bench);
}

static bool serve_all(struct bench *bench)
{
	return engine_open(bench, &pe) && comch_server_start(bench, &ends[0], pe) &&
	       bench_sync(bench) && comch_server_await(&ends[0], bench->kernel->depth) &&
	       engine_sync(bench, pe);
}

static enum bench_status stay(struct bench *bench)
{
	if (serve_all(bench)) {
		while (engine_turn(bench, pe) && !bench_stopped(bench)) {
		}
	}
	return bench_end(bench);
}

const struct bench_row rows_pe_idle[] = {
	{"pe.idle", "ns", 1, {.num_sides = 2, .side = {idle, stay}, .depth = 1}, {LIMIT_LOAD}},
	{"pe.idle.64", "ns", 1, {.num_sides = 2, .side = {idle, stay}, .depth = 64}, {LIMIT_LOAD}},
	{0},
};
