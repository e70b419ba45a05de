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

#define SPIN_BEFORE_YIELD 100
/* Yields that let nobody run are spaced out up to here, since each is a system call. */
#define SPIN_PATIENCE_MAX 1600
/* A yield that takes this many times the cheapest one seen has let somebody else run. */
#define SPIN_CROWDED_FACTOR 2

enum spin_mode { SPIN_UNKNOWN, SPIN_AUTO, SPIN_NEVER, SPIN_ALWAYS };

struct spin {
	uint32_t empty;	   /* in a row */
	uint32_t patience; /* empty ones until the next yield */
	uint64_t bare;	   /* cheapest yield seen, ns */
};

static uint32_t spin_mode;
static __thread struct spin spin
	__attribute__((tls_model("initial-exec"))) = {0, SPIN_BEFORE_YIELD, UINT64_MAX};

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
	if (spin_mode_get() == SPIN_ALWAYS || took > SPIN_CROWDED_FACTOR * spin.bare)
		return 1;
	if (spin.patience < SPIN_BEFORE_YIELD)
		return SPIN_BEFORE_YIELD;
	return spin.patience < SPIN_PATIENCE_MAX ? 2 * spin.patience : SPIN_PATIENCE_MAX;
}

static void spin_yield(void)
{
	uint64_t before;
	uint64_t took;

	spin.empty = 0;
	if (spin_mode_get() == SPIN_NEVER)
		return;
	before = sdpu_clock_now();
	sdpu_clock_yield();
	took = sdpu_clock_now() - before;
	if (took < spin.bare)
		spin.bare = took;
	spin.patience = spin_next_patience(took);
}

void sdpu_spin_idle(void)
{
	if (sdpu_unlikely(++spin.empty >= spin.patience))
		spin_yield();
}

void sdpu_spin_worked(void)
{
	spin.empty = 0;
	spin.patience = SPIN_BEFORE_YIELD;
}
