/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time is over: what each living member was at, as its processes tell. They are looked at for a
 * moment before they are asked to end, to see which engines progress.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <softdpu.h>

#include "run.h"
#include "text.h"
#include "watch_words.h"

#define MAX_PROCESSES 32
#define ANSWER_MS 200
#define LOOK_NS 300000000l
#define NS_PER_S 1e9

struct watched {
	pid_t pid;
	struct softdpu_watch *watch;
	doca_error_t result;
};

struct sight {
	const struct group *group;
	struct watched processes[MAX_PROCESSES];
	size_t num;
};

struct line {
	char text[1000];
	size_t len;
};

static void add(struct line *line, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct line *line, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(line->text + line->len, sizeof(line->text) - line->len, fmt, args);
	va_end(args);
	if (n > 0)
		line->len += (size_t)n;
	if (line->len >= sizeof(line->text))
		line->len = sizeof(line->text) - 1;
}

static bool is_alive(const struct member *member)
{
	return member->state == MEMBER_RUNS || member->state == MEMBER_READY;
}

/* ---- looking ---- */

static void open_entry(const struct softdpu_entry *entry, void *user_data)
{
	struct sight *sight = user_data;
	struct watched *watched = &sight->processes[sight->num];

	if (entry->kind != SOFTDPU_ENTRY_PROCESS || !entry->is_alive || entry->pid == 0 ||
	    sight->num == MAX_PROCESSES)
		return;
	*watched = (struct watched){.pid = entry->pid, .result = DOCA_ERROR_TIME_OUT};
	/* A stopped process gives no answer: do not wait for one. */
	if (!process_is_stopped(entry->pid))
		watched->result = softdpu_watch_open(entry->name, ANSWER_MS, &watched->watch);
	sight->num++;
}

/* ---- telling ---- */

static const struct softdpu_object *engine_of(const struct softdpu_reading *reading,
					      const struct softdpu_object *object)
{
	uint32_t i;

	for (i = 0; i < reading->num_objects; i++)
		if (object->engine != 0 && reading->objects[i].id == object->engine)
			return &reading->objects[i];
	return NULL;
}

static void add_engine(struct line *line, const struct softdpu_reading *reading,
		       const struct softdpu_object *object)
{
	const struct softdpu_object *engine = engine_of(reading, object);

	if (engine == NULL || engine->is_asleep || engine->progressed_ns >= reading->watched_ns ||
	    reading->taken_ns < reading->watched_ns)
		return;
	add(line,
	    ", and its engine did not progress: nobody called doca_pe_progress() in the %.1f s "
	    "that it was looked at",
	    (double)(reading->taken_ns - reading->watched_ns) / NS_PER_S);
}

static void add_object(struct line *line, const struct softdpu_reading *reading,
		       const struct softdpu_object *object)
{
	const struct watch_kind *kind = watch_kind(object->kind);
	char name[2 * sizeof(object->name)];

	if (kind == NULL || kind->noun == NULL || object->state == SOFTDPU_STATE_NONE ||
	    object->state >= SOFTDPU_STATES)
		return;
	add(line, "; %s", kind->noun);
	text_make_safe(object->name, name, sizeof(name));
	if (name[0] != '\0')
		add(line, " \"%s\"", name);
	add(line, " is %s", watch_state_word(object->state));
	add_engine(line, reading, object);
}

static void add_process(struct line *line, struct watched *watched)
{
	struct softdpu_reading reading;
	uint32_t i;

	if (watched->result == DOCA_SUCCESS)
		watched->result = softdpu_watch_read(watched->watch, ANSWER_MS, &reading);
	if (watched->result != DOCA_SUCCESS) {
		add(line, "; process %d: %s", (int)watched->pid, watch_answer(watched->result));
		return;
	}
	for (i = 0; i < reading.num_objects; i++)
		add_object(line, &reading, &reading.objects[i]);
}

static void tell_member(struct sight *sight, const struct member *member)
{
	struct line line = {.len = 0};
	bool has_device = false;
	char by[512];
	size_t i;

	if (member_listens(member, by, sizeof(by)))
		add(&line, "it is ready (%s)", by);
	else
		add(&line, "it listens to nothing");
	for (i = 0; i < sight->num; i++) {
		if (!process_belongs(sight->processes[i].pid, member->pid))
			continue;
		has_device = true;
		add_process(&line, &sight->processes[i]);
	}
	if (!has_device)
		add(&line, "; it has no device open");
	output_note(sight->group, "%s still runs: %s", member->name, line.text);
}

void members_tell(const struct group *group)
{
	const struct timespec look = {.tv_nsec = LOOK_NS};
	struct sight sight = {.group = group};
	size_t i;

	(void)softdpu_registry_look(open_entry, &sight);
	if (sight.num > 0)
		nanosleep(&look, NULL);
	for (i = 0; i < group->num_members; i++)
		if (is_alive(&group->members[i]))
			tell_member(&sight, &group->members[i]);
	for (i = 0; i < sight.num; i++)
		softdpu_watch_close(sight.processes[i].watch);
}
