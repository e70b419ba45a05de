/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What --json prints: objects of json-c. The caller owns what is made here; a value that is added
 * belongs to the object. Keys must outlive the object. The program ends when memory runs out, as
 * part of an object is of no use.
 */
#ifndef TOOLS_JSON_OUT_H_
#define TOOLS_JSON_OUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* Bytes that are not UTF-8 become U+FFFD. */
struct json_object *json_text(const char *text, size_t len);

void json_add(struct json_object *object, const char *key, struct json_object *value);
/* NULL becomes null. */
void json_add_text(struct json_object *object, const char *key, const char *text);
void json_add_int(struct json_object *object, const char *key, int64_t value);
void json_add_bool(struct json_object *object, const char *key, bool value);
/* Adds an empty array and returns it; the object owns it. */
struct json_object *json_add_array(struct json_object *object, const char *key);

/* Prints the object and frees it: indented, or on one line. */
void json_print(struct json_object *object);
void json_print_line(struct json_object *object);

#endif /* TOOLS_JSON_OUT_H_ */
