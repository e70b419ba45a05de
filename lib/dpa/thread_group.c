/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Thread groups: they give threads a rank; contract in thread.h. A member of its context. Threads
 * take their rank along when they start.
 */
#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "dpa/thread.h"

doca_error_t doca_dpa_thread_group_create(struct doca_dpa *dpa, unsigned int num_threads,
					  struct doca_dpa_tg **tg)
{
	struct doca_dpa_tg *made;
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa, tg))
		return DOCA_ERROR_INVALID_VALUE;
	if (num_threads == 0 || num_threads > dpa_limits(dpa)->dpa_max_threads) {
		sdpu_log_err("doca_dpa_thread_group_create: %u threads; needed: 1 to %u",
			     num_threads, dpa_limits(dpa)->dpa_max_threads);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = sdpu_dpa_join(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	made = calloc(1, sizeof(*made) + num_threads * sizeof(made->threads[0]));
	if (made == NULL) {
		sdpu_dpa_leave(dpa);
		return sdpu_no_memory(__func__);
	}
	made->dpa = dpa;
	made->num_threads = num_threads;
	*tg = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_thread_group_destroy(struct doca_dpa_tg *tg)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, tg))
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_dpa_may_destroy_member(tg->dpa, __func__, &result))
		return result;
	for (uint32_t i = 0; i < tg->num_threads; i++) {
		if (tg->threads[i] != NULL)
			tg->threads[i]->group = NULL;
	}
	sdpu_dpa_leave(tg->dpa);
	free(tg);
	return result;
}

doca_error_t doca_dpa_thread_group_get_num_threads(struct doca_dpa_tg *tg,
						   unsigned int *num_threads)
{
	if (sdpu_any_null(__func__, tg, num_threads))
		return DOCA_ERROR_INVALID_VALUE;
	*num_threads = tg->num_threads;
	return DOCA_SUCCESS;
}

/* NULL: nothing prevents it. */
static const char *set_fault(const struct doca_dpa_tg *tg, const struct doca_dpa_thread *thread,
			     unsigned int rank)
{
	if (tg->started)
		return "the group is started";
	if (thread->group != NULL)
		return "the thread is in a group already";
	if (tg->threads[rank] != NULL)
		return "another thread has that rank";
	return NULL;
}

doca_error_t doca_dpa_thread_group_set_thread(struct doca_dpa_tg *tg,
					      struct doca_dpa_thread *thread, unsigned int rank)
{
	doca_error_t result;
	const char *fault;

	if (sdpu_any_null(__func__, tg, thread))
		return DOCA_ERROR_INVALID_VALUE;
	if (rank >= tg->num_threads) {
		sdpu_log_err("doca_dpa_thread_group_set_thread: rank %u; needed: one of 0 to "
			     "%u",
			     rank, tg->num_threads - 1);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = dpa_thread_check_configurable(thread, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	fault = set_fault(tg, thread, rank);
	if (fault != NULL) {
		sdpu_log_err(
			"doca_dpa_thread_group_set_thread: rank %u cannot be given: %s; needed: a "
			"free one of a stopped group, for a thread of no group",
			rank, fault);
		return DOCA_ERROR_BAD_STATE;
	}
	tg->threads[rank] = thread;
	thread->group = tg;
	thread->rank = rank;
	return DOCA_SUCCESS;
}

/* The first rank that cannot be started; num_threads: all can. */
static uint32_t first_missing(const struct doca_dpa_tg *tg)
{
	for (uint32_t i = 0; i < tg->num_threads; i++) {
		if (tg->threads[i] == NULL || sdpu_load(&tg->threads[i]->state) == DPA_THREAD_IDLE)
			return i;
	}
	return tg->num_threads;
}

doca_error_t doca_dpa_thread_group_start(struct doca_dpa_tg *tg)
{
	doca_error_t result;
	uint32_t missing;

	if (sdpu_any_null(__func__, tg))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_check_running(tg->dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	missing = first_missing(tg);
	if (!tg->started && missing == tg->num_threads) {
		tg->started = true;
		return DOCA_SUCCESS;
	}
	if (tg->started)
		sdpu_log_err("doca_dpa_thread_group_start: the group is started already; needed: a "
			     "stopped "
			     "one");
	else
		sdpu_log_err(
			"doca_dpa_thread_group_start: rank %u of %u has %s; needed: a started one "
			"for each",
			missing, tg->num_threads,
			tg->threads[missing] == NULL ? "no thread"
						     : "a thread that is not started");
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_dpa_thread_group_stop(struct doca_dpa_tg *tg)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, tg))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_check_there(tg->dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	if (!tg->started) {
		sdpu_log_err("doca_dpa_thread_group_stop: the group is not started; needed: one "
			     "that is");
		return DOCA_ERROR_BAD_STATE;
	}
	tg->started = false;
	return DOCA_SUCCESS;
}
