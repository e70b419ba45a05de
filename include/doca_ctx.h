/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_ctx.h
 * What all library objects have in common: configure, start, run tasks, stop.
 *
 * A context is part of a library object (doca_<library>_as_ctx()) and is created and destroyed with
 * it. It moves IDLE -> [STARTING ->] RUNNING -> STOPPING -> IDLE; a start that fails leads from
 * STARTING through STOPPING, or straight, back to IDLE. It is configured in IDLE, where it can also
 * be destroyed; tasks are allocated and submitted in RUNNING, and freed in RUNNING and STOPPING.
 *
 * Threads: a progress engine, its contexts and all that belongs to them are used by one thread at a
 * time. All functions may be called inside callbacks. Outputs are written only on success.
 */
#ifndef DOCA_CTX_H_
#define DOCA_CTX_H_

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_devinfo;
struct doca_dpa;
struct doca_gpu;

/** States of a context. */
enum doca_ctx_states {
	DOCA_CTX_STATE_IDLE = 0,     /**< Can be configured, started and destroyed. */
	DOCA_CTX_STATE_STARTING = 1, /**< Start was accepted; progress completes it. */
	DOCA_CTX_STATE_RUNNING = 2,  /**< Tasks can be allocated and submitted. */
	DOCA_CTX_STATE_STOPPING = 3, /**< Tasks are flushed; waits until all are freed. */
};

/**
 * A context changed its state. Runs inside doca_pe_progress(), or inside the start or stop call
 * when that one completes the change itself. In the callback for IDLE the object may be destroyed.
 *
 * @param user_data what doca_ctx_set_user_data() stored
 * @param ctx the context, already in next_state
 * @param prev_state the state that it left
 * @param next_state the state that it is in
 */
typedef void (*doca_ctx_state_changed_callback_t)(const union doca_data user_data,
						  struct doca_ctx *ctx,
						  enum doca_ctx_states prev_state,
						  enum doca_ctx_states next_state);

/**
 * Start a context. Legal in IDLE, after it was connected to a progress engine (or its data path was
 * moved elsewhere). Which of the two successes comes is fixed per library.
 *
 * @param ctx the context
 * @return DOCA_SUCCESS: it is RUNNING
 * @return DOCA_ERROR_IN_PROGRESS: it is STARTING; doca_pe_progress() brings it to RUNNING, or back
 *         to IDLE when the start fails
 * @return DOCA_ERROR_INVALID_VALUE: ctx is NULL, or its configuration is incomplete
 * @return DOCA_ERROR_BAD_STATE: it is not IDLE
 * @return DOCA_ERROR_NOT_CONNECTED: it has neither a progress engine nor another data path
 * @return DOCA_ERROR_NOT_SUPPORTED: the device cannot do what was configured
 * @return DOCA_ERROR_INITIALIZATION: its resources could not be set up
 * @return DOCA_ERROR_UNEXPECTED: an internal failure
 */
DOCA_STABLE
doca_error_t doca_ctx_start(struct doca_ctx *ctx);

/**
 * Stop a context. Legal in every state. Tasks in flight are flushed: their error callback runs
 * inside doca_pe_progress(). It becomes IDLE when all tasks have been freed, completed ones too.
 *
 * @param ctx the context
 * @return DOCA_SUCCESS: it is IDLE, or was before
 * @return DOCA_ERROR_IN_PROGRESS: it is STOPPING, and doca_pe_progress() brings it to IDLE; always
 *         so inside a callback of its progress engine
 * @return DOCA_ERROR_INVALID_VALUE: ctx is NULL
 * @return DOCA_ERROR_NOT_CONNECTED: it was started without a progress engine and its data path is
 *         gone
 * @return DOCA_ERROR_UNEXPECTED: an internal failure
 */
DOCA_STABLE
doca_error_t doca_ctx_stop(struct doca_ctx *ctx);

/**
 * Number of tasks that were submitted and have not completed. Legal in every state.
 *
 * @param ctx the context
 * @param[out] num_inflight_tasks that number
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx,
					     size_t *num_inflight_tasks);

/**
 * Present state. Legal in every state.
 *
 * @param ctx the context
 * @param[out] state its state
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx, enum doca_ctx_states *state);

/**
 * Store a value that every callback of the context is given. Legal in IDLE.
 *
 * @param ctx the context
 * @param user_data copied; what it points to stays with the program
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: ctx is NULL
 * @return DOCA_ERROR_BAD_STATE: it is not IDLE
 */
DOCA_STABLE
doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data);

/**
 * Read that value back. Legal in every state.
 *
 * @param ctx the context
 * @param[out] user_data the value; zero if none was stored
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data);

/**
 * Choose the function that hears of every change of state. There is one; the last call wins. Legal
 * in IDLE.
 *
 * @param ctx the context
 * @param cb the function; NULL for none
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: ctx is NULL
 * @return DOCA_ERROR_BAD_STATE: it is not IDLE
 */
DOCA_STABLE
doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
					   doca_ctx_state_changed_callback_t cb);

/**
 * Move the data path to a GPU. Legal in IDLE.
 *
 * @param ctx the context
 * @param gpu_dev the GPU; must outlive the context
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: it is not IDLE
 * @return DOCA_ERROR_NOT_SUPPORTED: the library has no data path on a GPU
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx, struct doca_gpu *gpu_dev);

/**
 * Move the data path to a DPA. Legal in IDLE. The context then needs no progress engine: start and
 * stop are done when they return.
 *
 * @param ctx the context
 * @param dpa_dev the DPA, which cannot be destroyed before the context
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: it is not IDLE
 * @return DOCA_ERROR_NOT_SUPPORTED: the data path of such a context is on the CPU; only producers
 * and consumers of a MsgQ can be on a DPA
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa_dev);

/**
 * Make all tasks visible to the device that were submitted without DOCA_TASK_SUBMIT_FLAG_FLUSH.
 * Does nothing for NULL, or outside RUNNING and STOPPING.
 *
 * @param ctx the context
 */
DOCA_EXPERIMENTAL
void doca_ctx_flush_tasks(struct doca_ctx *ctx);

/**
 * Choose the completion vector (the interrupt line) of a context. Legal in IDLE.
 *
 * @param ctx the context
 * @param comp_vector 0 to doca_ctx_cap_get_num_completion_vectors() - 1
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: ctx is NULL, or there is no such vector
 * @return DOCA_ERROR_BAD_STATE: it is not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx, uint32_t comp_vector);

/**
 * Number of completion vectors of a device.
 *
 * Threads: any.
 *
 * @param devinfo the device
 * @param[out] num that number
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_cap_get_num_completion_vectors(const struct doca_devinfo *devinfo,
						     uint32_t *num);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CTX_H_ */
