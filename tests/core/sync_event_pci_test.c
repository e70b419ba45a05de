/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events of two processes, one on each side of the PCIe bus: over every kind of memory window,
 * in both directions, with either side asleep.
 */
#include <poll.h>
#include <stdlib.h>

#include "core/event_pair.h"

/* Exports, and sleeps in read() until it is told to look what became of the counter. */
static int sleeper(const struct event_plan *plan, int fd)
{
	struct doca_sync_event *event = pair_exported(plan, fd);
	uint64_t want;

	pair_get(fd, &want, sizeof(want));
	T_EQ(event_get(event), want);
	pair_finish(event);
	return 0;
}

/* From 0 to 111, in all ways. */
static void work_directly(struct doca_sync_event *event)
{
	T_OK(doca_sync_event_start(event));
	T_EQ(event_get(event), 0);
	T_OK(doca_sync_event_wait_eq(event, 0, ALL));
	T_OK(doca_sync_event_update_set(event, 10));
	T_EQ(event_add(event, 5), 10);
	T_OK(doca_sync_event_wait_gt_yield(event, 14, 0xff));
	T_OK(doca_sync_event_wait_neq(event, 14, ALL));
	T_EQ(event_add(event, ALL), 15);
	T_EQ(event_get(event), 14);
	T_OK(doca_sync_event_update_set(event, 111));
	T_OK(doca_sync_event_stop(event));
}

/* From 111 to 222. */
static void work_by_tasks(struct doca_sync_event *event)
{
	uint64_t got = 0, before = 0;
	struct async async;

	async_start(&async, event);
	async_get(&async, &got, 0);
	async_wait_eq(&async, 222, ALL, 1);
	async_wait_neq(&async, 111, ALL, 2);
	ASYNC_UNTIL(&async, async.ok == 1);
	T_EQ(got, 111);
	async_set(&async, 220, 3);
	ASYNC_UNTIL(&async, async.ok == 3);
	async_add(&async, 2, &before, 4);
	ASYNC_UNTIL(&async, async.ok == 5);
	T_EQ(before, 220);
	T_EQ(async.failed, 0);
	async_close(&async);
	T_OK(doca_dev_close(pair_dev));
}

static void use_a_sleeper(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, sleeper);
	struct doca_sync_event *event = pair_imported(plan, peer.fd);
	const uint64_t want = 222;

	work_directly(event);
	work_by_tasks(event);
	pair_put(peer.fd, &want, sizeof(want));
	T_EQ(t_wait(peer.pid, 10000), 0);
}

T_CASE_TIMEOUT(the_exporter_may_sleep, 120)
{
	pair_each_window(pair_to_dpu, use_a_sleeper);
	pair_each_window(pair_to_host, use_a_sleeper);
}

/* Both sides add at once; nothing may be lost, however the others get at the word. */
#define ADDITIONS 2000
#define ADDERS 4

static void add_many(struct doca_sync_event *event)
{
	for (int i = 0; i < ADDITIONS; i++)
		event_add(event, 1);
}

static int adder(const struct event_plan *plan, int fd)
{
	struct doca_sync_event *event;

	setenv("SOFTDPU_WINDOW", plan->window, 1);
	event = pair_imported(plan, fd);
	T_OK(doca_sync_event_start(event));
	pair_tell(fd);
	pair_hear(fd);
	add_many(event);
	pair_finish(event);
	return 0;
}

static void add_with_all(bool users_memory)
{
	struct event_plan plans[ADDERS];
	struct event_peer peers[ADDERS];
	struct doca_sync_event *event;

	for (int i = 0; i < ADDERS; i++) {
		plans[i] = pair_to_dpu;
		plans[i].users_memory = users_memory;
		plans[i].window = pair_windows[i];
		peers[i] = pair_start(&plans[i], adder);
	}
	event = pair_make(&plans[0]);
	T_OK(doca_sync_event_start(event));
	for (int i = 0; i < ADDERS; i++) {
		pair_send_export(event, peers[i].fd);
		pair_hear(peers[i].fd);
	}
	for (int i = 0; i < ADDERS; i++)
		pair_tell(peers[i].fd);
	add_many(event);
	for (int i = 0; i < ADDERS; i++)
		T_EQ(t_wait(peers[i].pid, 20000), 0);
	T_EQ(event_get(event), (ADDERS + 1) * ADDITIONS);
	pair_finish(event);
}

