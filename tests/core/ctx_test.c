/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts, tasks and the engine, seen through the smallest library object there can be: its tasks
 * wait in a queue until the test completes them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/log.h"
#include "core/ctx.h"
#include "core/pe.h"
#include "core/task.h"
#include "t.h"

struct toy {
	struct doca_ctx ctx;
	struct sdpu_task_pool pool;
	struct sdpu_task_queue waiting;
	struct sdpu_source source;
	bool asynchronous;	      /* start gives IN_PROGRESS */
	doca_error_t check, may_stop; /* what the ops answer */
	uint32_t deliver;	      /* tasks that poll may complete */
	uint32_t completed, failed;
	doca_error_t last_status;
	enum doca_ctx_states states[16];
	uint32_t num_states;
	bool freed;
	void (*on_state)(struct toy *toy, enum doca_ctx_states next);
	void (*on_task)(struct toy *toy, struct doca_task *task);
};

static struct toy *toy_of(struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct toy, ctx);
}

static bool toy_poll(struct sdpu_source *source)
{
	struct toy *toy = sdpu_container_of(source, struct toy, source);

	if (toy->deliver == 0 || toy->waiting.first == NULL)
		return false;
	toy->deliver--;
	sdpu_task_deliver(sdpu_task_queue_get(&toy->waiting), DOCA_SUCCESS);
	return true;
}

static bool toy_pending(const struct sdpu_source *source)
{
	const struct toy *toy = sdpu_container_of(source, struct toy, source);

	return toy->deliver != 0 && toy->waiting.first != NULL;
}

static doca_error_t toy_check(struct doca_ctx *ctx)
{
	return toy_of(ctx)->check;
}

static doca_error_t toy_start(struct doca_ctx *ctx)
{
	struct toy *toy = toy_of(ctx);

	T_OK(sdpu_task_pool_open(&toy->pool));
	sdpu_source_add(ctx->pe, &toy->source);
	return toy->asynchronous ? DOCA_ERROR_IN_PROGRESS : DOCA_SUCCESS;
}

static doca_error_t toy_may_stop(struct doca_ctx *ctx)
{
	return toy_of(ctx)->may_stop;
}

static bool toy_step(struct doca_ctx *ctx)
{
	struct doca_task *task;

	if (ctx->state != DOCA_CTX_STATE_STOPPING)
		return false;
	task = sdpu_task_queue_get(&toy_of(ctx)->waiting);
	if (task == NULL)
		return false;
	sdpu_task_deliver(task, DOCA_ERROR_SHUTDOWN);
	return true;
}

static void toy_idle(struct doca_ctx *ctx)
{
	sdpu_source_remove(&toy_of(ctx)->source);
}

static const struct sdpu_ctx_ops toy_ops = {
	.name = "toy",
	.check = toy_check,
	.start = toy_start,
	.may_stop = toy_may_stop,
	.step = toy_step,
	.idle = toy_idle,
};

static doca_error_t toy_submit(struct doca_task *task)
{
	sdpu_task_queue_put(&toy_of(task->ctx)->waiting, task);
	return DOCA_SUCCESS;
}

static doca_error_t toy_validate(const struct doca_task *task)
{
	return task->user_data.u64 == 13 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

static const struct sdpu_task_ops toy_task_ops = {
	.name = "toy_task",
	.submit = toy_submit,
	.validate = toy_validate,
};

static void toy_over(struct toy *toy, struct doca_task *task)
{
	toy->last_status = doca_task_get_status(task);
	if (toy->on_task != NULL)
		toy->on_task(toy, task);
	else
		doca_task_free(task);
}

static void toy_completed(struct doca_task *task, union doca_data task_data,
			  union doca_data ctx_data)
{
	struct toy *toy = ctx_data.ptr;

	(void)task_data;
	toy->completed++;
	toy_over(toy, task);
}

static void toy_failed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct toy *toy = ctx_data.ptr;

	(void)task_data;
	toy->failed++;
	toy_over(toy, task);
}

static void toy_state(const union doca_data user_data, struct doca_ctx *ctx,
		      enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct toy *toy = user_data.ptr;
	enum doca_ctx_states now;

	(void)prev;
	T_OK(doca_ctx_get_state(ctx, &now));
	T_EQ(now, next);
	toy->states[toy->num_states++] = next;
	if (toy->on_state != NULL)
		toy->on_state(toy, next);
}

static struct doca_pe *pe;

