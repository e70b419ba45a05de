/* SPDX-License-Identifier: BSD-3-Clause */
/* The phases of the initiator around its data path: start, supervision, stop. */
#include "initiator.h"

#include "signals.h"
#include "timing.h"

doca_error_t initiator_start(struct app *app)
{
	struct initiator *initiator = (struct initiator *)app;
	doca_error_t result = DOCA_SUCCESS;
	uint32_t i;

	for (i = 0; i < initiator->plan.threads && result == DOCA_SUCCESS; i++) {
		result = initiator_thread_make_tasks(&initiator->threads[i]);
		if (result == DOCA_SUCCESS)
			result = app_start_worker(app, i,
						  initiator_validates(initiator)
							  ? initiator_body_validate
							  : initiator_body_transfer);
	}
	if (result == DOCA_SUCCESS)
		result = initiator_request(initiator, WIRE_START_STORAGE);
	return result;
}

/* What supervision remembers from one look to the next. */
struct supervision {
	struct initiator *initiator;
	uint64_t completed;
	uint64_t deadline; /* when a run without any completion is given up */
};

static uint64_t initiator_completed(struct initiator *initiator)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < initiator->plan.threads; i++)
		sum += atomic_load_explicit(&initiator->threads[i].completed, memory_order_relaxed);
	return sum;
}

/* The user may end the run: what is in flight still completes, and the rest goes in order. */
static void supervise_user(struct supervision *supervision)
{
	struct app *app = &supervision->initiator->app;

	if (!signals_pending() || worker_group_state(&app->group) != WORKERS_RUNNING)
		return;
	fault_raise_kind(&app->fault, FAULT_USER, DOCA_ERROR_SHUTDOWN, "User requested abort");
	worker_group_move(&app->group, WORKERS_STOPPING);
}

static void supervise_completions(struct supervision *supervision)
{
	struct initiator *initiator = supervision->initiator;
	const uint32_t limit = initiator->app.control_timeout;
	const uint64_t completed = initiator_completed(initiator);

	progress_update(&initiator->progress, completed);
	if (completed != supervision->completed) {
		supervision->completed = completed;
		supervision->deadline = timing_deadline(limit);
	} else if (timing_now() >= supervision->deadline) {
		fault_raise(&initiator->app.fault, DOCA_ERROR_TIME_OUT,
			    "No operation completed within %u seconds, after %llu in all; is the "
			    "bridge or the target stuck?",
			    limit, (unsigned long long)completed);
	}
}

static bool initiator_supervise(void *arg)
{
	struct supervision *supervision = arg;

	if (app_workers_are_done(&supervision->initiator->app))
		return true;
	supervise_user(supervision);
	supervise_completions(supervision);
	return false;
}

/* Operations that the run counts as its own: validation executes each twice. */
static uint64_t initiator_total(const struct initiator *initiator)
{
	const uint64_t total = initiator->plan.run_limit;

	return initiator_validates(initiator) ? 2 * total : total;
}

doca_error_t initiator_run(struct app *app)
{
	struct initiator *initiator = (struct initiator *)app;
	struct supervision supervision = {
		.initiator = initiator,
		.deadline = timing_deadline(app->control_timeout),
	};
	doca_error_t result = DOCA_SUCCESS;
	uint32_t i;

	progress_init(&initiator->progress, initiator_total(initiator),
		      initiator->plan.buffer_size);
	initiator->started = timing_now();
	for (i = 0; i < initiator->plan.threads && result == DOCA_SUCCESS; i++)
		result = initiator_thread_post_receives(&initiator->threads[i]);
	if (result != DOCA_SUCCESS)
		return result;
	/* From here on the program ends in order, signals or not. */
	app->waiter.ignore_signals = true;
	worker_group_move(&app->group, WORKERS_RUNNING);
	result = waiter_wait(&app->waiter, initiator_supervise, &supervision, WAITER_NO_LIMIT,
			     "the end of the run");
	if (result == DOCA_SUCCESS)
		result = app_join_workers(app);
	initiator->ended = timing_now();
	progress_wipe(&initiator->progress);
	return result;
}

static bool initiator_stop_is_answered(void *arg)
{
	const struct initiator_thread *thread = arg;

	return thread->in_flight == 0 || thread->failure != DOCA_SUCCESS;
}

/*
 * One stop message, on transaction 0 of thread 0, ends all threads of bridge and target. It is no
 * operation and not measured.
 */
doca_error_t initiator_stop(struct app *app)
{
	struct initiator *initiator = (struct initiator *)app;
	struct initiator_thread *thread = &initiator->threads[0];
	doca_error_t result;

	thread->measuring = false;
	io_message_set_type(thread->transactions[0].message, IO_MESSAGE_STOP);
	initiator_transaction_start(&thread->transactions[0], timing_now());
	result = waiter_wait(&app->waiter, initiator_stop_is_answered, thread, app->control_timeout,
			     "the answer to the stop message");
	if (result == DOCA_ERROR_TIME_OUT)
		return fault_raise(&app->fault, result,
				   "Timed out waiting on the answer to the stop message: nothing "
				   "came in %u seconds",
				   app->control_timeout);
	if (result == DOCA_SUCCESS && thread->failure != DOCA_SUCCESS)
		result =
			fault_raise(&app->fault, thread->failure, "The stop message failed: %s: %s",
				    thread->failure_text, doca_error_get_name(thread->failure));
	return result;
}
