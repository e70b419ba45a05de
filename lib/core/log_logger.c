/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sources and loggers. Every part of a name A::B::C is a logger, and each source is one. Loggers
 * are kept for the life of the process in one table that only grows; parents stand before children.
 * A handle is the number of its logger, from 1, so that a handle that was never set is none.
 */
#include "core/log.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "base/log.h"
#include "base/refuse.h"

struct doca_logger {
	char name[DOCA_LOGGER_NAME_SIZE];
	struct doca_logger *parent; /* NULL: below the root */
	int level;
};

static struct doca_logger *loggers[SDPU_LOG_MAX_LOGGERS];
static unsigned int num_loggers; /* entries below it are set and stay */
static int root_level = DOCA_LOG_LEVEL_TRACE;

/* NULL when there is no such number. */
static struct doca_logger *logger_at(int handle)
{
	/* acquire: pairs with the release in logger_add(); the entry is complete */
	unsigned int count = sdpu_load_acquire(&num_loggers);

	return handle >= 1 && (unsigned int)handle <= count ? loggers[handle - 1] : NULL;
}

bool sdpu_log_source_exists(int source)
{
	return logger_at(source) != NULL;
}

bool sdpu_log_source_passes(int source, int level)
{
	return level <= sdpu_load(&logger_at(source)->level);
}

/* Handle of the logger whose name is the first `len` bytes; 0 when there is none. */
static int logger_find(const char *name, size_t len)
{
	struct doca_logger *logger;

	for (int handle = 1; (logger = logger_at(handle)) != NULL; handle++)
		if (strlen(logger->name) == len && memcmp(logger->name, name, len) == 0)
			return handle;
	return 0;
}

/* Under sdpu_log_config; 0 when there is no room. A newcomer takes its parent's level. */
static int logger_add(const char *name, size_t len, struct doca_logger *parent)
{
	struct doca_logger *logger;

	if (num_loggers == SDPU_LOG_MAX_LOGGERS)
		return 0;
	logger = calloc(1, sizeof(*logger));
	if (!logger)
		return 0;
	memcpy(logger->name, name, len);
	logger->parent = parent;
	logger->level = parent ? parent->level : root_level;
	loggers[num_loggers] = logger;
	/* release: pairs with the acquire in logger_at() */
	sdpu_store_release(&num_loggers, num_loggers + 1);
	return (int)num_loggers;
}

/*
 * Makes what is missing on the way to the name; 0 when there is no room. A name that exists gives
 * its handle again: a library that is loaded and unloaded registers each time.
 */
static int logger_make(const char *name)
{
	size_t len = strnlen(name, DOCA_LOGGER_NAME_SIZE - 1);
	struct doca_logger *parent = NULL;
	const char *at = name;
	int handle = 0;

	do {
		const char *part = memmem(at, len - (size_t)(at - name), "::", 2);
		size_t end = part ? (size_t)(part - name) : len;

		handle = logger_find(name, end);
		if (!handle)
			handle = logger_add(name, end, parent);
		if (!handle)
			return 0;
		parent = logger_at(handle);
		at = part ? part + 2 : NULL;
	} while (at);
	return handle;
}

doca_error_t doca_log_register_source(const char *source_name, int *source)
{
	int handle;

	if (sdpu_any_null(__func__, source_name, source))
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&sdpu_log_config);
	handle = logger_make(source_name);
	pthread_mutex_unlock(&sdpu_log_config);
	if (!handle) {
		sdpu_log_err("doca_log_register_source: no room for \"%s\"; needed: fewer than %d "
			     "sources in a process; give one to several files",
			     source_name, SDPU_LOG_MAX_LOGGERS);
		return DOCA_ERROR_NO_MEMORY;
	}
	*source = handle;
	return DOCA_SUCCESS;
}

