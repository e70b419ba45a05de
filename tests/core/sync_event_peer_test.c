/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events whose other side dies, or stops them.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include "core/event_pair.h"

/* Exports and waits to be killed. */
static int victim(const struct event_plan *plan, int fd)
{
	pair_exported(plan, fd);
	pair_hear(fd);
	return 0;
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static pid_t victim_pid;
static uint64_t killed_at;

static void *kill_soon(void *arg)
{
	(void)arg;
	for (int i = 0; i < 100; i++)
		t_relax(100);
	killed_at = now_ms();
	kill(victim_pid, SIGKILL);
	return NULL;
}

/* A bound for slow machines; what is promised is 100 ms. */
static void check_prompt(pthread_t killer, uint64_t seen_at)
{
	uint64_t took;

	T_EQ(pthread_join(killer, NULL), 0);
	took = seen_at - killed_at;

	if (took > 100)
		printf("# death was seen after %u ms\n", (unsigned int)took);
	T_CHECK(took < t_deadline(2000) - t_deadline(0));
}

static void outlive(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, victim);
	struct doca_sync_event *event = pair_imported(plan, peer.fd);
	uint64_t value = 8;
	pthread_t thread;

	victim_pid = peer.pid;
	T_OK(doca_sync_event_start(event));
	T_EQ(pthread_create(&thread, NULL, kill_soon, NULL), 0);
	T_ERR(doca_sync_event_wait_gt(event, 3, ALL), DOCA_ERROR_CONNECTION_RESET);
	check_prompt(thread, now_ms());
	T_ERR(doca_sync_event_get(event, &value), DOCA_ERROR_CONNECTION_RESET);
	T_ERR(doca_sync_event_update_set(event, 1), DOCA_ERROR_CONNECTION_RESET);
	T_ERR(doca_sync_event_update_add(event, 1, &value), DOCA_ERROR_CONNECTION_RESET);
	T_ERR(doca_sync_event_wait_eq_yield(event, 3, ALL), DOCA_ERROR_CONNECTION_RESET);
	T_EQ(value, 8);
	pair_finish(event);
}

T_CASE_TIMEOUT(a_wait_ends_when_the_exporter_is_killed, 120)
{
	pair_each_window(pair_to_dpu, outlive);
}

static void outlive_with_tasks(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, victim);
	struct async async;
	enum doca_ctx_states state;
	uint64_t value = 8;
	pthread_t thread;

	victim_pid = peer.pid;
	async_start(&async, pair_imported(plan, peer.fd));
	async_wait_eq(&async, 3, ALL, 0);
	async_wait_neq(&async, 0, ALL, 0);
	T_EQ(pthread_create(&thread, NULL, kill_soon, NULL), 0);
	ASYNC_UNTIL(&async, async.failed == 2);
	check_prompt(thread, now_ms());
	T_EQ(async.last, DOCA_ERROR_CONNECTION_RESET);
	async_get(&async, &value, 0);
	async_set(&async, 1, 0);
	ASYNC_UNTIL(&async, async.failed == 4);
	T_EQ(async.last, DOCA_ERROR_CONNECTION_RESET);
	T_EQ(value, 8);
	T_OK(doca_ctx_get_state(async.ctx, &state));
	T_EQ(state, DOCA_CTX_STATE_RUNNING);
	async_close(&async);
	T_OK(doca_dev_close(pair_dev));
}

T_CASE_TIMEOUT(tasks_fail_when_the_exporter_is_killed, 120)
{
	pair_each_window(pair_to_dpu, outlive_with_tasks);
}

/* Stops its event when it is told to, starts it again and sends a new export. */
static int restarter(const struct event_plan *plan, int fd)
{
	struct doca_sync_event *event = pair_exported(plan, fd);

	pair_hear(fd);
	for (int i = 0; i < 50; i++)
		t_relax(100);
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_start(event));
	pair_send_export(event, fd);
	pair_hear(fd);
	T_EQ(event_get(event), 5);
	pair_finish(event);
	return 0;
}

static void lose_and_find(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, restarter);
	struct doca_sync_event *event = pair_imported(plan, peer.fd), *anew;

	T_OK(doca_sync_event_start(event));
	pair_tell(peer.fd);
	T_ERR(doca_sync_event_wait_eq(event, 3, ALL), DOCA_ERROR_NOT_PERMITTED);
	anew = pair_imported(plan, peer.fd);
	T_ERR(doca_sync_event_update_set(event, 9), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_sync_event_start(anew));
	T_OK(doca_sync_event_update_set(anew, 5));
	pair_tell(peer.fd);
	T_EQ(t_wait(peer.pid, 10000), 0);
	pair_finish(event);
	pair_finish(anew);
}

T_CASE_TIMEOUT(an_export_ends_with_the_exporters_stop, 120)
{
	pair_each_window(pair_to_dpu, lose_and_find);
}

/* Waits with tasks until it is killed. */
static int importing_victim(const struct event_plan *plan, int fd)
{
	struct async async;

	async_start(&async, pair_imported(plan, fd));
	async_wait_eq(&async, 3, ALL, 0);
	pair_tell(fd);
	ASYNC_UNTIL(&async, async.ok == 1);
	return 0;
}

