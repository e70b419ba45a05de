/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of `softdpu top`: numbers, columns that fit, and what is printed where no terminal is. */
#include "t.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/kit.h"
#include "top.h"
#include "top_format.h"
#include "watch_words.h"

static const char *number(double value)
{
	static char text[TOP_NUMBER_SIZE];

	top_format_number(value, text);
	return text;
}

static const char *time_of(double ns)
{
	static char text[TOP_NUMBER_SIZE];

	top_format_time(ns, text);
	return text;
}

T_CASE(numbers_have_three_digits)
{
	T_STREQ(number(NAN), "-");
	T_STREQ(number(0), "0");
	T_STREQ(number(0.5), "0.50");
	T_STREQ(number(12.34), "12.3");
	T_STREQ(number(999), "999");
	T_STREQ(number(999.7), "1.00k");
	T_STREQ(number(1234), "1.23k");
	T_STREQ(number(99960), "100k");
	T_STREQ(number(1.5e9), "1.50G");
	T_STREQ(number(1.8e19), "lots");
}

T_CASE(times_have_units)
{
	T_STREQ(time_of(NAN), "-");
	T_STREQ(time_of(0), "0ns");
	T_STREQ(time_of(850), "850ns");
	T_STREQ(time_of(1280), "1.28us");
	T_STREQ(time_of(123e6), "123ms");
	T_STREQ(time_of(12.5e9), "12.5s");
	T_STREQ(time_of(7200e9), "2.00h");
	T_STREQ(time_of(1.8e19), "lots");
}

/* Width of the row and heading that fit into so many columns. */
static void check_width(int width)
{
	struct top_model model = kit_model();
	char heading[TOP_LINE_SIZE], line[TOP_LINE_SIZE];
	struct top_layout layout;
	int place;

	top_layout_choose(&layout, width);
	top_format_heading(&layout, heading);
	top_format_row(&layout, kit_row(&model, 10, 4), line);
	T_EQ(strlen(heading), layout.width);
	T_EQ(strlen(line), layout.width);
	T_CHECK(width == 0 || layout.width <= width);
	place = top_layout_place(&layout, TOP_COLUMN_SENT);
	if (place >= 0)
		T_CHECK(strncmp(heading + place, " sent/s", 7) == 0 &&
			strncmp(line + place, "    300", 7) == 0);
	top_model_end(&model);
}

T_CASE(lines_fit_into_any_width)
{
	int width;

	for (width = 1; width < 200; width++)
		check_width(width);
	check_width(0);
}

T_CASE(the_most_telling_columns_stay)
{
	struct top_layout layout;

	top_layout_choose(&layout, 0);
	T_EQ(layout.shown, (1u << TOP_NUM_COLUMNS) - 1);
	top_layout_choose(&layout, 80);
	T_CHECK(top_layout_place(&layout, TOP_COLUMN_SENT) > 0);
	T_CHECK(top_layout_place(&layout, TOP_COLUMN_AGE) > 0);
	T_CHECK(top_layout_place(&layout, TOP_COLUMN_MODE) > 0);
	T_EQ(top_layout_place(&layout, TOP_COLUMN_P50), -1);
	top_layout_choose(&layout, 1);
	T_EQ(layout.shown, 1u << TOP_COLUMN_NAME);
	T_EQ(layout.width, 1);
}

static const char *row_of(const struct top_row *row)
{
	static char line[TOP_LINE_SIZE];
	struct top_layout layout;

	top_layout_choose(&layout, 0);
	top_format_row(&layout, row, line);
	return line;
}

T_CASE(what_the_clock_does_not_tell_is_not_shown)
{
	struct top_row row = {.depth = 1};

	row.values[TOP_AGE] = 3.73e6;
	T_CONTAINS(row_of(&row), "   <5ms");
	row.values[TOP_AGE] = 5e6;
	T_CONTAINS(row_of(&row), " 5.00ms");
}

T_CASE(states_stand_behind_the_name)
{
	struct top_row row = {.own = {.name = "server", .state = SOFTDPU_STATE_STOPPING}};

	T_CONTAINS(row_of(&row), "server, stopping ");
	row.own.state = SOFTDPU_STATE_RUNNING;
	T_CONTAINS(row_of(&row), "server  ");
}

