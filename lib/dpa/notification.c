/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Notification completion: triggers its thread without any element and without arming. Owner: the
 * user; it holds its DPA context from create to destroy, and its thread from start to stop. Any DPA
 * thread notifies. It counts notifications, and its thread runs once for all that came since the
 * last run.
 */
#include <stdlib.h>

#include <doca_dpa.h>
#include <doca_dpa_dev.h>

#include "base/log.h"
#include "base/refuse.h"
#include "dpa/completion_object.h"
#include "dpa/dpa.h"
#include "dpa/strand.h"

struct doca_dpa_notification_completion {
	struct sdpu_dpa_head head;
	struct sdpu_dpa_trigger trigger;
	struct doca_dpa *dpa; /* joined */
	struct doca_dpa_thread *thread;
	enum dpa_member_state state;
	uint32_t notified; /* atomic: how often */
	uint32_t seen;	   /* the strand's: of these */
};

static bool due(struct sdpu_dpa_trigger *trigger)
{
	struct doca_dpa_notification_completion *comp =
		sdpu_container_of(trigger, struct doca_dpa_notification_completion, trigger);
	/* acquire: pairs with doca_dpa_dev_thread_notify(); the kernel sees what came before it */
	uint32_t notified = sdpu_load_acquire(&comp->notified);

	if (notified == comp->seen)
		return false;
	comp->seen = notified;
	return true;
}

doca_error_t
doca_dpa_notification_completion_create(struct doca_dpa *dpa, struct doca_dpa_thread *dpa_thread,
					struct doca_dpa_notification_completion **notify_comp)
{
	struct doca_dpa_notification_completion *made;
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa, dpa_thread, notify_comp))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_join(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	made = calloc(1, sizeof(*made));
	if (made == NULL) {
		sdpu_dpa_leave(dpa);
		return sdpu_no_memory(__func__);
	}
	made->trigger.due = due;
	made->dpa = dpa;
	made->thread = dpa_thread;
	*notify_comp = made;
	return DOCA_SUCCESS;
}

static void stop(struct doca_dpa_notification_completion *comp)
{
	sdpu_dpa_trigger_detach(&comp->trigger);
	sdpu_dpa_drain(comp->dpa);
	sdpu_dpa_handle_withdraw(&comp->head);
	comp->state = DPA_MEMBER_IDLE;
}

doca_error_t
doca_dpa_notification_completion_destroy(struct doca_dpa_notification_completion *notify_comp)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, notify_comp))
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_dpa_may_destroy_member(notify_comp->dpa, __func__, &result))
		return result;
	if (notify_comp->state == DPA_MEMBER_STARTED)
		stop(notify_comp);
	sdpu_dpa_retire_member(notify_comp->dpa, notify_comp);
	return result;
}

doca_error_t
doca_dpa_notification_completion_get_thread(struct doca_dpa_notification_completion *notify_comp,
					    struct doca_dpa_thread **dpa_thread)
{
	if (sdpu_any_null(__func__, notify_comp, dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	*dpa_thread = notify_comp->thread;
	return DOCA_SUCCESS;
}

doca_error_t
doca_dpa_notification_completion_start(struct doca_dpa_notification_completion *notify_comp)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, notify_comp))
		return DOCA_ERROR_INVALID_VALUE;
	if (notify_comp->state == DPA_MEMBER_STARTED) {
		sdpu_log_err("doca_dpa_notification_completion_start: the completion is started; "
			     "needed: one that is not");
		return DOCA_ERROR_BAD_STATE;
	}
	result = sdpu_dpa_check_running(notify_comp->dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	notify_comp->seen = sdpu_load(&notify_comp->notified);
	result = sdpu_dpa_trigger_attach(&notify_comp->trigger, notify_comp->thread, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	(void)sdpu_dpa_handle_give(&notify_comp->head, SDPU_DPA_KIND_NOTIFICATION);
	notify_comp->state = DPA_MEMBER_STARTED;
	return DOCA_SUCCESS;
}

static doca_error_t check_started(const struct doca_dpa_notification_completion *comp,
				  const char *call)
{
	return dpa_member_check_started(comp->state, comp->dpa, call,
					"the completion is not started; call "
					"doca_dpa_notification_completion_start() first");
}

doca_error_t
doca_dpa_notification_completion_stop(struct doca_dpa_notification_completion *notify_comp)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, notify_comp))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_started(notify_comp, __func__);
	if (result == DOCA_SUCCESS)
		stop(notify_comp);
	return result;
}

doca_error_t doca_dpa_notification_completion_get_dpa_handle(
	struct doca_dpa_notification_completion *notify_comp,
	doca_dpa_dev_notification_completion_t *handle)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, notify_comp, handle))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_started(notify_comp, __func__);
	if (result == DOCA_SUCCESS)
		*handle = (uintptr_t)&notify_comp->head;
	return result;
}

void doca_dpa_dev_thread_notify(doca_dpa_dev_notification_completion_t comp_handle)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(__func__);
	struct doca_dpa_notification_completion *comp =
		sdpu_dpa_handle_open(__func__, comp_handle, SDPU_DPA_KIND_NOTIFICATION);

	sdpu_dpa_guard_enter(strand);
	/* [F1] of trigger.h; release: pairs with the acquire of due() */
	sdpu_fetch_add_fenced(&comp->notified, 1);
	sdpu_dpa_trigger_raise(&comp->trigger);
	sdpu_dpa_guard_leave(strand);
}
