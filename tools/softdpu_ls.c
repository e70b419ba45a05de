/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu ls`: the devices that this process sees, with arguments to paste, and who is there in
 * the runtime directory, with what each process has.
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <softdpu.h>

#include "groups.h"
#include "json_out.h"
#include "ls.h"
#include "memory.h"
#include "options.h"

static const struct command_option options[] = {OPTION_JSON, OPTION_END};

/* Before devices are opened, so that this process is not among those that it lists. */
static bool find_all(const char *part, struct json_object *object)
{
	struct json_object *entries = json_add_array(object, "entries");
	struct json_object *devices = json_add_array(object, "devices");

	if (!ls_find_entries(entries))
		return false;
	if (part == NULL || ls_has_objects(part))
		ls_watch_entries(entries);
	json_add_text(object, "directory", softdpu_registry_path());
	groups_add_json(object);
	return ls_find_devices(devices);
}

/* Whoever names a directory sees what is there. */
static void print_groups(void)
{
	char text[4096];

	if (groups_is_directory_chosen())
		return;
	groups_describe("softdpu ls", text, sizeof(text));
	fputs(text, stdout);
}

static int ls_run(const struct command *command, int argc, char **argv)
{
	bool as_json = false, good;
	struct json_object *object;
	const char *part;
	int status;
	int first = options_parse_flags(command, argc, argv, &as_json, &status);

	if (first < 0)
		return status;
	if (first < argc && !ls_is_part(argv[first]))
		return options_refuse(command, "has no list of %s, but of %s", argv[first],
				      command->words);
	if (argc - first > 1)
		return options_refuse(command, "prints one list, or without a name all of them");
	part = first < argc ? argv[first] : NULL;
	object = memory_need(json_object_new_object());
	groups_look_into_only();
	good = find_all(part, object);
	if (good && as_json) {
		if (part != NULL)
			ls_keep(part, object);
		json_print(object);
		return EXIT_SUCCESS;
	}
	if (good) {
		print_groups();
		ls_print(part, object);
	}
	json_object_put(object);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

const struct command command_ls = {
	.name = "ls",
	.operands = "[devices|processes|servers|connections|memory|rdma]",
	.summary = "list devices, and processes with what they have",
	.details = "Devices come with the arguments that programs take for them. Without a name\n"
		   "all lists are printed. Numbers count from the beginning of an object.\n",
	.example = "  softdpu ls\n"
		   "  softdpu ls connections\n"
		   "  softdpu ls memory --json\n",
	.options = options,
	.kind = WORDS_LISTED,
	.words = "devices processes servers connections memory rdma",
	.run = ls_run,
};
