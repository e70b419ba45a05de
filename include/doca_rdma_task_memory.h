/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_rdma_task_memory.h
 * @brief Remote memory: tasks read, write, and write with immediate data.
 *
 * They work on an mmap that the peer has exported with doca_mmap_export_rdma() and this side has
 * imported, within the permissions of that mmap and of the peer's context. The peer's program takes
 * no part, and need not be awake; only a write with immediate data takes a receive there, and waits
 * for one when its data is already in place.
 *
 * Status of a task that fails: DOCA_ERROR_NOT_PERMITTED: the peer's context or mmap does not allow
 * it, the mmap was stopped, or the remote buf has no room for it; DOCA_ERROR_INVALID_VALUE: one buf
 * of two, a remote one where a local one is needed or the reverse, a list longer than was set, too
 * little local room, more than doca_rdma_cap_get_max_message_size(); DOCA_ERROR_IO_FAILED: the
 * peer's memory is gone; DOCA_ERROR_CONNECTION_RESET: the peer has gone; DOCA_ERROR_SHUTDOWN: the
 * context was stopped. Only the last two concern others than the task itself. Part of doca_rdma.h,
 * whose conventions hold.
 */
#ifndef DOCA_RDMA_TASK_MEMORY_H_
#define DOCA_RDMA_TASK_MEMORY_H_

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

/* ---- Read ---- */

/** Copies remote memory to local memory. Needs DOCA_ACCESS_FLAG_RDMA_READ at the peer. */
struct doca_rdma_task_read;

/**
 * @brief A read task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_read_completion_cb_t)(struct doca_rdma_task_read *task,
						    union doca_data task_user_data,
						    union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can read remote memory.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_read_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Set the callbacks and the number of read tasks. The last call before start counts. Legal
 * in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when the data is in the local buffer
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_read_set_conf(
	struct doca_rdma *rdma, doca_rdma_task_read_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_read_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/**
 * @brief Take a read task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection connection to use, of the same context; one that is exported but not
 *         connected yet makes the task wait
 * @param[in] src_buf what to read: the data of a buffer of an imported mmap; of a list, the head
 *         only. NULL together with dst_buf for an empty access
 * @param[in] dst_buf local buffer, or the head of a list; filled after its present data, in which
 *         there must be room for all of the source. Not to be touched before completion
 * @param[in] user_data value handed to the callback
 * @param[out] task the task; the program's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma, rdma_connection or task is NULL, or the connection is not
 *         of this context
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_read_allocate_init(struct doca_rdma *rdma,
					       struct doca_rdma_connection *rdma_connection,
					       const struct doca_buf *src_buf,
					       struct doca_buf *dst_buf, union doca_data user_data,
					       struct doca_rdma_task_read **task);

/**
 * @brief View a read task as a generic task, to submit and free it, and to read its status. Legal
 * in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_read_as_task(struct doca_rdma_task_read *task);

/**
 * @brief Replace the source buffer of a read task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] src_buf the new buffer, as for doca_rdma_task_read_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_read_set_src_buf(struct doca_rdma_task_read *task,
				     const struct doca_buf *src_buf);

/**
 * @brief Get the source buffer of a read task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_read_get_src_buf(const struct doca_rdma_task_read *task);

/**
 * @brief Replace the destination buffer of a read task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] dst_buf the new buffer, as for doca_rdma_task_read_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_read_set_dst_buf(struct doca_rdma_task_read *task, struct doca_buf *dst_buf);

/**
 * @brief Get the destination buffer of a read task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_read_get_dst_buf(const struct doca_rdma_task_read *task);

/**
 * @brief Get how much a read task has transferred. Legal from the task's completion on.
 *
 * @param[in] task the task
 * @return bytes read; 0 after a failure or for NULL
 */
DOCA_EXPERIMENTAL
uint32_t doca_rdma_task_read_get_result_len(const struct doca_rdma_task_read *task);

/**
 * @brief Replace the connection of a read task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] rdma_connection an established or exported connection of the same context
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_read_set_rdma_connection(struct doca_rdma_task_read *task,
					     struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a read task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the connection; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_read_get_rdma_connection(const struct doca_rdma_task_read *task);

/* ---- Write ---- */

/** Copies local memory to remote memory. Needs DOCA_ACCESS_FLAG_RDMA_WRITE at the peer. */
struct doca_rdma_task_write;

