/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Notification completions: one device thread runs another.
 */
#include <doca_dpa_dev.h>

#include "dpa/kit.h"

#define NULL_REFUSED(call) T_ERR(call, DOCA_ERROR_INVALID_VALUE)

static struct {
	struct doca_dpa *dpa;
	struct doca_dpa_thread *thread;
	struct doca_dpa_notification_completion *comp;
	doca_dpa_dev_notification_completion_t handle;
	uint32_t runs; /* atomic */
} bell;

KIT_GLOBAL(count_runs)
{
	__atomic_fetch_add(&bell.runs, 1, __ATOMIC_RELEASE);
	doca_dpa_dev_thread_reschedule();
}

KIT_GLOBAL(run_once)
{
	__atomic_fetch_add(&bell.runs, 1, __ATOMIC_RELEASE);
	doca_dpa_dev_thread_finish();
}

KIT_RPC(ring)
{
	doca_dpa_dev_thread_notify(arg);
	return 0;
}

static uint32_t runs(void)
{
	return __atomic_load_n(&bell.runs, __ATOMIC_ACQUIRE);
}

static void bell_open(doca_dpa_func_t *kernel)
{
	bell.dpa = kit_dpa(KIT_DPU);
	bell.thread = kit_thread(bell.dpa, kernel, 0);
	T_OK(doca_dpa_notification_completion_create(bell.dpa, bell.thread, &bell.comp));
	T_OK(doca_dpa_notification_completion_start(bell.comp));
	T_OK(doca_dpa_notification_completion_get_dpa_handle(bell.comp, &bell.handle));
}

static void bell_close(void)
{
	T_OK(doca_dpa_notification_completion_destroy(bell.comp));
	T_OK(doca_dpa_thread_destroy(bell.thread));
	kit_dpa_end(bell.dpa);
}

T_CASE(null_is_refused)
{
	struct doca_dpa_notification_completion *other = NULL;
	struct doca_dpa_thread *thread;

	bell_open(KIT_FUNC(count_runs));
	NULL_REFUSED(doca_dpa_notification_completion_create(NULL, bell.thread, &other));
	NULL_REFUSED(doca_dpa_notification_completion_create(bell.dpa, NULL, &other));
	NULL_REFUSED(doca_dpa_notification_completion_create(bell.dpa, bell.thread, NULL));
	NULL_REFUSED(doca_dpa_notification_completion_destroy(NULL));
	NULL_REFUSED(doca_dpa_notification_completion_get_thread(NULL, &thread));
	NULL_REFUSED(doca_dpa_notification_completion_get_thread(bell.comp, NULL));
	NULL_REFUSED(doca_dpa_notification_completion_start(NULL));
	NULL_REFUSED(doca_dpa_notification_completion_stop(NULL));
	NULL_REFUSED(doca_dpa_notification_completion_get_dpa_handle(NULL, &bell.handle));
	NULL_REFUSED(doca_dpa_notification_completion_get_dpa_handle(bell.comp, NULL));
	T_CHECK(other == NULL);
	bell_close();
}

T_CASE(states)
{
	struct doca_dpa_thread *idle, *got;

	bell_open(KIT_FUNC(count_runs));
	T_OK(doca_dpa_notification_completion_get_thread(bell.comp, &got));
	T_CHECK(got == bell.thread);
	T_ERR(doca_dpa_notification_completion_start(bell.comp), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_notification_completion_stop(bell.comp));
	T_ERR(doca_dpa_notification_completion_stop(bell.comp), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_notification_completion_get_dpa_handle(bell.comp, &bell.handle),
	      DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_notification_completion_destroy(bell.comp));
	T_OK(doca_dpa_thread_create(bell.dpa, &idle));
	T_OK(doca_dpa_notification_completion_create(bell.dpa, idle, &bell.comp));
	T_ERR(doca_dpa_notification_completion_start(bell.comp), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_thread_destroy(idle));
	bell_close();
}

T_CASE(a_notification_runs_the_thread)
{
	bell_open(KIT_FUNC(count_runs));
	T_OK(doca_dpa_thread_run(bell.thread));
	for (uint32_t i = 1; i <= 200; i++) {
		kit_rpc(bell.dpa, KIT_FUNC(ring), bell.handle);
		T_EVENTUALLY(runs() == i, 5000);
	}
	bell_close();
}

T_CASE(a_notification_before_run_counts)
{
	bell_open(KIT_FUNC(count_runs));
	kit_rpc(bell.dpa, KIT_FUNC(ring), bell.handle);
	T_EQ(runs(), 0);
	T_OK(doca_dpa_thread_run(bell.thread));
	T_EVENTUALLY(runs() == 1, 5000);
	bell_close();
}

T_CASE(a_thread_that_has_finished_stays_so)
{
	bell_open(KIT_FUNC(run_once));
	T_OK(doca_dpa_thread_run(bell.thread));
	kit_rpc(bell.dpa, KIT_FUNC(ring), bell.handle);
	T_EVENTUALLY(runs() == 1, 5000);
	for (int i = 0; i < 20; i++)
		kit_rpc(bell.dpa, KIT_FUNC(ring), bell.handle);
	T_EQ(runs(), 1);
	bell_close();
}

/* Two threads that run each other, as long as there are turns. */
static struct {
	doca_dpa_dev_notification_completion_t next;
	uint32_t left;
} turns[2];

KIT_GLOBAL(pass_on)
{
	__atomic_fetch_add(&bell.runs, 1, __ATOMIC_RELEASE);
	if (turns[arg].left-- > 0)
		doca_dpa_dev_thread_notify(turns[arg].next);
	doca_dpa_dev_thread_reschedule();
}

T_CASE(threads_run_each_other)
{
	struct doca_dpa_notification_completion *comps[2];
	struct doca_dpa_thread *threads[2];

	bell.dpa = kit_dpa(KIT_DPU);
	for (uint64_t i = 0; i < 2; i++) {
		threads[i] = kit_thread(bell.dpa, KIT_FUNC(pass_on), i);
		T_OK(doca_dpa_notification_completion_create(bell.dpa, threads[i], &comps[i]));
		T_OK(doca_dpa_notification_completion_start(comps[i]));
		T_OK(doca_dpa_notification_completion_get_dpa_handle(comps[i], &turns[1 - i].next));
		turns[i].left = 500;
	}
	for (int i = 0; i < 2; i++)
		T_OK(doca_dpa_thread_run(threads[i]));
	kit_rpc(bell.dpa, KIT_FUNC(ring), turns[1].next);
	T_EVENTUALLY(runs() == 1001, 20000);
	for (int i = 0; i < 2; i++) {
		T_OK(doca_dpa_notification_completion_destroy(comps[i]));
		T_OK(doca_dpa_thread_destroy(threads[i]));
	}
	kit_dpa_end(bell.dpa);
}

T_CASE(without_its_context_it_can_do_nothing)
{
	static struct doca_dpa_thread *thread; /* reachable: no leak to a checker */

	bell_open(KIT_FUNC(count_runs));
	thread = bell.thread;
	kit_dpa_end(bell.dpa);
	T_ERR(doca_dpa_notification_completion_stop(bell.comp), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_notification_completion_destroy(bell.comp), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_destroy(thread), DOCA_ERROR_BAD_STATE);
}
