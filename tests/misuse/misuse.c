/* SPDX-License-Identifier: BSD-3-Clause */
#include "misuse/misuse.h"

#include <stdio.h>
#include <string.h>

#include <doca_error.h>

const char misuse_no_line[] = "";

static unsigned int rows, broken;

void misuse_begin(void)
{
	(void)kit_log();
}

/* Of a line "[time][thread][DOCA][LVL][file:line] message". */
static const char *message_of(const char *line)
{
	const char *end = strstr(line, "] ");

	return end == NULL ? line : end + 2;
}

static bool begins_with_function(const char *message, const char *call)
{
	size_t len = strcspn(call, "(");

	return strncmp(message, call, len) == 0 && message[len] == ':';
}

/* NULL: the row holds. */
static const char *find_fault(const struct misuse *row, doca_error_t got, const char *log)
{
	const char *message = message_of(log);

	if (got != row->code)
		return doca_error_get_name(got);
	if (row->parts[0] == misuse_no_line)
		return kit_log_lines(log) == 0 ? NULL : "a line, where none belongs";
	if (kit_log_lines(log) != 1)
		return "not exactly one line";
	if (!begins_with_function(message, row->call))
		return "another beginning than the function's name";
	if (strchr(message, ';') == NULL)
		return "no part that says what is needed";
	for (size_t i = 0; i < sizeof(row->parts) / sizeof(row->parts[0]); i++)
		if (row->parts[i] != NULL && strstr(message, row->parts[i]) == NULL)
			return row->parts[i];
	return NULL;
}

void misuse_check(const struct misuse *row, doca_error_t got)
{
	const char *log = kit_log();
	const char *fault = find_fault(row, got, log);

	rows++;
	if (fault == NULL)
		return;
	broken++;
	printf("# %s:%d: %s: wanted %s; %s\n#   %s%s", row->file, row->line, row->call,
	       doca_error_get_name(row->code), fault, log, *log == '\0' ? "\n" : "");
}

void misuse_end(void)
{
	printf("# %u rows\n", rows);
	fflush(stdout);
	if (broken != 0)
		T_FAIL("%u of %u rows do not hold", broken, rows);
}
