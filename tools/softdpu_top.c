/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu top`: what each process and connection does, at each interval; what it is asked for, and
 * in which form it is shown.
 */
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "groups.h"
#include "options.h"
#include "top.h"
#include "top_format.h"

#define MIN_INTERVAL 0.02
#define MAX_INTERVAL 86400

#define COLUMNS                                                                                    \
	"name sent received sent_bytes received_bytes queued posted again rdma p50_ns p99_ns "     \
	"idle_ns mode"

static const struct command_option options[] = {
	{"interval", "S", "look again after so many seconds (1), at least 0.02", WORDS_NONE, NULL},
	{"count", "N", "end after so many intervals", WORDS_NONE, NULL},
	{"pid", "PID", "show this process only", WORDS_NONE, NULL},
	{"filter", "TEXT", "show only what has this text in its name", WORDS_NONE, NULL},
	{"sort", "COLUMN", "order by this column, as JSON names it", WORDS_LISTED, COLUMNS},
	{"prometheus", "FILE", "write what node_exporter reads, and no table", WORDS_FILE, NULL},
	{"json", NULL, "print JSON, one object a line for each interval", WORDS_NONE, NULL},
	OPTION_END,
};

struct parsing {
	const struct command *command;
	struct top_request *request;
};

/* ---- what is asked for ---- */

static bool refuse(const struct parsing *parsing, const char *what, const char *value)
{
	options_refuse(parsing->command, "%s, but was given \"%s\"", what, value);
	return false;
}

static bool take_interval(const struct parsing *parsing, const char *value)
{
	char *end;
	double seconds = strtod(value, &end);

	if (end == value || *end != '\0' || !(seconds >= MIN_INTERVAL && seconds <= MAX_INTERVAL))
		return refuse(parsing, "an interval is 0.02 to 86400 seconds", value);
	parsing->request->interval = seconds;
	return true;
}

static bool take_number(const char *value, unsigned long max, unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(value, &end, 10);
	return isdigit((unsigned char)*value) && *end == '\0' && errno == 0 && *number > 0 &&
	       *number <= max;
}

static bool take_count(const struct parsing *parsing, const char *value)
{
	return take_number(value, 1000000000, &parsing->request->count) ||
	       refuse(parsing, "a count is a number from 1 up", value);
}

static bool take_pid(const struct parsing *parsing, const char *value)
{
	unsigned long pid;

	if (!take_number(value, 1 << 30, &pid))
		return refuse(parsing, "a pid is a number from 1 up", value);
	parsing->request->pid = (pid_t)pid;
	return true;
}

static bool take_filter(const struct parsing *parsing, const char *value)
{
	if (strlen(value) >= TOP_FILTER_SIZE)
		return refuse(parsing, "a filter has 63 bytes at most", value);
	strcpy(parsing->request->view.filter, value);
	return true;
}

static bool take_sort(const struct parsing *parsing, const char *value)
{
	int i;

	for (i = 0; i < TOP_NUM_COLUMNS; i++)
		if (strcmp(top_columns[i].key, value) == 0) {
			parsing->request->view.sort = (enum top_column)i;
			return true;
		}
	return refuse(parsing, "columns are " COLUMNS, value);
}

static bool take_prometheus(const struct parsing *parsing, const char *value)
{
	parsing->request->prometheus = value;
	return *value != '\0' || refuse(parsing, "a file has a name", value);
}

static bool take_json(const struct parsing *parsing, const char *value)
{
	(void)value;
	parsing->request->as_json = true;
	return true;
}

static bool take_option(const char *name, const char *value, void *arg)
{
	static const struct {
		const char *name;
		bool (*take)(const struct parsing *parsing, const char *value);
	} takers[] = {
		{"interval", take_interval}, {"count", take_count}, {"pid", take_pid},
		{"filter", take_filter},     {"sort", take_sort},   {"prometheus", take_prometheus},
		{"json", take_json},
	};
	size_t i = 0;

	while (strcmp(takers[i].name, name) != 0)
		i++;
	return takers[i].take(arg, value);
}

/* ---- without a terminal ---- */

static void wait_interval(const struct top_loop *loop)
{
	struct timespec until = {.tv_sec = (time_t)(loop->next / 1000000000u),
				 .tv_nsec = (long)(loop->next % 1000000000u)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static void print_table(const struct top_loop *loop)
{
	char text[TOP_WHERE_SIZE];

	top_where_tell(loop, text);
	fputs(text, stdout);
	if (loop->model.num > 0)
		top_table_print(&loop->model, &loop->request->view, stdout);
	else
		putchar('\n');
}

/* False: whoever was to have it does not get it. */
static bool show(const struct top_loop *loop)
{
	const struct top_request *request = loop->request;

	if (request->prometheus != NULL &&
	    !top_prometheus_write(&loop->model, &request->view, request->prometheus))
		return false;
	if (request->as_json)
		top_json_print(&loop->model, &request->view);
	else if (request->prometheus == NULL)
		print_table(loop);
	return fflush(stdout) == 0;
}

/* False: what was in the way has been told, but for the result of a reading. */
static bool run_plain(struct top_loop *loop, doca_error_t *result)
{
	unsigned long left = loop->request->count;

	do {
		wait_interval(loop);
		*result = top_loop_update(loop);
		if (*result != DOCA_SUCCESS)
			return true;
		if (!show(loop))
			return false;
	} while (left == 0 || --left > 0);
	return true;
}

/* ---- the command ---- */

static bool wants_screen(const struct top_request *request)
{
	return !request->as_json && request->prometheus == NULL && isatty(STDIN_FILENO) &&
	       isatty(STDOUT_FILENO);
}

static int run(struct top_request *request)
{
	bool on_screen = wants_screen(request), good = true;
	struct top_loop loop;
	doca_error_t result;

	if (on_screen && !top_screen_is_able())
		return EXIT_FAILURE;
	groups_look_into_only();
	top_loop_begin(&loop, request);
	result = top_loop_update(&loop); /* with which the next one is compared */
	if (result == DOCA_SUCCESS && on_screen)
		result = top_screen_run(&loop, &request->view);
	else if (result == DOCA_SUCCESS)
		good = run_plain(&loop, &result);
	if (result != DOCA_SUCCESS)
		fprintf(stderr,
			"softdpu top: the runtime directory cannot be read: %s; softdpu doctor "
			"tells why\n",
			doca_error_get_descr(result));
	top_loop_end(&loop);
	return good && result == DOCA_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int top_run(const struct command *command, int argc, char **argv)
{
	struct top_request request = {.interval = 1};
	struct parsing parsing = {command, &request};
	int status;
	int first = options_parse(command, argc, argv, take_option, &parsing, &status);

	if (first < 0)
		return status;
	if (first < argc)
		return options_refuse(command, "takes no argument, but was given %s", argv[first]);
	return run(&request);
}

const struct command command_top = {
	.name = "top",
	.operands = "",
	.summary = "watch what processes and connections do, or why nothing happens",
	.details = "On a terminal this is a table with keys: h explains them, q quits. Without a\n"
		   "terminal a table is printed at each interval. A line adds up itself and all\n"
		   "lines below it. An engine that has not progressed for 100 ms although work\n"
		   "waits is red: this is the usual reason why nothing happens.\n",
	.example = "  softdpu top\n"
		   "  softdpu top --json --interval 0.5 --count 1\n"
		   "  softdpu top --prometheus /var/lib/prometheus/node-exporter/softdpu.prom "
		   "--interval 15\n",
	.options = options,
	.kind = WORDS_NONE,
	.run = top_run,
};
