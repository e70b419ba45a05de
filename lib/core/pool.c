/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pool: bufs of equal size, cut from one mmap. Owner: the user; one thread at a time. The mmap
 * outlives the pool and is cut up at start, from its first aligned byte on; a restart cuts anew.
 * Stop and destroy are refused while bufs are out. The windows are written at start, so that
 * allocating sets the data segment only.
 */
#include <stdlib.h>

#include <doca_buf_pool.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/buf_home.h"

struct doca_buf_pool {
	struct sdpu_buf_home home; /* first: the home of its bufs */
	struct doca_mmap *mmap;
	size_t element_size;
	size_t alignment;
	struct doca_buf *elements;
};

doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
				  const struct doca_mmap *mmap, struct doca_buf_pool **buf_pool)
{
	struct doca_buf_pool *pool;
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap, buf_pool) || sdpu_is_zero(__func__, num_elements) ||
	    sdpu_is_zero(__func__, element_size))
		return DOCA_ERROR_INVALID_VALUE;
	pool = calloc(1, sizeof(*pool));
	if (pool == NULL)
		return sdpu_no_memory(__func__);
	result = sdpu_buf_home_make(&pool->home, num_elements, "doca_buf_pool_create",
				    &pool->elements);
	if (result != DOCA_SUCCESS) {
		free(pool);
		return result;
	}
	sdpu_buf_home_add(&pool->home, pool->elements, (uint32_t)num_elements);
	pool->home.is_pool = true;
	/* its bufs count in it; the const of the prototype speaks of its configuration */
	pool->mmap = (struct doca_mmap *)mmap;
	pool->element_size = element_size;
	pool->alignment = 1;
	*buf_pool = pool;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, buf_pool))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_buf_home_check_all_back(&buf_pool->home, "doca_buf_pool_destroy");
	if (result != DOCA_SUCCESS)
		return result;
	free(buf_pool->elements);
	free(buf_pool);
	return DOCA_SUCCESS;
}

/* Distance of two elements and where the first one begins. False: they do not fit. */
static bool layout(const struct doca_buf_pool *pool, uint8_t **first, size_t *stride)
{
	/* Sizes and alignment are the user's: every step of the sum may overflow. */
	size_t mask = pool->alignment - 1, shift = -(uintptr_t)pool->mmap->addr & mask;
	size_t gap, span;

	if (__builtin_add_overflow(pool->element_size, mask, &gap))
		return false;
	gap &= ~mask;
	if (__builtin_mul_overflow(gap, pool->home.num_elements - 1, &span) ||
	    __builtin_add_overflow(span, pool->element_size, &span) ||
	    __builtin_add_overflow(span, shift, &span) || span > pool->mmap->len)
		return false;
	*first = pool->mmap->addr + shift;
	*stride = gap;
	return true;
}

static doca_error_t cut(struct doca_buf_pool *pool)
{
	uint8_t *at;
	size_t stride;

	if (!layout(pool, &at, &stride)) {
		sdpu_log_err("doca_buf_pool_start: %u elements of %zu bytes, aligned to %zu; "
			     "needed: no more than the mmap's %zu bytes at %p; take fewer, smaller "
			     "ones, or a larger mmap",
			     pool->home.num_elements, pool->element_size, pool->alignment,
			     pool->mmap->len, (void *)pool->mmap->addr);
		return DOCA_ERROR_INITIALIZATION;
	}
	for (uint32_t i = 0; i < pool->home.num_elements; i++, at += stride) {
		pool->elements[i].head = at;
		pool->elements[i].len = pool->element_size;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, buf_pool))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_buf_home_check_state(&buf_pool->home, SDPU_BUF_HOME_STOPPED,
					   "doca_buf_pool_start");
	if (result != DOCA_SUCCESS)
		return result;
	if (buf_pool->mmap->state != SDPU_MMAP_STARTED) {
		sdpu_log_err(
			"doca_buf_pool_start: its mmap is not started; needed: one that is; call "
			"doca_mmap_start() first");
		return DOCA_ERROR_BAD_STATE;
	}
	result = cut(buf_pool);
	if (result == DOCA_SUCCESS)
		buf_pool->home.state = SDPU_BUF_HOME_STARTED;
	return result;
}

doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, buf_pool))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_buf_home_check_state(&buf_pool->home, SDPU_BUF_HOME_STARTED,
					   "doca_buf_pool_stop");
	if (result == DOCA_SUCCESS)
		result = sdpu_buf_home_check_all_back(&buf_pool->home, "doca_buf_pool_stop");
	if (result == DOCA_SUCCESS)
		buf_pool->home.state = SDPU_BUF_HOME_STOPPED;
	return result;
}

__attribute__((cold, noinline)) static doca_error_t refuse_alloc(struct doca_buf_pool *pool)
{
	static const char call[] = "doca_buf_pool_buf_alloc";

	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (pool->home.state != SDPU_BUF_HOME_STARTED)
		return sdpu_buf_home_check_state(&pool->home, SDPU_BUF_HOME_STARTED, call);
	if (pool->home.free == NULL)
		return sdpu_buf_home_exhausted(&pool->home, call, DOCA_ERROR_EMPTY);
	/* The mmap may have been stopped while the pool had none of its bufs out. */
	sdpu_log_err("%s: the pool's mmap was stopped; needed: one that is started; stop the pool "
		     "before its mmap",
		     call);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf)
{
	struct doca_buf *taken;

	if (sdpu_any_null(__func__, buf_pool, buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_unlikely(buf_pool->home.state != SDPU_BUF_HOME_STARTED ||
			  buf_pool->mmap->state != SDPU_MMAP_STARTED || sdpu_process_inert() ||
			  buf_pool->home.free == NULL))
		return refuse_alloc(buf_pool);
	taken = sdpu_buf_home_take(&buf_pool->home, buf_pool->mmap);
	taken->data = taken->head;
	taken->data_len = 0;
	*buf = taken;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
						 size_t element_alignment)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, buf_pool))
		return DOCA_ERROR_INVALID_VALUE;
	if (__builtin_popcountll(element_alignment) != 1) {
		sdpu_log_err("doca_buf_pool_set_element_alignment: %zu; needed: a power of two",
			     element_alignment);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = sdpu_buf_home_check_state(&buf_pool->home, SDPU_BUF_HOME_STOPPED,
					   "doca_buf_pool_set_element_alignment");
	if (result == DOCA_SUCCESS)
		buf_pool->alignment = element_alignment;
	return result;
}

doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool, union doca_data user_data)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, buf_pool))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_buf_home_check_state(&buf_pool->home, SDPU_BUF_HOME_STOPPED,
					   "doca_buf_pool_set_user_data");
	if (result == DOCA_SUCCESS)
		buf_pool->home.user_data = user_data;
	return result;
}

doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
					    uint32_t *num_elements)
{
	if (sdpu_any_null(__func__, buf_pool, num_elements))
		return DOCA_ERROR_INVALID_VALUE;
	*num_elements = buf_pool->home.num_elements;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_num_free_elements(const struct doca_buf_pool *buf_pool,
						 uint32_t *num_free_elements)
{
	if (sdpu_any_null(__func__, buf_pool, num_free_elements))
		return DOCA_ERROR_INVALID_VALUE;
	*num_free_elements = buf_pool->home.num_free;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
					 union doca_data *user_data)
{
	if (sdpu_any_null(__func__, buf_pool, user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = buf_pool->home.user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_element_alignment(const struct doca_buf_pool *buf_pool,
						 size_t *element_alignment)
{
	if (sdpu_any_null(__func__, buf_pool, element_alignment))
		return DOCA_ERROR_INVALID_VALUE;
	*element_alignment = buf_pool->alignment;
	return DOCA_SUCCESS;
}
