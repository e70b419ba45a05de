/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_pe.h
 * The progress engine and the tasks that it completes.
 *
 * A program calls doca_pe_progress() over and over; completions, events and changes of state are
 * delivered inside it, on the calling thread. Inside a callback a program may submit, allocate and
 * free tasks (the completed one too), stop contexts and progress another engine; it may not
 * progress or destroy the same engine, nor change its event mode.
 *
 * To sleep when there is nothing to do: progress until it returns 0, request a notification, wait
 * until the handle is readable, clear the notification, progress until 0 again. What arrives
 * between the last 0 and the request makes the handle readable at once.
 *
 * A task belongs to the program from allocation to submit and again from its callback on, when it
 * may be submitted anew, kept, or freed. One of its two callbacks runs, once, per accepted submit.
 *
 * Threads: a progress engine, its contexts and all that belongs to them are used by one thread at a
 * time. Outputs are written only on success.
 */
#ifndef DOCA_PE_H_
#define DOCA_PE_H_

#include <doca_compat.h>
#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_pe;
struct doca_task;
struct doca_task_batch;

/** Most tasks that a task batch can hold. */
enum doca_task_batch_max_tasks_number {
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16 = 0,  /**< 16 tasks. */
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32 = 1,  /**< 32 tasks. */
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64 = 2,  /**< 64 tasks. */
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128 = 3, /**< 128 tasks. */
};

/** Number of events that an event batch reports together. The values of 2.9 differ. */
enum doca_event_batch_events_number {
#if defined(SOFTDPU_API) && SOFTDPU_API == 209
	DOCA_EVENT_BATCH_EVENTS_NUMBER_4 = 0,	/**< 4 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_8 = 1,	/**< 8 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_16 = 2,	/**< 16 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_32 = 3,	/**< 32 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_64 = 4,	/**< 64 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_128 = 5, /**< 128 events. */
#else
	DOCA_EVENT_BATCH_EVENTS_NUMBER_1 = 0,	/**< 1 event. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_2 = 1,	/**< 2 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_4 = 2,	/**< 4 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_8 = 3,	/**< 8 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_16 = 4,	/**< 16 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_32 = 5,	/**< 32 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_64 = 6,	/**< 64 events. */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_128 = 7, /**< 128 events. */
#endif
};

/** How a task is submitted: a mask. */
enum doca_task_submit_flag {
	/** The device may see the task later, with one that is flushed. */
	DOCA_TASK_SUBMIT_FLAG_NONE = 0,
	/** The device sees this task and all before it now. */
	DOCA_TASK_SUBMIT_FLAG_FLUSH = (1 << 0),
	/** Its completion may wait for a later task without this flag, which must follow. */
	DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS = (1 << 1),
};

/** Which contexts progress between the request of a notification and its clearing. */
enum doca_pe_event_mode {
	/** Those with news only; the notification must be cleared. The default. */
	DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE = 0,
	/** All; a new request clears the notification before it. */
	DOCA_PE_EVENT_MODE_PROGRESS_ALL = 1,
};

/**
 * A task completed, well or not. The libraries have typed variants of the same shape.
 *
 * @param task the task, which belongs to the program again
 * @param task_user_data the value stored in the task
 * @param ctx_user_data the value stored in its context
 */
typedef void (*doca_task_completion_cb_t)(struct doca_task *task, union doca_data task_user_data,
					  union doca_data ctx_user_data);

/**
 * Create a progress engine.
 *
 * @param[out] pe the engine, owned by the caller until doca_pe_destroy()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: pe is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_INITIALIZATION: its file descriptors could not be had
 */
DOCA_STABLE
doca_error_t doca_pe_create(struct doca_pe **pe);

/**
 * Destroy a progress engine, its notification handle included. Every context connected to it must
 * have been destroyed before. Not inside its callbacks.
 *
 * @param pe the engine
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: pe is NULL
 * @return DOCA_ERROR_IN_USE: a context is still connected, a graph exists, or one of its callbacks
 * is running
 */
DOCA_STABLE
doca_error_t doca_pe_destroy(struct doca_pe *pe);

