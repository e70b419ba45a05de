/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The flags that every program has. Within a command their names are free: a parameter of the
 * command goes first.
 */
#include "argp/argp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_version.h>

#include "core/log.h"

#define LEVELS "<10=DISABLE, 20=CRITICAL, 30=ERROR, 40=WARNING, 50=INFO, 60=DEBUG, 70=TRACE>"

/* Of the command that the line has reached so far, if any. */
static doca_error_t help_run(struct argp_parser *p)
{
	argp_print_help(p);
	exit(EXIT_SUCCESS);
}

static doca_error_t version_run(struct argp_parser *p)
{
	bool flag = true;

	/* The usual one ends the process; one that returns lets the program go on. */
	if (p->version_callback)
		return p->version_callback(&flag, p->config);
	printf("DOCA SDK     Version (Compilation): %s\n", DOCA_VER_STRING);
	printf("DOCA Runtime Version (Runtime):     %s\n", DOCA_VER_STRING);
	exit(EXIT_SUCCESS);
}

/* At once, not in the second pass: the rest of the line is read with it already. */
doca_error_t argp_set_log_level(struct argp_parser *p, bool sdk, long level, const char *where)
{
	enum sdpu_log_tier tier = sdk ? SDPU_LOG_TIER_SDK : SDPU_LOG_TIER_APP;

	if (!sdpu_log_level_is_valid(level)) {
		argp_err("%s: %ld is no log level; needed: one of " LEVELS, where, level);
		return DOCA_ERROR_INVALID_VALUE;
	}
	sdpu_log_set_global_lower(where, tier, (uint32_t)level);
	*(sdk ? &p->sdk_log_level : &p->log_level) = (int)level;
	return DOCA_SUCCESS;
}

static doca_error_t log_level_run(struct argp_parser *p, bool sdk, const char *value)
{
	const char *where = sdk ? "--sdk-log-level" : "-l/--log-level";
	char *end;
	long level = strtol(value, &end, 10);

	if (end == value || *end) {
		argp_err("%s: \"%s\" is no log level; needed: one of " LEVELS, where, value);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return argp_set_log_level(p, sdk, level, where);
}

static doca_error_t app_log_level_run(struct argp_parser *p, const char *value)
{
	return log_level_run(p, false, value);
}

static doca_error_t sdk_log_level_run(struct argp_parser *p, const char *value)
{
	return log_level_run(p, true, value);
}

/* A second file would have to say which of the two counts. */
static doca_error_t json_run(struct argp_parser *p, const char *value)
{
	if (p->json_given) {
		argp_err("-j/--json: given twice; one file is read");
		return DOCA_ERROR_INVALID_VALUE;
	}
	p->json_given = true;
	return argp_read_json_file(p, value);
}

/* In the order of the help. */
static const struct argp_builtin builtins[] = {
	{"h", "help", NULL, "Print a help synopsis", NULL, help_run},
	{"v", "version", NULL, "Print program version information", NULL, version_run},
	{"l", "log-level", NULL, "Set the (numeric) log level for the program " LEVELS,
	 app_log_level_run, NULL},
	{NULL, "sdk-log-level", NULL, "Set the SDK (numeric) log level for the program " LEVELS,
	 sdk_log_level_run, NULL},
	{"j", "json", "<path>", "Parse command line flags from an input json file", json_run, NULL},
};

const struct argp_builtin *argp_builtin_find(const char *name, bool is_long)
{
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(builtins); i++) {
		const char *own = is_long ? builtins[i].long_name : builtins[i].short_name;

		if (own && strcmp(own, name) == 0)
			return &builtins[i];
	}
	return NULL;
}

doca_error_t argp_builtin_run(struct argp_parser *p, const struct argp_builtin *flag,
			      const char *value)
{
	return flag->run_value ? flag->run_value(p, value) : flag->run(p);
}

bool argp_builtin_is_reserved(const struct doca_argp_param *param)
{
	return (param->short_name && argp_builtin_find(param->short_name, false)) ||
	       (param->long_name && argp_builtin_find(param->long_name, true));
}

const struct argp_builtin *argp_builtin_at(unsigned int index)
{
	return index < SDPU_ARRAY_SIZE(builtins) ? &builtins[index] : NULL;
}
