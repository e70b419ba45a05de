/* SPDX-License-Identifier: BSD-3-Clause */
/* What JSON has of one part: the same keys, with nothing that belongs to other parts. */
#include "ls.h"

#include <string.h>

#include "memory.h"

/* Of a process: those of its objects that the part shows. Their number. */
static size_t keep_objects(const char *part, struct json_object *entry)
{
	struct json_object *all = json_object_object_get(entry, "objects");
	struct json_object *kept = memory_need(json_object_new_array());
	size_t i, num;

	for (i = 0; all != NULL && i < json_object_array_length(all); i++) {
		struct json_object *object = json_object_array_get_idx(all, i);

		if (ls_part_has_object(part, object))
			json_object_array_add(kept, json_object_get(object));
	}
	num = json_object_array_length(kept);
	if (all != NULL)
		json_object_object_add(entry, "objects", kept);
	else
		json_object_put(kept);
	return num;
}

static bool keep_entry(const char *part, struct json_object *entry)
{
	bool is_process = strcmp(ls_text(entry, "kind"), "process") == 0;

	if (!is_process || !ls_has_objects(part))
		return ls_part_has_entry(part, entry);
	return keep_objects(part, entry) > 0 || strcmp(part, "processes") == 0;
}

void ls_keep(const char *part, struct json_object *object)
{
	struct json_object *all = json_object_object_get(object, "entries"), *kept;
	size_t i;

	if (strcmp(part, "devices") == 0) {
		json_object_object_del(object, "entries");
		return;
	}
	json_object_object_del(object, "devices");
	kept = memory_need(json_object_new_array());
	for (i = 0; i < json_object_array_length(all); i++) {
		struct json_object *entry = json_object_array_get_idx(all, i);

		if (keep_entry(part, entry))
			json_object_array_add(kept, json_object_get(entry));
	}
	json_object_object_add(object, "entries", kept);
}
