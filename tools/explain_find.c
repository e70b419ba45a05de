/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* How names begin that nobody wants to type. */
static const char *const prefixes[] = {"DOCA_ERROR_", "SOFTDPU_", "DOCA_"};

static bool is_short_for(const char *name, const char *whole)
{
	size_t i, len;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		len = strlen(prefixes[i]);
		if (strncmp(whole, prefixes[i], len) == 0 && strcasecmp(name, whole + len) == 0)
			return true;
	}
	return false;
}

static bool is_asked_by(const struct explain_topic *topic, const char *name)
{
	const struct explain_line *line;

	for (line = topic->asked; line != NULL && line->function != NULL; line++)
		if (strcmp(line->function, name) == 0)
			return true;
	return false;
}

static bool is_meant(const struct explain_topic *topic, const char *name)
{
	return strcasecmp(topic->name, name) == 0 || is_short_for(name, topic->name) ||
	       (topic->kind == EXPLAIN_ERROR && strcmp(topic->value, name) == 0) ||
	       is_asked_by(topic, name);
}

const struct explain_topic *explain_find(const char *name)
{
	const struct explain_topic *topic;

	for (topic = explain_topics; topic->name != NULL; topic++)
		if (is_meant(topic, name))
			return topic;
	return NULL;
}
