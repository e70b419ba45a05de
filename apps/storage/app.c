/* SPDX-License-Identifier: BSD-3-Clause */
#include "app.h"

#include "signals.h"

#include <doca_log.h>
#include <doca_version.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

DOCA_LOG_REGISTER(STORAGE::APP);

/* Completions taken in one turn at most, so that a busy engine cannot hold up the rest. */
#define PROGRESS_MAX 64

void app_progress(struct doca_pe *pe, bool *busy)
{
	int i;

	for (i = 0; i < PROGRESS_MAX && pe != NULL && doca_pe_progress(pe) != 0; i++)
		*busy = true;
}

void app_progress_workers(struct app *app, bool *busy)
{
	const bool waiting = worker_group_state(&app->group) == WORKERS_WAITING;
	uint32_t i;

	for (i = 0; i < app->options->num_cpus && app->workers != NULL; i++)
		if (waiting || !app->workers[i]->started)
			app_progress(app->workers[i]->pe, busy);
}

static doca_error_t app_turn(struct waiter *waiter, bool *busy)
{
	struct app *app = (struct app *)((char *)waiter - offsetof(struct app, waiter));

	return app->program->turn(app, busy);
}

/*
 * The level of the SDK's records is set for all its backends, not for this one, so that
 * --sdk-log-level can change it.
 */
static doca_error_t app_start_logs(void)
{
	struct doca_log_backend *sdk;
	doca_error_t result;

	result = doca_log_backend_create_standard();
	if (result == DOCA_SUCCESS)
		result = doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_WARNING);
	if (result == DOCA_SUCCESS)
		result = doca_log_backend_create_with_file_sdk(stdout, &sdk);
	return result;
}

static doca_error_t app_parse(struct app *app, int argc, char **argv)
{
	doca_error_t result;

	result = doca_argp_init(app->program->name, app->options);
	if (result != DOCA_SUCCESS)
		return fault_raise(&app->fault, result, "Failed to set up the command line: %s",
				   doca_error_get_name(result));
	result = app->program->register_options();
	if (result == DOCA_SUCCESS)
		result = doca_argp_start(argc, argv);
	doca_argp_destroy();
	if (result != DOCA_SUCCESS)
		return fault_raise(&app->fault, result,
				   "Failed to parse the command line: %s; --help explains it",
				   doca_error_get_name(result));
	return DOCA_SUCCESS;
}

/*
 * Everything that can be found out about the command line is found out here, before a device is
 * opened or a peer is bothered.
 */
static doca_error_t app_configure(struct app *app, int argc, char **argv)
{
	doca_error_t result = app_parse(app, argc, argv);

	if (result != DOCA_SUCCESS)
		return result;
	if (app->program->check_options(app->options, stdout) != 0)
		return fault_raise(&app->fault, DOCA_ERROR_INVALID_VALUE,
				   "Invalid configuration detected");
	if (!json_out_open(&app->json, app->options->stats_json))
		return fault_raise(&app->fault, DOCA_ERROR_INVALID_VALUE,
				   "Cannot write --stats-json %s: %s", app->options->stats_json,
				   strerror(errno));
	app->control_timeout = (uint32_t)app->options->control_timeout;
	app->program->print_options(app->options);
	return DOCA_SUCCESS;
}

static doca_error_t app_run_phases(struct app *app)
{
	const struct app_phase *phase = app->program->phases;
	doca_error_t result = DOCA_SUCCESS;

	for (; phase->name != NULL && result == DOCA_SUCCESS; phase++) {
		DOCA_LOG_DBG("Phase: %s", phase->name);
		result = phase->run(app);
	}
	return result;
}

void *app_make_threads(struct app *app, size_t size)
{
	const uint32_t count = app->options->num_cpus;
	char *threads = calloc(count, size);
	uint32_t i;

	app->workers = calloc(count, sizeof(*app->workers));
	if (threads == NULL || app->workers == NULL) {
		free(threads);
		free(app->workers);
		app->workers = NULL;
		fault_raise(&app->fault, DOCA_ERROR_NO_MEMORY, "No memory for %u threads", count);
		return NULL;
	}
	for (i = 0; i < count; i++) {
		app->workers[i] = (struct worker *)(threads + i * size);
		app->workers[i]->index = i;
	}
	return threads;
}

