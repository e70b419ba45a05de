/* SPDX-License-Identifier: BSD-3-Clause */
/* softdpu_sweep: measures the sweeps point by point and writes a CSV file for each. */
#include "report.h"
#include "scratch.h"
#include "sweeps.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LARGE (16u << 20) /* from here on the time is LONGER */
#define LONGER 4
#define REPETITIONS 5

struct plan {
	const char *directory;
	char **names; /* none: every sweep */
	int num_names;
	uint64_t duration;
	int repetitions;
	unsigned total, done; /* points of all curves */
};

/* Of a sweep's points; 0: that curve could not be measured there. */
struct table {
	uint32_t x[SWEEP_POINTS];
	double value[SWEEP_POINTS][SWEEP_CURVES];
	unsigned num_points, num_curves;
};

static bool wanted(const struct plan *plan, const struct sweep *sweep)
{
	for (int i = 0; i < plan->num_names; i++) {
		if (strcmp(plan->names[i], sweep->name) == 0)
			return true;
	}
	return plan->num_names == 0;
}

/* Doubling from the first to the last. */
static void plan_points(const struct sweep *sweep, struct table *table)
{
	table->num_points = table->num_curves = 0;
	for (uint64_t x = sweep->from; x <= sweep->to; x *= 2)
		table->x[table->num_points++] = (uint32_t)x;
	while (sweep->curves[table->num_curves].title != NULL)
		table->num_curves++;
}

static double median_of(const struct plan *plan, const struct bench_kernel *kernel,
			uint64_t duration)
{
	double values[REPETITIONS], value;
	size_t count = 0;

	for (int i = 0; i < plan->repetitions; i++) {
		if (bench_run(kernel, duration, &value) == BENCH_OK)
			values[count++] = value;
	}
	return count > 0 ? bench_median(values, count) : 0;
}

/* 0, with a line that says why, when there is none: it failed, or nothing was done in the time. */
static double measure(const struct plan *plan, const struct sweep *sweep,
		      const struct sweep_curve *curve, uint32_t x)
{
	const bool longer = sweep->bulk && x >= LARGE;
	const uint64_t duration = longer ? LONGER * plan->duration : plan->duration;
	struct bench_kernel kernel = curve->kernel(x);
	double best = median_of(plan, &kernel, duration), other;

	if (best == 0) {
		report_progress_clear();
		fprintf(stderr, "%s, %u %s, %s: %s\n", sweep->name, x, sweep->x, curve->title,
			*bench_why() != '\0' ? bench_why() : "nothing was done in the time");
	}
	if (curve->other != NULL) {
		kernel = curve->other(x);
		other = median_of(plan, &kernel, duration);
		best = other > best ? other : best;
	}
	return best / sweep->scale;
}

static void measure_point(struct plan *plan, const struct sweep *sweep, struct table *table,
			  unsigned point)
{
	const uint32_t x = table->x[point];
	char what[64];

	snprintf(what, sizeof(what), "%s, %u %s:", sweep->name, x, sweep->x);
	for (unsigned i = 0; i < table->num_curves; i++) {
		report_progress(what, (int)++plan->done, (int)plan->total);
		table->value[point][i] = measure(plan, sweep, &sweep->curves[i], x);
	}
	report_progress_clear();
	printf("%-12s %10u", sweep->name, x);
	for (unsigned i = 0; i < table->num_curves; i++)
		printf(" %10.4g", table->value[point][i]);
	putchar('\n');
	fflush(stdout);
}

static void write_points(FILE *out, const struct sweep *sweep, const struct table *table)
{
	fputs(sweep->x, out);
	for (unsigned i = 0; i < table->num_curves; i++)
		fprintf(out, ",%s", sweep->curves[i].title);
	fputc('\n', out);
	for (unsigned point = 0; point < table->num_points; point++) {
		fprintf(out, "%u", table->x[point]);
		for (unsigned i = 0; i < table->num_curves; i++) {
			if (table->value[point][i] > 0)
				fprintf(out, ",%.5g", table->value[point][i]);
			else
				fputs(",", out);
		}
		fputc('\n', out);
	}
}

