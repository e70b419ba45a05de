/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the command lines of the three programs have in common. Parsing only stores what the user
 * wrote; a check function then looks at the whole and prints one line per fault, so that a user
 * learns of all of them at once. Used before any thread exists.
 */
#ifndef STORAGE_OPTIONS_H
#define STORAGE_OPTIONS_H

#include <doca_argp.h>

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Threads of one program; the consumers of a comch connection have a limit of that order too. */
#define OPTIONS_CPU_MAX 256

#define OPTIONS_NAME_SIZE 256

#define OPTIONS_CHANNEL_NAME_DEFAULT "storage_zero_copy_comch"
#define OPTIONS_CONTROL_TIMEOUT_DEFAULT 10

/* What every program takes. The first member of its options, so that the callbacks find it. */
struct options_common {
	char device[OPTIONS_NAME_SIZE];
	int cpus[OPTIONS_CPU_MAX]; /* thread i is pinned to CPU cpus[i] */
	uint32_t num_cpus;	   /* number of data path threads */
	int control_timeout;	   /* seconds */
	char stats_json[PATH_MAX]; /* empty: no such file */
};

struct option {
	const char *short_name; /* NULL for none */
	const char *long_name;	/* also the key in JSON files */
	const char *argument;	/* in the help text, NULL for none */
	const char *description;
	enum doca_argp_type type;
	doca_argp_param_cb_t callback; /* gets the options object as config */
	bool mandatory;
	bool multiple;
};

void options_common_init(struct options_common *common);

/* Registers the common options, then those given. */
doca_error_t options_register(const struct option *options, size_t count);

/* For callbacks: keeps a text. DOCA_ERROR_INVALID_VALUE, logged, when it is empty or too long. */
doca_error_t options_keep_text(char *to, size_t size, const char *name, const char *text);

/* Checks the common part; returns the number of faults and prints a line for each to out. */
unsigned int options_common_check(const struct options_common *common, FILE *out);

/* Prints one line for a fault and returns 1, for counting. */
unsigned int options_fault(FILE *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The first line of the configuration block, and the opening one. */
void options_print_begin(const struct options_common *common);
void options_print_end(const struct options_common *common);

#endif
