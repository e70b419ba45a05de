/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The `softdpu` command: a table of sub-commands (softdpu.c), each in files of its own. Help
 * and shell completion are made from this table alone. One thread; constant data.
 */
#ifndef TOOLS_COMMAND_H_
#define TOOLS_COMMAND_H_

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses besides EXIT_SUCCESS and EXIT_FAILURE. */
#define EXIT_USAGE 2 /* wrong arguments */

/* What completion offers for a value or an operand. */
enum command_words {
	WORDS_NONE,
	WORDS_FILE,
	WORDS_PROGRAM,
	WORDS_LISTED,  /* those of `words` */
	WORDS_TOPIC,   /* what `explain` knows */
	WORDS_COMMAND, /* a line for the shell */
};

struct command_option {
	const char *name;  /* without dashes; NULL ends a list */
	const char *value; /* name of its value in help; two words: it takes two; NULL: none */
	const char *help;
	enum command_words kind; /* of the value */
	const char *words;	 /* for WORDS_LISTED, separated by blanks */
};

struct command {
	const char *name;
	const char *operands;
	const char *summary; /* one line, no full stop */
	const char *details; /* further lines of its help; may be NULL */
	const char *example;
	const struct command_option *options;
	enum command_words kind; /* of the operands */
	const char *words;	 /* for WORDS_LISTED, separated by blanks */
	bool is_hidden;		 /* for softdpu's own use */
	int (*run)(const struct command *command, int argc, char **argv);
};

extern const struct command command_clean;
extern const struct command command_completion;
extern const struct command command_doctor;
extern const struct command command_env;
extern const struct command command_explain;
extern const struct command command_ls;
extern const struct command command_run;
extern const struct command command_selftest;
extern const struct command command_top;
extern const struct command command_version;

/* In the order of help; NULL ends it. */
extern const struct command *const commands[];

#endif /* TOOLS_COMMAND_H_ */
