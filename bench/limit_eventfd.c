/* SPDX-License-Identifier: BSD-3-Clause */
/* What it takes to wake a process that sleeps in epoll_wait, by an eventfd. */
#include "limits.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define MAX_WAKES 8192
#define FALL_ASLEEP_NS 50000

struct bed {
	uint64_t asleep; /* sleeper's; number of the sleep that is about to begin */
	uint64_t rung;	 /* waker's; when it rang */
};

enum bench_status limit_eventfd_wake(struct bench *bench)
{
	struct bed *bed = bench->arena;
	const uint64_t one = 1;
	uint64_t ready, number = 0;

	if (!bench_sync(bench))
		return BENCH_FAILED;
	while (!bench_stopped(bench)) {
		if (__atomic_load_n(&bed->asleep, __ATOMIC_ACQUIRE) == number)
			continue;
		number++;
		ready = bench_now() + FALL_ASLEEP_NS;
		while (bench_now() < ready)
			;
		__atomic_store_n(&bed->rung, bench_now(), __ATOMIC_RELAXED);
		if (write(bench->wake_fd, &one, sizeof(one)) != (ssize_t)sizeof(one))
			return bench_give_up(bench, BENCH_FAILED, "eventfd: %s", strerror(errno));
	}
	return BENCH_OK;
}

static bool sleep_once(const struct bench *bench, int epoll, struct bed *bed, double *ns)
{
	struct epoll_event event;
	uint64_t count;

	__atomic_store_n(&bed->asleep, bed->asleep + 1, __ATOMIC_RELEASE);
	if (epoll_wait(epoll, &event, 1, 1000) != 1)
		return false;
	*ns = (double)(bench_now() - __atomic_load_n(&bed->rung, __ATOMIC_RELAXED));
	return read(bench->wake_fd, &count, sizeof(count)) == (ssize_t)sizeof(count);
}

enum bench_status limit_eventfd_sleep(struct bench *bench)
{
	static double wakes[MAX_WAKES];
	struct epoll_event event = {.events = EPOLLIN};
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	size_t count = 0;
	uint64_t end;

	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, bench->wake_fd, &event) != 0)
		return bench_give_up(bench, BENCH_FAILED, "epoll: %s", strerror(errno));
	if (!bench_sync(bench))
		return BENCH_FAILED;
	end = bench_now() + bench->duration;
	do {
		if (!sleep_once(bench, epoll, bench->arena, &wakes[count++]))
			return bench_give_up(bench, BENCH_FAILED, "nobody rang for a second");
	} while (count < MAX_WAKES && bench_now() < end);
	bench_stop(bench);
	bench_report(bench, bench_median(wakes, count));
	close(epoll);
	return BENCH_OK;
}