T_CASE(what_is_stuck_is_said_in_a_word)
{
	struct top_row row = {.mode = TOP_MODE_POLLS, .is_stuck = true};

	T_CONTAINS(row_of(&row), " stuck");
	row.mode = TOP_MODE_SILENT; /* why it is stuck */
	T_CONTAINS(row_of(&row), " no answer");
	row.mode = TOP_MODE_POLLS;
	row.is_stuck = false;
	T_CONTAINS(row_of(&row), " polls");
}

T_CASE(a_process_that_cannot_be_asked_says_why)
{
	struct top_row row = {.own = {.name = "ten", .mode = TOP_MODE_REFUSED}};
	struct top_layout layout;
	int width;

	row.own.answer = watch_answer(DOCA_ERROR_AGAIN);
	T_CONTAINS(row_of(&row), "ten  ");
	T_CONTAINS(row_of(&row), " too many look at it already ");
	for (width = 1; width < 100; width++) {
		char line[TOP_LINE_SIZE];

		top_layout_choose(&layout, width);
		top_format_row(&layout, &row, line);
		T_EQ(strlen(line), layout.width);
	}
	row.is_gone = true;
	T_CONTAINS(row_of(&row), " gone");
}

T_CASE(names_are_cut_between_characters)
{
	struct top_row row = {.depth = 1};
	struct top_layout layout;
	char line[TOP_LINE_SIZE];

	strcpy(row.own.name, "gr\xc3\xbcn");
	top_layout_choose(&layout, 5);
	top_format_row(&layout, &row, line);
	T_STREQ(line, "  gr\xc3\xbc");
	T_EQ(top_text_fit("gr\xc3\xbcn", 3), 4);
	T_EQ(top_text_fit("gr", 3), 2);
}

T_CASE(long_names_keep_both_ends)
{
	struct top_row row = {.own = {.name = "17 storage_zero_copy_target"}};
	struct top_layout layout;
	char line[TOP_LINE_SIZE];

	top_layout_choose(&layout, 16);
	top_format_row(&layout, &row, line);
	T_STREQ(line, "17 stora~_target");
	strcpy(row.own.name, "gr\xc3\xbcn und immer gr\xc3\xbcner");
	top_format_row(&layout, &row, line);
	T_STREQ(line, "gr\xc3\xbcn und~ gr\xc3\xbcner");
}

T_CASE(summary_and_status_tell_what_is_seen)
{
	struct top_model model = kit_model();
	struct top_view view = {.is_frozen = true, .is_reversed = true, .sort = TOP_COLUMN_P99};
	struct top_layout layout;
	char line[TOP_LINE_SIZE];

	top_format_summary(&model, &view, line);
	T_STREQ(line, "softdpu top: 2 processes, 5 objects, in the last 1 s  FROZEN (f goes on)");
	strcpy(view.filter, "echo");
	top_layout_choose(&layout, 0);
	top_format_status(&layout, &view, line);
	T_STREQ(line, "by p99, reversed  filter: echo  h: help");
	top_layout_choose(&layout, 24);
	top_format_status(&layout, &view, line);
	T_CONTAINS(line, "(12 columns do not fit)");
	view.is_typing = true;
	top_format_status(&layout, &view, line);
	T_CONTAINS(line, "filter: echo_");
	top_model_end(&model);
}

T_CASE(help_fits_and_explains_each_column)
{
	char line[TOP_LINE_SIZE];
	size_t n = 0;

	while (top_format_help(n, line)) {
		T_CHECK(strlen(line) <= 88);
		n++;
	}
	T_CHECK(n > TOP_NUM_COLUMNS && n <= 24);
}

static char *printed(void (*print)(const struct top_model *model, const struct top_view *view,
				   FILE *out),
		     const struct top_model *model)
{
	struct top_view view = {0};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	print(model, &view, out);
	fclose(out);
	return text;
}

T_CASE(the_plain_table)
{
	struct top_model model = kit_model();
	char *text = printed(top_table_print, &model);

	T_CONTAINS(text, "process, object ");
	T_CONTAINS(text, "\nten  ");
	T_CONTAINS(text, "\n      blue  ");
	T_CONTAINS(text, " 5.00ms     polls\n");
	free(text);
	top_model_end(&model);
}

