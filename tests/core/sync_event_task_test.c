/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks of sync events, in one process: configuration, what they do and in which order, waits that
 * others end, stop, and engines that sleep.
 */
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>

#include "core/event_kit.h"

static struct doca_dev *dev;
static const union doca_data none;

static void open_started(struct async *async)
{
	dev = kit_open(KIT_DPU);
	async_start(async, event_make(dev));
}

/* With a counter that others reach without the library. */
static void open_started_at(struct async *async, uint64_t *word)
{
	struct doca_sync_event *event;

	dev = kit_open(KIT_DPU);
	event = event_make(dev);
	T_OK(doca_sync_event_set_addr(event, word));
	async_start(async, event);
}

static void finish(struct async *async)
{
	async_close(async);
	T_OK(doca_dev_close(dev));
}

/* Until nothing happens. */
static void drain(struct async *async)
{
	while (doca_pe_progress(async->pe) != 0)
		;
}

static void get_done(struct doca_sync_event_task_get *task, union doca_data task_data,
		     union doca_data ctx_data)
{
}

static void set_done(struct doca_sync_event_task_notify_set *task, union doca_data task_data,
		     union doca_data ctx_data)
{
}

static void add_done(struct doca_sync_event_task_notify_add *task, union doca_data task_data,
		     union doca_data ctx_data)
{
}

static void eq_done(struct doca_sync_event_task_wait_eq *task, union doca_data task_data,
		    union doca_data ctx_data)
{
}

static void neq_done(struct doca_sync_event_task_wait_neq *task, union doca_data task_data,
		     union doca_data ctx_data)
{
}