/**
 * Do one step of work and run the callbacks that it leads to. Never blocks. Not inside callbacks of
 * the same engine.
 *
 * @param pe the engine; not checked
 * @return 1 if a task completed, an event was delivered or a context changed its state, else 0
 */
DOCA_STABLE
uint8_t doca_pe_progress(struct doca_pe *pe);

/**
 * Connect a context to a progress engine, until the context is destroyed. Legal in IDLE.
 *
 * @param pe the engine; must outlive the context
 * @param ctx the context
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the context is not IDLE
 * @return DOCA_ERROR_NOT_PERMITTED: the context is connected already
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_STABLE
doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx);

/**
 * The descriptor to wait on: readable when a requested notification has come. The same one for the
 * life of the engine.
 *
 * @param pe the engine
 * @param[out] handle the descriptor, for poll, select or epoll; owned by the engine, not to be read
 *             or closed
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
					     doca_notification_handle_t *handle);

/**
 * Ask for a notification when there is work. If there is some already, the handle is readable at
 * once.
 *
 * @param pe the engine
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: pe is NULL
 * @return DOCA_ERROR_OPERATING_SYSTEM: a system call failed
 */
DOCA_STABLE
doca_error_t doca_pe_request_notification(struct doca_pe *pe);

/**
 * Take back the request and whatever made the handle readable. Needed before progress in the
 * selective mode.
 *
 * @param pe the engine
 * @param handle not used on Linux
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: pe is NULL
 * @return DOCA_ERROR_OPERATING_SYSTEM: a system call failed
 */
DOCA_STABLE
doca_error_t doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle);

/**
 * Give an engine the program's own handle; of use on Windows only.
 *
 * @param pe the engine
 * @param handle the handle, which stays with the program
 * @param completion_key the value reported with a notification
 * @return DOCA_ERROR_INVALID_VALUE: pe is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: otherwise, on Linux
 */
DOCA_STABLE
doca_error_t doca_pe_set_notification_handle(struct doca_pe *pe, doca_notification_handle_t handle,
					     union doca_data completion_key);

/**
 * Choose which contexts progress while a notification is pending. Not inside callbacks.
 *
 * @param pe the engine
 * @param mode the mode
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: pe is NULL, or there is no such mode
 * @return DOCA_ERROR_BAD_STATE: called inside a callback of the engine
 */
DOCA_EXPERIMENTAL
doca_error_t doca_pe_set_event_mode(struct doca_pe *pe, enum doca_pe_event_mode mode);

/**
 * Number of tasks that were submitted and have not completed, over all contexts of the engine.
 *
 * @param pe the engine
 * @param[out] num_inflight_tasks that number
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe, size_t *num_inflight_tasks);

/**
 * Submit a task, with all before it that were not flushed. Its parameters are not validated beyond
 * what safety needs. Legal while its context is RUNNING. When it fails, the task stays with the
 * program and no callback follows.
 *
 * @param task the task; belongs to the library until its callback
 * @return DOCA_SUCCESS: one of its two callbacks will run
 * @return DOCA_ERROR_AGAIN: no room at the moment; retry, with or without progress in between
 * @return DOCA_ERROR_BAD_STATE: the context is not RUNNING
 * @return DOCA_ERROR_INVALID_VALUE: task is NULL, or a parameter that the library cannot do with
 */
DOCA_STABLE
doca_error_t doca_task_submit(struct doca_task *task);

/**
 * Submit a task as doca_task_submit() does, after validating it in full.
 *
 * @param task the task; belongs to the library until its callback
 * @return DOCA_SUCCESS: one of its two callbacks will run
 * @return DOCA_ERROR_INVALID_VALUE: task is NULL, or one of its parameters is wrong
 * @return DOCA_ERROR_AGAIN: no room at the moment; retry
 * @return DOCA_ERROR_BAD_STATE: the context is not RUNNING
 */
DOCA_STABLE
doca_error_t doca_task_try_submit(struct doca_task *task);

/**
 * Submit a task with flags.
 *
 * @param task the task; belongs to the library until its callback
 * @param flags values of doca_task_submit_flag, OR-ed
 * @return DOCA_SUCCESS: one of its two callbacks will run
 * @return DOCA_ERROR_AGAIN: no room at the moment; retry
 * @return DOCA_ERROR_BAD_STATE: the context is not RUNNING
 * @return DOCA_ERROR_INVALID_VALUE: task is NULL, or a flag is unknown
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags);

/**
 * Give a task back to the pool of its context. Legal in RUNNING and STOPPING, not while the task is
 * submitted. Does nothing for NULL.
 *
 * @param task the task, which must not be used any more
 */
