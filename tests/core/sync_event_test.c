/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events of one process, worked on synchronously: configuration, life, arithmetic, waits, and
 * where the counter lies.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>

#include "core/event_kit.h"

static struct doca_dev *dev;

static struct doca_sync_event *started(void)
{
	struct doca_sync_event *event;

	dev = kit_open(KIT_DPU);
	event = event_make(dev);
	T_OK(doca_sync_event_start(event));
	return event;
}

static void finish(struct doca_sync_event *event)
{
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

#define NULL_REFUSED(call) T_ERR(call, DOCA_ERROR_INVALID_VALUE)

T_CASE(null_is_refused)
{
	struct doca_sync_event *event = started(), *other = NULL;
	struct doca_sync_event_remote_net *net = NULL;
	const uint8_t *data = NULL;
	uint64_t value = 7;
	size_t sz = 0;

	NULL_REFUSED(doca_sync_event_create(NULL));
	NULL_REFUSED(doca_sync_event_create_from_export(NULL, (uint8_t *)&value, 8, &other));
	NULL_REFUSED(doca_sync_event_create_from_export(dev, NULL, 8, &other));
	NULL_REFUSED(doca_sync_event_create_from_export(dev, (uint8_t *)&value, 8, NULL));
	NULL_REFUSED(doca_sync_event_destroy(NULL));
	NULL_REFUSED(doca_sync_event_add_publisher_location_cpu(NULL, dev));
	NULL_REFUSED(doca_sync_event_add_publisher_location_cpu(event, NULL));
	NULL_REFUSED(doca_sync_event_add_publisher_location_remote_pci(NULL));
	NULL_REFUSED(doca_sync_event_add_publisher_location_remote_net(NULL));
	NULL_REFUSED(doca_sync_event_add_subscriber_location_cpu(NULL, dev));
	NULL_REFUSED(doca_sync_event_add_subscriber_location_cpu(event, NULL));
	NULL_REFUSED(doca_sync_event_add_subscriber_location_remote_pci(NULL));
	NULL_REFUSED(doca_sync_event_set_addr(NULL, &value));
	NULL_REFUSED(doca_sync_event_set_addr(event, NULL));
	NULL_REFUSED(doca_sync_event_set_doca_buf(event, NULL));
	NULL_REFUSED(doca_sync_event_set_doca_buf(NULL, (struct doca_buf *)&value));
	NULL_REFUSED(doca_sync_event_start(NULL));
	NULL_REFUSED(doca_sync_event_stop(NULL));
	T_EQ(doca_sync_event_as_ctx(NULL), 0);
	NULL_REFUSED(doca_sync_event_get(NULL, &value));
	NULL_REFUSED(doca_sync_event_get(event, NULL));
	NULL_REFUSED(doca_sync_event_update_add(NULL, 1, &value));
	NULL_REFUSED(doca_sync_event_update_add(event, 1, NULL));
	NULL_REFUSED(doca_sync_event_update_set(NULL, 1));
	NULL_REFUSED(doca_sync_event_wait_gt(NULL, 0, ALL));
	NULL_REFUSED(doca_sync_event_wait_gt_yield(NULL, 0, ALL));
	NULL_REFUSED(doca_sync_event_wait_eq(NULL, 0, ALL));
	NULL_REFUSED(doca_sync_event_wait_eq_yield(NULL, 0, ALL));
	NULL_REFUSED(doca_sync_event_wait_neq(NULL, 0, ALL));
	NULL_REFUSED(doca_sync_event_wait_neq_yield(NULL, 0, ALL));
	NULL_REFUSED(doca_sync_event_export_to_remote_pci(NULL, dev, &data, &sz));
	NULL_REFUSED(doca_sync_event_export_to_remote_pci(event, NULL, &data, &sz));
	NULL_REFUSED(doca_sync_event_export_to_remote_pci(event, dev, NULL, &sz));
	NULL_REFUSED(doca_sync_event_export_to_remote_pci(event, dev, &data, NULL));
	NULL_REFUSED(doca_sync_event_export_to_remote_net(NULL, &data, &sz));
	NULL_REFUSED(doca_sync_event_export_to_remote_net(event, NULL, &sz));
	NULL_REFUSED(doca_sync_event_export_to_remote_net(event, &data, NULL));
	NULL_REFUSED(
		doca_sync_event_remote_net_create_from_export(NULL, (uint8_t *)&value, 8, &net));
	NULL_REFUSED(doca_sync_event_remote_net_create_from_export(dev, NULL, 8, &net));
	NULL_REFUSED(
		doca_sync_event_remote_net_create_from_export(dev, (uint8_t *)&value, 8, NULL));
	NULL_REFUSED(doca_sync_event_remote_net_destroy(NULL));
	T_EQ(value, 7);
	T_CHECK(other == NULL && net == NULL && data == NULL && sz == 0);
	finish(event);
}

typedef doca_error_t (*cap_fn)(const struct doca_devinfo *devinfo);

T_CASE(every_device_can_do_all_but_gpu_code)
{
	static const cap_fn caps[] = {
		doca_sync_event_cap_is_create_from_export_supported,
		doca_sync_event_cap_remote_net_is_create_from_export_supported,
		doca_sync_event_cap_is_export_to_remote_pci_supported,
		doca_sync_event_cap_is_export_to_remote_net_supported,
		doca_sync_event_cap_is_export_to_dpa_supported,
		doca_sync_event_cap_task_get_is_supported,
		doca_sync_event_cap_task_notify_set_is_supported,
		doca_sync_event_cap_task_notify_add_is_supported,
		doca_sync_event_cap_task_wait_eq_is_supported,
		doca_sync_event_cap_task_wait_neq_is_supported,
	};
	struct doca_devinfo **list;
	uint32_t num;

	T_OK(doca_devinfo_create_list(&list, &num));
	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
		T_ERR(caps[i](NULL), DOCA_ERROR_INVALID_VALUE);
		for (uint32_t j = 0; j < num; j++)
			T_OK(caps[i](list[j]));
	}
	T_ERR(doca_sync_event_cap_is_export_to_gpu_supported(list[0]), DOCA_ERROR_NOT_SUPPORTED);
	T_OK(doca_devinfo_destroy_list(list));
}