void app_free_threads(struct app *app)
{
	if (app->workers == NULL)
		return;
	/* The first worker is where the one block of all threads starts. */
	free(app->workers[0]);
	free(app->workers);
	app->workers = NULL;
}

doca_error_t app_start_worker(struct app *app, uint32_t index, void (*body)(struct worker *worker))
{
	return worker_start(app->workers[index], &app->group, (uint32_t)app->options->cpus[index],
			    body, &app->fault);
}

bool app_workers_are_done(void *arg)
{
	struct app *app = arg;
	uint32_t i;

	for (i = 0; i < app->options->num_cpus; i++)
		if (!worker_is_done(app->workers[i]))
			return false;
	return true;
}

static void app_join_all(struct app *app)
{
	uint32_t i;

	for (i = 0; i < app->options->num_cpus && app->workers != NULL; i++)
		worker_join(app->workers[i]);
}

doca_error_t app_join_workers(struct app *app)
{
	doca_error_t result = waiter_wait(&app->waiter, app_workers_are_done, app, WAITER_NO_LIMIT,
					  "the end of the data path");

	if (result != DOCA_SUCCESS)
		return result;
	app_join_all(app);
	/* The last thing that a thread did may have been to fail. */
	return fault_kind(&app->fault) == FAULT_BROKEN ? app->fault.code : DOCA_SUCCESS;
}

/*
 * The one way out after a failure. The threads end first: from then on the control thread owns
 * every engine, and what the peers are told cannot be overtaken by anything on the data path.
 */
static void app_give_up(struct app *app)
{
	worker_group_move(&app->group, WORKERS_ABORTED);
	app_join_all(app);
	app->program->tell_peers(app);
}

/* What the shell, and a script, get to know. */
static int app_status(struct app *app)
{
	switch (fault_kind(&app->fault)) {
	case FAULT_NONE:
		return EXIT_SUCCESS;
	case FAULT_USER:
		return app->user_abort_status;
	default:
		return APP_STATUS_FAILED;
	}
}

static void app_print_fault(struct app *app)
{
	if (fault_kind(&app->fault) == FAULT_NONE)
		return;
	fflush(stdout);
	if (app_status(app) == APP_STATUS_USER_ABORT)
		fprintf(stderr, "Ended early: %s\n", app->fault.text);
	else
		fprintf(stderr, "EXCEPTION: %s\n", app->fault.text);
}

static const char *app_outcome(struct app *app)
{
	switch (app_status(app)) {
	case EXIT_SUCCESS:
		return "ok";
	case APP_STATUS_USER_ABORT:
		return "aborted";
	default:
		return "failed";
	}
}

static void app_write_json(struct app *app)
{
	json_out_text(&app->json, "program", app->program->name);
	json_out_text(&app->json, "outcome", app_outcome(app));
	json_out_text(&app->json, "error", app->fault.text);
	json_out_integer(&app->json, "threads", app->options->num_cpus);
	app->program->write_json(app, &app->json);
	if (!json_out_close(&app->json))
		fault_raise(&app->fault, DOCA_ERROR_IO_FAILED, "Cannot write --stats-json %s",
			    app->options->stats_json);
}

static void app_init(struct app *app, const struct app_program *program,
		     struct options_common *options)
{
	app->program = program;
	app->options = options;
	app->waiter = (struct waiter){.turn = app_turn, .fault = &app->fault};
	app->user_abort_status = APP_STATUS_USER_ABORT;
	fault_init(&app->fault);
	worker_group_init(&app->group);
}

/* The object lives in static memory, so that nothing is lost when a step fails. */
int app_main(struct app *app, const struct app_program *program, struct options_common *options,
	     int argc, char **argv)
{
	doca_error_t result;
	int status;

	app_init(app, program, options);
	/* Whoever reads this through a pipe, a test or a log, wants it when it happens. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	signals_install();
	if (app_start_logs() != DOCA_SUCCESS)
		return APP_STATUS_FAILED;
	printf("%s: v%s\n", program->name, doca_version_runtime());
	result = app_configure(app, argc, argv);
	if (result == DOCA_SUCCESS) {
		result = app_run_phases(app);
		if (result != DOCA_SUCCESS)
			app_give_up(app);
		else
			program->print_stats(app);
		program->destroy(app);
		app_write_json(app);
	}
	app_print_fault(app);
	status = app_status(app);
	worker_group_fini(&app->group);
	fault_fini(&app->fault);
	return status;
}
