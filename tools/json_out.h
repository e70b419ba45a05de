/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What --json prints: objects of json-c, which belong to whoever makes them. A value that is added
 * belongs to what it is added to; a key is text that outlives the object. Memory that runs out ends
 * the program: nothing of it is worth printing in part.
 */
#ifndef TOOLS_JSON_OUT_H_
#define TOOLS_JSON_OUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* Bytes that are no UTF-8 become U+FFFD, as JSON has no others. */
struct json_object *json_text(const char *text, size_t len);

void json_add(struct json_object *object, const char *key, struct json_object *value);
/* NULL becomes null. */
void json_add_text(struct json_object *object, const char *key, const char *text);
void json_add_int(struct json_object *object, const char *key, int64_t value);
void json_add_bool(struct json_object *object, const char *key, bool value);
/* Makes an array, adds it, and returns it; it stays the object's. */
struct json_object *json_add_array(struct json_object *object, const char *key);

/* Prints it and ends it: laid out for a reader, or on one line. */
void json_print(struct json_object *object);
void json_print_line(struct json_object *object);

#endif /* TOOLS_JSON_OUT_H_ */
