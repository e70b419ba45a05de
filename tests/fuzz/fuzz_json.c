/* SPDX-License-Identifier: BSD-3-Clause
 * Any text as a settings file: parsed, or refused with a place inside it; every value readable.
 */
#include <stdlib.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const struct sdpu_json *at)
{
	struct sdpu_json_error err;
	const char *text;
	int64_t number;
	double real;
	bool flag;

	sdpu_json_get_string(at, &text, &err);
	sdpu_json_get_int(at, -5, 5, &number, &err);
	sdpu_json_get_double(at, &real, &err);
	sdpu_json_get_bool(at, &flag, &err);
	sdpu_json_need_keys(at, NULL, 0, &err);
	if (sdpu_json_need_array(at, &err) == DOCA_SUCCESS) {
		for (size_t i = 0; i < sdpu_json_length(at); i++) {
			struct sdpu_json element = sdpu_json_element(at, i);

			walk(&element);
		}
	}
	if (sdpu_json_need_object(at, &err) != DOCA_SUCCESS)
		return;
	json_object_object_foreach(at->value, key, value)
	{
		struct sdpu_json member = {.value = value, .parent = at, .key = key};

		walk(&member);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_object *tree;
	struct sdpu_json_error err;
	struct sdpu_json root;

	if (sdpu_json_parse("fuzz", (const char *)data, size, &tree, &err) != DOCA_SUCCESS) {
		if (!err.text[0] || err.line > size + 1 || err.column > size + 1)
			abort();
		return 0;
	}
	root = sdpu_json_root(tree, "fuzz");
	walk(&root);
	sdpu_json_free(tree);
	return 0;
}
