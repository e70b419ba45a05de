/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct command *const commands[] = {
	&command_run,
	&command_ls,
	&command_top,
	&command_doctor,
	&command_explain,
	&command_clean,
	&command_env,
	&command_version,
	&command_completion,
	&command_selftest,
	NULL,
};
/* clang-format on */

static int usage(FILE *out)
{
	size_t i;

	fprintf(out,
		"softdpu: a BlueField DPU in software\n\nUsage: softdpu COMMAND [ARGUMENT...]\n\n");
	for (i = 0; commands[i] != NULL; i++)
		if (!commands[i]->is_hidden)
			fprintf(out, "  %-11s %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out,
		"\nExample:\n"
		"    eval \"$(softdpu env)\"\n"
		"    softdpu run --dpu ./server --host ./client\n"
		"\nMore: softdpu COMMAND --help; man softdpu; exit status 2: wrong arguments\n");
	return out == stdout ? EXIT_SUCCESS : EXIT_USAGE;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	size_t i;

	if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0)
		return usage(stdout);
	for (i = 0; commands[i] != NULL; i++) {
		if (strcmp(name, commands[i]->name) == 0)
			return commands[i]->run(commands[i], argc - 1, argv + 1);
	}
	if (*name != '\0')
		fprintf(stderr, "softdpu: there is no command \"%s\"\n\n", name);
	return usage(stderr);
}
