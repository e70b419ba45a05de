/* SPDX-License-Identifier: BSD-3-Clause
 * Inventories: life, taking and giving back, repointing, copies of descriptors, threads.
 */
#include <pthread.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>

#include "core/kit.h"
#include "t.h"

static uint8_t memory[4096];

static struct doca_buf_inventory *started(size_t num)
{
	struct doca_buf_inventory *inventory;

	T_OK(doca_buf_inventory_create(num, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
	return inventory;
}

static uint32_t num_free(const struct doca_buf_inventory *inventory)
{
	uint32_t num;

	T_OK(doca_buf_inventory_get_num_free_elements(inventory, &num));
	return num;
}

static void is(const struct doca_buf *buf, void *head, size_t len, void *data, size_t data_len)
{
	void *got_head, *got_data;
	size_t got_len, got_data_len;

	T_OK(doca_buf_get_head(buf, &got_head));
	T_OK(doca_buf_get_len(buf, &got_len));
	T_OK(doca_buf_get_data(buf, &got_data));
	T_OK(doca_buf_get_data_len(buf, &got_data_len));
	T_EQ(got_head, head);
	T_EQ(got_len, len);
	T_EQ(got_data, data);
	T_EQ(got_data_len, data_len);
}

T_CASE(life)
{
	struct doca_buf_inventory *inventory = NULL;
	union doca_data data = {.u64 = 42};
	uint32_t num;

	T_ERR(doca_buf_inventory_create(0, &inventory), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_create(1ull << 40, &inventory), DOCA_ERROR_NO_MEMORY);
	T_EQ(inventory, 0);
	T_OK(doca_buf_inventory_create(3, &inventory));
	T_OK(doca_buf_inventory_set_user_data(inventory, data));
	T_ERR(doca_buf_inventory_stop(inventory), DOCA_ERROR_BAD_STATE);
	T_OK(doca_buf_inventory_start(inventory));
	T_ERR(doca_buf_inventory_start(inventory), DOCA_ERROR_BAD_STATE);
	data.u64 = 0;
	T_OK(doca_buf_inventory_get_user_data(inventory, &data));
	T_EQ(data.u64, 42);
	T_OK(doca_buf_inventory_get_num_elements(inventory, &num));
	T_EQ(num, 3);
	T_EQ(num_free(inventory), 3);
	T_OK(doca_buf_inventory_stop(inventory));
	T_OK(doca_buf_inventory_start(inventory));
	T_OK(doca_buf_inventory_destroy(inventory));
}

T_CASE(taking_in_three_ways)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_inventory *inventory = started(3);
	struct doca_buf *by_args, *by_addr, *by_data;

	T_OK(doca_buf_inventory_buf_get_by_args(inventory, mmap, memory, 100, memory + 20, 30,
						&by_args));
	is(by_args, memory, 100, memory + 20, 30);
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + 1, 100, &by_addr));
	is(by_addr, memory + 1, 100, memory + 1, 0);
	T_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, sizeof(memory), &by_data));
	is(by_data, memory, sizeof(memory), memory, sizeof(memory));
	T_EQ(num_free(inventory), 0);
	T_OK(doca_buf_dec_refcount(by_args, NULL));
	T_OK(doca_buf_dec_refcount(by_addr, NULL));
	T_OK(doca_buf_dec_refcount(by_data, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(an_empty_stock_is_no_memory_until_one_comes_back)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_inventory *inventory = started(1);
	struct doca_buf *first, *second = NULL;

	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &first));
	kit_log();
	T_ERR(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &second),
	      DOCA_ERROR_NO_MEMORY);
	T_CONTAINS(kit_log(), "all 1 bufs are out");
	T_ERR(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &second),
	      DOCA_ERROR_NO_MEMORY);
	T_STREQ(kit_log(), "");
	T_EQ(second, 0);
	T_OK(doca_buf_dec_refcount(first, NULL));
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &second));
	T_EQ(first, second);
	T_OK(doca_buf_dec_refcount(second, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(nothing_is_taken_before_start_and_after_stop)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_inventory *inventory;
	struct doca_buf *buf, *other;

	T_OK(doca_buf_inventory_create(2, &inventory));
	T_ERR(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf),
	      DOCA_ERROR_BAD_STATE);
	T_OK(doca_buf_inventory_start(inventory));
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf));
	T_OK(doca_buf_inventory_stop(inventory));
	T_ERR(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &other),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_buf_inventory_buf_dup(inventory, buf, &other), DOCA_ERROR_BAD_STATE);
	T_OK(doca_buf_set_data(buf, memory, 8));
	T_ERR(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
}

static struct doca_mmap *idle_mmap(void)
{
	struct doca_mmap *mmap;

	T_OK(doca_mmap_create(&mmap));
	T_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	return mmap;
}

