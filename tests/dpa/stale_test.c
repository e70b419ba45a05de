/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles that device code keeps for longer than their objects live. Each ends the kernel with a
 * sentence; under AddressSanitizer none reads freed memory.
 */
#include <doca_buf_array.h>
#include <doca_dpa_dev_buf.h>
#include <doca_dpa_dev_sync_event.h>
#include <doca_sync_event.h>

#include "comch/msgq_rig.h"

static struct doca_dpa *dpa;
static struct doca_dev *dev;
static struct rig rig;
static uint64_t handle; /* of what is destroyed */
static uint64_t other;	/* that a call needs beside it, and that is good */
static uint8_t bytes[4096];

static void open_all(void)
{
	dpa = kit_dpa(KIT_DPU);
	dev = kit_open(KIT_DPU);
}

static void close_all(void)
{
	T_OK(doca_dev_close(dev));
	kit_dpa_end(dpa);
}

static void expect_fatal(doca_dpa_func_t *func, const char *sentence)
{
	uint64_t result;

	kit_log();
	T_ERR(doca_dpa_rpc(dpa, func, &result, (uint64_t)0), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), sentence);
	T_CONTAINS(kit_crash(), sentence);
}

#define EXPECT_STALE(func, needed)                                                                 \
	expect_fatal(KIT_FUNC(func), " is the handle of nothing that is started; needed "          \
				     "is " needed)

static struct doca_dpa_completion *completion_open(doca_dpa_dev_completion_t *of)
{
	struct doca_dpa_completion *comp;

	T_OK(doca_dpa_completion_create(dpa, 16, &comp));
	T_OK(doca_dpa_completion_start(comp));
	T_OK(doca_dpa_completion_get_dpa_handle(comp, of));
	return comp;
}

static struct doca_dpa_async_ops *async_open(struct doca_dpa_completion *comp,
					     doca_dpa_dev_async_ops_t *of)
{
	struct doca_dpa_async_ops *async;

	T_OK(doca_dpa_async_ops_create(dpa, 8, 0, &async));
	T_OK(doca_dpa_async_ops_attach(async, comp));
	T_OK(doca_dpa_async_ops_start(async));
	T_OK(doca_dpa_async_ops_get_dpa_handle(async, of));
	return async;
}

static struct doca_sync_event *event_open(doca_dpa_dev_sync_event_t *of)
{
	struct doca_sync_event *event;

	T_OK(doca_sync_event_create(&event));
	T_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	T_OK(doca_sync_event_add_subscriber_location_dpa(event, dpa));
	T_OK(doca_sync_event_start(event));
	T_OK(doca_sync_event_get_dpa_handle(event, dpa, of));
	return event;
}

KIT_RPC(read_completion)
{
	doca_dpa_dev_completion_element_t element;

	return (uint64_t)doca_dpa_dev_get_completion(handle, &element);
}

T_CASE(completion)
{
	open_all();
	T_OK(doca_dpa_completion_destroy(completion_open(&handle)));
	EXPECT_STALE(read_completion, "a completion");
	close_all();
}

/* Its element is left in `handle`. */
KIT_RPC(copy_nothing)
{
	doca_dpa_dev_completion_t reports = handle;

	doca_dpa_dev_post_memcpy(other, 0, 0, 0, 0, 1, DOCA_DPA_DEV_SUBMIT_FLAG_NONE);
	return (uint64_t)doca_dpa_dev_get_completion(reports, &handle);
}

KIT_RPC(read_element)
{
	return doca_dpa_dev_get_completion_type(handle);
}

T_CASE(element_of_a_completion)
{
	struct doca_dpa_completion *comp;
	struct doca_dpa_async_ops *async;

	open_all();
	comp = completion_open(&handle);
	async = async_open(comp, &other);
	T_EQ(kit_rpc(dpa, KIT_FUNC(copy_nothing), 0), 1);
	T_OK(doca_dpa_async_ops_destroy(async));
	T_EQ(kit_rpc(dpa, KIT_FUNC(read_element), 0), DOCA_DPA_DEV_COMP_SEND_ERR);
	T_OK(doca_dpa_completion_destroy(comp));
	EXPECT_STALE(read_element, "an element of a completion");
	close_all();
}

