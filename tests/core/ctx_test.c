/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts, tasks and pools: states, refusals, stop in every place, what a forked child may do.
 */
#include <stdlib.h>
#include <unistd.h>

#include "core/kit.h"
#include "core/toy.h"

T_CASE(start_and_stop_at_once)
{
	struct toy *toy = toy_make();

	T_OK(doca_ctx_start(&toy->ctx));
	T_EQ(toy->num_states, 1);
	T_EQ(toy->states[0], DOCA_CTX_STATE_RUNNING);
	T_ERR(doca_ctx_start(&toy->ctx), DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_stop(&toy->ctx));
	T_EQ(toy->num_states, 3);
	T_EQ(toy->states[1], DOCA_CTX_STATE_STOPPING);
	T_EQ(toy->states[2], DOCA_CTX_STATE_IDLE);
	/* Again, on an idle one. */
	T_OK(doca_ctx_stop(&toy->ctx));
	T_EQ(toy->num_states, 3);
	finish(toy);
}

T_CASE(configuration_needs_idle)
{
	struct toy *toy = toy_make();
	const union doca_data data = {.u64 = 1};
	struct doca_pe *other;

	T_OK(doca_pe_create(&other));
	T_ERR(doca_pe_connect_ctx(other, &toy->ctx), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_ctx_start(&toy->ctx));
	T_ERR(doca_ctx_set_user_data(&toy->ctx, data), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_ctx_set_state_changed_cb(&toy->ctx, toy_state), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_pe_connect_ctx(other, &toy->ctx), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_ctx_set_completion_vector(&toy->ctx, 0), DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_task_pool_conf(&toy->pool, &toy->ctx, &toy_task_ops, sizeof(struct doca_task),
				  toy_completed, toy_failed, 4, 16),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_ctx_fini(&toy->ctx), DOCA_ERROR_IN_USE);
	T_ERR(doca_pe_destroy(pe), DOCA_ERROR_IN_USE);
	T_OK(doca_ctx_stop(&toy->ctx));
	T_OK(doca_pe_destroy(other));
	finish(toy);
}

