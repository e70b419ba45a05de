/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread does that spins on progress or on AGAIN. More pollers than processors would
 * otherwise hand over only at the scheduler's tick, milliseconds instead of microseconds.
 *
 * A thread alone on its processor yields seldom: a system call, during which it sees nothing. One
 * that shares it with another poller has nothing to gain by looking again, as what it waits for may
 * be done by that one: it yields soon, and both work through all that has gathered meanwhile. One
 * that shares it with a program that computes would get it back milliseconds later: it holds on as
 * long as if it were alone. The state is the thread's own, save what a yield costs on this machine.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "core/pe.h"
#include "core/spin.h"

#define SPIN_ALONE 100
/* Beside a poller: enough to notice an answer that is on its way from another processor. */
#define SPIN_BESIDE_POLLER 4
/* Yields that let nobody run are spaced out up to here, since each is a system call. */
#define SPIN_PATIENCE_MAX 1600
/* A yield that takes this many times the cheapest bare one has let somebody else run. */
#define SPIN_CROWDED_FACTOR 2
/* Another poller has given the processor back by then, whatever it found to do. */
#define SPIN_POLLER_NS (200 * SDPU_MS / 1000)

enum spin_mode { SPIN_UNKNOWN, SPIN_AUTO, SPIN_NEVER, SPIN_ALWAYS };

static uint32_t spin_mode;
/* The cheapest yield that let nobody run, ns; 0: there was none yet. Any thread. */
static uint64_t spin_bare;
__thread struct sdpu_spin sdpu_spin = {0, SPIN_ALONE, SPIN_ALONE};

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

/* Did somebody else run? The time tells, once it is known what a bare yield takes. */
static bool spin_yield(uint64_t *took)
{
	uint64_t bare = sdpu_load(&spin_bare);
	uint64_t switches = bare == 0 ? sdpu_clock_switches() : 0;
	uint64_t before = sdpu_clock_now();
	bool crowded;

	sdpu_clock_yield();
	*took = sdpu_clock_now() - before;
	crowded =
		bare == 0 ? sdpu_clock_switches() != switches : *took > SPIN_CROWDED_FACTOR * bare;
	if (!crowded && (bare == 0 || *took < bare))
		sdpu_store(&spin_bare, *took);
	return crowded;
}

/* How many empty polls the next yield is away, after one that let nobody run. */
static uint32_t spin_more_patience(uint32_t patience)
{
	if (patience < SPIN_ALONE)
		return SPIN_ALONE;
	return patience < SPIN_PATIENCE_MAX ? 2 * patience : SPIN_PATIENCE_MAX;
}

void sdpu_spin_yield(void)
{
	enum spin_mode mode = spin_mode_get();
	uint64_t took;
	bool crowded;

	sdpu_spin.empty = 0;
	if (mode == SPIN_NEVER)
		return;
	crowded = spin_yield(&took);
	sdpu_spin.first = crowded && took < SPIN_POLLER_NS ? SPIN_BESIDE_POLLER : SPIN_ALONE;
	sdpu_spin.patience =
		crowded || mode == SPIN_ALWAYS ? 1 : spin_more_patience(sdpu_spin.patience);
}

void sdpu_spin_idle(void)
{
	sdpu_spin_count();
}

void sdpu_spin_worked(void)
{
	sdpu_spin.empty = 0;
	sdpu_spin.patience = sdpu_spin.first;
}
