/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of `softdpu run` that work now: each has a runtime directory of its own, where nobody
 * looks who does not know. Who looks at the usual directory is told of them, and sees the only one
 * where there is nothing else to see. Whether that is so is found out once, before the library has
 * used a directory. One thread.
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
	size_t num;			  /* more of them than there is room for are left out */
};

/* As they were within the last two seconds: directories of temporary files can be large. Good until
 * the next call of a function here. */
const struct groups *groups_find(void);

/* Has the user said in which directory he looks? */
bool groups_is_directory_chosen(void);

/* Chooses the group's directory where that is the only place with a process. */
void groups_look_into_only(void);

/* Lines, of which each ends with a newline, for who looks with this command; "": nothing to tell.
 */
void groups_describe(const char *command, char *text, size_t size);

void groups_add_json(struct json_object *object);

#endif /* TOOLS_GROUPS_H_ */
