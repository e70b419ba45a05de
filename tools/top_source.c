/* SPDX-License-Identifier: BSD-3-Clause */
#include "top.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <doca_error.h>
#include <softdpu.h>

#include "memory.h"
#include "process.h"
#include "text.h"
#include "watch_words.h"

#define OPEN_MS 200
#define READ_MS 250
#define RETRY_NS 2000000000u /* before one that could not be asked is asked anew */

/* Between two looks into the directory, while it seems to be as it was. */
#define LOOK_NS 1000000000u

#define HAS(metric) (1u << (metric))

struct process {
	char entry[64];
	char command[PROCESS_NAME_SIZE];
	pid_t pid;
	struct softdpu_watch *watch; /* NULL: could not be opened yet */
	uint64_t retry;		     /* when it may be tried again; monotonic, ns */
	bool is_there;		     /* in the look at the directory under way */
	doca_error_t result;	     /* of asking it last */
	struct top_reading last;     /* what it told, for as long as it does not answer */
};

struct top_source {
	pid_t only;
	struct process *processes;
	size_t num, capacity;
	uint64_t looked;	 /* into the directory; 0: not yet */
	struct timespec changed; /* the directory, as it was then */
};

/* ---- objects ---- */

/* What a kind has. */
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
 * id. It names the object for good, what changes is not part of it. */
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

/* Posted receives are tasks, too, but wait for others. */
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
 * An engine that waits for its handle has no work but what has come meanwhile; one that is polled
 * has all tasks that it progresses, and what starts or stops with its help.
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

