/* SPDX-License-Identifier: BSD-3-Clause */
#include "top.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <doca_error.h>
#include <softdpu.h>

#include "memory.h"
#include "process.h"
#include "watch_words.h"

#define OPEN_MS 200
#define READ_MS 250
#define RETRY_NS 2000000000u /* before a process that could not be asked is asked again */

/* Between two scans of the directory while its time of change stays the same. */
#define LOOK_NS 1000000000u

#define HAS(metric) (1u << (metric))

struct process {
	char entry[64];
	char command[PROCESS_NAME_SIZE];
	pid_t pid;
	struct softdpu_watch *watch; /* NULL: could not be opened yet */
	uint64_t retry;		     /* when it may be tried again; monotonic, ns */
	bool is_there;		     /* found by the present scan of the directory */
	doca_error_t result;	     /* of the last request */
	struct top_reading last;     /* its last report, used while it does not answer */
};

struct top_source {
	pid_t only;
	struct process *processes;
	size_t num, capacity;
	uint64_t looked;	 /* when the directory was scanned; 0: never */
	struct timespec changed; /* its time of change then */
};

/* ---- one process ---- */

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

	to->num = 0;
	take_process(process, from->taken_ns, to)->unlisted = from->num_unlisted;
	top_objects_take(process->pid, from, to);
}

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

/* Until it may be tried again, the previous result stands. */
static doca_error_t process_open(struct process *process)
{
	if (process->watch != NULL)
		return DOCA_SUCCESS;
	/* Waiting for a stopped process would delay all others each time. */
	if (process_is_stopped(process->pid))
		return DOCA_ERROR_TIME_OUT;
	if (top_now() < process->retry)
		return process->result;
	process->retry = top_now() + RETRY_NS;
	return softdpu_watch_open(process->entry, OPEN_MS, &process->watch);
}

/* Keeps its objects as they were; its engines get older. */
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
			object->age += now - process->last.taken;
		if (object->has & HAS(TOP_AGE) || process->last.num == 1)
			object->mode = TOP_MODE_SILENT;
	}
	process->last.taken = now;
}

/* Nothing is known but the reason. */
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

/* Processes of other PID namespaces have no pid and are skipped. */
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

/* A scan takes several system calls for each process. */
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
	/* A process that does not answer may have ended. */
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
