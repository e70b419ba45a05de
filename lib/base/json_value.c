/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values and their places. A getter either writes its output or fills *err, never both.
 */
#include "base/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct sdpu_json sdpu_json_root(struct json_object *root, const char *file)
{
	return (struct sdpu_json){.value = root, .key = file};
}

bool sdpu_json_member(const struct sdpu_json *object, const char *key, struct sdpu_json *member)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object->value, key, &value))
		return false;
	*member = (struct sdpu_json){.value = value, .parent = object, .key = key};
	return true;
}

size_t sdpu_json_length(const struct sdpu_json *array)
{
	return json_object_array_length(array->value);
}

struct sdpu_json sdpu_json_element(const struct sdpu_json *array, size_t index)
{
	return (struct sdpu_json){
		.value = json_object_array_get_idx(array->value, index),
		.parent = array,
		.index = index,
	};
}

/* Appends at *used, never beyond size. */
static void append(char *text, size_t size, size_t *used, const char *fmt, ...)
	sdpu_printf_like(4, 5);
static void append(char *text, size_t size, size_t *used, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text + *used, size - *used, fmt, ap);
	va_end(ap);
	if (n > 0)
		*used += (size_t)n < size - *used ? (size_t)n : size - *used - 1;
}

static void path_append(const struct sdpu_json *at, char *text, size_t size, size_t *used)
{
	if (!at->parent) {
		append(text, size, used, "%s: ", at->key);
		return;
	}
	path_append(at->parent, text, size, used);
	if (!at->key)
		append(text, size, used, "[%zu]", at->index);
	else
		append(text, size, used, "%s%s", at->parent->parent ? "." : "", at->key);
}

void sdpu_json_path(const struct sdpu_json *at, char *text, size_t size)
{
	size_t used = 0;

	if (size == 0)
		return;
	path_append(at, text, size, &used);
	if (!at->parent)
		append(text, size, &used, "the outermost object");
}

static void value_append(struct json_object *value, char *text, size_t size, size_t *used)
{
	switch (json_object_get_type(value)) {
	case json_type_object:
		append(text, size, used, "an object");
		break;
	case json_type_array:
		append(text, size, used, "an array");
		break;
	default:
		append(text, size, used, "%.100s",
		       json_object_to_json_string_ext(value, JSON_C_TO_STRING_NOSLASHESCAPE));
	}
}

/* The path takes at most half of the space, so that there is space to say what is needed. */
doca_error_t sdpu_json_refuse(const struct sdpu_json *at, struct sdpu_json_error *err,
			      const char *needed, ...)
{
	size_t size = sizeof(err->text), used;
	char what[256];
	va_list ap;

	va_start(ap, needed);
	vsnprintf(what, sizeof(what), needed, ap);
	va_end(ap);
	err->line = err->column = 0;
	sdpu_json_path(at, err->text, size / 2);
	used = strlen(err->text);
	append(err->text, size, &used, " is ");
	value_append(at->value, err->text, size, &used);
	append(err->text, size, &used, "; needed: %s", what);
	return DOCA_ERROR_BAD_CONFIG;
}

doca_error_t sdpu_json_get_string(const struct sdpu_json *at, const char **out,
				  struct sdpu_json_error *err)
{
	const char *text;

	if (!json_object_is_type(at->value, json_type_string))
		return sdpu_json_refuse(at, err, "text in double quotes");
	text = json_object_get_string(at->value);
	/* Text with a NUL inside would be cut silently wherever it is used. */
	if (strlen(text) != (size_t)json_object_get_string_len(at->value))
		return sdpu_json_refuse(at, err, "text without \\u0000");
	*out = text;
	return DOCA_SUCCESS;
}

doca_error_t sdpu_json_get_int(const struct sdpu_json *at, int64_t min, int64_t max, int64_t *out,
			       struct sdpu_json_error *err)
{
	/* json-c cuts what does not fit to INT64_MAX; the unsigned reading tells such a value */
	bool fits = json_object_is_type(at->value, json_type_int) &&
		    json_object_get_uint64(at->value) <= INT64_MAX;
	int64_t value = json_object_get_int64(at->value);

	if (!fits || value < min || value > max)
		return sdpu_json_refuse(at, err, "a whole number from %lld to %lld", (long long)min,
					(long long)max);
	*out = value;
	return DOCA_SUCCESS;
}

doca_error_t sdpu_json_get_bool(const struct sdpu_json *at, bool *out, struct sdpu_json_error *err)
{
	if (!json_object_is_type(at->value, json_type_boolean))
		return sdpu_json_refuse(at, err, "true or false");
	*out = json_object_get_boolean(at->value);
	return DOCA_SUCCESS;
}

/* Whole numbers are numbers, too; 1e999 and NaN, which json-c lets pass, are none. */
doca_error_t sdpu_json_get_double(const struct sdpu_json *at, double *out,
				  struct sdpu_json_error *err)
{
	bool number = json_object_is_type(at->value, json_type_int) ||
		      json_object_is_type(at->value, json_type_double);
	double value = json_object_get_double(at->value);

	if (!number || !isfinite(value))
		return sdpu_json_refuse(at, err, "a number");
	*out = value;
	return DOCA_SUCCESS;
}

doca_error_t sdpu_json_need_object(const struct sdpu_json *at, struct sdpu_json_error *err)
{
	if (!json_object_is_type(at->value, json_type_object))
		return sdpu_json_refuse(at, err, "an object { ... }");
	return DOCA_SUCCESS;
}

doca_error_t sdpu_json_need_array(const struct sdpu_json *at, struct sdpu_json_error *err)
{
	if (!json_object_is_type(at->value, json_type_array))
		return sdpu_json_refuse(at, err, "an array [ ... ]");
	return DOCA_SUCCESS;
}

static bool key_is_known(const char *key, const char *const *known, size_t num_known)
{
	for (size_t i = 0; i < num_known; i++)
		if (strcmp(key, known[i]) == 0)
			return true;
	return false;
}

/* A list of the known keys helps best against a typing error. */
static doca_error_t key_refuse(const struct sdpu_json *member, const char *const *known,
			       size_t num_known, struct sdpu_json_error *err)
{
	size_t size = sizeof(err->text), used;

	err->line = err->column = 0;
	sdpu_json_path(member, err->text, size / 2);
	used = strlen(err->text);
	append(err->text, size, &used, " is unknown; known here:");
	for (size_t i = 0; i < num_known; i++)
		append(err->text, size, &used, "%s %s", i ? "," : "", known[i]);
	return DOCA_ERROR_BAD_CONFIG;
}

doca_error_t sdpu_json_need_keys(const struct sdpu_json *object, const char *const *known,
				 size_t num_known, struct sdpu_json_error *err)
{
	doca_error_t result = sdpu_json_need_object(object, err);

	if (result != DOCA_SUCCESS)
		return result;
	json_object_object_foreach(object->value, key, value)
	{
		struct sdpu_json member = {.value = value, .parent = object, .key = key};

		if (!key_is_known(key, known, num_known))
			return key_refuse(&member, known, num_known, err);
	}
	return DOCA_SUCCESS;
}
