/* SPDX-License-Identifier: BSD-3-Clause */
/* `softdpu ls`: one object of a process in words. */
#include "ls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <doca_types.h>

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

/* For numbers that are mostly 0. */
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
	       ls_short_pci(ls_text(object, "device")), ls_text(object, "state"));
	print_tasks(object);
}

static void print_endpoint(struct json_object *object)
{
	printf("%s \"%s\" on %s: %s", ls_text(object, "kind"), ls_text(object, "name"),
	       ls_short_pci(ls_text(object, "device")), ls_text(object, "state"));
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
	printf("MsgQ %s on %s: %s", ls_text(object, "id"), ls_short_pci(ls_text(object, "device")),
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

/* In which part each kind of object is shown, and how. */
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

static const struct view *view_of(struct json_object *object)
{
	size_t i;

	for (i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		if (ls_is_kind(object, views[i].kind))
			return &views[i];
	return NULL;
}

bool ls_part_has_object(const char *part, struct json_object *object)
{
	const struct view *view = view_of(object);

	return view != NULL && strcmp(view->part, part) == 0;
}

void ls_object_print(struct json_object *object)
{
	const struct view *view = view_of(object);

	if (view != NULL)
		view->print(object);
}
