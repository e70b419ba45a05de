/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Settings from JSON files as people write them: comments (slash-slash, slash-star), commas after
 * the last member and hexadecimal numbers are accepted. Everything else is strict, and every
 * mistake is told with its place: the reader of the message has the file open in an editor.
 *
 * A tree is made by sdpu_json_load() or sdpu_json_parse(), belongs to the caller, and ends with
 * sdpu_json_free(). Values are read through `struct sdpu_json`, a value together with the way to
 * it; these live on the reader's stack, each one pointing to the one that it was taken from.
 * Nothing here logs or keeps state: the caller decides where an error text goes. One thread per
 * tree.
 */
#ifndef SDPU_BASE_JSON_H
#define SDPU_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <json-c/json.h>

#include "base/compiler.h"

#define SDPU_JSON_MAX_SIZE ((size_t)16 << 20)
#define SDPU_JSON_MAX_DEPTH 32

struct sdpu_json_error {
	unsigned int line, column; /* from 1; 0 when the error has no place in the text */
	char text[512];		   /* one sentence, place included */
};

/*
 * Reads a file whose outermost value is an object. IO_FAILED: cannot be read; TOO_BIG; BAD_CONFIG:
 * is not JSON; NO_MEMORY. On failure *err is filled in, and *root is not written.
 */
SDPU_SHARED doca_error_t sdpu_json_load(const char *path, struct json_object **root,
					struct sdpu_json_error *err);
/* The same for a text in memory, which need not end in NUL; `name` stands in messages for the file.
 */
SDPU_SHARED doca_error_t sdpu_json_parse(const char *name, const char *text, size_t len,
					 struct json_object **root, struct sdpu_json_error *err);
SDPU_SHARED void sdpu_json_free(struct json_object *root);

/* A value and the way to it, which messages show as `file: doca_program_flags.cpu[1]`. */
struct sdpu_json {
	struct json_object *value;
	const struct sdpu_json *parent; /* NULL: the outermost object, and key is the file's name */
	const char *key;		/* NULL: an element of an array, at index */
	size_t index;
};

SDPU_SHARED struct sdpu_json sdpu_json_root(struct json_object *root, const char *file);
/* False, and *member is not written, when the object has no such key. */
SDPU_SHARED bool sdpu_json_member(const struct sdpu_json *object, const char *key,
				  struct sdpu_json *member);
SDPU_SHARED size_t sdpu_json_length(const struct sdpu_json *array);
SDPU_SHARED struct sdpu_json sdpu_json_element(const struct sdpu_json *array, size_t index);

/* The way to the value as text. Cut to fit. */
SDPU_SHARED void sdpu_json_path(const struct sdpu_json *at, char *text, size_t size);

/*
 * Typed reading. BAD_CONFIG when the value is of another type or out of range; *err then says
 * where, what was found and what is needed. A string lives as long as its tree.
 */
SDPU_SHARED doca_error_t sdpu_json_get_string(const struct sdpu_json *at, const char **out,
					      struct sdpu_json_error *err);
SDPU_SHARED doca_error_t sdpu_json_get_int(const struct sdpu_json *at, int64_t min, int64_t max,
					   int64_t *out, struct sdpu_json_error *err);
SDPU_SHARED doca_error_t sdpu_json_get_bool(const struct sdpu_json *at, bool *out,
					    struct sdpu_json_error *err);
SDPU_SHARED doca_error_t sdpu_json_get_double(const struct sdpu_json *at, double *out,
					      struct sdpu_json_error *err);
SDPU_SHARED doca_error_t sdpu_json_need_object(const struct sdpu_json *at,
					       struct sdpu_json_error *err);
SDPU_SHARED doca_error_t sdpu_json_need_array(const struct sdpu_json *at,
					      struct sdpu_json_error *err);
/* BAD_CONFIG when the object has a key that is not among `known`; the text lists those. */
SDPU_SHARED doca_error_t sdpu_json_need_keys(const struct sdpu_json *object,
					     const char *const *known, size_t num_known,
					     struct sdpu_json_error *err);

/* Fills *err with the place of the value, what stands there, and `needed`; returns BAD_CONFIG. */
SDPU_SHARED doca_error_t sdpu_json_refuse(const struct sdpu_json *at, struct sdpu_json_error *err,
					  const char *needed, ...) sdpu_printf_like(3, 4);

#endif
