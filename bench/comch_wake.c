/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What it takes a message of the server to wake a client that sleeps in epoll_wait on its engine's
 * handle: from before the submit to the return of the sleeper.
 */
#include "comch_path.h"
#include "limits.h"
#include "rows.h"
#include "wakes.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

enum message { MESSAGE_FAST, MESSAGE_CONTROL };

#define MESSAGE_BYTES 64

static struct comch_path path;

static bool send_message(enum message message)
{
	static const uint8_t text[MESSAGE_BYTES];

	return message == MESSAGE_FAST ? comch_path_send_now(&path)
				       : comch_end_send(&path.end, text, sizeof(text));
}

static bool open_path(struct bench *bench)
{
	static struct bench_kernel kernel;

	/* comch_path takes the kernel's variant for a kind of memory. */
	kernel = *bench->kernel;
	kernel.variant = MEMORY_PRIVATE;
	bench->kernel = &kernel;
	return comch_path_open(bench, &path);
}

static enum bench_status wake(struct bench *bench)
{
	const enum message message = (enum message)bench->kernel->variant;
	struct wakes_waker waker = {.bed = bench->arena};

	if (!open_path(bench))
		return bench_end(bench);
	while (!bench_stopped(bench)) {
		doca_pe_progress(path.end.pe);
		if (!wakes_due(&waker))
			continue;
		wakes_ring(&waker);
		if (!send_message(message))
			break;
	}
	return bench_end(bench);
}

static uint64_t received(void)
{
	return path.received + path.end.received;
}

/* Nothing is left to do when the sleep begins; else the handle would be ready at once. */
static bool sleep_once(void *arg, struct wakes_bed *bed, double *ns)
{
	const int epoll = *(const int *)arg;
	const uint64_t before = received();
	struct epoll_event event;

	while (doca_pe_progress(path.end.pe) != 0) {
	}
	if (!doca_ok(path.end.bench, doca_pe_request_notification(path.end.pe),
		     "doca_pe_request_notification"))
		return false;
	wakes_fall_asleep(bed);
	if (epoll_wait(epoll, &event, 1, 1000) != 1) {
		bench_give_up(path.end.bench, BENCH_FAILED, "nobody rang for a second");
		return false;
	}
	*ns = wakes_since_ring(bed);
	doca_pe_clear_notification(path.end.pe, 0);
	return engine_until(path.end.bench, path.end.pe, received() != before);
}

static enum bench_status sleep_and_count(struct bench *bench)
{
	struct epoll_event event = {.events = EPOLLIN};
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	doca_notification_handle_t handle;

	if (!open_path(bench) ||
	    !doca_ok(bench, doca_pe_get_notification_handle(path.end.pe, &handle),
		     "doca_pe_get_notification_handle"))
		return bench_end(bench);
	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, handle, &event) != 0)
		return bench_give_up(bench, BENCH_FAILED, "epoll: %s", strerror(errno));
	return wakes_measure(bench, sleep_once, &epoll);
}

#define WAKE(message)                                                                              \
	{                                                                                          \
		.num_sides = 2, .side = {sleep_and_count, wake}, .arena = SLOTS_LINE,              \
		.size = MESSAGE_BYTES, .depth = 16, .variant = (message)                           \
	}

const struct bench_row rows_comch_wake[] = {
	{"comch.wake", "ns", 1, WAKE(MESSAGE_FAST), {LIMIT_EVENTFD}},
	{"ctrl.wake", "ns", 1, WAKE(MESSAGE_CONTROL), {LIMIT_EVENTFD}},
	{0},
};
