/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json-c's tokener in its strict mode does the parsing. A scan before it knows only what is needed
 * for the extensions: strings, comments, commas, hexadecimal numbers and brackets. It feeds the
 * tokener the text between extensions, piece by piece, so that an offset within a piece is an
 * offset in the file and line and column come out true.
 */
#include "base/json.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct scan {
	const char *name;
	const char *text;
	size_t len;
	size_t pos;   /* next byte to look at */
	size_t piece; /* start of what the tokener has not had yet; piece <= pos */
	char last;    /* last byte that is neither blank nor comment; 0 at the start */
	unsigned int depth;
	size_t open[SDPU_JSON_MAX_DEPTH]; /* where the brackets stand that are still open */
	struct json_tokener *tok;
	struct json_object *root; /* set by the tokener with the last closing bracket */
	struct sdpu_json_error *err;
};

/* Counted for each message, as there is at most one. */
static void place_find(const struct scan *s, size_t at, unsigned int *line, unsigned int *column)
{
	*line = 1;
	*column = 1;
	for (size_t i = 0; i < at; i++) {
		*column += 1;
		if (s->text[i] == '\n') {
			*line += 1;
			*column = 1;
		}
	}
}

/* What stands at an offset, for messages. */
static void found_describe(const struct scan *s, size_t at, char *text, size_t size)
{
	unsigned char c = at < s->len ? (unsigned char)s->text[at] : 0;

	if (at >= s->len)
		snprintf(text, size, "the end of the file");
	else if (c == '\n' || c == '\r')
		snprintf(text, size, "the end of the line");
	else if (isprint(c))
		snprintf(text, size, "'%c'", c);
	else
		snprintf(text, size, "byte 0x%02x", c);
}

static doca_error_t scan_refuse(struct scan *s, size_t at, const char *expected)
{
	struct sdpu_json_error *err = s->err;
	char found[32];

	place_find(s, at, &err->line, &err->column);
	found_describe(s, at, found, sizeof(found));
	snprintf(err->text, sizeof(err->text), "%s:%u:%u: found %s, expected %s", s->name,
		 err->line, err->column, found, expected);
	return DOCA_ERROR_BAD_CONFIG;
}

/* The tokener says what it could not use; we say what would have been right. */
static const char *tokener_expected(enum json_tokener_error code)
{
	switch (code) {
	case json_tokener_error_parse_null:
	case json_tokener_error_parse_boolean:
	case json_tokener_error_parse_unexpected:
		return "a value: \"text\", a number, true, false, null, { or [";
	case json_tokener_error_parse_number:
		return "a number";
	case json_tokener_error_parse_array:
		return "',' or ']' after an element";
	case json_tokener_error_parse_object_key_name:
		return "a key in double quotes, or '}'";
	case json_tokener_error_parse_object_key_sep:
		return "':' after a key";
	case json_tokener_error_parse_object_value_sep:
		return "',' or '}' after a value";
	case json_tokener_error_parse_string:
		return "a character that may stand in a string (\\\" \\\\ \\/ \\b \\f \\n \\r \\t "
		       "\\uXXXX are the escapes)";
	case json_tokener_error_parse_utf8_string:
		return "a string in UTF-8";
	default:
		return json_tokener_error_desc(code);
	}
}

/* Gives the tokener `len` bytes that stand for the text at offset `at`. */
static doca_error_t tokener_feed(struct scan *s, const char *bytes, size_t len, size_t at)
{
	enum json_tokener_error code;
	size_t offset;

	if (len == 0 || s->root)
		return DOCA_SUCCESS;
	s->root = json_tokener_parse_ex(s->tok, bytes, (int)len);
	code = json_tokener_get_error(s->tok);
	if (code == json_tokener_success || code == json_tokener_continue)
		return DOCA_SUCCESS;
	/* bytes that are not of the text itself, a converted number, count as one place */
	offset = bytes == s->text + at ? json_tokener_get_parse_end(s->tok) : 0;
	return scan_refuse(s, at + offset, tokener_expected(code));
}

