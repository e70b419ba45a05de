/* SPDX-License-Identifier: BSD-3-Clause */
#include "json_out.h"

bool json_out_open(struct json_out *json, const char *path)
{
	*json = (struct json_out){0};
	if (path[0] == '\0')
		return true;
	json->file = fopen(path, "we");
	return json->file != NULL;
}

static void json_out_quoted(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(file, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(file, "\\u%04x", *text);
		else
			fputc(*text, file);
	}
	fputc('"', file);
}

static bool json_out_key(struct json_out *json, const char *key)
{
	if (json->file == NULL)
		return false;
	fputs(json->members++ == 0 ? "{\n  " : ",\n  ", json->file);
	json_out_quoted(json->file, key);
	fputs(": ", json->file);
	return true;
}

void json_out_text(struct json_out *json, const char *key, const char *value)
{
	if (json_out_key(json, key))
		json_out_quoted(json->file, value);
}

void json_out_integer(struct json_out *json, const char *key, uint64_t value)
{
	if (json_out_key(json, key))
		fprintf(json->file, "%llu", (unsigned long long)value);
}

void json_out_number(struct json_out *json, const char *key, double value)
{
	if (json_out_key(json, key))
		fprintf(json->file, "%.6f", value);
}

bool json_out_close(struct json_out *json)
{
	bool written;

	if (json->file == NULL)
		return true;
	fputs(json->members == 0 ? "{}\n" : "\n}\n", json->file);
	written = ferror(json->file) == 0;
	written = fclose(json->file) == 0 && written;
	json->file = NULL;
	return written;
}
