/* SPDX-License-Identifier: BSD-3-Clause */
/* `softdpu top`: makes the objects of a reading from what a process has reported. */
#include "top.h"

#include <stdarg.h>
#include <string.h>

#include "text.h"
#include "watch_words.h"

#define HAS(metric) (1u << (metric))

/* The metrics of each kind. */
static const unsigned int metrics[SOFTDPU_OBJECT_KINDS] = {
	[SOFTDPU_OBJECT_ENGINE] = HAS(TOP_AGE),
#define MESSAGES (HAS(TOP_SENT) | HAS(TOP_RECEIVED) | HAS(TOP_SENT_BYTES) | HAS(TOP_RECEIVED_BYTES))
#define TASKS (HAS(TOP_QUEUED) | HAS(TOP_AGAIN) | HAS(TOP_P50))
	[SOFTDPU_OBJECT_SERVER] = MESSAGES | TASKS,
	[SOFTDPU_OBJECT_CLIENT] = MESSAGES | TASKS,
	[SOFTDPU_OBJECT_CONNECTION] = MESSAGES | TASKS,
	[SOFTDPU_OBJECT_PRODUCER] = HAS(TOP_SENT) | HAS(TOP_SENT_BYTES) | TASKS,
	[SOFTDPU_OBJECT_CONSUMER] =
		HAS(TOP_RECEIVED) | HAS(TOP_RECEIVED_BYTES) | HAS(TOP_POSTED) | HAS(TOP_QUEUED),
	/* Its tasks are those of its connections, but for receives, which belong to no connection.
	 */
	[SOFTDPU_OBJECT_RDMA] = HAS(TOP_AGAIN) | HAS(TOP_P50) | HAS(TOP_POSTED),
	[SOFTDPU_OBJECT_RDMA_CONNECTION] = MESSAGES | HAS(TOP_QUEUED) | HAS(TOP_RDMA),
	[SOFTDPU_OBJECT_DMA] = TASKS | HAS(TOP_RDMA),
	[SOFTDPU_OBJECT_CONTEXT] = TASKS,
};

static void append(char *text, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void append(char *text, size_t size, const char *fmt, ...)
{
	size_t len = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + len, size - len, fmt, args);
	va_end(args);
}

/* 'server "echo"', "producer 3 to 4711", "rdma connection 1 to 4711 (local)"; engines have their
 * id. Nothing that changes during the life of the object is part of the name. */
static void name_object(const struct softdpu_object *object, char name[TOP_NAME_SIZE])
{
	char raw[2 * TOP_NAME_SIZE] = "";

	append(raw, sizeof(raw), "%s", watch_kind(object->kind)->name);
	if (object->kind == SOFTDPU_OBJECT_ENGINE)
		append(raw, sizeof(raw), " %u", object->id);
	if (object->number != 0)
		append(raw, sizeof(raw), " %u", object->number);
	if (object->name[0] != '\0')
		append(raw, sizeof(raw), " \"%s\"", object->name);
	if (object->peer > 0)
		append(raw, sizeof(raw), " to %d", object->peer);
	if (object->how[0] != '\0')
		append(raw, sizeof(raw), " (%s)", object->how);
	text_make_safe(raw, name, TOP_NAME_SIZE);
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Posted receives are tasks, too, but they wait for a peer. */
static uint64_t in_flight(const struct softdpu_object *object)
{
	return less(less(object->submitted, object->completed), object->posted);
}

static void take_numbers(const struct softdpu_object *from, struct top_object *to)
{
	to->queued = in_flight(from) + from->queued;
	to->posted = from->posted;
	to->counts[TOP_SENT] = from->sent_messages;
	to->counts[TOP_RECEIVED] = from->received_messages;
	to->counts[TOP_SENT_BYTES] = from->sent_bytes;
	to->counts[TOP_RECEIVED_BYTES] = from->received_bytes;
	to->counts[TOP_AGAIN] = from->again;
	to->counts[TOP_RDMA] = from->completed;
	memcpy(to->latency, from->latency, sizeof(to->latency));
}

static bool is_between_states(const struct softdpu_object *object)
{
	return object->state == SOFTDPU_STATE_STARTING || object->state == SOFTDPU_STATE_STOPPING;
}

/*
 * Work of a sleeping engine: what has arrived meanwhile. Work of a polled one: also all tasks under
 * way, and objects that are starting or stopping.
 */
static bool has_work(const struct softdpu_reading *reading, const struct softdpu_object *engine)
{
	uint32_t i;

	for (i = 0; i < reading->num_objects; i++) {
		const struct softdpu_object *object = &reading->objects[i];

		if (object->engine == engine->id &&
		    (object->queued > 0 ||
		     (!engine->is_asleep && (in_flight(object) > 0 || is_between_states(object)))))
			return true;
	}
	return false;
}

static void take_engine(const struct softdpu_reading *reading, const struct softdpu_object *from,
			struct top_object *to)
{
	uint64_t since = from->progressed_ns;

	if (since < reading->watched_ns)
		since = reading->watched_ns;
	to->age = less(reading->taken_ns, since);
	to->mode = from->is_asleep ? TOP_MODE_SLEEPS : TOP_MODE_POLLS;
	to->has_work = has_work(reading, from);
}

/* An object without a parent is put below its engine. */
static void take_object(pid_t pid, const struct softdpu_reading *reading,
			const struct softdpu_object *from, struct top_object *to)
{
	to->id = (struct top_id){pid, from->id};
	to->parent = from->parent != 0 ? from->parent : from->engine;
	to->engine = from->engine;
	to->taken = reading->taken_ns;
	to->peer = from->peer > 0 ? from->peer : 0;
	to->kind = watch_kind(from->kind)->name;
	to->has = metrics[from->kind];
	to->state = from->state;
	name_object(from, to->name);
	take_numbers(from, to);
	if (from->kind == SOFTDPU_OBJECT_ENGINE)
		take_engine(reading, from, to);
}

void top_objects_take(pid_t pid, const struct softdpu_reading *from, struct top_reading *to)
{
	uint32_t i;

	for (i = 0; i < from->num_objects; i++) {
		const struct softdpu_object *object = &from->objects[i];
		const struct watch_kind *kind = watch_kind(object->kind);

		if (object->id != 0 && kind != NULL && kind->name != NULL)
			take_object(pid, from, object, top_reading_add(to));
	}
}
