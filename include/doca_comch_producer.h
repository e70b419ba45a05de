/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_comch_producer.h
 * @brief Comch producer: the sending end of the fast path.
 *
 * A producer sends the data of a doca_buf, some immediate data, or both, to one consumer of the
 * peer that it names by id. The data lands in the oldest buffer which that consumer has posted.
 * Nothing is copied on the way but into that buffer, and sends of one producer to one consumer are
 * received in the order of their submission.
 *
 * Life: create on an established connection (or from a MsgQ, doca_comch_msgq.h), configure the send
 * task, doca_pe_connect_ctx(), doca_ctx_start() (DOCA_SUCCESS, RUNNING at once), send,
 * doca_ctx_stop(), progress until IDLE, destroy. When the peer is lost, sends in flight end in
 * their error callback.
 *
 * What doca_task_submit() says of a send: DOCA_ERROR_AGAIN when the consumer has no receive posted
 * (the task stays the caller's, who may submit it again at any time; no progress is needed in
 * between), DOCA_ERROR_NOT_FOUND when the peer has no such consumer, DOCA_ERROR_INVALID_VALUE when
 * the data or the immediate data are longer than the receiver takes or the task carries neither.
 *
 * A send whose consumer stops before it is done succeeds if the consumer delivers it, and ends with
 * DOCA_ERROR_NOT_FOUND if not.
 *
 * "Legal in" and the conventions on outputs, callbacks and threads are those of doca_comch.h. Each
 * producer may have an engine and a thread of its own.
 */
#ifndef DOCA_COMCH_PRODUCER_H_
#define DOCA_COMCH_PRODUCER_H_

#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_dpa_dev_handles.h>
#include <doca_error.h>
#include <doca_pe.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_comch_connection;
struct doca_comch_gpu_producer;
struct doca_dpa_completion;

struct doca_comch_producer;	      /* sends to consumers of one connection; a context */
struct doca_comch_producer_task_send; /* one send */

/**
 * @brief A send is done; one type serves success and error. Success means that the data is in the
 * consumer's buffer. The status is in doca_task_get_status(); after a failure the consumer's buffer
 * may have been touched.
 *
 * @param[in] task the task, owned by the program again: free it, change and submit it again, or
 *         keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_comch_producer_task_send_completion_cb_t)(
	struct doca_comch_producer_task_send *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/* ---- Object ---- */

/**
 * @brief Create a producer on a connection, in state IDLE. Legal while the connection is
 * established, from any thread.
 *
 * @param[in] comch_connection the connection, of either end; must outlive the producer, and cannot
 *         be closed while it is started
 * @param[out] producer the producer, owned by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the connection is not established
 * @return DOCA_ERROR_NOT_PERMITTED: the peer's version has no fast path
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or the connection has as many producers as it can
 */
DOCA_STABLE
doca_error_t doca_comch_producer_create(struct doca_comch_connection *comch_connection,
					struct doca_comch_producer **producer);

/**
 * @brief Destroy a producer. Legal in: IDLE, also inside its own IDLE callback.
 *
 * @param[in] producer the producer; on failure it stays usable
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: producer is NULL
 * @return DOCA_ERROR_IN_USE: not IDLE
 */
DOCA_STABLE
doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);

/**
 * @brief Get the producer's id, which consumers see with each receive. Legal in: every state.
 *
 * @param[in] producer the producer
 * @param[out] id unique on its connection and end, never 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer, uint32_t *id);

/**
 * @brief View the producer as a context, to connect, start and stop it. Legal in: every state.
 *
 * @param[in] producer the producer
 * @return the context, which lives as long as the producer; NULL for NULL
 */
DOCA_STABLE
struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer);

/* ---- Capabilities: legal at any time, from any thread ---- */

/**
 * @brief Ask whether producers may run on a device.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: they may
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no fast path
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Get the largest number of send tasks of one producer.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_num_tasks tasks
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
						       uint32_t *max_num_tasks);

/**
 * @brief Get the size of the largest buffer that can be sent.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_buf_size bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no fast path
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
						      uint32_t *max_buf_size);

/**
 * @brief Get the length of the longest buffer list that can be sent.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_buf_list_len elements; 1 means single buffers only
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no fast path
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_buf_list_len);

/**
 * @brief Get the largest number of producers that one end of a connection can have.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_producers producers
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_producers(const struct doca_devinfo *devinfo,
						       uint32_t *max_producers);

/* ---- Send task ---- */

/**
 * @brief Set the callbacks and the number of send tasks; needed before start. Legal in: IDLE.
 *
 * @param[in] producer the producer
 * @param[in] task_completion_cb runs when a send succeeded
 * @param[in] task_error_cb runs when a send failed; may be the same function
 * @param[in] num_send_tasks pool size, 1 to doca_comch_producer_cap_get_max_num_tasks()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_send_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE, or on the DPA data path
 */
DOCA_STABLE
doca_error_t doca_comch_producer_task_send_set_conf(
	struct doca_comch_producer *producer,
	doca_comch_producer_task_send_completion_cb_t task_completion_cb,
	doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);

