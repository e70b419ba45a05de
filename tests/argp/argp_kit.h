/* SPDX-License-Identifier: BSD-3-Clause
 * What the tests of the argument parser share. Callbacks append to `trace`, the parser's messages
 * to `said`; each case is a process, so both start empty.
 */
#ifndef TESTS_ARGP_KIT_H
#define TESTS_ARGP_KIT_H

#include <doca_argp.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "t.h"

static char trace[4096], said[4096];

__attribute__((format(printf, 1, 2))) static inline void trace_add(const char *fmt, ...)
{
	size_t used = strlen(trace);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(trace + used, sizeof(trace) - used, fmt, ap);
	va_end(ap);
}

static inline doca_error_t hear(enum doca_log_level level, const char *format, va_list args)
{
	size_t used = strlen(said);

	vsnprintf(said + used, sizeof(said) - used, format, args);
	strncat(said, "\n", sizeof(said) - strlen(said) - 1);
	return level == DOCA_LOG_LEVEL_ERROR ? DOCA_SUCCESS : DOCA_ERROR_UNKNOWN;
}

/* The configuration that callbacks must get. */
static int config;

static inline doca_error_t take_text(void *param, void *cfg)
{
	T_CHECK(cfg == &config);
	trace_add("%s;", (const char *)param);
	return DOCA_SUCCESS;
}

static inline doca_error_t take_int(void *param, void *cfg)
{
	T_CHECK(cfg == &config);
	trace_add("%d;", *(int *)param);
	return DOCA_SUCCESS;
}

static inline doca_error_t take_bool(void *param, void *cfg)
{
	T_CHECK(cfg == &config);
	trace_add("%s;", *(bool *)param ? "true" : "false");
	return DOCA_SUCCESS;
}

static inline doca_error_t take_double(void *param, void *cfg)
{
	T_CHECK(cfg == &config);
	trace_add("%g;", *(double *)param);
	return DOCA_SUCCESS;
}

static inline doca_argp_param_cb_t taker(enum doca_argp_type type)
{
	switch (type) {
	case DOCA_ARGP_TYPE_INT:
		return take_int;
	case DOCA_ARGP_TYPE_BOOLEAN:
		return take_bool;
	case DOCA_ARGP_TYPE_DOUBLE:
		return take_double;
	default:
		return take_text;
	}
}

static inline struct doca_argp_param *new_param(const char *short_name, const char *long_name,
						enum doca_argp_type type)
{
	struct doca_argp_param *param = NULL;

	T_OK(doca_argp_param_create(&param));
	if (short_name)
		doca_argp_param_set_short_name(param, short_name);
	if (long_name)
		doca_argp_param_set_long_name(param, long_name);
	doca_argp_param_set_type(param, type);
	doca_argp_param_set_description(param, "what it is for");
	doca_argp_param_set_callback(param, taker(type));
	return param;
}

static inline void begin(void)
{
	T_OK(doca_argp_register_logger_callback(hear));
	T_OK(doca_argp_init("doca_prog", &config));
}

static inline void add(const char *short_name, const char *long_name, enum doca_argp_type type)
{
	T_OK(doca_argp_register_param(new_param(short_name, long_name, type)));
}

enum { MAX_ARGS = 32 };

/* doca_argp_start() with the words of a line, blanks between them. */
static inline doca_error_t start(const char *line)
{
	static char copy[8192];
	char *argv[MAX_ARGS + 1] = {"prog"};
	int argc = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok(copy, " "); word && argc < MAX_ARGS; word = strtok(NULL, " "))
		argv[argc++] = word;
	return doca_argp_start(argc, argv);
}

/* The line is refused with the code and a message that holds the text; then the parser ends. */
static inline void refused(const char *line, doca_error_t code, const char *message)
{
	said[0] = '\0';
	T_ERR(start(line), code);
	T_CONTAINS(said, message);
	T_OK(doca_argp_destroy());
}

/* A file that goes with the runtime directory of the case. */
static inline const char *json_file(const char *text)
{
	static char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/args.json", getenv("SOFTDPU_RUNTIME_DIR"));
	file = fopen(path, "w");
	T_CHECK(file != NULL);
	fputs(text, file);
	fclose(file);
	return path;
}

/* Starts with "-j FILE" and what else is given. */
static inline doca_error_t start_json(const char *text, const char *more)
{
	char line[5000];
	doca_error_t result;

	snprintf(line, sizeof(line), "-j %s %s", json_file(text), more);
	result = start(line);
	unlink(json_file(text));
	return result;
}

static inline void json_refused(const char *text, doca_error_t code, const char *message)
{
	said[0] = '\0';
	T_ERR(start_json(text, ""), code);
	T_CONTAINS(said, message);
	T_OK(doca_argp_destroy());
}

/* What fn writes to standard output in a child; *status is how that child ended. */
static inline const char *output_of(int (*fn)(void *arg), void *arg, int *status)
{
	static char text[16384];
	FILE *file = tmpfile();
	int out = dup(STDOUT_FILENO);
	ssize_t n;

	fflush(stdout);
	T_CHECK(dup2(fileno(file), STDOUT_FILENO) >= 0);
	*status = t_wait(t_fork(fn, arg), 10000);
	T_CHECK(dup2(out, STDOUT_FILENO) >= 0);
	n = pread(fileno(file), text, sizeof(text) - 1, 0);
	T_CHECK(n >= 0);
	text[n] = '\0';
	fclose(file);
	close(out);
	return text;
}

#endif
