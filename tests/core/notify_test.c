/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Notification of an engine: whatever there is to do makes the handle ready, from outside and by
 * the program's own calls; and the lines that tell why nothing happens.
 */
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/log.h"
#include "core/toy.h"

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
