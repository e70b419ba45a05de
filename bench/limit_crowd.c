/* SPDX-License-Identifier: BSD-3-Clause */
/* Bare rings, one for each pair of lanes, which may be more than cores: slots a second in all. */
#include "idle.h"
#include "limits.h"

#define BETWEEN_CLOCKS 1024

static struct slots_end open_ring(const struct bench *bench)
{
	const struct bench_kernel *kernel = bench->kernel;
	uint8_t *rings = bench->arena;

	return slots_open(rings + bench->lane * SLOTS_BYTES(kernel->depth, kernel->size),
			  kernel->depth, kernel->size);
}

enum bench_status limit_crowd_write(struct bench *bench)
{
	struct slots_end out = open_ring(bench);
	struct idle idle = {0};
	uint8_t payload[SLOTS_LINE] = {0};

	if (!bench_sync(bench))
		return BENCH_FAILED;
	while (!bench_stopped(bench)) {
		if (slots_send(&out, payload))
			idle.empty = 0;
		else
			idle_poll(&idle);
	}
	return BENCH_OK;
}

static void read_slots(struct slots_end *in, struct idle *idle)
{
	for (int i = 0; i < BETWEEN_CLOCKS; i++) {
		if (slots_peek(in) == NULL) {
			idle_poll(idle);
			continue;
		}
		slots_release(in);
		idle->empty = 0;
	}
}

enum bench_status limit_crowd_read(struct bench *bench)
{
	struct slots_end in = open_ring(bench);
	struct idle idle = {0};
	uint64_t start, now;

	if (!bench_sync(bench))
		return BENCH_FAILED;
	start = now = bench_now();
	while (now - start < bench->duration && !bench_stopped(bench)) {
		read_slots(&in, &idle);
		now = bench_now();
	}
	bench_stop(bench);
	bench_report(bench, (double)in.next * 1e9 / (double)(now - start));
	return BENCH_OK;
}
