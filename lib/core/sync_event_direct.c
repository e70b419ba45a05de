/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Synchronous work on a sync event, by any thread, while it is started for it; and single
 * operations of other libraries, in whatever way it is started. A wait ends when its condition
 * holds, when the exporter of an imported event dies or stops it, or when the event is stopped
 * here.
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/sync_event_object.h"

/* Out of line: formatting a message must not weigh on the calls that succeed. */
__attribute__((cold, noinline)) static doca_error_t refuse(const struct doca_sync_event *event,
							   const char *call)
{
	sdpu_log_err("%s: the event is %s; needed: one that doca_sync_event_start() started", call,
		     event->ctx.state == DOCA_CTX_STATE_IDLE ? "not started"
							     : "started as a context");
	return DOCA_ERROR_BAD_STATE;
}

static doca_error_t check(const struct doca_sync_event *event, const char *call)
{
	if (sdpu_any_null(call, event))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	return sdpu_likely(sdpu_event_is_direct(event)) ? DOCA_SUCCESS : refuse(event, call);
}

/* To the end; what was there before goes to *before unless that is NULL. */
static doca_error_t run_word(struct sdpu_event_word *word, enum sdpu_atomic_kind kind,
			     uint64_t operand, uint64_t *before)
{
	struct sdpu_atomic op = sdpu_event_word_op(word, kind, operand);
	doca_error_t result;

	/* The exporter's agent has it, and answers or dies: this wait ends. */
	while ((result = sdpu_event_word_run(word, &op)) == DOCA_ERROR_IN_PROGRESS)
		sdpu_spin_idle();
	if (result == DOCA_SUCCESS && before != NULL)
		*before = op.result;
	return result;
}

static doca_error_t run(struct doca_sync_event *event, enum sdpu_atomic_kind kind, uint64_t operand,
			uint64_t *before, const char *call)
{
	doca_error_t result = run_word(&event->word, kind, operand, before);

	if (sdpu_unlikely(result != DOCA_SUCCESS))
		sdpu_event_word_explain(call, result);
	return result;
}

doca_error_t sdpu_event_operate(struct doca_sync_event *event, enum sdpu_atomic_kind kind,
				uint64_t operand, uint64_t *before)
{
	doca_error_t result = DOCA_ERROR_BAD_STATE;

	/* Full fence: pairs with the one of sdpu_event_close(). */
	sdpu_fetch_add_fenced(&event->users, 1);
	if (sdpu_likely(sdpu_event_is_open(event)))
		result = run_word(&event->word, kind, operand, before);
	/* release: pairs with the acquire of sdpu_event_close(); the event may be gone now */
	(void)sdpu_fetch_sub(&event->users, 1);
	return result;
}

doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value)
{
	doca_error_t result =
		sdpu_any_null(__func__, value) ? DOCA_ERROR_INVALID_VALUE : check(event, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	return run(event, SDPU_ATOMIC_LOAD, 0, value, __func__);
}

doca_error_t doca_sync_event_update_add(struct doca_sync_event *event, uint64_t value,
					uint64_t *fetched)
{
	doca_error_t result = sdpu_any_null(__func__, fetched) ? DOCA_ERROR_INVALID_VALUE
							       : check(event, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	return run(event, SDPU_ATOMIC_FETCH_ADD, value, fetched, __func__);
}

doca_error_t doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value)
{
	doca_error_t result = check(event, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	return run(event, SDPU_ATOMIC_STORE, value, NULL, __func__);
}

struct wait {
	const char *call;
	struct sdpu_event_condition condition;
	void (*pause)(void); /* between two looks */
};

/* Counted among the waiters: the word stays while the event is seen started. */
static doca_error_t look_until(struct doca_sync_event *event, const struct wait *wait)
{
	doca_error_t result = DOCA_SUCCESS;
	struct sdpu_atomic look;

	while (sdpu_event_is_direct(event)) {
		if (result == DOCA_SUCCESS)
			look = sdpu_event_word_op(&event->word, SDPU_ATOMIC_LOAD, 0);
		result = sdpu_event_word_run(&event->word, &look);
		if (result == DOCA_SUCCESS &&
		    sdpu_event_condition_holds(&wait->condition, look.result))
			return DOCA_SUCCESS;
		if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS)
			return result;
		wait->pause();
	}
	if (result == DOCA_ERROR_IN_PROGRESS)
		sdpu_event_word_cancel(&event->word, &look);
	return DOCA_ERROR_SHUTDOWN;
}

static doca_error_t wait_until(struct doca_sync_event *event, const struct wait *wait)
{
	doca_error_t result;

	/* Full fence: pairs with the one of doca_sync_event_stop(). */
	sdpu_fetch_add_fenced(&event->waiters, 1);
	result = look_until(event, wait);
	if (result == DOCA_ERROR_SHUTDOWN)
		sdpu_log_err("%s: the event was stopped by another thread; needed: one that stays "
			     "started while it is waited for",
			     wait->call);
	else if (result != DOCA_SUCCESS)
		sdpu_event_word_explain(wait->call, result);
	/* release: pairs with the acquire of doca_sync_event_stop(); the event may be gone now */
	(void)sdpu_fetch_sub(&event->waiters, 1);
	sdpu_spin_worked();
	return result;
}

static doca_error_t wait_for(struct doca_sync_event *event, const struct wait *wait)
{
	doca_error_t result = check(event, wait->call);
	const char *fault;

	if (result != DOCA_SUCCESS)
		return result;
	fault = sdpu_event_condition_fault(&wait->condition);
	if (fault == NULL)
		return wait_until(event, wait);
	sdpu_log_err("%s: value 0x%llx, mask 0x%llx; needed: %s", wait->call,
		     (unsigned long long)wait->condition.value,
		     (unsigned long long)wait->condition.mask, fault);
	return DOCA_ERROR_INVALID_VALUE;
}

#define WAIT(name, compare, pause)                                                                 \
	doca_error_t name(struct doca_sync_event *event, uint64_t value, uint64_t mask)            \
	{                                                                                          \
		const struct wait wait = {#name, {compare, value, mask}, pause};                   \
                                                                                                   \
		return wait_for(event, &wait);                                                     \
	}

WAIT(doca_sync_event_wait_gt, SDPU_EVENT_GT, sdpu_spin_idle)
WAIT(doca_sync_event_wait_eq, SDPU_EVENT_EQ, sdpu_spin_idle)
WAIT(doca_sync_event_wait_neq, SDPU_EVENT_NEQ, sdpu_spin_idle)
WAIT(doca_sync_event_wait_gt_yield, SDPU_EVENT_GT, sdpu_clock_yield)
WAIT(doca_sync_event_wait_eq_yield, SDPU_EVENT_EQ, sdpu_clock_yield)
WAIT(doca_sync_event_wait_neq_yield, SDPU_EVENT_NEQ, sdpu_clock_yield)