KIT_GLOBAL(sleeper)
{
}

KIT_RPC(notify)
{
	doca_dpa_dev_thread_notify(handle);
	return 0;
}

T_CASE(notification_completion)
{
	struct doca_dpa_notification_completion *comp;
	struct doca_dpa_thread *thread;

	open_all();
	thread = kit_thread(dpa, KIT_FUNC(sleeper), 0);
	T_OK(doca_dpa_notification_completion_create(dpa, thread, &comp));
	T_OK(doca_dpa_notification_completion_start(comp));
	T_OK(doca_dpa_notification_completion_get_dpa_handle(comp, &handle));
	T_OK(doca_dpa_notification_completion_destroy(comp));
	T_OK(doca_dpa_thread_destroy(thread));
	EXPECT_STALE(notify, "a notification completion");
	close_all();
}

KIT_RPC(copy_by_queue)
{
	doca_dpa_dev_post_memcpy(handle, 0, 0, 0, 0, 1, DOCA_DPA_DEV_SUBMIT_FLAG_NONE);
	return 0;
}

T_CASE(queue_of_asynchronous_operations)
{
	struct doca_dpa_completion *comp;

	open_all();
	comp = completion_open(&other);
	T_OK(doca_dpa_async_ops_destroy(async_open(comp, &handle)));
	T_OK(doca_dpa_completion_destroy(comp));
	EXPECT_STALE(copy_by_queue, "a queue of asynchronous operations");
	close_all();
}

KIT_RPC(find)
{
	uint64_t value;

	return (uint64_t)doca_dpa_dev_hash_table_find(handle, 1, &value);
}

T_CASE(hash_table)
{
	struct doca_dpa_hash_table *table;

	open_all();
	T_OK(doca_dpa_hash_table_create(dpa, 16, &table));
	T_OK(doca_dpa_hash_table_get_dpa_handle(table, &handle));
	T_OK(doca_dpa_hash_table_destroy(table));
	EXPECT_STALE(find, "a hash table");
	close_all();
}

static void array_make_and_destroy(doca_dpa_func_t *meanwhile)
{
	struct doca_mmap *mmap = kit_mmap(dev, bytes, sizeof(bytes), 0);
	struct doca_buf_arr *array;

	T_OK(doca_buf_arr_create(4, &array));
	T_OK(doca_buf_arr_set_target_dpa(array, dpa));
	T_OK(doca_buf_arr_set_params(array, mmap, 1000, 0));
	T_OK(doca_buf_arr_start(array));
	T_OK(doca_buf_arr_get_dpa_handle(array, &handle));
	if (meanwhile != NULL)
		(void)kit_rpc(dpa, meanwhile, 0);
	T_OK(doca_buf_arr_destroy(array));
	T_OK(doca_mmap_destroy(mmap));
}

KIT_RPC(take_buffer)
{
	handle = doca_dpa_dev_buf_array_get_buf(handle, 3);
	return 0;
}

KIT_RPC(point_to_buffer)
{
	return doca_dpa_dev_buf_get_external_ptr(handle);
}

T_CASE(array_of_buffers)
{
	open_all();
	array_make_and_destroy(NULL);
	EXPECT_STALE(take_buffer, "an array of buffers");
	close_all();
}

T_CASE(buffer_of_an_array)
{
	open_all();
	array_make_and_destroy(KIT_FUNC(take_buffer));
	expect_fatal(KIT_FUNC(point_to_buffer), "the handle is none, or its mmap was stopped");
	close_all();
}

KIT_RPC(read_event)
{
	uint64_t value;

	doca_dpa_dev_sync_event_get(handle, &value);
	return value;
}

T_CASE(sync_event)
{
	open_all();
	T_OK(doca_sync_event_destroy(event_open(&handle)));
	EXPECT_STALE(read_event, "a sync event");
	close_all();
}

KIT_RPC(post_wait)
{
	doca_dpa_dev_sync_event_post_wait_gt(other, handle, 0);
	return 0;
}

