/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queues of asynchronous operations: life, copies, buffers, waits. All memory is of this process.
 */
#include <string.h>
#include <sys/mman.h>

#include <doca_buf_array.h>
#include <doca_dpa_dev_buf.h>
#include <doca_dpa_dev_sync_event.h>
#include <doca_sync_event.h>

#include "dma/rig.h"
#include "dpa/kit.h"

#define INVALID(call) T_ERR(call, DOCA_ERROR_INVALID_VALUE)
#define QUEUE 8
#define SIZE 8192

static struct {
	struct doca_dpa *dpa;
	struct doca_dev *dev;
	struct doca_dpa_completion *comp;
	struct doca_dpa_async_ops *async;
	struct doca_mmap *src, *dst;
	struct doca_sync_event *event;
	doca_dpa_dev_completion_t comp_handle;
	doca_dpa_dev_async_ops_t handle;
	doca_dpa_dev_mmap_t src_handle, dst_handle;
	doca_dpa_dev_sync_event_t event_handle;
	doca_dpa_dev_buf_arr_t src_array, dst_array;
	uint64_t dst_addr;
	uint32_t flags;
} desk;

static uint8_t from[SIZE], to[SIZE];

static doca_dpa_dev_mmap_t handle_of(struct doca_mmap *mmap)
{
	doca_dpa_dev_mmap_t handle;

	T_OK(doca_mmap_dev_get_dpa_handle(mmap, desk.dev, &handle));
	return handle;
}

static void event_open(void)
{
	T_OK(doca_sync_event_create(&desk.event));
	T_OK(doca_sync_event_add_publisher_location_cpu(desk.event, desk.dev));
	T_OK(doca_sync_event_add_subscriber_location_dpa(desk.event, desk.dpa));
	T_OK(doca_sync_event_start(desk.event));
	T_OK(doca_sync_event_get_dpa_handle(desk.event, desk.dpa, &desk.event_handle));
}

