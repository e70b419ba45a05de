/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events between the program and kernels, and of other processes.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <doca_ctx.h>
#include <doca_dpa_dev_sync_event.h>

#include "core/event_kit.h"
#include "dma/rig.h"
#include "dpa/kit.h"

static struct doca_dpa *dpa;
static struct doca_dev *dev;
static struct doca_sync_event *event;
static doca_dpa_dev_sync_event_t handle;

/* Published and waited for by both. */
static struct doca_sync_event *make(void)
{
	struct doca_sync_event *made = event_make(dev);

	T_OK(doca_sync_event_add_publisher_location_dpa(made, dpa));
	T_OK(doca_sync_event_add_subscriber_location_dpa(made, dpa));
	return made;
}

static void event_open(void)
{
	dpa = kit_dpa(KIT_DPU);
	dev = kit_open(KIT_DPU);
	event = make();
	T_OK(doca_sync_event_start(event));
	T_OK(doca_sync_event_get_dpa_handle(event, dpa, &handle));
}

static void event_close(void)
{
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
	kit_dpa_end(dpa);
}

KIT_RPC(get)
{
	uint64_t value = 0;

	doca_dpa_dev_sync_event_get(handle, &value);
	return value;
}

KIT_RPC(add)
{
	doca_dpa_dev_sync_event_update_add(handle, arg);
	return 0;
}

KIT_RPC(set)
{
	doca_dpa_dev_sync_event_update_set(handle, arg);
	return 0;
}

KIT_RPC(wait_until_above)
{
	doca_dpa_dev_sync_event_wait_gt(handle, arg, UINT64_MAX);
	return 0;
}

/* Of the upper 4 bits of a byte. */
KIT_RPC(wait_masked)
{
	doca_dpa_dev_sync_event_wait_gt(handle, arg, 0xf0);
	return 0;
}

T_CASE(null_is_refused)
{
	event_open();
	T_ERR(doca_sync_event_add_publisher_location_dpa(NULL, dpa), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_add_publisher_location_dpa(event, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_add_subscriber_location_dpa(NULL, dpa), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_add_subscriber_location_dpa(event, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_get_dpa_handle(NULL, dpa, &handle), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_get_dpa_handle(event, NULL, &handle), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_get_dpa_handle(event, dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	event_close();
}

T_CASE(locations_are_set_before_start_and_handles_come_after_it)
{
	event_open();
	T_ERR(doca_sync_event_add_publisher_location_dpa(event, dpa), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_add_subscriber_location_dpa(event, dpa), DOCA_ERROR_BAD_STATE);
	T_OK(doca_sync_event_stop(event));
	T_ERR(doca_sync_event_get_dpa_handle(event, dpa, &handle), DOCA_ERROR_BAD_STATE);
	T_OK(doca_sync_event_destroy(event));
	event = event_make(dev);
	T_OK(doca_sync_event_start(event));
	T_ERR(doca_sync_event_get_dpa_handle(event, dpa, &handle), DOCA_ERROR_NOT_PERMITTED);
	event_close();
}

T_CASE(the_context_is_started)
{
	struct doca_dpa *idle;

	event_open();
	T_OK(doca_dpa_create(dev, &idle));
	T_ERR(doca_sync_event_get_dpa_handle(event, idle, &handle), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_destroy(idle));
	event_close();
}

T_CASE(kernels_and_the_program_operate_on_one_counter)
{
	event_open();
	T_OK(doca_sync_event_update_set(event, 40));
	T_EQ(kit_rpc(dpa, KIT_FUNC(get), 0), 40);
	kit_rpc(dpa, KIT_FUNC(add), 2);
	T_EQ(event_get(event), 42);
	kit_rpc(dpa, KIT_FUNC(set), UINT64_MAX);
	T_EQ(event_get(event), (int64_t)-1);
	T_EQ(event_add(event, 3), (int64_t)-1);
	T_EQ(kit_rpc(dpa, KIT_FUNC(get), 0), 2);
	event_close();
}

T_CASE(a_kernel_waits_for_what_is_there)
{
	event_open();
	T_OK(doca_sync_event_update_set(event, 0x1f));
	kit_rpc(dpa, KIT_FUNC(wait_until_above), 0x1e);
	kit_rpc(dpa, KIT_FUNC(wait_masked), 0x0f);
	event_close();
}

static void *publish_in_a_while(void *arg)
{
	t_relax(100);
	T_OK(doca_sync_event_update_set(event, (uintptr_t)arg));
	return NULL;
}

T_CASE(a_kernel_waits_for_the_program)
{
	pthread_t thread;

	event_open();
	for (uintptr_t i = 1; i < 50; i++) {
		T_EQ(pthread_create(&thread, NULL, publish_in_a_while, (void *)i), 0);
		kit_rpc(dpa, KIT_FUNC(wait_until_above), i - 1);
		pthread_join(thread, NULL);
	}
	event_close();
}

KIT_GLOBAL(add_often)
{
	for (int i = 0; i < 1000; i++)
		doca_dpa_dev_sync_event_update_add(handle, 1);
}

T_CASE(many_threads_add_at_once)
{
	event_open();
	T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 16, KIT_FUNC(add_often),
					       (uint64_t)0));
	for (int i = 0; i < 1000; i++)
		event_add(event, 1);
	T_OK(doca_sync_event_wait_eq_yield(event, 17000, UINT64_MAX));
	event_close();
}

T_CASE(memory_of_the_program)
{
	uint64_t *word = event_memory();

	event_open();
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_set_addr(event, word));
	T_OK(doca_sync_event_start(event));
	T_OK(doca_sync_event_get_dpa_handle(event, dpa, &handle));
	kit_rpc(dpa, KIT_FUNC(set), 77);
	T_EQ(*word, 77);
	event_close();
	event_memory_gone(word);
}

T_CASE(an_event_that_is_a_context)
{
	struct async async = {0};
	uint64_t value = 0;

	dpa = kit_dpa(KIT_DPU);
	dev = kit_open(KIT_DPU);
	event = make();
	async_start(&async, event);
	T_OK(doca_sync_event_get_dpa_handle(event, dpa, &handle));
	kit_rpc(dpa, KIT_FUNC(add), 5);
	async_wait_eq(&async, 5, UINT64_MAX, 1);
	ASYNC_UNTIL(&async, async.ok == 1);
	async_get(&async, &value, 2);
	ASYNC_UNTIL(&async, async.ok == 2);
	T_EQ(value, 5);
	async_close(&async);
	T_OK(doca_dev_close(dev));
	kit_dpa_end(dpa);
}

static void expect_fatal(doca_dpa_func_t *func, uint64_t arg, const char *sentence)
{
	uint64_t result;

	kit_log();
	T_ERR(doca_dpa_rpc(dpa, func, &result, arg), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), sentence);
	T_CONTAINS(kit_crash(), sentence);
}

