/* SPDX-License-Identifier: BSD-3-Clause */
/* Output only: knows rows and results, measures nothing. */
#include "report.h"

#include <string.h>
#include <unistd.h>

#define TABLE_FORMAT "%-30s %10s %10s %8s   %-15s %-5s %5s  %s\n"

void report_table_head(FILE *out)
{
	fprintf(out, TABLE_FORMAT, "row", "value", "limit", "ratio", "bar", "unit", "issue",
		"low .. high");
}

static bool is_known(const struct bench_result *result)
{
	return result->status == BENCH_OK;
}

static bool is_met(const struct bench_result *result)
{
	return bench_bar_met(result->bar, result->row->unit, result->value, result->limit);
}

void report_table_row(FILE *out, const struct bench_result *result)
{
	const struct bench_row *row = result->row;
	char value[32] = "-", limit[32] = "-", ratio[32] = "-", bar[32] = "", range[64] = "",
	     issue[32];

	if (is_known(result)) {
		snprintf(value, sizeof(value), "%.4g", result->value);
		snprintf(range, sizeof(range), "%.4g .. %.4g", result->low, result->high);
		if (result->limit > 0)
			snprintf(ratio, sizeof(ratio), "%.2f", result->ratio);
	}
	if (result->bar != NULL)
		bench_bar_text(result->bar, row->unit, bar, sizeof(bar) - 2);
	if (result->bar != NULL && is_known(result) && !is_met(result))
		strcat(bar, " !");
	if (result->limit > 0)
		snprintf(limit, sizeof(limit), "%.4g", result->limit);
	snprintf(issue, sizeof(issue), "%.1f", result->issue / 1e9);
	fprintf(out, TABLE_FORMAT, row->name, value, limit, ratio, bar, row->unit, issue,
		is_known(result) ? range : result->why);
	fflush(out);
}

static void print_number(FILE *out, const char *key, bool known, double number)
{
	if (known)
		fprintf(out, ", \"%s\": %.6g", key, number);
	else
		fprintf(out, ", \"%s\": null", key);
}

static void print_bar(FILE *out, const struct bench_result *result)
{
	char text[32];

	if (result->bar == NULL) {
		fputs(", \"bar\": null, \"met\": null", out);
		return;
	}
	bench_bar_text(result->bar, result->row->unit, text, sizeof(text));
	fprintf(out, ", \"bar\": \"%s\", \"met\": %s", text,
		!is_known(result) ? "null"
		: is_met(result)  ? "true"
				  : "false");
}

static void print_object(FILE *out, const struct bench_result *result)
{
	const bool known = is_known(result);

	fprintf(out, "  {\"name\": \"%s\"", result->row->name);
	print_number(out, "value", known, result->value);
	fprintf(out, ", \"unit\": \"%s\"", result->row->unit);
	print_number(out, "limit", result->limit > 0, result->limit);
	print_number(out, "ratio", known && result->limit > 0, result->ratio);
	print_bar(out, result);
	print_number(out, "issue", true, result->issue / 1e9);
	fputc('}', out);
}

bool report_json(const char *path, const struct bench_result *results, size_t count)
{
	FILE *out = fopen(path, "w");
	bool failed;

	if (out == NULL)
		return false;
	fputs("[\n", out);
	for (size_t i = 0; i < count; i++) {
		print_object(out, &results[i]);
		fputs(i + 1 < count ? ",\n" : "\n", out);
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
