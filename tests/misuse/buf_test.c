/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bufs, and what they come from: inventories, pools, arrays.
 */
#include <doca_buf.h>
#include <doca_buf_array.h>
#include <doca_buf_inventory.h>
#include <doca_buf_pool.h>

#include "misuse/misuse.h"

static uint8_t memory[4096] __attribute__((aligned(64)));
static const union doca_data none;

static struct doca_mmap *mmap_;
static struct doca_buf_inventory *inventory;
static struct doca_buf *buf, *other, *more, *out;
static struct doca_buf_pool *pool, *made_pool;

static void rig_open(void)
{
	mmap_ = kit_mmap(NULL, memory, sizeof(memory), 0);
	T_OK(doca_buf_inventory_create(4, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
}

static struct doca_buf *take(size_t at)
{
	struct doca_buf *taken;

	T_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap_, memory + at, 64, &taken));
	return taken;
}

static void rig_close(void)
{
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap_));
}

MISUSE_CASE(bufs)
{
	uint16_t refcount;

	rig_open();
	buf = take(0);
	MISUSE(INVALID_VALUE, doca_buf_set_data(buf, memory + 1, 64), "data of 64 bytes",
	       "needed: a range inside the buf's 64 bytes", "doca_buf_get_head()");
	MISUSE(INVALID_VALUE, doca_buf_set_data_len(buf, 65), "data of 65 bytes",
	       "needed: a range inside the buf's 64 bytes");
	for (uint32_t i = 1; i < UINT16_MAX; i++)
		T_OK(doca_buf_inc_refcount(buf, NULL));
	MISUSE(TOO_BIG, doca_buf_inc_refcount(buf, &refcount), "has 65535 references",
	       "needed: fewer", "doca_buf_dec_refcount()");
	for (uint32_t i = 0; i < UINT16_MAX; i++)
		T_OK(doca_buf_dec_refcount(buf, NULL));
	MISUSE(BAD_STATE, doca_buf_inc_refcount(buf, NULL), "was released before",
	       "needed: a buf with a reference");
	MISUSE(BAD_STATE, doca_buf_dec_refcount(buf, NULL), "was released before",
	       "needed: a buf with a reference");
	rig_close();
}

MISUSE_CASE(lists)
{
	uint32_t len;

	rig_open();
	buf = take(0);
	other = take(64);
	more = take(128);
	T_OK(doca_buf_chain_list(buf, other));
	MISUSE(NOT_PERMITTED, doca_buf_inc_refcount(other, NULL), "inside a list",
	       "needed: the head", "doca_buf_unchain_list()");
	MISUSE(NOT_PERMITTED, doca_buf_dec_refcount(other, NULL), "inside a list",
	       "needed: the head");
	MISUSE(NOT_PERMITTED, doca_buf_get_list_len(other, &len), "inside a list",
	       "needed: the head");
	MISUSE(NOT_PERMITTED, doca_buf_inventory_buf_dup(inventory, other, &out), "inside a list",
	       "needed: the head");
	MISUSE(NOT_PERMITTED, doca_buf_unchain_list(other, more), "inside a list",
	       "needed: the head");
	MISUSE(INVALID_VALUE, doca_buf_unchain_list(buf, more), "no later element",
	       "needed: one that", "doca_buf_get_next_in_list()");
	MISUSE(INVALID_VALUE, doca_buf_chain_list(buf, buf), "the same list", "needed: two");
	MISUSE(NOT_PERMITTED, doca_buf_chain_list(other, more), "list1 is an element",
	       "needed: the head");
	MISUSE(NOT_PERMITTED, doca_buf_chain_list(more, other), "list2 is an element",
	       "needed: the head");
	MISUSE(INVALID_VALUE, doca_buf_chain_list_tail(buf, buf, more), "does not end list1",
	       "doca_buf_get_last_in_list()");
	MISUSE(NOT_PERMITTED, doca_buf_chain_list_tail(other, other, more), "list1 is an element",
	       "needed: the head");
	MISUSE(INVALID_VALUE, doca_buf_chain_list_tail(buf, other, buf), "the same list",
	       "needed: two");
	T_OK(doca_buf_inc_refcount(more, NULL));
	MISUSE(NOT_PERMITTED, doca_buf_chain_list(buf, more), "list2 2", "list2 exactly one");
	T_OK(doca_buf_dec_refcount(more, NULL));
	T_OK(doca_buf_dec_refcount(more, NULL));
	T_OK(doca_buf_dec_refcount(buf, NULL));
	rig_close();
}

