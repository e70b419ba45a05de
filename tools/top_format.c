/* SPDX-License-Identifier: BSD-3-Clause */
#include "top_format.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text.h"
#include "watch_words.h"

#define NAME_WIDTH 44	  /* where there is room */
#define NAME_CUT_WIDTH 12 /* of less nothing would be left on both sides */
#define REMARK_SIZE 32

/* clang-format off */
const struct top_column_info top_columns[TOP_NUM_COLUMNS] = {
	[TOP_COLUMN_NAME] = {"process, object", "name", "what it is", -1, 24, 99},
	[TOP_COLUMN_SENT] = {"sent/s", "sent", "messages sent a second", TOP_SENT, 7, 12},
	[TOP_COLUMN_RECEIVED] = {"recv/s", "received", "messages received a second", TOP_RECEIVED, 7, 11},
	[TOP_COLUMN_SENT_BYTES] = {"sentB/s", "sent_bytes", "bytes sent a second", TOP_SENT_BYTES, 7, 4},
	[TOP_COLUMN_RECEIVED_BYTES] = {"recvB/s", "received_bytes", "bytes received a second", TOP_RECEIVED_BYTES, 7, 3},
	[TOP_COLUMN_QUEUED] = {"queue", "queued", "tasks under way, and what waits for the engine", TOP_QUEUED, 6, 9},
	[TOP_COLUMN_POSTED] = {"posted", "posted", "receives that wait for a message", TOP_POSTED, 6, 5},
	[TOP_COLUMN_AGAIN] = {"again/s", "again", "submits refused with AGAIN a second", TOP_AGAIN, 7, 6},
	[TOP_COLUMN_RDMA] = {"rdma/s", "rdma", "RDMA and DMA tasks completed a second, receives aside", TOP_RDMA, 7, 2},
	[TOP_COLUMN_P50] = {"p50", "p50_ns", "half of the tasks took less from submit to completion", TOP_P50, 6, 1},
	[TOP_COLUMN_P99] = {"p99", "p99_ns", "99 of 100 tasks took less", TOP_P99, 6, 7},
	[TOP_COLUMN_AGE] = {"idle", "idle_ns", "time since the engine last progressed; red: over 100 ms, and work waits", TOP_AGE, 6, 10},
	[TOP_COLUMN_MODE] = {"engine", "mode", "polls; sleeps until woken; stuck: idle is red; no answer: stopped", -1, 9, 8},
};
/* clang-format on */

const char *top_mode_name(enum top_mode mode)
{
	static const char *const names[] = {
		[TOP_MODE_NONE] = "-",		[TOP_MODE_POLLS] = "polls",
		[TOP_MODE_SLEEPS] = "sleeps",	[TOP_MODE_SILENT] = "no answer",
		[TOP_MODE_REFUSED] = "refused",
	};

	return names[mode];
}

/* ---- numbers ---- */

/* Three digits of it, whatever its size. */
static void print_scaled(double value, const char *unit, char text[TOP_NUMBER_SIZE])
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	snprintf(text, TOP_NUMBER_SIZE, "%.*f%s", decimals, value, unit);
}

static void print_units(double value, const char *const *units, char text[TOP_NUMBER_SIZE])
{
	while (value >= 999.5 && units[1] != NULL) {
		value /= 1000;
		units++;
	}
	if (value >= 999.5)
		snprintf(text, TOP_NUMBER_SIZE, "lots");
	else
		print_scaled(value, *units, text);
}

void top_format_number(double value, char text[TOP_NUMBER_SIZE])
{
	static const char *const units[] = {"", "k", "M", "G", "T", "P", NULL};

	if (isnan(value))
		snprintf(text, TOP_NUMBER_SIZE, "-");
	else if (value < 999.5 && value == floor(value))
		snprintf(text, TOP_NUMBER_SIZE, "%.0f", value);
	else
		print_units(value, units, text);
}

void top_format_time(double ns, char text[TOP_NUMBER_SIZE])
{
	static const char *const units[] = {"ns", "us", "ms", "s", NULL};

	if (isnan(ns))
		snprintf(text, TOP_NUMBER_SIZE, "-");
	else if (ns >= 999.5e9)
		print_units(ns / 3600e9, (const char *const[]){"h", NULL}, text);
	else if (ns < 999.5)
		snprintf(text, TOP_NUMBER_SIZE, "%.0fns", ns);
	else
		print_units(ns, units, text);
}

static bool is_time(enum top_column column)
{
	return column == TOP_COLUMN_P50 || column == TOP_COLUMN_P99 || column == TOP_COLUMN_AGE;
}

/* ---- columns ---- */

static int width_of(const struct top_layout *layout, enum top_column column)
{
	return column == TOP_COLUMN_NAME ? layout->name_width : top_columns[column].width + 1;
}

