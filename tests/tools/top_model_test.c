/* SPDX-License-Identifier: BSD-3-Clause */
/* What `softdpu top` makes of two readings: rates, sums, percentiles, and what comes and goes. */
#include "t.h"

#include <math.h>

#include "tools/kit.h"

static struct top_model model;
static struct top_reading reading;

static void update(void)
{
	top_model_update(&model, &reading);
	top_reading_end(&reading);
}

T_CASE(rates_are_by_each_process_s_own_time)
{
	struct top_object *process;

	reading = kit_reading(0);
	kit_add(&reading, 10, 0, 0, "p");
	kit_add_sender(&reading, 10, 1, 0, "s", 5000);
	update();
	T_CHECK(isnan(kit_row(&model, 10, 1)->values[TOP_SENT]));
	T_CHECK(isnan(model.interval));
	reading = kit_reading(1);
	process = kit_add(&reading, 10, 0, 0, "p");
	process->taken -= KIT_SECOND / 2;
	kit_add_sender(&reading, 10, 1, 0, "s", 6000)->taken -= KIT_SECOND / 2;
	update();
	T_EQ(kit_row(&model, 10, 1)->values[TOP_SENT], 2000);
	T_EQ(model.interval, 1);
}

T_CASE(what_is_new_in_a_known_process_began_at_zero)
{
	reading = kit_reading(0);
	kit_add(&reading, 10, 0, 0, "p");
	update();
	reading = kit_reading(2);
	kit_add(&reading, 10, 0, 0, "p");
	kit_add_sender(&reading, 10, 1, 0, "s", 500);
	kit_add(&reading, 20, 0, 0, "q");
	kit_add_sender(&reading, 20, 1, 0, "s", 500);
	update();
	T_EQ(kit_row(&model, 10, 1)->values[TOP_SENT], 250);
	T_CHECK(isnan(kit_row(&model, 20, 1)->values[TOP_SENT]));
}

T_CASE(a_counter_that_went_back_has_no_rate)
{
	reading = kit_reading(0);
	kit_add(&reading, 10, 0, 0, "p");
	kit_add_sender(&reading, 10, 1, 0, "s", 500);
	update();
	reading = kit_reading(1);
	kit_add(&reading, 10, 0, 0, "p");
	kit_add_sender(&reading, 10, 1, 0, "s", 400);
	update();
	T_CHECK(isnan(kit_row(&model, 10, 1)->values[TOP_SENT]));
}

T_CASE(a_row_is_the_sum_of_all_below_it)
{
	struct top_model sums = kit_model();

	T_EQ(kit_row(&sums, 10, 3)->values[TOP_SENT], 100);
	T_EQ(kit_row(&sums, 10, 2)->values[TOP_SENT], 400);
	T_EQ(kit_row(&sums, 10, 0)->values[TOP_SENT], 400);
	T_EQ(kit_row(&sums, 20, 0)->values[TOP_SENT], 200);
	T_CHECK(isnan(kit_row(&sums, 10, 0)->values[TOP_RECEIVED]));
	T_EQ(kit_row(&sums, 10, 3)->depth, 3);
	top_model_end(&sums);
}

/* Objects whose latencies lie in these buckets. */
static struct top_object *add_timed(uint64_t number, unsigned int low, unsigned int high)
{
	struct top_object *object = kit_add_sender(&reading, 10, number, 0, "s", 0);

	object->has |= KIT_HAS(TOP_P50);
	object->latency[20] = low;  /* 1024 to 1536 ns */
	object->latency[41] = high; /* 1.5 to 2 times 2^20 ns */
	return object;
}

T_CASE(percentiles_are_of_the_interval)
{
	const struct top_row *row;

	reading = kit_reading(0);
	kit_add(&reading, 10, 0, 0, "p");
	add_timed(1, 0, 100000);
	add_timed(2, UINT32_MAX - 9, 0);
	update();
	T_CHECK(isnan(kit_row(&model, 10, 1)->values[TOP_P50]));
	reading = kit_reading(1);
	kit_add(&reading, 10, 0, 0, "p");
	add_timed(1, 60, 100040);
	add_timed(2, 0, 0); /* ten more, counted past the end */
	update();
	row = kit_row(&model, 10, 1);
	T_CHECK(row->values[TOP_P50] > 1024 && row->values[TOP_P50] <= 1536);
	T_CHECK(row->values[TOP_P99] > 1.5 * 1048576 && row->values[TOP_P99] <= 2 * 1048576);
	row = kit_row(&model, 10, 2);
	T_EQ(row->values[TOP_P50], 1280);
	row = kit_row(&model, 10, 0);
	T_EQ(row->latency[20], 70);
	T_CHECK(row->values[TOP_P50] < 1536 && row->values[TOP_P99] > 1536);
}

