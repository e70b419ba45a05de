/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA completion, host's side; contract in completion.h.
 */
#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "dpa/completion_object.h"
#include "dpa/dpa.h"

static struct doca_dpa_completion *make(struct doca_dpa *dpa, uint32_t size)
{
	struct doca_dpa_completion *comp = aligned_alloc(SDPU_CACHE_LINE, sizeof(*comp));

	if (comp == NULL)
		return NULL;
	*comp = (struct doca_dpa_completion){
		.trigger = {.due = dpa_completion_due},
		.dpa = dpa,
		.size = size,
		.ring = calloc(size, sizeof(*comp->ring)),
	};
	if (comp->ring != NULL)
		return comp;
	free(comp);
	return NULL;
}

doca_error_t doca_dpa_completion_create(struct doca_dpa *dpa, unsigned int queue_size,
					struct doca_dpa_completion **dpa_comp)
{
	struct doca_dpa_completion *made;
	doca_error_t result;
	uint32_t size;

	if (sdpu_any_null(__func__, dpa, dpa_comp))
		return DOCA_ERROR_INVALID_VALUE;
	result = dpa_queue_size(__func__, queue_size, &size);
	if (result == DOCA_SUCCESS)
		result = sdpu_dpa_join(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	made = make(dpa, size);
	if (made == NULL) {
		sdpu_dpa_leave(dpa);
		return sdpu_no_memory(__func__);
	}
	*dpa_comp = made;
	return DOCA_SUCCESS;
}

static doca_error_t stop(struct doca_dpa_completion *comp, const char *call)
{
	if (comp->attached > 0) {
		sdpu_log_err("%s: %u producers or queues of asynchronous operations report to it; "
			     "stop these first",
			     call, comp->attached);
		return DOCA_ERROR_BAD_STATE;
	}
	sdpu_dpa_trigger_detach(&comp->trigger);
	sdpu_dpa_drain(comp->dpa);
	dpa_completion_withdraw(comp);
	comp->state = DPA_MEMBER_IDLE;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_completion_destroy(struct doca_dpa_completion *dpa_comp)
{
	struct sdpu_dpa_slots *slots;
	doca_error_t result, stopped = DOCA_SUCCESS;

	if (sdpu_any_null(__func__, dpa_comp))
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_dpa_may_destroy_member(dpa_comp->dpa, __func__, &result))
		return result;
	if (dpa_comp->state == DPA_MEMBER_STARTED)
		stopped = stop(dpa_comp, __func__);
	if (stopped != DOCA_SUCCESS)
		return stopped;
	while ((slots = dpa_comp->all_slots) != NULL) {
		dpa_comp->all_slots = slots->next;
		free(slots);
	}
	sdpu_dpa_retire(dpa_comp->dpa, dpa_comp->ring);
	sdpu_dpa_retire_member(dpa_comp->dpa, dpa_comp);
	return result;
}

doca_error_t doca_dpa_completion_get_queue_size(struct doca_dpa_completion *dpa_comp,
						unsigned int *queue_size)
{
	if (sdpu_any_null(__func__, dpa_comp, queue_size))
		return DOCA_ERROR_INVALID_VALUE;
	*queue_size = dpa_comp->size;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_completion_set_thread(struct doca_dpa_completion *dpa_comp,
					    struct doca_dpa_thread *dpa_thread)
{
	if (sdpu_any_null(__func__, dpa_comp, dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	if (dpa_comp->state == DPA_MEMBER_STARTED) {
		sdpu_log_err("doca_dpa_completion_set_thread: the completion is started; its "
			     "thread is chosen before doca_dpa_completion_start()");
		return DOCA_ERROR_BAD_STATE;
	}
	dpa_comp->thread = dpa_thread;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_completion_get_thread(struct doca_dpa_completion *dpa_comp,
					    struct doca_dpa_thread **dpa_thread)
{
	if (sdpu_any_null(__func__, dpa_comp, dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	*dpa_thread = dpa_comp->thread;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_completion_start(struct doca_dpa_completion *dpa_comp)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa_comp))
		return DOCA_ERROR_INVALID_VALUE;
	if (dpa_comp->state == DPA_MEMBER_STARTED) {
		sdpu_log_err(
			"doca_dpa_completion_start: the completion is started; needed: one that is "
			"not");
		return DOCA_ERROR_BAD_STATE;
	}
	result = sdpu_dpa_check_running(dpa_comp->dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	dpa_completion_reset(dpa_comp);
	if (dpa_comp->thread != NULL)
		result = sdpu_dpa_trigger_attach(&dpa_comp->trigger, dpa_comp->thread, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	(void)sdpu_dpa_handle_give(&dpa_comp->head, SDPU_DPA_KIND_COMPLETION);
	dpa_comp->state = DPA_MEMBER_STARTED;
	return DOCA_SUCCESS;
}

static doca_error_t check_started(const struct doca_dpa_completion *comp, const char *call)
{
	return dpa_member_check_started(
		comp->state, comp->dpa, call,
		"the completion is not started; call doca_dpa_completion_start() first");
}

doca_error_t doca_dpa_completion_stop(struct doca_dpa_completion *dpa_comp)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa_comp))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_started(dpa_comp, __func__);
	return result == DOCA_SUCCESS ? stop(dpa_comp, __func__) : result;
}

doca_error_t doca_dpa_completion_get_dpa_handle(struct doca_dpa_completion *dpa_comp,
						doca_dpa_dev_completion_t *handle)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa_comp, handle))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_started(dpa_comp, __func__);
	if (result == DOCA_SUCCESS)
		*handle = (uintptr_t)&dpa_comp->head;
	return result;
}

struct doca_dpa *sdpu_dpa_completion_dpa(const struct doca_dpa_completion *comp)
{
	return comp->dpa;
}

/* The slots of a sender that has gone and whose elements were all acked, or new slots. */
static struct sdpu_dpa_slots *find_slots(struct doca_dpa_completion *comp)
{
	struct sdpu_dpa_slots *slots = comp->all_slots;

	while (slots != NULL && (slots->attached || sdpu_load_acquire(&slots->used) != 0))
		slots = slots->next;
	if (slots != NULL)
		return slots;
	slots = calloc(1, sizeof(*slots));
	if (slots == NULL)
		return NULL;
	slots->next = comp->all_slots;
	comp->all_slots = slots;
	return slots;
}

doca_error_t sdpu_dpa_completion_attach(struct doca_dpa_completion *comp, const char *call,
					uint32_t num_slots, struct sdpu_dpa_slots **slots)
{
	doca_error_t result = check_started(comp, call);
	struct sdpu_dpa_slots *found;

	if (result != DOCA_SUCCESS)
		return result;
	found = find_slots(comp);
	if (found == NULL)
		return sdpu_no_memory(call);
	found->size = num_slots;
	found->attached = true;
	comp->attached++;
	*slots = found;
	return DOCA_SUCCESS;
}

void sdpu_dpa_completion_detach(struct doca_dpa_completion *comp, struct sdpu_dpa_slots *slots)
{
	slots->attached = false;
	comp->attached--;
}