T_CASE(a_publisher_and_a_subscriber_are_needed)
{
	struct doca_sync_event *event;

	dev = kit_open(KIT_DPU);
	T_OK(doca_sync_event_create(&event));
	kit_log();
	T_ERR(doca_sync_event_start(event), DOCA_ERROR_BAD_CONFIG);
	T_CONTAINS(kit_log(), "no publisher");
	T_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	T_ERR(doca_sync_event_start(event), DOCA_ERROR_BAD_CONFIG);
	T_CONTAINS(kit_log(), "no subscriber");
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	T_OK(doca_sync_event_start(event));
	finish(event);
}

T_CASE(configuration_ends_with_the_start)
{
	struct doca_sync_event *event = started();
	uint64_t word;

	T_ERR(doca_sync_event_start(event), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_add_publisher_location_cpu(event, dev), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_add_publisher_location_remote_pci(event), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_add_publisher_location_remote_net(event), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_add_subscriber_location_cpu(event, dev), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_add_subscriber_location_remote_pci(event), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_set_addr(event, &word), DOCA_ERROR_BAD_STATE);
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_add_publisher_location_remote_net(event));
	T_OK(doca_sync_event_start(event));
	finish(event);
}

T_CASE(what_is_not_started_does_nothing)
{
	struct doca_sync_event *event = started();
	uint64_t value = 9;

	T_OK(doca_sync_event_stop(event));
	T_ERR(doca_sync_event_stop(event), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_get(event, &value), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_update_set(event, 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_update_add(event, 1, &value), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_wait_eq(event, 0, ALL), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_wait_gt_yield(event, 0, ALL), DOCA_ERROR_BAD_STATE);
	T_EQ(value, 9);
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

T_CASE(an_event_keeps_its_devices_until_it_is_destroyed)
{
	struct doca_sync_event *event = started();

	T_ERR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	T_OK(doca_sync_event_stop(event));
	T_ERR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

T_CASE(a_started_event_is_stopped_by_destroy)
{
	struct doca_sync_event *event = started();

	T_EQ(event_add(event, 3), 0);
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

T_CASE(the_last_device_of_a_role_is_the_one_that_is_kept)
{
	struct doca_dev *first = kit_open(KIT_DPU_1);
	struct doca_sync_event *event;

	dev = kit_open(KIT_DPU);
	event = event_make(first);
	T_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	T_OK(doca_dev_close(first));
	T_OK(doca_sync_event_start(event));
	finish(event);
}

T_CASE(arithmetic_is_modulo_2_to_the_64_and_hands_out_the_value_before)
{
	struct doca_sync_event *event = started();

	T_EQ(event_get(event), 0);
	T_EQ(event_add(event, 5), 0);
	T_EQ(event_add(event, 7), 5);
	T_EQ(event_get(event), 12);
	T_OK(doca_sync_event_update_set(event, UINT64_MAX));
	T_EQ(event_add(event, 3), -1);
	T_EQ(event_get(event), 2);
	finish(event);
}

T_CASE(each_start_begins_at_0)
{
	struct doca_sync_event *event = started();

	T_OK(doca_sync_event_update_set(event, 77));
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_start(event));
	T_EQ(event_get(event), 0);
	finish(event);
}

typedef doca_error_t (*wait_fn)(struct doca_sync_event *event, uint64_t value, uint64_t mask);

static const struct {
	wait_fn gt, eq, neq;
} waits[] = {
	{doca_sync_event_wait_gt, doca_sync_event_wait_eq, doca_sync_event_wait_neq},
	{doca_sync_event_wait_gt_yield, doca_sync_event_wait_eq_yield,
	 doca_sync_event_wait_neq_yield},
};

T_CASE(waits_compare_what_the_mask_leaves)
{
	struct doca_sync_event *event = started();

	T_OK(doca_sync_event_update_set(event, 0x1122334455667788));
	for (int i = 0; i < 2; i++) {
		T_OK(waits[i].eq(event, 0x1122334455667788, ALL));
		T_OK(waits[i].eq(event, 0x88, 0xff));
		T_OK(waits[i].eq(event, 0x55660000, 0xffff0000));
		T_OK(waits[i].eq(event, 0x1100000000000000, 0xff00000000000000));
		T_OK(waits[i].eq(event, 0x1122334400000000, 0xffffffff00000000));
		T_OK(waits[i].eq(event, 0, 0));
		T_OK(waits[i].neq(event, 0x1122334455667789, ALL));
		T_OK(waits[i].neq(event, 0x77, 0xff));
		T_OK(waits[i].gt(event, 0x1122334455667787, ALL));
		T_OK(waits[i].gt(event, 0x87, 0xff));
		T_OK(waits[i].gt(event, 0x7700, 0xffff00));
	}
	finish(event);
}

T_CASE(masks_and_values_are_judged)
{
	static const uint64_t bad_masks[] = {
		1,	  0xf,		0xff0,	      0xfff,	0xffffff,
		0xff00ff, 0xfffffffffe, 0xffffffffff, ALL << 8, ALL << 1,
	};
	struct doca_sync_event *event = started();

	for (int i = 0; i < 2; i++) {
		for (size_t j = 0; j < sizeof(bad_masks) / sizeof(bad_masks[0]); j++) {
			T_ERR(waits[i].eq(event, 0, bad_masks[j]), DOCA_ERROR_INVALID_VALUE);
			T_ERR(waits[i].neq(event, 0, bad_masks[j]), DOCA_ERROR_INVALID_VALUE);
			T_ERR(waits[i].gt(event, 0, bad_masks[j]), DOCA_ERROR_INVALID_VALUE);
		}
		T_ERR(waits[i].eq(event, 0x100, 0xff), DOCA_ERROR_INVALID_VALUE);
		T_ERR(waits[i].neq(event, 1, 0xff00), DOCA_ERROR_INVALID_VALUE);
		T_ERR(waits[i].eq(event, 1, 0), DOCA_ERROR_INVALID_VALUE);
		/* no counter can ever end these */
		T_ERR(waits[i].gt(event, ALL, ALL), DOCA_ERROR_INVALID_VALUE);
		T_ERR(waits[i].gt(event, 0xff00, 0xff00), DOCA_ERROR_INVALID_VALUE);
		T_ERR(waits[i].gt(event, 0, 0), DOCA_ERROR_INVALID_VALUE);
		T_ERR(waits[i].neq(event, 0, 0), DOCA_ERROR_INVALID_VALUE);
	}
	finish(event);
}

/* A thread that waits, in one of two ways, for each number up to the last. */
#define LAST_NUMBER 200

struct waiter {
	pthread_t thread;
	struct doca_sync_event *event;
	wait_fn wait;
	doca_error_t result;
};

static void *count_up(void *arg)
{
	struct waiter *waiter = arg;
	uint64_t fetched;

	/* odd numbers are ours to make, even ones are waited for */
	for (uint64_t i = 0; i < LAST_NUMBER; i += 2) {
		T_OK(waiter->wait(waiter->event, i, ALL));
		T_OK(doca_sync_event_update_add(waiter->event, 1, &fetched));
		T_EQ(fetched, i);
	}
	return NULL;
}

T_CASE(two_threads_take_turns)
{
	struct waiter waiter = {.event = started()};

	for (int i = 0; i < 2; i++) {
		waiter.wait = waits[i].eq;
		T_OK(doca_sync_event_update_set(waiter.event, 0));
		T_EQ(pthread_create(&waiter.thread, NULL, count_up, &waiter), 0);
		for (uint64_t n = 1; n < LAST_NUMBER; n += 2) {
			T_OK(waits[i].gt(waiter.event, n - 1, ALL));
			T_OK(doca_sync_event_update_set(waiter.event, n + 1));
		}
		T_EQ(pthread_join(waiter.thread, NULL), 0);
		T_EQ(event_get(waiter.event), LAST_NUMBER);
	}
	finish(waiter.event);
}

static void *add_many(void *arg)
{
	uint64_t fetched;

	for (int i = 0; i < 10000; i++)
		T_OK(doca_sync_event_update_add(arg, 1, &fetched));
	return NULL;
}

static void add_together(struct doca_sync_event *event)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		T_EQ(pthread_create(&threads[i], NULL, add_many, event), 0);
	T_OK(doca_sync_event_wait_gt(event, 29999, ALL));
	for (int i = 0; i < 3; i++)
		T_EQ(pthread_join(threads[i], NULL), 0);
	T_EQ(event_get(event), 30000);
}

T_CASE(no_addition_is_lost)
{
	struct doca_sync_event *event = started();

	add_together(event);
	finish(event);
}

static void *wait_for_ever(void *arg)
{
	struct waiter *waiter = arg;

	waiter->result = waiter->wait(waiter->event, 1, ALL);
	return NULL;
}

T_CASE(stop_ends_the_waits_of_other_threads)
{
	struct waiter waiter[2];

	for (int i = 0; i < 20; i++) {
		waiter[0].event = waiter[1].event = started();
		for (int j = 0; j < 2; j++) {
			waiter[j].wait = waits[j].eq;
			T_EQ(pthread_create(&waiter[j].thread, NULL, wait_for_ever, &waiter[j]), 0);
		}
		t_relax(100);
		T_OK(doca_sync_event_stop(waiter[0].event));
		for (int j = 0; j < 2; j++) {
			T_EQ(pthread_join(waiter[j].thread, NULL), 0);
			T_CHECK(waiter[j].result == DOCA_ERROR_SHUTDOWN ||
				waiter[j].result == DOCA_ERROR_BAD_STATE);
		}
		T_OK(doca_sync_event_destroy(waiter[0].event));
		T_OK(doca_dev_close(dev));
	}
}

T_CASE(the_counter_lies_in_the_users_memory)
{
	static _Alignas(8) uint64_t words[2] = {41, 99};
	struct doca_sync_event *event;

	dev = kit_open(KIT_HOST);
	event = event_make(dev);
	T_ERR(doca_sync_event_set_addr(event, (uint64_t *)((uint8_t *)words + 4)),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_sync_event_set_addr(event, &words[0]));
	T_ERR(doca_sync_event_set_addr(event, &words[1]), DOCA_ERROR_NOT_SUPPORTED);
	T_OK(doca_sync_event_start(event));
	/* what the user has put there counts */
	T_EQ(event_get(event), 41);
	T_EQ(event_add(event, 1), 41);
	T_EQ(words[0], 42);
	__atomic_store_n(&words[0], 7, __ATOMIC_RELEASE);
	T_OK(doca_sync_event_wait_eq(event, 7, ALL));
	T_OK(doca_sync_event_update_set(event, 0));
	T_EQ(words[0], 0);
	T_EQ(words[1], 99);
	add_together(event);
	T_EQ(words[0], 30000);
	finish(event);
}

T_CASE(the_users_memory_may_be_gone)
{
	uint64_t *word = event_memory();
	struct doca_sync_event *event;
	uint64_t value = 5;

	dev = kit_open(KIT_HOST);
	event = event_make(dev);
	T_OK(doca_sync_event_set_addr(event, word));
	T_OK(doca_sync_event_start(event));
	T_EQ(event_add(event, 1), 0);
	event_memory_gone(word);
	kit_log();
	T_ERR(doca_sync_event_get(event, &value), DOCA_ERROR_IO_FAILED);
	T_CONTAINS(kit_log(), "is gone");
	T_ERR(doca_sync_event_update_set(event, 1), DOCA_ERROR_IO_FAILED);
	T_ERR(doca_sync_event_update_add(event, 1, &value), DOCA_ERROR_IO_FAILED);
	T_ERR(doca_sync_event_wait_gt(event, 8, ALL), DOCA_ERROR_IO_FAILED);
	T_EQ(value, 5);
	finish(event);
}

T_CASE(the_users_memory_must_be_there_at_the_start)
{
	uint64_t *word = event_memory();
	struct doca_sync_event *event;

	dev = kit_open(KIT_HOST);
	event = event_make(dev);
	T_OK(doca_sync_event_set_addr(event, word));
	event_memory_gone(word);
	kit_log();
	T_ERR(doca_sync_event_start(event), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "doca_sync_event_start: of the 8 bytes at");
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

#define BUF_PERMS (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

struct stock {
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
};

static void stock_open(struct stock *stock, void *at, size_t len, uint32_t perms)
{
	stock->mmap = kit_mmap(dev, at, len, perms);
	T_OK(doca_buf_inventory_create(4, &stock->inventory));
	T_OK(doca_buf_inventory_start(stock->inventory));
}

static void stock_close(struct stock *stock)
{
	T_OK(doca_buf_inventory_destroy(stock->inventory));
	T_OK(doca_mmap_destroy(stock->mmap));
}

static struct doca_buf *take(struct stock *stock, void *at, size_t len)
{
	struct doca_buf *buf;

	T_OK(doca_buf_inventory_buf_get_by_data(stock->inventory, stock->mmap, at, len, &buf));
	return buf;
}

T_CASE(the_counter_lies_in_a_buf)
{
	static _Alignas(8) uint64_t words[4];
	struct doca_sync_event *event;
	struct doca_buf *buf;
	struct stock stock;

	dev = kit_open(KIT_HOST);
	stock_open(&stock, words, sizeof(words), BUF_PERMS);
	buf = take(&stock, &words[2], 8);
	event = event_make(dev);
	T_OK(doca_sync_event_set_doca_buf(event, buf));
	T_ERR(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_set_addr(event, &words[0]), DOCA_ERROR_NOT_SUPPORTED);
	T_OK(doca_sync_event_start(event));
	T_ERR(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_BAD_STATE);
	T_EQ(event_add(event, 6), 0);
	T_EQ(words[2], 6);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	stock_close(&stock);
	finish(event);
}

T_CASE(bufs_that_hold_no_counter)
{
	static _Alignas(8) uint64_t words[4];
	struct doca_buf *list, *tail, *small, *big, *crooked, *plain;
	struct stock stock, weak;
	struct doca_sync_event *event;

	dev = kit_open(KIT_HOST);
	stock_open(&stock, words, sizeof(words), BUF_PERMS);
	stock_open(&weak, words, sizeof(words), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	event = event_make(dev);
	small = take(&stock, words, 4);
	big = take(&stock, words, 16);
	crooked = take(&stock, (uint8_t *)words + 4, 8);
	T_ERR(doca_sync_event_set_doca_buf(event, small), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_set_doca_buf(event, big), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_set_doca_buf(event, crooked), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_dec_refcount(small, NULL));
	T_OK(doca_buf_dec_refcount(big, NULL));
	T_OK(doca_buf_dec_refcount(crooked, NULL));
	list = take(&stock, words, 8);
	tail = take(&stock, words + 1, 8);
	T_OK(doca_buf_chain_list(list, tail));
	T_ERR(doca_sync_event_set_doca_buf(event, list), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_set_doca_buf(event, tail), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_dec_refcount(list, NULL));
	plain = take(&weak, words, 8);
	T_ERR(doca_sync_event_set_doca_buf(event, plain), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_dec_refcount(plain, NULL));
	T_OK(doca_sync_event_start(event));
	T_EQ(event_get(event), 0);
	stock_close(&weak);
	stock_close(&stock);
	finish(event);
}

T_CASE(either_way_of_starting_excludes_the_other)
{
	struct doca_sync_event *event = started();
	struct async async;
	uint64_t value;

	async_open(&async, event);
	T_ERR(doca_ctx_start(async.ctx), DOCA_ERROR_BAD_STATE);
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_ctx_start(async.ctx));
	T_ERR(doca_sync_event_start(event), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_stop(event), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_get(event, &value), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_wait_eq(event, 0, ALL), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_add_publisher_location_remote_pci(event), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_destroy(event), DOCA_ERROR_IN_USE);
	T_OK(doca_ctx_stop(async.ctx));
	T_OK(doca_sync_event_start(event));
	T_OK(doca_sync_event_stop(event));
	async_close(&async);
	T_OK(doca_dev_close(dev));
}

static struct doca_sync_event *inherited;

static void use_in_child(void)
{
	struct doca_sync_event *made = NULL;
	uint64_t value = 3;

	T_ERR(doca_sync_event_create(&made), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_get(inherited, &value), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_update_set(inherited, 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_wait_gt(inherited, 0, ALL), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_stop(inherited), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_start(inherited), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_destroy(inherited), DOCA_ERROR_BAD_STATE);
	T_EQ(value, 3);
}

T_CASE(a_forked_child_is_inert)
{
	inherited = started();
	kit_in_child(use_in_child);
	T_EQ(event_add(inherited, 1), 0);
	finish(inherited);
}