T_CASE(an_event_that_was_stopped_ends_the_kernel)
{
	event_open();
	T_OK(doca_sync_event_stop(event));
	expect_fatal(KIT_FUNC(get), 0, "needed is a sync event");
	T_OK(doca_sync_event_start(event));
	event_close();
}

T_CASE(memory_that_is_gone_ends_the_kernel)
{
	uint64_t *word = event_memory();

	event_open();
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_set_addr(event, word));
	T_OK(doca_sync_event_start(event));
	T_OK(doca_sync_event_get_dpa_handle(event, dpa, &handle));
	event_memory_gone(word);
	expect_fatal(KIT_FUNC(add), 1, "the memory of the counter is gone");
	event_close();
}

KIT_GLOBAL(wait_for_ever)
{
	doca_dpa_dev_sync_event_update_set(handle, 1);
	doca_dpa_dev_sync_event_wait_gt(handle, 1, UINT64_MAX);
}

T_CASE(a_kernel_that_waits_ends_with_its_context)
{
	event_open();
	T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 4, KIT_FUNC(wait_for_ever),
					       (uint64_t)0));
	T_OK(doca_sync_event_wait_eq_yield(event, 1, UINT64_MAX));
	kit_dpa_end(dpa);
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

/* The host exports an event, and then adds 1 to each value that it finds, until it is 1000. */
static int be_host(void *arg)
{
	int fd = *(int *)arg;
	struct event_blob blob;

	dev = kit_open(KIT_HOST);
	event = event_make_pci(dev);
	T_OK(doca_sync_event_start(event));
	event_export_pci(event, dev, &blob);
	rig_put(fd, &blob, sizeof(blob));
	T_OK(doca_sync_event_wait_gt_yield(event, 999, UINT64_MAX));
	T_EQ(event_add(event, 1), 1000);
	rig_get(fd, &blob, 1);
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
	return 0;
}

static void import_over(const char *window)
{
	struct event_blob blob;
	pid_t host;
	int fds[2];

	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
	host = t_fork(be_host, &fds[1]);
	setenv("SOFTDPU_WINDOW", window, 1);
	rig_get(fds[0], &blob, sizeof(blob));
	dpa = kit_dpa(KIT_DPU);
	dev = kit_open(KIT_DPU);
	T_OK(event_import(&blob, dev, &event));
	T_ERR(doca_sync_event_add_publisher_location_dpa(event, dpa), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_sync_event_start(event));
	T_OK(doca_sync_event_get_dpa_handle(event, dpa, &handle));
	kit_rpc(dpa, KIT_FUNC(set), 990);
	kit_rpc(dpa, KIT_FUNC(add), 10);
	kit_rpc(dpa, KIT_FUNC(wait_until_above), 1000);
	T_EQ(kit_rpc(dpa, KIT_FUNC(get), 0), 1001);
	rig_put(fds[0], &blob, 1);
	T_EQ(t_wait(host, 10000), 0);
	expect_fatal(KIT_FUNC(get), 0, "doca_dpa_dev_sync_event_get");
	event_close();
}

T_CASE(an_event_of_another_process_mapped)
{
	import_over("mapped");
}

T_CASE(an_event_of_another_process_cross)
{
	import_over("cross");
}

T_CASE(an_event_of_another_process_handed)
{
	import_over("handed");
}

T_CASE(an_event_of_another_process_served)
{
	import_over("served");
}
