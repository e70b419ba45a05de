/* SPDX-License-Identifier: BSD-3-Clause */
/* softdpu_bench: runs the rows, prints the table, writes the JSON file. */
#include "limits.h"
#include "report.h"
#include "rows.h"
#include "scratch.h"

#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define MAX_REPETITIONS 31
#define MAX_ROWS 128

struct plan {
	const char *json;
	char **filters; /* none: every row */
	int num_filters;
	int repetitions;
	uint64_t duration;
	bool list; /* names only, nothing is measured */
};

static const struct plan thorough = {.repetitions = 7, .duration = 150000000};
static const struct plan quick = {.repetitions = 5, .duration = 20000000};

static const struct bench_row *const tables[] = {
	rows_machine,	    rows_comch_rtt,    rows_comch_rate,	 rows_comch_bw,	    rows_ctrl_rtt,
	rows_comch_idle,    rows_comch_beside, rows_comch_wake,	 rows_comch_faults, rows_window,
	rows_rdma_send_rtt, rows_rdma_access,  rows_rdma_atomic, rows_dma_copy,	    rows_msgq,
	rows_two_hops,	    rows_storage,      rows_pe_idle,
};

/* Values of one kernel, one per repetition. */
struct samples {
	double value[MAX_REPETITIONS];
	size_t count;
};

static enum bench_status take_sample(const struct bench_row *row, const struct bench_kernel *kernel,
				     uint64_t duration, struct samples *samples)
{
	double value;
	enum bench_status status;

	if (kernel->num_sides == 0)
		return BENCH_OK;
	status = bench_run(kernel, duration, &value);
	if (status == BENCH_OK)
		samples->value[samples->count++] = value / row->scale;
	return status;
}

/* The better of the limits' medians; 0 when there is none. */
static double best_limit(const struct bench_row *row, struct samples *limits)
{
	double best = 0, median;

	for (int i = 0; i < BENCH_LIMITS; i++) {
		if (limits[i].count == 0)
			continue;
		median = bench_median(limits[i].value, limits[i].count);
		if (best == 0 || (bench_less_is_better(row->unit) ? median < best : median > best))
			best = median;
	}
	return best;
}

static void note_failure(struct bench_result *result, enum bench_status status)
{
	if (result->status == BENCH_FAILED)
		return;
	result->status = status;
	snprintf(result->why, sizeof(result->why), "%s", bench_why());
}

/* One round: ours, then each limit; what failed once is not tried again. */
static void run_round(const struct plan *plan, struct bench_result *result, struct samples *ours,
		      struct samples *limits)
{
	const struct bench_row *row = result->row;
	enum bench_status status;

	if (result->status == BENCH_OK) {
		status = take_sample(row, &row->ours, plan->duration, ours);
		if (status != BENCH_OK)
			note_failure(result, status);
	}
	for (int i = 0; i < BENCH_LIMITS; i++) {
		status = take_sample(row, &row->limit[i], plan->duration, &limits[i]);
		if (status == BENCH_FAILED)
			note_failure(result, status);
	}
}

static void conclude(struct bench_result *result, struct samples *ours, struct samples *limits)
{
	const bool has_limit = result->row->limit[0].num_sides > 0;

	result->limit = best_limit(result->row, limits);
	if (result->row->ours.num_sides == 0)
		*ours = limits[0];
	if (result->status != BENCH_OK)
		return;
	if (ours->count == 0 || (has_limit && result->limit == 0)) {
		result->status = BENCH_UNABLE;
		snprintf(result->why, sizeof(result->why), "%s", bench_why());
		return;
	}
	result->value = bench_median(ours->value, ours->count);
	result->low = ours->value[0];
	result->high = ours->value[ours->count - 1];
	result->ratio = has_limit ? result->value / result->limit : 0;
}

static void measure(const struct plan *plan, const struct bench_row *row,
		    struct bench_result *result)
{
	struct samples ours = {0};
	struct samples limits[BENCH_LIMITS] = {0};
	const double before = limit_issue_rate();

	*result = (struct bench_result){
		.row = row, .status = BENCH_OK, .bar = bench_bar_of(row->name)};
	for (int i = 0; i < plan->repetitions; i++) {
		report_progress(row->name, i + 1, plan->repetitions);
		run_round(plan, result, &ours, limits);
	}
	conclude(result, &ours, limits);
	result->issue = (before + limit_issue_rate()) / 2;
	report_progress_clear();
}

