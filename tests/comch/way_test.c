/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long messages into memory that is not mapped: the way that took less lately, by made up costs.
 */
#include "comch/way.h"

#include "t.h"

#define PART COMCH_PART_SIZE

static struct comch_way way;

static void costs(uint64_t staged, uint64_t window)
{
	way = (struct comch_way){.staged = staged, .window = window, .turn = COMCH_WAY_EARLY};
}

/* Of so many messages. */
static uint32_t staged_of(uint32_t messages)
{
	uint32_t staged = 0;

	while (messages-- > 0)
		staged += comch_way_stages(&way);
	return staged;
}

T_CASE(staging_comes_first)
{
	costs(0, 0);
	way.turn = 0;
	T_EQ(staged_of(COMCH_WAY_EARLY_EVERY - 1), COMCH_WAY_EARLY_EVERY - 1);
	T_CHECK(!comch_way_stages(&way));
	T_CHECK(comch_way_stages(&way));
}

T_CASE(the_cheaper_way_is_taken_and_the_other_one_tried_now_and_then)
{
	costs(100, 300);
	T_EQ(staged_of(2 * COMCH_WAY_WINDOW_EVERY), 2 * COMCH_WAY_WINDOW_EVERY - 2);
	costs(300, 100);
	T_EQ(staged_of(2 * COMCH_WAY_STAGED_EVERY), 2);
}

T_CASE(a_way_that_becomes_slow_is_left)
{
	costs(100, 300);
	for (int i = 0; i < 10; i++)
		comch_way_note(&way.staged, 3000, PART);
	T_EQ(staged_of(100), 0);
	comch_way_note(&way.staged, 100, PART);
	T_EQ(staged_of(100), 100);
}

T_CASE(one_slow_copy_changes_nothing)
{
	costs(100, 130);
	comch_way_note(&way.staged, 1000000, PART);
	T_EQ(way.staged, 125);
	T_CHECK(comch_way_stages(&way));
}

T_CASE(costs_are_those_of_a_part)
{
	uint64_t cost = 0;

	comch_way_note(&cost, 400, 4 * PART);
	T_EQ(cost, 100);
}
