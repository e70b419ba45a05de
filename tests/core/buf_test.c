/* SPDX-License-Identifier: BSD-3-Clause
 * Bufs: window and data, references, lists.
 */
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>

#include "core/kit.h"
#include "t.h"

enum { NUM = 8, SIZE = 64 };

static uint8_t memory[NUM * SIZE];
static struct doca_mmap *mmap;
static struct doca_buf_inventory *inventory;
static struct doca_buf *bufs[NUM];

/* NUM bufs side by side. */
static void begin(void)
{
	mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	T_OK(doca_buf_inventory_create(NUM, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
	for (int i = 0; i < NUM; i++)
		T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + i * SIZE, SIZE,
							&bufs[i]));
}

static uint32_t num_out(void)
{
	uint32_t free_elements, in_mmap;

	T_OK(doca_buf_inventory_get_num_free_elements(inventory, &free_elements));
	T_OK(doca_mmap_get_num_bufs(mmap, &in_mmap));
	T_EQ(in_mmap, NUM - free_elements);
	return in_mmap;
}

static void end(void)
{
	T_EQ(num_out(), 0);
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
}

static void release(int first, int last)
{
	for (int i = first; i <= last; i++)
		T_OK(doca_buf_dec_refcount(bufs[i], NULL));
}

/* first -> ... -> last */
static void chain(int first, int last)
{
	for (int i = first + 1; i <= last; i++)
		T_OK(doca_buf_chain_list(bufs[first], bufs[i]));
}

static void data_is(const struct doca_buf *buf, const void *data, size_t len)
{
	void *at;
	size_t n;

	T_OK(doca_buf_get_data(buf, &at));
	T_OK(doca_buf_get_data_len(buf, &n));
	T_EQ(at, data);
	T_EQ(n, len);
}

static uint16_t references(const struct doca_buf *buf)
{
	uint16_t count;

	T_OK(doca_buf_get_refcount(buf, &count));
	return count;
}

static uint32_t list_len(const struct doca_buf *buf)
{
	uint32_t num;

	T_OK(doca_buf_get_list_len(buf, &num));
	return num;
}

T_CASE(the_data_segment_moves_inside_a_fixed_window)
{
	struct doca_buf *buf;
	void *head;
	size_t len;

	begin();
	buf = bufs[1];
	T_OK(doca_buf_get_head(buf, &head));
	T_OK(doca_buf_get_len(buf, &len));
	T_EQ(head, memory + SIZE);
	T_EQ(len, SIZE);
	data_is(buf, memory + SIZE, 0);
	T_OK(doca_buf_set_data(buf, memory + SIZE + 10, SIZE - 10));
	data_is(buf, memory + SIZE + 10, SIZE - 10);
	T_OK(doca_buf_reset_data_len(buf));
	data_is(buf, memory + SIZE + 10, 0);
	T_OK(doca_buf_set_data_len(buf, 7));
	data_is(buf, memory + SIZE + 10, 7);
	T_OK(doca_buf_set_data(buf, memory + 2 * SIZE, 0));
	T_OK(doca_buf_get_head(buf, &head));
	T_EQ(head, memory + SIZE);
	release(0, NUM - 1);
	end();
}

