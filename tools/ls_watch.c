/* SPDX-License-Identifier: BSD-3-Clause */
#include "ls.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doca_error.h>
#include <softdpu.h>

#include "json_out.h"
#include "memory.h"
#include "process.h"
#include "text.h"
#include "watch_words.h"

/* For an answer. A process that is stopped has none. */
#define ANSWER_MS 1000
/* Between the two readings, to see which engines progress. */
#define LOOK_MS 50

/* Kinds, a bit for each. */
#define K(name) (1u << SOFTDPU_OBJECT_##name)
#define LINKS (K(CONNECTION) | K(RDMA_CONNECTION))
#define MEMORY (K(WINDOW) | K(REACH))
#define TASKS                                                                                      \
	(K(SERVER) | K(CLIENT) | K(PRODUCER) | K(CONSUMER) | K(RDMA) | K(RDMA_CONNECTION) |        \
	 K(DMA) | K(CONTEXT))

/* Numbers, and the kinds of objects that have them. */
static const struct {
	const char *key;
	size_t offset;
	size_t size;
	unsigned int kinds;
} numbers[] = {
#define NUMBER(key, field, kinds)                                                                  \
	{                                                                                          \
		key, offsetof(struct softdpu_object, field),                                       \
			sizeof(((struct softdpu_object *)0)->field), kinds                         \
	}
	NUMBER("number", number, K(PRODUCER) | K(CONSUMER) | K(RDMA_CONNECTION)),
	NUMBER("reached_by", number, K(WINDOW)),
	NUMBER("peer", peer, LINKS | K(PRODUCER) | K(CONSUMER) | K(REACH)),
	NUMBER("address", address, MEMORY),
	NUMBER("size", size, MEMORY),
	NUMBER("permissions", permissions, MEMORY),
	NUMBER("sent_messages", sent_messages, LINKS | K(PRODUCER)),
	NUMBER("sent_bytes", sent_bytes, LINKS | K(PRODUCER)),
	NUMBER("received_messages", received_messages, LINKS | K(CONSUMER)),
	NUMBER("received_bytes", received_bytes, LINKS | K(CONSUMER)),
	NUMBER("submitted", submitted, TASKS),
	NUMBER("completed", completed, TASKS),
	NUMBER("failed", failed, TASKS),
	NUMBER("again", again, TASKS & ~K(RDMA_CONNECTION)),
	NUMBER("posted", posted, K(CONSUMER) | K(RDMA)),
	NUMBER("waiting", queued, K(CONNECTION) | K(CONSUMER)),
#undef NUMBER
};

static uint64_t number_at(const struct softdpu_object *object, size_t offset, size_t size)
{
	uint64_t wide;
	uint32_t narrow;

	if (size == sizeof(wide)) {
		memcpy(&wide, (const char *)object + offset, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, (const char *)object + offset, sizeof(narrow));
	return narrow;
}

static void add_safe(struct json_object *made, const char *key, const char *text)
{
	char safe[512];

	if (text[0] == '\0')
		return;
	text_make_safe(text, safe, sizeof(safe));
	json_add_text(made, key, safe);
}

/* How the program runs the engine, and for how long it has not. */
static void add_engine(struct json_object *made, const struct softdpu_object *object,
		       const struct softdpu_reading *reading)
{
	bool has_progressed = object->progressed_ns >= reading->watched_ns;
	uint64_t since = has_progressed ? object->progressed_ns : reading->watched_ns;

	json_add_text(made, "mode",
		      object->is_asleep ? "asleep" : (has_progressed ? "polled" : "left alone"));
	json_add_int(made, "silent_ns",
		     reading->taken_ns > since ? (int64_t)(reading->taken_ns - since) : 0);
}

static struct json_object *object_as_json(const struct softdpu_object *object,
					  const struct softdpu_reading *reading)
{
	struct json_object *made = memory_need(json_object_new_object());
	size_t i;

	json_add_text(made, "kind", watch_kind(object->kind)->key);
	json_add_int(made, "id", object->id);
	if (object->parent != 0)
		json_add_int(made, "parent", object->parent);
	if (object->engine != 0)
		json_add_int(made, "engine", object->engine);
	if (object->state != SOFTDPU_STATE_NONE)
		json_add_text(made, "state", watch_state_word(object->state));
	add_safe(made, "name", object->name);
	add_safe(made, "how", object->how);
	add_safe(made, "device", object->device);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].kinds & 1u << object->kind)
			json_add_int(
				made, numbers[i].key,
				(int64_t)number_at(object, numbers[i].offset, numbers[i].size));
	if (object->kind == SOFTDPU_OBJECT_ENGINE)
		add_engine(made, object, reading);
	return made;
}

static void add_reading(struct json_object *entry, const struct softdpu_reading *reading)
{
	struct json_object *array = json_add_array(entry, "objects");
	uint32_t i;

	for (i = 0; i < reading->num_objects; i++)
		json_object_array_add(array, object_as_json(&reading->objects[i], reading));
	json_add_int(entry, "unlisted", reading->num_unlisted);
}

static void read_entry(struct json_object *entry, struct softdpu_watch *watch, doca_error_t result)
{
	struct softdpu_reading reading;

	if (result == DOCA_SUCCESS)
		result = softdpu_watch_read(watch, ANSWER_MS, &reading);
	json_add_text(entry, "answer", watch_answer(result));
	if (result == DOCA_SUCCESS)
		add_reading(entry, &reading);
	softdpu_watch_close(watch);
}

static bool is_watchable(struct json_object *entry)
{
	return strcmp(ls_text(entry, "kind"), "process") == 0 &&
	       json_object_get_boolean(json_object_object_get(entry, "alive"));
}

/* A stopped process gives no answer: do not wait for one. */
static doca_error_t open_entry(struct json_object *entry, struct softdpu_watch **watch)
{
	if (process_is_stopped((pid_t)ls_number(entry, "pid")))
		return DOCA_ERROR_TIME_OUT;
	return softdpu_watch_open(ls_text(entry, "endpoint"), ANSWER_MS, watch);
}

/* All are watched for the same while, however many there are. */
void ls_watch_entries(struct json_object *entries)
{
	const struct timespec look = {.tv_nsec = LOOK_MS * 1000000l};
	size_t num = json_object_array_length(entries), i;
	struct {
		struct softdpu_watch *watch;
		doca_error_t result;
	} *watches = memory_need(calloc(num + 1, sizeof(*watches)));

	for (i = 0; i < num; i++) {
		struct json_object *entry = json_object_array_get_idx(entries, i);

		if (is_watchable(entry))
			watches[i].result = open_entry(entry, &watches[i].watch);
	}
	nanosleep(&look, NULL);
	for (i = 0; i < num; i++) {
		struct json_object *entry = json_object_array_get_idx(entries, i);

		if (is_watchable(entry))
			read_entry(entry, watches[i].watch, watches[i].result);
	}
	free(watches);
}
