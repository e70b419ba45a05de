/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <softdpu.h>

#include "json_out.h"
#include "run.h"

#define FIND_EVERY 2000000000u /* ns */

static bool is_inside; /* the directory of the only group was chosen, not by the user */

static void add_group(const char *path, void *arg)
{
	struct groups *groups = arg;

	if (groups->num < MAX_GROUPS)
		snprintf(groups->paths[groups->num++], PATH_MAX, "%s", path);
}

static int compare(const void *left, const void *right)
{
	return strcmp(left, right);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const struct groups *groups_find(void)
{
	static struct groups groups;
	static uint64_t found; /* 0: not yet */
	uint64_t now = now_ns();

	if (found != 0 && now - found < FIND_EVERY)
		return &groups;
	found = now;
	groups.num = 0;
	run_directory_each_used(add_group, &groups);
	qsort(groups.paths, groups.num, sizeof(groups.paths[0]), compare);
	return &groups;
}

bool groups_is_directory_chosen(void)
{
	const char *chosen = getenv("SOFTDPU_RUNTIME_DIR");

	return !is_inside && chosen != NULL && *chosen != '\0';
}

static void note_process(const struct softdpu_entry *entry, void *user_data)
{
	bool *found = user_data;

	*found |= entry->kind == SOFTDPU_ENTRY_PROCESS && entry->is_alive;
}

/* In a child: the library uses one directory during the life of a process. */
static bool is_anybody_in_usual(void)
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		bool found = false;

		_exit(softdpu_registry_look(note_process, &found) != DOCA_SUCCESS || found);
	}
	return child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	       WEXITSTATUS(status) != 0;
}

void groups_look_into_only(void)
{
	const struct groups *groups;

	if (groups_is_directory_chosen())
		return;
	groups = groups_find();
	if (groups->num == 1 && !is_anybody_in_usual())
		is_inside = setenv("SOFTDPU_RUNTIME_DIR", groups->paths[0], 1) == 0;
}

void groups_describe(const char *command, char *text, size_t size)
{
	const struct groups *groups = groups_find();
	const char *mine = is_inside ? getenv("SOFTDPU_RUNTIME_DIR") : "";
	size_t len, i;

	text[0] = '\0';
	if (is_inside)
		snprintf(text, size,
			 "The group of softdpu run in %s, as no process runs outside of it.\n",
			 mine);
	for (i = 0; i < groups->num; i++) {
		len = strlen(text);
		if (strcmp(groups->paths[i], mine) != 0)
			snprintf(text + len, size - len,
				 "For a group of softdpu run: SOFTDPU_RUNTIME_DIR=%s %s\n",
				 groups->paths[i], command);
	}
}

void groups_add_json(struct json_object *object)
{
	struct json_object *array = json_add_array(object, "groups");
	const struct groups *groups = groups_find();
	size_t i;

	for (i = 0; i < groups->num; i++)
		json_object_array_add(array, json_text(groups->paths[i], strlen(groups->paths[i])));
}