static struct toy *toy_make(void)
{
	struct toy *toy = calloc(1, sizeof(*toy));
	const union doca_data self = {.ptr = toy};

	if (pe == NULL)
		T_OK(doca_pe_create(&pe));
	sdpu_ctx_init(&toy->ctx, &toy_ops, NULL);
	toy->source.poll = toy_poll;
	toy->source.pending = toy_pending;
	T_OK(sdpu_task_pool_conf(&toy->pool, &toy->ctx, &toy_task_ops, sizeof(struct doca_task),
				 toy_completed, toy_failed, 4, 16));
	T_OK(doca_pe_connect_ctx(pe, &toy->ctx));
	T_OK(doca_ctx_set_user_data(&toy->ctx, self));
	T_OK(doca_ctx_set_state_changed_cb(&toy->ctx, toy_state));
	return toy;
}

static void toy_free(struct toy *toy)
{
	T_OK(sdpu_ctx_fini(&toy->ctx));
	sdpu_task_pool_close(&toy->pool);
	free(toy);
}

static void finish(struct toy *toy)
{
	toy_free(toy);
	T_OK(doca_pe_destroy(pe));
	pe = NULL;
}

static void progress_all(void)
{
	while (doca_pe_progress(pe))
		;
}

static struct doca_task *toy_task(struct toy *toy)
{
	const union doca_data none = {.u64 = 0};
	struct doca_task *task;

	T_OK(sdpu_task_alloc(&toy->pool, none, &task));
	return task;
}

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

static bool handle_ready(int handle)
{
	struct epoll_event event;
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event want = {.events = EPOLLIN};
	int n;

	T_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, handle, &want), 0);
	n = epoll_wait(epoll, &event, 1, 0);
	T_EQ(epoll_ctl(epoll, EPOLL_CTL_DEL, handle, &want), 0);
	return n == 1;
}

