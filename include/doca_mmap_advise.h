/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_mmap_advise.h
 * @brief Advice about memory, given as tasks: drop a range from the device's cache.
 *
 * Life: create, connect the context (doca_mmap_advise_as_ctx()) to a progress engine, configure the
 * task, start, allocate and submit tasks, stop, destroy. The user owns the object; the device must
 * outlive it. Tasks and contexts follow the common rules of doca_pe.h and doca_ctx.h.
 * There is no such cache here, and everybody sees what anybody wrote: a task whose range is good
 * completes with success and does nothing. Its buf may be a list; of each element the whole of its
 * window counts. A range that lies in no started mmap, or in one that lacks the device, completes
 * in the error callback with DOCA_ERROR_INVALID_VALUE, and the context goes on.
 *
 * Threads: the one of the progress engine.
 * Outputs are written only on success.
 */
#ifndef DOCA_MMAP_ADVISE_H_
#define DOCA_MMAP_ADVISE_H_

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_mmap_advise;
struct doca_mmap_advise_task_invalidate_cache;
struct doca_task;

/**
 * @brief Called from doca_pe_progress() when an invalidate task has ended.
 *
 * @param[in] task the task; it is the user's again, to be freed or submitted once more
 * @param[in] task_user_data the value given to the task
 * @param[in] ctx_user_data the value given to the context
 */
typedef void (*doca_mmap_advise_task_invalidate_cache_completion_cb_t)(
	struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Make an object for one device.
 *
 * @param[in] dev an open device
 * @param[out] mmap_advise the object; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_BAD_STATE: this is a forked child of a process that uses the library
 */
DOCA_STABLE
doca_error_t doca_mmap_advise_create(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise);

/**
 * @brief Destroy the object. Its context must be idle.
 *
 * @param[in] mmap_advise consumed on success
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap_advise is NULL
 * @return DOCA_ERROR_IN_USE: the context is not idle
 */
DOCA_STABLE
doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise);

/**
 * @brief Look at the object as a context. Legal in any state.
 *
 * @param[in] mmap_advise the object
 * @return the context, owned by the object; NULL for NULL
 */
DOCA_STABLE
struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise);

/**
 * @brief Ask whether a device has the invalidate task.
 *
 * @param[in] devinfo the device
 * @return DOCA_SUCCESS: it has; every device of this release
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 */
DOCA_STABLE
doca_error_t
doca_mmap_advise_cap_task_cache_invalidate_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Configure the invalidate task. The context must be idle. Without it, start is refused
 * (DOCA_ERROR_BAD_CONFIG); of several calls the last one counts.
 *
 * @param[in] mmap_advise the object
 * @param[in] completion_cb called when a task succeeded
 * @param[in] error_cb called when a task failed or was flushed; may be the same function
 * @param[in] num_tasks how many can be allocated at a time, 1 to 65536
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is 0 or too many
 * @return DOCA_ERROR_NOT_PERMITTED: the context is not idle
 */
DOCA_STABLE
doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
	struct doca_mmap_advise *mmap_advise,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks);

/**
 * @brief Take an invalidate task from the pool. The context must be running.
 *
 * @param[in] mmap_advise the object
 * @param[in] buf the range to drop; stays the caller's, untouched until the task has ended
 * @param[in] user_data handed to the callback
 * @param[out] task the task; freed with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the context is not running
 * @return DOCA_ERROR_NO_MEMORY: all tasks are allocated
 */
DOCA_STABLE
doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
	struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
	struct doca_mmap_advise_task_invalidate_cache **task);

/**
 * @brief Look at an invalidate task as a plain task. Legal in any state.
 *
 * @param[in] task the task
 * @return the plain task; NULL for NULL
 */
DOCA_STABLE
struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
	struct doca_mmap_advise_task_invalidate_cache *task);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_MMAP_ADVISE_H_ */
