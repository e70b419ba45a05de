/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_version.h>
#include <softdpu.h>

struct command {
	const char *name;
	const char *arguments;
	const char *help;
	int (*run)(int argc, char **argv);
};

static int command_version(int argc, char **argv)
{
	if (argc != 1) {
		fprintf(stderr, "softdpu version: takes no argument, but was given %s\n", argv[1]);
		return EXIT_FAILURE;
	}
	printf("softdpu %s, DOCA API %s\n", softdpu_version(), doca_version_runtime());
	return EXIT_SUCCESS;
}

static const struct command commands[] = {
	{"env", "[--dpu]", "print the exports that build and run programs against this softdpu",
	 command_env},
	{"version", "", "print the version", command_version},
};

#define NUM_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int usage(FILE *out)
{
	size_t i;

	fprintf(out,
		"softdpu: a BlueField DPU in software\n\nUsage: softdpu COMMAND [ARGUMENT...]\n\n");
	for (i = 0; i < NUM_COMMANDS; i++)
		fprintf(out, "  %-8s %-8s %s\n", commands[i].name, commands[i].arguments,
			commands[i].help);
	return out == stdout ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	size_t i;

	if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0)
		return usage(stdout);
	for (i = 0; i < NUM_COMMANDS; i++) {
		if (strcmp(name, commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	}
	if (*name != '\0')
		fprintf(stderr, "softdpu: there is no command \"%s\"\n\n", name);
	return usage(stderr);
}