static void desk_open(void)
{
	desk.dpa = kit_dpa(KIT_DPU);
	desk.dev = kit_open(KIT_DPU);
	T_OK(doca_dpa_completion_create(desk.dpa, 64, &desk.comp));
	T_OK(doca_dpa_completion_start(desk.comp));
	T_OK(doca_dpa_completion_get_dpa_handle(desk.comp, &desk.comp_handle));
	T_OK(doca_dpa_async_ops_create(desk.dpa, QUEUE, 77, &desk.async));
	T_OK(doca_dpa_async_ops_attach(desk.async, desk.comp));
	T_OK(doca_dpa_async_ops_start(desk.async));
	T_OK(doca_dpa_async_ops_get_dpa_handle(desk.async, &desk.handle));
	desk.src = kit_mmap(desk.dev, from, SIZE, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	desk.dst = kit_mmap(desk.dev, to, SIZE, 0);
	desk.src_handle = handle_of(desk.src);
	desk.dst_handle = handle_of(desk.dst);
	desk.dst_addr = (uintptr_t)to;
	event_open();
}

static void desk_close(void)
{
	T_OK(doca_dpa_async_ops_destroy(desk.async));
	T_OK(doca_dpa_completion_destroy(desk.comp));
	T_OK(doca_sync_event_stop(desk.event));
	T_OK(doca_sync_event_destroy(desk.event));
	T_OK(doca_mmap_destroy(desk.src));
	T_OK(doca_mmap_destroy(desk.dst));
	T_OK(doca_dev_close(desk.dev));
	kit_dpa_end(desk.dpa);
}

KIT_RPC(copy)
{
	doca_dpa_dev_post_memcpy(desk.handle, desk.dst_handle, desk.dst_addr, desk.src_handle,
				 (uintptr_t)from, arg, desk.flags);
	return 0;
}

/* Its type, acked; 100: there is none. */
KIT_RPC(take)
{
	doca_dpa_dev_completion_element_t element;
	uint64_t type;

	if (!doca_dpa_dev_get_completion(desk.comp_handle, &element))
		return 100;
	type = doca_dpa_dev_get_completion_type(element);
	T_EQ(doca_dpa_dev_get_completion_user_data(element), 77);
	doca_dpa_dev_completion_ack(desk.comp_handle, 1);
	return type;
}

static uint64_t rpc(doca_dpa_func_t *func, uint64_t arg)
{
	return kit_rpc(desk.dpa, func, arg);
}

static void expect_sent(void)
{
	T_EQ(rpc(KIT_FUNC(take), 0), DOCA_DPA_DEV_COMP_SEND);
}

static void expect_none(void)
{
	T_EQ(rpc(KIT_FUNC(take), 0), 100);
}

static void expect_failed(const char *sentence)
{
	T_EQ(rpc(KIT_FUNC(take), 0), DOCA_DPA_DEV_COMP_SEND_ERR);
	T_CONTAINS(kit_log(), sentence);
}

T_CASE(null_is_refused)
{
	struct doca_dpa_async_ops *other = NULL;
	unsigned int size;
	uint64_t data;

	desk_open();
	INVALID(doca_dpa_async_ops_create(NULL, 8, 0, &other));
	INVALID(doca_dpa_async_ops_create(desk.dpa, 0, 0, &other));
	INVALID(doca_dpa_async_ops_create(desk.dpa, 8, 0, NULL));
	INVALID(doca_dpa_async_ops_destroy(NULL));
	INVALID(doca_dpa_async_ops_get_queue_size(NULL, &size));
	INVALID(doca_dpa_async_ops_get_queue_size(desk.async, NULL));
	INVALID(doca_dpa_async_ops_get_user_data(NULL, &data));
	INVALID(doca_dpa_async_ops_get_user_data(desk.async, NULL));
	INVALID(doca_dpa_async_ops_attach(NULL, desk.comp));
	INVALID(doca_dpa_async_ops_attach(desk.async, NULL));
	INVALID(doca_dpa_async_ops_start(NULL));
	INVALID(doca_dpa_async_ops_stop(NULL));
	INVALID(doca_dpa_async_ops_get_dpa_handle(NULL, &desk.handle));
	INVALID(doca_dpa_async_ops_get_dpa_handle(desk.async, NULL));
	T_CHECK(other == NULL);
	desk_close();
}

T_CASE(states)
{
	struct doca_dpa_async_ops *async;
	doca_dpa_dev_async_ops_t handle;
	unsigned int size;
	uint64_t data;

	desk_open();
	T_OK(doca_dpa_async_ops_create(desk.dpa, 5, 0x1234567890, &async));
	T_OK(doca_dpa_async_ops_get_queue_size(async, &size));
	T_EQ(size, 8);
	T_OK(doca_dpa_async_ops_get_user_data(async, &data));
	T_EQ(data, 0x567890);
	T_ERR(doca_dpa_async_ops_start(async), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_async_ops_stop(async), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_async_ops_get_dpa_handle(async, &handle), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_async_ops_attach(async, desk.comp));
	T_OK(doca_dpa_async_ops_start(async));
	T_ERR(doca_dpa_async_ops_start(async), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_async_ops_attach(async, desk.comp), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_async_ops_stop(async));
	T_OK(doca_dpa_async_ops_start(async));
	T_OK(doca_dpa_async_ops_destroy(async));
	desk_close();
}

T_CASE(its_completion_is_started_and_of_the_same_context)
{
	struct doca_dpa_async_ops *async;
	struct doca_dpa_completion *comp;
	struct doca_dpa *other;

	desk_open();
	T_OK(doca_dpa_async_ops_create(desk.dpa, 8, 0, &async));
	T_OK(doca_dpa_completion_create(desk.dpa, 8, &comp));
	T_OK(doca_dpa_async_ops_attach(async, comp));
	T_ERR(doca_dpa_async_ops_start(async), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_completion_destroy(comp));
	other = kit_dpa(KIT_DPU_1);
	T_OK(doca_dpa_completion_create(other, 8, &comp));
	INVALID(doca_dpa_async_ops_attach(async, comp));
	T_OK(doca_dpa_completion_destroy(comp));
	kit_dpa_end(other);
	T_OK(doca_dpa_async_ops_destroy(async));
	desk_close();
}

T_CASE(without_its_context_it_can_do_nothing)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_dpa *dpa;

	T_OK(doca_dpa_create(dev, &dpa));
	T_OK(doca_dpa_async_ops_create(dpa, 8, 0, &desk.async));
	T_OK(doca_dpa_completion_create(dpa, 8, &desk.comp));
	T_OK(doca_dpa_async_ops_attach(desk.async, desk.comp));
	T_ERR(doca_dpa_async_ops_start(desk.async), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
	T_ERR(doca_dpa_async_ops_start(desk.async), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_async_ops_destroy(desk.async), DOCA_ERROR_BAD_STATE);
}

T_CASE(copies)
{
	static const size_t sizes[] = {1, 63, 64, 4096, SIZE};

	desk_open();
	for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		memset(to, 0, SIZE);
		rig_fill(from, SIZE, i);
		rpc(KIT_FUNC(copy), sizes[i]);
		expect_sent();
		T_MEMEQ(to, from, sizes[i]);
		T_CHECK(sizes[i] == SIZE || to[sizes[i]] == 0);
	}
	rpc(KIT_FUNC(copy), 0);
	expect_sent();
	desk_close();
}

