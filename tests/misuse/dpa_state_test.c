/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA calls in the wrong state: before the context is started, and of objects that are started, or
 * are not.
 */
#include <doca_dpa.h>
#include <doca_sync_event.h>

#include "dpa/kit.h"
#include "misuse/misuse.h"

static struct doca_dpa *dpa;
static struct doca_dev *dev;

KIT_GLOBAL(kernel)
{
}

static void open_idle(void)
{
	dev = kit_open(KIT_DPU);
	T_OK(doca_dpa_create(dev, &dpa));
}

static void close_idle(void)
{
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
}

MISUSE_CASE(memory_of_an_idle_context)
{
	uint8_t bytes[8] = {0};

	open_idle();
	MISUSE(BAD_STATE, doca_dpa_h2d_memcpy(dpa, 4096, bytes, 8), "is not started",
	       "needed: one that doca_dpa_start()");
	MISUSE(BAD_STATE, doca_dpa_d2h_memcpy(dpa, bytes, 4096, 8), "is not started",
	       "needed: one that doca_dpa_start()");
	MISUSE(BAD_STATE, doca_dpa_memset(dpa, 4096, 0, 8), "is not started",
	       "needed: one that doca_dpa_start()");
	MISUSE(BAD_STATE, doca_dpa_mem_free(dpa, 4096), "is not started",
	       "needed: one that doca_dpa_start()");
	close_idle();
}

MISUSE_CASE(objects_of_an_idle_context)
{
	struct doca_dpa_hash_table *table;

	open_idle();
	MISUSE(BAD_STATE, doca_dpa_hash_table_create(dpa, 4, &table), "is not started",
	       "needed: one that doca_dpa_start()");
	MISUSE(BAD_STATE,
	       doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(kernel), 1ull),
	       "is not started", "needed: one that doca_dpa_start()");
	MISUSE(BAD_STATE,
	       doca_dpa_kernel_launch_update_add(dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(kernel), 1ull),
	       "is not started", "needed: one that doca_dpa_start()");
	close_idle();
}

MISUSE_CASE(events)
{
	struct doca_sync_event *event;
	uint64_t handle;

	dpa = kit_dpa(KIT_DPU);
	dev = kit_open(KIT_DPU);
	T_OK(doca_sync_event_create(&event));
	T_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	MISUSE(BAD_STATE, doca_sync_event_get_dpa_handle(event, dpa, &handle),
	       "the event is not started", "start both first");
	T_OK(doca_sync_event_start(event));
	MISUSE(NOT_PERMITTED, doca_sync_event_get_dpa_handle(event, dpa, &handle),
	       "the event is for no DPA", "doca_sync_event_add_publisher_location_dpa()");
	MISUSE(BAD_STATE, doca_sync_event_add_publisher_location_dpa(event, dpa),
	       "the event is started", "needed: one that is not");
	MISUSE(BAD_STATE, doca_sync_event_add_subscriber_location_dpa(event, dpa),
	       "the event is started", "needed: one that is not");
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
	kit_dpa_end(dpa);
}

MISUSE_CASE(started_context)
{
	dpa = kit_dpa(KIT_DPU);
	MISUSE(BAD_STATE, doca_dpa_trace_file_set_path(dpa, "/dev/null"), "is started",
	       "needed: one that is not");
	kit_dpa_end(dpa);
}

MISUSE_CASE(affinity_of_a_started_thread)
{
	struct doca_dpa_eu_affinity *affinity;
	struct doca_dpa_thread *thread;

	dpa = kit_dpa(KIT_DPU);
	thread = kit_thread(dpa, KIT_FUNC(kernel), 0);
	T_OK(doca_dpa_eu_affinity_create(dpa, &affinity));
	T_OK(doca_dpa_eu_affinity_set(affinity, 1));
	MISUSE(BAD_STATE, doca_dpa_thread_set_affinity(thread, affinity), "is started",
	       "needed: one that is not");
	T_OK(doca_dpa_eu_affinity_destroy(affinity));
	T_OK(doca_dpa_thread_stop(thread));
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}

MISUSE_CASE(notification)
{
	struct doca_dpa_notification_completion *notification;
	struct doca_dpa_thread *thread;
	uint64_t handle;

	dpa = kit_dpa(KIT_DPU);
	thread = kit_thread(dpa, KIT_FUNC(kernel), 0);
	T_OK(doca_dpa_notification_completion_create(dpa, thread, &notification));
	MISUSE(BAD_STATE, doca_dpa_notification_completion_get_dpa_handle(notification, &handle),
	       "is not started", "doca_dpa_notification_completion_start()");
	T_OK(doca_dpa_notification_completion_destroy(notification));
	T_OK(doca_dpa_thread_stop(thread));
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}

MISUSE_CASE(asynchronous_operations)
{
	struct doca_dpa_completion *completion;
	struct doca_dpa_async_ops *async;
	uint64_t handle;

	dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_completion_create(dpa, 4, &completion));
	T_OK(doca_dpa_completion_start(completion));
	T_OK(doca_dpa_async_ops_create(dpa, 4, 0, &async));
	MISUSE(BAD_STATE, doca_dpa_async_ops_start(async), "no completion",
	       "doca_dpa_async_ops_attach()");
	MISUSE(BAD_STATE, doca_dpa_async_ops_stop(async), "is not started",
	       "doca_dpa_async_ops_start()");
	MISUSE(BAD_STATE, doca_dpa_async_ops_get_dpa_handle(async, &handle), "is not started",
	       "doca_dpa_async_ops_start()");
	T_OK(doca_dpa_async_ops_attach(async, completion));
	T_OK(doca_dpa_async_ops_start(async));
	MISUSE(BAD_STATE, doca_dpa_async_ops_start(async), "it is started",
	       "needed: one that is not");
	MISUSE(BAD_STATE, doca_dpa_async_ops_attach(async, completion), "the queue is started",
	       "before doca_dpa_async_ops_start()");
	MISUSE(BAD_STATE, doca_dpa_completion_stop(completion), "queues of asynchronous operations",
	       "1 producers or");
	T_OK(doca_dpa_async_ops_stop(async));
	T_OK(doca_dpa_async_ops_destroy(async));
	T_OK(doca_dpa_completion_destroy(completion));
	kit_dpa_end(dpa);
}
