/* SPDX-License-Identifier: BSD-3-Clause
 * The lenient JSON reader: what it accepts, where it sees mistakes, how it names wrong values.
 */
#include "base/json.h"

#include <stdio.h>
#include <unistd.h>

#include "t.h"

static struct json_object *parse(const char *text)
{
	struct json_object *root = NULL;
	struct sdpu_json_error err;

	if (sdpu_json_parse("t.json", text, strlen(text), &root, &err) != DOCA_SUCCESS)
		T_FAIL("%s", err.text);
	return root;
}

/* The text means the same as the strict text. */
static void same(const char *text, const char *strict)
{
	struct json_object *root = parse(text);

	T_STREQ(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN), strict);
	sdpu_json_free(root);
}

static void refused_n(const char *text, size_t len, unsigned int line, unsigned int column,
		      const char *message)
{
	struct json_object *root = NULL;
	struct sdpu_json_error err;

	T_ERR(sdpu_json_parse("t.json", text, len, &root, &err), DOCA_ERROR_BAD_CONFIG);
	T_CHECK(root == NULL);
	T_CONTAINS(err.text, message);
	T_EQ(err.line, line);
	T_EQ(err.column, column);
	T_CONTAINS(err.text, "t.json:");
}

static void refused(const char *text, unsigned int line, unsigned int column, const char *message)
{
	refused_n(text, strlen(text), line, column, message);
}

T_CASE(strict_json_is_accepted)
{
	same("{}", "{}");
	same(" {\"a\": [1, -2.5, true, false, null, \"x\\n\\u00e9\", {}], \"b\": {\"c\": []}}\n",
	     "{\"a\":[1,-2.5,true,false,null,\"x\\n\xc3\xa9\",{}],\"b\":{\"c\":[]}}");
}

T_CASE(comments_are_skipped)
{
	same("// first\n{ /* in */ \"a\" /* between\nlines */ : // why\n 1 /**/ }\n// last",
	     "{\"a\":1}");
	same("{\"a\":1}//", "{\"a\":1}");
	same("{\"a\":[1/*,2*/,3]}", "{\"a\":[1,3]}");
}

T_CASE(comment_marks_inside_strings_are_text)
{
	same("{\"a\":\"// no\", \"b\":\"/* no */\", \"c\":\"\\\"//\"}",
	     "{\"a\":\"\\/\\/ no\",\"b\":\"\\/* no *\\/\",\"c\":\"\\\"\\/\\/\"}");
}

T_CASE(trailing_commas_are_skipped)
{
	same("{\"a\":[1,2,],}", "{\"a\":[1,2]}");
	same("{\"a\":{\"b\":\"x\" , // last\n } /* c */ ,\n}", "{\"a\":{\"b\":\"x\"}}");
	same("{\"a\":[0x1,]}", "{\"a\":[1]}");
}

T_CASE(hexadecimal_numbers_are_numbers)
{
	same("{\"a\":0xff,\"b\":[0X10, -0x1]}", "{\"a\":255,\"b\":[16,-1]}");
	same("{\"a\":0x7fffffffffffffff}", "{\"a\":9223372036854775807}");
	same("{\"a\":0xFFFFFFFFFFFFFFFF,\"b\":0x0000000000000000000001}",
	     "{\"a\":18446744073709551615,\"b\":1}");
	same("{\"0x10\":\"0x10\"}", "{\"0x10\":\"0x10\"}");
}

T_CASE(places_are_true_behind_the_liberties)
{
	refused("{\n  // c\n  \"a\": [1,],\n  \"b\": 0xffffffffffffffff,\n  /* x\n */ \"c\" 1\n}",
		6, 9, "found '1', expected ':' after a key");
}