KIT_RPC(copy_within)
{
	doca_dpa_dev_post_memcpy(desk.handle, desk.dst_handle, (uintptr_t)to + arg, desk.dst_handle,
				 (uintptr_t)to, SIZE - arg, 0);
	return 0;
}

T_CASE(a_copy_onto_itself)
{
	desk_open();
	rig_fill(to, SIZE, 9);
	memcpy(from, to, SIZE);
	rpc(KIT_FUNC(copy_within), 5);
	expect_sent();
	T_MEMEQ(to + 5, from, SIZE - 5);
	desk_close();
}

T_CASE(a_report_that_may_be_put_off)
{
	desk_open();
	desk.flags = DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH | DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS;
	rig_fill(from, SIZE, 3);
	for (int i = 0; i < 10 * QUEUE; i++)
		rpc(KIT_FUNC(copy), SIZE);
	expect_none();
	rig_expect(to, SIZE, 3);
	desk.flags = 0;
	rpc(KIT_FUNC(copy), SIZE);
	expect_sent();
	expect_none();
	desk_close();
}

T_CASE(places_come_back_with_acks)
{
	desk_open();
	kit_log();
	for (int i = 0; i < QUEUE; i++)
		rpc(KIT_FUNC(copy), 8);
	T_STREQ(kit_log(), "");
	rpc(KIT_FUNC(copy), 8);
	T_CONTAINS(kit_log(), "dropped, as all 8 places");
	rpc(KIT_FUNC(copy), 8);
	T_STREQ(kit_log(), "");
	for (int i = 0; i < QUEUE; i++)
		expect_sent();
	expect_none();
	for (int i = 0; i < QUEUE; i++) {
		rpc(KIT_FUNC(copy), 8);
		expect_sent();
	}
	desk_close();
}

T_CASE(what_a_copy_may_not_do_is_reported)
{
	doca_dpa_dev_mmap_t dst;

	desk_open();
	kit_log();
	rpc(KIT_FUNC(copy), SIZE + 1);
	expect_failed("the range is outside of an mmap");
	rpc(KIT_FUNC(copy), SIZE_MAX);
	expect_failed("the range is outside of an mmap");
	dst = desk.dst_handle;
	desk.dst_handle = 0;
	rpc(KIT_FUNC(copy), 8);
	expect_failed("a handle is none");
	desk.dst_handle = dst + 1;
	rpc(KIT_FUNC(copy), 8);
	expect_failed("a handle is none");
	desk.flags = DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS;
	rpc(KIT_FUNC(copy), 8);
	expect_failed("a handle is none");
	desk_close();
}

KIT_RPC(copy_onto_source)
{
	doca_dpa_dev_post_memcpy(desk.handle, desk.src_handle, (uintptr_t)from, desk.dst_handle,
				 (uintptr_t)to, 8, 0);
	return 0;
}

T_CASE(a_source_that_may_not_be_written)
{
	desk_open();
	kit_log();
	memset(from, 1, SIZE);
	memset(to, 2, SIZE);
	rpc(KIT_FUNC(copy_onto_source), 0);
	expect_failed("the destination may not be written");
	T_EQ(from[0], 1);
	desk_close();
}

T_CASE(an_mmap_that_was_stopped)
{
	desk_open();
	T_OK(doca_mmap_stop(desk.src));
	kit_log();
	rpc(KIT_FUNC(copy), 8);
	expect_failed("its mmap was stopped");
	T_OK(doca_mmap_start(desk.src));
	rpc(KIT_FUNC(copy), 8);
	expect_failed("its mmap was stopped");
	desk.src_handle = handle_of(desk.src);
	rpc(KIT_FUNC(copy), 8);
	expect_sent();
	desk_close();
}

