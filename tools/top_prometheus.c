/* SPDX-License-Identifier: BSD-3-Clause */
#include "top.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static double counter(const struct top_row *row, enum top_metric metric)
{
	return row->own.has & 1u << metric ? (double)row->own.counts[metric] : NAN;
}

static double sent(const struct top_row *row)
{
	return counter(row, TOP_SENT);
}

static double received(const struct top_row *row)
{
	return counter(row, TOP_RECEIVED);
}

static double sent_bytes(const struct top_row *row)
{
	return counter(row, TOP_SENT_BYTES);
}

static double received_bytes(const struct top_row *row)
{
	return counter(row, TOP_RECEIVED_BYTES);
}

static double again(const struct top_row *row)
{
	return counter(row, TOP_AGAIN);
}

static double rdma(const struct top_row *row)
{
	return counter(row, TOP_RDMA);
}

static double queued(const struct top_row *row)
{
	return row->own.has & 1u << TOP_QUEUED ? (double)row->own.queued : NAN;
}

static double posted(const struct top_row *row)
{
	return row->own.has & 1u << TOP_POSTED ? (double)row->own.posted : NAN;
}

static double idle(const struct top_row *row)
{
	return row->own.has & 1u << TOP_AGE ? (double)row->own.age / 1e9 : NAN;
}

static double stuck(const struct top_row *row)
{
	return row->own.has & 1u << TOP_AGE ? row->is_stuck : NAN;
}

static double asleep(const struct top_row *row)
{
	return row->own.has & 1u << TOP_AGE ? row->own.mode == TOP_MODE_SLEEPS : NAN;
}

static double answers(const struct top_row *row)
{
	return row->own.id.number == 0 ? row->own.mode < TOP_MODE_SILENT : NAN;
}

static double runs(const struct top_row *row)
{
	return row->own.state != SOFTDPU_STATE_NONE ? row->own.state == SOFTDPU_STATE_RUNNING : NAN;
}

/* One of the numbers of an object; NAN: it has none. */
static const struct series {
	const char *name, *type, *help;
	double (*value)(const struct top_row *row);
} series[] = {
	{"process_answers", "gauge",
	 "1: the process tells of itself; 0: it is stopped, or cannot be asked", answers},
	{"object_runs", "gauge", "1: it runs, or is connected; 0: it does not yet, or not any more",
	 runs},
	{"sent_messages_total", "counter", "Messages sent", sent},
	{"received_messages_total", "counter", "Messages received", received},
	{"sent_bytes_total", "counter", "Bytes sent", sent_bytes},
	{"received_bytes_total", "counter", "Bytes received", received_bytes},
	{"again_total", "counter", "Submits refused with DOCA_ERROR_AGAIN", again},
	{"rdma_tasks_total", "counter", "RDMA and DMA tasks completed, receives aside", rdma},
	{"queued", "gauge", "Tasks under way, and what waits for the engine", queued},
	{"posted_receives", "gauge", "Receives that wait for a message", posted},
	{"engine_idle_seconds", "gauge", "Time since the engine last progressed", idle},
	{"engine_stuck", "gauge", "1: not progressed for 100 ms, and work waits", stuck},
	{"engine_asleep", "gauge", "1: it waits to be woken", asleep},
};

/* ---- lines ---- */

