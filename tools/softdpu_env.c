/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu env`: shell lines that make compilers and the loader find this softdpu, wherever it
 * stands.
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>

#include "json_out.h"
#include "options.h"
#include "place.h"

enum { FLAG_DPU, FLAG_JSON, NUM_FLAGS };

static const struct command_option options[] = {
	[FLAG_DPU] = {"dpu", NULL, "build for the DPU's role; the host's otherwise", WORDS_NONE,
		      NULL},
	[FLAG_JSON] = OPTION_JSON,
	OPTION_END,
};

struct setting {
	const char *variable;
	enum place_part part;
};

/* In single quotes, so that any path survives the shell. */
static void print_quoted(const char *root, const char *below)
{
	const char *c;

	putchar('\'');
	for (c = root; *c != '\0'; c++) {
		if (*c == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*c);
	}
	printf("/%s'", below);
}

static void print_export(const struct place *place, const struct setting *setting)
{
	const char *const *below = place_directories(place, setting->part);
	size_t i;

	printf("export %s=", setting->variable);
	for (i = 0; below[i] != NULL; i++) {
		if (i > 0)
			putchar(':');
		print_quoted(place->root, below[i]);
	}
	/* Never an empty element at the end: that would be the current directory. */
	printf("\"${%s:+:$%s}\"\n", setting->variable, setting->variable);
}

static void add_setting(struct json_object *object, const struct place *place,
			const struct setting *setting)
{
	char *path = place_search_path(place, setting->part);

	json_add_text(object, setting->variable, path);
	free(path);
}

static int env_run(const struct command *command, int argc, char **argv)
{
	bool flags[NUM_FLAGS] = {false};
	struct setting settings[] = {
		{"PKG_CONFIG_PATH", PLACE_PKGCONFIG},
		{"LD_LIBRARY_PATH", PLACE_LIB},
		{"PATH", PLACE_PROGRAMS},
	};
	struct json_object *object = NULL;
	struct place place;
	int status;
	size_t i;

	if (options_parse_flags(command, argc, argv, flags, &status) < 0)
		return status;
	if (!place_find("softdpu env", &place))
		return EXIT_FAILURE;
	if (flags[FLAG_DPU])
		settings[0].part = PLACE_PKGCONFIG_DPU;
	if (flags[FLAG_JSON])
		object = json_object_new_object();
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (object != NULL)
			add_setting(object, &place, &settings[i]);
		else
			print_export(&place, &settings[i]);
	}
	if (object != NULL)
		json_print(object);
	return EXIT_SUCCESS;
}

const struct command command_env = {
	.name = "env",
	.operands = "",
	.summary = "print settings for the shell, to build and run programs",
	.details = "Prints export lines for a shell, which put this softdpu in front of\n"
		   "PKG_CONFIG_PATH, LD_LIBRARY_PATH and PATH.\n",
	.example = "  eval \"$(softdpu env --dpu)\"\n"
		   "  cc -o server server.c $(pkg-config --cflags --libs doca-comch)\n",
	.options = options,
	.run = env_run,
};
