/* SPDX-License-Identifier: BSD-3-Clause */
/* `softdpu ls`: the parts in words: devices, files of the runtime directory, objects of processes.
 */
#include "ls.h"

#include <stdio.h>
#include <string.h>

const char *ls_text(struct json_object *object, const char *key)
{
	struct json_object *value = json_object_object_get(object, key);

	return value == NULL ? "" : json_object_get_string(value);
}

int64_t ls_number(struct json_object *object, const char *key)
{
	return json_object_get_int64(json_object_object_get(object, key));
}

bool ls_is_kind(struct json_object *object, const char *kind)
{
	return strcmp(ls_text(object, "kind"), kind) == 0;
}

static bool is_alive(struct json_object *entry)
{
	return json_object_get_boolean(json_object_object_get(entry, "alive"));
}

const char *ls_short_pci(const char *pci)
{
	return strncmp(pci, "0000:", 5) == 0 ? pci + 5 : pci;
}

/* ---- devices and files ---- */

static size_t print_devices(struct json_object *devices)
{
	size_t num = json_object_array_length(devices), i, k;

	for (i = 0; i < num; i++) {
		struct json_object *device = json_object_array_get_idx(devices, i);
		struct json_object *reps = json_object_object_get(device, "representors");

		printf("  %-4s  %-12s  %-8s  %-10s  -d %s", ls_text(device, "side"),
		       ls_text(device, "pci"), ls_text(device, "ibdev"), ls_text(device, "iface"),
		       ls_short_pci(ls_text(device, "pci")));
		for (k = 0; k < json_object_array_length(reps); k++)
			printf("%s%s", k == 0 ? " -r " : " | ",
			       ls_short_pci(
				       json_object_get_string(json_object_array_get_idx(reps, k))));
		putchar('\n');
	}
	return num;
}

static void print_entry(struct json_object *entry)
{
	if (!is_alive(entry))
		printf("  %s: of a dead process; softdpu clean removes it\n",
		       ls_text(entry, "what"));
	else if (ls_number(entry, "pid") == 0)
		printf("  %s: in another PID namespace\n", ls_text(entry, "what"));
	else
		printf("  %s: pid %s (%s)\n", ls_text(entry, "what"), ls_text(entry, "pid"),
		       ls_text(entry, "command"));
}

static size_t print_entries(struct json_object *entries, const char *kind)
{
	size_t num = json_object_array_length(entries), i, shown = 0;

	for (i = 0; i < num; i++) {
		struct json_object *entry = json_object_array_get_idx(entries, i);

		if (ls_is_kind(entry, kind)) {
			print_entry(entry);
			shown++;
		}
	}
	return shown;
}

/* ---- objects ---- */

/* Prints the objects of a part below `parent`, each followed by its own children. A parent has a
 * lower id than its children. */
static size_t print_children(struct json_object *objects, const char *part, int64_t parent,
			     int indent)
{
	size_t num = json_object_array_length(objects), i, shown = 0;

	for (i = 0; i < num; i++) {
		struct json_object *object = json_object_array_get_idx(objects, i);
		int64_t id = ls_number(object, "id");

		if (!ls_part_has_object(part, object) || ls_number(object, "parent") != parent ||
		    id <= parent)
			continue;
		printf("%*s", indent, "");
		ls_object_print(object);
		putchar('\n');
		shown += 1 + print_children(objects, part, id, indent + 2);
	}
	return shown;
}

static bool has_any(struct json_object *objects, const char *part)
{
	size_t i;

	for (i = 0; i < json_object_array_length(objects); i++)
		if (ls_part_has_object(part, json_object_array_get_idx(objects, i)))
			return true;
	return false;
}

/* The line of the process and its objects below. Among "processes" the line is always printed. */
static size_t print_objects(struct json_object *entry, const char *part)
{
	struct json_object *objects = json_object_object_get(entry, "objects");
	bool always = strcmp(part, "processes") == 0;

	if (!ls_is_kind(entry, "process") ||
	    (!always && (objects == NULL || !has_any(objects, part))))
		return 0;
	if (always)
		print_entry(entry);
	else
		printf("  pid %s (%s):\n", ls_text(entry, "pid"), ls_text(entry, "command"));
	if (objects == NULL && is_alive(entry))
		printf("    its objects are not known: %s\n", ls_text(entry, "answer"));
	if (objects != NULL)
		print_children(objects, part, 0, 4);
	if (always && ls_number(entry, "unlisted") != 0)
		printf("    and %s objects more, for which its list has no room\n",
		       ls_text(entry, "unlisted"));
	return 1;
}

static size_t print_all_objects(struct json_object *entries, const char *part)
{
	size_t num = json_object_array_length(entries), i, shown = 0;

	for (i = 0; i < num; i++)
		shown += print_objects(json_object_array_get_idx(entries, i), part);
	return shown;
}

/* ---- parts ---- */

static const struct part {
	const char *name, *title;
	const char *kind; /* kind of the files that are listed; NULL: none */
	bool has_objects;
} parts[] = {
	/* devices first */
	{"devices", "Devices", NULL, false},
	{"processes", "Processes", NULL, true},
	{"servers", "Comch servers", "server", false},
	{"connections", "Connections", NULL, true},
	{"memory", "Memory", NULL, true},
	{"rdma", "RDMA", "rdma", true},
};

#define NUM_PARTS (sizeof(parts) / sizeof(parts[0]))

static const struct part *part_named(const char *name)
{
	size_t i;

	for (i = 0; i < NUM_PARTS; i++)
		if (strcmp(name, parts[i].name) == 0)
			return &parts[i];
	return NULL;
}

static void print_part(const struct part *part, struct json_object *object)
{
	struct json_object *entries = json_object_object_get(object, "entries");
	size_t shown = 0;

	printf("%s:\n", part->title);
	if (part->kind != NULL)
		shown += print_entries(entries, part->kind);
	if (part->has_objects)
		shown += print_all_objects(entries, part->name);
	if (part == parts)
		shown += print_devices(json_object_object_get(object, "devices"));
	if (shown == 0)
		puts("  none");
}

void ls_print(const char *wanted, struct json_object *object)
{
	size_t i;

	for (i = 0; i < NUM_PARTS; i++)
		if (wanted == NULL || strcmp(wanted, parts[i].name) == 0)
			print_part(&parts[i], object);
}

bool ls_is_part(const char *name)
{
	return part_named(name) != NULL;
}

bool ls_part_has_entry(const char *part, struct json_object *entry)
{
	const char *kind = part_named(part)->kind;

	return kind != NULL && ls_is_kind(entry, kind);
}

bool ls_has_objects(const char *part)
{
	return part_named(part)->has_objects;
}
