/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_comch_consumer.h
 * @brief Comch consumer: the receiving end of the fast path.
 *
 * A consumer posts buffers; producers of the peer fill them, oldest first. A post-receive task
 * completes when a producer has written its buffer (or has sent immediate data alone), not when the
 * buffer has been posted.
 *
 * Life: create on an established connection (or from a MsgQ, doca_comch_msgq.h), configure the
 * post-receive task, doca_pe_connect_ctx(), doca_ctx_start() (DOCA_ERROR_IN_PROGRESS), progress
 * until RUNNING, post, doca_ctx_stop(), progress until IDLE, destroy. To become RUNNING takes
 * progress of the consumer's own engine, of the engine of the server or client that owns the
 * connection, and of the peer's; when the peer goes away meanwhile, the consumer falls back to
 * IDLE. A consumer of a MsgQ is RUNNING when doca_ctx_start() returns (DOCA_SUCCESS). RUNNING is
 * announced to the peer by its new-consumer event, the end by its expired-consumer event. At stop,
 * what producers have already written is delivered; buffers still posted come back through the
 * error callback, untouched.
 *
 * "Legal in" and the conventions on outputs, callbacks and threads are those of doca_comch.h. Each
 * consumer may have an engine and a thread of its own.
 */
#ifndef DOCA_COMCH_CONSUMER_H_
#define DOCA_COMCH_CONSUMER_H_

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
struct doca_comch_gpu_consumer;
struct doca_dpa_thread;
struct doca_mmap;

struct doca_comch_consumer; /* receives from producers of one connection; a context */
struct doca_comch_consumer_task_post_recv; /* one posted buffer */
struct doca_comch_consumer_completion;	   /* where DPA consumers report arrivals; not a context */

/**
 * @brief A post-receive task is done; one type serves success and error. After a success the
 * buffer's data length counts what was written. The status is in doca_task_get_status().
 *
 * @param[in] task the task, owned by the program again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_comch_consumer_task_post_recv_completion_cb_t)(
	struct doca_comch_consumer_task_post_recv *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/* ---- Object ---- */

/**
 * @brief Create a consumer on a connection, in state IDLE. Its id is fixed from now on. Legal while
 * the connection is established, from any thread.
 *
 * @param[in] comch_connection the connection, of either end; must outlive the consumer, and cannot
 *         be closed while it is started
 * @param[in] buf_mmap a started mmap with DOCA_ACCESS_FLAG_PCI_READ_WRITE, in which all posted
 *         buffers lie; stays the caller's and must outlive the consumer
 * @param[out] consumer the consumer, owned by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the mmap is not started
 * @return DOCA_ERROR_BAD_STATE: the connection is not established
 * @return DOCA_ERROR_NOT_PERMITTED: the mmap lacks DOCA_ACCESS_FLAG_PCI_READ_WRITE, or the peer's
 *         version has no fast path
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or no id is left
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
					struct doca_mmap *buf_mmap,
					struct doca_comch_consumer **consumer);

/**
 * @brief Destroy a consumer. Legal in: IDLE, also inside its own IDLE callback.
 *
 * @param[in] consumer the consumer; on failure it stays usable
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer is NULL
 * @return DOCA_ERROR_IN_USE: not IDLE
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer);

/**
 * @brief Get the id by which producers of the peer address the consumer. Legal in: every state.
 *
 * @param[in] consumer the consumer
 * @param[out] id unique on its connection and end, from 1 upward in the order of creation
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer, uint32_t *id);

/**
 * @brief View the consumer as a context, to connect, start and stop it. Legal in: every state.
 *
 * @param[in] consumer the consumer
 * @return the context, which lives as long as the consumer; NULL for NULL
 */
DOCA_STABLE
struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer);

/**
 * @brief Set the longest immediate data that the consumer takes. Legal in: IDLE.
 *
 * @param[in] consumer the consumer
 * @param[in] imm_data_len bytes, 0 to doca_comch_consumer_cap_get_max_imm_data_len()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer is NULL, or imm_data_len is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer,
						  uint32_t imm_data_len);

/**
 * @brief Get the longest immediate data that the consumer takes. Legal in: every state.
 *
 * @param[in] consumer the consumer
 * @param[out] imm_data_len bytes; the default if none was set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_get_imm_data_len(const struct doca_comch_consumer *consumer,
						  uint32_t *imm_data_len);

/* ---- Capabilities: legal at any time, from any thread ---- */

/**
 * @brief Ask whether consumers may run on a device.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: they may
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no fast path
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Get the largest number of post-receive tasks of one consumer.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_num_tasks tasks
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
						       uint32_t *max_num_tasks);

/**
 * @brief Get the size of the largest buffer that can be posted.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_buf_size bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no fast path
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
						      uint32_t *max_buf_size);

/**
 * @brief Get the length of the longest buffer list that can be posted.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_buf_list_len elements; 1 means single buffers only
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no fast path
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_buf_list_len);

/**
 * @brief Get the largest number of consumers that one end of a connection can have.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_consumers consumers
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_consumers(const struct doca_devinfo *devinfo,
						       uint32_t *max_consumers);

/**
 * @brief Get the longest immediate data that a consumer can be set to take.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_imm_data_len bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(const struct doca_devinfo *devinfo,
							  uint32_t *max_imm_data_len);

/* ---- Post-receive task ---- */

