/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a record to lines:
 *	[HH:MM:SS:uuuuuu][thread][DOCA][LVL][file:line][function] message
 * The SDK tier has no function. A record is made into text once, when the first backend wants it.
 */
#include "core/log.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/log.h"

static const char *level_name(int level)
{
	static const char *const names[] = {"", "", "CRT", "ERR", "WRN", "INF", "DBG", "TRC"};

	return names[level / 10];
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Seconds that local time is ahead of UTC. The C library guards its zone with a lock that a forked
 * child may find taken for ever; so we ask once per quarter of an hour (zones change on those
 * only), under a lock of ours that is free while a process forks.
 */
static int zone_offset(time_t now)
{
	enum { BIAS = 1 << 19 };
	static int64_t known; /* quarter and offset in one word, so that they belong together */
	int64_t quarter = now / 900, word = sdpu_load(&known);
	struct tm tm;

	if (word >> 20 != quarter) {
		pthread_mutex_lock(&sdpu_log_config);
		localtime_r(&now, &tm);
		word = quarter << 20 | (tm.tm_gmtoff + BIAS);
		sdpu_store(&known, word);
		pthread_mutex_unlock(&sdpu_log_config);
	}
	return (int)(word & (2 * BIAS - 1)) - BIAS;
}

/* Length of what vsnprintf() has written, which it cuts to fit `room`. */
static size_t written(int n, size_t room)
{
	if (n < 0)
		return 0;
	return (size_t)n < room ? (size_t)n : room - 1;
}

static void line_put_head(struct sdpu_log_line *line, const struct sdpu_log_record *r)
{
	uint64_t now = sdpu_clock_wall_us();
	time_t seconds = (time_t)(now / 1000000);
	unsigned int of_day = (unsigned int)((seconds + zone_offset(seconds)) % 86400);
	int n;

	n = snprintf(line->text, sizeof(line->text), "[%02u:%02u:%02u:%06u][%d]", of_day / 3600,
		     of_day / 60 % 60, of_day % 60, (unsigned int)(now % 1000000), (int)gettid());
	line->body = written(n, sizeof(line->text));
	n = snprintf(line->text + line->body, sizeof(line->text) - line->body,
		     "[DOCA][%s][%.256s:%d]%s%.256s%s ", level_name(r->level), base_name(r->file),
		     r->line, r->func ? "[" : "", r->func ? r->func : "", r->func ? "]" : "");
	line->len = line->body + written(n, sizeof(line->text) - line->body);
}

static void line_format(struct sdpu_log_line *line, const struct sdpu_log_record *r)
{
	static const char cut[] = " [cut]\n";
	int saved_errno = errno; /* for %m */
	size_t room;
	int n;

	line->level = r->level;
	line_put_head(line, r);
	errno = saved_errno;
	room = sizeof(line->text) - line->len;
	n = vsnprintf(line->text + line->len, room, r->fmt, *r->ap);
	line->len += written(n, room);
	if (n >= 0 && (size_t)n + 1 < room) {
		line->text[line->len++] = '\n';
		line->text[line->len] = '\0';
	} else {
		line->len = sizeof(line->text) - 1;
		memcpy(line->text + sizeof(line->text) - sizeof(cut), cut, sizeof(cut));
	}
}

static void backend_write(struct doca_log_backend *backend, const struct sdpu_log_line *line)
{
	/* A flush handler that logs would wait for the lock that its own caller holds. */
	static __thread bool in_handler;
	bool calls_back = backend->write == sdpu_log_write_buf;

	if (calls_back && in_handler)
		return;
	pthread_mutex_lock(&backend->lock);
	if (calls_back)
		in_handler = true;
	backend->write(backend, line);
	if (calls_back)
		in_handler = false;
	pthread_mutex_unlock(&backend->lock);
}

void sdpu_log_emit(enum sdpu_log_tier tier, const struct sdpu_log_record *record)
{
	struct doca_log_backend *backend;
	struct sdpu_log_line line;
	bool formatted = false;
	int saved_errno = errno;

	for (unsigned int i = 0; (backend = sdpu_log_backend_at(tier, i)) != NULL; i++) {
		if (!sdpu_log_backend_wants(backend, record->level))
			continue;
		if (!formatted)
			line_format(&line, record);
		formatted = true;
		backend_write(backend, &line);
	}
	errno = saved_errno;
}

void sdpu_log_sdk_sink(int level, const char *file, int line, const char *fmt, va_list ap)
{
	struct sdpu_log_record record = {.level = level, .file = file, .line = line, .fmt = fmt};
	va_list copy; /* ap itself may be an array that has become a pointer */

	va_copy(copy, ap);
	record.ap = &copy;
	sdpu_log_emit(SDPU_LOG_TIER_SDK, &record);
	va_end(copy);
}

doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
		      const char *format, ...)
{
	struct sdpu_log_record record = {
		.level = (int)level,
		.file = fname,
		.line = line,
		.func = func,
		.fmt = format,
	};
	va_list ap;

	if (!sdpu_log_level_is_valid(level) || level == DOCA_LOG_LEVEL_DISABLE || !fname || !func ||
	    !format || !sdpu_log_source_exists(source)) {
		sdpu_log_err("doca_log: level %u, source %d, file %s; needed: a level of 20 to 70, "
			     "a registered source, a file, a function and a format",
			     level, source, fname ? fname : "(null)");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!sdpu_log_source_passes(source, (int)level))
		return DOCA_SUCCESS;
	va_start(ap, format);
	record.ap = &ap;
	sdpu_log_emit(SDPU_LOG_TIER_APP, &record);
	va_end(ap);
	return DOCA_SUCCESS;
}
