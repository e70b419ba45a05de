/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_dma.h
 * @brief Copy of memory by the device.
 *
 * Life: create, connect the context (doca_dma_as_ctx()) to a progress engine, configure the memcpy
 * task, start (at once running), allocate and submit tasks, stop, destroy. The user owns the
 * object; the device must outlive it. Tasks and contexts follow the common rules of doca_pe.h and
 * doca_ctx.h; a start without configured tasks is refused with DOCA_ERROR_BAD_CONFIG.
 *
 * A copy takes the data segment of the source, appends it after the data segment of the destination
 * and on success extends that one's data_len. Either may be a list, which is copied across element
 * boundaries: all data of the source's elements, into the room behind the data of each of the
 * destination's. Each buf may lie in an mmap that was imported from the other side of the PCIe bus;
 * the process there need not do anything, only keep the memory alive. Source, destination and the
 * bytes of both may not be touched while the task is in flight, and may not overlap.
 *
 * Each mmap must have the context's device, or be imported by it. A destination needs
 * DOCA_ACCESS_FLAG_LOCAL_READ_WRITE or _PCI_READ_WRITE, an imported one the latter, an imported
 * source a PCI permission.
 *
 * What is wrong with the bufs of a task (empty source, destination too small, list too long,
 * missing permission, exporter gone) is reported to the error callback, with DOCA_ERROR_IO_FAILED;
 * doca_task_try_submit() finds most of it at once. Then the context stops itself and the tasks
 * behind it fail too. Memory may have been written in part; no data_len has changed. Completions
 * may come in another order than the submissions, unless doca_dma_set_ordered_completions() asks
 * for order; softdpu always keeps it.
 *
 * Threads: the one of the progress engine. Capability calls: any.
 * Outputs are written only on success.
 */
#ifndef DOCA_DMA_H_
#define DOCA_DMA_H_

#include <doca_buf.h>
#include <doca_compat.h>
#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_pe.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_devinfo;
struct doca_dma;
struct doca_dma_task_memcpy;
struct doca_gpu_dma;

/**
 * @brief Called from doca_pe_progress() when a copy has ended. It may free or resubmit the task,
 * release its bufs, and stop the context.
 *
 * @param[in] task the task; it is the user's again
 * @param[in] task_user_data the value given to the task
 * @param[in] ctx_user_data the value given to the context
 */
typedef void (*doca_dma_task_memcpy_completion_cb_t)(struct doca_dma_task_memcpy *task,
						     union doca_data task_user_data,
						     union doca_data ctx_user_data);

/**
 * @brief Make a DMA object for one device.
 *
 * @param[in] dev an open device
 * @param[out] dma the object; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_BAD_STATE: the process is a fork of the one that opened the device
 */
DOCA_STABLE
doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma);

/**
 * @brief Destroy a DMA object. Its context must be idle; legal inside its own IDLE callback.
 *
 * @param[in] dma consumed on success, unchanged on failure
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: dma is NULL
 * @return DOCA_ERROR_IN_USE: the context is not idle
 * @return DOCA_ERROR_BAD_STATE: the process is a fork of the one that made it
 */
DOCA_STABLE
doca_error_t doca_dma_destroy(struct doca_dma *dma);

/**
 * @brief Look at the object as a context. Legal in any state.
 *
 * @param[in] dma the object
 * @return the context, owned by the object; NULL for NULL
 */
DOCA_STABLE
struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);

/**
 * @brief Ask whether a device has the memcpy task. Every device of softdpu has.
 *
 * @param[in] devinfo the device
 * @return DOCA_SUCCESS: it has
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it has not
 */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask for the most that one task can copy, over all elements of its source.
 *
 * @param[in] devinfo the device
 * @param[out] buf_size bytes per task: 2 GiB, or `dma_max_buf_size` of the topology
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo,
						       uint64_t *buf_size);

/**
 * @brief Ask for the longest list that a task takes, as source or as destination.
 *
 * @param[in] devinfo the device
 * @param[out] max_buf_list_len elements: 64, or `dma_max_list` of the topology; 1 means no lists
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							   uint32_t *max_buf_list_len);

/**
 * @brief Ask for the largest number of tasks that can be configured. Legal in any state.
 *
 * @param[in] dma the object (not a devinfo)
 * @param[out] max_num_tasks tasks: 65536, or `dma_max_tasks` of the topology
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks);

/**
 * @brief Configure the memcpy task. The context must be idle.
 *
 * @param[in] dma the object
 * @param[in] task_completion_cb called when a copy succeeded
 * @param[in] task_error_cb called when a copy failed or was flushed; may be the same function
 * @param[in] num_memcpy_tasks how many can be allocated at a time, at least 1
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the number is 0 or above the limit
 * @return DOCA_ERROR_BAD_STATE: the context is not idle
 */
DOCA_STABLE
doca_error_t doca_dma_task_memcpy_set_conf(struct doca_dma *dma,
					   doca_dma_task_memcpy_completion_cb_t task_completion_cb,
					   doca_dma_task_memcpy_completion_cb_t task_error_cb,
					   uint32_t num_memcpy_tasks);

/**
 * @brief Take a memcpy task from the pool. The context must be running. The bufs are not examined
 * here.
 *
 * @param[in] dma the object
 * @param[in] src the source; stays the caller's; may be NULL and set later
 * @param[in] dst the destination; stays the caller's; may be NULL and set later
 * @param[in] user_data handed to the callback
 * @param[out] task the task; freed with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: dma or task is NULL
 * @return DOCA_ERROR_BAD_STATE: the context is not running
 * @return DOCA_ERROR_NO_MEMORY: all tasks are allocated
 */
DOCA_STABLE
doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma, const struct doca_buf *src,
					     struct doca_buf *dst, union doca_data user_data,
					     struct doca_dma_task_memcpy **task);

/**
 * @brief Look at a memcpy task as a plain task. Legal in any state.
 *
 * @param[in] task the task
 * @return the plain task, with the same life; NULL for NULL
 */
DOCA_STABLE
struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task);

/**
 * @brief Change the source. Not while the task is in flight.
 *
 * @param[in] task the task
 * @param[in] src the source; stays the caller's
 */
DOCA_STABLE
void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src);

/**
 * @brief Read the source. Legal in any state.
 *
 * @param[in] task the task
 * @return the source set last; NULL for NULL
 */
DOCA_STABLE
const struct doca_buf *doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task);

/**
 * @brief Change the destination. Not while the task is in flight.
 *
 * @param[in] task the task
 * @param[in] dst the destination; stays the caller's
 */
DOCA_STABLE
void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst);

/**
 * @brief Read the destination. Legal in any state.
 *
 * @param[in] task the task
 * @return the destination set last; NULL for NULL
 */
DOCA_STABLE
struct doca_buf *doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task);

/**
 * @brief Ask that completions be reported in the order of submission. It orders the reports, not
 * the writes to memory. The context must be idle.
 *
 * @param[in] dma the object
 * @param[in] enable 1 for order, 0 for none
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: dma is NULL
 * @return DOCA_ERROR_BAD_STATE: the context is not idle
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t enable);

/**
 * @brief Get the handle for GPU code. The context must be running on the GPU data path, which
 * softdpu does not have.
 *
 * @param[in] dma the object
 * @param[out] gpu_dma the handle, owned by the object
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the context is not running, or not on a GPU
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma, struct doca_gpu_dma **gpu_dma);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DMA_H_ */