/**
 * @brief Set the callbacks and the number of post-receive tasks; needed before start. Legal in:
 * IDLE.
 *
 * @param[in] consumer the consumer
 * @param[in] task_completion_cb runs when a producer has filled a buffer
 * @param[in] task_error_cb runs when a buffer comes back unfilled; may be the same function
 * @param[in] num_post_recv_tasks pool size, 1 to doca_comch_consumer_cap_get_max_num_tasks(); so
 *         many can be posted at a time
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_post_recv_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE, or on the DPA data path
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_task_post_recv_set_conf(
	struct doca_comch_consumer *consumer,
	doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
	doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb,
	uint32_t num_post_recv_tasks);

/**
 * @brief Take a post-receive task from the pool and fill it in. Legal in: RUNNING, from inside the
 * RUNNING callback on.
 *
 * @param[in] consumer the consumer
 * @param[in] buf buffer inside the consumer's mmap, filled after its present data and not to be
 *         touched between submit and completion; NULL to receive immediate data only, which is the
 *         rule on a MsgQ
 * @param[out] task the task; the caller's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer or task is NULL, buf is outside the mmap or a list, or
 *         buf is given on a MsgQ
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_task_post_recv_alloc_init(struct doca_comch_consumer *consumer,
					      struct doca_buf *buf,
					      struct doca_comch_consumer_task_post_recv **task);

/**
 * @brief Get the buffer of a post-receive task. Legal in: every state.
 *
 * @param[in] task the task
 * @return its buffer; NULL if it has none or for NULL
 */
DOCA_STABLE
struct doca_buf *
doca_comch_consumer_task_post_recv_get_buf(const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Replace the buffer of a post-receive task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] buf the new buffer, as for doca_comch_consumer_task_post_recv_alloc_init(); a wrong
 *         one is reported by doca_task_submit()
 */
DOCA_STABLE
void doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
						struct doca_buf *buf);

/**
 * @brief Get the producer that filled a post-receive task. Legal from its completion on.
 *
 * @param[in] task the task
 * @return the producer's id; 0 before completion or for NULL
 */
DOCA_STABLE
uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Get the immediate data that came with a receive. Legal from the task's completion on.
 *
 * @param[in] task the task
 * @return the bytes inside the task, valid until it is submitted again or freed; NULL if there are
 *         none or for NULL
 */
DOCA_STABLE
const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Get the length of the immediate data that came with a receive. Legal from the task's
 * completion on.
 *
 * @param[in] task the task
 * @return bytes; 0 if there are none or for NULL
 */
DOCA_STABLE
uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief View a post-receive task as a generic task, to submit and free it, and to read its status.
 * Legal in: every state.
 *
 * @param[in] task the post-receive task
 * @return the same task; NULL for NULL
 */
DOCA_STABLE
struct doca_task *
doca_comch_consumer_task_post_recv_as_task(struct doca_comch_consumer_task_post_recv *task);

/* ---- DPA and GPU data path: consumers of a MsgQ whose code runs there ---- */

/**
 * @brief Attach a DPA consumer to a consumer completion; needed before start. Legal in: IDLE, after
 * doca_ctx_set_datapath_on_dpa().
 *
 * @param[in] consumer the consumer
 * @param[in] consumer_comp a started consumer completion; stays the caller's and must outlive the
 *         consumer
 * @param[in] user_data a tag of the program's own, which no call reads
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the completion's thread is of another DPA
 * @return DOCA_ERROR_BAD_STATE: not IDLE, not on the DPA data path, or the completion is not
 *         started
 * @return DOCA_ERROR_NO_MEMORY: the completion has as many consumers as it can
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_consumer_set_completion(struct doca_comch_consumer *consumer,
				   struct doca_comch_consumer_completion *consumer_comp,
				   uint32_t user_data);

/**
 * @brief Set the depth of a DPA consumer's receive queue; needed before start. Legal in: IDLE.
 *
 * @param[in] consumer the consumer
 * @param[in] dev_num_recv receives that can be posted; rounded up to a power of two
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer is NULL, or dev_num_recv is 0 or above
 *         doca_comch_consumer_cap_get_max_num_tasks()
 * @return DOCA_ERROR_BAD_STATE: not IDLE, or the MsgQ has its consumers on the CPU
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_set_dev_max_num_recv(struct doca_comch_consumer *consumer,
						      uint32_t dev_num_recv);

/**
 * doca_comch_consumer_set_dev_max_num_recv() as 2.7 spelled it; the same in every respect.
 *
 * @copydetails doca_comch_consumer_set_dev_max_num_recv
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_set_dev_num_recv(struct doca_comch_consumer *consumer,
						  uint32_t dev_num_recv);

/**
 * @brief Get the handle by which device code names the consumer. Legal in: RUNNING, on the DPA data
 * path.
 *
 * @param[in] consumer the consumer
 * @param[out] dpa_consumer the handle; void once the consumer is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not started, or not on the DPA data path
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_get_dpa_handle(struct doca_comch_consumer *consumer,
						doca_dpa_dev_comch_consumer_t *dpa_consumer);

/**
 * @brief Get the handle by which GPU code names the consumer. Legal in: RUNNING, on the GPU data
 * path.
 *
 * @param[in] consumer the consumer
 * @param[out] gpu_consumer the handle; void once the consumer is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not started, or not on the GPU data path
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_get_gpu_handle(struct doca_comch_consumer *consumer,
						struct doca_comch_gpu_consumer **gpu_consumer);

/* ---- Consumer completion: create, set, start, attach consumers, stop, destroy ---- */

