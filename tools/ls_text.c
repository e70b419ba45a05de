/* SPDX-License-Identifier: BSD-3-Clause */
#include "ls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <doca_types.h>

const char *ls_text(struct json_object *object, const char *key)
{
	struct json_object *value = json_object_object_get(object, key);

	return value == NULL ? "" : json_object_get_string(value);
}

int64_t ls_number(struct json_object *object, const char *key)
{
	return json_object_get_int64(json_object_object_get(object, key));
}

static bool is_kind(struct json_object *object, const char *kind)
{
	return strcmp(ls_text(object, "kind"), kind) == 0;
}

static bool is_alive(struct json_object *entry)
{
	return json_object_get_boolean(json_object_object_get(entry, "alive"));
}

static const char *short_pci(const char *pci)
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
		       short_pci(ls_text(device, "pci")));
		for (k = 0; k < json_object_array_length(reps); k++)
			printf("%s%s", k == 0 ? " -r " : " | ",
			       short_pci(
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

		if (is_kind(entry, kind)) {
			print_entry(entry);
			shown++;
		}
	}
	return shown;
}

/* ---- objects ---- */

/* "3 messages (192 bytes)". */
static void print_moved(struct json_object *object, const char *verb, const char *messages,
			const char *bytes)
{
	printf(", %s %" PRId64 " (%" PRId64 " bytes)", verb, ls_number(object, messages),
	       ls_number(object, bytes));
}

static void print_sent(struct json_object *object)
{
	print_moved(object, "sent", "sent_messages", "sent_bytes");
}

static void print_received(struct json_object *object)
{
	print_moved(object, "received", "received_messages", "received_bytes");
}

/* What is 0 for most is left out. */
static void print_unless_zero(struct json_object *object, const char *key, const char *words)
{
	if (ls_number(object, key) != 0)
		printf(", %" PRId64 " %s", ls_number(object, key), words);
}

static void print_tasks(struct json_object *object)
{
	int64_t under_way = ls_number(object, "submitted") - ls_number(object, "completed");

	printf(", %" PRId64 " tasks done", ls_number(object, "completed"));
	if (under_way != 0)
		printf(", %" PRId64 " under way", under_way);
	print_unless_zero(object, "failed", "failed");
	print_unless_zero(object, "again", "refused with AGAIN");
}

static void print_engine(struct json_object *object)
{
	printf("engine %s: %s", ls_text(object, "id"), ls_text(object, "mode"));
	if (strcmp(ls_text(object, "mode"), "left alone") == 0)
		printf(", nobody called doca_pe_progress() for %" PRId64
		       " ms, as long as it was looked at",
		       ls_number(object, "silent_ns") / 1000000);
}

static void print_context(struct json_object *object, const char *what)
{
	printf("%s %s%s%s on %s: %s", what, ls_text(object, "id"),
	       ls_text(object, "how")[0] ? " of type " : "", ls_text(object, "how"),
	       short_pci(ls_text(object, "device")), ls_text(object, "state"));
	print_tasks(object);
}

static void print_endpoint(struct json_object *object)
{
	printf("%s \"%s\" on %s: %s", ls_text(object, "kind"), ls_text(object, "name"),
	       short_pci(ls_text(object, "device")), ls_text(object, "state"));
}

static void print_connection(struct json_object *object)
{
	printf("connection with pid %s: %s", ls_text(object, "peer"), ls_text(object, "state"));
	print_sent(object);
	print_received(object);
	print_unless_zero(object, "waiting", "waiting to be taken");
}

static void print_consumer(struct json_object *object)
{
	printf("consumer %s: %s, %s receives posted", ls_text(object, "number"),
	       ls_text(object, "state"), ls_text(object, "posted"));
	print_received(object);
	print_unless_zero(object, "waiting", "waiting to be taken");
}

static void print_producer(struct json_object *object)
{
	printf("producer %s: %s", ls_text(object, "number"), ls_text(object, "state"));
	print_sent(object);
	print_unless_zero(object, "again", "refused with AGAIN");
}

static void print_msgq(struct json_object *object)
{
	printf("MsgQ %s on %s: %s", ls_text(object, "id"), short_pci(ls_text(object, "device")),
	       ls_text(object, "state"));
}

static void print_rdma(struct json_object *object)
{
	print_context(object, "context");
	printf(", %s receives posted", ls_text(object, "posted"));
}

