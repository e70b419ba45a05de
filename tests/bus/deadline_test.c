/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deadlines: pass in the order of their times, each tells its engine once, and none after its
 * close. The agent does not run but in the last case: the others say what time it is.
 */
#include "t.h"

#include <string.h>

#include "base/clock.h"
#include "bus/agent_parts.h"
#include "bus/deadline.h"

#define NUM 5

static struct sdpu_bell bell;
static struct sdpu_deadline deadlines[NUM];

/* Whoever was told of it since the last time. */
static bool engine_is_told(void)
{
	bool told = sdpu_load(&bell.attention) != 0;

	sdpu_store(&bell.attention, 0);
	return told;
}

static uint32_t passed(void)
{
	uint32_t num = 0;

	for (int i = 0; i < NUM; i++)
		num += sdpu_deadline_has_passed(&deadlines[i]);
	return num;
}

T_CASE(they_pass_in_the_order_of_their_times)
{
	static const uint32_t seconds[NUM] = {30, 10, 50, 20, 40};
	uint64_t next, before = 0;

	T_OK(sdpu_bell_create(&bell));
	for (int i = 0; i < NUM; i++)
		sdpu_deadline_open(&deadlines[i], &bell, seconds[i] * 1000);
	next = sdpu_deadline_tick(sdpu_clock_now());
	for (uint32_t i = 0; i < NUM; i++) {
		T_EQ(passed(), i);
		T_CHECK(!engine_is_told());
		T_CHECK(next > before);
		before = next;
		T_EQ(sdpu_deadline_tick(next - 1), next);
		next = sdpu_deadline_tick(next);
		T_CHECK(engine_is_told());
	}
	T_EQ(next, SDPU_NEVER);
	T_EQ(passed(), NUM);
	for (int i = 0; i < NUM; i++)
		sdpu_deadline_close(&deadlines[i]);
	T_EQ(passed(), 0);
	sdpu_bell_destroy(&bell);
}

T_CASE(a_closed_one_does_not_pass)
{
	T_OK(sdpu_bell_create(&bell));
	sdpu_deadline_open(&deadlines[0], &bell, 10);
	sdpu_deadline_open(&deadlines[1], &bell, 20000);
	sdpu_deadline_close(&deadlines[0]);
	sdpu_deadline_close(&deadlines[0]);
	T_EQ(sdpu_deadline_tick(sdpu_clock_now() + SDPU_SECOND), deadlines[1].at);
	T_EQ(passed(), 0);
	T_CHECK(!engine_is_told());
	sdpu_deadline_close(&deadlines[1]);
	T_EQ(sdpu_deadline_tick(SDPU_NEVER - 1), SDPU_NEVER);
	sdpu_bell_destroy(&bell);
}

T_CASE(of_the_same_time_all_pass_at_once)
{
	T_OK(sdpu_bell_create(&bell));
	for (int i = 0; i < NUM; i++)
		sdpu_deadline_open(&deadlines[i], &bell, 5000);
	T_EQ(sdpu_deadline_tick(deadlines[NUM - 1].at), SDPU_NEVER);
	T_EQ(passed(), NUM);
	sdpu_bell_destroy(&bell);
}

T_CASE(the_agent_waits_for_them)
{
	T_OK(sdpu_agent_get());
	T_OK(sdpu_bell_create(&bell));
	sdpu_deadline_open(&deadlines[0], &bell, 60000);
	sdpu_deadline_open(&deadlines[1], &bell, 0);
	T_EVENTUALLY(sdpu_deadline_has_passed(&deadlines[1]), 10000);
	T_CHECK(!sdpu_deadline_has_passed(&deadlines[0]));
	sdpu_deadline_close(&deadlines[0]);
	sdpu_deadline_close(&deadlines[1]);
	sdpu_bell_destroy(&bell);
	sdpu_agent_put();
}
