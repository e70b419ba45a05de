/* SPDX-License-Identifier: BSD-3-Clause
 * Pools: cutting an mmap up, alignment, allocation, life.
 */
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_buf_pool.h>

#include "core/kit.h"
#include "t.h"

static _Alignas(64) uint8_t memory[4096];

static struct doca_buf_pool *pool_of(size_t num, size_t size, const struct doca_mmap *mmap)
{
	struct doca_buf_pool *pool;

	T_OK(doca_buf_pool_create(num, size, mmap, &pool));
	return pool;
}

static void *head_of(const struct doca_buf *buf)
{
	void *head;

	T_OK(doca_buf_get_head(buf, &head));
	return head;
}

T_CASE(bufs_are_cut_side_by_side_and_come_empty)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, 300, 0);
	struct doca_buf_pool *pool = pool_of(3, 100, mmap);
	struct doca_buf *bufs[4] = {NULL};
	uint32_t num;
	size_t len;
	void *data;

	T_OK(doca_buf_pool_start(pool));
	for (int i = 0; i < 3; i++) {
		T_OK(doca_buf_pool_buf_alloc(pool, &bufs[i]));
		T_EQ(head_of(bufs[i]), memory + 100 * i);
		T_OK(doca_buf_get_len(bufs[i], &len));
		T_EQ(len, 100);
	}
	T_ERR(doca_buf_pool_buf_alloc(pool, &bufs[3]), DOCA_ERROR_EMPTY);
	T_EQ(bufs[3], 0);
	T_OK(doca_mmap_get_num_bufs(mmap, &num));
	T_EQ(num, 3);
	T_OK(doca_buf_set_data(bufs[1], memory + 150, 50));
	T_OK(doca_buf_dec_refcount(bufs[1], NULL));
	T_OK(doca_buf_pool_get_num_free_elements(pool, &num));
	T_EQ(num, 1);
	T_OK(doca_buf_pool_buf_alloc(pool, &bufs[1]));
	T_OK(doca_buf_get_data(bufs[1], &data));
	T_OK(doca_buf_get_data_len(bufs[1], &len));
	T_EQ(data, memory + 100);
	T_EQ(len, 0);
	T_ERR(doca_buf_inventory_buf_reuse_by_addr(bufs[1], memory, 100), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_stop(pool), DOCA_ERROR_IN_USE);
	T_ERR(doca_buf_pool_destroy(pool), DOCA_ERROR_IN_USE);
	for (int i = 0; i < 3; i++)
		T_OK(doca_buf_dec_refcount(bufs[i], NULL));
	T_OK(doca_buf_pool_destroy(pool));
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(elements_are_aligned)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory + 1, 63 + 64 + 10, 0);
	struct doca_buf_pool *pool = pool_of(2, 10, mmap);
	struct doca_buf *bufs[2];
	size_t alignment;

	T_OK(doca_buf_pool_get_element_alignment(pool, &alignment));
	T_EQ(alignment, 1);
	T_ERR(doca_buf_pool_set_element_alignment(pool, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_set_element_alignment(pool, 48), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_pool_set_element_alignment(pool, 64));
	T_OK(doca_buf_pool_get_element_alignment(pool, &alignment));
	T_EQ(alignment, 64);
	T_OK(doca_buf_pool_start(pool));
	T_ERR(doca_buf_pool_set_element_alignment(pool, 32), DOCA_ERROR_BAD_STATE);
	for (int i = 0; i < 2; i++) {
		T_OK(doca_buf_pool_buf_alloc(pool, &bufs[i]));
		T_EQ(head_of(bufs[i]), memory + 64 + 64 * i);
	}
	for (int i = 0; i < 2; i++)
		T_OK(doca_buf_dec_refcount(bufs[i], NULL));
	T_OK(doca_buf_pool_destroy(pool));
	T_OK(doca_mmap_destroy(mmap));
}

static void does_not_fit(const struct doca_mmap *mmap, size_t num, size_t size, size_t alignment)
{
	struct doca_buf_pool *pool = pool_of(num, size, mmap);

	T_OK(doca_buf_pool_set_element_alignment(pool, alignment));
	kit_log();
	T_ERR(doca_buf_pool_start(pool), DOCA_ERROR_INITIALIZATION);
	T_CONTAINS(kit_log(), "needed: no more than the mmap's");
	T_OK(doca_buf_pool_destroy(pool));
}

T_CASE(what_does_not_fit_is_refused_at_start)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory + 1, 200, 0);

	does_not_fit(mmap, 1, 201, 1);
	does_not_fit(mmap, 2, 101, 1);
	does_not_fit(mmap, 3, 60, 64);
	does_not_fit(mmap, 1, SIZE_MAX, 2);
	does_not_fit(mmap, 3, SIZE_MAX / 2, 1);
	does_not_fit(mmap, 1, 1, (size_t)1 << 63);
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(life)
{
	struct doca_mmap *mmap;
	struct doca_buf_pool *pool = NULL;
	union doca_data data = {.u64 = 5};
	struct doca_buf *buf = NULL;
	uint32_t num;

	T_OK(doca_mmap_create(&mmap));
	T_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	T_ERR(doca_buf_pool_create(1ull << 40, 1, mmap, &pool), DOCA_ERROR_NO_MEMORY);
	T_EQ(pool, 0);
	pool = pool_of(4, 16, mmap);
	T_ERR(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_buf_pool_stop(pool), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_buf_pool_start(pool), DOCA_ERROR_BAD_STATE);
	T_OK(doca_mmap_start(mmap));
	T_OK(doca_buf_pool_set_user_data(pool, data));
	T_OK(doca_buf_pool_start(pool));
	T_ERR(doca_buf_pool_start(pool), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_buf_pool_set_user_data(pool, data), DOCA_ERROR_BAD_STATE);
	data.u64 = 0;
	T_OK(doca_buf_pool_get_user_data(pool, &data));
	T_EQ(data.u64, 5);
	T_OK(doca_buf_pool_get_num_elements(pool, &num));
	T_EQ(num, 4);
	T_OK(doca_buf_pool_stop(pool));
	T_ERR(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	T_OK(doca_buf_pool_start(pool));
	T_OK(doca_mmap_stop(mmap));
	T_ERR(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
	T_EQ(buf, 0);
	T_OK(doca_buf_pool_destroy(pool));
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(null_is_refused)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_pool *pool = pool_of(1, 1, mmap), *other;
	union doca_data data = {0};
	struct doca_buf *buf;
	uint32_t num;
	size_t size;

	T_ERR(doca_buf_pool_create(0, 1, mmap, &other), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_create(1, 0, mmap, &other), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_create(1, 1, NULL, &other), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_create(1, 1, mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_start(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_buf_alloc(NULL, &buf), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_buf_alloc(pool, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_set_element_alignment(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_get_element_alignment(pool, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_get_element_alignment(NULL, &size), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_get_user_data(pool, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_get_num_elements(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_pool_get_num_free_elements(pool, NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_pool_destroy(pool));
	T_OK(doca_mmap_destroy(mmap));
}
