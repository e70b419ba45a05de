/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_rdma_task_sync_event.h
 * @brief Remote sync events: tasks get, set and add.
 *
 * They work on a sync event of another program, on this machine or another, imported with
 * doca_sync_event_remote_net_create_from_export(). The connection leads to a context of that
 * program, whose permissions count; its threads take no part. Those that wait for the event see the
 * new value. Status of a task that fails: as in doca_rdma_task_memory.h. Part of doca_rdma.h, whose
 * conventions hold.
 */
#ifndef DOCA_RDMA_TASK_SYNC_EVENT_H_
#define DOCA_RDMA_TASK_SYNC_EVENT_H_

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
struct doca_sync_event_remote_net;

/* ---- Get ---- */

/** Reads the event. Needs DOCA_ACCESS_FLAG_RDMA_READ at its owner. */
struct doca_rdma_task_remote_net_sync_event_get;

/**
 * @brief A sync-event-get task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_remote_net_sync_event_get_completion_cb_t)(
	struct doca_rdma_task_remote_net_sync_event_get *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can read a remote sync event.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_task_remote_net_sync_event_get_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Set the callbacks and the number of sync-event-get tasks. The last call before start
 * counts. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when the value is in the local buffer
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_get_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_remote_net_sync_event_get_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_remote_net_sync_event_get_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Take a sync-event-get task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection connection to use, of the same context; one that is exported but not
 *         connected yet makes the task wait
 * @param[in] event the event, imported from its owner; stays the program's and must outlive the
 *         task's use
 * @param[in] dst_buf local buffer with room for 8 bytes, or the head of a list; filled after its
 *         present data. Not to be touched before completion
 * @param[in] user_data value handed to the callback
 * @param[out] task the task; the program's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the connection is not of this context
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_get_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf,
	union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_get **task);

/**
 * @brief View a sync-event-get task as a generic task, to submit and free it, and to read its
 * status. Legal in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_remote_net_sync_event_get_as_task(
	struct doca_rdma_task_remote_net_sync_event_get *task);

/**
 * @brief Replace the sync event of a sync-event-get task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] event the new event; stays the program's and must outlive the task's use
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_get_set_sync_event(
	struct doca_rdma_task_remote_net_sync_event_get *task,
	const struct doca_sync_event_remote_net *event);

/**
 * @brief Get the sync event of a sync-event-get task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the event; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_sync_event_remote_net *doca_rdma_task_remote_net_sync_event_get_get_sync_event(
	const struct doca_rdma_task_remote_net_sync_event_get *task);

/**
 * @brief Replace the destination buffer of a sync-event-get task. Legal while the task is not
 * submitted.
 *
 * @param[in] task the task
 * @param[in] dst_buf the new buffer, as for
 *         doca_rdma_task_remote_net_sync_event_get_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_get_set_dst_buf(
	struct doca_rdma_task_remote_net_sync_event_get *task, struct doca_buf *dst_buf);

/**
 * @brief Get the destination buffer of a sync-event-get task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_remote_net_sync_event_get_get_dst_buf(
	const struct doca_rdma_task_remote_net_sync_event_get *task);

/**
 * @brief Get how much a sync-event-get task has transferred. Legal from the task's completion on.
 *
 * @param[in] task the task
 * @return bytes read, 8; 0 after a failure or for NULL
 */
DOCA_EXPERIMENTAL
uint32_t doca_rdma_task_remote_net_sync_event_get_get_result_len(
	const struct doca_rdma_task_remote_net_sync_event_get *task);

/**
 * @brief Replace the connection of a sync-event-get task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] rdma_connection an established or exported connection of the same context
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_get_set_rdma_connection(
	struct doca_rdma_task_remote_net_sync_event_get *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a sync-event-get task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the connection; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *doca_rdma_task_remote_net_sync_event_get_get_rdma_connection(
	const struct doca_rdma_task_remote_net_sync_event_get *task);

/* ---- Set ---- */

/** Sets the event and wakes its waiters. Needs DOCA_ACCESS_FLAG_RDMA_WRITE at its owner. */
struct doca_rdma_task_remote_net_sync_event_notify_set;