MISUSE_CASE(inventories)
{
	struct doca_mmap *idle;

	MISUSE(INVALID_VALUE, doca_buf_inventory_create(0, &inventory), "num_elements is 0",
	       "needed: at least 1");
	MISUSE(NO_MEMORY, doca_buf_inventory_create(SIZE_MAX, &inventory), "elements beside 0",
	       "needed: at most");
	T_OK(doca_mmap_create(&idle));
	rig_open();
	MISUSE(INVALID_VALUE, doca_buf_inventory_expand(inventory, 0), "num_elements is 0",
	       "needed: at least 1");
	MISUSE(NO_MEMORY, doca_buf_inventory_expand(inventory, UINT32_MAX), "elements beside 4",
	       "needed: at most");
	MISUSE(INVALID_VALUE,
	       doca_buf_inventory_buf_get_by_args(inventory, idle, memory, 8, memory, 0, &out),
	       "the mmap is not started", "doca_mmap_start()");
	MISUSE(INVALID_VALUE,
	       doca_buf_inventory_buf_get_by_addr(inventory, mmap_, memory + 4096, 1, &out),
	       "1 bytes at", "needed: a range inside the mmap's 4096 bytes");
	MISUSE(INVALID_VALUE,
	       doca_buf_inventory_buf_get_by_args(inventory, mmap_, memory, 8, memory + 8, 1, &out),
	       "data of 1 bytes", "needed: a range inside the buf's 8 bytes");
	MISUSE(INVALID_VALUE,
	       doca_buf_inventory_buf_get_by_data(inventory, mmap_, memory + 4000, 97, &out),
	       "97 bytes at", "needed: a range inside the mmap's");
	buf = take(0);
	MISUSE(INVALID_VALUE, doca_buf_inventory_buf_reuse_by_args(buf, memory, 8, memory + 8, 1),
	       "data of 1 bytes", "needed: a range inside the buf's");
	MISUSE(INVALID_VALUE, doca_buf_inventory_buf_reuse_by_addr(buf, memory + 4090, 8),
	       "8 bytes at", "needed: a range inside the mmap's");
	MISUSE(INVALID_VALUE, doca_buf_inventory_buf_reuse_by_data(buf, memory, 4097),
	       "4097 bytes at", "needed: a range inside the mmap's");
	MISUSE(BAD_STATE, doca_buf_inventory_start(inventory), "the inventory is started",
	       "needed: one that is not");
	MISUSE(IN_USE, doca_buf_inventory_destroy(inventory), "1 bufs are out",
	       "doca_buf_dec_refcount()");
	other = take(64);
	out = take(128);
	more = take(192);
	MISUSE(NO_MEMORY,
	       doca_buf_inventory_buf_get_by_args(inventory, mmap_, memory, 8, memory, 0, &out),
	       "all 4 bufs are out", "needed: one that is free", "doca_buf_dec_refcount()");
	QUIET(NO_MEMORY, doca_buf_inventory_buf_get_by_addr(inventory, mmap_, memory, 8, &out));
	QUIET(NO_MEMORY, doca_buf_inventory_buf_get_by_data(inventory, mmap_, memory, 8, &out));
	QUIET(NO_MEMORY, doca_buf_inventory_buf_dup(inventory, buf, &out));
	T_OK(doca_buf_dec_refcount(other, NULL));
	T_OK(doca_buf_dec_refcount(out, NULL));
	T_OK(doca_buf_dec_refcount(more, NULL));
	T_OK(doca_buf_inventory_stop(inventory));
	MISUSE(BAD_STATE, doca_buf_inventory_stop(inventory), "the inventory is not started",
	       "needed: one that is");
	MISUSE(BAD_STATE,
	       doca_buf_inventory_buf_get_by_args(inventory, mmap_, memory, 8, memory, 0, &out),
	       "the inventory is not started", "start it first");
	MISUSE(BAD_STATE, doca_buf_inventory_buf_get_by_addr(inventory, mmap_, memory, 8, &out),
	       "the inventory is not started", "start it first");
	MISUSE(BAD_STATE, doca_buf_inventory_buf_get_by_data(inventory, mmap_, memory, 8, &out),
	       "the inventory is not started", "start it first");
	MISUSE(BAD_STATE, doca_buf_inventory_buf_dup(inventory, buf, &out),
	       "the inventory is not started", "start it first");
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_buf_inventory_start(inventory));
	MISUSE(BAD_STATE, doca_buf_inventory_buf_dup(inventory, buf, &out), "was released before",
	       "needed: a buf with a reference");
	T_OK(doca_mmap_destroy(idle));
	rig_close();
}