static void print_rdma_connection(struct json_object *object)
{
	printf("connection %s", ls_text(object, "number"));
	if (ls_text(object, "how")[0] != '\0')
		printf(", back end %s", ls_text(object, "how"));
	if (ls_number(object, "peer") != 0)
		printf(", with pid %s", ls_text(object, "peer"));
	if (ls_text(object, "name")[0] != '\0')
		printf(", %s", ls_text(object, "name"));
	printf(": %s", ls_text(object, "state"));
	print_tasks(object);
	print_sent(object);
	print_received(object);
}

static void print_permissions(struct json_object *object)
{
	static const struct {
		unsigned int bit;
		const char *words;
	} flags[] = {
		{DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, "local read write"},
		{DOCA_ACCESS_FLAG_RDMA_READ, "RDMA read"},
		{DOCA_ACCESS_FLAG_RDMA_WRITE, "RDMA write"},
		{DOCA_ACCESS_FLAG_RDMA_ATOMIC, "RDMA atomic"},
		{DOCA_ACCESS_FLAG_PCI_READ_ONLY, "PCI read only"},
		{DOCA_ACCESS_FLAG_PCI_READ_WRITE, "PCI read write"},
	};
	unsigned int mask = (unsigned int)ls_number(object, "permissions");
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (mask & flags[i].bit)
			printf(", %s", flags[i].words);
}

static void print_window(struct json_object *object)
{
	printf("%#" PRIx64 ", %" PRId64 " bytes, own, %s: reached by %s",
	       ls_number(object, "address"), ls_number(object, "size"), ls_text(object, "how"),
	       ls_text(object, "reached_by"));
	print_permissions(object);
}

static void print_reach(struct json_object *object)
{
	printf("%#" PRIx64 ", %" PRId64 " bytes, of pid %s: %s%s", ls_number(object, "address"),
	       ls_number(object, "size"), ls_text(object, "peer"), ls_text(object, "how"),
	       strcmp(ls_text(object, "state"), "ended") == 0 ? ", withdrawn" : "");
	print_permissions(object);
}

static void print_dma(struct json_object *object)
{
	print_context(object, "DMA context");
}

static void print_other(struct json_object *object)
{
	print_context(object, "context");
}

/* Which object stands in which part. */
static const struct view {
	const char *kind, *part;
	void (*print)(struct json_object *object);
} views[] = {
	{"engine", "processes", print_engine},
	{"dma", "processes", print_dma},
	{"context", "processes", print_other},
	{"server", "connections", print_endpoint},
	{"client", "connections", print_endpoint},
	{"connection", "connections", print_connection},
	{"msgq", "connections", print_msgq},
	{"consumer", "connections", print_consumer},
	{"producer", "connections", print_producer},
	{"rdma", "rdma", print_rdma},
	{"rdma_connection", "rdma", print_rdma_connection},
	{"window", "memory", print_window},
	{"reach", "memory", print_reach},
};

static const struct view *view_of(struct json_object *object, const char *part)
{
	size_t i;

	for (i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		if (strcmp(views[i].part, part) == 0 && is_kind(object, views[i].kind))
			return &views[i];
	return NULL;
}

/* Those of a part that belong to `parent`, each followed by its own; a parent has a lower id. */
static size_t print_children(struct json_object *objects, const char *part, int64_t parent,
			     int indent)
{
	size_t num = json_object_array_length(objects), i, shown = 0;

	for (i = 0; i < num; i++) {
		struct json_object *object = json_object_array_get_idx(objects, i);
		const struct view *view = view_of(object, part);
		int64_t id = ls_number(object, "id");

		if (view == NULL || ls_number(object, "parent") != parent || id <= parent)
			continue;
		printf("%*s", indent, "");
		view->print(object);
		putchar('\n');
		shown += 1 + print_children(objects, part, id, indent + 2);
	}
	return shown;
}

static bool has_any(struct json_object *objects, const char *part)
{
	size_t i;

	for (i = 0; i < json_object_array_length(objects); i++)
		if (view_of(json_object_array_get_idx(objects, i), part) != NULL)
			return true;
	return false;
}

/* Under the line of its process, which is printed in any case among processes. */
static size_t print_objects(struct json_object *entry, const char *part)
{
	struct json_object *objects = json_object_object_get(entry, "objects");
	bool always = strcmp(part, "processes") == 0;

	if (!is_kind(entry, "process") || (!always && (objects == NULL || !has_any(objects, part))))
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
	const char *kind; /* of files that are listed; NULL: none */
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

	return kind != NULL && is_kind(entry, kind);
}

bool ls_part_has_object(const char *part, struct json_object *object)
{
	return view_of(object, part) != NULL;
}

bool ls_has_objects(const char *part)
{
	return part_named(part)->has_objects;
}
