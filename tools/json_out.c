/* SPDX-License-Identifier: BSD-3-Clause */
#include "json_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

#define REPLACEMENT "\xef\xbf\xbd"

struct json_object *json_text(const char *text, size_t len)
{
	char *clean = memory_need(malloc(len * strlen(REPLACEMENT) + 1));
	struct json_object *value;
	size_t at = 0, used = 0;

	while (at < len) {
		size_t n = text_utf8_length(text + at, len - at);

		memcpy(clean + used, n > 0 ? text + at : REPLACEMENT,
		       n > 0 ? n : strlen(REPLACEMENT));
		used += n > 0 ? n : strlen(REPLACEMENT);
		at += n > 0 ? n : 1;
	}
	value = memory_need(json_object_new_string_len(clean, (int)used));
	free(clean);
	return value;
}

void json_add(struct json_object *object, const char *key, struct json_object *value)
{
	if (json_object_object_add_ex(object, key, value, JSON_C_OBJECT_KEY_IS_CONSTANT) != 0)
		memory_need(NULL);
}

void json_add_text(struct json_object *object, const char *key, const char *text)
{
	json_add(object, key, text == NULL ? NULL : json_text(text, strlen(text)));
}

void json_add_int(struct json_object *object, const char *key, int64_t value)
{
	json_add(object, key, memory_need(json_object_new_int64(value)));
}

void json_add_bool(struct json_object *object, const char *key, bool value)
{
	json_add(object, key, memory_need(json_object_new_boolean(value)));
}

struct json_object *json_add_array(struct json_object *object, const char *key)
{
	struct json_object *array = memory_need(json_object_new_array());

	json_add(object, key, array);
	return array;
}

static void print(struct json_object *object, int flags)
{
	puts(memory_need((void *)json_object_to_json_string_ext(
		object, flags | JSON_C_TO_STRING_NOSLASHESCAPE)));
	json_object_put(object);
}

void json_print(struct json_object *object)
{
	print(object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
}

void json_print_line(struct json_object *object)
{
	print(object, JSON_C_TO_STRING_PLAIN);
}