/* Everything up to pos goes to the tokener; the next piece starts at `next`. */
static doca_error_t piece_end(struct scan *s, size_t next)
{
	size_t start = s->piece, end = s->pos;

	s->piece = next;
	s->pos = next;
	return tokener_feed(s, s->text + start, end - start, start);
}

/* A backslash hides one byte; which escapes there are is the tokener's business. */
static doca_error_t string_skip(struct scan *s)
{
	size_t start = s->pos++;

	while (s->pos < s->len && s->text[s->pos] != '"') {
		if ((unsigned char)s->text[s->pos] < ' ')
			return scan_refuse(s, s->pos,
					   "the closing '\"' of the string on this line");
		s->pos += s->text[s->pos] == '\\' ? 2 : 1;
	}
	if (s->pos >= s->len)
		return scan_refuse(s, start, "a string that has a closing '\"'");
	s->pos++;
	s->last = '"';
	return DOCA_SUCCESS;
}

static bool comment_starts(const struct scan *s, size_t at)
{
	return at + 1 < s->len && s->text[at] == '/' &&
	       (s->text[at + 1] == '/' || s->text[at + 1] == '*');
}

/* Offset behind the comment that starts at `at` (its line's end, its star-slash); 0: never closed.
 */
static size_t comment_end(const struct scan *s, size_t at)
{
	const char *body = s->text + at + 2;
	size_t left = s->len - at - 2;
	const char *end;

	if (s->text[at + 1] == '/') {
		end = memchr(body, '\n', left);
		return end ? (size_t)(end - s->text) : s->len;
	}
	end = memmem(body, left, "*/", 2);
	return end ? (size_t)(end - s->text) + 2 : 0;
}

static doca_error_t comment_skip(struct scan *s)
{
	size_t end = comment_end(s, s->pos);

	if (end == 0)
		return scan_refuse(s, s->pos, "a comment that is closed by */");
	return piece_end(s, end);
}

/* Next byte from `at` on that is neither blank nor comment; 0 at the end. */
static char significant_next(const struct scan *s, size_t at)
{
	while (at < s->len) {
		if (comment_starts(s, at)) {
			at = comment_end(s, at);
			if (at == 0)
				return 0;
		} else if (isspace((unsigned char)s->text[at])) {
			at++;
		} else {
			return s->text[at];
		}
	}
	return 0;
}

/* A comma between a value and a closing bracket is left out. */
static doca_error_t comma_take(struct scan *s)
{
	char next = significant_next(s, s->pos + 1);
	bool after_value = s->last != 0 && !strchr("[{,:", s->last);

	s->last = ',';
	if (after_value && (next == ']' || next == '}'))
		return piece_end(s, s->pos + 1);
	s->pos++;
	return DOCA_SUCCESS;
}

static bool hex_starts(const struct scan *s)
{
	return s->pos + 1 < s->len && s->text[s->pos] == '0' && (s->text[s->pos + 1] | 32) == 'x' &&
	       !isalnum((unsigned char)s->last) && s->last != '.';
}

/* The tokener knows decimal numbers only. A sign, if any, it has had before. */
static doca_error_t hex_convert(struct scan *s)
{
	size_t start = s->pos, at = start + 2;
	uint64_t value = 0;
	char decimal[24];
	doca_error_t result;

	for (; at < s->len && isxdigit((unsigned char)s->text[at]); at++) {
		int c = tolower((unsigned char)s->text[at]);

		if (value >> 60)
			return scan_refuse(s, start, "a hexadecimal number of at most 64 bits");
		value = value << 4 | (uint64_t)(isdigit(c) ? c - '0' : c - 'a' + 10);
	}
	if (at == start + 2 ||
	    (at < s->len && (isalnum((unsigned char)s->text[at]) || s->text[at] == '.')))
		return scan_refuse(s, at, "a hexadecimal digit");
	result = piece_end(s, at);
	if (result != DOCA_SUCCESS)
		return result;
	s->last = '0';
	snprintf(decimal, sizeof(decimal), "%llu", (unsigned long long)value);
	return tokener_feed(s, decimal, strlen(decimal), start);
}

