/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the parser says. A user who mistyped a flag must see why, whatever the program did about
 * logs: the program's logger comes first, then the SDK tier of the log if somebody listens there,
 * and standard error if nobody does.
 */
#include "argp/argp.h"

#include <stdio.h>

#include "base/log.h"

/* Not part of the parser: a program may want to hear why doca_argp_init() fails. */
static doca_argp_logger_cb_t logger_callback;

static void logger_call(enum doca_log_level level, const char *fmt, ...) sdpu_printf_like(2, 3);
static void logger_call(enum doca_log_level level, const char *fmt, ...)
{
	va_list ap;

	/* what the program's logger returns has nobody to go to */
	va_start(ap, fmt);
	logger_callback(level, fmt, ap);
	va_end(ap);
}

void argp_say(enum doca_log_level level, const char *file, int line, const char *fmt, ...)
{
	const struct argp_parser *p = argp_current();
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	/* Formatted once, and cut: it may quote arguments of any length. */
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (logger_callback)
		logger_call(level, "%s", text);
	else if (sdpu_log_is_on((int)level))
		sdpu_log((int)level, file, line, "%s", text);
	else
		fprintf(stderr, "%s: %s\n", p ? argp_program_name(p) : "argp", text);
}

doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback)
{
	if (!callback) {
		argp_err(
			"doca_argp_register_logger_callback: callback is NULL; needed: a function");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (logger_callback) {
		argp_err("doca_argp_register_logger_callback: there is one already; needed: none; "
			 "call doca_argp_disable_logger_callback() first");
		return DOCA_ERROR_ALREADY_EXIST;
	}
	logger_callback = callback;
	return DOCA_SUCCESS;
}

void argp_forget_logger(void)
{
	logger_callback = NULL;
}

doca_error_t doca_argp_disable_logger_callback(void)
{
	argp_forget_logger();
	return DOCA_SUCCESS;
}