#define CONF_REFUSED(name, done, event)                                                            \
	do {                                                                                       \
		T_ERR(doca_sync_event_task_##name##_set_conf(NULL, done, done, 1),                 \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_sync_event_task_##name##_set_conf(event, NULL, done, 1),                \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_sync_event_task_##name##_set_conf(event, done, NULL, 1),                \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_sync_event_task_##name##_set_conf(event, done, done, 0),                \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_sync_event_task_##name##_set_conf(event, done, done, UINT32_MAX),       \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_OK(doca_sync_event_task_##name##_set_conf(event, done, done, 1));                \
	} while (0)

T_CASE(configuration_is_checked_and_needs_idle)
{
	struct doca_sync_event *event;
	struct async async;

	dev = kit_open(KIT_DPU);
	event = event_make(dev);
	CONF_REFUSED(get, get_done, event);
	CONF_REFUSED(notify_set, set_done, event);
	CONF_REFUSED(notify_add, add_done, event);
	CONF_REFUSED(wait_eq, eq_done, event);
	CONF_REFUSED(wait_neq, neq_done, event);
	async_start(&async, event);
	T_ERR(doca_sync_event_task_get_set_conf(event, get_done, get_done, 1),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_task_notify_set_set_conf(event, set_done, set_done, 1),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_task_notify_add_set_conf(event, add_done, add_done, 1),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_task_wait_eq_set_conf(event, eq_done, eq_done, 1),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_task_wait_neq_set_conf(event, neq_done, neq_done, 1),
	      DOCA_ERROR_BAD_STATE);
	finish(&async);
}

T_CASE(a_context_needs_locations_and_an_engine)
{
	struct doca_sync_event *event;
	struct async async;

	dev = kit_open(KIT_DPU);
	T_OK(doca_sync_event_create(&event));
	T_ERR(doca_ctx_start(doca_sync_event_as_ctx(event)), DOCA_ERROR_NOT_CONNECTED);
	async_open(&async, event);
	T_ERR(doca_ctx_start(async.ctx), DOCA_ERROR_BAD_CONFIG);
	T_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	T_OK(doca_ctx_start(async.ctx));
	finish(&async);
}

T_CASE(null_is_refused)
{
	struct doca_sync_event_task_get *get = NULL;
	struct doca_sync_event_task_notify_set *set = NULL;
	struct doca_sync_event_task_notify_add *add = NULL;
	struct doca_sync_event_task_wait_eq *eq = NULL;
	struct doca_sync_event_task_wait_neq *neq = NULL;
	struct doca_sync_event *event;
	struct async async;
	uint64_t value;

	open_started(&async);
	event = async.event;
	T_ERR(doca_sync_event_task_get_alloc_init(NULL, &value, none, &get),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_get_alloc_init(event, NULL, none, &get),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_get_alloc_init(event, &value, none, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_notify_set_alloc_init(NULL, 1, none, &set),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_notify_set_alloc_init(event, 1, none, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_notify_add_alloc_init(NULL, 1, &value, none, &add),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_notify_add_alloc_init(event, 1, NULL, none, &add),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_notify_add_alloc_init(event, 1, &value, none, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_wait_eq_alloc_init(NULL, 1, ALL, none, &eq),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_wait_eq_alloc_init(event, 1, ALL, none, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_wait_neq_alloc_init(NULL, 1, ALL, none, &neq),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_wait_neq_alloc_init(event, 1, ALL, none, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_CHECK(get == NULL && set == NULL && add == NULL && eq == NULL && neq == NULL);
	T_EQ(doca_sync_event_task_get_as_doca_task(NULL), 0);
	T_EQ(doca_sync_event_task_notify_set_as_doca_task(NULL), 0);
	T_EQ(doca_sync_event_task_notify_add_as_doca_task(NULL), 0);
	T_EQ(doca_sync_event_task_wait_eq_as_doca_task(NULL), 0);
	T_EQ(doca_sync_event_task_wait_neq_as_doca_task(NULL), 0);
	doca_sync_event_task_get_set_ret_val_ptr(NULL, &value);
	T_EQ(doca_sync_event_task_get_get_ret_val_ptr(NULL), 0);
	doca_sync_event_task_notify_set_set_set_val(NULL, 1);
	T_EQ(doca_sync_event_task_notify_set_get_set_val(NULL), 0);
	doca_sync_event_task_notify_add_set_inc_val(NULL, 1);
	T_EQ(doca_sync_event_task_notify_add_get_inc_val(NULL), 0);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(NULL, &value);
	T_EQ(doca_sync_event_task_notify_add_get_fetched_val_ptr(NULL), 0);
	doca_sync_event_task_wait_eq_set_wait_val(NULL, 1);
	T_EQ(doca_sync_event_task_wait_eq_get_wait_val(NULL), 0);
	doca_sync_event_task_wait_eq_set_mask(NULL, 1);
	T_EQ(doca_sync_event_task_wait_eq_get_mask(NULL), 0);
	doca_sync_event_task_wait_neq_set_wait_val(NULL, 1);
	T_EQ(doca_sync_event_task_wait_neq_get_wait_val(NULL), 0);
	doca_sync_event_task_wait_neq_set_mask(NULL, 1);
	T_EQ(doca_sync_event_task_wait_neq_get_mask(NULL), 0);
	finish(&async);
}

T_CASE(tasks_need_a_running_context_and_a_pool)
{
	struct doca_sync_event_task_notify_set *tasks[ASYNC_TASKS], *set;
	struct doca_sync_event_task_wait_eq *eq;
	struct doca_sync_event *event;
	struct async async;

	dev = kit_open(KIT_DPU);
	event = event_make(dev);
	async_open(&async, event);
	T_ERR(doca_sync_event_task_notify_set_alloc_init(event, 1, none, &set),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_task_wait_eq_alloc_init(event, 1, ALL, none, &eq),
	      DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_start(async.ctx));
	for (int i = 0; i < ASYNC_TASKS; i++)
		T_OK(doca_sync_event_task_notify_set_alloc_init(event, 1, none, &tasks[i]));
	T_ERR(doca_sync_event_task_notify_set_alloc_init(event, 1, none, &set),
	      DOCA_ERROR_NO_MEMORY);
	T_ERR(doca_ctx_stop(async.ctx), DOCA_ERROR_IN_PROGRESS);
	T_ERR(doca_task_submit(doca_sync_event_task_notify_set_as_doca_task(tasks[0])),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_task_notify_set_alloc_init(event, 1, none, &set),
	      DOCA_ERROR_BAD_STATE);
	for (int i = 0; i < ASYNC_TASKS; i++)
		doca_task_free(doca_sync_event_task_notify_set_as_doca_task(tasks[i]));
	finish(&async);
}

T_CASE(a_context_without_tasks_is_good_for_hosting)
{
	struct doca_sync_event_task_notify_set *set;
	struct doca_sync_event *event;
	struct doca_pe *pe;

	dev = kit_open(KIT_DPU);
	event = event_make(dev);
	T_OK(doca_pe_create(&pe));
	T_OK(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(event)));
	T_OK(doca_ctx_start(doca_sync_event_as_ctx(event)));
	T_ERR(doca_sync_event_task_notify_set_alloc_init(event, 1, none, &set),
	      DOCA_ERROR_NO_MEMORY);
	T_OK(doca_ctx_stop(doca_sync_event_as_ctx(event)));
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_pe_destroy(pe));
	T_OK(doca_dev_close(dev));
}

static uint64_t out;

static void check_out(struct async *async, struct doca_task *task)
{
	T_EQ(out, async->last_data);
	doca_task_free(task);
}

T_CASE(results_are_there_before_the_callback)
{
	struct async async;

	open_started(&async);
	async.on_task = check_out;
	out = 99;
	async_add(&async, 5, &out, 0);
	ASYNC_UNTIL(&async, async.ok == 1);
	out = 99;
	async_add(&async, ALL, &out, 5);
	ASYNC_UNTIL(&async, async.ok == 2);
	out = 99;
	async_get(&async, &out, 4);
	ASYNC_UNTIL(&async, async.ok == 3);
	T_EQ(async.failed, 0);
	finish(&async);
}

T_CASE(tasks_act_and_complete_in_their_order)
{
	uint64_t got[3], before[2];
	struct async async;
	size_t inflight;

	open_started(&async);
	async_get(&async, &got[0], 0);
	async_set(&async, 10, 1);
	async_get(&async, &got[1], 2);
	async_add(&async, 1, &before[0], 3);
	async_add(&async, 1, &before[1], 4);
	async_get(&async, &got[2], 5);
	T_OK(doca_ctx_get_num_inflight_tasks(async.ctx, &inflight));
	T_EQ(inflight, 6);
	T_EQ(async.ok, 0);
	ASYNC_UNTIL(&async, async.ok == 6);
	T_EQ(async.last_data, 5);
	T_EQ(got[0], 0);
	T_EQ(got[1], 10);
	T_EQ(before[0], 10);
	T_EQ(before[1], 11);
	T_EQ(got[2], 12);
	finish(&async);
}

T_CASE(fields_are_changed_between_two_runs)
{
	struct doca_sync_event_task_notify_set *set;
	struct doca_sync_event_task_notify_add *add;
	struct doca_sync_event_task_get *get;
	uint64_t first = 0, second = 0;
	struct async async;

	open_started(&async);
	async.keep = true;
	set = (void *)async_set(&async, 3, 0);
	add = (void *)async_add(&async, 1, &first, 0);
	get = (void *)async_get(&async, &first, 0);
	T_EQ(doca_sync_event_task_notify_set_get_set_val(set), 3);
	T_EQ(doca_sync_event_task_notify_add_get_inc_val(add), 1);
	T_EQ(doca_sync_event_task_notify_add_get_fetched_val_ptr(add), &first);
	T_EQ(doca_sync_event_task_get_get_ret_val_ptr(get), &first);
	ASYNC_UNTIL(&async, async.ok == 3);
	T_EQ(first, 4);
	doca_sync_event_task_notify_set_set_set_val(set, 30);
	doca_sync_event_task_notify_add_set_inc_val(add, 12);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(add, &second);
	doca_sync_event_task_get_set_ret_val_ptr(get, &first);
	T_OK(doca_task_submit(doca_sync_event_task_notify_set_as_doca_task(set)));
	T_OK(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(add)));
	T_OK(doca_task_submit(doca_sync_event_task_get_as_doca_task(get)));
	ASYNC_UNTIL(&async, async.ok == 6);
	T_EQ(second, 30);
	T_EQ(first, 42);
	doca_sync_event_task_get_set_ret_val_ptr(get, NULL);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(add, NULL);
	T_ERR(doca_task_submit(doca_sync_event_task_get_as_doca_task(get)),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(add)),
	      DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_sync_event_task_notify_set_as_doca_task(set));
	doca_task_free(doca_sync_event_task_notify_add_as_doca_task(add));
	doca_task_free(doca_sync_event_task_get_as_doca_task(get));
	finish(&async);
}

T_CASE(conditions_are_judged_when_made_and_when_submitted)
{
	struct doca_sync_event_task_wait_neq *neq;
	struct doca_sync_event_task_wait_eq *eq;
	struct doca_sync_event *event;
	struct async async;

	open_started(&async);
	event = async.event;
	T_ERR(doca_sync_event_task_wait_eq_alloc_init(event, 1, 0xfff, none, &eq),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_wait_eq_alloc_init(event, 0x100, 0xff, none, &eq),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_sync_event_task_wait_neq_alloc_init(event, 0, 0, none, &neq),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_sync_event_task_wait_eq_alloc_init(event, 1, ALL, none, &eq));
	T_OK(doca_sync_event_task_wait_neq_alloc_init(event, 1, ALL, none, &neq));
	T_EQ(doca_sync_event_task_wait_eq_get_wait_val(eq), 1);
	T_EQ(doca_sync_event_task_wait_neq_get_mask(neq), ALL);
	doca_sync_event_task_wait_eq_set_mask(eq, 0xff00);
	doca_sync_event_task_wait_neq_set_mask(neq, 3);
	T_ERR(doca_task_submit(doca_sync_event_task_wait_eq_as_doca_task(eq)),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_task_submit(doca_sync_event_task_wait_neq_as_doca_task(neq)),
	      DOCA_ERROR_INVALID_VALUE);
	doca_sync_event_task_wait_eq_set_wait_val(eq, 0);
	doca_sync_event_task_wait_neq_set_mask(neq, 0xffff);
	doca_sync_event_task_wait_neq_set_wait_val(neq, 9);
	T_EQ(doca_sync_event_task_wait_neq_get_wait_val(neq), 9);
	T_EQ(doca_sync_event_task_wait_eq_get_mask(eq), 0xff00);
	T_OK(doca_task_submit(doca_sync_event_task_wait_eq_as_doca_task(eq)));
	T_OK(doca_task_submit(doca_sync_event_task_wait_neq_as_doca_task(neq)));
	ASYNC_UNTIL(&async, async.ok == 2);
	finish(&async);
}

T_CASE(each_wait_ends_when_its_condition_holds)
{
	struct async async;

	open_started(&async);
	async_wait_eq(&async, 2, ALL, 1);
	async_wait_neq(&async, 0, ALL, 2);
	async_wait_eq(&async, 0x0100, 0xff00, 3);
	drain(&async);
	T_EQ(async.ok, 0);
	async_set(&async, 1, 4);
	drain(&async);
	/* the set and the wait for another number than 0 */
	T_EQ(async.ok, 2);
	async_set(&async, 2, 5);
	drain(&async);
	T_EQ(async.ok, 4);
	async_set(&async, 0x0177, 6);
	drain(&async);
	T_EQ(async.ok, 6);
	T_EQ(async.last_data, 3);
	/* one that holds already */
	async_wait_eq(&async, 0x77, 0xff, 7);
	drain(&async);
	T_EQ(async.ok, 7);
	finish(&async);
}

static void *publish(void *arg)
{
	for (uint64_t n = 1; n <= 100; n++) {
		uint64_t deadline = t_deadline(10000);

		/* the engine answers each of ours with the next */
		__atomic_store_n((uint64_t *)arg, 2 * n - 1, __ATOMIC_RELEASE);
		while (__atomic_load_n((uint64_t *)arg, __ATOMIC_ACQUIRE) != 2 * n)
			if (t_expired(deadline))
				T_FAIL("no answer to %d", (int)n);
	}
	return NULL;
}

static void answer(struct async *async, struct doca_task *task)
{
	uint64_t n = async->last_data;

	doca_task_free(task);
	if (n % 2 != 0)
		async_set(async, n + 1, 0);
	else if (async->ok < 200)
		async_wait_eq(async, async->ok + 1, ALL, async->ok + 1);
}

T_CASE(a_wait_sees_what_another_thread_writes)
{
	static _Alignas(8) uint64_t word;
	struct async async;
	pthread_t thread;

	open_started_at(&async, &word);
	async.on_task = answer;
	async_wait_eq(&async, 1, ALL, 1);
	T_EQ(pthread_create(&thread, NULL, publish, &word), 0);
	ASYNC_UNTIL(&async, async.ok == 200);
	T_EQ(pthread_join(thread, NULL), 0);
	T_EQ(word, 200);
	finish(&async);
}

/* Waits for the handle as programs do; how often it was woken for nothing is not counted. */
static void sleep_until_done(struct async *async, uint32_t ok)
{
	doca_notification_handle_t handle;
	uint64_t deadline = t_deadline(10000);

	T_OK(doca_pe_get_notification_handle(async->pe, &handle));
	for (;;) {
		struct pollfd fd = {.fd = handle, .events = POLLIN};

		drain(async);
		if (async->ok == ok)
			return;
		if (t_expired(deadline))
			T_FAIL("%u tasks of %u", async->ok, ok);
		T_OK(doca_pe_request_notification(async->pe));
		T_EQ(poll(&fd, 1, 10000), 1);
		T_OK(doca_pe_clear_notification(async->pe, handle));
	}
}

static void *publish_late(void *arg)
{
	for (int i = 0; i < 200; i++)
		t_relax(100);
	__atomic_store_n((uint64_t *)arg, 1, __ATOMIC_RELEASE);
	return NULL;
}

T_CASE(a_sleeping_engine_wakes_up_to_look)
{
	static _Alignas(8) uint64_t word;
	struct pollfd fd = {.events = POLLIN};
	struct async async;
	pthread_t thread;

	open_started_at(&async, &word);
	async_wait_neq(&async, 0, ALL, 0);
	T_EQ(pthread_create(&thread, NULL, publish_late, &word), 0);
	sleep_until_done(&async, 1);
	T_EQ(pthread_join(thread, NULL), 0);
	/* nothing to look for any more: it sleeps on */
	T_OK(doca_pe_get_notification_handle(async.pe, &fd.fd));
	T_OK(doca_pe_request_notification(async.pe));
	T_EQ(poll(&fd, 1, 50), 0);
	finish(&async);
}

T_CASE(stop_flushes_waits)
{
	struct async async;

	open_started(&async);
	async_wait_eq(&async, 1, ALL, 1);
	async_wait_neq(&async, 0, ALL, 2);
	drain(&async);
	T_ERR(doca_ctx_stop(async.ctx), DOCA_ERROR_IN_PROGRESS);
	T_EQ(async.failed, 0);
	drain(&async);
	T_EQ(async.failed, 2);
	T_EQ(async.last, DOCA_ERROR_SHUTDOWN);
	T_EQ(async.ok, 0);
	finish(&async);
}

static void stop_from_callback(struct async *async, struct doca_task *task)
{
	doca_task_free(task);
	if (async->ok == 1 && async->failed == 0)
		T_ERR(doca_ctx_stop(async->ctx), DOCA_ERROR_IN_PROGRESS);
}

T_CASE(stop_inside_a_callback)
{
	struct async async;

	open_started(&async);
	async.on_task = stop_from_callback;
	async_wait_eq(&async, 1, ALL, 1);
	async_wait_eq(&async, 2, ALL, 2);
	async_set(&async, 1, 3);
	ASYNC_UNTIL(&async, async.ok + async.failed == 3);
	finish(&async);
}

T_CASE(a_wait_that_is_freed_ends_silently)
{
	struct async async;
	size_t inflight;

	open_started(&async);
	doca_task_free(async_wait_eq(&async, 1, ALL, 1));
	async_wait_eq(&async, 1, ALL, 2);
	drain(&async);
	T_OK(doca_ctx_get_num_inflight_tasks(async.ctx, &inflight));
	T_EQ(inflight, 1);
	async_set(&async, 1, 3);
	drain(&async);
	T_EQ(async.ok, 2);
	T_EQ(async.last_data, 2);
	/* freed before its callback, it has acted all the same */
	doca_task_free(async_set(&async, 5, 4));
	async_wait_eq(&async, 5, ALL, 5);
	drain(&async);
	T_EQ(async.ok, 3);
	finish(&async);
}

static void resubmit(struct async *async, struct doca_task *task)
{
	if (async->ok < 10)
		T_OK(doca_task_submit(task));
	else
		doca_task_free(task);
}

T_CASE(resubmitted_inside_the_callback)
{
	struct async async;
	uint64_t fetched;

	open_started(&async);
	async.on_task = resubmit;
	async_add(&async, 1, &fetched, 0);
	ASYNC_UNTIL(&async, async.ok == 10);
	T_EQ(fetched, 9);
	drain(&async);
	T_EQ(async.ok, 10);
	finish(&async);
}

T_CASE(it_runs_again_with_a_new_counter)
{
	struct async async;
	uint64_t value;

	open_started(&async);
	async_set(&async, 8, 0);
	ASYNC_UNTIL(&async, async.ok == 1);
	T_OK(doca_ctx_stop(async.ctx));
	T_OK(doca_ctx_start(async.ctx));
	value = 99;
	async_get(&async, &value, 0);
	ASYNC_UNTIL(&async, async.ok == 2);
	T_EQ(value, 0);
	finish(&async);
}

T_CASE(memory_that_is_gone_fails_tasks_and_not_the_context)
{
	uint64_t *word = event_memory();
	enum doca_ctx_states state;
	struct async async;
	uint64_t value = 6;

	open_started_at(&async, word);
	async_wait_eq(&async, 1, ALL, 0);
	drain(&async);
	event_memory_gone(word);
	async_get(&async, &value, 0);
	async_set(&async, 1, 0);
	ASYNC_UNTIL(&async, async.failed == 3);
	T_EQ(async.last, DOCA_ERROR_IO_FAILED);
	T_EQ(value, 6);
	T_OK(doca_ctx_get_state(async.ctx, &state));
	T_EQ(state, DOCA_CTX_STATE_RUNNING);
	finish(&async);
}

/* No timer can be had then; the engine must not sleep for ever. */
T_CASE(a_sleeping_engine_looks_without_a_free_descriptor_too)
{
	static _Alignas(8) uint64_t word;
	struct rlimit before, few;
	struct async async;
	pthread_t thread;

	open_started_at(&async, &word);
	async_wait_neq(&async, 0, ALL, 0);
	T_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 3;
	T_EQ(pthread_create(&thread, NULL, publish_late, &word), 0);
	T_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
	sleep_until_done(&async, 1);
	T_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
	T_EQ(pthread_join(thread, NULL), 0);
	finish(&async);
}