T_CASE_TIMEOUT(no_addition_of_any_side_is_lost, 60)
{
	add_with_all(false);
}

T_CASE_TIMEOUT(no_addition_in_the_users_memory_is_lost, 60)
{
	add_with_all(true);
}

/* The public samples: the exporter signals first, the importer waits for it; then the other way. */
#define SIGNAL_EXPORTER 0x10
#define SIGNAL_IMPORTER 0x20

static int sample_importer(const struct event_plan *plan, int fd)
{
	struct doca_sync_event *event = pair_imported(plan, fd);

	T_OK(doca_sync_event_start(event));
	T_OK(doca_sync_event_wait_eq_yield(event, SIGNAL_EXPORTER, ALL));
	T_OK(doca_sync_event_update_set(event, SIGNAL_IMPORTER));
	pair_finish(event);
	return 0;
}

static void sample_exporter(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, sample_importer);
	struct doca_sync_event *event = pair_exported(plan, peer.fd);

	T_EQ(event_add(event, SIGNAL_EXPORTER), 0);
	T_OK(doca_sync_event_wait_eq_yield(event, SIGNAL_IMPORTER, ALL));
	T_EQ(t_wait(peer.pid, 10000), 0);
	pair_finish(event);
}

T_CASE_TIMEOUT(sequence_of_the_samples, 120)
{
	pair_each_window(pair_to_dpu, sample_exporter);
	pair_each_window(pair_to_host, sample_exporter);
}

static int sample_importer_tasks(const struct event_plan *plan, int fd)
{
	struct async async;

	async_start(&async, pair_imported(plan, fd));
	async_wait_eq(&async, SIGNAL_EXPORTER, ALL, 0);
	ASYNC_UNTIL(&async, async.ok == 1);
	async_set(&async, SIGNAL_IMPORTER, 0);
	ASYNC_UNTIL(&async, async.ok == 2);
	async_close(&async);
	T_OK(doca_dev_close(pair_dev));
	return 0;
}

static void sample_exporter_tasks(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, sample_importer_tasks);
	struct async async;
	uint64_t before;

	async_start(&async, pair_make(plan));
	pair_send_export(async.event, peer.fd);
	async_add(&async, SIGNAL_EXPORTER, &before, 0);
	async_wait_eq(&async, SIGNAL_IMPORTER, ALL, 0);
	ASYNC_UNTIL(&async, async.ok == 2);
	T_EQ(before, 0);
	T_EQ(t_wait(peer.pid, 10000), 0);
	async_close(&async);
	T_OK(doca_dev_close(pair_dev));
}

T_CASE_TIMEOUT(sequence_of_the_samples_by_tasks, 120)
{
	pair_each_window(pair_to_dpu, sample_exporter_tasks);
	pair_each_window(pair_to_host, sample_exporter_tasks);
}

/* Wakes up in poll() only. */
static int sleeping_importer(const struct event_plan *plan, int fd)
{
	doca_notification_handle_t handle;
	struct async async;

	async_start(&async, pair_imported(plan, fd));
	T_OK(doca_pe_get_notification_handle(async.pe, &handle));
	async_wait_eq(&async, SIGNAL_EXPORTER, ALL, 0);
	pair_tell(fd);
	for (;;) {
		struct pollfd poll_fd = {.fd = handle, .events = POLLIN};

		while (doca_pe_progress(async.pe) != 0)
			;
		if (async.ok == 1)
			break;
		T_OK(doca_pe_request_notification(async.pe));
		T_EQ(poll(&poll_fd, 1, 10000), 1);
		T_OK(doca_pe_clear_notification(async.pe, handle));
	}
	async_close(&async);
	T_OK(doca_dev_close(pair_dev));
	return 0;
}

static void wake_an_importer(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, sleeping_importer);
	struct doca_sync_event *event = pair_exported(plan, peer.fd);

	pair_hear(peer.fd);
	for (int i = 0; i < 50; i++)
		t_relax(100);
	T_OK(doca_sync_event_update_set(event, SIGNAL_EXPORTER));
	T_EQ(t_wait(peer.pid, 10000), 0);
	pair_finish(event);
}

T_CASE_TIMEOUT(an_importer_that_sleeps_wakes_up, 120)
{
	pair_each_window(pair_to_dpu, wake_an_importer);
}