static void lose_an_importer(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, importing_victim);
	struct doca_sync_event *event = pair_exported(plan, peer.fd);

	pair_hear(peer.fd);
	kill(peer.pid, SIGKILL);
	T_EQ(t_wait(peer.pid, 10000), 128 + SIGKILL);
	T_EQ(event_add(event, 1), 0);
	pair_finish(event);
}

T_CASE_TIMEOUT(an_importer_that_is_killed_leaves_the_event_alone, 120)
{
	pair_each_window(pair_to_dpu, lose_an_importer);
}

/* Its counter lies in memory that goes away while the event is started. */
static int forgetter(const struct event_plan *plan, int fd)
{
	uint64_t *word = event_memory();
	struct doca_sync_event *event;

	pair_dev = kit_open(plan->exporter);
	event = event_make_pci(pair_dev);
	T_OK(doca_sync_event_set_addr(event, word));
	T_OK(doca_sync_event_start(event));
	pair_send_export(event, fd);
	pair_hear(fd);
	event_memory_gone(word);
	pair_tell(fd);
	pair_hear(fd);
	pair_finish(event);
	return 0;
}

static void use_forgotten_memory(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, forgetter);
	struct doca_sync_event *event = pair_imported(plan, peer.fd);
	uint64_t value = 8;

	T_OK(doca_sync_event_start(event));
	T_EQ(event_add(event, 1), 0);
	pair_tell(peer.fd);
	pair_hear(peer.fd);
	T_ERR(doca_sync_event_get(event, &value), DOCA_ERROR_IO_FAILED);
	T_ERR(doca_sync_event_update_set(event, 1), DOCA_ERROR_IO_FAILED);
	T_ERR(doca_sync_event_wait_gt(event, 3, ALL), DOCA_ERROR_IO_FAILED);
	T_EQ(value, 8);
	pair_tell(peer.fd);
	T_EQ(t_wait(peer.pid, 10000), 0);
	pair_finish(event);
}

T_CASE_TIMEOUT(the_exporters_memory_may_be_gone, 120)
{
	pair_each_window(pair_to_dpu, use_forgotten_memory);
}

/* Stopped, its agent answers nobody; what needs no answer goes on. Who is let go is dead before the
 * device is closed, which cleans up behind it. */
static void stop_process(const struct event_peer *peer)
{
	siginfo_t info;

	T_EQ(kill(peer->pid, SIGSTOP), 0);
	T_EQ(waitid(P_PID, (id_t)peer->pid, &info, WSTOPPED | WNOWAIT), 0);
}

static void let_go(const struct event_peer *peer)
{
	T_EQ(kill(peer->pid, SIGKILL), 0);
	T_EQ(t_wait(peer->pid, 10000), 128 + SIGKILL);
}

static void flush_unanswered(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, victim);
	uint64_t *forgotten = event_memory(), before = 8;
	struct async async;

	async_start(&async, pair_imported(plan, peer.fd));
	stop_process(&peer);
	doca_task_free(async_get(&async, forgotten, 0));
	event_memory_gone(forgotten);
	async_add(&async, 1, &before, 0);
	async_wait_eq(&async, 7, ALL, 0);
	for (int i = 0; i < 1000; i++)
		doca_pe_progress(async.pe);
	T_EQ(async.failed, 0);
	T_ERR(doca_ctx_stop(async.ctx), DOCA_ERROR_IN_PROGRESS);
	ASYNC_UNTIL(&async, async.ok + async.failed == 2);
	T_EQ(async.last, DOCA_ERROR_SHUTDOWN);
	T_EQ(before, async.ok == 0 ? 8 : 0);
	async_close(&async);
	let_go(&peer);
	T_OK(doca_dev_close(pair_dev));
}

T_CASE_TIMEOUT(stop_flushes_what_a_stopped_exporter_does_not_answer, 120)
{
	pair_each_window(pair_to_dpu, flush_unanswered);
}

static void *wait_for_ever(void *event)
{
	doca_error_t result = doca_sync_event_wait_eq_yield(event, 7, ALL);

	/* it may also have come too late */
	T_CHECK(result == DOCA_ERROR_SHUTDOWN || result == DOCA_ERROR_BAD_STATE);
	return NULL;
}

static void stop_a_waiter(const struct event_plan *plan)
{
	struct event_peer peer = pair_start(plan, victim);
	struct doca_sync_event *event = pair_imported(plan, peer.fd);
	pthread_t thread;

	T_OK(doca_sync_event_start(event));
	T_EQ(pthread_create(&thread, NULL, wait_for_ever, event), 0);
	for (int i = 0; i < 100; i++)
		t_relax(100);
	stop_process(&peer);
	T_OK(doca_sync_event_stop(event));
	T_EQ(pthread_join(thread, NULL), 0);
	T_OK(doca_sync_event_destroy(event));
	let_go(&peer);
	T_OK(doca_dev_close(pair_dev));
}

T_CASE_TIMEOUT(stop_ends_a_wait_that_a_stopped_exporter_does_not_answer, 120)
{
	pair_each_window(pair_to_dpu, stop_a_waiter);
}
