/* SPDX-License-Identifier: BSD-3-Clause */
/* What it takes to wake a process that sleeps in epoll_wait, by an eventfd. */
#include "limits.h"
#include "wakes.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum bench_status limit_eventfd_wake(struct bench *bench)
{
	struct wakes_waker waker = {.bed = bench->arena};
	const uint64_t one = 1;

	if (!bench_sync(bench))
		return BENCH_FAILED;
	while (!bench_stopped(bench)) {
		if (!wakes_due(&waker))
			continue;
		wakes_ring(&waker);
		if (write(bench->wake_fd, &one, sizeof(one)) != (ssize_t)sizeof(one))
			return bench_give_up(bench, BENCH_FAILED, "eventfd: %s", strerror(errno));
	}
	return BENCH_OK;
}

struct sleeper {
	struct bench *bench;
	int epoll;
};

static bool sleep_once(void *arg, struct wakes_bed *bed, double *ns)
{
	const struct sleeper *sleeper = arg;
	struct epoll_event event;
	uint64_t count;

	wakes_fall_asleep(bed);
	if (epoll_wait(sleeper->epoll, &event, 1, 1000) != 1) {
		bench_give_up(sleeper->bench, BENCH_FAILED, "nobody rang for a second");
		return false;
	}
	*ns = wakes_since_ring(bed);
	return read(sleeper->bench->wake_fd, &count, sizeof(count)) == (ssize_t)sizeof(count);
}

enum bench_status limit_eventfd_sleep(struct bench *bench)
{
	struct epoll_event event = {.events = EPOLLIN};
	struct sleeper sleeper = {bench, epoll_create1(EPOLL_CLOEXEC)};

	if (sleeper.epoll < 0 ||
	    epoll_ctl(sleeper.epoll, EPOLL_CTL_ADD, bench->wake_fd, &event) != 0)
		return bench_give_up(bench, BENCH_FAILED, "epoll: %s", strerror(errno));
	if (!bench_sync(bench))
		return BENCH_FAILED;
	return wakes_measure(bench, sleep_once, &sleeper);
}