static int sum_of_widths(const struct top_layout *layout)
{
	int sum = 0, i;

	for (i = 0; i < TOP_NUM_COLUMNS; i++)
		if (layout->shown & 1u << i)
			sum += width_of(layout, (enum top_column)i);
	return sum;
}

static void leave_one_out(struct top_layout *layout)
{
	int least = TOP_COLUMN_NAME, i;

	for (i = 0; i < TOP_NUM_COLUMNS; i++)
		if (layout->shown & 1u << i &&
		    top_columns[i].importance < top_columns[least].importance)
			least = i;
	layout->shown &= ~(1u << least);
}

void top_layout_choose(struct top_layout *layout, int width)
{
	*layout = (struct top_layout){.shown = (1u << TOP_NUM_COLUMNS) - 1,
				      .name_width = top_columns[TOP_COLUMN_NAME].width};
	if (width == 0) {
		layout->name_width = NAME_WIDTH;
		layout->width = sum_of_widths(layout);
		return;
	}
	while (layout->shown != 1u << TOP_COLUMN_NAME && sum_of_widths(layout) > width)
		leave_one_out(layout);
	layout->name_width += width - sum_of_widths(layout);
	if (layout->name_width < 1)
		layout->name_width = 1;
	if (layout->name_width > NAME_WIDTH)
		layout->name_width = NAME_WIDTH;
	layout->width = sum_of_widths(layout);
}

int top_layout_place(const struct top_layout *layout, enum top_column column)
{
	int place = 0, i;

	if (!(layout->shown & 1u << column))
		return -1;
	for (i = 0; i < (int)column; i++)
		if (layout->shown & 1u << i)
			place += width_of(layout, (enum top_column)i);
	return place + (column != TOP_COLUMN_NAME);
}

/* ---- lines ---- */

static void append(char line[TOP_LINE_SIZE], const char *text)
{
	size_t len = strlen(line);

	snprintf(line + len, TOP_LINE_SIZE - len, "%s", text);
}

/* Characters of a text, up to so many, and the bytes that they take. */
static int count_characters(const char *text, int most, size_t *bytes)
{
	size_t len = strlen(text), at = 0;
	int num = 0;

	for (; at < len && num < most; num++) {
		size_t one = text_utf8_length(text + at, len - at);

		at += one > 0 ? one : 1;
	}
	*bytes = at;
	return num;
}

size_t top_text_fit(const char *text, int width)
{
	size_t bytes;

	count_characters(text, width, &bytes);
	return bytes;
}

/* Cut or filled to so many characters. */
static void append_text(char line[TOP_LINE_SIZE], const char *text, int width)
{
	size_t bytes, len = strlen(line);
	int num = count_characters(text, width, &bytes);

	snprintf(line + len, TOP_LINE_SIZE - len, "%.*s%*s", (int)bytes, text, width - num, "");
}

/* What is too long loses its middle: names of programs and peers differ at their ends. */
static void append_name(char line[TOP_LINE_SIZE], const char *name, int width)
{
	size_t all, left_out;
	int num = count_characters(name, INT_MAX, &all);
	int tail = (width - 1) / 2;

	if (num <= width || width < NAME_CUT_WIDTH) {
		append_text(line, name, width);
		return;
	}
	append_text(line, name, width - 1 - tail);
	append(line, "~");
	count_characters(name, num - tail, &left_out);
	append_text(line, name + left_out, tail);
}

static void append_cell(char line[TOP_LINE_SIZE], enum top_column column, const char *text)
{
	char cell[TOP_NUMBER_SIZE + 16];

	snprintf(cell, sizeof(cell), " %*s", top_columns[column].width, text);
	append(line, cell);
}

void top_format_heading(const struct top_layout *layout, char line[TOP_LINE_SIZE])
{
	int i;

	line[0] = '\0';
	append_text(line, top_columns[TOP_COLUMN_NAME].title, layout->name_width);
	for (i = TOP_COLUMN_NAME + 1; i < TOP_NUM_COLUMNS; i++)
		if (layout->shown & 1u << i)
			append_cell(line, (enum top_column)i, top_columns[i].title);
}

/* Not everybody sees red, and a table that is printed has no colours. */
static const char *mode_word(const struct top_row *row)
{
	if (row->is_gone)
		return "gone";
	if (row->is_stuck && row->mode != TOP_MODE_SILENT)
		return "stuck";
	return top_mode_name(row->mode);
}

static void format_value(const struct top_row *row, enum top_column column,
			 char text[TOP_NUMBER_SIZE])
{
	double value;

	if (column == TOP_COLUMN_MODE) {
		snprintf(text, TOP_NUMBER_SIZE, "%s", mode_word(row));
		return;
	}
	value = row->values[top_columns[column].metric];
	if (column == TOP_COLUMN_AGE && value < TOP_AGE_GRAIN_NS)
		snprintf(text, TOP_NUMBER_SIZE, "<5ms");
	else if (is_time(column))
		top_format_time(value, text);
	else
		top_format_number(value, text);
}