T_CASE(sync_event_to_be_waited_for)
{
	struct doca_dpa_completion *comp;
	struct doca_dpa_async_ops *async;
	doca_dpa_dev_completion_t reports;

	open_all();
	comp = completion_open(&reports);
	async = async_open(comp, &other);
	T_OK(doca_sync_event_destroy(event_open(&handle)));
	EXPECT_STALE(post_wait, "a sync event");
	T_OK(doca_dpa_async_ops_destroy(async));
	T_OK(doca_dpa_completion_destroy(comp));
	close_all();
}

KIT_RPC(set_device)
{
	doca_dpa_dev_device_set(handle);
	return 0;
}

T_CASE(context_that_extends_this_one)
{
	struct doca_dpa *extended;

	open_all();
	T_OK(doca_dpa_device_extend(dpa, dev, &extended));
	T_OK(doca_dpa_get_dpa_handle(extended, &handle));
	(void)kit_rpc(dpa, KIT_FUNC(set_device), 0);
	T_OK(doca_dpa_destroy(extended));
	EXPECT_STALE(set_device, "a DPA context");
	close_all();
}

T_CASE(context_beside_this_one)
{
	struct doca_dpa *beside = kit_dpa(KIT_DPU);

	open_all();
	T_OK(doca_dpa_get_dpa_handle(beside, &handle));
	kit_dpa_end(beside);
	EXPECT_STALE(set_device, "a DPA context");
	close_all();
}

static void rig_begin(void)
{
	rig_open(&rig, KIT_FUNC(sleeper));
	dpa = rig.dpa;
}

static void end_dpa_consumer(void)
{
	T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(rig.dpa_consumer)));
	T_OK(doca_comch_consumer_destroy(rig.dpa_consumer));
	rig.dpa_consumer = NULL;
}

static void end_arrivals(void)
{
	end_dpa_consumer();
	T_OK(doca_comch_consumer_completion_stop(rig.arrivals));
	T_OK(doca_comch_consumer_completion_destroy(rig.arrivals));
	rig.arrivals = NULL;
}

KIT_RPC(post_receive)
{
	doca_dpa_dev_comch_consumer_ack(rig.consumer, 1);
	return 0;
}

T_CASE(consumer)
{
	rig_begin();
	(void)kit_rpc(dpa, KIT_FUNC(post_receive), 0);
	end_dpa_consumer();
	EXPECT_STALE(post_receive, "a Comch consumer");
	rig_close(&rig);
}

KIT_RPC(read_arrival)
{
	return (uint64_t)doca_dpa_dev_comch_consumer_get_completion(rig.completion, &handle);
}

KIT_RPC(read_producer_of_arrival)
{
	return doca_dpa_dev_comch_consumer_get_completion_producer_id(handle);
}

T_CASE(consumer_completion)
{
	rig_begin();
	end_arrivals();
	EXPECT_STALE(read_arrival, "a consumer completion");
	rig_close(&rig);
}

T_CASE(element_of_a_consumer_completion)
{
	rig_begin();
	(void)kit_rpc(dpa, KIT_FUNC(post_receive), 0);
	rig_send(&rig, 5);
	T_EQ(kit_rpc(dpa, KIT_FUNC(read_arrival), 0), 1);
	T_EQ(kit_rpc(dpa, KIT_FUNC(read_producer_of_arrival), 0), 1);
	end_arrivals();
	EXPECT_STALE(read_producer_of_arrival, "an element of a consumer completion");
	rig_close(&rig);
}

KIT_RPC(ask_producer)
{
	return (uint64_t)doca_dpa_dev_comch_producer_is_consumer_empty(rig.producer, 1);
}

T_CASE(producer)
{
	rig_begin();
	T_OK(doca_ctx_stop(doca_comch_producer_as_ctx(rig.dpa_producer)));
	T_OK(doca_comch_producer_destroy(rig.dpa_producer));
	rig.dpa_producer = NULL;
	EXPECT_STALE(ask_producer, "a Comch producer");
	rig_close(&rig);
}
