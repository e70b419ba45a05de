/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses the command line of a sub-command by its table of options; -h and --help are built in.
 * Uses the static state of getopt: one command line at a time.
 */
#ifndef TOOLS_OPTIONS_H_
#define TOOLS_OPTIONS_H_

#include <stdio.h>

#include "command.h"

#define OPTION_JSON                                                                                \
	{                                                                                          \
		"json", NULL, "print JSON", WORDS_NONE, NULL                                       \
	}
#define OPTION_END                                                                                 \
	{                                                                                          \
		NULL, NULL, NULL, WORDS_NONE, NULL                                                 \
	}

/*
 * Called for each option in order; twice for an option with two values. value: NULL if it has none.
 * False: refused, with a message.
 */
typedef bool (*option_take_fn)(const char *name, const char *value, void *arg);

/*
 * Moves operands to the end of argv and returns the index of the first. -1: the sub-command ends
 * with *status; help was printed, or a message that says what is wrong.
 */
int options_parse(const struct command *command, int argc, char **argv, option_take_fn take,
		  void *arg, int *status);

/* For sub-commands whose options are flags: sets flags[n] for the n-th of the table. */
int options_parse_flags(const struct command *command, int argc, char **argv, bool *flags,
			int *status);

/* Prints "softdpu NAME: ", the text, and how to get help. Returns EXIT_USAGE. */
int options_refuse(const struct command *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void options_help(const struct command *command, FILE *out);

#endif /* TOOLS_OPTIONS_H_ */