MISUSE_CASE(pools)
{
	mmap_ = kit_mmap(NULL, memory, sizeof(memory), 0);
	MISUSE(INVALID_VALUE, doca_buf_pool_create(0, 8, mmap_, &made_pool), "num_elements is 0",
	       "needed: at least 1");
	MISUSE(INVALID_VALUE, doca_buf_pool_create(8, 0, mmap_, &made_pool), "element_size is 0",
	       "needed: at least 1");
	MISUSE(NO_MEMORY, doca_buf_pool_create(SIZE_MAX, 8, mmap_, &made_pool), "elements beside 0",
	       "needed: at most");
	T_OK(doca_buf_pool_create(1, 4097, mmap_, &pool));
	MISUSE(INITIALIZATION, doca_buf_pool_start(pool), "1 elements of 4097 bytes",
	       "needed: no more than the mmap's 4096 bytes", "a larger mmap");
	T_OK(doca_buf_pool_destroy(pool));
	T_OK(doca_buf_pool_create(1, 64, mmap_, &pool));
	MISUSE(INVALID_VALUE, doca_buf_pool_set_element_alignment(pool, 3), "3;",
	       "needed: a power of two");
	MISUSE(BAD_STATE, doca_buf_pool_buf_alloc(pool, &buf), "the pool is not started",
	       "start it first");
	MISUSE(BAD_STATE, doca_buf_pool_stop(pool), "the pool is not started",
	       "needed: one that is");
	T_OK(doca_buf_pool_start(pool));
	MISUSE(BAD_STATE, doca_buf_pool_start(pool), "the pool is started",
	       "needed: one that is not");
	MISUSE(BAD_STATE, doca_buf_pool_set_element_alignment(pool, 8), "the pool is started",
	       "needed: one that is not");
	MISUSE(BAD_STATE, doca_buf_pool_set_user_data(pool, none), "the pool is started",
	       "needed: one that is not");
	T_OK(doca_buf_pool_buf_alloc(pool, &buf));
	MISUSE(INVALID_VALUE, doca_buf_inventory_buf_reuse_by_addr(buf, memory, 8), "of a pool",
	       "needed: one of an inventory", "doca_buf_set_data()");
	MISUSE(EMPTY, doca_buf_pool_buf_alloc(pool, &out), "all 1 bufs are out",
	       "needed: one that is free");
	QUIET(EMPTY, doca_buf_pool_buf_alloc(pool, &out));
	MISUSE(IN_USE, doca_buf_pool_stop(pool), "1 bufs are out", "doca_buf_dec_refcount()");
	MISUSE(IN_USE, doca_buf_pool_destroy(pool), "1 bufs are out", "doca_buf_dec_refcount()");
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_mmap_stop(mmap_));
	MISUSE(BAD_STATE, doca_buf_pool_buf_alloc(pool, &out), "the pool's mmap was stopped",
	       "needed: one that is started");
	T_OK(doca_buf_pool_stop(pool));
	MISUSE(BAD_STATE, doca_buf_pool_start(pool), "its mmap is not started",
	       "doca_mmap_start()");
	T_OK(doca_buf_pool_destroy(pool));
	T_OK(doca_mmap_destroy(mmap_));
}

MISUSE_CASE(arrays)
{
	struct doca_gpu_buf_arr *gpu;
	doca_dpa_dev_buf_arr_t dpa;
	struct doca_buf_arr *array;
	struct doca_mmap *idle;

	T_OK(doca_mmap_create(&idle));
	mmap_ = kit_mmap(NULL, memory, sizeof(memory), 0);
	MISUSE(INVALID_VALUE, doca_buf_arr_create(0, &array), "num_elem is 0",
	       "needed: at least 1");
	T_OK(doca_buf_arr_create(4, &array));
	MISUSE(INVALID_VALUE, doca_buf_arr_set_params(array, mmap_, 0, 0), "elem_size is 0",
	       "needed: at least 1");
	MISUSE(INVALID_VALUE, doca_buf_arr_set_params(array, mmap_, 1024, 1),
	       "4 elements of 1024 bytes from offset 1", "needed: no more than the 4096 bytes");
	MISUSE(BAD_STATE, doca_buf_arr_set_params(array, idle, 8, 0), "the mmap is not started",
	       "doca_mmap_start()");
	MISUSE(BAD_STATE, doca_buf_arr_start(array), "neither parameters nor target",
	       "needed: doca_buf_arr_set_params()", "doca_buf_arr_set_target_dpa()");
	MISUSE(BAD_STATE, doca_buf_arr_stop(array), "the array is not started",
	       "doca_buf_arr_start()");
	MISUSE(BAD_STATE, doca_buf_arr_get_dpa_handle(array, &dpa), "the array is not started",
	       "doca_buf_arr_start()");
	MISUSE(BAD_STATE, doca_buf_arr_get_gpu_handle(array, &gpu), "no array has a GPU",
	       "doca_buf_arr_get_dpa_handle()");
	T_OK(doca_buf_arr_destroy(array));
	T_OK(doca_mmap_destroy(idle));
	T_OK(doca_mmap_destroy(mmap_));
}
