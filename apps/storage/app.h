/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the three programs share around their phases: logs, signals, the command line, the order
 * of things, the way out after a failure (written once, here), statistics, exit status.
 *
 * A program is a table of phases that the control thread goes through in order. A phase returns
 * an error only after it has raised the fault; the rest of the phases is then skipped, the
 * threads are aborted, the peers are told, and everything is torn down.
 */
#ifndef STORAGE_APP_H
#define STORAGE_APP_H

#include "fault.h"
#include "json_out.h"
#include "options.h"
#include "waiter.h"
#include "worker.h"

struct app;

struct app_phase {
	const char *name; /* what the phase does, for the log */
	doca_error_t (*run)(struct app *app);
};

struct app_program {
	const char *name;
	doca_error_t (*register_options)(void);
	unsigned int (*check_options)(const struct options_common *common, FILE *out);
	void (*print_options)(const struct options_common *common);
	const struct app_phase *phases; /* ends with one without a name */
	/* One turn of waiting, see waiter.h. */
	doca_error_t (*turn)(struct app *app, bool *busy);
	/* After a failure, threads ended: tells the peers what went wrong. */
	void (*tell_peers)(struct app *app);
	/* After all phases: the statistics block. */
	void (*print_stats)(struct app *app);
	/* In every case: frees whatever there is. */
	void (*destroy)(struct app *app);
	/* In every case, last: the program's own members of the JSON file. */
	void (*write_json)(struct app *app, struct json_out *json);
};

/* The first member of each program's own object. Control thread only, but for fault and group. */
struct app {
	const struct app_program *program;
	struct options_common *options; /* first member of the program's own options */
	struct fault fault;
	struct waiter waiter;
	struct worker_group group;
	struct worker **workers; /* one per --cpu, in order; NULL until they are made */
	struct json_out json;
	uint32_t control_timeout;
	int user_abort_status; /* exit status when the user ends the program */
};

#define APP_STATUS_FAILED 1
#define APP_STATUS_USER_ABORT 130

/* The whole life of a program. Returns the exit status. */
int app_main(struct app *app, const struct app_program *program, struct options_common *options,
	     int argc, char **argv);

/*
 * Makes the thread objects, size bytes each, one per --cpu, all zeros but for the index of the
 * worker that each begins with. NULL, with the fault raised, when there is no memory.
 */
void *app_make_threads(struct app *app, size_t size);

/* Frees them, and only them; harmless when there are none. */
void app_free_threads(struct app *app);

/* Starts thread i of the app with the given body; see worker_start(). */
doca_error_t app_start_worker(struct app *app, uint32_t index, void (*body)(struct worker *worker));

/* Waits until all threads have ended, and joins them. */
doca_error_t app_join_workers(struct app *app);

/* Whether all threads have ended; arg is the app. */
bool app_workers_are_done(void *arg);

/* For turns: progresses an engine that may be NULL. */
void app_progress(struct doca_pe *pe, bool *busy);

/*
 * For turns: progresses the engines of the threads that the control thread owns, that is those
 * whose thread is not released yet, or has ended.
 */
void app_progress_workers(struct app *app, bool *busy);

#endif