/* In the place of all columns, which would be empty. */
static void append_answer(const struct top_layout *layout, const char *answer,
			  char line[TOP_LINE_SIZE])
{
	int width = layout->width - layout->name_width;

	if (width > 0)
		append_text(line, " ", 1);
	if (width > 1)
		append_text(line, answer, width - 1);
}

/* What stands behind its name. */
static const char *remark_on(const struct top_object *object, char remark[REMARK_SIZE])
{
	remark[0] = '\0';
	if (object->unlisted > 0)
		snprintf(remark, REMARK_SIZE, ", %u not listed", object->unlisted);
	else if (object->state != SOFTDPU_STATE_NONE && object->state != SOFTDPU_STATE_RUNNING)
		snprintf(remark, REMARK_SIZE, ", %s", watch_state_word(object->state));
	return remark;
}

void top_format_row(const struct top_layout *layout, const struct top_row *row,
		    char line[TOP_LINE_SIZE])
{
	char name[TOP_NAME_SIZE + 2 * TOP_MAX_DEPTH + REMARK_SIZE], remark[REMARK_SIZE];
	char text[TOP_NUMBER_SIZE];
	int i;

	i = snprintf(name, sizeof(name), "%*s%s%s", 2 * (int)row->depth, "",
		     row->is_collapsed ? "+" : "", row->own.name);
	snprintf(name + i, sizeof(name) - (size_t)i, "%s", remark_on(&row->own, remark));
	line[0] = '\0';
	append_name(line, name, layout->name_width);
	if (row->own.mode == TOP_MODE_REFUSED && !row->is_gone) {
		append_answer(layout, row->own.answer, line);
		return;
	}
	for (i = TOP_COLUMN_NAME + 1; i < TOP_NUM_COLUMNS; i++) {
		if (!(layout->shown & 1u << i))
			continue;
		format_value(row, (enum top_column)i, text);
		append_cell(line, (enum top_column)i, text);
	}
}

void top_format_summary(const struct top_model *model, const struct top_view *view,
			char line[TOP_LINE_SIZE])
{
	size_t processes, objects;
	char since[48] = "";

	top_model_count(model, &processes, &objects);
	if (!isnan(model->interval))
		snprintf(since, sizeof(since), ", in the last %.2g s", model->interval);
	snprintf(line, TOP_LINE_SIZE, "softdpu top: %zu process%s, %zu object%s%s%s", processes,
		 processes == 1 ? "" : "es", objects, objects == 1 ? "" : "s", since,
		 view->is_frozen ? "  FROZEN (f goes on)" : "");
}

static int num_left_out(const struct top_layout *layout)
{
	return TOP_NUM_COLUMNS - __builtin_popcount(layout->shown);
}

void top_format_status(const struct top_layout *layout, const struct top_view *view,
		       char line[TOP_LINE_SIZE])
{
	int num = num_left_out(layout);
	char more[64] = "";

	if (num > 0)
		snprintf(more, sizeof(more), "  (%d column%s not fit)", num,
			 num == 1 ? " does" : "s do");
	if (view->is_typing)
		snprintf(line, TOP_LINE_SIZE, "filter: %s_  (Enter keeps it, Escape ends it)",
			 view->filter);
	else
		snprintf(line, TOP_LINE_SIZE, "by %s%s%s%s  h: help%s",
			 top_columns[view->sort].title, view->is_reversed ? ", reversed" : "",
			 view->filter[0] != '\0' ? "  filter: " : "", view->filter, more);
}

bool top_format_help(size_t n, char line[TOP_LINE_SIZE])
{
	static const char *const keys[] = {
		"q           quit",
		"< >         sort by the column to the left, to the right; r the other way round",
		"/           show only what has the text that you type: names, kinds, pids",
		"Escape      end the filter",
		"f, blank    freeze; again: go on",
		"Enter       collapse, expand the selected line; also with left and right",
		"- +         collapse, expand all",
		"up, down    select; also k, j, page up, page down, home, end",
		"h           this text; any key leaves it",
		"",
		"A line shows the sum of itself and all below it.",
	};
	const size_t num_keys = sizeof(keys) / sizeof(keys[0]);

	if (n < num_keys) {
		snprintf(line, TOP_LINE_SIZE, "%s", keys[n]);
		return true;
	}
	n = n - num_keys + 1;
	if (n >= TOP_NUM_COLUMNS)
		return false;
	snprintf(line, TOP_LINE_SIZE, "%-11s %s", top_columns[n].title, top_columns[n].help);
	return true;
}
