/* SPDX-License-Identifier: BSD-3-Clause */
/* The bare ring of slots with a sequence word: round trip and rate. */
#include "limits.h"

#include <stdlib.h>

#define BETWEEN_CLOCKS 4096

struct pair {
	struct bench *bench;
	struct slots_end out;
	struct slots_end in;
	void *payload;
};

static bool pair_open(struct bench *bench, struct pair *pair)
{
	const struct bench_kernel *kernel = bench->kernel;
	uint8_t *there = bench->arena;
	uint8_t *back = there + slots_bytes(kernel->depth, kernel->size);
	bool first = bench->side == 0;

	pair->bench = bench;
	pair->out = slots_open(first ? there : back, kernel->depth, kernel->size);
	pair->in = slots_open(first ? back : there, kernel->depth, kernel->size);
	pair->payload = calloc(1, kernel->size);
	return pair->payload != NULL && bench_sync(bench);
}

static bool receive(struct pair *pair)
{
	while (slots_peek(&pair->in) == NULL) {
		if (bench_stopped(pair->bench))
			return false;
	}
	slots_release(&pair->in);
	return true;
}

static bool trip(void *arg)
{
	struct pair *pair = arg;

	return slots_send(&pair->out, pair->payload) && receive(pair);
}

enum bench_status limit_slot_ping(struct bench *bench)
{
	struct pair pair;
	enum bench_status status = BENCH_FAILED;

	if (pair_open(bench, &pair))
		status = bench_repeat(bench, trip, &pair, 1);
	free(pair.payload);
	return status;
}

enum bench_status limit_slot_pong(struct bench *bench)
{
	struct pair pair;

	if (pair_open(bench, &pair)) {
		while (receive(&pair))
			slots_send(&pair.out, pair.payload);
	}
	free(pair.payload);
	return BENCH_OK;
}

enum bench_status limit_slot_write(struct bench *bench)
{
	struct slots_end end = slots_open(bench->arena, bench->kernel->depth, bench->kernel->size);
	void *payload = calloc(1, bench->kernel->size);

	if (payload == NULL || !bench_sync(bench))
		return BENCH_FAILED;
	while (!bench_stopped(bench))
		slots_send(&end, payload);
	free(payload);
	return BENCH_OK;
}

enum bench_status limit_slot_read(struct bench *bench)
{
	struct slots_end end = slots_open(bench->arena, bench->kernel->depth, bench->kernel->size);
	uint64_t start, now;

	if (!bench_sync(bench))
		return BENCH_FAILED;
	start = bench_now();
	do {
		for (int i = 0; i < BETWEEN_CLOCKS; i++) {
			if (slots_peek(&end) != NULL)
				slots_release(&end);
		}
		now = bench_now();
	} while (now - start < bench->duration);
	bench_stop(bench);
	bench_report(bench, (double)end.next * 1e9 / (double)(now - start));
	return BENCH_OK;
}
