/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 16
#define HELP_WIDTH 20

int options_refuse(const struct command *command, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "softdpu %s: ", command->name);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fprintf(stderr, "; see softdpu %s --help\n", command->name);
	return EXIT_USAGE;
}

static void print_option(const struct command_option *option, FILE *out)
{
	int len = fprintf(out, "  --%s%s%s", option->name, option->value ? " " : "",
			  option->value ? option->value : "");

	fprintf(out, "%*s%s\n", len < HELP_WIDTH ? HELP_WIDTH - len : 2, "", option->help);
}

void options_help(const struct command *command, FILE *out)
{
	const struct command_option *option;

	fprintf(out, "softdpu %s: %s\n\nUsage: softdpu %s [OPTION...]%s%s\n", command->name,
		command->summary, command->name, *command->operands ? " " : "", command->operands);
	if (command->details != NULL)
		fprintf(out, "\n%s", command->details);
	fprintf(out, "\nOptions:\n");
	for (option = command->options; option->name != NULL; option++)
		print_option(option, out);
	fprintf(out, "  -h, --help        print this text\n\nExample:\n%s", command->example);
}

/* getopt's own table, in which an option is known by its place: 1 and up. */
static int fill_table(const struct command *command, struct option table[MAX_OPTIONS + 2])
{
	int n;

	for (n = 0; command->options[n].name != NULL && n < MAX_OPTIONS; n++) {
		table[n] = (struct option){
			.name = command->options[n].name,
			.has_arg = command->options[n].value ? required_argument : no_argument,
			.val = n + 1,
		};
	}
	table[n] = (struct option){.name = "help", .val = 'h'};
	table[n + 1] = (struct option){0};
	return n;
}

static int parse_failed(const struct command *command, char **argv, int found)
{
	const char *word = argv[optind - 1];

	if (found == ':')
		return options_refuse(command, "%s needs a value", word);
	if (optopt > 0 && strncmp(word, "--", 2) == 0)
		return options_refuse(command, "%s takes no value", word);
	if (strncmp(word, "--", 2) == 0)
		return options_refuse(command, "there is no option %s", word);
	return options_refuse(command, "there is no option -%c", optopt);
}

/* A second value is the next word of the command line, of which getopt knows nothing. */
static bool take_values(const struct command_option *option, const struct command *command,
			char **argv, option_take_fn take, void *arg)
{
	bool has_two = option->value != NULL && strchr(option->value, ' ') != NULL;

	if (!take(option->name, optarg, arg))
		return false;
	if (!has_two)
		return true;
	if (argv[optind] == NULL) {
		options_refuse(command, "--%s needs %s", option->name, option->value);
		return false;
	}
	return take(option->name, argv[optind++], arg);
}

int options_parse(const struct command *command, int argc, char **argv, option_take_fn take,
		  void *arg, int *status)
{
	struct option table[MAX_OPTIONS + 2];
	int n = fill_table(command, table);
	int found;

	opterr = 0;
	optind = 0; /* glibc: begin anew */
	while ((found = getopt_long(argc, argv, ":h", table, NULL)) != -1) {
		if (found == 'h') {
			options_help(command, stdout);
			*status = EXIT_SUCCESS;
			return -1;
		}
		if (found < 1 || found > n) {
			*status = parse_failed(command, argv, found);
			return -1;
		}
		if (!take_values(&command->options[found - 1], command, argv, take, arg)) {
			*status = EXIT_USAGE;
			return -1;
		}
	}
	return optind;
}

struct flags {
	const struct command *command;
	bool *set;
};

static bool take_flag(const char *name, const char *value, void *arg)
{
	struct flags *flags = arg;
	size_t n;

	(void)value;
	for (n = 0; flags->command->options[n].name != NULL; n++)
		flags->set[n] |= strcmp(flags->command->options[n].name, name) == 0;
	return true;
}

int options_parse_flags(const struct command *command, int argc, char **argv, bool *set,
			int *status)
{
	struct flags flags = {command, set};
	int first = options_parse(command, argc, argv, take_flag, &flags, status);

	if (first < 0 || *command->operands != '\0' || first == argc)
		return first;
	*status = options_refuse(command, "takes no argument, but was given %s", argv[first]);
	return -1;
}