T_CASE(data_outside_the_window_is_refused)
{
	struct doca_buf *buf;

	begin();
	buf = bufs[1];
	T_OK(doca_buf_set_data(buf, memory + SIZE + 10, 5));
	T_ERR(doca_buf_set_data(buf, memory + SIZE - 1, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_set_data(buf, memory + SIZE, SIZE + 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_set_data(buf, memory + SIZE + 1, SIZE), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_set_data(buf, memory + 2 * SIZE + 1, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_set_data(buf, memory + SIZE + 1, SIZE_MAX), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_set_data(buf, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_set_data_len(buf, SIZE - 9), DOCA_ERROR_INVALID_VALUE);
	data_is(buf, memory + SIZE + 10, 5);
	T_OK(doca_buf_set_data_len(buf, SIZE - 10));
	release(0, NUM - 1);
	end();
}

T_CASE(references_count_and_the_last_one_gives_back)
{
	uint16_t before = 77;

	begin();
	T_EQ(references(bufs[0]), 1);
	T_OK(doca_buf_inc_refcount(bufs[0], &before));
	T_EQ(before, 1);
	T_OK(doca_buf_inc_refcount(bufs[0], NULL));
	T_EQ(references(bufs[0]), 3);
	T_OK(doca_buf_dec_refcount(bufs[0], &before));
	T_EQ(before, 3);
	T_OK(doca_buf_dec_refcount(bufs[0], NULL));
	T_EQ(num_out(), NUM);
	T_OK(doca_buf_dec_refcount(bufs[0], &before));
	T_EQ(before, 1);
	T_EQ(num_out(), NUM - 1);
	before = 77;
	T_ERR(doca_buf_dec_refcount(bufs[0], &before), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_buf_inc_refcount(bufs[0], &before), DOCA_ERROR_BAD_STATE);
	T_EQ(before, 77);
	release(1, NUM - 1);
	end();
}

T_CASE(references_have_a_bound)
{
	uint16_t before = 77;

	begin();
	for (int i = 1; i < UINT16_MAX; i++)
		T_OK(doca_buf_inc_refcount(bufs[0], NULL));
	T_ERR(doca_buf_inc_refcount(bufs[0], &before), DOCA_ERROR_TOO_BIG);
	T_EQ(before, 77);
	for (int i = 0; i < UINT16_MAX; i++)
		T_OK(doca_buf_dec_refcount(bufs[0], NULL));
	release(1, NUM - 1);
	end();
}

T_CASE(the_head_gives_a_whole_list_back)
{
	begin();
	chain(0, 3);
	T_EQ(list_len(bufs[0]), 4);
	T_OK(doca_buf_inc_refcount(bufs[0], NULL));
	T_OK(doca_buf_dec_refcount(bufs[0], NULL));
	T_EQ(num_out(), NUM);
	T_OK(doca_buf_dec_refcount(bufs[0], NULL));
	T_EQ(num_out(), NUM - 4);
	release(4, NUM - 1);
	end();
}

T_CASE(members_have_one_reference_and_refuse_others)
{
	begin();
	chain(0, 2);
	T_EQ(references(bufs[1]), 1);
	T_ERR(doca_buf_inc_refcount(bufs[1], NULL), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_buf_dec_refcount(bufs[2], NULL), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_dec_refcount(bufs[0], NULL));
	release(3, NUM - 1);
	end();
}

static void stands(struct doca_buf *buf, bool first, bool last, bool in_list, struct doca_buf *next)
{
	uint8_t is_first, is_last, is_in_list;
	struct doca_buf *after;

	T_OK(doca_buf_is_first_in_list(buf, &is_first));
	T_OK(doca_buf_is_last_in_list(buf, &is_last));
	T_OK(doca_buf_is_in_list(buf, &is_in_list));
	T_OK(doca_buf_get_next_in_list(buf, &after));
	T_EQ(is_first, first);
	T_EQ(is_last, last);
	T_EQ(is_in_list, in_list);
	T_EQ(after, next);
}

static struct doca_buf *last_of(struct doca_buf *buf)
{
	struct doca_buf *last;

	T_OK(doca_buf_get_last_in_list(buf, &last));
	return last;
}

T_CASE(lists_are_walked)
{
	uint32_t num = 77;

	begin();
	stands(bufs[0], true, true, false, NULL);
	T_EQ(last_of(bufs[0]), bufs[0]);
	T_EQ(list_len(bufs[0]), 1);
	chain(0, 2);
	stands(bufs[0], true, false, true, bufs[1]);
	stands(bufs[1], false, false, true, bufs[2]);
	stands(bufs[2], false, true, true, NULL);
	T_EQ(last_of(bufs[0]), bufs[2]);
	T_EQ(last_of(bufs[1]), bufs[2]);
	T_ERR(doca_buf_get_list_len(bufs[1], &num), DOCA_ERROR_NOT_PERMITTED);
	T_EQ(num, 77);
	T_OK(doca_buf_dec_refcount(bufs[0], NULL));
	release(3, NUM - 1);
	end();
}

T_CASE(lists_are_appended_to_lists)
{
	begin();
	chain(0, 1);
	chain(2, 4);
	T_OK(doca_buf_chain_list(bufs[0], bufs[2]));
	T_EQ(list_len(bufs[0]), 5);
	T_EQ(last_of(bufs[0]), bufs[4]);
	stands(bufs[1], false, false, true, bufs[2]);
	stands(bufs[2], false, false, true, bufs[3]);
	T_OK(doca_buf_chain_list_tail(bufs[0], bufs[4], bufs[5]));
	T_EQ(last_of(bufs[0]), bufs[5]);
	T_OK(doca_buf_chain_list_tail(bufs[6], bufs[6], bufs[7]));
	T_EQ(list_len(bufs[6]), 2);
	T_OK(doca_buf_dec_refcount(bufs[0], NULL));
	T_OK(doca_buf_dec_refcount(bufs[6], NULL));
	end();
}

T_CASE(what_cannot_be_chained)
{
	begin();
	chain(0, 1);
	T_ERR(doca_buf_chain_list(bufs[0], bufs[0]), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_chain_list(bufs[1], bufs[2]), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_buf_chain_list(bufs[2], bufs[1]), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_inc_refcount(bufs[2], NULL));
	T_ERR(doca_buf_chain_list(bufs[0], bufs[2]), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_chain_list(bufs[2], bufs[3]));
	T_OK(doca_buf_dec_refcount(bufs[2], NULL));
	T_ERR(doca_buf_chain_list_tail(bufs[0], bufs[0], bufs[4]), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_chain_list_tail(bufs[0], bufs[4], bufs[4]), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_chain_list_tail(bufs[1], bufs[1], bufs[4]), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_buf_chain_list_tail(bufs[0], bufs[1], bufs[3]), DOCA_ERROR_NOT_PERMITTED);
	release(4, NUM - 1);
	T_ERR(doca_buf_chain_list(bufs[0], bufs[4]), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_buf_chain_list(bufs[4], bufs[0]), DOCA_ERROR_NOT_PERMITTED);
	T_EQ(list_len(bufs[0]), 2);
	T_OK(doca_buf_dec_refcount(bufs[0], NULL));
	T_OK(doca_buf_dec_refcount(bufs[2], NULL));
	end();
}

T_CASE(lists_are_cut)
{
	begin();
	chain(0, 4);
	T_ERR(doca_buf_unchain_list(bufs[0], bufs[5]), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_unchain_list(bufs[0], bufs[0]), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_unchain_list(bufs[1], bufs[2]), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_unchain_list(bufs[0], bufs[2]));
	T_EQ(list_len(bufs[0]), 2);
	T_EQ(list_len(bufs[2]), 3);
	T_EQ(references(bufs[2]), 1);
	T_EQ(last_of(bufs[0]), bufs[1]);
	T_OK(doca_buf_chain_list(bufs[2], bufs[0]));
	stands(bufs[4], false, false, true, bufs[0]);
	T_EQ(list_len(bufs[2]), 5);
	T_OK(doca_buf_dec_refcount(bufs[2], NULL));
	release(5, NUM - 1);
	end();
}

T_CASE(null_is_refused)
{
	struct doca_buf *buf;
	uint16_t u16;
	uint8_t u8;
	uint32_t u32;
	size_t len;
	void *at;

	begin();
	buf = bufs[0];
	T_ERR(doca_buf_inc_refcount(NULL, &u16), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_dec_refcount(NULL, &u16), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_refcount(NULL, &u16), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_refcount(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_len(NULL, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_len(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_head(NULL, &at), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_head(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_data_len(NULL, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_data_len(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_data(NULL, &at), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_data(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_set_data(NULL, memory, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_set_data_len(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_reset_data_len(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_next_in_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_next_in_list(NULL, &bufs[0]), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_last_in_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_is_last_in_list(NULL, &u8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_is_first_in_list(NULL, &u8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_is_in_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_list_len(NULL, &u32), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_get_list_len(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_chain_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_chain_list(NULL, buf), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_chain_list_tail(buf, NULL, bufs[1]), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_unchain_list(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_unchain_list(NULL, buf), DOCA_ERROR_INVALID_VALUE);
	release(0, NUM - 1);
	end();
}
