/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch_stream.h"

#include "comch_path.h"

static struct comch_path paths[BENCH_LANES];

enum bench_status comch_stream_send(struct bench *bench)
{
	struct comch_path *path = &paths[bench->lane];

	if (comch_path_open(bench, path)) {
		do
			comch_path_send_batch(path, bench->kernel->batch);
		while (engine_turn(bench, path->end.pe) && !bench_stopped(bench));
	}
	return bench_end(bench);
}

static enum bench_status count(struct bench *bench, double unit)
{
	struct comch_path *path = &paths[bench->lane];
	uint64_t first, took;

	if (!comch_path_open(bench, path))
		return bench_end(bench);
	first = path->received;
	took = engine_run(bench, path->end.pe, bench->duration);
	bench_stop(bench);
	bench_report(bench, (double)(path->received - first) * unit * 1e9 / (double)took);
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