/**
 * @brief Take a send task from the pool and fill it in. Legal in: RUNNING, from inside the RUNNING
 * callback on.
 *
 * @param[in] producer the producer
 * @param[in] buf what to send: its data segment, in a local mmap of the same function. Not to be
 *         touched between submit and completion, and left as it was. NULL when there is immediate
 *         data only
 * @param[in] imm_data immediate data, copied; NULL for none
 * @param[in] imm_data_len its length in bytes, 0 to what the consumer takes
 * @param[in] consumer_id id of a consumer of the peer
 * @param[out] task the task; the caller's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: producer or task is NULL, there is neither buf nor immediate
 *         data, imm_data is NULL and imm_data_len is not 0, imm_data_len is above every consumer's
 *         limit, buf is a list or of no use to the device, or it is given on a MsgQ
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use
 */
DOCA_STABLE
doca_error_t doca_comch_producer_task_send_alloc_init(struct doca_comch_producer *producer,
						      const struct doca_buf *buf, uint8_t *imm_data,
						      uint32_t imm_data_len, uint32_t consumer_id,
						      struct doca_comch_producer_task_send **task);

/**
 * @brief Get the buffer of a send task. Legal in: every state.
 *
 * @param[in] task the task
 * @return its buffer; NULL if it has none or for NULL
 */
DOCA_STABLE
const struct doca_buf *
doca_comch_producer_task_send_get_buf(const struct doca_comch_producer_task_send *task);

/**
 * @brief Replace the buffer of a send task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] buf the new buffer; NULL for none
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task,
					   const struct doca_buf *buf);

/**
 * @brief Get the consumer that a send task addresses. Legal in: every state.
 *
 * @param[in] task the task
 * @return the consumer's id; 0 for NULL
 */
DOCA_STABLE
uint32_t
doca_comch_producer_task_send_get_consumer_id(const struct doca_comch_producer_task_send *task);

/**
 * @brief Replace the consumer that a send task addresses. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] consumer_id id of a consumer of the peer
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
						   const uint32_t consumer_id);

/**
 * @brief Get the immediate data of a send task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the bytes inside the task; NULL if it has none or for NULL
 */
DOCA_STABLE
uint8_t *
doca_comch_producer_task_send_get_imm_data(const struct doca_comch_producer_task_send *task);

/**
 * @brief Get the length of a send task's immediate data. Legal in: every state.
 *
 * @param[in] task the task
 * @return bytes; 0 if it has none or for NULL
 */
DOCA_STABLE
uint32_t
doca_comch_producer_task_send_get_imm_data_len(const struct doca_comch_producer_task_send *task);

/**
 * @brief Replace the immediate data of a send task. A length above the limit is reported by
 * doca_task_submit(). Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] imm_data the bytes, copied; NULL for none
 * @param[in] imm_data_len their number
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task,
						uint8_t *imm_data, uint32_t imm_data_len);

/**
 * @brief View a send task as a generic task, to submit and free it, and to read its status. Legal
 * in: every state.
 *
 * @param[in] task the send task
 * @return the same task; NULL for NULL
 */
DOCA_STABLE
struct doca_task *doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task);

/* ---- DPA and GPU data path: producers of a MsgQ whose code runs there ---- */

/**
 * @brief Set the depth of a DPA producer's send queue. Legal in: IDLE, before or after
 * doca_ctx_set_datapath_on_dpa().
 *
 * @param[in] producer the producer
 * @param[in] dev_num_send sends that can be in flight, which is until their completion is acked;
 *         rounded up to a power of two; 64 until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: producer is NULL, or dev_num_send is 0 or above
 *         doca_comch_producer_cap_get_max_num_tasks()
 * @return DOCA_ERROR_BAD_STATE: not IDLE, or the MsgQ has its producers on the CPU
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_set_dev_max_num_send(struct doca_comch_producer *producer,
						      uint32_t dev_num_send);

/**
 * doca_comch_producer_set_dev_max_num_send() as 2.7 spelled it; the same in every respect.
 *
 * @copydetails doca_comch_producer_set_dev_max_num_send
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_set_dev_num_send(struct doca_comch_producer *producer,
						  uint32_t dev_num_send);

/**
 * @brief Direct the completions of a DPA producer's sends to a DPA completion context; needed
 * before start. Legal in: IDLE, after doca_ctx_set_datapath_on_dpa().
 *
 * @param[in] producer the producer
 * @param[in] dpa_comp a started completion context; stays the caller's and must outlive the
 *         producer
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the completion is of another DPA
 * @return DOCA_ERROR_BAD_STATE: not IDLE, not on the DPA data path, or the completion is not
 *         started
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_dpa_completion_attach(struct doca_comch_producer *producer,
						       struct doca_dpa_completion *dpa_comp);

/**
 * @brief Get the handle by which device code names the producer. Legal in: RUNNING, on the DPA data
 * path.
 *
 * @param[in] producer the producer
 * @param[out] dpa_producer the handle; void once the producer is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not started, or not on the DPA data path
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_get_dpa_handle(struct doca_comch_producer *producer,
						doca_dpa_dev_comch_producer_t *dpa_producer);

/**
 * @brief Get the handle by which GPU code names the producer. Legal in: RUNNING, on the GPU data
 * path.
 *
 * @param[in] producer the producer
 * @param[out] gpu_producer the handle; void once the producer is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not started, or not on the GPU data path
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_get_gpu_handle(struct doca_comch_producer *producer,
						struct doca_comch_gpu_producer **gpu_producer);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_COMCH_PRODUCER_H_ */
