/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_sync_event_task.h
 * @brief Tasks of sync events: asynchronous get, set, add and wait.
 *
 * Part of doca_sync_event.h, which includes it and says what holds for all of them. Tasks follow
 * the common rules of doca_pe.h: configured while the context is idle, allocated and submitted
 * while it runs, ended by one of the two callbacks. A failed task leaves the context running.
 *
 * Get, set and add take effect in the order in which they were submitted, and complete in it. A
 * wait task ends when doca_pe_progress() finds its condition to hold, whoever made it hold; waits
 * hold up nobody. As a publisher rings no engine, one that sleeps with a wait submitted has its
 * notification handle made ready about every millisecond, to look.
 *
 * What a task fails with, besides the common codes: DOCA_ERROR_CONNECTION_RESET and
 * DOCA_ERROR_NOT_PERMITTED, when the exporter of an imported event has died or has stopped it;
 * DOCA_ERROR_IO_FAILED, when the user's memory of the counter is gone; DOCA_ERROR_SHUTDOWN, for
 * what waits when the context stops.
 *
 * Threads: the one of the progress engine. Capability calls: any.
 */
#ifndef DOCA_SYNC_EVENT_TASK_H_
#define DOCA_SYNC_EVENT_TASK_H_

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_devinfo;
struct doca_sync_event;
struct doca_task;

struct doca_sync_event_task_get;	/* reads the counter */
struct doca_sync_event_task_notify_set; /* sets it */
struct doca_sync_event_task_notify_add; /* adds to it */
struct doca_sync_event_task_wait_eq;	/* ends when it is equal */
struct doca_sync_event_task_wait_neq;	/* ends when it differs */

/**
 * @brief Called from doca_pe_progress() when a task of this type has ended, one way or the other.
 *
 * @param[in] task the task; it is the user's again, to be freed or submitted once more
 * @param[in] task_user_data the value given to the task
 * @param[in] ctx_user_data the value given to the context
 */
typedef void (*doca_sync_event_task_get_completion_cb_t)(struct doca_sync_event_task_get *task,
							 union doca_data task_user_data,
							 union doca_data ctx_user_data);

