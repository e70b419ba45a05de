/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Check of environment variables. The libraries complain of a wrong value in their log, and of
 * a name that they do not know they never hear; both are told here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "explain.h"

#define PREFIX "SOFTDPU_"
#define LEVELS "10 20 30 40 50 60 70"

static const struct {
	const char *name, *words;
	bool is_fatal; /* calls fail; else the value is ignored */
} rules[] = {
	{"SOFTDPU_SIDE", "host dpu", true},
	{"SOFTDPU_DEVICES", "none", true},
	{"SOFTDPU_WINDOW", "mapped cross handed served", true},
	{"SOFTDPU_POLL", "auto spin yield", false},
	{"SOFTDPU_RDMA", "local fabric", false},
	{"SOFTDPU_LOG_LEVEL", LEVELS, false},
	{"DOCA_LOG_LEVEL_SDK", LEVELS, false},
};

#define NUM_RULES (sizeof(rules) / sizeof(rules[0]))

static bool is_one_of(const char *words, const char *value)
{
	size_t len = strlen(value);

	for (; words != NULL; words = strchr(words, ' ')) {
		words += *words == ' ';
		if (strncmp(words, value, len) == 0 && (words[len] == ' ' || words[len] == '\0'))
			return true;
	}
	return false;
}

static enum verdict refuse_value(size_t i, const char *value, struct finding *finding)
{
	char cure[256];

	snprintf(cure, sizeof(cure), "unset %s, or set it to one of: %s (softdpu explain %s)",
		 rules[i].name, rules[i].words, rules[i].name);
	if (rules[i].is_fatal)
		return finding_bad(finding, cure, "%s is \"%.60s\", which is refused",
				   rules[i].name, value);
	return finding_note(finding, cure, "%s is \"%.60s\", which is ignored", rules[i].name,
			    value);
}

/* The known variable that a name was probably meant to be; NULL: it is known, or not ours. */
static const char *meant(const char *name)
{
	const struct explain_topic *topic = explain_find(name);
	const char *near[4];
	size_t num, i;

	if (topic != NULL && topic->kind == EXPLAIN_VARIABLE)
		return NULL;
	num = explain_suggest(name, near, sizeof(near) / sizeof(near[0]));
	for (i = 0; i < num; i++)
		if (strncmp(near[i], PREFIX, strlen(PREFIX)) == 0)
			return near[i];
	return NULL;
}

/* False: one is noted. */
static bool look_at_names(struct finding *finding, size_t *num)
{
	char name[64], cure[256];
	const char *known;
	char **at;

	*num = 0;
	for (at = environ; *at != NULL; at++) {
		if (strncmp(*at, PREFIX, strlen(PREFIX)) != 0)
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(*at, "="), *at);
		known = meant(name);
		if (known == NULL) {
			++*num;
			continue;
		}
		snprintf(cure, sizeof(cure), "unset %s, or set %s", name, known);
		finding_note(finding, cure, "%s is set, but nothing reads it; is it %s?", name,
			     known);
		return false;
	}
	return true;
}

enum verdict doctor_environment(const char *program, struct finding *finding)
{
	const char *value;
	size_t i, num;

	for (i = 0; i < NUM_RULES; i++) {
		value = getenv(rules[i].name);
		if (value == NULL || *value == '\0')
			continue;
		if (!is_one_of(rules[i].words, value))
			return refuse_value(i, value, finding);
	}
	if (!look_at_names(finding, &num))
		return VERDICT_NOTE;
	return finding_good(finding,
			    num == 0 ? "no variable of softdpu is set"
				     : "variables of softdpu that are set: %zu, all valid",
			    num);
}
