/* SPDX-License-Identifier: BSD-3-Clause */
/* What it takes to wake a thread of the same process that sleeps on a word. */
#include "limits.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_WAKES 8192

struct bed {
	uint32_t word;	 /* waker's: 1 wakes */
	uint32_t asleep; /* sleeper's; number of the sleep that is about to begin, 0 at its end */
	uint64_t rung;	 /* waker's; when it rang */
	uint64_t woken;	 /* sleeper's */
	uint32_t wakes;	 /* sleeper's */
	uint32_t stop;
};

static void futex(uint32_t *word, int operation, uint32_t value)
{
	syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

static void *sleep_always(void *arg)
{
	struct bed *bed = arg;

	while (__atomic_load_n(&bed->stop, __ATOMIC_ACQUIRE) == 0) {
		while (__atomic_load_n(&bed->word, __ATOMIC_ACQUIRE) == 0)
			futex(&bed->word, FUTEX_WAIT_PRIVATE, 0);
		bed->woken = bench_now();
		__atomic_store_n(&bed->word, 0, __ATOMIC_RELAXED);
		__atomic_fetch_add(&bed->wakes, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static double wake_once(struct bed *bed)
{
	uint32_t before = __atomic_load_n(&bed->wakes, __ATOMIC_ACQUIRE);
	uint64_t rung, ready = bench_now() + LIMIT_ASLEEP_NS;

	while ((rung = bench_now()) < ready)
		;
	__atomic_store_n(&bed->word, 1, __ATOMIC_RELEASE);
	futex(&bed->word, FUTEX_WAKE_PRIVATE, 1);
	while (__atomic_load_n(&bed->wakes, __ATOMIC_ACQUIRE) == before)
		;
	return (double)(bed->woken - rung);
}

static bool start_sleeper(pthread_t *thread, struct bed *bed)
{
	pthread_attr_t attr;
	cpu_set_t set;
	bool started;

	CPU_ZERO(&set);
	CPU_SET(bench_core(1), &set);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	started = pthread_create(thread, &attr, sleep_always, bed) == 0;
	pthread_attr_destroy(&attr);
	return started;
}

enum bench_status limit_futex_wake(struct bench *bench)
{
	static double wakes[MAX_WAKES];
	static struct bed bed;
	pthread_t sleeper;
	size_t count = 0;
	uint64_t end;

	if (!start_sleeper(&sleeper, &bed))
		return bench_give_up(bench, BENCH_FAILED, "pthread_create");
	end = bench_now() + bench->duration;
	while (count < MAX_WAKES && bench_now() < end)
		wakes[count++] = wake_once(&bed);
	bench_stop(bench);
	bench_report(bench, bench_median(wakes, count));
	__atomic_store_n(&bed.stop, 1, __ATOMIC_RELEASE);
	(void)wake_once(&bed);
	pthread_join(sleeper, NULL);
	return BENCH_OK;
}
