/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The log: two tiers (program, SDK), each a table of backends that only grows. A backend belongs to
 * the process and is never freed, so that a thread may write a record without taking a lock on the
 * table; each backend has a lock of its own, held for one record. Limits are changed under one lock
 * and read without it.
 *
 * Any thread may do anything at any time. After a fork the locks of the child are fresh: a thread
 * of the parent may have held one. The flush handler of a buffer backend runs with that backend
 * locked; records that it logs itself skip the buffer backends.
 */
#ifndef SDPU_CORE_LOG_H
#define SDPU_CORE_LOG_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_log.h>

#include "base/compiler.h"

enum sdpu_log_tier { SDPU_LOG_TIER_APP, SDPU_LOG_TIER_SDK, SDPU_LOG_NUM_TIERS };

enum {
	SDPU_LOG_MAX_BACKENDS = 64, /* per tier */
	SDPU_LOG_MAX_LOGGERS = 4096,
	SDPU_LOG_LINE_SIZE = 8192, /* a longer record is cut */
};

/* What is to be said; ap is consumed. */
struct sdpu_log_record {
	int level;
	const char *file;
	int line;
	const char *func; /* NULL in the SDK tier */
	const char *fmt;
	va_list *ap;
};

/* A record as text: one line that ends in a newline and a NUL. */
struct sdpu_log_line {
	int level;
	size_t len;  /* newline counted */
	size_t body; /* offset behind time and thread, which the system log adds itself */
	char text[SDPU_LOG_LINE_SIZE];
};

struct doca_log_backend {
	void (*write)(struct doca_log_backend *backend, const struct sdpu_log_line *line);
	union {
		FILE *file;
		int fd;
		char *ident;
		struct {
			char *start;
			size_t capacity;
			log_flush_callback handler;
		} buf;
	} to;
	enum sdpu_log_tier tier;
	int lower, upper;		 /* written under the lock of log_level.c */
	bool lower_strict, upper_strict; /* do not follow the global limits */
	int lower_bound, upper_bound;	 /* of what it is made for; 0: any level */
	pthread_mutex_t lock;
};

/* log_writer.c: the kinds of backend */
void sdpu_log_write_file(struct doca_log_backend *backend, const struct sdpu_log_line *line);
void sdpu_log_write_fd(struct doca_log_backend *backend, const struct sdpu_log_line *line);
void sdpu_log_write_buf(struct doca_log_backend *backend, const struct sdpu_log_line *line);
void sdpu_log_write_syslog(struct doca_log_backend *backend, const struct sdpu_log_line *line);

/* log_record.c: writes the record to every backend of the tier that wants it */
void sdpu_log_emit(enum sdpu_log_tier tier, const struct sdpu_log_record *record);
/* Where the log lines of our libraries arrive. */
void sdpu_log_sdk_sink(int level, const char *file, int line, const char *fmt, va_list ap);

/* log_backend.c: guards tables, limits and loggers while they change; also the ident
 * of syslog and the time zone. Free while the process forks. */
extern pthread_mutex_t sdpu_log_config;
/* NULL behind the last backend; what is returned stays. */
struct doca_log_backend *sdpu_log_backend_at(enum sdpu_log_tier tier, unsigned int index);

/* log_level.c */
SDPU_SHARED bool sdpu_log_level_is_valid(long level);
bool sdpu_log_backend_wants(const struct doca_log_backend *backend, int level);
/* A backend that nobody sees yet takes the global limits. Under sdpu_log_config. */
void sdpu_log_backend_inherit(struct doca_log_backend *backend);
/* Tells lib/base what the SDK tier wants to hear. Under sdpu_log_config. */
void sdpu_log_limit_update(void);
/* SDK records up to this level are wanted whatever the backends say (SOFTDPU_LOG_LEVEL). */
void sdpu_log_set_floor(int level);
int sdpu_log_get_floor(void);

/* Lower limit of a tier for all backends that follow it; INVALID_VALUE: no such level. */
SDPU_SHARED doca_error_t sdpu_log_set_global_lower(const char *call, enum sdpu_log_tier tier,
						   uint32_t level);
SDPU_SHARED uint32_t sdpu_log_get_global_lower(enum sdpu_log_tier tier);

/* log_logger.c: is there such a source, and does its logger let the level pass? */
bool sdpu_log_source_exists(int source);
bool sdpu_log_source_passes(int source, int level);

/* log_env.c: what the environment says; complains when there is somebody to hear it */
void sdpu_log_env_apply(void);
void sdpu_log_env_check(void);

#endif
