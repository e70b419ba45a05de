/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running groups of `softdpu run`. Each has a runtime directory of its own, so the other
 * sub-commands would not find it. They name the groups, and show the only one if no process uses
 * the usual directory. That is decided once, before the library has used a directory. One thread.
 */
#ifndef TOOLS_GROUPS_H_
#define TOOLS_GROUPS_H_

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#define MAX_GROUPS 16

struct groups {
	char paths[MAX_GROUPS][PATH_MAX]; /* in order */
	size_t num;			  /* at most MAX_GROUPS; the rest is left out */
};

/* Looked up at most every two seconds, as /tmp can be large. Valid until the next call of a
 * function here. */
const struct groups *groups_find(void);

/* Has the user named a runtime directory? */
bool groups_is_directory_chosen(void);

/* Selects the group's directory if that is the only one with a process. */
void groups_look_into_only(void);

/* Lines that name the groups and how to look at them with this command; "": there are none. */
void groups_describe(const char *command, char *text, size_t size);

void groups_add_json(struct json_object *object);

#endif /* TOOLS_GROUPS_H_ */