/**
 * @brief Create a consumer completion, stopped and not bound to a device yet.
 *
 * @param[out] consumer_comp the consumer completion, owned by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer_comp is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_consumer_completion_create(struct doca_comch_consumer_completion **consumer_comp);

/**
 * @brief Set the DPA thread that an arrival wakes; needed before start. Legal while stopped.
 *
 * @param[in] consumer_comp the consumer completion
 * @param[in] dpa_thread a started thread; stays the caller's and must outlive consumer_comp
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: started
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_consumer_completion_set_dpa_thread(struct doca_comch_consumer_completion *consumer_comp,
					      struct doca_dpa_thread *dpa_thread);

/**
 * @brief Set how many consumers can be attached. Legal while stopped.
 *
 * @param[in] consumer_comp the consumer completion
 * @param[in] max_num_consumers consumers, rounded up to a power of two; 1 until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer_comp is NULL, or the number is out of range
 * @return DOCA_ERROR_BAD_STATE: started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_consumers);

/**
 * @brief Get how many consumers can be attached. Legal in every state.
 *
 * @param[in] consumer_comp the consumer completion
 * @param[out] max_num_consumers consumers
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_consumers);

/**
 * @brief Set how many receives all attached consumers together can have posted. Legal while
 * stopped.
 *
 * @param[in] consumer_comp the consumer completion
 * @param[in] max_num_recv receives, rounded up to a power of two; 64 until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer_comp is NULL, or the number is out of range
 * @return DOCA_ERROR_BAD_STATE: started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_max_num_recv(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_recv);

/**
 * @brief Get how many receives all attached consumers together can have posted. Legal in every
 * state.
 *
 * @param[in] consumer_comp the consumer completion
 * @param[out] max_num_recv receives
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_max_num_recv(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_recv);

/**
 * @brief Set the longest immediate data; at least that of every consumer to be attached. Legal
 * while stopped.
 *
 * @param[in] consumer_comp the consumer completion
 * @param[in] imm_data_len bytes, 0 to 32; 32 until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer_comp is NULL, or imm_data_len is out of range
 * @return DOCA_ERROR_BAD_STATE: started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_imm_data_len(
	struct doca_comch_consumer_completion *consumer_comp, uint32_t imm_data_len);

/**
 * @brief Get the longest immediate data. Legal in every state.
 *
 * @param[in] consumer_comp the consumer completion
 * @param[out] imm_data_len bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_imm_data_len(
	const struct doca_comch_consumer_completion *consumer_comp, uint32_t *imm_data_len);

/**
 * @brief Start a consumer completion: its settings are fixed, consumers can be attached. Legal
 * while stopped.
 *
 * @param[in] consumer_comp the consumer completion
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer_comp is NULL
 * @return DOCA_ERROR_BAD_STATE: started already, no DPA thread was set, or it is not started
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_consumer_completion_start(struct doca_comch_consumer_completion *consumer_comp);

/**
 * @brief Stop a consumer completion. Legal while started and without consumers.
 *
 * @param[in] consumer_comp the consumer completion
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer_comp is NULL
 * @return DOCA_ERROR_IN_USE: consumers are still attached
 * @return DOCA_ERROR_BAD_STATE: not started
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_consumer_completion_stop(struct doca_comch_consumer_completion *consumer_comp);

/**
 * @brief Destroy a consumer completion; its handle in device code dies with it. Legal while
 * stopped.
 *
 * @param[in] consumer_comp the consumer completion
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: consumer_comp is NULL
 * @return DOCA_ERROR_BAD_STATE: started
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_consumer_completion_destroy(struct doca_comch_consumer_completion *consumer_comp);

/**
 * @brief Get the handle by which device code names a consumer completion. Legal while started.
 *
 * @param[in] consumer_comp the consumer completion
 * @param[out] consumer_comp_handle the handle; void once consumer_comp is destroyed
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_dpa_handle(
	struct doca_comch_consumer_completion *consumer_comp,
	doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_COMCH_CONSUMER_H_ */