T_CASE(mistakes_say_place_finding_and_need)
{
	refused("", 1, 1, "found the end of the file, expected '{'");
	refused("  // nothing\n", 2, 1, "expected '{'");
	refused("[1]", 1, 1, "found '[', expected '{'");
	refused("{\"a\" 1}", 1, 6, "':' after a key");
	refused("{\"a\": 1\n\"b\": 2}", 2, 1, "',' or '}' after a value");
	refused("{\"a\": [1 2]}", 1, 10, "',' or ']' after an element");
	refused("{\"a\": }", 1, 7, "expected a value");
	refused("{a: 1}", 1, 2, "a key in double quotes");
	refused("{'a': 1}", 1, 2, "expected text, in double quotes");
	refused("{\"a\": 1}}", 1, 9, "nothing after");
	refused("{\"a\": 1} x", 1, 10, "nothing after");
	refused("{\"a\": [1}", 1, 9, "',' or ']'");
	refused("{]", 1, 2, "a key");
}

T_CASE(commas_without_a_value_are_mistakes)
{
	refused("{\"a\": [,]}", 1, 8, "a value");
	refused("{\"a\": [1,,]}", 1, 10, "a value");
	refused("{,}", 1, 2, "a key");
}

T_CASE(missing_brackets_are_named_with_their_partner)
{
	refused("{\n \"a\": {\n\n", 4, 1, "'}' to close the '{' of line 2, column 7");
	refused("{\"a\": [1", 1, 9, "']' to close the '[' of line 1, column 7");
	refused("{", 1, 2, "'}' to close the '{' of line 1, column 1");
}

T_CASE(open_ended_tokens_are_mistakes)
{
	refused("{\"a\": \"x", 1, 7, "a closing '\"'");
	refused("{\"a\": \"x\\", 1, 7, "a closing '\"'");
	refused("{\"a\": \"x\n\"}", 1, 9, "found the end of the line, expected the closing '\"'");
	refused("{\"a\": 1, /* no end }", 1, 10, "closed by */");
	refused("{\"a\": 1 /", 1, 9, "',' or '}'");
}

T_CASE(bad_numbers_are_mistakes)
{
	refused("{\"a\": 0x}", 1, 9, "a hexadecimal digit");
	refused("{\"a\": 0x1g}", 1, 10, "a hexadecimal digit");
	refused("{\"a\": 0x1.5}", 1, 10, "a hexadecimal digit");
	refused("{\"a\": 0x11112222333344445}", 1, 7, "at most 64 bits");
	refused("{\"a\": 1x0}", 1, 8, "a number");
	refused("{\"a\": +1}", 1, 7, "a value");
	refused("{\"a\": 1.2.3}", 1, 10, "");
}

T_CASE(bytes_that_are_no_text_are_mistakes)
{
	refused_n("{\"a\": \0 1}", 10, 1, 7, "found byte 0x00");
	refused("{\"a\": \"\x01\"}", 1, 8, "found byte 0x01");
	refused("{\"a\": \"\\q\"}", 1, 9, "escapes");
	refused("{\"a\": \"\xff\"}", 1, 8, "UTF-8");
}

T_CASE(depth_is_bounded)
{
	char text[4 * SDPU_JSON_MAX_DEPTH + 16] = "{\"a\":";
	char *end = text + strlen(text);

	memset(end, '[', SDPU_JSON_MAX_DEPTH - 1);
	memset(end + SDPU_JSON_MAX_DEPTH - 1, ']', SDPU_JSON_MAX_DEPTH - 1);
	strcpy(end + 2 * (SDPU_JSON_MAX_DEPTH - 1), "}");
	sdpu_json_free(parse(text));

	memset(end, '[', SDPU_JSON_MAX_DEPTH);
	refused(text, 1, 5 + SDPU_JSON_MAX_DEPTH, "at most 32 levels");
}

T_CASE(size_is_bounded)
{
	char *text = malloc(SDPU_JSON_MAX_SIZE + 1);
	struct json_object *root;
	struct sdpu_json_error err;

	memset(text, ' ', SDPU_JSON_MAX_SIZE + 1);
	memcpy(text, "{}", 2);
	T_OK(sdpu_json_parse("big", text, SDPU_JSON_MAX_SIZE, &root, &err));
	sdpu_json_free(root);
	T_ERR(sdpu_json_parse("big", text, SDPU_JSON_MAX_SIZE + 1, &root, &err),
	      DOCA_ERROR_TOO_BIG);
	T_CONTAINS(err.text, "big: more than 16777216 bytes");
	free(text);
}

