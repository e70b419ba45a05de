/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When a thread yields that spins: after how many empty polls, by what its last yields told it.
 */
#include <stdlib.h>

#include "base/yield.h"
#include "core/pe.h"
#include "t.h"

#define US ((uint64_t)1000)
#define PATIENCE 100

static uint64_t gone; /* what yields say now */
static uint32_t yields;

uint64_t __wrap_sdpu_yield(void);

uint64_t __wrap_sdpu_yield(void)
{
	yields++;
	return gone;
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