T_CASE(prometheus_has_counters_of_each_object)
{
	struct top_model model = kit_model();
	char *text = printed(top_prometheus_print, &model);

	T_CONTAINS(text, "# TYPE softdpu_sent_messages_total counter\n");
	T_CONTAINS(text, "softdpu_sent_messages_total{process=\"ten\",object=\"4\","
			 "kind=\"producer\",name=\"blue\"} 300\n");
	T_CONTAINS(text, "softdpu_process_answers{process=\"twenty\"} 1\n");
	T_CONTAINS(text, "softdpu_engine_idle_seconds{process=\"ten\",object=\"1\",kind=\"engine\","
			 "name=\"engine\"} 0.005\n");
	T_CHECK(strstr(text, "received_messages_total{") == NULL);
	free(text);
	top_model_end(&model);
}

/* Series go on when the state changes. */
T_CASE(prometheus_has_states_in_no_label)
{
	struct top_reading reading = kit_reading(0);
	struct top_model model = {0};
	char *text;

	kit_add(&reading, 10, 0, 0, "p")->mode = TOP_MODE_REFUSED;
	kit_add(&reading, 10, 1, 0, "c")->state = SOFTDPU_STATE_STOPPING;
	kit_add(&reading, 10, 2, 0, "d")->state = SOFTDPU_STATE_RUNNING;
	top_model_update(&model, &reading);
	text = printed(top_prometheus_print, &model);
	T_CONTAINS(text, "softdpu_process_answers{process=\"p\"} 0\n");
	T_CONTAINS(text, "softdpu_object_runs{process=\"p\",object=\"1\",kind=\"connection\","
			 "name=\"c\"} 0\n");
	T_CONTAINS(text, "name=\"d\"} 1\n");
	free(text);
	top_reading_end(&reading);
	top_model_end(&model);
}

T_CASE(prometheus_names_are_escaped)
{
	struct top_reading reading = kit_reading(0);
	struct top_model model = {0};
	char *text;

	kit_add(&reading, 10, 0, 0, "a\"b\\c");
	top_model_update(&model, &reading);
	text = printed(top_prometheus_print, &model);
	T_CONTAINS(text, "{process=\"a\\\"b\\\\c\"} 1\n");
	free(text);
	top_reading_end(&reading);
	top_model_end(&model);
}

T_CASE(prometheus_takes_the_place_of_plain_files_alone)
{
	struct top_model model = kit_model();
	struct top_view view = {0};
	struct stat found;
	char path[256];

	snprintf(path, sizeof(path), "%s/prometheus", getenv("SOFTDPU_RUNTIME_DIR"));
	T_EQ(mkfifo(path, 0600), 0);
	T_CHECK(!top_prometheus_write(&model, &view, path));
	T_EQ(lstat(path, &found), 0);
	T_CHECK(S_ISFIFO(found.st_mode));
	T_EQ(unlink(path), 0);
	T_CHECK(top_prometheus_write(&model, &view, path));
	T_CHECK(top_prometheus_write(&model, &view, path));
	T_EQ(lstat(path, &found), 0);
	T_CHECK(S_ISREG(found.st_mode));
	T_EQ(unlink(path), 0);
	top_model_end(&model);
}

T_CASE(prometheus_histograms_are_cumulative)
{
	struct top_reading reading = kit_reading(0);
	struct top_model model = {0};
	struct top_object *object;
	char *text;

	kit_add(&reading, 10, 0, 0, "p");
	object = kit_add_sender(&reading, 10, 1, 0, "s", 0);
	object->has |= KIT_HAS(TOP_P50);
	object->latency[0] = 1;
	object->latency[20] = 2;
	top_model_update(&model, &reading);
	text = printed(top_prometheus_print, &model);
	T_CONTAINS(text, ",le=\"1.5e-09\"} 1\n");
	T_CONTAINS(text, ",le=\"1.536e-06\"} 3\n");
	T_CONTAINS(text, ",le=\"+Inf\"} 3\n");
	T_CONTAINS(text, "softdpu_task_latency_seconds_count{process=\"p\",object=\"1\","
			 "kind=\"producer\",name=\"s\"} 3\n");
	free(text);
	top_reading_end(&reading);
	top_model_end(&model);
}
