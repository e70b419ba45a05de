/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread does that spins on progress or on AGAIN. More pollers than processors would
 * otherwise hand over only at the scheduler's tick, milliseconds instead of microseconds. The state
 * is the thread's own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "core/pe.h"
#include "core/spin.h"

#define SPIN_BEFORE_YIELD 100
/* Yields that let nobody run are spaced out up to here, since each is a system call. */
#define SPIN_PATIENCE_MAX 1600
/* A yield that takes this many times the cheapest one seen has let somebody else run. */
#define SPIN_CROWDED_FACTOR 2

enum spin_mode { SPIN_UNKNOWN, SPIN_AUTO, SPIN_NEVER, SPIN_ALWAYS };

static uint32_t spin_mode;
__thread struct sdpu_spin sdpu_spin = {0, SPIN_BEFORE_YIELD, UINT64_MAX};

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

/* How many empty polls the next yield is away, after one that took that long. */
static uint32_t spin_next_patience(uint64_t took)
{
	if (spin_mode_get() == SPIN_ALWAYS || took > SPIN_CROWDED_FACTOR * sdpu_spin.bare)
		return 1;
	if (sdpu_spin.patience < SPIN_BEFORE_YIELD)
		return SPIN_BEFORE_YIELD;
	return sdpu_spin.patience < SPIN_PATIENCE_MAX ? 2 * sdpu_spin.patience : SPIN_PATIENCE_MAX;
}

void sdpu_spin_yield(void)
{
	uint64_t before;
	uint64_t took;

	sdpu_spin.empty = 0;
	if (spin_mode_get() == SPIN_NEVER)
		return;
	before = sdpu_clock_now();
	sdpu_clock_yield();
	took = sdpu_clock_now() - before;
	if (took < sdpu_spin.bare)
		sdpu_spin.bare = took;
	sdpu_spin.patience = spin_next_patience(took);
}

void sdpu_spin_idle(void)
{
	sdpu_spin_count();
}

void sdpu_spin_worked(void)
{
	sdpu_spin.empty = 0;
	sdpu_spin.patience = SPIN_BEFORE_YIELD;
}
