/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_buf_pool.h
 * @brief Buffers of equal size, cut from one mmap.
 *
 * Life: create, (set alignment and user data), start the mmap, start the pool, allocate bufs, give
 * them back with doca_buf_dec_refcount(), destroy. The user owns the pool, the mmap and the memory;
 * the mmap must outlive the pool. Allocating a buf costs no memory.
 *
 * Threads: one at a time per pool.
 * Outputs are written only on success.
 */
#ifndef DOCA_BUF_POOL_H_
#define DOCA_BUF_POOL_H_

#include <doca_buf.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf_pool;
struct doca_mmap;

/**
 * @brief Make a pool. It is not started; the mmap need not be started yet.
 *
 * @param[in] num_elements bufs in the pool, at least 1
 * @param[in] element_size size of each in bytes, at least 1
 * @param[in] mmap the memory that the pool cuts up, from its first aligned byte on
 * @param[out] buf_pool the pool; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL or a number is 0
 * @return DOCA_ERROR_NO_MEMORY: no memory for that many descriptors
 */
DOCA_STABLE
doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
				  const struct doca_mmap *mmap, struct doca_buf_pool **buf_pool);

/**
 * @brief Destroy a pool, stopping it first if needed. Legal in any state.
 *
 * @param[in] buf_pool consumed on success, unchanged on failure
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf_pool is NULL
 * @return DOCA_ERROR_IN_USE: bufs are still out
 */
DOCA_STABLE
doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool);

/**
 * @brief Cut the memory up and allow allocation.
 *
 * @param[in] buf_pool a stopped pool
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf_pool is NULL
 * @return DOCA_ERROR_BAD_STATE: the pool is started already, or its mmap is not started
 * @return DOCA_ERROR_INITIALIZATION: the range of the mmap is too small for the elements
 */
DOCA_STABLE
doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool);

/**
 * @brief Refuse allocation from now on.
 *
 * @param[in] buf_pool a started pool
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf_pool is NULL
 * @return DOCA_ERROR_BAD_STATE: it is not started
 * @return DOCA_ERROR_IN_USE: bufs are still out
 */
DOCA_STABLE
doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool);

/**
 * @brief Take a buf out of the pool. Its data segment is empty and begins with its window.
 *
 * @param[in] buf_pool a started pool
 * @param[out] buf the buf, with one reference
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the pool is not started, or its mmap was stopped
 * @return DOCA_ERROR_EMPTY: all bufs are out
 */
DOCA_STABLE
doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf);

/**
 * @brief Set the alignment of each element. Before start; 1 unless set.
 *
 * @param[in] buf_pool a stopped pool
 * @param[in] element_alignment bytes, a power of two
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf_pool is NULL, or the alignment is no power of two
 * @return DOCA_ERROR_BAD_STATE: the pool is started
 */
DOCA_STABLE
doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
						 size_t element_alignment);

/**
 * @brief Attach a value of the user's. Before start.
 *
 * @param[in] buf_pool a stopped pool
 * @param[in] user_data any value; never interpreted
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf_pool is NULL
 * @return DOCA_ERROR_BAD_STATE: the pool is started
 */
DOCA_STABLE
doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool, union doca_data user_data);

/**
 * @brief Read the size of the pool. Legal in any state.
 *
 * @param[in] buf_pool the pool
 * @param[out] num_elements bufs, in the pool or out
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
					    uint32_t *num_elements);

/**
 * @brief Read how many bufs can still be allocated. Legal in any state.
 *
 * @param[in] buf_pool the pool
 * @param[out] num_free_elements bufs that are not out
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_pool_get_num_free_elements(const struct doca_buf_pool *buf_pool,
						 uint32_t *num_free_elements);

/**
 * @brief Read the user's value back. Legal in any state.
 *
 * @param[in] buf_pool the pool
 * @param[out] user_data the value set last; zero when none was
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
					 union doca_data *user_data);

/**
 * @brief Read the alignment of the elements. Legal in any state.
 *
 * @param[in] buf_pool the pool
 * @param[out] element_alignment bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_pool_get_element_alignment(const struct doca_buf_pool *buf_pool,
						 size_t *element_alignment);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_POOL_H_ */