static void print_text(const char *text, FILE *out)
{
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void print_labels(const struct top_model *model, const struct top_row *row, FILE *out)
{
	size_t process = top_model_find(model, (struct top_id){row->own.id.pid, 0});

	fputs("{process=\"", out);
	if (process != TOP_NO_ROW)
		print_text(model->rows[process].own.name, out);
	if (row->own.id.number != 0) {
		fprintf(out, "\",object=\"%lu\",kind=\"%s\",name=\"",
			(unsigned long)row->own.id.number, row->own.kind);
		print_text(row->own.name, out);
	}
	fputc('"', out);
}

static void print_head(const char *name, const char *type, const char *help, FILE *out)
{
	fprintf(out, "# HELP softdpu_%s %s.\n# TYPE softdpu_%s %s\n", name, help, name, type);
}

static void print_series(const struct top_model *model, const struct top_list *list,
			 const struct series *one, FILE *out)
{
	size_t i;

	print_head(one->name, one->type, one->help, out);
	for (i = 0; i < list->num; i++) {
		const struct top_row *row = &model->rows[list->rows[i]];
		double value = one->value(row);

		if (row->is_gone || isnan(value))
			continue;
		fprintf(out, "softdpu_%s", one->name);
		print_labels(model, row, out);
		fprintf(out, "} %.15g\n", value);
	}
}

/* ---- the histogram of an object; its sum is not known better than its buckets ---- */

#define LATENCY "task_latency_seconds"

static double bucket_end(int bucket)
{
	return ldexp(bucket % 2 == 0 ? 1.5e-9 : 2e-9, bucket / 2);
}

static void print_histogram(const struct top_model *model, const struct top_row *row, FILE *out)
{
	double count = 0, sum = 0;
	int i;

	for (i = 0; i < TOP_BUCKETS; i++) {
		count += row->own.latency[i];
		sum += row->own.latency[i] * bucket_end(i);
		fputs("softdpu_" LATENCY "_bucket", out);
		print_labels(model, row, out);
		if (i + 1 < TOP_BUCKETS)
			fprintf(out, ",le=\"%g\"} %.15g\n", bucket_end(i), count);
		else
			fprintf(out, ",le=\"+Inf\"} %.15g\n", count);
	}
	fputs("softdpu_" LATENCY "_sum", out);
	print_labels(model, row, out);
	fprintf(out, "} %g\nsoftdpu_" LATENCY "_count", sum);
	print_labels(model, row, out);
	fprintf(out, "} %.15g\n", count);
}

static void print_histograms(const struct top_model *model, const struct top_list *list, FILE *out)
{
	size_t i;

	print_head(LATENCY, "histogram",
		   "From submit to completion, of a sample of tasks; the sum is an upper bound",
		   out);
	for (i = 0; i < list->num; i++) {
		const struct top_row *row = &model->rows[list->rows[i]];

		if (!row->is_gone && row->own.has & 1u << TOP_P50)
			print_histogram(model, row, out);
	}
}

/* ---- the file ---- */

void top_prometheus_print(const struct top_model *model, const struct top_view *view, FILE *out)
{
	struct top_list list;
	size_t i;

	top_list_make(&list, model, view);
	for (i = 0; i < sizeof(series) / sizeof(series[0]); i++)
		print_series(model, &list, &series[i], out);
	print_histograms(model, &list, out);
	top_list_end(&list);
}

static bool fail(const char *path)
{
	fprintf(stderr, "softdpu top: %s cannot be written: %s\n", path, strerror(errno));
	return false;
}

/* Renaming would replace a device, a pipe or a link by a file. */
static bool is_replaceable(const char *path)
{
	struct stat old;

	return lstat(path, &old) != 0 || S_ISREG(old.st_mode);
}

/* Do not follow a link that somebody else has put there. */
static FILE *open_new(const char *path)
{
	unlink(path);
	return fopen(path, "wxe");
}

/* A reader of the file gets the previous one or this one, never a part. */
bool top_prometheus_write(const struct top_model *model, const struct top_view *view,
			  const char *path)
{
	char temporary[PATH_MAX];
	FILE *out;
	bool good;

	if (snprintf(temporary, sizeof(temporary), "%s.%d.tmp", path, (int)getpid()) >=
	    (int)sizeof(temporary)) {
		errno = ENAMETOOLONG;
		return fail(path);
	}
	if (!is_replaceable(path)) {
		fprintf(stderr, "softdpu top: %s is no plain file, and would be replaced by one\n",
			path);
		return false;
	}
	out = open_new(temporary);
	if (out == NULL)
		return fail(temporary);
	top_prometheus_print(model, view, out);
	good = !ferror(out);
	if (fclose(out) == 0 && good && rename(temporary, path) == 0)
		return true;
	fail(path);
	unlink(temporary);
	return false;
}
