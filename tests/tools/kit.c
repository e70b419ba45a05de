/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/kit.h"

#include <stdio.h>
#include <string.h>

#include "t.h"

struct top_reading kit_reading(double seconds)
{
	return (struct top_reading){.taken = KIT_SECOND + (uint64_t)(seconds * (double)KIT_SECOND)};
}

struct top_object *kit_add(struct top_reading *reading, pid_t pid, uint64_t number, uint64_t parent,
			   const char *name)
{
	struct top_object *object = top_reading_add(reading);

	object->id = (struct top_id){pid, number};
	object->parent = parent;
	object->taken = reading->taken;
	object->kind = number == 0 ? "process" : "connection";
	snprintf(object->name, sizeof(object->name), "%s", name);
	return object;
}

struct top_object *kit_add_sender(struct top_reading *reading, pid_t pid, uint64_t number,
				  uint64_t parent, const char *name, uint64_t sent)
{
	struct top_object *object = kit_add(reading, pid, number, parent, name);

	object->kind = "producer";
	object->has = KIT_HAS(TOP_SENT);
	object->counts[TOP_SENT] = sent;
	return object;
}

struct top_object *kit_add_engine(struct top_reading *reading, pid_t pid, uint64_t number,
				  uint64_t age, bool has_work)
{
	struct top_object *object = kit_add(reading, pid, number, 0, "engine");

	object->kind = "engine";
	object->has = KIT_HAS(TOP_AGE);
	object->age = age;
	object->has_work = has_work;
	object->mode = TOP_MODE_POLLS;
	return object;
}

const struct top_row *kit_row(const struct top_model *model, pid_t pid, uint64_t number)
{
	size_t at = top_model_find(model, (struct top_id){pid, number});

	T_CHECK(at != TOP_NO_ROW);
	return &model->rows[at];
}

const char *kit_lines(const struct top_model *model, const struct top_view *view)
{
	static char text[1024];
	struct top_list list;
	size_t i;

	text[0] = '\0';
	top_list_make(&list, model, view);
	for (i = 0; i < list.num; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i > 0 ? " " : "",
			 model->rows[list.rows[i]].own.name);
	top_list_end(&list);
	return text;
}

static void read_once(struct top_model *model, double seconds)
{
	struct top_reading reading = kit_reading(seconds);
	uint64_t n = (uint64_t)seconds;

	kit_add(&reading, 10, 0, 0, "ten");
	kit_add_engine(&reading, 10, 1, 5000000, false);
	kit_add(&reading, 10, 2, 1, "link");
	kit_add_sender(&reading, 10, 3, 2, "red", 100 * n)->engine = 1;
	kit_add_sender(&reading, 10, 4, 2, "blue", 300 * n)->engine = 1;
	kit_add(&reading, 20, 0, 0, "twenty");
	kit_add_sender(&reading, 20, 1, 0, "green", 200 * n);
	top_model_update(model, &reading);
	top_reading_end(&reading);
}

struct top_model kit_model(void)
{
	struct top_model model = {0};

	read_once(&model, 0);
	read_once(&model, 1);
	return model;
}
