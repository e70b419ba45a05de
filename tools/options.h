/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of a sub-command, read by its table of options. -h and --help are everybody's.
 * Keeps no state but getopt's: one command line at a time.
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
 * Called for each option in its order; twice for one that has two values. value: NULL where it has
 * none. False: refused, with a message.
 */
typedef bool (*option_take_fn)(const char *name, const char *value, void *arg);

/*
 * Operands are moved to the end of argv; the result is the index of the first. -1: the sub-command
 * is over, with *status: help was asked for, or something is wrong, which has been told.
 */
int options_parse(const struct command *command, int argc, char **argv, option_take_fn take,
		  void *arg, int *status);

/* For sub-commands whose options are flags: sets flags[n] for the n-th of the table. */
int options_parse_flags(const struct command *command, int argc, char **argv, bool *flags,
			int *status);

/* Says "softdpu NAME: " and the text, and where help is. Returns EXIT_USAGE. */
int options_refuse(const struct command *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void options_help(const struct command *command, FILE *out);

#endif /* TOOLS_OPTIONS_H_ */
