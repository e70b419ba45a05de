/* SPDX-License-Identifier: BSD-3-Clause */
#include "waiter.h"

#include "signals.h"
#include "timing.h"

/*
 * Pause after a turn in which nothing happened. It starts short, because most waits are for an
 * answer that is under way, and grows, because the rest are for a human.
 */
#define PAUSE_FIRST (NSEC_PER_MSEC / 20)
#define PAUSE_LAST (10 * NSEC_PER_MSEC)

static doca_error_t waiter_turn(struct waiter *waiter, bool *busy, const char *what)
{
	doca_error_t result = waiter->turn(waiter, busy);

	if (result == DOCA_SUCCESS && fault_kind(waiter->fault) == FAULT_BROKEN)
		result = waiter->fault->code;
	if (result == DOCA_SUCCESS && signals_pending() && !waiter->ignore_signals)
		result = fault_raise_kind(waiter->fault, FAULT_USER, DOCA_ERROR_SHUTDOWN,
					  "aborted while waiting for %s: User requested abort",
					  what);
	return result;
}

doca_error_t waiter_wait(struct waiter *waiter, bool (*ready)(void *arg), void *arg, uint32_t limit,
			 const char *what)
{
	const uint64_t deadline = timing_deadline(limit);
	uint64_t pause = PAUSE_FIRST;
	doca_error_t result;
	bool busy;

	while (!ready(arg)) {
		busy = false;
		result = waiter_turn(waiter, &busy, what);
		if (result != DOCA_SUCCESS)
			return result;
		if (limit != WAITER_NO_LIMIT && timing_now() >= deadline)
			return ready(arg) ? DOCA_SUCCESS : DOCA_ERROR_TIME_OUT;
		if (busy) {
			pause = PAUSE_FIRST;
			continue;
		}
		timing_sleep(pause);
		pause = pause * 2 < PAUSE_LAST ? pause * 2 : PAUSE_LAST;
	}
	return DOCA_SUCCESS;
}
