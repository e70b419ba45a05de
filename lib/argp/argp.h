/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The argument parser: one per process, used by one thread at a time.
 *
 * doca_argp_start() works in two passes. The first reads the command line, and a JSON file where it
 * names one, into a list of values: every mistake of the user's is found here, before the program
 * has seen anything. The second hands the values to the program in the order in which they stood,
 * then looks for what is missing, then runs command and validation callbacks.
 *
 * Parameters and commands belong to the caller until they are registered, then to the parser, which
 * ends with doca_argp_destroy(). A callback may call that: the parser is then taken off its place
 * at once (a new one can be set up), and doca_argp_start() frees it on its way out.
 */
#ifndef SDPU_ARGP_ARGP_H
#define SDPU_ARGP_ARGP_H

#include <stdbool.h>
#include <stddef.h>

#include <doca_argp.h>

#include "base/compiler.h"
#include "base/json.h"
#include "base/list.h"

/* The types of both generations, which share numbers. */
enum argp_type {
	ARGP_TYPE_UNKNOWN,
	ARGP_TYPE_STRING,
	ARGP_TYPE_INT,
	ARGP_TYPE_BOOLEAN,
	ARGP_TYPE_DOUBLE,
	ARGP_TYPE_DEVICE,
	ARGP_TYPE_DEVICE_REP,
	ARGP_TYPE_JSON_OBJ, /* 2.9 only: an object of the JSON file, as text */
};

/* Where a parameter was given, as bits: twice in one place is a mistake, once in each is not. */
enum argp_source {
	ARGP_GIVEN_CLI = 1,
	ARGP_GIVEN_JSON = 2,
};

struct doca_argp_param {
	struct sdpu_list link; /* in its scope once registered */
	char *short_name, *long_name, *arguments, *description;
	doca_argp_param_cb_t callback;
	enum argp_type type;
	bool mandatory, cli_only, multiplicity, singular, inherited, hidden;
	bool registered;
	bool incomplete; /* a setter ran out of memory */
	unsigned int given;
};

/* A scope of names. The program itself is one without name and parent. */
struct doca_argp_cmd {
	struct sdpu_list link; /* in the scope above once registered */
	struct sdpu_list params, cmds;
	struct doca_argp_cmd *parent;
	char *name, *description;
	doca_argp_cmd_cb_t callback;
	bool hidden;
	bool registered;
	bool incomplete;
};

/* A value on its way to the program. Which member counts is up to the parameter's type. */
struct argp_value {
	struct sdpu_list link;
	struct doca_argp_param *param;
	char *text; /* STRING, DEVICE, DEVICE_REP, JSON_OBJ; NULL for the others */
	int number;
	bool flag;
	double real;
};

struct argp_validation {
	struct sdpu_list link;
	doca_argp_validation_cb_t callback;
};

enum argp_state {
	ARGP_SETUP,   /* being described; until doca_argp_start() */
	ARGP_STARTED, /* parsing, or done with it */
};

struct argp_parser {
	enum argp_state state;
	char *program_name; /* NULL: not known yet, see argp_program_name() */
	void *config;
	struct doca_argp_cmd root;
	struct doca_argp_cmd *scope; /* where the command line is; root to begin with */
	struct sdpu_list validations;
	struct sdpu_list values; /* read, not yet delivered */
	doca_argp_param_cb_t version_callback;
	doca_argp_dpdk_cb_t dpdk_callback;
	doca_argp_dev_open_cb_t dev_open;
	void *dev_open_ctx;
	bool pedantic;
	bool json_given;
	bool running;		      /* doca_argp_start() is on the stack */
	bool destroyed;		      /* by a callback; frees itself when it is done */
	int log_level, sdk_log_level; /* what the user chose; 0: nothing */
	char **eal_argv;	      /* for DPDK, NULL-terminated; strings are owned */
	int eal_argc;
};

/* parser.c: NULL while there is none */
struct argp_parser *argp_current(void);
/* Name for messages and help. */
const char *argp_program_name(const struct argp_parser *p);

