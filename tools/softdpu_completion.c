/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu completion`: scripts that complete the words of this command in a shell, made from the
 * table of sub-commands, so that they know what it knows.
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

#define TOPICS "softdpu explain --names 2>/dev/null"

static const struct command_option options[] = {OPTION_END};

static const struct command *next_shown(const struct command *const **at)
{
	while (**at != NULL && (**at)->is_hidden)
		++*at;
	return **at == NULL ? NULL : *(*at)++;
}

#define for_each_shown(command)                                                                    \
	for (const struct command *const *at_ = commands; ((command) = next_shown(&at_)) != NULL;)

/* For the inside of single quotes; `special` are characters that zsh wants a backslash before. */
static void print_escaped(const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			printf("%s%c", strchr(special, *text) != NULL ? "\\" : "", *text);
	}
}

/* ---- bash ---- */

/* A command that prints what completes "$cur". */
static void bash_words(enum command_words kind, const char *words)
{
	switch (kind) {
	case WORDS_FILE:
		fputs("compgen -f -- \"$cur\"", stdout);
		break;
	case WORDS_PROGRAM:
		fputs("compgen -c -f -- \"$cur\"", stdout);
		break;
	case WORDS_COMMAND:
		fputs("compgen -c -- \"$cur\"", stdout);
		break;
	case WORDS_LISTED:
		printf("compgen -W '%s' -- \"$cur\"", words);
		break;
	case WORDS_TOPIC: /* the command knows names without their prefix, too */
		fputs("for pre in '' DOCA_ERROR_ SOFTDPU_; do "
		      "compgen -W \"$(" TOPICS ")\" -- \"$pre$cur\" && break; done",
		      stdout);
		break;
	default:
		fputs("true", stdout);
	}
}

/* What follows an option, or else an operand. */
static void bash_case(const char *option, enum command_words kind, const char *words)
{
	if (option != NULL)
		printf("\t\t--%s,*) found=$(", option);
	else
		printf("\t\t*) found=$(");
	bash_words(kind, words);
	printf(") ;;\n");
}

static void bash_command(const struct command *command)
{
	const struct command_option *option;

	printf("\t%s)\n\t\tcase $prev,$cur in\n", command->name);
	for (option = command->options; option->name != NULL; option++) {
		if (option->value != NULL)
			bash_case(option->name, option->kind, option->words);
	}
	printf("\t\t*,-*) found=$(compgen -W '");
	for (option = command->options; option->name != NULL; option++)
		printf("--%s ", option->name);
	printf("--help' -- \"$cur\") ;;\n");
	bash_case(NULL, command->kind, command->words);
	printf("\t\tesac ;;\n");
}

static void bash_print(void)
{
	const struct command *command;

	printf("# Completion of softdpu for bash, made by \"softdpu completion bash\".\n"
	       "_softdpu() {\n\tlocal cur=$2 prev=$3 found= pre\n"
	       "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tfound=$(compgen -W '");
	for_each_shown(command) printf("%s ", command->name);
	printf("--help' -- \"$cur\")\n\telse\n\tcase ${COMP_WORDS[1]} in\n");
	for_each_shown(command) bash_command(command);
	printf("\tesac\n\tfi\n\tlocal IFS=$'\\n'\n\tCOMPREPLY=($found)\n}\n"
	       "complete -o filenames -o bashdefault -F _softdpu softdpu\n");
}

/* ---- zsh ---- */

static void zsh_words(enum command_words kind, const char *words)
{
	switch (kind) {
	case WORDS_FILE:
		fputs("_files", stdout);
		break;
	case WORDS_PROGRAM:
	case WORDS_COMMAND:
		fputs("{_command_names -e; _files}", stdout);
		break;
	case WORDS_LISTED:
		printf("(%s)", words);
		break;
	case WORDS_TOPIC:
		/* In any case, and from the middle on: names may come without their prefix. */
		printf("{compadd -M \"m:{a-z}={A-Z} l:|=*\" -- ${(f)\"$(" TOPICS ")\"}}");
		break;
	default:
		fputs(" ", stdout);
	}
}

static void zsh_command(const struct command *command)
{
	const struct command_option *option;

	printf("\t%s) _arguments -S", command->name);
	for (option = command->options; option->name != NULL; option++) {
		printf(" \\\n\t\t'*--%s[", option->name);
		print_escaped(option->help, ":[]\\");
		putchar(']');
		if (option->value != NULL) {
			printf(":%s:", option->value);
			zsh_words(option->kind, option->words);
		}
		putchar('\'');
	}
	printf(" \\\n\t\t'(- *)'{-h,--help}'[print help]'");
	if (command->kind != WORDS_NONE) {
		printf(" \\\n\t\t'*:argument:");
		zsh_words(command->kind, command->words);
		putchar('\'');
	}
	printf(" ;;\n");
}

static void zsh_print(void)
{
	const struct command *command;

	printf("#compdef softdpu\n"
	       "# Completion of softdpu for zsh, made by \"softdpu completion zsh\".\n"
	       "_softdpu() {\n\tlocal -a known\n\tknown=(\n");
	for_each_shown(command)
	{
		printf("\t\t'%s:", command->name);
		print_escaped(command->summary, ":\\");
		printf("'\n");
	}
	printf("\t)\n\tif ((CURRENT == 2)); then\n\t\t_describe command known\n\t\treturn\n\tfi\n"
	       "\tshift words\n\t((CURRENT--))\n\tcase $words[1] in\n");
	for_each_shown(command) zsh_command(command);
	printf("\tesac\n}\nif [ \"$funcstack[1]\" = _softdpu ]; then\n\t_softdpu \"$@\"\nelse\n"
	       "\tcompdef _softdpu softdpu\nfi\n");
}

/* ---- fish ---- */

static void fish_words(enum command_words kind, const char *words)
{
	switch (kind) {
	case WORDS_FILE:
	case WORDS_PROGRAM:
		fputs(" -F", stdout);
		break;
	case WORDS_COMMAND:
		fputs(" -a '(__fish_complete_command)'", stdout);
		break;
	case WORDS_LISTED:
		printf(" -a '%s'", words);
		break;
	case WORDS_TOPIC:
		fputs(" -a '(" TOPICS ")'", stdout);
		break;
	default:
		break;
	}
}

/* Whether a value follows, and whether files are among what it can be. */
static const char *fish_value(const struct command_option *option)
{
	if (option->value == NULL)
		return "";
	return option->kind == WORDS_NONE || option->kind == WORDS_LISTED ? " -x" : " -r";
}

static void fish_command(const struct command *command)
{
	const struct command_option *option;

	for (option = command->options; option->name != NULL; option++) {
		printf("complete -c softdpu -n '__fish_seen_subcommand_from %s' -l %s%s",
		       command->name, option->name, fish_value(option));
		fish_words(option->value != NULL ? option->kind : WORDS_NONE, option->words);
		printf(" -d '");
		print_escaped(option->help, "");
		printf("'\n");
	}
	if (command->kind == WORDS_NONE)
		return;
	printf("complete -c softdpu -n '__fish_seen_subcommand_from %s'", command->name);
	fish_words(command->kind, command->words);
	putchar('\n');
}

static void fish_print(void)
{
	const struct command *command;

	printf("# Completion of softdpu for fish, made by \"softdpu completion fish\".\n"
	       "complete -c softdpu -f\n"
	       "complete -c softdpu -s h -l help -d 'print help'\n");
	for_each_shown(command)
	{
		printf("complete -c softdpu -n __fish_use_subcommand -a %s -d '", command->name);
		print_escaped(command->summary, "");
		printf("'\n");
		fish_command(command);
	}
}

static const struct shell {
	const char *name;
	void (*print)(void);
} shells[] = {{"bash", bash_print}, {"zsh", zsh_print}, {"fish", fish_print}};

static int completion_run(const struct command *command, int argc, char **argv)
{
	int status;
	int first = options_parse(command, argc, argv, NULL, NULL, &status);
	size_t i;

	if (first < 0)
		return status;
	if (argc - first != 1)
		return options_refuse(command, "needs one shell: %s", command->words);
	for (i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(argv[first], shells[i].name) != 0)
			continue;
		shells[i].print();
		return EXIT_SUCCESS;
	}
	return options_refuse(command, "knows no shell %s, but %s", argv[first], command->words);
}

const struct command command_completion = {
	.name = "completion",
	.operands = "SHELL",
	.summary = "print a completion script for bash, zsh or fish",
	.details = "An installation puts these scripts where the shells look for them.\n",
	.example = "  . <(softdpu completion bash)\n",
	.options = options,
	.kind = WORDS_LISTED,
	.words = "bash zsh fish",
	.run = completion_run,
};