static bool write_csv(const struct plan *plan, const struct sweep *sweep, const struct table *table)
{
	char path[512];
	bool written;
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s.csv", plan->directory, sweep->name);
	out = fopen(path, "w");
	if (out != NULL)
		write_points(out, sweep, table);
	written = out != NULL && ferror(out) == 0;
	if ((out != NULL && fclose(out) != 0) || !written) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	return true;
}

static bool run_sweep(struct plan *plan, const struct sweep *sweep)
{
	struct table table;

	plan_points(sweep, &table);
	for (unsigned i = 0; i < table.num_curves; i++)
		printf("# %s %u: %s, %s\n", sweep->name, i + 1, sweep->curves[i].title,
		       sweep->scale == 1e9 ? "GB/s" : "M/s");
	for (unsigned point = 0; point < table.num_points; point++)
		measure_point(plan, sweep, &table, point);
	return write_csv(plan, sweep, &table);
}

static unsigned count_points(const struct plan *plan)
{
	struct table table;
	unsigned total = 0;

	for (const struct sweep *sweep = sweeps; sweep->name != NULL; sweep++) {
		plan_points(sweep, &table);
		if (wanted(plan, sweep))
			total += table.num_points * table.num_curves;
	}
	return total;
}

static int run(void *arg)
{
	struct plan *const plan = arg;
	int status = 0;

	plan->total = count_points(plan);
	if (plan->total == 0) {
		fputs("no sweep has that name\n", stderr);
		return 2;
	}
	for (const struct sweep *sweep = sweeps; sweep->name != NULL; sweep++) {
		if (wanted(plan, sweep) && !run_sweep(plan, sweep))
			status = 1;
	}
	return status;
}

static void usage(FILE *out)
{
	fputs("Usage: softdpu_sweep [--quick] [--output DIRECTORY] [SWEEP...]\n"
	      "Measures how rates grow, beside the machine's own limits, and writes SWEEP.csv for\n"
	      "each into the directory (default: here). All of it takes some four minutes.\n"
	      "  -q, --quick             short measurements, once each, for a look\n"
	      "  -o, --output DIRECTORY  made when it is not there\n"
	      "Exit status: 0; 1 when a file could not be written; 2 when it was called wrongly.\n"
	      "Sweeps:",
	      out);
	for (const struct sweep *sweep = sweeps; sweep->name != NULL; sweep++)
		fprintf(out, " %s", sweep->name);
	fputc('\n', out);
}

/* Exit status when the program shall end now, else -1. */
static int parse(int argc, char **argv, struct plan *plan)
{
	static const struct option options[] = {
		{"quick", no_argument, NULL, 'q'},
		{"output", required_argument, NULL, 'o'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	int option;

	*plan = (struct plan){.directory = ".", .duration = 50000000, .repetitions = REPETITIONS};
	while ((option = getopt_long(argc, argv, "qo:h", options, NULL)) != -1) {
		if (option == 'q') {
			plan->duration = 5000000;
			plan->repetitions = 1;
		} else if (option == 'o') {
			plan->directory = optarg;
		} else {
			usage(option == 'h' ? stdout : stderr);
			return option == 'h' ? 0 : 2;
		}
	}
	plan->names = argv + optind;
	plan->num_names = argc - optind;
	return -1;
}

int main(int argc, char **argv)
{
	struct plan plan;
	int status = parse(argc, argv, &plan);

	if (status >= 0)
		return status;
	if (mkdir(plan.directory, 0777) != 0 && errno != EEXIST) {
		fprintf(stderr, "%s: %s\n", plan.directory, strerror(errno));
		return 1;
	}
	bench_init();
	return scratch_run(run, &plan);
}