DOCA_STABLE
void doca_task_free(struct doca_task *task);

/**
 * Result of the last submit of a task. Meaningful from its callback to its next submit.
 *
 * @param task the task
 * @return DOCA_SUCCESS: it completed well
 * @return any other code: why it failed, as documented with the task; DOCA_ERROR_INVALID_VALUE for
 *         NULL
 */
DOCA_STABLE
doca_error_t doca_task_get_status(const struct doca_task *task);

/**
 * Store a value that the callbacks of a task are given, in place of the one given at allocation.
 * Does nothing for NULL.
 *
 * @param task the task
 * @param user_data copied; what it points to stays with the program
 */
DOCA_STABLE
void doca_task_set_user_data(struct doca_task *task, union doca_data user_data);

/**
 * Read that value back.
 *
 * @param task the task
 * @return the value; zero for NULL
 */
DOCA_STABLE
union doca_data doca_task_get_user_data(const struct doca_task *task);

/**
 * The context that a task belongs to.
 *
 * @param task the task
 * @return its context, owned by the library object; NULL for NULL
 */
DOCA_STABLE
struct doca_ctx *doca_task_get_ctx(const struct doca_task *task);

/**
 * Submit a batch of tasks, which completes with one callback. Not validated beyond what safety
 * needs. No library of softdpu makes such batches.
 *
 * @param task_batch the batch; belongs to the library until its callback
 * @return DOCA_SUCCESS: one of its two callbacks will run
 * @return DOCA_ERROR_INVALID_VALUE: task_batch is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: no library here has task batches
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch);

/**
 * Submit a batch as doca_task_batch_submit() does, after validating it in full.
 *
 * @param task_batch the batch; belongs to the library until its callback
 * @return DOCA_SUCCESS: one of its two callbacks will run
 * @return DOCA_ERROR_INVALID_VALUE: task_batch is NULL, or a parameter in it is wrong
 * @return DOCA_ERROR_NOT_SUPPORTED: no library here has task batches
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch);

/**
 * Give a batch and its tasks back to their pool. Not while it is submitted. Does nothing for NULL.
 *
 * @param task_batch the batch, which must not be used any more
 */
DOCA_EXPERIMENTAL
void doca_task_batch_free(struct doca_task_batch *task_batch);

/**
 * Result of the last submit of a batch. Meaningful from its callback to its next submit.
 *
 * @param task_batch the batch
 * @return DOCA_SUCCESS: all its tasks completed well
 * @return any other code: why one failed; DOCA_ERROR_INVALID_VALUE for NULL,
 *         DOCA_ERROR_NOT_SUPPORTED where no library has task batches
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch);

/**
 * Store a value that the callbacks of a batch are given. Does nothing for NULL.
 *
 * @param task_batch the batch
 * @param user_data copied; what it points to stays with the program
 */
DOCA_EXPERIMENTAL
void doca_task_batch_set_user_data(struct doca_task_batch *task_batch, union doca_data user_data);

/**
 * Read that value back.
 *
 * @param task_batch the batch
 * @return the value; zero for NULL
 */
DOCA_EXPERIMENTAL
union doca_data doca_task_batch_get_user_data(const struct doca_task_batch *task_batch);

/**
 * The context that a batch belongs to.
 *
 * @param task_batch the batch
 * @return its context, owned by the library object; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch);

/**
 * The value stored in the context that a batch belongs to.
 *
 * @param task_batch the batch
 * @return the value; zero for NULL
 */
DOCA_EXPERIMENTAL
union doca_data doca_task_batch_get_ctx_user_data(const struct doca_task_batch *task_batch);

/**
 * Number of tasks in a batch.
 *
 * @param task_batch the batch
 * @return that number; 0 for NULL
 */
DOCA_EXPERIMENTAL
uint16_t doca_task_batch_get_tasks_num(const struct doca_task_batch *task_batch);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_PE_H_ */
