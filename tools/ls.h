/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu ls`: collects what there is as JSON objects (ls_find.c, ls_watch.c). Prints these as
 * they are, or in words (ls_text.c, ls_object.c); all of them, or one part (ls_keep.c). One thread.
 */
#ifndef TOOLS_LS_H_
#define TOOLS_LS_H_

#include <stdbool.h>

#include <json-c/json.h>

/* Devices that this process sees. False: failed, with a message. */
bool ls_find_devices(struct json_object *array);

/* Files of the runtime directory, as {kind, what, endpoint, alive, pid, command}. False: failed,
 * with a message. */
bool ls_find_entries(struct json_object *array);

/*
 * Adds to each entry of a living process what it has: "answer" (whether the process could be asked)
 * and "objects", those of softdpu_watch_read() with the keys of their kinds.
 */
void ls_watch_entries(struct json_object *entries);

/* Prints one part of {entries, devices}; NULL: all parts. */
void ls_print(const char *part, struct json_object *object);
bool ls_is_part(const char *name);
/* Does the part show objects of processes? */
bool ls_has_objects(const char *part);
/* Removes all but one part of {entries, devices}. */
void ls_keep(const char *part, struct json_object *object);

/* What a part consists of: files of a kind, and objects of processes. */
bool ls_part_has_entry(const char *part, struct json_object *entry);
bool ls_part_has_object(const char *part, struct json_object *object);

/* ls_object.c: prints an object in words, without indentation and newline. */
void ls_object_print(struct json_object *object);

/* The value of a key; "" or 0 if the object does not have it. */
const char *ls_text(struct json_object *object, const char *key);
int64_t ls_number(struct json_object *object, const char *key);
bool ls_is_kind(struct json_object *object, const char *kind);

/* A PCI address without the domain, if that is 0. */
const char *ls_short_pci(const char *pci);

#endif /* TOOLS_LS_H_ */
