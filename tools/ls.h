/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu ls`: everything that is found is put into JSON objects first (ls_find.c, ls_watch.c),
 * and printed from them, as they are or in words (ls_text.c, ls_object.c), or one part of them
 * (ls_keep.c). One thread.
 */
#ifndef TOOLS_LS_H_
#define TOOLS_LS_H_

#include <stdbool.h>

#include <json-c/json.h>

/* Devices that this process sees. False: told. */
bool ls_find_devices(struct json_object *array);

/* Files of the runtime directory, as {kind, what, endpoint, alive, pid, command}. False: told. */
bool ls_find_entries(struct json_object *array);

/*
 * To each entry of a living process, what it has: "answer" says how that went, "objects" are the
 * objects of softdpu_watch_read() with the keys that their kinds have.
 */
void ls_watch_entries(struct json_object *entries);

/* One part of what is in {entries, devices}, or with NULL all of them. */
void ls_print(const char *part, struct json_object *object);
bool ls_is_part(const char *name);
/* Is what processes have needed for it? */
bool ls_has_objects(const char *part);
/* Leaves one part of {entries, devices}. */
void ls_keep(const char *part, struct json_object *object);

/* What a part consists of: files of a kind, and objects of processes. */
bool ls_part_has_entry(const char *part, struct json_object *entry);
bool ls_part_has_object(const char *part, struct json_object *object);

/* An object of a process, as a part of a line (ls_object.c). */
void ls_object_print(struct json_object *object);

/* Of an object: "" and 0 for what it does not have. */
const char *ls_text(struct json_object *object, const char *key);
int64_t ls_number(struct json_object *object, const char *key);
bool ls_is_kind(struct json_object *object, const char *kind);

/* A PCI address without the domain, if that is 0. */
const char *ls_short_pci(const char *pci);

#endif /* TOOLS_LS_H_ */