T_CASE(ranges_outside_are_refused)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory + 100, 1000, 0), *idle = idle_mmap();
	struct doca_buf_inventory *inventory = started(2);
	struct {
		uint8_t *addr;
		size_t len;
		uint8_t *data;
		size_t data_len;
	} wrong[] = {
		{memory + 99, 10, memory + 99, 0},
		{memory + 100, 1001, memory + 100, 0},
		{memory + 1099, 2, memory + 1099, 0},
		{memory + 1101, 0, memory + 1101, 0},
		{memory + 100, SIZE_MAX, memory + 100, 0},
		{NULL, 8, NULL, 0},
		{memory + 200, 10, memory + 199, 1},
		{memory + 200, 10, memory + 200, 11},
		{memory + 200, 10, memory + 211, 0},
		{memory + 200, 10, memory + 205, SIZE_MAX},
		{memory + 200, 10, NULL, 0},
	};
	struct doca_buf *buf = NULL;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		kit_log();
		T_ERR(doca_buf_inventory_buf_get_by_args(inventory, mmap, wrong[i].addr,
							 wrong[i].len, wrong[i].data,
							 wrong[i].data_len, &buf),
		      DOCA_ERROR_INVALID_VALUE);
		T_CONTAINS(kit_log(), "needed: a range inside");
	}
	T_ERR(doca_buf_inventory_buf_get_by_addr(inventory, idle, memory, 8, &buf),
	      DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "not started");
	T_EQ(buf, 0);
	T_EQ(num_free(inventory), 2);
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_mmap_destroy(idle));
}

T_CASE(bufs_are_repointed_inside_their_mmap)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_inventory *inventory = started(2);
	struct doca_buf *head, *member;
	uint32_t num;

	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &head));
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + 8, 8, &member));
	T_OK(doca_buf_chain_list(head, member));
	T_OK(doca_buf_inventory_buf_reuse_by_addr(member, memory + 64, 64));
	is(member, memory + 64, 64, memory + 64, 0);
	T_OK(doca_buf_inventory_buf_reuse_by_data(head, memory + 128, 32));
	is(head, memory + 128, 32, memory + 128, 32);
	T_OK(doca_buf_inventory_buf_reuse_by_args(head, memory, 32, memory + 8, 4));
	is(head, memory, 32, memory + 8, 4);
	T_OK(doca_buf_get_list_len(head, &num));
	T_EQ(num, 2);
	T_ERR(doca_buf_inventory_buf_reuse_by_addr(head, memory + 1, sizeof(memory)),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_reuse_by_data(head, memory + sizeof(memory), 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_reuse_by_args(head, memory, 32, memory + 8, 25),
	      DOCA_ERROR_INVALID_VALUE);
	is(head, memory, 32, memory + 8, 4);
	T_OK(doca_buf_dec_refcount(head, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(descriptors_are_copied_with_their_list)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_inventory *inventory = started(5), *small = started(1);
	struct doca_buf *head, *member, *copy = NULL, *next;
	uint32_t num;

	T_OK(doca_buf_inventory_buf_get_by_args(inventory, mmap, memory, 8, memory + 1, 2, &head));
	T_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory + 8, 8, &member));
	T_OK(doca_buf_chain_list(head, member));
	T_ERR(doca_buf_inventory_buf_dup(inventory, member, &copy), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_buf_inventory_buf_dup(small, head, &copy), DOCA_ERROR_NO_MEMORY);
	T_EQ(num_free(small), 1);
	T_EQ(copy, 0);
	T_OK(doca_buf_inventory_buf_dup(inventory, head, &copy));
	T_EQ(num_free(inventory), 1);
	is(copy, memory, 8, memory + 1, 2);
	T_OK(doca_buf_get_list_len(copy, &num));
	T_EQ(num, 2);
	T_OK(doca_buf_get_last_in_list(copy, &next));
	T_CHECK(next != member);
	is(next, memory + 8, 8, memory + 8, 8);
	T_OK(doca_mmap_get_num_bufs(mmap, &num));
	T_EQ(num, 4);
	T_OK(doca_buf_dec_refcount(head, NULL));
	T_OK(doca_buf_dec_refcount(copy, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_buf_inventory_destroy(small));
	T_OK(doca_mmap_destroy(mmap));
}

/* Programs use bufs after they gave them back. Elements live as long as their stock: it is told. */
T_CASE(released_bufs_are_no_lists)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_inventory *inventory = started(4);
	struct doca_buf *bufs[4], *copy = NULL;

	for (int i = 0; i < 4; i++)
		T_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 8, &bufs[i]));
	for (int i = 0; i < 4; i++)
		T_OK(doca_buf_dec_refcount(bufs[i], NULL));
	/* The stock is linked through its elements: none of them must be taken for a list. */
	for (int i = 0; i < 4; i++) {
		T_ERR(doca_buf_inventory_buf_dup(inventory, bufs[i], &copy), DOCA_ERROR_BAD_STATE);
		T_ERR(doca_buf_unchain_list(bufs[3], bufs[i]), DOCA_ERROR_INVALID_VALUE);
	}
	T_EQ(copy, NULL);
	T_EQ(num_free(inventory), 4);
	for (int i = 0; i < 4; i++)
		T_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 8, &bufs[i]));
	for (int i = 0; i < 4; i++)
		T_OK(doca_buf_dec_refcount(bufs[i], NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(a_list_goes_back_to_several_inventories)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_inventory *a = started(1), *b = started(1);
	struct doca_buf *head, *member;

	T_OK(doca_buf_inventory_buf_get_by_addr(a, mmap, memory, 8, &head));
	T_OK(doca_buf_inventory_buf_get_by_addr(b, mmap, memory, 8, &member));
	T_OK(doca_buf_chain_list(head, member));
	T_OK(doca_buf_dec_refcount(head, NULL));
	T_EQ(num_free(a), 1);
	T_EQ(num_free(b), 1);
	T_OK(doca_buf_inventory_destroy(a));
	T_OK(doca_buf_inventory_destroy(b));
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(a_stock_grows)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_inventory *inventory = started(1);
	struct doca_buf *bufs[3];
	uint32_t num;

	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &bufs[0]));
	T_ERR(doca_buf_inventory_expand(inventory, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_expand(inventory, UINT32_MAX), DOCA_ERROR_NO_MEMORY);
	T_OK(doca_buf_inventory_get_num_elements(inventory, &num));
	T_EQ(num, 1);
	T_OK(doca_buf_inventory_expand(inventory, 2));
	T_OK(doca_buf_inventory_get_num_elements(inventory, &num));
	T_EQ(num, 3);
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &bufs[1]));
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &bufs[2]));
	is(bufs[0], memory, 8, memory, 0);
	for (int i = 0; i < 3; i++)
		T_OK(doca_buf_dec_refcount(bufs[i], NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
}

/* Takes and gives back from an inventory of its own. */
static void *take_and_give(void *arg)
{
	struct doca_mmap *mmap = arg;
	struct doca_buf_inventory *inventory = started(4);
	struct doca_buf *bufs[4];

	for (int round = 0; round < 2000; round++) {
		for (int i = 0; i < 4; i++)
			T_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 64,
								&bufs[i]));
		for (int i = 0; i < 4; i++)
			T_OK(doca_buf_dec_refcount(bufs[i], NULL));
	}
	T_OK(doca_buf_inventory_destroy(inventory));
	return NULL;
}

