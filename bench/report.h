/* SPDX-License-Identifier: BSD-3-Clause */
/* What came out: a table for people, a JSON array for programs. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bars.h"

#include <stdio.h>

struct bench_result {
	const struct bench_row *row;
	enum bench_status status;
	double value;
	double limit;
	double ratio; /* value / limit; 0 when there is no limit */
	double low;   /* of the repetitions of value */
	double high;
	double issue;		     /* additions a second of a core, while the row was measured */
	const struct bench_bar *bar; /* NULL: the row has none */
	char why[200];		     /* unless BENCH_OK */
};

void report_table_head(FILE *out);
void report_table_row(FILE *out, const struct bench_result *result);
/* Rows that could not be measured have null for value and ratio.  false: errno says why. */
bool report_json(const char *path, const struct bench_result *results, size_t count);
/* One line, overwritten in place; only when stderr is a terminal. */
void report_progress(const char *name, int repetition, int repetitions);
void report_progress_clear(void);

#endif
