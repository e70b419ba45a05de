/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Page faults of both ends while messages go through the fast path, a first few excepted, which
 * bring the code in: whatever a queue or a buffer needs was touched before.
 */
#include "comch_path.h"
#include "rows.h"

#include <sys/resource.h>

#define FIRST_FEW 64
#define MESSAGES 20000 /* several times around each ring */

static struct comch_path path;

static long faults_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

/* Until so many were sent or have come, in all. */
static bool send_until(uint64_t number)
{
	static uint64_t sent;

	while (sent < number) {
		if (comch_path_send(&path, DOCA_TASK_SUBMIT_FLAG_FLUSH))
			sent++;
		if (!engine_turn(path.end.bench, path.end.pe))
			return false;
	}
	return true;
}

static bool receive_until(uint64_t number)
{
	return comch_path_receive(&path, number);
}

/* Faults of this side, left in its place of the arena. */
static bool run(struct bench *bench, bool (*until)(uint64_t number))
{
	double *faults = bench->arena;
	long before;

	if (!comch_path_open(bench, &path) || !until(FIRST_FEW))
		return false;
	before = faults_so_far();
	if (!until(FIRST_FEW + MESSAGES))
		return false;
	faults[bench->side] = (double)(faults_so_far() - before);
	return engine_sync(bench, path.end.pe);
}

static enum bench_status send(struct bench *bench)
{
	const double *faults = bench->arena;

	if (!run(bench, send_until))
		return bench_end(bench);
	bench_report(bench, faults[0] + faults[1]);
	return BENCH_OK;
}

static enum bench_status receive(struct bench *bench)
{
	return run(bench, receive_until) ? BENCH_OK : bench_end(bench);
}

#define FAULTS(bytes)                                                                              \
	{                                                                                          \
		.num_sides = 2, .side = {send, receive}, .arena = 2 * sizeof(double),              \
		.size = (bytes), .depth = 256, .variant = MEMORY_PRIVATE                           \
	}

const struct bench_row rows_comch_faults[] = {
	{"comch.faults.64B", "faults", 1, FAULTS(64), {{0}}},
	{"comch.faults.4KiB", "faults", 1, FAULTS(4096), {{0}}},
	{0},
};