T_CASE(a_request_sees_work_that_is_there_already)
{
	struct toy *toy = toy_make();
	doca_notification_handle_t handle;

	T_OK(doca_pe_get_notification_handle(pe, &handle));
	T_OK(doca_ctx_start(&toy->ctx));
	progress_all();
	T_OK(doca_pe_request_notification(pe));
	T_CHECK(!handle_ready(handle));
	T_OK(doca_pe_clear_notification(pe, handle));
	/* Work between the last 0 of progress and the request. */
	T_OK(doca_task_submit(toy_task(toy)));
	toy->deliver = 1;
	T_OK(doca_pe_request_notification(pe));
	T_CHECK(handle_ready(handle));
	T_OK(doca_pe_clear_notification(pe, handle));
	T_CHECK(!handle_ready(handle));
	progress_all();
	T_EQ(toy->completed, 1);
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

T_CASE(a_finished_task_and_a_stop_make_the_handle_ready)
{
	struct toy *toy = toy_make();
	doca_notification_handle_t handle;
	struct doca_task *task;

	T_OK(doca_pe_get_notification_handle(pe, &handle));
	T_OK(doca_ctx_start(&toy->ctx));
	task = toy_task(toy);
	T_OK(doca_task_submit(task));
	sdpu_task_finish(sdpu_task_queue_get(&toy->waiting), DOCA_ERROR_IO_FAILED);
	T_OK(doca_pe_request_notification(pe));
	T_CHECK(handle_ready(handle));
	progress_all();
	T_EQ(toy->last_status, DOCA_ERROR_IO_FAILED);
	task = toy_task(toy);
	T_ERR(doca_ctx_stop(&toy->ctx), DOCA_ERROR_IN_PROGRESS);
	progress_all();
	doca_task_free(task);
	T_OK(doca_pe_request_notification(pe));
	T_CHECK(handle_ready(handle));
	progress_all();
	T_EQ(toy->ctx.state, DOCA_CTX_STATE_IDLE);
	finish(toy);
}

/*
 * A program may wait for more than its engine, and do something with the engine when something else
 * has woken it: the request that it made before must see that.
 */
static doca_notification_handle_t ask_to_be_woken(enum doca_pe_event_mode mode)
{
	doca_notification_handle_t handle;

	T_OK(doca_pe_set_event_mode(pe, mode));
	T_OK(doca_pe_get_notification_handle(pe, &handle));
	progress_all();
	T_OK(doca_pe_request_notification(pe));
	T_CHECK(!handle_ready(handle));
	return handle;
}

static void woken(doca_notification_handle_t handle, enum doca_pe_event_mode mode)
{
	T_CHECK(handle_ready(handle));
	if (mode == DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE)
		T_OK(doca_pe_clear_notification(pe, handle));
	progress_all();
}

static void wake_by_own_calls(enum doca_pe_event_mode mode)
{
	struct toy *toy = toy_make();
	doca_notification_handle_t handle;
	struct doca_task *task;

	T_OK(doca_ctx_start(&toy->ctx));
	task = toy_task(toy);
	toy->deliver = 1;
	handle = ask_to_be_woken(mode);
	T_OK(doca_task_submit(task));
	woken(handle, mode);
	T_EQ(toy->completed, 1);
	task = toy_task(toy);
	handle = ask_to_be_woken(mode);
	T_ERR(doca_ctx_stop(&toy->ctx), DOCA_ERROR_IN_PROGRESS);
	woken(handle, mode);
	T_EQ(toy->ctx.state, DOCA_CTX_STATE_STOPPING);
	handle = ask_to_be_woken(mode);
	doca_task_free(task);
	woken(handle, mode);
	T_EQ(toy->ctx.state, DOCA_CTX_STATE_IDLE);
	finish(toy);
}

T_CASE(own_calls_after_a_request_make_the_handle_ready)
{
	wake_by_own_calls(DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
}

T_CASE(own_calls_after_a_request_make_the_handle_ready_in_progress_all)
{
	wake_by_own_calls(DOCA_PE_EVENT_MODE_PROGRESS_ALL);
}

T_CASE(a_source_added_or_heated_after_a_request_makes_the_handle_ready)
{
	struct toy *toy = toy_make();
	doca_notification_handle_t handle;

	T_OK(doca_pe_get_notification_handle(pe, &handle));
	handle = ask_to_be_woken(DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	T_OK(doca_ctx_start(&toy->ctx));
	woken(handle, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	sdpu_source_park(&toy->source);
	handle = ask_to_be_woken(DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	sdpu_source_heat(&toy->source);
	woken(handle, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

static char last_line[512];
static uint32_t num_lines;

static void keep_line(int level, const char *file, int line, const char *fmt, va_list ap)
{
	(void)level;
	(void)file;
	(void)line;
	vsnprintf(last_line, sizeof(last_line), fmt, ap);
	num_lines++;
}

/* What a program forgot to do is told to it, once. */
T_CASE(a_long_stop_is_explained)
{
	struct toy *toy = toy_make();
	struct doca_task *kept;

	sdpu_log_set_sink(keep_line);
	sdpu_log_set_limit(SDPU_LOG_WARN);
	T_OK(doca_ctx_start(&toy->ctx));
	kept = toy_task(toy);
	T_ERR(doca_ctx_stop(&toy->ctx), DOCA_ERROR_IN_PROGRESS);
	T_EVENTUALLY((doca_pe_progress(pe), num_lines != 0), 20000);
	T_CONTAINS(last_line, "toy: STOPPING for 2 s");
	T_CONTAINS(last_line, "0 tasks in flight and 1 more that were not freed");
	T_CONTAINS(last_line, "doca_task_free");
	for (int i = 0; i < 10000; i++)
		(void)doca_pe_progress(pe);
	T_EQ(num_lines, 1);
	doca_task_free(kept);
	progress_all();
	T_EQ(toy->ctx.state, DOCA_CTX_STATE_IDLE);
	finish(toy);
}

/* One that sleeps over it as well. */
T_CASE(a_long_stop_is_explained_to_a_sleeper)
{
	struct toy *toy = toy_make();
	doca_notification_handle_t handle;
	struct doca_task *kept;

	sdpu_log_set_sink(keep_line);
	sdpu_log_set_limit(SDPU_LOG_WARN);
	T_OK(doca_ctx_start(&toy->ctx));
	kept = toy_task(toy);
	T_ERR(doca_ctx_stop(&toy->ctx), DOCA_ERROR_IN_PROGRESS);
	handle = ask_to_be_woken(DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	T_EVENTUALLY(handle_ready(handle), 20000);
	woken(handle, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	handle = ask_to_be_woken(DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	T_EQ(num_lines, 1);
	T_CONTAINS(last_line, "toy: STOPPING for 2 s");
	doca_task_free(kept);
	woken(handle, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
	T_EQ(toy->ctx.state, DOCA_CTX_STATE_IDLE);
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