/** As doca_sync_event_task_get_completion_cb_t, for a set task. */
typedef void (*doca_sync_event_task_notify_set_completion_cb_t)(
	struct doca_sync_event_task_notify_set *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/** As doca_sync_event_task_get_completion_cb_t, for an add task. */
typedef void (*doca_sync_event_task_notify_add_completion_cb_t)(
	struct doca_sync_event_task_notify_add *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/** As doca_sync_event_task_get_completion_cb_t, for a wait-until-equals task. */
typedef void (*doca_sync_event_task_wait_eq_completion_cb_t)(
	struct doca_sync_event_task_wait_eq *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/** As doca_sync_event_task_get_completion_cb_t, for a wait-until-differs task. */
typedef void (*doca_sync_event_task_wait_neq_completion_cb_t)(
	struct doca_sync_event_task_wait_neq *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Ask whether a device has the read task.
 *
 * @param[in] devinfo the device
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it has not
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_get_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device has the set task.
 *
 * As doca_sync_event_cap_task_get_is_supported() otherwise.
 * @copydetails doca_sync_event_cap_task_get_is_supported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_notify_set_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device has the add task.
 *
 * As doca_sync_event_cap_task_get_is_supported() otherwise.
 * @copydetails doca_sync_event_cap_task_get_is_supported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_notify_add_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device has the wait-until-equals task.
 *
 * As doca_sync_event_cap_task_get_is_supported() otherwise.
 * @copydetails doca_sync_event_cap_task_get_is_supported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_wait_eq_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device has the wait-until-differs task.
 *
 * As doca_sync_event_cap_task_get_is_supported() otherwise.
 * @copydetails doca_sync_event_cap_task_get_is_supported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_wait_neq_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Configure the read task. The context must be idle.
 *
 * @param[in] event the sync event
 * @param[in] cb called when a task succeeded
 * @param[in] err_cb called when a task failed or was flushed; may be the same function
 * @param[in] num_tasks how many can be allocated at a time, at least 1
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_tasks is 0 or more than 65536
 * @return DOCA_ERROR_BAD_STATE: the context is not idle
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_get_set_conf(struct doca_sync_event *event,
					       doca_sync_event_task_get_completion_cb_t cb,
					       doca_sync_event_task_get_completion_cb_t err_cb,
					       uint32_t num_tasks);

/**
 * @brief Configure the set task.
 *
 * As doca_sync_event_task_get_set_conf() otherwise.
 * @copydetails doca_sync_event_task_get_set_conf
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_set_set_conf(
	struct doca_sync_event *event, doca_sync_event_task_notify_set_completion_cb_t cb,
	doca_sync_event_task_notify_set_completion_cb_t err_cb, uint32_t num_tasks);

/**
 * @brief Configure the add task.
 *
 * As doca_sync_event_task_get_set_conf() otherwise.
 * @copydetails doca_sync_event_task_get_set_conf
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_add_set_conf(
	struct doca_sync_event *event, doca_sync_event_task_notify_add_completion_cb_t cb,
	doca_sync_event_task_notify_add_completion_cb_t err_cb, uint32_t num_tasks);

/**
 * @brief Configure the wait-until-equals task.
 *
 * As doca_sync_event_task_get_set_conf() otherwise.
 * @copydetails doca_sync_event_task_get_set_conf
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_eq_set_conf(
	struct doca_sync_event *event, doca_sync_event_task_wait_eq_completion_cb_t cb,
	doca_sync_event_task_wait_eq_completion_cb_t err_cb, uint32_t num_tasks);

/**
 * @brief Configure the wait-until-differs task.
 *
 * As doca_sync_event_task_get_set_conf() otherwise.
 * @copydetails doca_sync_event_task_get_set_conf
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_neq_set_conf(
	struct doca_sync_event *event, doca_sync_event_task_wait_neq_completion_cb_t cb,
	doca_sync_event_task_wait_neq_completion_cb_t err_cb, uint32_t num_tasks);

/**
 * @brief Take a read task from the pool. The context must be running.
 *
 * @param[in] event the sync event
 * @param[in] ret_val_ptr where the counter is stored before the callback; stays the caller's
 * @param[in] user_data handed to the callback
 * @param[out] task the task; freed with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the context is not running
 * @return DOCA_ERROR_NO_MEMORY: all tasks are allocated, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_get_alloc_init(struct doca_sync_event *event,
						 uint64_t *ret_val_ptr, union doca_data user_data,
						 struct doca_sync_event_task_get **task);

/**
 * @brief Take a set task from the pool. The context must be running.
 *
 * @param[in] event the sync event
 * @param[in] set_val the new value
 * @param[in] user_data handed to the callback
 * @param[out] task the task; freed with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the context is not running
 * @return DOCA_ERROR_NO_MEMORY: all tasks are allocated, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_task_notify_set_alloc_init(struct doca_sync_event *event, uint64_t set_val,
					   union doca_data user_data,
					   struct doca_sync_event_task_notify_set **task);

/**
 * @brief Take an add task from the pool. The context must be running.
 *
 * @param[in] event the sync event
 * @param[in] inc_val what to add
 * @param[in] fetched_val_ptr where the counter before the addition is stored before the callback;
 * stays the caller's
 * @param[in] user_data handed to the callback
 * @param[out] task the task; freed with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the context is not running
 * @return DOCA_ERROR_NO_MEMORY: all tasks are allocated, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_task_notify_add_alloc_init(struct doca_sync_event *event, uint64_t inc_val,
					   uint64_t *fetched_val_ptr, union doca_data user_data,
					   struct doca_sync_event_task_notify_add **task);

/**
 * @brief Take a wait-until-equals task from the pool. The context must be running.
 *
 * @param[in] event the sync event
 * @param[in] wait_val what to compare with; no bit outside the mask
 * @param[in] mask which bytes of the counter count
 * @param[in] user_data handed to the callback
 * @param[out] task the task; freed with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, value or mask have an illegal form,
 * or no counter can satisfy them
 * @return DOCA_ERROR_BAD_STATE: the context is not running
 * @return DOCA_ERROR_NO_MEMORY: all tasks are allocated, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_eq_alloc_init(struct doca_sync_event *event,
						     uint64_t wait_val, uint64_t mask,
						     union doca_data user_data,
						     struct doca_sync_event_task_wait_eq **task);

/**
 * @brief Take a wait-until-differs task from the pool. The context must be running.
 *
 * @param[in] event the sync event
 * @param[in] wait_val what to compare with; no bit outside the mask
 * @param[in] mask which bytes of the counter count
 * @param[in] user_data handed to the callback
 * @param[out] task the task; freed with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, value or mask have an illegal form,
 * or no counter can satisfy them
 * @return DOCA_ERROR_BAD_STATE: the context is not running
 * @return DOCA_ERROR_NO_MEMORY: all tasks are allocated, or none was configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_wait_neq_alloc_init(struct doca_sync_event *event,
						      uint64_t wait_val, uint64_t mask,
						      union doca_data user_data,
						      struct doca_sync_event_task_wait_neq **task);

/**
 * @brief Look at a read task as a plain task. Legal in any state.
 *
 * @param[in] task the task
 * @return the plain task, with the same life; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_get_as_doca_task(struct doca_sync_event_task_get *task);

/**
 * @brief Look at a set task as a plain task.
 *
 * As doca_sync_event_task_get_as_doca_task() otherwise.
 * @copydetails doca_sync_event_task_get_as_doca_task
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_sync_event_task_notify_set_as_doca_task(struct doca_sync_event_task_notify_set *task);

/**
 * @brief Look at an add task as a plain task.
 *
 * As doca_sync_event_task_get_as_doca_task() otherwise.
 * @copydetails doca_sync_event_task_get_as_doca_task
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_sync_event_task_notify_add_as_doca_task(struct doca_sync_event_task_notify_add *task);

/**
 * @brief Look at a wait-until-equals task as a plain task.
 *
 * As doca_sync_event_task_get_as_doca_task() otherwise.
 * @copydetails doca_sync_event_task_get_as_doca_task
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_sync_event_task_wait_eq_as_doca_task(struct doca_sync_event_task_wait_eq *task);

/**
 * @brief Look at a wait-until-differs task as a plain task.
 *
 * As doca_sync_event_task_get_as_doca_task() otherwise.
 * @copydetails doca_sync_event_task_get_as_doca_task
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_sync_event_task_wait_neq_as_doca_task(struct doca_sync_event_task_wait_neq *task);

/**
 * @brief Change where the task stores the counter. Not while the task is in flight.
 *
 * @param[in] task the task; NULL is ignored
 * @param[in] ret_val_ptr replaces what was given before
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_get_set_ret_val_ptr(struct doca_sync_event_task_get *task,
					      uint64_t *ret_val_ptr);

/**
 * @brief Read where the task stores the counter. Legal in any state.
 *
 * @param[in] task the task
 * @return what was given last; NULL for NULL
 */
DOCA_EXPERIMENTAL
uint64_t *doca_sync_event_task_get_get_ret_val_ptr(const struct doca_sync_event_task_get *task);

/**
 * @brief Change the value that the task sets. Not while the task is in flight.
 *
 * @param[in] task the task; NULL is ignored
 * @param[in] set_val replaces what was given before
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_set_set_set_val(struct doca_sync_event_task_notify_set *task,
						 uint64_t set_val);

/**
 * @brief Read the value that the task sets. Legal in any state.
 *
 * @param[in] task the task
 * @return what was given last; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint64_t
doca_sync_event_task_notify_set_get_set_val(const struct doca_sync_event_task_notify_set *task);

/**
 * @brief Change the value that the task adds. Not while the task is in flight.
 *
 * @param[in] task the task; NULL is ignored
 * @param[in] inc_val replaces what was given before
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_add_set_inc_val(struct doca_sync_event_task_notify_add *task,
						 uint64_t inc_val);

/**
 * @brief Read the value that the task adds. Legal in any state.
 *
 * @param[in] task the task
 * @return what was given last; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint64_t
doca_sync_event_task_notify_add_get_inc_val(const struct doca_sync_event_task_notify_add *task);

/**
 * @brief Change where the task stores the counter before the addition. Not while the task is in
 * flight.
 *
 * @param[in] task the task; NULL is ignored
 * @param[in] fetched_val_ptr replaces what was given before
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_add_set_fetched_val_ptr(
	struct doca_sync_event_task_notify_add *task, uint64_t *fetched_val_ptr);

/**
 * @brief Read where the task stores the counter before the addition. Legal in any state.
 *
 * @param[in] task the task
 * @return what was given last; NULL for NULL
 */
DOCA_EXPERIMENTAL
uint64_t *doca_sync_event_task_notify_add_get_fetched_val_ptr(
	const struct doca_sync_event_task_notify_add *task);

/**
 * @brief Change the value that the task compares with. Not while the task is in flight.
 *
 * @param[in] task the task; NULL is ignored
 * @param[in] wait_val replaces what was given before
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_eq_set_wait_val(struct doca_sync_event_task_wait_eq *task,
					       uint64_t wait_val);

/**
 * @brief Read the value that the task compares with. Legal in any state.
 *
 * @param[in] task the task
 * @return what was given last; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_eq_get_wait_val(const struct doca_sync_event_task_wait_eq *task);

/**
 * @brief Change the mask of the comparison. Not while the task is in flight.
 *
 * @param[in] task the task; NULL is ignored
 * @param[in] mask replaces what was given before
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_eq_set_mask(struct doca_sync_event_task_wait_eq *task,
					   uint64_t mask);

/**
 * @brief Read the mask of the comparison. Legal in any state.
 *
 * @param[in] task the task
 * @return what was given last; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_eq_get_mask(const struct doca_sync_event_task_wait_eq *task);

/**
 * @brief Change the value that the task compares with. Not while the task is in flight.
 *
 * @param[in] task the task; NULL is ignored
 * @param[in] wait_val replaces what was given before
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_neq_set_wait_val(struct doca_sync_event_task_wait_neq *task,
						uint64_t wait_val);

/**
 * @brief Read the value that the task compares with. Legal in any state.
 *
 * @param[in] task the task
 * @return what was given last; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint64_t
doca_sync_event_task_wait_neq_get_wait_val(const struct doca_sync_event_task_wait_neq *task);

/**
 * @brief Change the mask of the comparison. Not while the task is in flight.
 *
 * @param[in] task the task; NULL is ignored
 * @param[in] mask replaces what was given before
 */
DOCA_EXPERIMENTAL
void doca_sync_event_task_wait_neq_set_mask(struct doca_sync_event_task_wait_neq *task,
					    uint64_t mask);

/**
 * @brief Read the mask of the comparison. Legal in any state.
 *
 * @param[in] task the task
 * @return what was given last; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_wait_neq_get_mask(const struct doca_sync_event_task_wait_neq *task);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_SYNC_EVENT_TASK_H_ */
