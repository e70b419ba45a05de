/* SPDX-License-Identifier: BSD-3-Clause */
/* Output only: knows rows and results, measures nothing. */
#include "report.h"

#include <unistd.h>

#define TABLE_FORMAT "%-28s %10s %10s %8s   %-5s %s\n"

void report_table_head(FILE *out)
{
	fprintf(out, TABLE_FORMAT, "row", "value", "limit", "ratio", "unit", "low .. high");
}

void report_table_row(FILE *out, const struct bench_result *result)
{
	const struct bench_row *row = result->row;
	char value[32] = "-", limit[32] = "-", ratio[32] = "-", range[64] = "";

	if (result->status == BENCH_OK) {
		snprintf(value, sizeof(value), "%.4g", result->value);
		snprintf(ratio, sizeof(ratio), "%.2f", result->ratio);
		snprintf(range, sizeof(range), "%.4g .. %.4g", result->low, result->high);
	}
	if (result->limit > 0)
		snprintf(limit, sizeof(limit), "%.4g", result->limit);
	fprintf(out, TABLE_FORMAT, row->name, value, limit, ratio, row->unit,
		result->status == BENCH_OK ? range : result->why);
	fflush(out);
}

static void print_number(FILE *out, const char *key, bool known, double number)
{
	if (known)
		fprintf(out, ", \"%s\": %.6g", key, number);
	else
		fprintf(out, ", \"%s\": null", key);
}

bool report_json(const char *path, const struct bench_result *results, size_t count)
{
	FILE *out = fopen(path, "w");
	bool failed;

	if (out == NULL)
		return false;
	fputs("[\n", out);
	for (size_t i = 0; i < count; i++) {
		const struct bench_result *result = &results[i];
		bool known = result->status == BENCH_OK;

		fprintf(out, "  {\"name\": \"%s\"", result->row->name);
		print_number(out, "value", known, result->value);
		fprintf(out, ", \"unit\": \"%s\"", result->row->unit);
		print_number(out, "limit", result->limit > 0, result->limit);
		print_number(out, "ratio", known, result->ratio);
		fprintf(out, "}%s\n", i + 1 < count ? "," : "");
	}
	fputs("]\n", out);
	failed = ferror(out) != 0;
	return fclose(out) == 0 && !failed;
}

void report_progress(const char *name, int repetition, int repetitions)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K%s %d/%d", name, repetition, repetitions);
}

void report_progress_clear(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}
