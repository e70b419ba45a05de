/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The SDK tier of the log: what our libraries have to say to the user. `base` knows no backend; the
 * log of lib/core installs a sink and a limit. Until it does, and for every record less important
 * than the limit, a log line costs one load and one comparison, and its arguments are not
 * evaluated.
 *
 * Any thread may log. The sink is set once and stays. It runs in the caller's thread, locks held by
 * the caller included, and may write to a slow file: no log line belongs on the data path.
 */
#ifndef SDPU_BASE_LOG_H
#define SDPU_BASE_LOG_H

#include <stdarg.h>

#include "base/atomic.h"
#include "base/compiler.h"

/* The numbers of enum doca_log_level, which is public and belongs to a higher layer. */
enum sdpu_log_level {
	SDPU_LOG_DISABLE = 10,
	SDPU_LOG_CRIT = 20,
	SDPU_LOG_ERR = 30,
	SDPU_LOG_WARN = 40,
	SDPU_LOG_INFO = 50,
	SDPU_LOG_DBG = 60,
	SDPU_LOG_TRACE = 70,
};

/* `file` may be a path; the sink shows its last part. `ap` is consumed. */
typedef void (*sdpu_log_sink_func_t)(int level, const char *file, int line, const char *fmt,
				     va_list ap);

/* Least important level that anybody listens to; 0 while nobody does. Written by sdpu_log_set_*. */
SDPU_SHARED extern int sdpu_log_limit;

SDPU_SHARED void sdpu_log_set_sink(sdpu_log_sink_func_t sink);
SDPU_SHARED void sdpu_log_set_limit(int limit);

/* Hands one record to the sink, limit or not: use the macros. */
SDPU_SHARED void sdpu_log(int level, const char *file, int line, const char *fmt, ...)
	sdpu_printf_like(4, 5);

static inline int sdpu_log_is_on(int level)
{
	return sdpu_unlikely(level <= sdpu_load(&sdpu_log_limit));
}

#define sdpu_log_at(level, ...)                                                                    \
	do {                                                                                       \
		if (sdpu_log_is_on(level))                                                         \
			sdpu_log(level, __FILE__, __LINE__, __VA_ARGS__);                          \
	} while (0)

#define sdpu_log_crit(...) sdpu_log_at(SDPU_LOG_CRIT, __VA_ARGS__)
#define sdpu_log_err(...) sdpu_log_at(SDPU_LOG_ERR, __VA_ARGS__)
#define sdpu_log_warn(...) sdpu_log_at(SDPU_LOG_WARN, __VA_ARGS__)
#define sdpu_log_info(...) sdpu_log_at(SDPU_LOG_INFO, __VA_ARGS__)
#define sdpu_log_dbg(...) sdpu_log_at(SDPU_LOG_DBG, __VA_ARGS__)

#endif
