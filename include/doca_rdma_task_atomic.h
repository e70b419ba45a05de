/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_rdma_task_atomic.h
 * @brief Remote atomics: tasks compare-and-swap and fetch-and-add.
 *
 * They work on 8 bytes of an mmap that the peer has exported with doca_mmap_export_rdma(), as one
 * step with respect to all other DOCA atomics on that memory, and need DOCA_ACCESS_FLAG_RDMA_ATOMIC
 * there. The peer's program takes no part. The remote value lies at the data address of its buf,
 * whose 8 bytes need not count as data, on an 8-byte boundary. Status of a task that fails: as in
 * doca_rdma_task_memory.h. Part of doca_rdma.h, whose conventions hold.
 */
#ifndef DOCA_RDMA_TASK_ATOMIC_H_
#define DOCA_RDMA_TASK_ATOMIC_H_

#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_pe.h>
#include <doca_rdma_types.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_rdma;
struct doca_rdma_connection;

/* ---- Compare and swap ---- */

/** Stores a value if the remote one equals another; brings back the old value either way. */
struct doca_rdma_task_atomic_cmp_swp;

/**
 * @brief A compare-and-swap task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_atomic_cmp_swp_completion_cb_t)(
	struct doca_rdma_task_atomic_cmp_swp *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can do a remote compare-and-swap.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_atomic_cmp_swp_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Set the callbacks and the number of compare-and-swap tasks. The last call before start
 * counts. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when the operation has been done
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_cmp_swp_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_atomic_cmp_swp_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_atomic_cmp_swp_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/**
 * @brief Take a compare-and-swap task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection connection to use, of the same context; one that is exported but not
 *         connected yet makes the task wait
 * @param[in] dst_buf remote value: 8 bytes from the data address of a buffer of an imported mmap
 *         on; of a list, the head only
 * @param[in] result_buf local buffer that gets the old value in the 8 bytes from its data address
 *         on, which then count as data; of a list, the head only. Not to be touched before
 *         completion
 * @param[in] cmp_data value to compare with, in host order
 * @param[in] swap_data value to store when equal, in host order
 * @param[in] user_data value handed to the callback
 * @param[out] task the task; the program's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the connection is not of this context
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_cmp_swp_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t cmp_data,
	uint64_t swap_data, union doca_data user_data, struct doca_rdma_task_atomic_cmp_swp **task);

/**
 * @brief View a compare-and-swap task as a generic task, to submit and free it, and to read its
 * status. Legal in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_atomic_cmp_swp_as_task(struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Replace the destination buffer of a compare-and-swap task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] dst_buf the new buffer, as for doca_rdma_task_atomic_cmp_swp_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_dst_buf(struct doca_rdma_task_atomic_cmp_swp *task,
					       struct doca_buf *dst_buf);

/**
 * @brief Get the destination buffer of a compare-and-swap task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_rdma_task_atomic_cmp_swp_get_dst_buf(const struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Replace the result buffer of a compare-and-swap task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] result_buf the new buffer, as for doca_rdma_task_atomic_cmp_swp_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_result_buf(struct doca_rdma_task_atomic_cmp_swp *task,
						  struct doca_buf *result_buf);

/**
 * @brief Get the result buffer of a compare-and-swap task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_rdma_task_atomic_cmp_swp_get_result_buf(const struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Replace the value to compare with of a compare-and-swap task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] cmp_data the new value, in host order
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_cmp_data(struct doca_rdma_task_atomic_cmp_swp *task,
						uint64_t cmp_data);

/**
 * @brief Get the value to compare with of a compare-and-swap task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the value, in host order; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint64_t
doca_rdma_task_atomic_cmp_swp_get_cmp_data(const struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Replace the value to swap in of a compare-and-swap task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] swap_data the new value, in host order
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_swap_data(struct doca_rdma_task_atomic_cmp_swp *task,
						 uint64_t swap_data);

/**
 * @brief Get the value to swap in of a compare-and-swap task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the value, in host order; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint64_t
doca_rdma_task_atomic_cmp_swp_get_swap_data(const struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Replace the connection of a compare-and-swap task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] rdma_connection an established or exported connection of the same context
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_rdma_connection(
	struct doca_rdma_task_atomic_cmp_swp *task, struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a compare-and-swap task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the connection; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_atomic_cmp_swp_get_rdma_connection(const struct doca_rdma_task_atomic_cmp_swp *task);

/* ---- Fetch and add ---- */

/** Adds to the remote value, modulo 2^64; brings back the old value. */
struct doca_rdma_task_atomic_fetch_add;

/**
 * @brief A fetch-and-add task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_atomic_fetch_add_completion_cb_t)(
	struct doca_rdma_task_atomic_fetch_add *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can do a remote fetch-and-add.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_atomic_fetch_add_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Set the callbacks and the number of fetch-and-add tasks. The last call before start
 * counts. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when the operation has been done
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_fetch_add_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_atomic_fetch_add_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_atomic_fetch_add_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Take a fetch-and-add task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection connection to use, of the same context; one that is exported but not
 *         connected yet makes the task wait
 * @param[in] dst_buf remote value: 8 bytes from the data address of a buffer of an imported mmap
 *         on; of a list, the head only
 * @param[in] result_buf local buffer that gets the old value in the 8 bytes from its data address
 *         on, which then count as data; of a list, the head only. Not to be touched before
 *         completion
 * @param[in] add_data value to add, in host order
 * @param[in] user_data value handed to the callback
 * @param[out] task the task; the program's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the connection is not of this context
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_fetch_add_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t add_data,
	union doca_data user_data, struct doca_rdma_task_atomic_fetch_add **task);

/**
 * @brief View a fetch-and-add task as a generic task, to submit and free it, and to read its
 * status. Legal in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_rdma_task_atomic_fetch_add_as_task(struct doca_rdma_task_atomic_fetch_add *task);

/**
 * @brief Replace the destination buffer of a fetch-and-add task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] dst_buf the new buffer, as for doca_rdma_task_atomic_fetch_add_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_dst_buf(struct doca_rdma_task_atomic_fetch_add *task,
						 struct doca_buf *dst_buf);

/**
 * @brief Get the destination buffer of a fetch-and-add task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_rdma_task_atomic_fetch_add_get_dst_buf(const struct doca_rdma_task_atomic_fetch_add *task);

/**
 * @brief Replace the result buffer of a fetch-and-add task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] result_buf the new buffer, as for doca_rdma_task_atomic_fetch_add_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_result_buf(struct doca_rdma_task_atomic_fetch_add *task,
						    struct doca_buf *result_buf);

/**
 * @brief Get the result buffer of a fetch-and-add task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_rdma_task_atomic_fetch_add_get_result_buf(const struct doca_rdma_task_atomic_fetch_add *task);

/**
 * @brief Replace the value to add of a fetch-and-add task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] add_data the new value, in host order
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_add_data(struct doca_rdma_task_atomic_fetch_add *task,
						  uint64_t add_data);

/**
 * @brief Get the value to add of a fetch-and-add task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the value, in host order; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint64_t
doca_rdma_task_atomic_fetch_add_get_add_data(const struct doca_rdma_task_atomic_fetch_add *task);

/**
 * @brief Replace the connection of a fetch-and-add task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] rdma_connection an established or exported connection of the same context
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_rdma_connection(
	struct doca_rdma_task_atomic_fetch_add *task, struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a fetch-and-add task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the connection; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *doca_rdma_task_atomic_fetch_add_get_rdma_connection(
	const struct doca_rdma_task_atomic_fetch_add *task);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_TASK_ATOMIC_H_ */
