/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread does that spins on progress or on AGAIN. More pollers than processors would
 * otherwise hand over only at the scheduler's tick, milliseconds instead of microseconds.
 *
 * A thread alone on its processor yields seldom: a system call, during which it sees nothing. One
 * that shares it with another poller has nothing to gain by looking again, as what it waits for may
 * be done by that one: it yields at once, and both work through all that has gathered meanwhile.
 * One that shares it with a program that computes would get it back milliseconds later: it holds on
 * as long as if it were alone.
 *
 * One that shares it and finds nothing for milliseconds sleeps for a moment. A yield only asks
 * others of its scheduling group to run: Linux 6.18 was seen to leave all other groups (a session,
 * a container), its own softirq thread among them, without the processor for minutes, as long as a
 * yielding thread and one that often wakes up kept their group in the queue. Whoever sleeps leaves
 * the queue. The state is the thread's own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/yield.h"
#include "core/pe.h"
#include "core/spin.h"

#define SPIN_ALONE 100
#define SPIN_BESIDE_POLLER 1
/* Yields that let nobody run are spaced out up to here, since each is a system call. */
#define SPIN_PATIENCE_MAX 1600
/* Another poller has given the processor back by then, whatever it found to do. */
#define SPIN_POLLER_NS (200 * SDPU_MS / 1000)

/* By the coarse clock, whose steps are as long. */
#define SPIN_FRUITLESS_NS (4 * SDPU_MS)

enum spin_mode { SPIN_UNKNOWN, SPIN_AUTO, SPIN_NEVER, SPIN_ALWAYS };

static uint32_t spin_mode;
__thread struct sdpu_spin sdpu_spin = {0, SPIN_ALONE, SPIN_ALONE, 0};

static enum spin_mode spin_mode_read(void)
{
	const char *text = getenv("SOFTDPU_POLL");

	if (text == NULL || strcmp(text, "auto") == 0)
		return SPIN_AUTO;
	if (strcmp(text, "spin") == 0)
		return SPIN_NEVER;
	if (strcmp(text, "yield") == 0)
		return SPIN_ALWAYS;
	sdpu_log_warn("SOFTDPU_POLL=%s: auto, spin and yield are known; auto is used", text);
	return SPIN_AUTO;
}

static enum spin_mode spin_mode_get(void)
{
	uint32_t mode = sdpu_load(&spin_mode);

	if (mode == SPIN_UNKNOWN) {
		mode = spin_mode_read();
		sdpu_store(&spin_mode, mode);
	}
	return mode;
}

/* How many empty polls the next yield is away, after one that let nobody run. */
static uint32_t spin_more_patience(uint32_t patience)
{
	if (patience < SPIN_ALONE)
		return SPIN_ALONE;
	return patience < SPIN_PATIENCE_MAX ? 2 * patience : SPIN_PATIENCE_MAX;
}

/* Somebody wants the processor, too: for long enough that each poller beside has a turn. */
static void spin_leave_queue(void)
{
	uint64_t now = sdpu_clock_coarse();

	if (sdpu_spin.fruitless == 0) {
		sdpu_spin.fruitless = now;
	} else if (now - sdpu_spin.fruitless >= SPIN_FRUITLESS_NS) {
		sdpu_clock_sleep(SPIN_POLLER_NS);
		sdpu_spin.fruitless = now;
	}
}

void sdpu_spin_yield(void)
{
	enum spin_mode mode = spin_mode_get();
	uint64_t gone;

	sdpu_spin.empty = 0;
	if (mode == SPIN_NEVER)
		return;
	gone = sdpu_yield();
	sdpu_spin.first = gone != 0 && gone < SPIN_POLLER_NS ? SPIN_BESIDE_POLLER : SPIN_ALONE;
	sdpu_spin.patience =
		gone != 0 || mode == SPIN_ALWAYS ? 1 : spin_more_patience(sdpu_spin.patience);
	if (gone != 0)
		spin_leave_queue();
}

void sdpu_spin_idle(void)
{
	sdpu_spin_count();
}

void sdpu_spin_worked(void)
{
	sdpu_spin.empty = 0;
	sdpu_spin.patience = sdpu_spin.first;
	sdpu_spin.fruitless = 0;
}
