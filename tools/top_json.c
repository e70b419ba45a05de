/* SPDX-License-Identifier: BSD-3-Clause */
#include "top.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "groups.h"
#include "json_out.h"
#include "memory.h"
#include "top_format.h"
#include "watch_words.h"

/* Printing fractions is slow. */
#define WHOLE 1000

/* Three decimals at most. NAN becomes null. */
static struct json_object *number(double value)
{
	char text[64];

	if (isnan(value))
		return NULL;
	if (value == floor(value) && value < 1e15)
		return memory_need(json_object_new_int64((int64_t)value));
	snprintf(text, sizeof(text), "%.3f", value);
	return memory_need(json_object_new_double_s(value, text));
}

static void add_values(struct json_object *object, const struct top_row *row)
{
	int i;

	for (i = 0; i < TOP_NUM_COLUMNS; i++) {
		double value;

		if (top_columns[i].metric < 0)
			continue;
		value = row->values[top_columns[i].metric];
		json_add(object, top_columns[i].key, number(value < WHOLE ? value : round(value)));
	}
	json_add_text(object, top_columns[TOP_COLUMN_MODE].key,
		      row->mode == TOP_MODE_NONE ? NULL : top_mode_name(row->mode));
	json_add_bool(object, "stuck", row->is_stuck);
	json_add_bool(object, "gone", row->is_gone);
}

/* Returns the array to which its objects are added. */
static struct json_object *add_process(struct json_object *processes, const struct top_row *row)
{
	struct json_object *object = memory_need(json_object_new_object());

	json_add_int(object, "pid", row->own.id.pid);
	json_add_text(object, "name", row->own.name);
	json_add_int(object, "unlisted", row->own.unlisted);
	json_add_text(object, "answer", row->own.answer);
	add_values(object, row);
	json_object_array_add(processes, object);
	return json_add_array(object, "objects");
}

static void add_object(struct json_object *objects, const struct top_row *row)
{
	struct json_object *object = memory_need(json_object_new_object());

	json_add_int(object, "id", (int64_t)row->own.id.number);
	json_add_int(object, "parent", (int64_t)row->own.parent);
	json_add_int(object, "engine", (int64_t)row->own.engine);
	json_add_text(object, "kind", row->own.kind);
	json_add_text(object, "name", row->own.name);
	json_add_int(object, "peer", row->own.peer);
	json_add_text(object, "state", watch_state_word(row->own.state));
	add_values(object, row);
	json_object_array_add(objects, object);
}

static double wall_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void top_json_print(const struct top_model *model, const struct top_view *view)
{
	struct json_object *line = memory_need(json_object_new_object()), *processes,
			   *objects = NULL;
	struct top_list list;
	size_t i;

	json_add(line, "time", number(wall_time()));
	json_add(line, "interval", number(model->interval));
	groups_add_json(line);
	processes = json_add_array(line, "processes");
	top_list_make(&list, model, view);
	for (i = 0; i < list.num; i++) {
		const struct top_row *row = &model->rows[list.rows[i]];

		if (row->depth == 0)
			objects = add_process(processes, row);
		else
			add_object(objects, row);
	}
	top_list_end(&list);
	json_print_line(line);
}
