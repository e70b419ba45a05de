/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA threads, the host's side; contract in thread.h.
 */
#include "dpa/thread.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"

static const char *const state_name[DPA_THREAD_STATES] = {"not started", "started", "running"};

/* legal[from] has bit (1 << to) for each move that there is. */
static const uint8_t legal[DPA_THREAD_STATES] = {
	[DPA_THREAD_IDLE] = 1 << DPA_THREAD_STARTED,
	[DPA_THREAD_STARTED] = 1 << DPA_THREAD_RUNNING | 1 << DPA_THREAD_IDLE,
	[DPA_THREAD_RUNNING] = 1 << DPA_THREAD_IDLE,
};

/* BAD_STATE (logged): there is no such move. */
static doca_error_t thread_move(struct doca_dpa_thread *thread, enum dpa_thread_state next,
				const char *call)
{
	uint32_t state = sdpu_load(&thread->state);

	if (legal[state] & 1 << next) {
		/* release: pairs with the strand's acquire */
		sdpu_store_release(&thread->state, (uint32_t)next);
		return DOCA_SUCCESS;
	}
	sdpu_log_err("%s: DPA thread %u is %s; needed: %s", call, thread->id, state_name[state],
		     next == DPA_THREAD_IDLE ? "one that is started"
					     : "one that is started and does not run");
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t dpa_thread_check_configurable(const struct doca_dpa_thread *thread, const char *call)
{
	doca_error_t result = sdpu_dpa_check_there(thread->dpa, call);
	uint32_t state = sdpu_load(&thread->state);

	if (result != DOCA_SUCCESS || state == DPA_THREAD_IDLE)
		return result;
	sdpu_log_err(
		"%s: DPA thread %u is %s; needed: one that is not; configure it before its start",
		call, thread->id, state_name[state]);
	return DOCA_ERROR_BAD_STATE;
}

/* Takes one of the threads that the device has. */
static doca_error_t thread_count_in(struct doca_dpa *dpa)
{
	uint32_t max = dpa_limits(dpa)->dpa_max_threads;

	if (sdpu_fetch_add(&dpa_root(dpa)->threads, 1) < max)
		return DOCA_SUCCESS;
	(void)sdpu_fetch_sub(&dpa_root(dpa)->threads, 1);
	sdpu_log_err(
		"doca_dpa_thread_create: the context has %u threads; needed: fewer, as the device "
		"gives no more to one; destroy some",
		max);
	return DOCA_ERROR_NO_MEMORY;
}

static doca_error_t thread_make(struct doca_dpa *dpa, struct doca_dpa_thread **out)
{
	struct doca_dpa_thread *thread;
	doca_error_t result = thread_count_in(dpa);

	if (result != DOCA_SUCCESS)
		return result;
	thread = calloc(1, sizeof(*thread));
	if (thread == NULL) {
		(void)sdpu_fetch_sub(&dpa_root(dpa)->threads, 1);
		return sdpu_no_memory("doca_dpa_thread_create");
	}
	thread->dpa = dpa;
	thread->id = sdpu_fetch_add(&dpa_root(dpa)->last_id, 1) + 1;
	thread->job.run = dpa_thread_run_job;
	thread->job.ended = true;
	sdpu_list_init(&thread->triggers);
	*out = thread;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_thread_create(struct doca_dpa *dpa, struct doca_dpa_thread **dpa_thread)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa, dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_join(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	result = thread_make(dpa, dpa_thread);
	if (result != DOCA_SUCCESS)
		sdpu_dpa_leave(dpa);
	return result;
}

/* BAD_STATE (logged): it is not started. DRIVER (logged): its kernel cannot be ended. */
static doca_error_t thread_stop(struct doca_dpa_thread *thread, const char *call)
{
	dpa_thread_drop_triggers(thread);
	if (!dpa_pool_end(&dpa_root(thread->dpa)->pool, &thread->job))
		return DOCA_ERROR_DRIVER;
	return thread_move(thread, DPA_THREAD_IDLE, call);
}

doca_error_t doca_dpa_thread_destroy(struct doca_dpa_thread *dpa_thread)
{
	doca_error_t result, stopped = DOCA_SUCCESS;

	if (sdpu_any_null(__func__, dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_dpa_may_destroy_member(dpa_thread->dpa, __func__, &result))
		return result;
	if (sdpu_load(&dpa_thread->state) != DPA_THREAD_IDLE)
		stopped = thread_stop(dpa_thread, __func__);
	if (stopped != DOCA_SUCCESS)
		return stopped;
	if (dpa_thread->group != NULL)
		dpa_thread->group->threads[dpa_thread->rank] = NULL;
	(void)sdpu_fetch_sub(&dpa_root(dpa_thread->dpa)->threads, 1);
	sdpu_dpa_leave(dpa_thread->dpa);
	free(dpa_thread);
	return result;
}

doca_error_t doca_dpa_thread_set_func_arg(struct doca_dpa_thread *dpa_thread, doca_dpa_func_t *func,
					  uint64_t arg)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa_thread, func))
		return DOCA_ERROR_INVALID_VALUE;
	result = dpa_thread_check_configurable(dpa_thread, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	dpa_thread->func = func;
	dpa_thread->arg = arg;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_thread_get_func_arg(struct doca_dpa_thread *dpa_thread,
					  doca_dpa_func_t **func, uint64_t *arg)
{
	if (sdpu_any_null(__func__, dpa_thread, func, arg))
		return DOCA_ERROR_INVALID_VALUE;
	*func = dpa_thread->func;
	*arg = dpa_thread->arg;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_thread_set_local_storage(struct doca_dpa_thread *dpa_thread,
					       doca_dpa_dev_uintptr_t dev_ptr)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	result = dpa_thread_check_configurable(dpa_thread, __func__);
	if (result == DOCA_SUCCESS)
		dpa_thread->local_storage = dev_ptr;
	return result;
}

doca_error_t doca_dpa_thread_get_local_storage(struct doca_dpa_thread *dpa_thread,
					       doca_dpa_dev_uintptr_t *dev_ptr)
{
	if (sdpu_any_null(__func__, dpa_thread, dev_ptr))
		return DOCA_ERROR_INVALID_VALUE;
	*dev_ptr = dpa_thread->local_storage;
	return DOCA_SUCCESS;
}

/* BAD_STATE: none was set; INVALID_VALUE: it is no kernel of a thread. Both logged. */
static doca_error_t find_kernel(struct doca_dpa_thread *thread, const char *call)
{
	const struct softdpu_dpa_kernel *kernel;
	doca_error_t result;

	if (thread->func == NULL) {
		sdpu_log_err(
			"%s: no function; needed: one; call doca_dpa_thread_set_func_arg() first",
			call);
		return DOCA_ERROR_BAD_STATE;
	}
	result = dpa_app_find(thread->dpa, call, thread->func, SOFTDPU_DPA_KERNEL_GLOBAL, &kernel);
	if (result != DOCA_SUCCESS)
		return result;
	if (kernel->num_args != 1 || kernel->frame_size != sizeof(thread->arg)) {
		sdpu_log_err("%s: kernel %s has %u parameters of %zu bytes; needed: "
			     "one uint64_t",
			     call, kernel->name, kernel->num_args, kernel->frame_size);
		return DOCA_ERROR_INVALID_VALUE;
	}
	thread->kernel = kernel;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_thread_start(struct doca_dpa_thread *dpa_thread)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	result = dpa_thread_check_configurable(dpa_thread, __func__);
	if (result == DOCA_SUCCESS)
		result = sdpu_dpa_check_running(dpa_thread->dpa, __func__);
	if (result == DOCA_SUCCESS)
		result = find_kernel(dpa_thread, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	dpa_thread->num_ranks = dpa_thread->group == NULL ? 1 : dpa_thread->group->num_threads;
	result = dpa_pool_submit(&dpa_root(dpa_thread->dpa)->pool, &dpa_thread->job, __func__);
	if (result == DOCA_SUCCESS)
		(void)thread_move(dpa_thread, DPA_THREAD_STARTED, __func__);
	return result;
}

doca_error_t doca_dpa_thread_stop(struct doca_dpa_thread *dpa_thread)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_check_there(dpa_thread->dpa, __func__);
	return result == DOCA_SUCCESS ? thread_stop(dpa_thread, __func__) : result;
}

doca_error_t doca_dpa_thread_run(struct doca_dpa_thread *dpa_thread)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_check_running(dpa_thread->dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	if (sdpu_load(&dpa_thread->state) == DPA_THREAD_STARTED &&
	    sdpu_list_empty(&dpa_thread->triggers)) {
		sdpu_log_err("doca_dpa_thread_run: nothing can trigger DPA thread %u; attach a "
			     "completion to it, and start that, first",
			     dpa_thread->id);
		return DOCA_ERROR_BAD_STATE;
	}
	result = thread_move(dpa_thread, DPA_THREAD_RUNNING, __func__);
	if (result == DOCA_SUCCESS)
		sdpu_dpa_thread_wake(&dpa_thread->job.strand->asleep);
	return result;
}

doca_error_t doca_dpa_thread_get_id(struct doca_dpa_thread *dpa_thread, uint32_t *dpa_thread_id)
{
	if (sdpu_any_null(__func__, dpa_thread, dpa_thread_id))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_load(&dpa_thread->state) == DPA_THREAD_IDLE) {
		sdpu_log_err(
			"doca_dpa_thread_get_id: the thread is not started; needed: one that is");
		return DOCA_ERROR_BAD_STATE;
	}
	*dpa_thread_id = dpa_thread->id;
	return DOCA_SUCCESS;
}