static bool wanted(const struct plan *plan, const char *name)
{
	for (int i = 0; i < plan->num_filters; i++) {
		if (fnmatch(plan->filters[i], name, 0) == 0 ||
		    strncmp(plan->filters[i], name, strlen(plan->filters[i])) == 0)
			return true;
	}
	return plan->num_filters == 0;
}

/* The next row that the plan wants after *row of *table; false: that was the last. */
static bool next_row(const struct plan *plan, size_t *table, const struct bench_row **row)
{
	for (;;) {
		*row = *row == NULL ? tables[*table] : *row + 1;
		while ((*row)->name == NULL) {
			if (++*table == sizeof(tables) / sizeof(tables[0]))
				return false;
			*row = tables[*table];
		}
		if (wanted(plan, (*row)->name))
			return true;
	}
}

static size_t measure_all(const struct plan *plan, struct bench_result *results)
{
	const struct bench_row *row = NULL;
	size_t count = 0, table = 0;

	report_table_head(stdout);
	while (count < MAX_ROWS && next_row(plan, &table, &row)) {
		measure(plan, row, &results[count]);
		report_table_row(stdout, &results[count++]);
	}
	return count;
}

static int list_rows(const struct plan *plan)
{
	const struct bench_row *row = NULL;
	size_t table = 0;

	while (next_row(plan, &table, &row))
		puts(row->name);
	return 0;
}

static void usage(FILE *out)
{
	fputs("Usage: softdpu_bench [--quick] [--repetitions N] [--json FILE] [--list] [ROW...]\n"
	      "Measures each row and the machine's own limit beside it, alternating; prints "
	      "medians.\n"
	      "ROW: the beginning of a name (comch.rtt) or a pattern ('*.64B'); none: every row.\n"
	      "  -q, --quick          short measurements, for a look\n"
	      "  -n, --repetitions N  of each measurement (7; with --quick 5)\n"
	      "  -l, --list           print the names of the rows and measure nothing\n"
	      "  -j, --json FILE      also write each row there, with its bar and whether it is "
	      "met\n"
	      "Exit status: 0; 1 when a row failed; 2 when it was called wrongly or no row "
	      "matched.\n",
	      out);
}

static bool parse_repetitions(const char *text, int *repetitions)
{
	char *end;
	long number = strtol(text, &end, 10);

	if (*text == '\0' || *end != '\0' || number < 1 || number > MAX_REPETITIONS) {
		fprintf(stderr, "--repetitions: %s is not a number from 1 to %d\n", text,
			MAX_REPETITIONS);
		return false;
	}
	*repetitions = (int)number;
	return true;
}

/* Exit status when the program shall end now, else -1. */
static int parse(int argc, char **argv, struct plan *plan)
{
	static const struct option options[] = {
		{"quick", no_argument, NULL, 'q'},
		{"repetitions", required_argument, NULL, 'n'},
		{"json", required_argument, NULL, 'j'},
		{"list", no_argument, NULL, 'l'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	int option, repetitions = 0;

	*plan = thorough;
	while ((option = getopt_long(argc, argv, "qn:j:lh", options, NULL)) != -1) {
		if (option == 'q') {
			plan->duration = quick.duration;
			plan->repetitions = quick.repetitions;
		} else if (option == 'j') {
			plan->json = optarg;
		} else if (option == 'l') {
			plan->list = true;
		} else if (option == 'h') {
			usage(stdout);
			return 0;
		} else if (option != 'n' || !parse_repetitions(optarg, &repetitions)) {
			usage(stderr);
			return 2;
		}
	}
	if (repetitions > 0)
		plan->repetitions = repetitions;
	plan->filters = argv + optind;
	plan->num_filters = argc - optind;
	return -1;
}

static int run(void *arg)
{
	const struct plan *const plan = arg;
	static struct bench_result results[MAX_ROWS];
	size_t count = measure_all(plan, results);
	int status = 0;

	if (count == 0) {
		fputs("no row has a name like that\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < count; i++) {
		if (results[i].status == BENCH_FAILED)
			status = 1;
	}
	if (plan->json != NULL && !report_json(plan->json, results, count)) {
		fprintf(stderr, "%s: %s\n", plan->json, strerror(errno));
		status = 1;
	}
	return status;
}

int main(int argc, char **argv)
{
	struct plan plan;
	int status = parse(argc, argv, &plan);

	if (status >= 0)
		return status;
	if (plan.list)
		return list_rows(&plan);
	bench_init();
	return scratch_run(run, &plan);
}
