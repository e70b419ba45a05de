/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Launches of kernels, and the events around them.
 */
#include <string.h>

#include <doca_dpa_dev.h>
#include <doca_sync_event.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "dpa/kit.h"

#define ALL UINT64_MAX

static uint32_t runs, ranks_seen[128], max_at_once, at_once;
static uint64_t order[64];

static void reset(void)
{
	runs = max_at_once = at_once = 0;
	memset(ranks_seen, 0, sizeof(ranks_seen));
}

/* arg: the number of threads that the launch has. */
KIT_GLOBAL(count)
{
	uint32_t now = sdpu_fetch_add(&at_once, 1) + 1;
	uint32_t max = sdpu_load(&max_at_once);

	if (doca_dpa_dev_num_threads() == arg)
		(void)sdpu_fetch_add(&ranks_seen[doca_dpa_dev_thread_rank()], 1);
	while (now > max && !sdpu_cas(&max_at_once, &max, now))
		;
	(void)sdpu_fetch_add(&runs, 1);
	/* all of one launch run at once: each waits for the others */
	while (sdpu_load(&runs) % arg != 0)
		doca_dpa_dev_yield();
	(void)sdpu_fetch_sub(&at_once, 1);
}

KIT_GLOBAL(note)
{
	order[sdpu_fetch_add(&runs, 1)] = arg;
}

KIT_RPC(rpc_kernel)
{
	return arg;
}

static struct doca_sync_event *open_event(struct doca_dev *dev, struct doca_dpa *dpa)
{
	struct doca_sync_event *event;

	T_OK(doca_sync_event_create(&event));
	T_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	T_OK(doca_sync_event_add_publisher_location_dpa(event, dpa));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	T_OK(doca_sync_event_add_subscriber_location_dpa(event, dpa));
	T_OK(doca_sync_event_start(event));
	return event;
}

static uint64_t value_of(struct doca_sync_event *event)
{
	uint64_t value;

	T_OK(doca_sync_event_get(event, &value));
	return value;
}

static struct doca_dev *dev;
static struct doca_dpa *dpa;
static struct doca_sync_event *wait_event, *done;

static void open_all(void)
{
	dev = kit_open(KIT_DPU);
	dpa = kit_dpa(KIT_DPU);
	wait_event = open_event(dev, dpa);
	done = open_event(dev, dpa);
}

static void close_event(struct doca_sync_event *event)
{
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
}

static void close_all(void)
{
	close_event(wait_event);
	close_event(done);
	kit_dpa_end(dpa);
	T_OK(doca_dev_close(dev));
}

T_CASE(runs_on_so_many_threads_at_once)
{
	const unsigned int sizes[] = {1, 2, 16, 128};
	uint64_t expected = 0;

	open_all();
	for (unsigned int i = 0; i < 4; i++) {
		reset();
		T_OK(doca_dpa_kernel_launch_update_add(dpa, NULL, 0, done, sizes[i], sizes[i],
						       KIT_FUNC(count), (uint64_t)sizes[i]));
		expected += sizes[i];
		T_OK(doca_sync_event_wait_eq_yield(done, expected, ALL));
		T_EQ(runs, sizes[i]);
		T_EQ(max_at_once, sizes[i]);
		for (unsigned int rank = 0; rank < sizes[i]; rank++)
			T_EQ(ranks_seen[rank], 1);
	}
	close_all();
}

T_CASE(waits_for_its_event)
{
	open_all();
	T_OK(doca_dpa_kernel_launch_update_set(dpa, wait_event, 3, done, 7, 1, KIT_FUNC(note),
					       1ull));
	T_OK(doca_sync_event_update_set(wait_event, 2));
	sdpu_clock_sleep(20 * SDPU_MS);
	T_EQ(sdpu_load(&runs), 0);
	T_EQ(value_of(done), 0);
	T_OK(doca_sync_event_update_set(wait_event, 5));
	T_OK(doca_sync_event_wait_eq_yield(done, 7, ALL));
	T_EQ(runs, 1);
	close_all();
}

T_CASE(run_in_the_order_of_the_calls)
{
	open_all();
	for (uint64_t i = 0; i < 50; i++)
		T_OK(doca_dpa_kernel_launch_update_add(dpa, i == 0 ? wait_event : NULL, 1, done, 1,
						       1, KIT_FUNC(note), i));
	T_OK(doca_sync_event_update_set(wait_event, 1));
	T_OK(doca_sync_event_wait_eq_yield(done, 50, ALL));
	for (uint64_t i = 0; i < 50; i++)
		T_EQ(order[i], i);
	close_all();
}

T_CASE(without_events)
{
	open_all();
	T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(note), 1ull));
	T_EVENTUALLY(sdpu_load(&runs) == 1, 5000);
	close_all();
}