/* Loads a file of that text and so many blanks. */
static doca_error_t load(const char *text, size_t blanks, struct json_object **root,
			 struct sdpu_json_error *err)
{
	char name[4096];
	doca_error_t result;
	FILE *f;

	snprintf(name, sizeof(name), "%s/x.json", getenv("SOFTDPU_RUNTIME_DIR"));
	f = fopen(name, "w");
	T_CHECK(f != NULL);
	fprintf(f, "%s%*s", text, (int)blanks, "");
	fclose(f);
	result = sdpu_json_load(name, root, err);
	unlink(name);
	return result;
}

T_CASE(files_are_loaded)
{
	const size_t blanks[] = {0, 4096 - 17, 4096, 10000};
	struct json_object *root;
	struct sdpu_json_error err;

	for (size_t i = 0; i < SDPU_ARRAY_SIZE(blanks); i++) {
		T_OK(load("{\"a\": 0x2, // c\n}\n", blanks[i], &root, &err));
		T_STREQ(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN), "{\"a\":2}");
		sdpu_json_free(root);
	}
	T_ERR(load("{}", SDPU_JSON_MAX_SIZE, &root, &err), DOCA_ERROR_TOO_BIG);
	T_ERR(load("", 0, &root, &err), DOCA_ERROR_BAD_CONFIG);
}

T_CASE(files_that_cannot_be_read)
{
	struct json_object *root = NULL;
	struct sdpu_json_error err;

	T_ERR(sdpu_json_load("/nowhere/at/all.json", &root, &err), DOCA_ERROR_IO_FAILED);
	T_CONTAINS(err.text, "/nowhere/at/all.json: cannot be read: No such file");
	T_ERR(sdpu_json_load("/tmp", &root, &err), DOCA_ERROR_IO_FAILED);
	T_CONTAINS(err.text, "Is a directory");
	T_CHECK(root == NULL);
}

static struct sdpu_json_error value_err;

#define REFUSED(expr, message)                                                                     \
	do {                                                                                       \
		T_ERR(expr, DOCA_ERROR_BAD_CONFIG);                                                \
		T_STREQ(value_err.text, message);                                                  \
	} while (0)

T_CASE(typed_values_are_read)
{
	struct json_object *tree = parse("{\"s\":\"x\",\"i\":-0x10,\"b\":true,\"d\":[1.5, 2]}");
	struct sdpu_json root = sdpu_json_root(tree, "f"), at, element;
	const char *text;
	int64_t number;
	bool flag;
	double real;

	T_CHECK(sdpu_json_member(&root, "s", &at));
	T_OK(sdpu_json_get_string(&at, &text, &value_err));
	T_STREQ(text, "x");
	T_CHECK(sdpu_json_member(&root, "i", &at));
	T_OK(sdpu_json_get_int(&at, -16, -16, &number, &value_err));
	T_EQ(number, -16);
	T_CHECK(sdpu_json_member(&root, "b", &at));
	T_OK(sdpu_json_get_bool(&at, &flag, &value_err));
	T_CHECK(flag);
	T_CHECK(sdpu_json_member(&root, "d", &at));
	T_OK(sdpu_json_need_array(&at, &value_err));
	T_EQ(sdpu_json_length(&at), 2);
	element = sdpu_json_element(&at, 0);
	T_OK(sdpu_json_get_double(&element, &real, &value_err));
	T_CHECK(real == 1.5);
	element = sdpu_json_element(&at, 1);
	T_OK(sdpu_json_get_double(&element, &real, &value_err));
	T_CHECK(real == 2);
	T_CHECK(!sdpu_json_member(&root, "none", &at));
	sdpu_json_free(tree);
}

