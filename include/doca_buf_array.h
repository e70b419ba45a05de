/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_buf_array.h
 * @brief Arrays of equal buffers in one mmap, for code that runs on a GPU or a DPA.
 *
 * Life: create, set one target and the parameters, start, pass the handle to the target, destroy.
 * The user owns the array; the mmap and the target must outlive it.
 * The target is a DPA; choosing a GPU answers DOCA_ERROR_NOT_SUPPORTED.
 *
 * Threads: one at a time per array.
 * Outputs are written only on success.
 */
#ifndef DOCA_BUF_ARRAY_H_
#define DOCA_BUF_ARRAY_H_

#include <doca_compat.h>
#include <doca_dpa_dev_handles.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf_arr;
struct doca_dpa;
struct doca_gpu;
struct doca_gpu_buf_arr;
struct doca_mmap;

/**
 * @brief Make an array. It is not started.
 *
 * @param[in] num_elem buffers in the array, at least 1
 * @param[out] buf_arr the array; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf_arr is NULL or num_elem is 0
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_BAD_STATE: this is a forked child of a process that uses the library
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_create(size_t num_elem, struct doca_buf_arr **buf_arr);

/**
 * @brief Destroy an array, stopping it first if needed. Legal in any state.
 *
 * @param[in] buf_arr consumed on success
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf_arr is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr);

/**
 * @brief Choose a GPU as the target. Before start; an array has exactly one target.
 *
 * @param[in] buf_arr a stopped array
 * @param[in] gpu_handler the GPU, which outlives the array
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the array is started
 * @return DOCA_ERROR_NOT_SUPPORTED: there is no GPU
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr,
					 struct doca_gpu *gpu_handler);

/**
 * @brief Choose a DPA as the target. Before start; an array has one target, the last one.
 *
 * @param[in] buf_arr a stopped array
 * @param[in] dpa_handler the DPA context, which cannot be destroyed before the array
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the array is started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr,
					 struct doca_dpa *dpa_handler);

/**
 * @brief Say where the buffers lie: one after the other from an offset in an mmap. Before start.
 *
 * @param[in] buf_arr a stopped array
 * @param[in] mmap a started mmap that covers all elements
 * @param[in] elem_size size of each buffer in bytes, at least 1
 * @param[in] start_offset where the first one begins, in bytes from the start of the mmap
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, elem_size is 0, or the mmap is too small
 * @return DOCA_ERROR_BAD_STATE: the array is started, or the mmap is not
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, struct doca_mmap *mmap,
				     size_t elem_size, uint64_t start_offset);

/**
 * @brief Make the array usable by its target.
 *
 * @param[in] buf_arr a stopped array with a target and parameters
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf_arr is NULL
 * @return DOCA_ERROR_BAD_STATE: it is started already, has no target or parameters, or its DPA
 * context or its mmap is not started
 * @return DOCA_ERROR_NO_MEMORY: no memory, or no handle left for the mmap
 * @return DOCA_ERROR_NOT_SUPPORTED: the mmap was imported from another machine
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr);

/**
 * @brief Withdraw the array from its target. Handles become invalid.
 *
 * @param[in] buf_arr a started array that no code on the target uses
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf_arr is NULL
 * @return DOCA_ERROR_BAD_STATE: it is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr);

/**
 * @brief Get the handle for GPU code.
 *
 * @param[in] buf_arr a started array with a GPU as its target
 * @param[out] gpu_buf_arr the handle, owned by the array
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the array is not started with a GPU as its target
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
					 struct doca_gpu_buf_arr **gpu_buf_arr);

/**
 * @brief Get the handle for DPA code.
 *
 * @param[in] buf_arr a started array with a DPA as its target
 * @param[out] dpa_buf_arr the handle, valid until the array is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the array is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
					 doca_dpa_dev_buf_arr_t *dpa_buf_arr);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_ARRAY_H_ */
