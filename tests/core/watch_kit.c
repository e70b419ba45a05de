/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/watch_kit.h"

#include <stdio.h>
#include <unistd.h>

#include "t.h"

struct wanted {
	pid_t pid;
	char name[64];
};

static void find(const struct softdpu_entry *entry, void *user_data)
{
	struct wanted *wanted = user_data;

	if (entry->kind == SOFTDPU_ENTRY_PROCESS && entry->is_alive && entry->pid == wanted->pid)
		snprintf(wanted->name, sizeof(wanted->name), "%s", entry->name);
}

doca_error_t watch_pid(pid_t pid, struct softdpu_watch **watch)
{
	struct wanted wanted = {.pid = pid};

	T_OK(softdpu_registry_look(find, &wanted));
	T_CHECK(wanted.name[0] != '\0');
	return softdpu_watch_open(wanted.name, WATCH_MS, watch);
}

struct softdpu_watch *watch_self(void)
{
	struct softdpu_watch *watch;

	T_OK(watch_pid(getpid(), &watch));
	return watch;
}

struct softdpu_reading watch_all(struct softdpu_watch *watch)
{
	struct softdpu_reading reading;

	T_OK(softdpu_watch_read(watch, WATCH_MS, &reading));
	return reading;
}

const struct softdpu_object *watch_nth(const struct softdpu_reading *reading,
				       enum softdpu_object_kind kind, uint32_t nth)
{
	for (uint32_t i = 0; i < reading->num_objects; i++)
		if (reading->objects[i].kind == kind && nth-- == 0)
			return &reading->objects[i];
	return NULL;
}

struct softdpu_object watch_one(struct softdpu_watch *watch, enum softdpu_object_kind kind,
				uint32_t nth)
{
	struct softdpu_reading reading = watch_all(watch);
	const struct softdpu_object *object = watch_nth(&reading, kind, nth);

	T_CHECK(object != NULL);
	return *object;
}

uint64_t watch_latencies(const struct softdpu_object *object)
{
	uint64_t num = 0;

	for (int i = 0; i < SOFTDPU_LATENCY_BUCKETS; i++)
		num += object->latency[i];
	return num;
}