doca_error_t doca_log_unregister_source(int source)
{
	if (!sdpu_log_source_exists(source)) {
		sdpu_log_err("doca_log_unregister_source: there is no source %d; needed: what "
			     "doca_log_register_source() gave",
			     source);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

/* A pointer is looked up before it is followed. */
static bool logger_is_known(const struct doca_logger *logger)
{
	const struct doca_logger *known;

	for (int handle = 1; (known = logger_at(handle)) != NULL; handle++)
		if (known == logger)
			return true;
	return false;
}

static doca_error_t logger_check(const char *who, const struct doca_logger *logger)
{
	if (logger_is_known(logger))
		return DOCA_SUCCESS;
	sdpu_log_err("%s: %p is no logger; needed: one that doca_logger_create_list() gives", who,
		     (const void *)logger);
	return DOCA_ERROR_NOT_FOUND;
}

/* Levels between a logger and one above it (NULL: the root); 0 when it does not stand below it. */
static unsigned int depth_below(const struct doca_logger *logger, const struct doca_logger *above)
{
	unsigned int depth = 0;

	for (; logger && logger != above; logger = logger->parent)
		depth++;
	return logger == above ? depth : 0;
}

/* With NULL for `list`, counts. */
static uint32_t list_fill(struct doca_logger **list, const struct doca_logger *above,
			  unsigned int max_depth)
{
	struct doca_logger *logger;
	uint32_t n = 0;

	for (int handle = 1; (logger = logger_at(handle)) != NULL; handle++) {
		unsigned int depth = depth_below(logger, above);

		if (depth == 0 || depth > max_depth)
			continue;
		if (list)
			list[n] = logger;
		n++;
	}
	return n;
}

doca_error_t doca_logger_create_list(const struct doca_logger *logger, uint8_t depth,
				     struct doca_logger ***logger_list, uint32_t *nb_loggers)
{
	struct doca_logger **list;
	uint32_t n;

	if (sdpu_any_null(__func__, logger_list, nb_loggers) || sdpu_is_zero(__func__, depth))
		return DOCA_ERROR_INVALID_VALUE;
	if (logger && logger_check(__func__, logger) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_FOUND;
	pthread_mutex_lock(&sdpu_log_config);
	/* Counted and filled under one lock: sources may be registered meanwhile. */
	n = list_fill(NULL, logger, depth);
	list = calloc(n + 1, sizeof(*list)); /* NULL ends it */
	if (list)
		list_fill(list, logger, depth);
	pthread_mutex_unlock(&sdpu_log_config);
	if (!list)
		return sdpu_no_memory(__func__);
	*logger_list = list;
	*nb_loggers = n;
	return DOCA_SUCCESS;
}

doca_error_t doca_logger_destroy_list(struct doca_logger **logger_list)
{
	if (sdpu_any_null(__func__, logger_list))
		return DOCA_ERROR_INVALID_VALUE;
	free(logger_list);
	return DOCA_SUCCESS;
}

static void level_set(struct doca_logger *logger, int level, bool propagate)
{
	struct doca_logger *other;

	if (logger)
		sdpu_store(&logger->level, level);
	else
		root_level = level;
	for (int handle = 1; propagate && (other = logger_at(handle)) != NULL; handle++)
		if (depth_below(other, logger) > 0)
			sdpu_store(&other->level, level);
}

doca_error_t doca_logger_set_level(struct doca_logger *logger, int level, uint8_t propagate)
{
	if (!sdpu_log_level_is_valid(level) || (!logger && !propagate)) {
		sdpu_log_err("doca_logger_set_level: level %d, logger %p; needed: a level of 10 to "
			     "70, and propagation for the root (NULL)",
			     level, (void *)logger);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (logger && logger_check(__func__, logger) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_FOUND;
	pthread_mutex_lock(&sdpu_log_config);
	level_set(logger, level, propagate);
	pthread_mutex_unlock(&sdpu_log_config);
	return DOCA_SUCCESS;
}

doca_error_t doca_logger_get_level(const struct doca_logger *logger, int *level)
{
	if (sdpu_any_null(__func__, logger, level))
		return DOCA_ERROR_INVALID_VALUE;
	if (logger_check(__func__, logger) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_FOUND;
	*level = sdpu_load(&logger->level);
	return DOCA_SUCCESS;
}

doca_error_t doca_logger_get_name(const struct doca_logger *logger,
				  char name[DOCA_LOGGER_NAME_SIZE])
{
	if (sdpu_any_null(__func__, logger, name))
		return DOCA_ERROR_INVALID_VALUE;
	if (logger_check(__func__, logger) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_FOUND;
	memcpy(name, logger->name, DOCA_LOGGER_NAME_SIZE);
	return DOCA_SUCCESS;
}

struct doca_logger *doca_logger_find_by_name(struct doca_logger **logger_list, const char *name)
{
	if (!logger_list || !name)
		return NULL;
	for (; *logger_list; logger_list++)
		if (strcmp((*logger_list)->name, name) == 0)
			return *logger_list;
	return NULL;
}