/* The heap of the DPA, by an mmap. */
T_CASE(memory_of_the_dpa)
{
	doca_dpa_dev_uintptr_t heap;
	struct doca_mmap *mmap;

	desk_open();
	T_OK(doca_dpa_mem_alloc(desk.dpa, SIZE, &heap));
	T_OK(doca_mmap_create(&mmap));
	T_OK(doca_mmap_set_dpa_memrange(mmap, desk.dpa, heap, SIZE));
	T_OK(doca_mmap_start(mmap));
	desk.dst_handle = handle_of(mmap);
	desk.dst_addr = heap;
	rig_fill(from, SIZE, 4);
	rpc(KIT_FUNC(copy), SIZE);
	expect_sent();
	rig_expect((const uint8_t *)heap, SIZE, 4);
	T_OK(doca_mmap_destroy(mmap));
	desk_close();
}

static void array_open(struct doca_mmap *mmap, struct doca_buf_arr **array,
		       doca_dpa_dev_buf_arr_t *handle)
{
	T_OK(doca_buf_arr_create(4, array));
	T_OK(doca_buf_arr_set_target_dpa(*array, desk.dpa));
	T_OK(doca_buf_arr_set_params(*array, mmap, 1000, 100));
	T_OK(doca_buf_arr_start(*array));
	T_OK(doca_buf_arr_get_dpa_handle(*array, handle));
}

KIT_RPC(copy_buf)
{
	doca_dpa_dev_post_buf_memcpy(desk.handle,
				     doca_dpa_dev_buf_array_get_buf(desk.dst_array, 3 - arg),
				     doca_dpa_dev_buf_array_get_buf(desk.src_array, arg), 0);
	return 0;
}

/* Describes by a buffer of its own what buffer 1 of the source is. */
KIT_RPC(copy_own_buf)
{
	doca_dpa_dev_buf_t of_array = doca_dpa_dev_buf_array_get_buf(desk.src_array, 1);
	struct doca_dpa_dev_buf own = {0};
	doca_dpa_dev_buf_t buf = (uintptr_t)&own;

	doca_dpa_dev_buf_set_mmap(buf, doca_dpa_dev_buf_get_mmap(of_array));
	doca_dpa_dev_buf_set_addr(buf, doca_dpa_dev_buf_get_addr(of_array));
	doca_dpa_dev_buf_set_len(buf, doca_dpa_dev_buf_get_len(of_array) - 900);
	T_EQ(doca_dpa_dev_buf_get_len(buf), 100);
	T_EQ(doca_dpa_dev_buf_get_external_ptr(buf), doca_dpa_dev_buf_get_addr(buf));
	doca_dpa_dev_post_buf_memcpy(desk.handle, doca_dpa_dev_buf_array_get_buf(desk.dst_array, 0),
				     buf, 0);
	return 0;
}

KIT_RPC(copy_into_less)
{
	struct doca_dpa_dev_buf less = {.addr = (uintptr_t)to, .len = 10, .mmap = desk.dst_handle};

	doca_dpa_dev_post_buf_memcpy(desk.handle, (uintptr_t)&less,
				     doca_dpa_dev_buf_array_get_buf(desk.src_array, 0), 0);
	return 0;
}

static void expect_fatal(doca_dpa_func_t *func, uint64_t arg, const char *sentence)
{
	uint64_t result;

	kit_log();
	T_ERR(doca_dpa_rpc(desk.dpa, func, &result, arg), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), sentence);
	T_CONTAINS(kit_crash(), sentence);
}

T_CASE(copies_of_buffers)
{
	struct doca_buf_arr *src, *dst;

	desk_open();
	array_open(desk.src, &src, &desk.src_array);
	array_open(desk.dst, &dst, &desk.dst_array);
	rig_fill(from, SIZE, 6);
	for (uint64_t i = 0; i < 4; i++) {
		rpc(KIT_FUNC(copy_buf), i);
		expect_sent();
		T_MEMEQ(to + 100 + (3 - i) * 1000, from + 100 + i * 1000, 1000);
	}
	rpc(KIT_FUNC(copy_own_buf), 0);
	expect_sent();
	T_MEMEQ(to + 100, from + 1100, 100);
	T_MEMEQ(to + 200, from + 3200, 900);
	expect_fatal(KIT_FUNC(copy_into_less), 0, "has 1000 bytes, the destination room for 10");
	T_OK(doca_buf_arr_destroy(src));
	T_OK(doca_buf_arr_destroy(dst));
	desk_close();
}