/* What belongs to no other object lies below its engine. */
static void take_object(const struct process *process, const struct softdpu_reading *reading,
			const struct softdpu_object *from, struct top_object *to)
{
	to->id = (struct top_id){process->pid, from->id};
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

static struct top_object *take_process(const struct process *process, uint64_t taken,
				       struct top_reading *to)
{
	struct top_object *object = top_reading_add(to);

	object->id.pid = process->pid;
	object->taken = taken;
	object->kind = "process";
	object->answer = watch_answer(process->result);
	snprintf(object->name, sizeof(object->name), "%d %s", (int)process->pid, process->command);
	return object;
}

static void take_reading(struct process *process, const struct softdpu_reading *from)
{
	struct top_reading *to = &process->last;
	struct top_object *whole;
	uint32_t i;

	to->num = 0;
	whole = take_process(process, from->taken_ns, to);
	whole->unlisted = from->num_unlisted;
	for (i = 0; i < from->num_objects; i++) {
		const struct softdpu_object *object = &from->objects[i];
		const struct watch_kind *kind = watch_kind(object->kind);

		if (object->id != 0 && kind != NULL && kind->name != NULL)
			take_object(process, from, object, top_reading_add(to));
	}
}

/* ---- one process ---- */

static void process_close(struct process *process)
{
	softdpu_watch_close(process->watch);
	process->watch = NULL;
	process->last.num = 0;
}

static void process_end(struct process *process)
{
	process_close(process);
	top_reading_end(&process->last);
}

/* Until it may be tried again, the answer of before stands. */
static doca_error_t process_open(struct process *process)
{
	if (process->watch != NULL)
		return DOCA_SUCCESS;
	/* One that is known to give no answer would hold up all others, each time. */
	if (process_is_stopped(process->pid))
		return DOCA_ERROR_TIME_OUT;
	if (top_now() < process->retry)
		return process->result;
	process->retry = top_now() + RETRY_NS;
	return softdpu_watch_open(process->entry, OPEN_MS, &process->watch);
}

/* Its objects stand still, and its engines grow older. */
static void be_silent(struct process *process)
{
	uint64_t now = top_now();
	size_t i;

	if (process->last.num == 0)
		take_process(process, now, &process->last);
	process->last.objects[0].answer = watch_answer(process->result);
	for (i = 0; i < process->last.num; i++) {
		struct top_object *object = &process->last.objects[i];

		if (object->has & HAS(TOP_AGE))
			object->age += less(now, process->last.taken);
		if (object->has & HAS(TOP_AGE) || process->last.num == 1)
			object->mode = TOP_MODE_SILENT;
	}
	process->last.taken = now;
}

/* Nothing is known of it but why. */
static void be_refused(struct process *process)
{
	process_close(process);
	take_process(process, top_now(), &process->last)->mode = TOP_MODE_REFUSED;
}

static void process_read(struct process *process)
{
	bool was_silent = process->result == DOCA_ERROR_TIME_OUT;
	struct softdpu_reading reading;

	process->result = process_open(process);
	if (process->result == DOCA_SUCCESS)
		process->result =
			softdpu_watch_read(process->watch, was_silent ? 0 : READ_MS, &reading);
	if (process->result == DOCA_SUCCESS) {
		take_reading(process, &reading);
		process->last.taken = top_now();
	} else if (process->result == DOCA_ERROR_TIME_OUT) {
		be_silent(process);
	} else {
		be_refused(process);
	}
}

/* ---- all ---- */

struct top_source *top_source_begin(pid_t pid)
{
	struct top_source *source = memory_need(calloc(1, sizeof(*source)));

	source->only = pid;
	return source;
}

static struct process *find(struct top_source *source, const char *entry)
{
	size_t i;

	for (i = 0; i < source->num; i++)
		if (strcmp(source->processes[i].entry, entry) == 0)
			return &source->processes[i];
	return NULL;
}

static struct process *add(struct top_source *source, const struct softdpu_entry *entry)
{
	struct process *process;

	if (source->num == source->capacity) {
		source->capacity = source->capacity == 0 ? 16 : 2 * source->capacity;
		source->processes = memory_need(
			realloc(source->processes, source->capacity * sizeof(*source->processes)));
	}
	process = &source->processes[source->num++];
	*process = (struct process){.pid = entry->pid};
	snprintf(process->entry, sizeof(process->entry), "%s", entry->name);
	process_name(entry->pid, process->command);
	return process;
}

/* Those of other PID namespaces have no pid, and are left out. */
static void see_entry(const struct softdpu_entry *entry, void *user_data)
{
	struct top_source *source = user_data;
	struct process *process;

	if (entry->kind != SOFTDPU_ENTRY_PROCESS || !entry->is_alive || entry->pid == 0 ||
	    strlen(entry->name) >= sizeof(process->entry) ||
	    (source->only != 0 && entry->pid != source->only))
		return;
	process = find(source, entry->name);
	if (process == NULL)
		process = add(source, entry);
	process->is_there = true;
}

static void let_go(struct top_source *source)
{
	size_t kept = 0, i;

	for (i = 0; i < source->num; i++) {
		if (source->processes[i].is_there)
			source->processes[kept++] = source->processes[i];
		else
			process_end(&source->processes[i]);
	}
	source->num = kept;
}

static void add_objects(struct top_reading *reading, const struct top_reading *from)
{
	size_t i;

	for (i = 0; i < from->num; i++)
		*top_reading_add(reading) = from->objects[i];
}

static bool has_failed(const struct top_source *source)
{
	size_t i;

	for (i = 0; i < source->num; i++)
		if (source->processes[i].result != DOCA_SUCCESS)
			return true;
	return false;
}

/* A look takes several system calls a file, and every process has one. */
static bool is_look_due(struct top_source *source)
{
	struct timespec changed = source->changed;
	struct stat st;

	if (stat(softdpu_registry_path(), &st) == 0)
		source->changed = st.st_mtim;
	return source->looked == 0 || top_now() - source->looked >= LOOK_NS ||
	       changed.tv_sec != source->changed.tv_sec ||
	       changed.tv_nsec != source->changed.tv_nsec || has_failed(source);
}

static doca_error_t look(struct top_source *source)
{
	doca_error_t result;
	size_t i;

	source->looked = top_now();
	for (i = 0; i < source->num; i++)
		source->processes[i].is_there = false;
	result = softdpu_registry_look(see_entry, source);
	if (result == DOCA_SUCCESS)
		let_go(source);
	return result;
}

static void read_all(struct top_source *source)
{
	size_t i;

	for (i = 0; i < source->num; i++)
		process_read(&source->processes[i]);
}

doca_error_t top_source_read(struct top_source *source, struct top_reading *reading)
{
	bool is_due = is_look_due(source);
	doca_error_t result = is_due ? look(source) : DOCA_SUCCESS;
	size_t i;

	if (result != DOCA_SUCCESS)
		return result;
	read_all(source);
	/* Whoever does not answer may have ended. */
	if (!is_due && has_failed(source))
		result = look(source);
	reading->num = 0;
	for (i = 0; i < source->num; i++)
		add_objects(reading, &source->processes[i].last);
	reading->taken = top_now();
	return result;
}

void top_source_end(struct top_source *source)
{
	size_t i;

	for (i = 0; i < source->num; i++)
		process_end(&source->processes[i]);
	free(source->processes);
	free(source);
}