/* param.c, cmd.c: `release` frees what is not registered; what is belongs to somebody else */
void argp_param_free(struct doca_argp_param *param);
void argp_param_release(struct doca_argp_param *param);
void argp_cmd_init(struct doca_argp_cmd *cmd);
void argp_cmd_fini(struct doca_argp_cmd *cmd);
void argp_cmd_release(struct doca_argp_cmd *cmd);
/* Copies text into *field of an object that is not registered; *incomplete when out of memory. */
void argp_set_text(char **field, const char *text, bool registered, bool *incomplete);

/* scope.c: puts a parameter or a command into a scope; releases it on failure */
doca_error_t argp_scope_add_param(struct doca_argp_cmd *scope, struct doca_argp_param *param,
				  const char *call);
doca_error_t argp_scope_add_cmd(struct doca_argp_cmd *scope, struct doca_argp_cmd *cmd,
				const char *call);
/* By name, in the scope and among what it inherits; NULL when there is none. */
struct doca_argp_param *argp_find_param(struct doca_argp_cmd *scope, const char *name,
					bool is_long);
struct doca_argp_cmd *argp_find_cmd(struct doca_argp_cmd *scope, const char *name);
/* "-p/--pci-addr", for messages. */
void argp_param_name(const struct doca_argp_param *param, char *text, size_t size);
enum { ARGP_NAME_SIZE = 160 };

/* The first pass: cli.c, json_file.c */
doca_error_t argp_read_command_line(struct argp_parser *p, int argc, char **argv);
doca_error_t argp_read_json_file(struct argp_parser *p, const char *path);
/* builtin.c: the flags that every program has */
struct argp_builtin {
	const char *short_name, *long_name;
	const char *arguments; /* as the help shows them */
	const char *description;
	/* One of the two, the first if the flag takes a value. */
	doca_error_t (*run_value)(struct argp_parser *p, const char *value);
	doca_error_t (*run)(struct argp_parser *p);
};

/* NULL when there is no such name, or behind the last index. */
const struct argp_builtin *argp_builtin_find(const char *name, bool is_long);
const struct argp_builtin *argp_builtin_at(unsigned int index);
doca_error_t argp_builtin_run(struct argp_parser *p, const struct argp_builtin *flag,
			      const char *value);
bool argp_builtin_is_reserved(const struct doca_argp_param *param);
/* `where` names the flag or the place in the file. */
doca_error_t argp_set_log_level(struct argp_parser *p, bool sdk, long level, const char *where);

/* value.c: each puts one value at the end of p->values, or says what is wrong with it */
doca_error_t argp_value_add_text(struct argp_parser *p, struct doca_argp_param *param,
				 const char *text);
doca_error_t argp_value_add_flag(struct argp_parser *p, struct doca_argp_param *param, bool flag);
doca_error_t argp_value_add_json(struct argp_parser *p, struct doca_argp_param *param,
				 const struct sdpu_json *at);
void argp_value_free(struct argp_value *value);
void argp_values_free(struct argp_parser *p);

/* The second pass: deliver.c, device.c */
doca_error_t argp_deliver(struct argp_parser *p);
/* On success the device is open and belongs to whoever gets *ctx; devargs points into
 * the value, whose text is cut into its parts. */
doca_error_t argp_device_open(struct argp_parser *p, struct argp_value *value,
			      struct doca_argp_device_ctx *ctx);
doca_error_t argp_device_rep_open(struct argp_parser *p, struct argp_value *value,
				  struct doca_argp_device_rep_ctx *ctx);

/* dpdk.c: fills eal_argv. `first` becomes the index of the first argument that is not DPDK's. */
doca_error_t argp_dpdk_take_argv(struct argp_parser *p, int argc, char **argv, int *first);
doca_error_t argp_dpdk_take_json(struct argp_parser *p, const struct sdpu_json *section);
void argp_dpdk_free(struct argp_parser *p);

/* help.c: the help of the scope where the command line is */
void argp_print_help(const struct argp_parser *p);

/* message.c: to the program's logger, else to the SDK log, else to standard error */
void argp_say(enum doca_log_level level, const char *file, int line, const char *fmt, ...)
	sdpu_printf_like(4, 5);
/* The program's logger ends with the parser. */
void argp_forget_logger(void);
#define argp_err(...) argp_say(DOCA_LOG_LEVEL_ERROR, __FILE__, __LINE__, __VA_ARGS__)
#define argp_warn(...) argp_say(DOCA_LOG_LEVEL_WARNING, __FILE__, __LINE__, __VA_ARGS__)

#endif
