/* SPDX-License-Identifier: BSD-3-Clause */
#include "wakes.h"

#define MAX_WAKES 8192
#define FALL_ASLEEP_NS 50000

bool wakes_due(struct wakes_waker *waker)
{
	if (__atomic_load_n(&waker->bed->asleep, __ATOMIC_ACQUIRE) == waker->number)
		return false;
	if (waker->ready == 0)
		waker->ready = bench_now() + FALL_ASLEEP_NS;
	return bench_now() >= waker->ready;
}

void wakes_ring(struct wakes_waker *waker)
{
	waker->number++;
	waker->ready = 0;
	__atomic_store_n(&waker->bed->rung, bench_now(), __ATOMIC_RELAXED);
}

void wakes_fall_asleep(struct wakes_bed *bed)
{
	__atomic_store_n(&bed->asleep, bed->asleep + 1, __ATOMIC_RELEASE);
}

double wakes_since_ring(const struct wakes_bed *bed)
{
	return (double)(bench_now() - __atomic_load_n(&bed->rung, __ATOMIC_RELAXED));
}

enum bench_status wakes_measure(struct bench *bench,
				bool (*sleep)(void *arg, struct wakes_bed *bed, double *ns),
				void *arg)
{
	static double wakes[MAX_WAKES];
	const uint64_t end = bench_now() + bench->duration;
	size_t count = 0;

	do {
		if (!sleep(arg, bench->arena, &wakes[count++]))
			return bench_end(bench);
	} while (count < MAX_WAKES && bench_now() < end);
	bench_stop(bench);
	bench_report(bench, bench_median(wakes, count));
	return BENCH_OK;
}
