/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When a thread yields that spins: after how many empty polls, by what its last yields told it; and
 * when it sleeps.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/yield.h"
#include "core/pe.h"
#include "t.h"

#define US ((uint64_t)1000)
#define PATIENCE 100

static uint64_t gone; /* what yields say now */
static uint32_t yields;
static uint64_t now = SDPU_SECOND;
static uint32_t sleeps;

uint64_t __wrap_sdpu_yield(void);
uint64_t __wrap_sdpu_clock_coarse(void);
void __wrap_sdpu_clock_sleep(uint64_t ns);

uint64_t __wrap_sdpu_yield(void)
{
	yields++;
	return gone;
}

uint64_t __wrap_sdpu_clock_coarse(void)
{
	return now;
}

void __wrap_sdpu_clock_sleep(uint64_t ns)
{
	T_CHECK(ns > 0 && ns < SDPU_MS);
	sleeps++;
}

/* How many empty polls there are up to the next yield, that one included. */
static uint32_t polls_to_yield(void)
{
	uint32_t before = yields, polls = 0;

	while (yields == before && polls < 100 * PATIENCE) {
		sdpu_spin_idle();
		polls++;
	}
	return polls;
}

T_CASE(alone_it_yields_ever_more_seldom)
{
	T_EQ(polls_to_yield(), PATIENCE);
	T_EQ(polls_to_yield(), 2 * PATIENCE);
	for (int i = 0; i < 10; i++)
		polls_to_yield();
	T_EQ(polls_to_yield(), 16 * PATIENCE);
	sdpu_spin_worked();
	T_EQ(polls_to_yield(), PATIENCE);
}

T_CASE(beside_a_poller_it_yields_at_each_empty_poll)
{
	gone = 20 * US;
	T_EQ(polls_to_yield(), PATIENCE);
	T_EQ(polls_to_yield(), 1);
	sdpu_spin_worked();
	T_EQ(polls_to_yield(), 1);
	gone = 0;
	T_EQ(polls_to_yield(), 1);
	T_EQ(polls_to_yield(), PATIENCE);
	sdpu_spin_worked();
	T_EQ(polls_to_yield(), PATIENCE);
}

T_CASE(beside_one_that_computes_it_holds_on_after_work)
{
	gone = 3000 * US;
	T_EQ(polls_to_yield(), PATIENCE);
	T_EQ(polls_to_yield(), 1);
	sdpu_spin_worked();
	T_EQ(polls_to_yield(), PATIENCE);
}

/* Yields, the first of which is now, for so long. */
static void yield_for(uint64_t ns)
{
	uint64_t until = now + ns;

	for (; now < until; now += 10 * US)
		polls_to_yield();
}

T_CASE(fruitless_beside_others_it_sleeps_again_and_again)
{
	gone = 20 * US;
	yield_for(3 * SDPU_MS);
	T_EQ(sleeps, 0);
	yield_for(3 * SDPU_MS);
	T_EQ(sleeps, 1);
	yield_for(40 * SDPU_MS);
	T_CHECK(sleeps >= 10 && sleeps <= 11);
}

T_CASE(work_puts_the_sleep_off)
{
	gone = 20 * US;
	for (int i = 0; i < 10; i++) {
		yield_for(3 * SDPU_MS);
		sdpu_spin_worked();
	}
	T_EQ(sleeps, 0);
}

T_CASE(alone_it_does_not_sleep)
{
	yield_for(100 * SDPU_MS);
	T_EQ(sleeps, 0);
}

T_CASE(spin_never_yields)
{
	setenv("SOFTDPU_POLL", "spin", 1);
	polls_to_yield();
	T_EQ(yields, 0);
}

T_CASE(yield_goes_on_yielding)
{
	setenv("SOFTDPU_POLL", "yield", 1);
	T_EQ(polls_to_yield(), PATIENCE);
	T_EQ(polls_to_yield(), 1);
	sdpu_spin_worked();
	T_EQ(polls_to_yield(), PATIENCE);
}

T_CASE(what_is_not_known_counts_as_auto)
{
	setenv("SOFTDPU_POLL", "often", 1);
	T_EQ(polls_to_yield(), PATIENCE);
	T_EQ(polls_to_yield(), 2 * PATIENCE);
}