T_CASE(an_engine_is_stuck_when_work_waits)
{
	reading = kit_reading(0);
	kit_add(&reading, 10, 0, 0, "idle");
	kit_add_engine(&reading, 10, 1, 5 * KIT_SECOND, false);
	kit_add(&reading, 20, 0, 0, "stuck");
	kit_add_engine(&reading, 20, 1, TOP_STUCK_NS + 1, true);
	kit_add_sender(&reading, 20, 2, 1, "s", 0)->engine = 1;
	kit_add_engine(&reading, 20, 3, 1000, true);
	kit_add(&reading, 30, 0, 0, "busy");
	kit_add_engine(&reading, 30, 1, TOP_STUCK_NS, true);
	kit_add_engine(&reading, 30, 2, 7, true);
	update();
	T_CHECK(!kit_row(&model, 10, 0)->is_stuck);
	T_CHECK(kit_row(&model, 20, 0)->is_stuck);
	T_CHECK(kit_row(&model, 20, 2)->is_stuck);
	T_CHECK(!kit_row(&model, 20, 3)->is_stuck);
	T_EQ(kit_row(&model, 20, 0)->values[TOP_AGE], TOP_STUCK_NS + 1);
	T_CHECK(!kit_row(&model, 30, 0)->is_stuck);
	T_EQ(kit_row(&model, 30, 0)->values[TOP_AGE], 7);
}

T_CASE(an_engine_s_age_is_its_own)
{
	reading = kit_reading(0);
	kit_add(&reading, 10, 0, 0, "p");
	kit_add_engine(&reading, 10, 1, 1000, true);
	kit_add_engine(&reading, 10, 2, KIT_SECOND, true);
	kit_add(&reading, 10, 3, 1, "server")->engine = 1;
	kit_add(&reading, 10, 4, 3, "consumer")->engine = 2;
	update();
	T_CHECK(!kit_row(&model, 10, 1)->is_stuck);
	T_EQ(kit_row(&model, 10, 1)->values[TOP_AGE], 1000);
	T_CHECK(kit_row(&model, 10, 3)->is_stuck);
	T_CHECK(kit_row(&model, 10, 4)->is_stuck);
	T_CHECK(kit_row(&model, 10, 0)->is_stuck);
}

T_CASE(what_is_gone_stays_for_one_interval)
{
	size_t processes, objects;

	model = kit_model();
	reading = kit_reading(2);
	kit_add(&reading, 10, 0, 0, "ten");
	kit_add(&reading, 10, 2, 0, "link");
	kit_add_sender(&reading, 10, 3, 2, "red", 200);
	update();
	T_EQ(model.num, 7);
	T_CHECK(kit_row(&model, 10, 4)->is_gone);
	T_CHECK(kit_row(&model, 20, 0)->is_gone);
	T_CHECK(kit_row(&model, 20, 1)->is_gone);
	T_EQ(kit_row(&model, 20, 1)->values[TOP_SENT], 200);
	T_EQ(kit_row(&model, 10, 0)->values[TOP_SENT], 100);
	top_model_count(&model, &processes, &objects);
	T_EQ(processes, 1);
	T_EQ(objects, 2);
	reading = kit_reading(3);
	kit_add(&reading, 10, 0, 0, "ten");
	update();
	T_EQ(model.num, 3);
	T_EQ(top_model_find(&model, (struct top_id){20, 0}), TOP_NO_ROW);
}

T_CASE(a_process_that_comes_back_is_new)
{
	model = kit_model();
	reading = kit_reading(2);
	update();
	reading = kit_reading(3);
	kit_add(&reading, 20, 0, 0, "twenty");
	kit_add_sender(&reading, 20, 1, 0, "green", 900);
	update();
	T_CHECK(!kit_row(&model, 20, 1)->is_gone);
	T_CHECK(isnan(kit_row(&model, 20, 1)->values[TOP_SENT]));
}

T_CASE(parents_that_lie_do_no_harm)
{
	uint64_t i;

	reading = kit_reading(0);
	kit_add(&reading, 10, 0, 0, "p");
	kit_add_sender(&reading, 10, 1, 2, "circle", 0);
	kit_add_sender(&reading, 10, 2, 1, "circle", 0);
	kit_add_sender(&reading, 10, 3, 3, "its own", 0);
	kit_add_sender(&reading, 10, 4, 4711, "nobody's", 0);
	for (i = 5; i < 5 + 3 * TOP_MAX_DEPTH; i++)
		kit_add_sender(&reading, 10, i, i + 1, "deep", 0);
	kit_add_sender(&reading, 30, 7, 0, "of no process", 0);
	update();
	for (i = 0; i < model.num; i++)
		T_CHECK(model.rows[i].depth <= TOP_MAX_DEPTH);
	for (i = 1; i <= 4; i++)
		T_EQ(kit_row(&model, 10, i)->depth, 1);
	T_EQ(kit_row(&model, 30, 7)->depth, 0);
}

T_CASE(a_process_that_does_not_answer_has_no_rates)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		reading = kit_reading((double)i);
		kit_add(&reading, 10, 0, 0, "p")->taken = KIT_SECOND;
		kit_add_sender(&reading, 10, 1, 0, "s", 7)->taken = KIT_SECOND;
		update();
	}
	T_CHECK(isnan(kit_row(&model, 10, 1)->values[TOP_SENT]));
	T_CHECK(!kit_row(&model, 10, 1)->is_gone);
}
