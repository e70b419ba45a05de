/* SPDX-License-Identifier: BSD-3-Clause */
#include "json_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

static void *need(void *memory)
{
	if (memory == NULL) {
		fputs("softdpu: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return memory;
}

/* Bytes of the UTF-8 character at text; 0: there is none, or one that is not the shortest. */
static size_t utf8_length(const unsigned char *text, size_t len)
{
	static const unsigned char least[] = {0x00, 0x00, 0x80, 0xa0, 0x90};
	size_t n = text[0] < 0x80   ? 1
		   : text[0] < 0xc2 ? 0
		   : text[0] < 0xe0 ? 2
		   : text[0] < 0xf0 ? 3
		   : text[0] < 0xf5 ? 4
				    : 0;
	size_t i;

	if (n == 0 || n > len)
		return 0;
	for (i = 1; i < n; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if (((text[0] == 0xe0 || text[0] == 0xf0) && text[1] < least[n]) ||
	    (text[0] == 0xed && text[1] > 0x9f) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0;
	return n;
}

struct json_object *json_text(const char *text, size_t len)
{
	char *clean = need(malloc(len * strlen(REPLACEMENT) + 1));
	struct json_object *value;
	size_t at = 0, used = 0;

	while (at < len) {
		size_t n = utf8_length((const unsigned char *)text + at, len - at);

		memcpy(clean + used, n > 0 ? text + at : REPLACEMENT,
		       n > 0 ? n : strlen(REPLACEMENT));
		used += n > 0 ? n : strlen(REPLACEMENT);
		at += n > 0 ? n : 1;
	}
	value = need(json_object_new_string_len(clean, (int)used));
	free(clean);
	return value;
}

void json_add(struct json_object *object, const char *key, struct json_object *value)
{
	if (json_object_object_add(object, key, value) != 0)
		need(NULL);
}

void json_add_text(struct json_object *object, const char *key, const char *text)
{
	json_add(object, key, text == NULL ? NULL : json_text(text, strlen(text)));
}

void json_add_int(struct json_object *object, const char *key, int64_t value)
{
	json_add(object, key, need(json_object_new_int64(value)));
}

void json_add_bool(struct json_object *object, const char *key, bool value)
{
	json_add(object, key, need(json_object_new_boolean(value)));
}

struct json_object *json_add_array(struct json_object *object, const char *key)
{
	struct json_object *array = need(json_object_new_array());

	json_add(object, key, array);
	return array;
}

static void print(struct json_object *object, int flags)
{
	puts(need((void *)json_object_to_json_string_ext(object,
							 flags | JSON_C_TO_STRING_NOSLASHESCAPE)));
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