/* The tokener bounds depth as well, but cannot say where each bracket was opened. */
static doca_error_t bracket_open(struct scan *s)
{
	if (s->depth == SDPU_JSON_MAX_DEPTH)
		return scan_refuse(s, s->pos, "at most 32 levels of brackets");
	s->open[s->depth++] = s->pos;
	s->last = s->text[s->pos++];
	return DOCA_SUCCESS;
}

/* The tokener checks that it closes the right kind. */
static doca_error_t bracket_close(struct scan *s)
{
	s->last = s->text[s->pos++];
	if (s->depth > 0)
		s->depth--;
	return s->depth > 0 ? DOCA_SUCCESS : piece_end(s, s->pos);
}

/* One token, or one byte of a number or a word, which the tokener judges. */
static doca_error_t scan_step(struct scan *s)
{
	unsigned char c = (unsigned char)s->text[s->pos];

	if (comment_starts(s, s->pos))
		return comment_skip(s);
	if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
		s->pos++;
		return DOCA_SUCCESS;
	}
	if (s->root)
		return scan_refuse(s, s->pos, "nothing after the closing '}' of the file");
	if (!s->last && c != '{')
		return scan_refuse(s, s->pos, "'{': the file is one object");
	if (c == '"')
		return string_skip(s);
	if (c == ',')
		return comma_take(s);
	if (c == '{' || c == '[')
		return bracket_open(s);
	if (c == '}' || c == ']')
		return bracket_close(s);
	if (hex_starts(s))
		return hex_convert(s);
	if (c == 0 || c == '\'')
		return scan_refuse(s, s->pos, "text, in double quotes if it is a key or a string");
	s->last = (char)c;
	s->pos++;
	return DOCA_SUCCESS;
}

/* The text is used up: it was an object, or we say which bracket is missing. */
static doca_error_t scan_finish(struct scan *s)
{
	unsigned int line, column;
	char expected[96];
	doca_error_t result;

	if (s->root)
		return DOCA_SUCCESS;
	if (!s->last)
		return scan_refuse(s, s->len, "'{': the file is one object");
	result = piece_end(s, s->len);
	if (result != DOCA_SUCCESS)
		return result;
	place_find(s, s->open[s->depth - 1], &line, &column);
	snprintf(expected, sizeof(expected), "'%c' to close the '%c' of line %u, column %u",
		 s->text[s->open[s->depth - 1]] == '{' ? '}' : ']', s->text[s->open[s->depth - 1]],
		 line, column);
	return scan_refuse(s, s->len, expected);
}

doca_error_t sdpu_json_parse(const char *name, const char *text, size_t len,
			     struct json_object **root, struct sdpu_json_error *err)
{
	struct scan s = {.name = name, .text = text, .len = len, .err = err};
	doca_error_t result = DOCA_SUCCESS;

	*err = (struct sdpu_json_error){0};
	if (len > SDPU_JSON_MAX_SIZE) {
		snprintf(err->text, sizeof(err->text), "%s: more than %zu bytes", name,
			 SDPU_JSON_MAX_SIZE);
		return DOCA_ERROR_TOO_BIG;
	}
	s.tok = json_tokener_new_ex(SDPU_JSON_MAX_DEPTH + 1);
	if (!s.tok) {
		snprintf(err->text, sizeof(err->text), "%s: out of memory", name);
		return DOCA_ERROR_NO_MEMORY;
	}
	json_tokener_set_flags(s.tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	while (result == DOCA_SUCCESS && s.pos < s.len)
		result = scan_step(&s);
	if (result == DOCA_SUCCESS)
		result = scan_finish(&s);
	json_tokener_free(s.tok);
	if (result == DOCA_SUCCESS)
		*root = s.root;
	else
		sdpu_json_free(s.root);
	return result;
}

void sdpu_json_free(struct json_object *root)
{
	json_object_put(root);
}
