/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu clean`: removes what dead processes left: files of the runtime directory whose owner's
 * lock is free, as the kernel releases it with the process, and directories of groups of which no
 * process lives. Age and pid do not count: another process may have got the pid.
 */
#include "command.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "entry.h"
#include "json_out.h"
#include "options.h"
#include "run.h"

enum { FLAG_DRY_RUN, FLAG_JSON, NUM_FLAGS };

static const struct command_option options[] = {
	[FLAG_DRY_RUN] = {"dry-run", NULL, "tell what would be removed", WORDS_NONE, NULL},
	[FLAG_JSON] = OPTION_JSON,
	OPTION_END,
};

#define MAX_NAMES 4096
#define SUFFIX ".claim" /* of files by which processes are known */

struct clean {
	bool is_dry;
	struct json_object *removed; /* array; NULL: text */
	unsigned int num_removed, num_kept;
	char *names[MAX_NAMES]; /* of dead processes that were seen, each followed by NUL and its
				   description */
	size_t num_names;
};

static void report(struct clean *clean, const char *kind, const char *what)
{
	struct json_object *object;

	clean->num_removed++;
	if (clean->removed == NULL) {
		printf("%s %s %s\n", clean->is_dry ? "would remove" : "removed", kind, what);
		return;
	}
	object = json_object_new_object();
	json_add_text(object, "kind", kind);
	json_add_text(object, "what", what);
	json_object_array_add(clean->removed, object);
}

/* ---- directories of groups ---- */

/* In a child: the library uses one directory during the life of a process. */
static bool ask_elsewhere(const char *path, bool (*ask)(const char *path))
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		setenv("SOFTDPU_RUNTIME_DIR", path, 1);
		_exit(ask(path) ? EXIT_SUCCESS : EXIT_FAILURE);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == EXIT_SUCCESS;
}

/* A program may have closed the descriptor that keeps the lock, or the file may not be ours. */
static bool remove_directory(const char *path)
{
	(void)softdpu_registry_reap();
	return rmdir(path) == 0;
}

static void note_living(const struct softdpu_entry *entry, void *user_data)
{
	bool *found = user_data;

	*found |= entry->is_alive;
}

/* Removes claims and the sockets of the same names. */
static bool is_of_claim(int dirfd, const char *name)
{
	const char *suffix = strrchr(name, '.');
	char claim[NAME_MAX + 1];

	if (suffix != NULL && strcmp(suffix, SUFFIX) == 0)
		return true;
	return snprintf(claim, sizeof(claim), "%s" SUFFIX, name) < (int)sizeof(claim) &&
	       faccessat(dirfd, claim, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* What remove_directory() would find. */
static bool is_removable(const char *path)
{
	const struct dirent *entry;
	bool found = false;
	DIR *dir = opendir(path);

	if (dir == NULL || softdpu_registry_look(note_living, &found) != DOCA_SUCCESS)
		return false;
	while (!found && (entry = readdir(dir)) != NULL)
		found = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			!is_of_claim(dirfd(dir), entry->d_name);
	closedir(dir);
	return !found;
}

static void clean_directory(const char *path, void *arg)
{
	struct clean *clean = arg;

	if (ask_elsewhere(path, clean->is_dry ? is_removable : remove_directory)) {
		report(clean, "directory", path);
		return;
	}
	clean->num_kept++;
	if (clean->removed == NULL)
		printf("%s directory %s: it holds more than files of dead processes\n",
		       clean->is_dry ? "would keep" : "kept", path);
}

/* ---- the runtime directory ---- */

static void remember(const struct softdpu_entry *entry, void *user_data)
{
	struct clean *clean = user_data;
	char words[ENTRY_WORDS_SIZE];

	if (entry->is_alive) {
		clean->num_kept++;
		return;
	}
	if (clean->num_names == MAX_NAMES)
		return;
	entry_describe(entry, words);
	if (asprintf(&clean->names[clean->num_names], "%s%c%s", entry->name, '\0', words) > 0)
		clean->num_names++;
}

/* A file that is still there was not removed; a new owner may have taken the name. */
static void forget(const struct softdpu_entry *entry, void *user_data)
{
	struct clean *clean = user_data;
	size_t i;

	for (i = 0; i < clean->num_names; i++) {
		if (clean->names[i] != NULL && strcmp(clean->names[i], entry->name) == 0) {
			free(clean->names[i]);
			clean->names[i] = NULL;
		}
	}
}

static doca_error_t clean_registry(struct clean *clean)
{
	doca_error_t result = softdpu_registry_look(remember, clean);
	size_t i;

	if (result == DOCA_SUCCESS && !clean->is_dry) {
		result = softdpu_registry_reap();
		if (result == DOCA_SUCCESS)
			result = softdpu_registry_look(forget, clean);
	}
	for (i = 0; i < clean->num_names; i++) {
		if (clean->names[i] == NULL)
			continue;
		if (result == DOCA_SUCCESS)
			report(clean, "file", clean->names[i] + strlen(clean->names[i]) + 1);
		free(clean->names[i]);
	}
	return result;
}

static void sum_up(const struct clean *clean)
{
	struct json_object *object;

	if (clean->removed == NULL) {
		if (clean->num_removed == 0)
			printf("nothing to remove in %s; files of processes that live: %u\n",
			       softdpu_registry_path(), clean->num_kept);
		return;
	}
	object = json_object_new_object();
	json_add_text(object, "directory", softdpu_registry_path());
	json_add_bool(object, "dry_run", clean->is_dry);
	json_add(object, "removed", clean->removed);
	json_add_int(object, "kept", clean->num_kept);
	json_print(object);
}

static int clean_run(const struct command *command, int argc, char **argv)
{
	static struct clean clean;
	bool flags[NUM_FLAGS] = {false};
	doca_error_t result;
	int status;

	if (options_parse_flags(command, argc, argv, flags, &status) < 0)
		return status;
	clean.is_dry = flags[FLAG_DRY_RUN];
	if (flags[FLAG_JSON])
		clean.removed = json_object_new_array();
	run_directory_each_abandoned(!clean.is_dry, clean_directory, &clean);
	result = clean_registry(&clean);
	if (result != DOCA_SUCCESS) {
		fprintf(stderr,
			"softdpu clean: the runtime directory cannot be used: %s; "
			"softdpu doctor tells why\n",
			doca_error_get_descr(result));
		json_object_put(clean.removed);
		return EXIT_FAILURE;
	}
	sum_up(&clean);
	return EXIT_SUCCESS;
}

const struct command command_clean = {
	.name = "clean",
	.operands = "",
	.summary = "remove what dead processes have left",
	.details = "Removes files of the runtime directory whose process is dead, and\n"
		   "directories of softdpu run that nobody uses any more. Files of processes\n"
		   "that live are never touched.\n",
	.example = "  softdpu clean --dry-run\n",
	.options = options,
	.run = clean_run,
};
