/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inventory: a stock of bufs, each to be pointed at any range of any mmap. Owner: the user; one
 * thread at a time. Elements are made at create and by expand, in blocks that live as long as the
 * inventory, so that bufs which are out never move; taking and giving back allocates nothing and
 * takes no lock. Several inventories, one per thread, share a mmap. Destroy is refused while bufs
 * are out.
 */
#include <stdlib.h>

#include <doca_buf_inventory.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/buf_home.h"

struct block {
	struct block *next;
	struct doca_buf *elements;
};

struct doca_buf_inventory {
	struct sdpu_buf_home home; /* first: the home of its bufs */
	struct block *blocks;
};

static doca_error_t add_block(struct doca_buf_inventory *inventory, size_t num, const char *call)
{
	struct block *block = malloc(sizeof(*block));
	doca_error_t result;

	if (block == NULL)
		return sdpu_no_memory(call);
	result = sdpu_buf_home_make(&inventory->home, num, call, &block->elements);
	if (result != DOCA_SUCCESS) {
		free(block);
		return result;
	}
	block->next = inventory->blocks;
	inventory->blocks = block;
	sdpu_buf_home_add(&inventory->home, block->elements, (uint32_t)num);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_create(size_t num_elements,
				       struct doca_buf_inventory **buf_inventory)
{
	struct doca_buf_inventory *inventory;
	doca_error_t result;

	if (sdpu_any_null(__func__, buf_inventory) || sdpu_is_zero(__func__, num_elements))
		return DOCA_ERROR_INVALID_VALUE;
	inventory = calloc(1, sizeof(*inventory));
	if (inventory == NULL)
		return sdpu_no_memory(__func__);
	result = add_block(inventory, num_elements, "doca_buf_inventory_create");
	if (result != DOCA_SUCCESS) {
		free(inventory);
		return result;
	}
	*buf_inventory = inventory;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory)
{
	struct block *block;
	doca_error_t result;

	if (sdpu_any_null(__func__, inventory))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_buf_home_check_all_back(&inventory->home, "doca_buf_inventory_destroy");
	if (result != DOCA_SUCCESS)
		return result;
	while ((block = inventory->blocks) != NULL) {
		inventory->blocks = block->next;
		free(block->elements);
		free(block);
	}
	free(inventory);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory, uint32_t num_elements)
{
	if (sdpu_any_null(__func__, inventory) || sdpu_is_zero(__func__, num_elements))
		return DOCA_ERROR_INVALID_VALUE;
	return add_block(inventory, num_elements, "doca_buf_inventory_expand");
}

doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, inventory))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_buf_home_check_state(&inventory->home, SDPU_BUF_HOME_STOPPED,
					   "doca_buf_inventory_start");
	if (result == DOCA_SUCCESS)
		inventory->home.state = SDPU_BUF_HOME_STARTED;
	return result;
}

doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, inventory))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_buf_home_check_state(&inventory->home, SDPU_BUF_HOME_STARTED,
					   "doca_buf_inventory_stop");
	if (result == DOCA_SUCCESS)
		inventory->home.state = SDPU_BUF_HOME_STOPPED;
	return result;
}

doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
					      union doca_data user_data)
{
	if (sdpu_any_null(__func__, inventory))
		return DOCA_ERROR_INVALID_VALUE;
	inventory->home.user_data = user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory,
					      union doca_data *user_data)
{
	if (sdpu_any_null(__func__, inventory, user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = inventory->home.user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_num_elements(const struct doca_buf_inventory *inventory,
						 uint32_t *num_of_elements)
{
	if (sdpu_any_null(__func__, inventory, num_of_elements))
		return DOCA_ERROR_INVALID_VALUE;
	*num_of_elements = inventory->home.num_elements;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_num_free_elements(const struct doca_buf_inventory *inventory,
						      uint32_t *num_of_free_elements)
{
	if (sdpu_any_null(__func__, inventory, num_of_free_elements))
		return DOCA_ERROR_INVALID_VALUE;
	*num_of_free_elements = inventory->home.num_free;
	return DOCA_SUCCESS;
}

/* Logs why bufs cannot be taken; that there are none only once, as some programs run into that by
 * design. */
__attribute__((cold, noinline)) static doca_error_t
refuse_take(struct doca_buf_inventory *inventory, const char *call)
{
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (inventory->home.state != SDPU_BUF_HOME_STARTED)
		return sdpu_buf_home_check_state(&inventory->home, SDPU_BUF_HOME_STARTED, call);
	return sdpu_buf_home_exhausted(&inventory->home, call, DOCA_ERROR_NO_MEMORY);
}

__attribute__((cold, noinline)) static doca_error_t refuse_range(const char *call,
								 const struct doca_mmap *mmap,
								 const void *addr, size_t len,
								 const void *data, size_t data_len)
{
	if (mmap->state != SDPU_MMAP_STARTED)
		sdpu_log_err("%s: the mmap is not started; needed: one that is; call "
			     "doca_mmap_start() first",
			     call);
	else if (!sdpu_mmap_holds(mmap, addr, len))
		sdpu_log_err("%s: %zu bytes at %p; needed: a range inside the mmap's %zu bytes at "
			     "%p (doca_mmap_get_memrange())",
			     call, len, addr, mmap->len, (void *)mmap->addr);
	else
		sdpu_log_err("%s: data of %zu bytes at %p; needed: a range inside the buf's %zu "
			     "bytes at %p",
			     call, data_len, data, len, addr);
	return DOCA_ERROR_INVALID_VALUE;
}

/* Tests all conditions at once; which one failed is found out afterwards. */
static inline bool can_take(const struct doca_buf_inventory *inventory)
{
	return sdpu_likely(inventory->home.state == SDPU_BUF_HOME_STARTED &&
			   inventory->home.free != NULL && !sdpu_process_inert());
}

/* Permissions are not checked here: which ones are needed depends on the operation that will use
 * the buf. */
static inline bool is_legal(const struct doca_mmap *mmap, const void *addr, size_t len,
			    const void *data, size_t data_len)
{
	return sdpu_likely(sdpu_mmap_holds(mmap, addr, len) &&
			   sdpu_range_holds(addr, len, data, data_len));
}

static inline void point(struct doca_buf *buf, void *addr, size_t len, void *data, size_t data_len)
{
	buf->head = addr;
	buf->len = len;
	buf->data = data;
	buf->data_len = data_len;
}

/* Inlined into the three public calls, so that the compiler drops what each does not need. */
static inline doca_error_t take(const char *call, struct doca_buf_inventory *inventory,
				struct doca_mmap *mmap, void *addr, size_t len, void *data,
				size_t data_len, struct doca_buf **buf)
{
	struct doca_buf *taken;

	if (sdpu_any_null(call, inventory, mmap, buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (!can_take(inventory))
		return refuse_take(inventory, call);
	if (!is_legal(mmap, addr, len, data, data_len))
		return refuse_range(call, mmap, addr, len, data, data_len);
	taken = sdpu_buf_home_take(&inventory->home, mmap);
	point(taken, addr, len, data, data_len);
	*buf = taken;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
						struct doca_mmap *mmap, void *addr, size_t len,
						void *data, size_t data_len, struct doca_buf **buf)
{
	return take(__func__, inventory, mmap, addr, len, data, data_len, buf);
}

doca_error_t doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
						struct doca_mmap *mmap, void *addr, size_t len,
						struct doca_buf **buf)
{
	return take(__func__, inventory, mmap, addr, len, addr, 0, buf);
}

doca_error_t doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
						struct doca_mmap *mmap, void *data, size_t data_len,
						struct doca_buf **buf)
{
	return take(__func__, inventory, mmap, data, data_len, data, data_len, buf);
}

__attribute__((cold, noinline)) static doca_error_t refuse_pool(const char *call)
{
	sdpu_log_err("%s: the buf is of a pool, whose ranges are fixed; needed: one of an "
		     "inventory; set the data inside it with doca_buf_set_data()",
		     call);
	return DOCA_ERROR_INVALID_VALUE;
}

/* Links and references stay, so it works inside lists. Pools cut their windows once. */
static inline doca_error_t reuse(const char *call, struct doca_buf *buf, void *addr, size_t len,
				 void *data, size_t data_len)
{
	if (sdpu_any_null(call, buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_unlikely(buf->home->is_pool))
		return refuse_pool(call);
	if (!is_legal(buf->mmap, addr, len, data, data_len))
		return refuse_range(call, buf->mmap, addr, len, data, data_len);
	point(buf, addr, len, data, data_len);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_buf_reuse_by_args(struct doca_buf *buf, void *addr, size_t len,
						  void *data, size_t data_len)
{
	return reuse(__func__, buf, addr, len, data, data_len);
}

doca_error_t doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf, void *addr, size_t len)
{
	return reuse(__func__, buf, addr, len, addr, 0);
}

doca_error_t doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf, void *data, size_t data_len)
{
	return reuse(__func__, buf, data, data_len, data, data_len);
}

static struct doca_buf *copy_element(struct doca_buf_inventory *inventory,
				     const struct doca_buf *src)
{
	struct doca_buf *copy = sdpu_buf_home_take(&inventory->home, src->mmap);

	point(copy, src->head, src->len, src->data, src->data_len);
	return copy;
}

/* The stock has enough: all or nothing is copied. */
static struct doca_buf *copy_list(struct doca_buf_inventory *inventory, const struct doca_buf *src)
{
	struct doca_buf *head = copy_element(inventory, src);

	for (src = src->next; src != NULL; src = src->next) {
		struct doca_buf *copy = copy_element(inventory, src);

		copy->member = 1;
		head->last->next = copy;
		head->last = copy;
	}
	return head;
}

static uint32_t list_len(const struct doca_buf *buf)
{
	uint32_t num = 0;

	for (; buf != NULL; buf = buf->next)
		num++;
	return num;
}

doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
					const struct doca_buf *src_buf, struct doca_buf **dst_buf)
{
	if (sdpu_any_null(__func__, inventory, src_buf, dst_buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_unlikely(src_buf->member))
		return sdpu_buf_refuse_member(__func__);
	if (sdpu_unlikely(src_buf->refcount == 0))
		return sdpu_buf_refuse_released(__func__, src_buf);
	if (!can_take(inventory) || inventory->home.num_free < list_len(src_buf))
		return refuse_take(inventory, "doca_buf_inventory_buf_dup");
	*dst_buf = copy_list(inventory, src_buf);
	return DOCA_SUCCESS;
}