/**
 * @brief A sync-event-set task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t)(
	struct doca_rdma_task_remote_net_sync_event_notify_set *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can set a remote sync event.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Set the callbacks and the number of sync-event-set tasks. The last call before start
 * counts. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when the event has the new value
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t
		successful_task_completion_cb,
	doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Take a sync-event-set task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection connection to use, of the same context; one that is exported but not
 *         connected yet makes the task wait
 * @param[in] event the event, imported from its owner; stays the program's and must outlive the
 *         task's use
 * @param[in] src_buf the new value: the first 8 bytes of the data of a local buffer, or of a list.
 *         Not to be changed before completion
 * @param[in] user_data value handed to the callback
 * @param[out] task the task; the program's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the connection is not of this context
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_sync_event_remote_net *event, const struct doca_buf *src_buf,
	union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_set **task);

/**
 * @brief View a sync-event-set task as a generic task, to submit and free it, and to read its
 * status. Legal in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_remote_net_sync_event_notify_set_as_task(
	struct doca_rdma_task_remote_net_sync_event_notify_set *task);

/**
 * @brief Replace the sync event of a sync-event-set task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] event the new event; stays the program's and must outlive the task's use
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event(
	struct doca_rdma_task_remote_net_sync_event_notify_set *task,
	struct doca_sync_event_remote_net *event);

/**
 * @brief Get the sync event of a sync-event-set task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the event; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_sync_event_remote_net *doca_rdma_task_remote_net_sync_event_notify_set_get_sync_event(
	const struct doca_rdma_task_remote_net_sync_event_notify_set *task);

/**
 * @brief Replace the connection of a sync-event-set task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] rdma_connection an established or exported connection of the same context
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_set_set_rdma_connection(
	struct doca_rdma_task_remote_net_sync_event_notify_set *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a sync-event-set task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the connection; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_remote_net_sync_event_notify_set_get_rdma_connection(
	const struct doca_rdma_task_remote_net_sync_event_notify_set *task);

/**
 * @brief Replace the source buffer of a sync-event-set task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] src_buf the new buffer, as for
 *         doca_rdma_task_remote_net_sync_event_notify_set_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_set_set_src_buf(
	struct doca_rdma_task_remote_net_sync_event_notify_set *task,
	const struct doca_buf *src_buf);

/**
 * @brief Get the source buffer of a sync-event-set task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL if there is none or for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf(
	const struct doca_rdma_task_remote_net_sync_event_notify_set *task);

/* ---- Add ---- */

/**
 * @brief Adds to the event and wakes its waiters; brings back the old value. Needs
 * DOCA_ACCESS_FLAG_RDMA_ATOMIC at its owner.
 */
struct doca_rdma_task_remote_net_sync_event_notify_add;

/**
 * @brief A sync-event-add task is done; one type serves success and error.
 *
 * @param[in] task the task, the program's again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t)(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Ask whether a device can add to a remote sync event.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it can
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Set the callbacks and the number of sync-event-add tasks. The last call before start
 * counts. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] successful_task_completion_cb runs when the event has the new value
 * @param[in] error_task_completion_cb runs when that failed; may be the same function
 * @param[in] num_tasks pool size, 1 to what the queue capabilities allow
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t
		successful_task_completion_cb,
	doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Take a sync-event-add task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection connection to use, of the same context; one that is exported but not
 *         connected yet makes the task wait
 * @param[in] event the event, imported from its owner; stays the program's and must outlive the
 *         task's use
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
doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_sync_event_remote_net *event, struct doca_buf *result_buf, uint64_t add_data,
	union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_add **task);

/**
 * @brief View a sync-event-add task as a generic task, to submit and free it, and to read its
 * status. Legal in: every state.
 *
 * @param[in] task the task
 * @return the same task, at the same address; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_remote_net_sync_event_notify_add_as_task(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/**
 * @brief Replace the sync event of a sync-event-add task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] event the new event; stays the program's and must outlive the task's use
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task,
	struct doca_sync_event_remote_net *event);

/**
 * @brief Get the sync event of a sync-event-add task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the event; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_sync_event_remote_net *doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event(
	const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/**
 * @brief Replace the result buffer of a sync-event-add task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] result_buf the new buffer, as for
 *         doca_rdma_task_remote_net_sync_event_notify_add_allocate_init()
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_result_buf(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task, struct doca_buf *result_buf);

/**
 * @brief Get the result buffer of a sync-event-add task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the buffer; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf(
	const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/**
 * @brief Replace the value to add of a sync-event-add task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] add_data the new value, in host order
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_add_data(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task, uint64_t add_data);

/**
 * @brief Get the value to add of a sync-event-add task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the value, in host order; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint64_t doca_rdma_task_remote_net_sync_event_notify_add_get_add_data(
	const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/**
 * @brief Replace the connection of a sync-event-add task. Legal while the task is not submitted.
 *
 * @param[in] task the task
 * @param[in] rdma_connection an established or exported connection of the same context
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_rdma_connection(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a sync-event-add task. Legal in: every state.
 *
 * @param[in] task the task
 * @return the connection; NULL for NULL
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_remote_net_sync_event_notify_add_get_rdma_connection(
	const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_TASK_SYNC_EVENT_H_ */