T_CASE(what_waits_is_dropped_at_the_end)
{
	open_all();
	kit_log();
	for (int i = 0; i < 3; i++)
		T_OK(doca_dpa_kernel_launch_update_set(dpa, wait_event, 1, done, 1, 1,
						       KIT_FUNC(note), 1ull));
	T_ERR(doca_dpa_stop(dpa), DOCA_SUCCESS);
	T_CONTAINS(kit_log(), "the launch of kernel note is dropped, with 2 behind it: its context "
			      "has failed or is stopped");
	T_EQ(runs, 0);
	T_EQ(value_of(done), 0);
	close_all();
}

T_CASE(an_event_that_stops_drops_the_launch)
{
	open_all();
	kit_log();
	T_OK(doca_dpa_kernel_launch_update_set(dpa, wait_event, 1, done, 1, 1, KIT_FUNC(note),
					       1ull));
	T_OK(doca_sync_event_stop(wait_event));
	/* the one behind it goes on */
	T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, done, 2, 1, KIT_FUNC(note), 2ull));
	T_OK(doca_sync_event_wait_eq_yield(done, 2, ALL));
	T_EQ(runs, 1);
	T_CONTAINS(kit_log(), "the launch of kernel note is dropped: ");
	T_OK(doca_sync_event_start(wait_event));
	close_all();
}

/* Programs that give up destroy their events first. */
T_CASE(an_event_that_is_destroyed_drops_the_launch)
{
	open_all();
	kit_log();
	T_OK(doca_dpa_kernel_launch_update_set(dpa, wait_event, 1, done, 1, 1, KIT_FUNC(note),
					       1ull));
	/* behind it, for the same event and for none */
	T_OK(doca_dpa_kernel_launch_update_set(dpa, wait_event, 1, NULL, 0, 1, KIT_FUNC(note),
					       2ull));
	T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, done, 2, 1, KIT_FUNC(note), 3ull));
	T_OK(doca_sync_event_destroy(wait_event));
	T_OK(doca_sync_event_wait_eq_yield(done, 2, ALL));
	T_EQ(runs, 1);
	T_CONTAINS(kit_log(), "the launch of kernel note is dropped: ");
	wait_event = open_event(dev, dpa);
	close_all();
}

T_CASE(an_event_that_is_destroyed_is_not_updated)
{
	open_all();
	kit_log();
	T_OK(doca_dpa_kernel_launch_update_set(dpa, wait_event, 1, done, 1, 1, KIT_FUNC(note),
					       1ull));
	T_OK(doca_sync_event_destroy(done));
	T_OK(doca_sync_event_update_set(wait_event, 1));
	T_EVENTUALLY(strstr(kit_log(), "its event could not be updated: ") != NULL, 5000);
	T_EQ(runs, 1);
	done = open_event(dev, dpa);
	close_all();
}

T_CASE(refusals)
{
	struct doca_sync_event *idle;

	open_all();
	T_OK(doca_sync_event_create(&idle));
	T_ERR(doca_dpa_kernel_launch_update_set(NULL, NULL, 0, NULL, 0, 1, KIT_FUNC(note), 0ull),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_kernel_launch_update_add(dpa, NULL, 0, NULL, 0, 1, NULL, 0ull),
	      DOCA_ERROR_INVALID_VALUE);
	kit_log();
	T_ERR(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 0, KIT_FUNC(note), 0ull),
	      DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "0 threads; needed: 1 to 128");
	T_ERR(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 129, KIT_FUNC(note), 0ull),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_kernel_launch_update_set(dpa, wait_event, 255, NULL, 0, 1, KIT_FUNC(note),
						0ull),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_kernel_launch_update_set(dpa, idle, 1, NULL, 0, 1, KIT_FUNC(note), 0ull),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, idle, 1, 1, KIT_FUNC(note), 0ull),
	      DOCA_ERROR_INVALID_VALUE);
	kit_log();
	T_ERR(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(rpc_kernel),
						0ull),
	      DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "function rpc_kernel is not marked __dpa_global__");
	T_OK(doca_sync_event_destroy(idle));
	T_OK(doca_dpa_stop(dpa));
	T_ERR(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(note), 0ull),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_kernel_launch_update_add(dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(note), 0ull),
	      DOCA_ERROR_BAD_STATE);
	close_all();
}

T_CASE(the_line_has_an_end)
{
	const char *log;

	open_all();
	for (int i = 0; i < 1024; i++)
		T_OK(doca_dpa_kernel_launch_update_set(dpa, wait_event, 1, NULL, 0, 1,
						       KIT_FUNC(note), 0ull));
	kit_log();
	/* the first may be with the launcher already */
	(void)doca_dpa_kernel_launch_update_set(dpa, wait_event, 1, NULL, 0, 1, KIT_FUNC(note),
						0ull);
	T_ERR(doca_dpa_kernel_launch_update_set(dpa, wait_event, 1, NULL, 0, 1, KIT_FUNC(note),
						0ull),
	      DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), "1024 launches wait already");
	T_OK(doca_dpa_stop(dpa));
	log = kit_log();
	T_CONTAINS(log, " behind it: its context has failed or is stopped");
	T_EQ(kit_log_lines(log), 1);
	close_all();
}
