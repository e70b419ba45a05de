/* SPDX-License-Identifier: BSD-3-Clause */
#include "waiter.h"

#include "signals.h"
#include "timing.h"

/*
 * After a turn in which nothing happened the thread sleeps for a part of the time that it has
 * waited already: most waits are for an answer that is under way, the rest are for a human.
 */
#define PAUSE_PART 16
#define PAUSE_FIRST (NSEC_PER_MSEC / 20)
#define PAUSE_LAST (10 * NSEC_PER_MSEC)

static void waiter_pause(uint64_t started)
{
	uint64_t pause = (timing_now() - started) / PAUSE_PART;

	if (pause < PAUSE_FIRST)
		pause = PAUSE_FIRST;
	timing_sleep(pause < PAUSE_LAST ? pause : PAUSE_LAST);
}

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
	const uint64_t started = timing_now();
	const uint64_t deadline = started + limit * NSEC_PER_SEC;
	doca_error_t result;
	bool busy;

	while (!ready(arg)) {
		busy = false;
		result = waiter_turn(waiter, &busy, what);
		if (result != DOCA_SUCCESS)
			return result;
		if (limit != WAITER_NO_LIMIT && timing_now() >= deadline)
			return ready(arg) ? DOCA_SUCCESS : DOCA_ERROR_TIME_OUT;
		if (!busy)
			waiter_pause(started);
	}
	return DOCA_SUCCESS;
}
