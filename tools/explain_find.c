/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How names begin that nobody wants to type. */
static const char *const prefixes[] = {"DOCA_ERROR_", "SOFTDPU_", "DOCA_"};

const char *explain_short_name(const struct explain_topic *topic)
{
	size_t i, len;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		len = strlen(prefixes[i]);
		if (strncmp(topic->name, prefixes[i], len) == 0)
			return topic->name + len;
	}
	return topic->name;
}

const char *explain_descr(const struct explain_topic *topic)
{
	if (topic->kind != EXPLAIN_ERROR)
		return NULL;
	return doca_error_get_descr((doca_error_t)atoi(topic->value));
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
	const char *descr = explain_descr(topic);

	return strcasecmp(topic->name, name) == 0 ||
	       strcasecmp(explain_short_name(topic), name) == 0 ||
	       (descr != NULL &&
		(strcasecmp(descr, name) == 0 || strcmp(topic->value, name) == 0)) ||
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

bool explain_is_header(const struct explain_page *page)
{
	return strchr(page->name, '.') != NULL;
}

const struct explain_page *explain_find_page(const char *name)
{
	const struct explain_page *page;
	size_t len = strcspn(name, "(");

	for (page = explain_pages; page->name != NULL; page++) {
		if (strncmp(page->name, name, len) == 0 &&
		    (page->name[len] == '\0' || strcmp(page->name + len, ".h") == 0))
			return page;
	}
	return NULL;
}