/**
 * @brief A write task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_write_completion_cb_t)(struct doca_rdma_task_write *task,
						     union doca_data task_user_data,
						     union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can write to remote memory.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_write_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Set the callbacks and the number of write tasks. The last call before start counts. Legal
 * in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when the data is in the remote memory
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_set_conf(
	struct doca_rdma *rdma, doca_rdma_task_write_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_write_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/**
 * @brief Take a write task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection connection to use, of the same context; one that is exported but not
 *         connected yet makes the task wait
 * @param[in] src_buf what to write: the data of a local buffer, or of a list. Left unchanged; not
 *         to be changed before completion. NULL together with dst_buf for an empty access
 * @param[in] dst_buf where to write: after the present data of a buffer of an imported mmap; of a
 *         list, the head only
 * @param[in] user_data value handed to the callback
 * @param[out] task the task; the program's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma, rdma_connection or task is NULL, or the connection is not
 *         of this context
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_allocate_init(struct doca_rdma *rdma,
						struct doca_rdma_connection *rdma_connection,
						const struct doca_buf *src_buf,
						struct doca_buf *dst_buf, union doca_data user_data,
						struct doca_rdma_task_write **task);

/**
 * @brief View a write task as a generic task, to submit and free it, and to read its status. Legal
 * in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_write_as_task(struct doca_rdma_task_write *task);

/**
 * @brief Replace the source buffer of a write task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] src_buf the new buffer, as for doca_rdma_task_write_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_set_src_buf(struct doca_rdma_task_write *task,
				      const struct doca_buf *src_buf);

/**
 * @brief Get the source buffer of a write task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_write_get_src_buf(const struct doca_rdma_task_write *task);

/**
 * @brief Replace the destination buffer of a write task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] dst_buf the new buffer, as for doca_rdma_task_write_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_set_dst_buf(struct doca_rdma_task_write *task, struct doca_buf *dst_buf);

/**
 * @brief Get the destination buffer of a write task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_write_get_dst_buf(const struct doca_rdma_task_write *task);

/**
 * @brief Replace the connection of a write task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] rdma_connection an established or exported connection of the same context
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_set_rdma_connection(struct doca_rdma_task_write *task,
					      struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a write task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the connection; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_write_get_rdma_connection(const struct doca_rdma_task_write *task);

/* ---- Write with immediate data ---- */

/**
 * @brief A write that also completes a posted receive of the peer, after the data is in place; the
 * data goes to the remote buffer, the immediate data to the receive.
 */
struct doca_rdma_task_write_imm;

/**
 * @brief A write-with-immediate task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_write_imm_completion_cb_t)(struct doca_rdma_task_write_imm *task,
							 union doca_data task_user_data,
							 union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can write to remote memory with immediate data.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_write_imm_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Set the callbacks and the number of write-with-immediate tasks. The last call before start
 * counts. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when the data is in the remote memory and the peer
 *         has its receive
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_imm_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_write_imm_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_write_imm_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/**
 * @brief Take a write-with-immediate task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection connection to use, of the same context; one that is exported but not
 *         connected yet makes the task wait
 * @param[in] src_buf what to write: the data of a local buffer, or of a list. Left unchanged; not
 *         to be changed before completion. NULL together with dst_buf for an empty access
 * @param[in] dst_buf where to write: after the present data of a buffer of an imported mmap; of a
 *         list, the head only
 * @param[in] immediate_data 32 bits for the peer, carried as they are
 * @param[in] user_data value handed to the callback
 * @param[out] task the task; the program's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma, rdma_connection or task is NULL, or the connection is not
 *         of this context
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_imm_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, struct doca_buf *dst_buf, doca_be32_t immediate_data,
	union doca_data user_data, struct doca_rdma_task_write_imm **task);

/**
 * @brief View a write-with-immediate task as a generic task, to submit and free it, and to read its
 * status. Legal in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_write_imm_as_task(struct doca_rdma_task_write_imm *task);

/**
 * @brief Replace the source buffer of a write-with-immediate task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] src_buf the new buffer, as for doca_rdma_task_write_imm_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_src_buf(struct doca_rdma_task_write_imm *task,
					  const struct doca_buf *src_buf);

/**
 * @brief Get the source buffer of a write-with-immediate task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_buf *
doca_rdma_task_write_imm_get_src_buf(const struct doca_rdma_task_write_imm *task);

/**
 * @brief Replace the destination buffer of a write-with-immediate task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] dst_buf the new buffer, as for doca_rdma_task_write_imm_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_dst_buf(struct doca_rdma_task_write_imm *task,
					  struct doca_buf *dst_buf);

/**
 * @brief Get the destination buffer of a write-with-immediate task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_write_imm_get_dst_buf(const struct doca_rdma_task_write_imm *task);

/**
 * @brief Replace the immediate data of a write-with-immediate task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] immediate_data the new 32 bits, carried as they are
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_immediate_data(struct doca_rdma_task_write_imm *task,
						 doca_be32_t immediate_data);

/**
 * @brief Get the immediate data of a write-with-immediate task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the 32 bits; 0 for NULL
 */
DOCA_EXPERIMENTAL
doca_be32_t
doca_rdma_task_write_imm_get_immediate_data(const struct doca_rdma_task_write_imm *task);

/**
 * @brief Replace the connection of a write-with-immediate task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] rdma_connection an established or exported connection of the same context
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_rdma_connection(struct doca_rdma_task_write_imm *task,
						  struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a write-with-immediate task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the connection; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_write_imm_get_rdma_connection(const struct doca_rdma_task_write_imm *task);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_TASK_MEMORY_H_ */
