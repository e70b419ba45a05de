/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch_stream.h"

#include "comch_path.h"

#define BETWEEN_CLOCKS 64

static struct comch_path path;

/* Only the last of a batch asks to be seen at once. */
static void send_batch(uint32_t batch)
{
	for (uint32_t i = 1; i < batch; i++) {
		if (!comch_path_send(&path, DOCA_TASK_SUBMIT_FLAG_NONE))
			return;
	}
	comch_path_send(&path, DOCA_TASK_SUBMIT_FLAG_FLUSH);
}

enum bench_status comch_stream_send(struct bench *bench)
{
	if (comch_path_open(bench, &path)) {
		do
			send_batch(bench->kernel->batch);
		while (engine_turn(bench, path.end.pe) && !bench_stopped(bench));
	}
	return bench_end(bench);
}

static enum bench_status count(struct bench *bench, double unit)
{
	uint64_t start, now, first;

	if (!comch_path_open(bench, &path))
		return bench_end(bench);
	first = path.received;
	start = now = bench_now();
	while (now - start < bench->duration) {
		for (int i = 0; i < BETWEEN_CLOCKS; i++) {
			if (!engine_turn(bench, path.end.pe))
				return bench_end(bench);
		}
		now = bench_now();
	}
	bench_stop(bench);
	bench_report(bench, (double)(path.received - first) * unit * 1e9 / (double)(now - start));
	return bench_end(bench);
}

enum bench_status comch_stream_count_messages(struct bench *bench)
{
	return count(bench, 1);
}

enum bench_status comch_stream_count_bytes(struct bench *bench)
{
	return count(bench, bench->kernel->size);
}
