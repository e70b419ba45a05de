/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_rdma_task_message.h
 * @brief Messages: tasks receive, send, and send with immediate data.
 *
 * A message takes the oldest receive that is posted on the peer's context, whatever the connection,
 * and completes there with the bytes in the receive's buffer. While none is posted the sender
 * waits; it does not fail. A receive buffer that is too small fails both sides and the connection.
 *
 * Status of a task that fails: DOCA_ERROR_INVALID_VALUE: its bufs do not suit (a list longer than
 * was set, an imported mmap, one of another device, or one that may only be read where a message
 * goes; a message above doca_rdma_cap_get_max_message_size()); DOCA_ERROR_IO_FAILED: the message is
 * longer than the receive, or cannot be fetched; DOCA_ERROR_CONNECTION_RESET: the peer has gone;
 * DOCA_ERROR_SHUTDOWN: the context was stopped. The buffers' data lengths are then as before. Part
 * of doca_rdma.h, whose conventions hold.
 */
#ifndef DOCA_RDMA_TASK_MESSAGE_H_
#define DOCA_RDMA_TASK_MESSAGE_H_

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

/* ---- Receive ---- */

/** Takes one message, or the notice of one write with immediate data, from any connection. */
struct doca_rdma_task_receive;

/**
 * @brief A receive task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_receive_completion_cb_t)(struct doca_rdma_task_receive *task,
						       union doca_data task_user_data,
						       union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can receive messages.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_receive_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Get the length of the longest buffer list that can be posted to receive.
 *
 * @param[in] devinfo the device asked about
 * @param[in] transport_type the transport asked about
 * @param[out] max_buf_list_len elements
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the transport is unknown
 * @return DOCA_ERROR_NOT_SUPPORTED: the device lacks the transport
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_task_receive_get_max_dst_buf_list_len(const struct doca_devinfo *devinfo,
						    enum doca_rdma_transport_type transport_type,
						    uint32_t *max_buf_list_len);

/**
 * @brief Set the callbacks and the number of receive tasks. The last call before start counts.
 * Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when a message has come in
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_receive_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_receive_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_receive_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/**
 * @brief Set the length of the longest buffer list that will be posted to receive. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] buf_list_len elements, 1 to doca_rdma_cap_task_receive_get_max_dst_buf_list_len();
 *         start may round it up
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL, or the length is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_receive_set_dst_buf_list_len(struct doca_rdma *rdma,
							 uint32_t buf_list_len);

/**
 * @brief Get the length of the longest buffer list that can be posted to receive. Legal in: every
 * state.
 *
 * @param[in] rdma the context
 * @param[out] buf_list_len elements; 1 if none was set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_receive_get_dst_buf_list_len(const struct doca_rdma *rdma,
							 uint32_t *buf_list_len);

/**
 * @brief Take a receive task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] dst_buf buffer for the message, or the head of a list; filled after its present data.
 *         Not to be touched between submit and completion. NULL when only empty messages or writes
 *         with immediate data are expected
 * @param[in] user_data value handed to the callback
 * @param[out] task the task; the program's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma or task is NULL
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_receive_allocate_init(struct doca_rdma *rdma, struct doca_buf *dst_buf,
						  union doca_data user_data,
						  struct doca_rdma_task_receive **task);

/**
 * @brief View a receive task as a generic task, to submit and free it, and to read its status.
 * Legal in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_receive_as_task(struct doca_rdma_task_receive *task);

/**
 * @brief Replace the destination buffer of a receive task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] dst_buf the new buffer, as for doca_rdma_task_receive_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_receive_set_dst_buf(struct doca_rdma_task_receive *task,
					struct doca_buf *dst_buf);

/**
 * @brief Get the destination buffer of a receive task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_receive_get_dst_buf(const struct doca_rdma_task_receive *task);

/**
 * @brief Get what kind of operation filled a receive. Legal from the task's completion on.
 *
 * @param[in] task the task
 * @return the kind; DOCA_RDMA_OPCODE_RECV_SEND after a failure or for NULL
 */
DOCA_EXPERIMENTAL
enum doca_rdma_opcode
doca_rdma_task_receive_get_result_opcode(const struct doca_rdma_task_receive *task);

/**
 * @brief Get how much a receive task has transferred. Legal from the task's completion on.
 *
 * @param[in] task the task
 * @return bytes received; 0 for a write with immediate data, after a failure or for NULL
 */
DOCA_EXPERIMENTAL
uint32_t doca_rdma_task_receive_get_result_len(const struct doca_rdma_task_receive *task);

/**
 * @brief Get the immediate data that came with a receive. Legal from the task's completion on.
 *
 * @param[in] task the task
 * @return the 32 bits as the peer gave them; 0 if there are none or for NULL
 */
