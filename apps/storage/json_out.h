/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writer of one flat JSON object, for --stats-json. The file is opened when the program starts,
 * so that a path that cannot be written is refused before the run, and is written at its end.
 */
#ifndef STORAGE_JSON_OUT_H
#define STORAGE_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_out {
	FILE *file; /* NULL: nobody asked, and all calls do nothing */
	uint32_t members;
};

/* Opens path, unless it is empty. False, with errno, when that fails. */
bool json_out_open(struct json_out *json, const char *path);

void json_out_text(struct json_out *json, const char *key, const char *value);
void json_out_integer(struct json_out *json, const char *key, uint64_t value);
void json_out_number(struct json_out *json, const char *key, double value);

/* Ends the object and closes the file. False when something was not written. */
bool json_out_close(struct json_out *json);

#endif