static void share_among_threads(struct doca_mmap *mmap)
{
	pthread_t threads[4];
	uint32_t num;

	for (int i = 0; i < 4; i++)
		T_EQ(pthread_create(&threads[i], NULL, take_and_give, mmap), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	T_OK(doca_mmap_get_num_bufs(mmap, &num));
	T_EQ(num, 0);
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(threads_share_a_thread_safe_mmap)
{
	struct doca_mmap *mmap = idle_mmap();

	T_OK(doca_mmap_enable_thread_safety(mmap));
	T_OK(doca_mmap_start(mmap));
	share_among_threads(mmap);
}

/* Published programs share one that is not: the count stays right. */
T_CASE(threads_share_any_mmap)
{
	share_among_threads(kit_mmap(NULL, memory, sizeof(memory), 0));
}

static struct doca_buf_inventory *parent_inventory;
static struct doca_mmap *parent_mmap;

static void child_is_inert(void)
{
	struct doca_buf *buf;

	T_ERR(doca_buf_inventory_buf_get_by_addr(parent_inventory, parent_mmap, memory, 8, &buf),
	      DOCA_ERROR_BAD_STATE);
}

T_CASE(a_forked_child_is_inert)
{
	struct doca_dev *dev = kit_open(KIT_DPU);

	parent_mmap = kit_mmap(dev, memory, sizeof(memory), 0);
	parent_inventory = started(1);
	kit_in_child(child_is_inert);
	T_OK(doca_buf_inventory_destroy(parent_inventory));
	T_OK(doca_mmap_destroy(parent_mmap));
	T_OK(doca_dev_close(dev));
}

T_CASE(null_is_refused)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_inventory *inventory = started(2);
	union doca_data data = {0};
	struct doca_buf *buf, *copy;
	uint32_t num;

	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf));
	T_ERR(doca_buf_inventory_create(1, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_start(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_expand(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_get_by_addr(NULL, mmap, memory, 8, &copy),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_get_by_data(inventory, NULL, memory, 8, &copy),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_dup(NULL, buf, &copy), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_dup(inventory, NULL, &copy), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_dup(inventory, buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_reuse_by_addr(NULL, memory, 8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_reuse_by_data(NULL, memory, 8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_buf_reuse_by_addr(buf, NULL, 8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_get_user_data(inventory, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_get_num_elements(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_inventory_get_num_free_elements(inventory, NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
}