T_CASE(an_index_beyond_an_array)
{
	struct doca_buf_arr *src;

	desk_open();
	array_open(desk.src, &src, &desk.src_array);
	desk.dst_array = desk.src_array;
	expect_fatal(KIT_FUNC(copy_buf), 4, "the array has 4 buffers");
	T_OK(doca_buf_arr_destroy(src));
	desk_close();
}

T_CASE(an_array_that_is_none)
{
	desk_open();
	desk.src_array = desk.dst_array = desk.comp_handle;
	expect_fatal(KIT_FUNC(copy_buf), 0, "is the handle of a completion; needed is an array");
	desk_close();
}

T_CASE(states_of_an_array)
{
	struct doca_buf_arr *array;
	doca_dpa_dev_buf_arr_t handle;
	struct doca_dpa *idle;

	desk_open();
	T_OK(doca_dpa_create(desk.dev, &idle));
	T_OK(doca_buf_arr_create(4, &array));
	INVALID(doca_buf_arr_set_target_dpa(NULL, desk.dpa));
	INVALID(doca_buf_arr_set_target_dpa(array, NULL));
	T_OK(doca_buf_arr_set_target_dpa(array, idle));
	T_ERR(doca_buf_arr_start(array), DOCA_ERROR_BAD_STATE);
	T_OK(doca_buf_arr_set_params(array, desk.src, 8, 0));
	T_ERR(doca_buf_arr_start(array), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_destroy(idle), DOCA_ERROR_IN_USE);
	T_OK(doca_buf_arr_set_target_dpa(array, desk.dpa));
	T_OK(doca_dpa_destroy(idle));
	T_OK(doca_buf_arr_start(array));
	T_ERR(doca_buf_arr_start(array), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_buf_arr_set_target_dpa(array, desk.dpa), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_buf_arr_set_params(array, desk.src, 8, 0), DOCA_ERROR_BAD_STATE);
	T_OK(doca_buf_arr_get_dpa_handle(array, &handle));
	T_OK(doca_buf_arr_stop(array));
	T_ERR(doca_buf_arr_get_dpa_handle(array, &handle), DOCA_ERROR_BAD_STATE);
	T_OK(doca_mmap_stop(desk.src));
	T_ERR(doca_buf_arr_start(array), DOCA_ERROR_BAD_STATE);
	T_OK(doca_buf_arr_destroy(array));
	desk_close();
}

KIT_RPC(point)
{
	return doca_dpa_dev_mmap_get_external_ptr(desk.src_handle, arg);
}

T_CASE(pointers_into_an_mmap)
{
	desk_open();
	T_EQ(rpc(KIT_FUNC(point), (uintptr_t)from), (uintptr_t)from);
	T_EQ(rpc(KIT_FUNC(point), (uintptr_t)from + SIZE - 1), (uintptr_t)from + SIZE - 1);
	expect_fatal(KIT_FUNC(point), (uintptr_t)from + SIZE, "the range is outside of the mmap");
	desk_close();
}

T_CASE(a_pointer_into_no_mmap)
{
	desk_open();
	desk.src_handle = 0;
	expect_fatal(KIT_FUNC(point), (uintptr_t)from, "the handle is none");
	desk_close();
}

KIT_RPC(wait_gt)
{
	doca_dpa_dev_sync_event_post_wait_gt(desk.handle, desk.event_handle, arg);
	return 0;
}

KIT_RPC(wait_ne)
{
	doca_dpa_dev_sync_event_post_wait_ne(desk.handle, desk.event_handle, arg);
	return 0;
}

static void set(uint64_t value)
{
	T_OK(doca_sync_event_update_set(desk.event, value));
}

#define EXPECT_SENT_SOON() T_EVENTUALLY(rpc(KIT_FUNC(take), 0) == DOCA_DPA_DEV_COMP_SEND, 5000)

T_CASE(waits_end_when_the_event_is_there)
{
	desk_open();
	for (uint64_t i = 0; i < 50; i++) {
		rpc(KIT_FUNC(wait_gt), i);
		expect_none();
		set(i + 1);
		EXPECT_SENT_SOON();
		rpc(KIT_FUNC(wait_ne), i + 1);
		expect_none();
		set(0);
		EXPECT_SENT_SOON();
	}
	rpc(KIT_FUNC(wait_ne), 1);
	EXPECT_SENT_SOON();
	desk_close();
}