DOCA_EXPERIMENTAL
doca_be32_t
doca_rdma_task_receive_get_result_immediate_data(const struct doca_rdma_task_receive *task);

/**
 * @brief Get the connection that a message came over. Legal inside the success callback.
 *
 * @param[in] task the task
 * @return the connection; NULL after a failure or for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_receive_get_result_rdma_connection(const struct doca_rdma_task_receive *task);

/* ---- Send ---- */

/** Delivers a message to a posted receive of the peer. */
struct doca_rdma_task_send;

/**
 * @brief A send task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_send_completion_cb_t)(struct doca_rdma_task_send *task,
						    union doca_data task_user_data,
						    union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can send messages.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_send_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Set the callbacks and the number of send tasks. The last call before start counts. Legal
 * in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when the peer has received the message
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_send_set_conf(
	struct doca_rdma *rdma, doca_rdma_task_send_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_send_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/**
 * @brief Take a send task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection connection to use, of the same context; one that is exported but not
 *         connected yet makes the task wait
 * @param[in] src_buf the message: the data of a local buffer, or of a list. Left unchanged; not to
 *         be changed before completion. NULL for an empty message
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
doca_error_t doca_rdma_task_send_allocate_init(struct doca_rdma *rdma,
					       struct doca_rdma_connection *rdma_connection,
					       const struct doca_buf *src_buf,
					       union doca_data user_data,
					       struct doca_rdma_task_send **task);

/**
 * @brief View a send task as a generic task, to submit and free it, and to read its status. Legal
 * in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_send_as_task(struct doca_rdma_task_send *task);

/**
 * @brief Replace the source buffer of a send task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] src_buf the new buffer, as for doca_rdma_task_send_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_send_set_src_buf(struct doca_rdma_task_send *task,
				     const struct doca_buf *src_buf);

/**
 * @brief Get the source buffer of a send task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_send_get_src_buf(const struct doca_rdma_task_send *task);

/**
 * @brief Replace the connection of a send task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] rdma_connection an established or exported connection of the same context
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_send_set_rdma_connection(struct doca_rdma_task_send *task,
					     struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a send task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the connection; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_send_get_rdma_connection(const struct doca_rdma_task_send *task);

/* ---- Send with immediate data ---- */

/** Delivers a message and 32 bits of immediate data to a posted receive of the peer. */
struct doca_rdma_task_send_imm;

/**
 * @brief A send-with-immediate task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_send_imm_completion_cb_t)(struct doca_rdma_task_send_imm *task,
							union doca_data task_user_data,
							union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can send messages with immediate data.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_send_imm_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Set the callbacks and the number of send-with-immediate tasks. The last call before start
 * counts. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when the peer has received the message
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_send_imm_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_send_imm_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_send_imm_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/**
 * @brief Take a send-with-immediate task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection connection to use, of the same context; one that is exported but not
 *         connected yet makes the task wait
 * @param[in] src_buf the message: the data of a local buffer, or of a list. Left unchanged; not to
 *         be changed before completion. NULL for an empty message
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
doca_error_t doca_rdma_task_send_imm_allocate_init(struct doca_rdma *rdma,
						   struct doca_rdma_connection *rdma_connection,
						   const struct doca_buf *src_buf,
						   doca_be32_t immediate_data,
						   union doca_data user_data,
						   struct doca_rdma_task_send_imm **task);

/**
 * @brief View a send-with-immediate task as a generic task, to submit and free it, and to read its
 * status. Legal in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_send_imm_as_task(struct doca_rdma_task_send_imm *task);

/**
 * @brief Replace the source buffer of a send-with-immediate task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] src_buf the new buffer, as for doca_rdma_task_send_imm_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_send_imm_set_src_buf(struct doca_rdma_task_send_imm *task,
					 const struct doca_buf *src_buf);

/**
 * @brief Get the source buffer of a send-with-immediate task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_buf *
doca_rdma_task_send_imm_get_src_buf(const struct doca_rdma_task_send_imm *task);

/**
 * @brief Replace the immediate data of a send-with-immediate task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] immediate_data the new 32 bits, carried as they are
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_send_imm_set_immediate_data(struct doca_rdma_task_send_imm *task,
						doca_be32_t immediate_data);

/**
 * @brief Get the immediate data of a send-with-immediate task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the 32 bits; 0 for NULL
 */
DOCA_EXPERIMENTAL
doca_be32_t doca_rdma_task_send_imm_get_immediate_data(const struct doca_rdma_task_send_imm *task);

/**
 * @brief Replace the connection of a send-with-immediate task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] rdma_connection an established or exported connection of the same context
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_send_imm_set_rdma_connection(struct doca_rdma_task_send_imm *task,
						 struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a send-with-immediate task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the connection; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_send_imm_get_rdma_connection(const struct doca_rdma_task_send_imm *task);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_TASK_MESSAGE_H_ */