T_CASE(null_pointers_are_invalid)
{
	struct toy *toy = toy_make();
	const union doca_data data = {.u64 = 1};
	union doca_data out;
	enum doca_ctx_states state;
	size_t num;
	uint32_t vectors;

	T_ERR(doca_ctx_start(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_ctx_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_ctx_get_state(NULL, &state), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_ctx_get_state(&toy->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_ctx_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_ctx_get_user_data(NULL, &out), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_ctx_get_user_data(&toy->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_ctx_set_state_changed_cb(&toy->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_ctx_get_num_inflight_tasks(&toy->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_ctx_cap_get_num_completion_vectors(NULL, &vectors), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_ctx_set_completion_vector(&toy->ctx, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_pe_create(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_pe_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_pe_connect_ctx(NULL, &toy->ctx), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_pe_connect_ctx(pe, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_pe_get_notification_handle(pe, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_pe_request_notification(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_pe_clear_notification(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_pe_get_num_inflight_tasks(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_pe_set_event_mode(pe, (enum doca_pe_event_mode)7), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_pe_set_notification_handle(pe, 0, data), DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_task_submit(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_task_try_submit(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_task_get_status(NULL), DOCA_ERROR_INVALID_VALUE);
	T_EQ(doca_task_get_ctx(NULL), NULL);
	doca_task_free(NULL);
	finish(toy);
}

T_CASE(start_refusals)
{
	struct toy *toy = calloc(1, sizeof(*toy));

	sdpu_ctx_init(&toy->ctx, &toy_ops, NULL);
	T_ERR(doca_ctx_start(&toy->ctx), DOCA_ERROR_NOT_CONNECTED);
	T_OK(sdpu_ctx_fini(&toy->ctx));
	free(toy);
	toy = toy_make();
	toy->check = DOCA_ERROR_BAD_CONFIG;
	T_ERR(doca_ctx_start(&toy->ctx), DOCA_ERROR_BAD_CONFIG);
	T_EQ(toy->num_states, 0);
	finish(toy);
}

T_CASE(asynchronous_start_and_failure)
{
	struct toy *toy = toy_make();

	toy->asynchronous = true;
	T_ERR(doca_ctx_start(&toy->ctx), DOCA_ERROR_IN_PROGRESS);
	T_EQ(toy->states[0], DOCA_CTX_STATE_STARTING);
	sdpu_ctx_start_failed(&toy->ctx);
	T_EQ(toy->states[1], DOCA_CTX_STATE_IDLE);
	T_ERR(doca_ctx_start(&toy->ctx), DOCA_ERROR_IN_PROGRESS);
	sdpu_ctx_started(&toy->ctx);
	T_EQ(toy->states[3], DOCA_CTX_STATE_RUNNING);
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

T_CASE(tasks_complete_and_count)
{
	struct toy *toy = toy_make();
	struct doca_task *task[4];
	struct doca_task *fifth;
	const union doca_data none = {.u64 = 0};
	size_t num;

	T_ERR(sdpu_task_alloc(&toy->pool, none, &fifth), DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_start(&toy->ctx));
	for (int i = 0; i < 4; i++)
		task[i] = toy_task(toy);
	T_ERR(sdpu_task_alloc(&toy->pool, none, &fifth), DOCA_ERROR_NO_MEMORY);
	for (int i = 0; i < 4; i++)
		T_OK(doca_task_submit(task[i]));
	T_ERR(doca_task_submit(task[0]), DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_get_num_inflight_tasks(&toy->ctx, &num));
	T_EQ(num, 4);
	T_OK(doca_pe_get_num_inflight_tasks(pe, &num));
	T_EQ(num, 4);
	T_EQ(doca_pe_progress(pe), 0);
	toy->deliver = 4;
	T_EQ(doca_pe_progress(pe), 1);
	T_EQ(toy->completed, 4);
	T_OK(doca_ctx_get_num_inflight_tasks(&toy->ctx, &num));
	T_EQ(num, 0);
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

T_CASE(try_submit_validates_and_flags_are_checked)
{
	struct toy *toy = toy_make();
	const union doca_data thirteen = {.u64 = 13};
	const union doca_data other = {.u64 = 14};
	struct doca_task *task;

	T_OK(doca_ctx_start(&toy->ctx));
	task = toy_task(toy);
	doca_task_set_user_data(task, thirteen);
	T_EQ(doca_task_get_user_data(task).u64, 13);
	T_ERR(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	doca_task_set_user_data(task, other);
	T_ERR(doca_task_submit_ex(task, 4), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_FLUSH |
					       DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS));
	toy->deliver = 1;
	progress_all();
	T_EQ(toy->completed, 1);
	task = toy_task(toy);
	T_OK(doca_task_try_submit(task));
	toy->deliver = 1;
	progress_all();
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

T_CASE(stop_flushes_and_waits_for_frees)
{
	struct toy *toy = toy_make();
	struct doca_task *kept;

	T_OK(doca_ctx_start(&toy->ctx));
	kept = toy_task(toy);
	T_OK(doca_task_submit(toy_task(toy)));
	T_OK(doca_task_submit(toy_task(toy)));
	T_ERR(doca_ctx_stop(&toy->ctx), DOCA_ERROR_IN_PROGRESS);
	T_ERR(doca_ctx_stop(&toy->ctx), DOCA_ERROR_IN_PROGRESS);
	progress_all();
	T_EQ(toy->failed, 2);
	T_EQ(toy->last_status, DOCA_ERROR_SHUTDOWN);
	T_EQ(toy->ctx.state, DOCA_CTX_STATE_STOPPING);
	T_ERR(doca_task_submit(kept), DOCA_ERROR_BAD_STATE);
	doca_task_free(kept);
	T_EQ(doca_pe_progress(pe), 1);
	T_EQ(toy->ctx.state, DOCA_CTX_STATE_IDLE);
	finish(toy);
}

T_CASE(stop_may_be_refused)
{
	struct toy *toy = toy_make();

	T_OK(doca_ctx_start(&toy->ctx));
	toy->may_stop = DOCA_ERROR_IN_USE;
	T_ERR(doca_ctx_stop(&toy->ctx), DOCA_ERROR_IN_USE);
	T_EQ(toy->ctx.state, DOCA_CTX_STATE_RUNNING);
	toy->may_stop = DOCA_SUCCESS;
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

static void stop_in_callback(struct toy *toy, struct doca_task *task)
{
	T_ERR(doca_ctx_stop(&toy->ctx), DOCA_ERROR_IN_PROGRESS);
	T_EQ(doca_pe_progress(pe), 0);
	T_ERR(doca_pe_destroy(pe), DOCA_ERROR_IN_USE);
	T_ERR(doca_pe_set_event_mode(pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL), DOCA_ERROR_BAD_STATE);
	doca_task_free(task);
}

T_CASE(stop_inside_a_callback_is_always_in_progress)
{
	struct toy *toy = toy_make();

	toy->on_task = stop_in_callback;
	T_OK(doca_ctx_start(&toy->ctx));
	T_OK(doca_task_submit(toy_task(toy)));
	toy->deliver = 1;
	T_EQ(doca_pe_progress(pe), 1);
	progress_all();
	T_EQ(toy->ctx.state, DOCA_CTX_STATE_IDLE);
	finish(toy);
}

static void progress_in_callback(struct toy *toy, struct doca_task *task)
{
	(void)toy;
	(void)kit_log();
	for (int i = 0; i < 3; i++)
		T_EQ(doca_pe_progress(pe), 0);
	T_EQ(kit_log_lines(kit_log()), 1);
	doca_task_free(task);
}

T_CASE(progress_inside_a_callback_is_told_of_once)
{
	struct toy *toy = toy_make();

	toy->on_task = progress_in_callback;
	T_OK(doca_ctx_start(&toy->ctx));
	T_OK(doca_task_submit(toy_task(toy)));
	toy->deliver = 1;
	T_EQ(doca_pe_progress(pe), 1);
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

static uint32_t destroyed;

static void destroy_when_idle(struct toy *toy, enum doca_ctx_states next)
{
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	destroyed++;
	toy_free(toy);
}

T_CASE(destroy_inside_the_idle_callback)
{
	struct toy *toy[3];

	for (int i = 0; i < 3; i++) {
		toy[i] = toy_make();
		toy[i]->on_state = destroy_when_idle;
		T_OK(doca_ctx_start(&toy[i]->ctx));
		T_OK(doca_task_submit(toy_task(toy[i])));
	}
	for (int i = 0; i < 3; i++)
		T_ERR(doca_ctx_stop(&toy[i]->ctx), DOCA_ERROR_IN_PROGRESS);
	progress_all();
	T_EQ(destroyed, 3);
	T_OK(doca_pe_destroy(pe));
}

static void resubmit_thrice(struct toy *toy, struct doca_task *task)
{
	if (toy->completed < 3)
		T_OK(doca_task_submit(task));
	else
		doca_task_free(task);
}

T_CASE(resubmit_inside_the_callback)
{
	struct toy *toy = toy_make();

	toy->on_task = resubmit_thrice;
	T_OK(doca_ctx_start(&toy->ctx));
	T_OK(doca_task_submit(toy_task(toy)));
	toy->deliver = 100;
	progress_all();
	T_EQ(toy->completed, 3);
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

static struct toy *answers; /* four tasks */
static struct toy *removed_by_completion;

static void free_and_remove(struct toy *toy, struct doca_task *task)
{
	(void)toy;
	doca_task_free(task);
	if (removed_by_completion != NULL)
		sdpu_source_remove(&removed_by_completion->source);
}

/* An event that comes again at once, and is answered by a task that has ended when it is sent. */
static void answer(struct toy *toy, struct doca_task *task)
{
	(void)toy;
	T_OK(doca_task_submit(task));
	T_OK(doca_task_submit(toy_task(answers)));
	sdpu_task_finish(sdpu_task_queue_get(&answers->waiting), DOCA_SUCCESS);
}

static struct toy *open_busy_source(void)
{
	struct toy *busy = toy_make();

	answers = toy_make();
	answers->on_task = free_and_remove;
	busy->on_task = answer;
	busy->deliver = UINT32_MAX;
	T_OK(doca_ctx_start(&busy->ctx));
	T_OK(doca_ctx_start(&answers->ctx));
	T_OK(doca_task_submit(toy_task(busy)));
	return busy;
}

static void close_busy_source(struct toy *busy)
{
	busy->on_task = NULL;
	(void)doca_ctx_stop(&busy->ctx);
	progress_all();
	toy_free(busy);
	T_OK(doca_ctx_stop(&answers->ctx));
	finish(answers);
}

T_CASE(completions_come_before_the_next_event_of_a_source)
{
	struct toy *busy = open_busy_source();

	for (int i = 0; i < 10; i++)
		T_EQ(doca_pe_progress(pe), 1);
	T_CHECK(busy->completed > 10);
	T_EQ(answers->completed, busy->completed);
	close_busy_source(busy);
}

T_CASE(a_completion_may_end_the_source_whose_event_it_follows)
{
	struct toy *busy = open_busy_source();

	removed_by_completion = busy;
	T_EQ(doca_pe_progress(pe), 1);
	T_EQ(busy->completed, 1);
	T_EQ(answers->completed, 1);
	T_EQ(doca_pe_progress(pe), 0);
	close_busy_source(busy);
}

T_CASE(freed_while_submitted_completes_silently)
{
	struct toy *toy = toy_make();
	struct doca_task *task;

	T_OK(doca_ctx_start(&toy->ctx));
	task = toy_task(toy);
	T_OK(doca_task_submit(task));
	doca_task_free(task);
	T_ERR(doca_ctx_stop(&toy->ctx), DOCA_ERROR_IN_PROGRESS);
	progress_all();
	T_EQ(toy->completed + toy->failed, 0);
	T_EQ(toy->ctx.state, DOCA_CTX_STATE_IDLE);
	finish(toy);
}

T_CASE(a_freed_task_stays_readable)
{
	struct toy *toy = toy_make();
	const union doca_data data = {.u64 = 77};
	struct doca_task *task;

	T_OK(doca_ctx_start(&toy->ctx));
	task = toy_task(toy);
	doca_task_set_user_data(task, data);
	doca_task_free(task);
	T_EQ(doca_task_get_user_data(task).u64, 77);
	T_EQ(doca_task_get_ctx(task), &toy->ctx);
	/* A second free is noticed and harmless. */
	doca_task_free(task);
	T_EQ(toy->ctx.allocated, 0);
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

static int child_of_an_engine(void *arg)
{
	struct toy *toy = arg;
	doca_notification_handle_t handle = -7;
	struct doca_pe *made;

	T_ERR(doca_pe_get_notification_handle(pe, &handle), DOCA_ERROR_BAD_STATE);
	T_EQ(handle, -7);
	T_ERR(doca_pe_request_notification(pe), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_pe_clear_notification(pe, handle), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_pe_create(&made), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_pe_destroy(pe), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_ctx_start(&toy->ctx), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_ctx_stop(&toy->ctx), DOCA_ERROR_BAD_STATE);
	T_EQ(doca_pe_progress(pe), 0);
	_exit(0);
}

T_CASE(a_forked_child_is_inert)
{
	struct toy *toy = toy_make();

	T_EQ(t_wait(t_fork(child_of_an_engine, toy), 10000), 0);
	finish(toy);
}

T_CASE(pool_configuration_is_checked)
{
	struct toy *toy = toy_make();
	struct sdpu_task_pool *pool = &toy->pool;
	size_t size = sizeof(struct doca_task);

	T_ERR(sdpu_task_pool_conf(pool, &toy->ctx, &toy_task_ops, size, NULL, toy_failed, 4, 16),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_task_pool_conf(pool, &toy->ctx, &toy_task_ops, size, toy_completed, NULL, 4, 16),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_task_pool_conf(pool, &toy->ctx, &toy_task_ops, size, toy_completed, toy_failed,
				  0, 16),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_task_pool_conf(pool, &toy->ctx, &toy_task_ops, size, toy_completed, toy_failed,
				  17, 16),
	      DOCA_ERROR_INVALID_VALUE);
	/* The last good one wins, also over a restart. */
	T_OK(sdpu_task_pool_conf(pool, &toy->ctx, &toy_task_ops, size, toy_completed, toy_failed,
				 16, 16));
	T_OK(doca_ctx_start(&toy->ctx));
	for (int i = 0; i < 16; i++)
		T_EQ(sdpu_task_index(toy_task(toy)), i);
	for (uint32_t i = 0; i < 16; i++)
		doca_task_free(sdpu_task_at(pool, i));
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}
