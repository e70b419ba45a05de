/* SPDX-License-Identifier: BSD-3-Clause */
/* What `softdpu explain` prints of a function, or of a header. */
#include "explain.h"

#include <stdio.h>
#include <string.h>

#include "json_out.h"
#include "text.h"

/* The first code that a function returns; one of another function, or the end: none. */
static const struct explain_call *first_code(const struct explain_page *page)
{
	const struct explain_call *call = explain_calls;

	while (call->function != NULL && strcmp(call->function, page->name) != 0)
		call++;
	return call;
}

#define for_each_code(call, page)                                                                  \
	for ((call) = first_code(page);                                                            \
	     (call)->function != NULL && strcmp((call)->function, (page)->name) == 0; (call)++)

#define for_each_function(function, header)                                                        \
	for ((function) = (header) + 1; (function)->name != NULL && !explain_is_header(function);  \
	     (function)++)

static void print_codes(const struct explain_page *page)
{
	const struct explain_call *call;

	if (first_code(page)->function == NULL) {
		puts("It returns no error code.");
		return;
	}
	printf("%s() returns:\n", page->name);
	for_each_code(call, page)
	{
		printf("  %s%s\n", doca_error_get_name(call->code), *call->when ? ":" : "");
		if (*call->when != '\0') {
			fputs("      ", stdout);
			text_print(6, call->when);
		}
	}
}

static void print_functions(const struct explain_page *header)
{
	const struct explain_page *function;

	puts("Functions:");
	for_each_function(function, header) printf("  %s\n", function->name);
}

void explain_page_print(const struct explain_page *page)
{
	bool is_header = explain_is_header(page);

	printf("%s%s\n\n", page->name, is_header ? "" : "()");
	text_print(0, page->brief);
	putchar('\n');
	if (is_header)
		print_functions(page);
	else
		print_codes(page);
	printf("\nMore: man 3 %s\n", page->name);
}

void explain_page_print_json(const struct explain_page *page)
{
	struct json_object *object = json_object_new_object(), *array, *code;
	const struct explain_page *function;
	const struct explain_call *call;

	json_add_text(object, "kind", explain_is_header(page) ? "header" : "function");
	json_add_text(object, "name", page->name);
	json_add_text(object, "means", page->brief);
	if (explain_is_header(page)) {
		array = json_add_array(object, "functions");
		for_each_function(function, page) json_object_array_add(
			array, json_text(function->name, strlen(function->name)));
	} else {
		array = json_add_array(object, "returns");
		for_each_code(call, page)
		{
			code = json_object_new_object();
			json_add_text(code, "error", doca_error_get_name(call->code));
			json_add_text(code, "when", call->when);
			json_object_array_add(array, code);
		}
	}
	json_print(object);
}
