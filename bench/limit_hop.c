/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bare two-hop ring: three processes on two cores, as in the storage pipeline, but nothing is done
 * save to pass a line on.
 */
#include "idle.h"
#include "limits.h"

#define BETWEEN_CLOCKS 1024

static struct slots_end open_ring(const struct bench *bench, unsigned number)
{
	const struct bench_kernel *kernel = bench->kernel;
	uint8_t *rings = bench->arena;

	return slots_open(rings + number * SLOTS_BYTES(LIMIT_SLOTS, kernel->size), LIMIT_SLOTS,
			  kernel->size);
}

/* Passes one line on when there is one; its payload stays in the line. */
static bool pass(struct slots_end *in, struct slots_end *out)
{
	uint8_t *from = slots_peek(in);

	if (from == NULL || !slots_send(out, from))
		return false;
	slots_release(in);
	return true;
}

enum bench_status limit_hop_request(struct bench *bench)
{
	struct slots_end out = open_ring(bench, 0);
	struct slots_end in = open_ring(bench, 3);
	struct idle idle = {0};
	uint8_t payload[SLOTS_LINE] = {0};
	uint64_t start, polls = 0;

	if (!bench_sync(bench))
		return BENCH_FAILED;
	for (uint32_t i = 0; i < bench->kernel->depth; i++)
		slots_send(&out, payload);
	start = bench_now();
	while (++polls % BETWEEN_CLOCKS != 0 || bench_now() - start < bench->duration) {
		if (pass(&in, &out))
			idle.empty = 0;
		else
			idle_poll(&idle);
	}
	bench_stop(bench);
	bench_report(bench, (double)in.next * 1e9 / (double)(bench_now() - start));
	return BENCH_OK;
}

enum bench_status limit_hop_forward(struct bench *bench)
{
	struct slots_end request_in = open_ring(bench, 0);
	struct slots_end request_out = open_ring(bench, 1);
	struct slots_end answer_in = open_ring(bench, 2);
	struct slots_end answer_out = open_ring(bench, 3);
	struct idle idle = {0};
	bool passed;

	if (!bench_sync(bench))
		return BENCH_FAILED;
	while (!bench_stopped(bench)) {
		passed = pass(&request_in, &request_out);
		passed |= pass(&answer_in, &answer_out);
		if (passed)
			idle.empty = 0;
		else
			idle_poll(&idle);
	}
	return BENCH_OK;
}

enum bench_status limit_hop_answer(struct bench *bench)
{
	struct slots_end in = open_ring(bench, 1);
	struct slots_end out = open_ring(bench, 2);
	struct idle idle = {0};

	if (!bench_sync(bench))
		return BENCH_FAILED;
	while (!bench_stopped(bench)) {
		if (pass(&in, &out))
			idle.empty = 0;
		else
			idle_poll(&idle);
	}
	return BENCH_OK;
}