T_CASE(wrong_values_are_named_by_path)
{
	struct json_object *tree = parse("{\"flags\":{\"cpu\":[1,\"x\"],\"o\":{}}}");
	struct sdpu_json root = sdpu_json_root(tree, "f.json"), flags, cpu, second, o;
	const char *text;
	int64_t number = 77;
	bool flag;
	double real;

	T_CHECK(sdpu_json_member(&root, "flags", &flags));
	T_CHECK(sdpu_json_member(&flags, "cpu", &cpu));
	T_CHECK(sdpu_json_member(&flags, "o", &o));
	second = sdpu_json_element(&cpu, 1);
	REFUSED(sdpu_json_get_int(&second, 0, 7, &number, &value_err),
		"f.json: flags.cpu[1] is \"x\"; needed: a whole number from 0 to 7");
	T_EQ(number, 77);
	REFUSED(sdpu_json_get_bool(&second, &flag, &value_err),
		"f.json: flags.cpu[1] is \"x\"; needed: true or false");
	REFUSED(sdpu_json_get_double(&second, &real, &value_err),
		"f.json: flags.cpu[1] is \"x\"; needed: a number");
	REFUSED(sdpu_json_need_object(&second, &value_err),
		"f.json: flags.cpu[1] is \"x\"; needed: an object { ... }");
	REFUSED(sdpu_json_get_string(&cpu, &text, &value_err),
		"f.json: flags.cpu is an array; needed: text in double quotes");
	REFUSED(sdpu_json_need_array(&o, &value_err),
		"f.json: flags.o is an object; needed: an array [ ... ]");
	sdpu_json_free(tree);
}

T_CASE(numbers_out_of_range_are_refused)
{
	struct json_object *tree = parse(
		"{\"big\":0xffffffffffffffff,\"seven\":7,\"huge\":99999999999999999999,\"d\":1.5}");
	struct sdpu_json root = sdpu_json_root(tree, "f"), at;
	const char *const names[] = {"big", "seven", "huge", "d"};
	int64_t number;

	for (size_t i = 0; i < SDPU_ARRAY_SIZE(names); i++) {
		int64_t min = strcmp(names[i], "seven") == 0 ? 8 : INT64_MIN;

		T_CHECK(sdpu_json_member(&root, names[i], &at));
		T_ERR(sdpu_json_get_int(&at, min, INT64_MAX, &number, &value_err),
		      DOCA_ERROR_BAD_CONFIG);
	}
	sdpu_json_free(tree);
}

T_CASE(special_values_are_refused)
{
	struct json_object *tree = parse("{\"nul\":\"a\\u0000b\",\"inf\":1e999}");
	struct sdpu_json root = sdpu_json_root(tree, "f"), at;
	const char *text;
	double real;

	T_CHECK(sdpu_json_member(&root, "nul", &at));
	T_ERR(sdpu_json_get_string(&at, &text, &value_err), DOCA_ERROR_BAD_CONFIG);
	T_CONTAINS(value_err.text, "without \\u0000");
	T_CHECK(sdpu_json_member(&root, "inf", &at));
	T_ERR(sdpu_json_get_double(&at, &real, &value_err), DOCA_ERROR_BAD_CONFIG);
	sdpu_json_free(tree);
}

T_CASE(unknown_keys_are_refused)
{
	static const char *const known[] = {"one", "two"};
	struct json_object *tree = parse("{\"sect\":{\"one\":1,\"tow\":2}}");
	struct sdpu_json root = sdpu_json_root(tree, "f"), sect;

	T_CHECK(sdpu_json_member(&root, "sect", &sect));
	REFUSED(sdpu_json_need_keys(&sect, known, 2, &value_err),
		"f: sect.tow is unknown; known here: one, two");
	REFUSED(sdpu_json_need_keys(&root, known, 2, &value_err),
		"f: sect is unknown; known here: one, two");
	sdpu_json_free(tree);
}

T_CASE(long_paths_and_values_are_cut_to_fit)
{
	char key[2000], text[6100];
	struct json_object *tree;
	struct sdpu_json root, at;
	int64_t number;

	memset(key, 'k', sizeof(key) - 1);
	key[sizeof(key) - 1] = '\0';
	snprintf(text, sizeof(text), "{\"%s\":\"%s\"}", key, key);
	tree = parse(text);
	root = sdpu_json_root(tree, "f");
	T_CHECK(sdpu_json_member(&root, key, &at));
	T_ERR(sdpu_json_get_int(&at, 0, 1, &number, &value_err), DOCA_ERROR_BAD_CONFIG);
	T_CONTAINS(value_err.text, "needed: a whole number from 0 to 1");
	sdpu_json_path(&at, text, 4);
	T_STREQ(text, "f: ");
	sdpu_json_free(tree);
}
