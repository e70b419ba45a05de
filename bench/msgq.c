/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MsgQ between this side and a DPA thread on the other core: round trip and rate of messages, the
 * wake of a thread that sleeps, and copies that the DPA pushes.
 */
#include "limits.h"
#include "msgq_end.h"
#include "rows.h"

extern doca_dpa_func_t answer_messages, count_messages, note_time, push_copies;

#define BETWEEN_CLOCKS 64
#define MAX_WAKES 8192
#define COPY_SIZE (8u << 10)
#define COPY_DEPTH 64

static struct msgq_end end;

static bool trip(void *arg)
{
	uint64_t number = end.received + 1;

	(void)arg;
	return msgq_end_send(&end) && engine_until(end.bench, end.pe, end.received >= number);
}

static enum bench_status round_trips(struct bench *bench)
{
	if (!msgq_end_open(bench, &end, &answer_messages))
		return bench_end(bench);
	return bench_repeat(bench, trip, NULL, 1);
}

static enum bench_status stream(struct bench *bench)
{
	uint64_t start, now, sent = 0;

	if (!msgq_end_open(bench, &end, &count_messages))
		return bench_end(bench);
	start = now = bench_now();
	while (now - start < bench->duration) {
		for (int i = 0; i < BETWEEN_CLOCKS; i++, sent++) {
			if (!msgq_end_send(&end))
				return bench_end(bench);
		}
		now = bench_now();
	}
	bench_stop(bench);
	bench_report(bench, (double)sent * 1e9 / (double)(now - start));
	return BENCH_OK;
}

static bool wake_once(double *ns)
{
	uint32_t before = __atomic_load_n(&end.shared.wakes, __ATOMIC_ACQUIRE);
	uint64_t rung, ready = bench_now() + LIMIT_ASLEEP_NS;

	while ((rung = bench_now()) < ready)
		;
	if (!msgq_end_send(&end) ||
	    !engine_until(end.bench, end.pe,
			  __atomic_load_n(&end.shared.wakes, __ATOMIC_ACQUIRE) != before))
		return false;
	*ns = (double)(end.shared.woken - rung);
	return true;
}

static enum bench_status wake(struct bench *bench)
{
	static double wakes[MAX_WAKES];
	size_t count = 0;
	uint64_t stop;

	if (!msgq_end_open(bench, &end, &note_time))
		return bench_end(bench);
	stop = bench_now() + bench->duration;
	while (count < MAX_WAKES && bench_now() < stop) {
		if (!wake_once(&wakes[count++]))
			return bench_end(bench);
	}
	bench_stop(bench);
	bench_report(bench, bench_median(wakes, count));
	return BENCH_OK;
}

static bool open_copies(struct bench *bench)
{
	const size_t len = (size_t)bench->kernel->depth * bench->kernel->size;
	static struct memory from, to;

	if (!msgq_end_open(bench, &end, &count_messages) ||
	    !memory_open(bench, end.dev, MEMORY_PRIVATE, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, 1,
			 &from) ||
	    !memory_open(bench, end.dev, MEMORY_PRIVATE, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, 1,
			 &to))
		return false;
	end.shared.from = (uintptr_t)from.base;
	end.shared.to = (uintptr_t)to.base;
	end.shared.size = bench->kernel->size;
	end.shared.depth = bench->kernel->depth;
	return doca_ok(bench,
		       doca_mmap_dev_get_dpa_handle(from.mmap, end.dev, &end.shared.from_mmap),
		       "doca_mmap_dev_get_dpa_handle") &&
	       doca_ok(bench, doca_mmap_dev_get_dpa_handle(to.mmap, end.dev, &end.shared.to_mmap),
		       "doca_mmap_dev_get_dpa_handle");
}

static bool launch_copies(struct bench *bench)
{
	doca_error_t result;

	msgq_end_on_core(1);
	result = doca_dpa_kernel_launch_update_set(end.dpa, NULL, 0, NULL, 0, 1, &push_copies,
						   (uint64_t)(uintptr_t)&end.shared);
	msgq_end_on_core(0);
	return engine_until(bench, end.pe, end.received >= bench->kernel->depth) &&
	       doca_ok(bench, result, "doca_dpa_kernel_launch_update_set");
}

static enum bench_status copies(struct bench *bench)
{
	uint64_t start, now, first;

	if (!open_copies(bench) || !launch_copies(bench))
		return bench_end(bench);
	first = end.received;
	start = now = bench_now();
	while (now - start < bench->duration) {
		for (int i = 0; i < BETWEEN_CLOCKS; i++) {
			if (!engine_turn(bench, end.pe))
				return bench_end(bench);
		}
		now = bench_now();
	}
	__atomic_store_n(&end.shared.stop, 1, __ATOMIC_RELAXED);
	return bench_report_bytes(bench, end.received - first, now - start);
}

#define MSGQ(measure)                                                                              \
	{                                                                                          \
		.num_sides = 1, .side = {measure}, .arena = SLOTS_LINE                             \
	}

/* As LIMIT_PUSH, but by the second side, on whose core the DPA thread is that copies: neighbours of
 * a machine do not make both cores equally slow. */
#define LIMIT_PUSH_BACK(bytes, slots, how)                                                         \
	{                                                                                          \
		.num_sides = 2, .side = {limit_push_read, limit_push_write},                       \
		.arena = SLOTS_BYTES(slots, SLOTS_LINE) + (size_t)(slots) * (bytes),               \
		.size = (bytes), .depth = (slots), .variant = (how)                                \
	}

const struct bench_row rows_msgq[] = {
	{"msgq.rtt", "ns", 1, MSGQ(round_trips), {LIMIT_SLOT_TRIP(64)}},
	{"msgq.rate", "M/s", 1e6, MSGQ(stream), {LIMIT_SLOT_RATE(64)}},
	{"msgq.wake", "ns", 1, MSGQ(wake), {LIMIT_FUTEX}},
	{"msgq.dma_copy.8KiB",
	 "GB/s",
	 1e9,
	 {.num_sides = 1,
	  .side = {copies},
	  .arena = SLOTS_LINE,
	  .size = COPY_SIZE,
	  .depth = COPY_DEPTH},
	 {LIMIT_PUSH_BACK(COPY_SIZE, COPY_DEPTH, LIMIT_COPY_MEMCPY),
	  LIMIT_PUSH_BACK(COPY_SIZE, COPY_DEPTH, LIMIT_COPY_NON_TEMPORAL)}},
	{0},
};