T_CASE(what_follows_a_wait_waits_with_it)
{
	desk_open();
	memset(to, 0, SIZE);
	rig_fill(from, SIZE, 8);
	rpc(KIT_FUNC(wait_gt), 0);
	rpc(KIT_FUNC(copy), SIZE);
	rpc(KIT_FUNC(wait_gt), 1);
	expect_none();
	T_EQ(to[1], 0);
	set(1);
	EXPECT_SENT_SOON();
	EXPECT_SENT_SOON();
	rig_expect(to, SIZE, 8);
	expect_none();
	set(2);
	EXPECT_SENT_SOON();
	desk_close();
}

T_CASE(a_queue_full_of_waits)
{
	desk_open();
	kit_log();
	desk.flags = DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS;
	rpc(KIT_FUNC(wait_gt), 0);
	for (int i = 0; i < QUEUE - 1; i++)
		rpc(KIT_FUNC(copy), 8);
	T_STREQ(kit_log(), "");
	rpc(KIT_FUNC(copy), 8);
	T_CONTAINS(kit_log(), "dropped");
	set(1);
	EXPECT_SENT_SOON();
	desk_close();
}

T_CASE(stop_ends_waits)
{
	desk_open();
	rpc(KIT_FUNC(wait_gt), 0);
	rpc(KIT_FUNC(copy), 8);
	T_OK(doca_dpa_async_ops_stop(desk.async));
	expect_none();
	T_OK(doca_dpa_async_ops_start(desk.async));
	rpc(KIT_FUNC(copy), 8);
	expect_sent();
	desk_close();
}

T_CASE(an_event_that_is_stopped_fails_its_wait)
{
	desk_open();
	kit_log();
	rpc(KIT_FUNC(wait_gt), 0);
	T_OK(doca_sync_event_stop(desk.event));
	T_EVENTUALLY(rpc(KIT_FUNC(take), 0) == DOCA_DPA_DEV_COMP_SEND_ERR, 5000);
	T_CONTAINS(kit_log(), "the event is not started");
	T_OK(doca_sync_event_start(desk.event));
	desk_close();
}

/* Programs that give up destroy their events first. */
T_CASE(an_event_that_is_destroyed_fails_its_wait)
{
	desk_open();
	kit_log();
	rpc(KIT_FUNC(wait_gt), 0);
	rpc(KIT_FUNC(wait_ne), 0); /* behind it */
	T_OK(doca_sync_event_destroy(desk.event));
	for (int i = 0; i < 2; i++)
		T_EVENTUALLY(rpc(KIT_FUNC(take), 0) == DOCA_DPA_DEV_COMP_SEND_ERR, 5000);
	T_CONTAINS(kit_log(), "the event is not started");
	event_open();
	desk_close();
}

T_CASE(stop_lets_go_of_events_that_are_waited_for)
{
	desk_open();
	rpc(KIT_FUNC(wait_gt), 0);
	rpc(KIT_FUNC(wait_gt), 0);
	T_OK(doca_dpa_async_ops_stop(desk.async));
	T_OK(doca_sync_event_destroy(desk.event));
	event_open();
	desk_close();
}

T_CASE(a_value_that_cannot_be_waited_for)
{
	desk_open();
	rpc(KIT_FUNC(wait_gt), 254);
	expect_fatal(KIT_FUNC(wait_ne), 255, "value 255; needed: at most 254");
	desk_close();
}

/* Its mmaps are given back all the same: they can be destroyed. */
T_CASE(a_copy_that_faults)
{
	uint64_t result;
	void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	T_CHECK(memory != MAP_FAILED);
	desk_open();
	T_OK(doca_mmap_destroy(desk.dst));
	desk.dst = kit_mmap(desk.dev, memory, SIZE, 0);
	desk.dst_handle = handle_of(desk.dst);
	desk.dst_addr = (uintptr_t)memory;
	T_EQ(mprotect(memory, SIZE, PROT_NONE), 0);
	T_ERR(doca_dpa_rpc(desk.dpa, KIT_FUNC(copy), &result, (uint64_t)SIZE), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_crash(), "copy");
	desk_close();
	T_EQ(munmap(memory, SIZE), 0);
}
