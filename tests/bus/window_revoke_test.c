/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of windows and of those who use them: revocation, death and stopping on either side.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/log.h"
#include "bus/window_rig.h"
#include "t.h"

#define LEN 60000
#define THREADS 4

/* Threads write the same pattern over and over, each its own part, through one reach. */
struct writer {
	pthread_t thread;
	struct writers *all;
	size_t from;
};

struct writers {
	struct writer writer[THREADS];
	struct sdpu_reach *reach;
	struct rig_window window;
	uint8_t *local;
	uint32_t copies; /* that succeeded */
	uint32_t failed; /* threads whose copies fail */
	uint32_t stop;
	doca_error_t expected; /* of the failing ones */
};

static void *write_always(void *arg)
{
	struct writer *writer = arg;
	struct writers *writers = writer->all;
	bool failed = false;

	while (!sdpu_load_acquire(&writers->stop)) {
		doca_error_t result =
			rig_copy(writers->reach, SDPU_COPY_PUT, writers->window.addr + writer->from,
				 writers->local + writer->from, LEN / THREADS);

		if (result == DOCA_SUCCESS) {
			T_CHECK(!failed);
			sdpu_fetch_add(&writers->copies, 1);
		} else {
			T_ERR(result, writers->expected);
			if (!failed)
				sdpu_fetch_add(&writers->failed, 1);
			failed = true;
		}
	}
	return NULL;
}

static void writers_start(struct writers *writers)
{
	writers->local = malloc(LEN);
	writers->copies = writers->failed = writers->stop = 0;
	rig_pattern_fill(2, 0, writers->local, LEN);
	for (int i = 0; i < THREADS; i++) {
		struct writer *writer = &writers->writer[i];

		writer->all = writers;
		writer->from = (size_t)(LEN / THREADS * i);
		T_EQ(pthread_create(&writer->thread, NULL, write_always, writer), 0);
	}
	T_EVENTUALLY(sdpu_load_acquire(&writers->copies) > 3 * THREADS, 10000);
}

static void writers_stop(struct writers *writers)
{
	sdpu_store_release(&writers->stop, 1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(writers->writer[i].thread, NULL);
	free(writers->local);
}

static void for_each_kind(void (*check)(int forced))
{
	for (int forced = 0; forced < 4; forced++) {
		rig_force(rig_kinds[forced]);
		check(forced);
	}
}

static enum rig_memory memory_for(int forced)
{
	return forced == 0 ? RIG_SHARED : RIG_HEAP;
}

/* Once the owner has withdrawn the window, what it writes there stays. */
static void check_withdrawn(struct writers *writers, bool in_time)
{
	rig_fill(9);
	T_EVENTUALLY(sdpu_load_acquire(&writers->failed) == THREADS, 10000);
	for (int i = 0; in_time && i < 20; i++)
		rig_expect(9, 0, LEN);
	writers_stop(writers);
	T_CHECK(!sdpu_reach_live(writers->reach));
	sdpu_reach_close(writers->reach);
}

static void check_destroy(int forced)
{
	struct writers writers = {.expected = DOCA_ERROR_NOT_PERMITTED};

	rig_window(memory_for(forced), LEN, RIG_PERMS, &writers.window);
	T_OK(sdpu_reach_import("test", writers.window.endpoint, writers.window.key,
			       &writers.reach));
	writers_start(&writers);
	check_withdrawn(&writers, rig_destroy());
}

T_CASE_TIMEOUT(destroy_under_copies, 60)
{
	rig_start();
	for_each_kind(check_destroy);
	rig_stop();
}

static void check_revoke(int forced)
{
	struct writers writers = {.expected = DOCA_ERROR_NOT_PERMITTED};
	struct sdpu_reach *other;
	uint8_t byte = 0;

	rig_window(memory_for(forced), LEN, RIG_PERMS, &writers.window);
	T_OK(sdpu_reach_import("test", writers.window.endpoint, writers.window.key, &other));
	T_OK(rig_grant(&writers.reach));
	writers_start(&writers);
	check_withdrawn(&writers, rig_revoke());
	/* Others keep theirs. */
	T_OK(rig_copy(other, SDPU_COPY_GET, writers.window.addr, &byte, 1));
	sdpu_reach_close(other);
	rig_destroy();
}

T_CASE_TIMEOUT(revoke_one_under_copies, 60)
{
	rig_start();
	for_each_kind(check_revoke);
	rig_stop();
}

static void check_order(int forced)
{
	struct rig_window window;
	struct sdpu_reach *reach;
	uint8_t byte = 0;

	rig_window(memory_for(forced), LEN, RIG_PERMS, &window);
	T_OK(rig_grant(&reach));
	rig_destroy();
	T_ERR(rig_copy(reach, SDPU_COPY_PUT, window.addr, &byte, 1), DOCA_ERROR_NOT_PERMITTED);
	rig_revoke();
	T_ERR(rig_copy(reach, SDPU_COPY_PUT, window.addr, &byte, 1), DOCA_ERROR_NOT_PERMITTED);
	sdpu_reach_close(reach);
}

T_CASE(a_grant_outlives_its_window)
{
	rig_start();
	for_each_kind(check_order);
	rig_stop();
}

static void check_owner_killed(int forced, bool by_key)
{
	struct writers writers = {.expected = DOCA_ERROR_CONNECTION_RESET};
	pid_t owner = rig_start();

	rig_force(rig_kinds[forced]);
	rig_window(memory_for(forced), LEN, RIG_PERMS, &writers.window);
	if (by_key)
		T_OK(sdpu_reach_import("test", writers.window.endpoint, writers.window.key,
				       &writers.reach));
	else
		T_OK(rig_grant(&writers.reach));
	writers_start(&writers);
	kill(owner, SIGKILL);
	T_EVENTUALLY(sdpu_load_acquire(&writers.failed) == THREADS, 10000);
	writers_stop(&writers);
	T_EVENTUALLY(!sdpu_reach_live(writers.reach), 10000);
	sdpu_reach_close(writers.reach);
	T_EQ(t_wait(owner, 10000), 128 + SIGKILL);
	sdpu_agent_put();
}

T_CASE(owner_killed_mapped)
{
	check_owner_killed(0, true);
}

T_CASE(owner_killed_cross)
{
	check_owner_killed(1, true);
}

T_CASE(owner_killed_handed)
{
	check_owner_killed(2, true);
}

T_CASE(owner_killed_served)
{
	check_owner_killed(3, true);
}

T_CASE(owner_of_a_grant_killed_mapped)
{
	check_owner_killed(0, false);
}

T_CASE(owner_of_a_grant_killed_cross)
{
	check_owner_killed(1, false);
}

T_CASE(owner_of_a_grant_killed_handed)
{
	check_owner_killed(2, false);
}

T_CASE(owner_of_a_grant_killed_served)
{
	check_owner_killed(3, false);
}

static void stop(pid_t pid)
{
	int status;

	kill(pid, SIGSTOP);
	T_EQ(waitpid(pid, &status, WUNTRACED), pid);
	T_CHECK(WIFSTOPPED(status));
}

/* A stopped owner is no obstacle to whoever reaches its memory without it. */
T_CASE(owner_stopped)
{
	pid_t owner = rig_start();
	struct sdpu_reach *reaches[4];
	struct rig_window window;
	uint8_t byte = 1;
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	struct sdpu_copy copies[6];

	rig_window(RIG_SHARED, LEN, RIG_PERMS, &window);
	for (int i = 0; i < 4; i++) {
		rig_force(rig_kinds[i]);
		T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reaches[i]));
	}
	stop(owner);
	for (int i = 0; i < 3; i++)
		T_OK(rig_copy(reaches[i], SDPU_COPY_PUT, window.addr, &byte, 1));
	/* More than there is staging for. */
	for (int i = 0; i < 6; i++) {
		copies[i] = (struct sdpu_copy){.reach = reaches[3],
					       .direction = SDPU_COPY_GET,
					       .addr = window.addr + (uint64_t)i,
					       .local = &iov,
					       .num_local = 1,
					       .len = 1};
		for (int turn = 0; turn < 100; turn++)
			T_ERR(sdpu_copy_run(&copies[i], 1), DOCA_ERROR_IN_PROGRESS);
	}
	/* Given up: what waited for staging, and what waited for an answer. */
	for (int i = 1; i < 6; i++)
		sdpu_copy_cancel(&copies[i]);
	kill(owner, SIGCONT);
	T_OK(rig_copy_run(&copies[0]));
	T_EQ(byte, 1);
	for (uint64_t i = 0; i < 20; i++) {
		T_OK(rig_copy(reaches[3], SDPU_COPY_GET, window.addr + 100 + i, &byte, 1));
		T_EQ(byte, rig_pattern(1, 100 + i));
	}
	for (int i = 0; i < 4; i++)
		sdpu_reach_close(reaches[i]);
	rig_destroy();
	rig_stop();
}

/* Its death ends what waits for a stopped owner. */
T_CASE(owner_stopped_and_killed)
{
	pid_t owner = rig_start();
	struct sdpu_reach *reach;
	struct rig_window window;
	uint8_t byte = 1;
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	struct sdpu_copy copy = {.local = &iov, .num_local = 1, .len = 1};

	rig_force("served");
	rig_window(RIG_HEAP, LEN, RIG_PERMS, &window);
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	stop(owner);
	copy.reach = reach;
	copy.addr = window.addr;
	T_ERR(sdpu_copy_run(&copy, 1), DOCA_ERROR_IN_PROGRESS);
	kill(owner, SIGKILL);
	T_ERR(rig_copy_run(&copy), DOCA_ERROR_CONNECTION_RESET);
	sdpu_reach_close(reach);
	T_EQ(t_wait(owner, 10000), 128 + SIGKILL);
	sdpu_agent_put();
}

/*
 * The other way round: this process is the owner, its child the importer, which stops or dies in
 * the middle of a copy.
 */
static char log_line[512];
static uint32_t log_count;

static void keep_line(int level, const char *file, int line, const char *fmt, va_list ap)
{
	vsnprintf(log_line, sizeof(log_line), fmt, ap);
	sdpu_fetch_add(&log_count, 1);
}

struct importer {
	int sock;
	int signal;   /* what it sends to itself */
	uint32_t fds; /* of the owner, before it had an importer */
};

static int importer_main(void *arg)
{
	struct importer *importer = arg;
	struct sdpu_reach *reach;
	struct rig_window window;
	enum sdpu_access access;

	T_OK(sdpu_agent_get());
	T_EQ(read(importer->sock, &window, sizeof(window)), sizeof(window));
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	access = sdpu_reach_begin(reach);
	T_CHECK(access != SDPU_ACCESS_REFUSED);
	T_EQ(write(importer->sock, "x", 1), 1);
	kill(getpid(), importer->signal);
	sdpu_reach_end(reach, access);
	T_EQ(sdpu_reach_begin(reach), SDPU_ACCESS_REFUSED);
	sdpu_reach_close(reach);
	sdpu_agent_put();
	return 0;
}

static pid_t importer_start(struct importer *importer, struct sdpu_window **window)
{
	static uint8_t memory[4096];
	struct rig_window told = {.addr = (uintptr_t)memory, .len = sizeof(memory)};
	int socks[2];
	pid_t pid;
	char byte;

	T_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socks), 0);
	importer->sock = socks[1];
	pid = t_fork(importer_main, importer);
	close(socks[1]);
	T_OK(sdpu_agent_get());
	T_OK(sdpu_window_create(memory, sizeof(memory), RIG_PERMS, window));
	importer->fds = t_count_entries("/proc/self/fd");
	memcpy(told.key, sdpu_window_key(*window), SDPU_KEY_SIZE);
	strcpy(told.endpoint, sdpu_agent_endpoint());
	T_EQ(write(socks[0], &told, sizeof(told)), sizeof(told));
	T_EQ(read(socks[0], &byte, 1), 1);
	close(socks[0]);
	sdpu_log_set_sink(keep_line);
	sdpu_log_set_limit(SDPU_LOG_WARN);
	return pid;
}

T_CASE(importer_stopped_in_a_copy)
{
	struct importer importer = {.signal = SIGSTOP};
	struct sdpu_window *window;
	pid_t pid = importer_start(&importer, &window);
	uint64_t before;
	char pid_text[32];
	int status;

	T_EQ(waitpid(pid, &status, WUNTRACED), pid);
	before = sdpu_clock_now();
	sdpu_window_destroy(window);
	/* Not before it has waited, not much later. */
	T_CHECK(sdpu_clock_now() - before >= 100 * SDPU_MS);
	T_CHECK(sdpu_clock_now() - before < 5 * SDPU_SECOND);
	snprintf(pid_text, sizeof(pid_text), "pid %d ", (int)pid);
	T_CONTAINS(log_line, pid_text);
	kill(pid, SIGCONT);
	T_EQ(t_wait(pid, 10000), 0);
	sdpu_agent_put();
}

/* One that seems to copy out of every window that it has keeps its owner no longer than one would.
 */
T_CASE(many_grants_end_within_one_wait)
{
	enum { GRANTS = 40 };
	static uint8_t memory[4096];
	struct sdpu_grant *grants[GRANTS + 1] = {NULL};
	struct sdpu_reach *reaches[GRANTS];
	struct sdpu_window *window;
	uint64_t before;

	T_OK(sdpu_agent_get());
	T_OK(sdpu_window_create(memory, sizeof(memory), RIG_PERMS, &window));
	for (int i = 0; i < GRANTS; i++) {
		struct sdpu_grant_msg msg;
		int fds[SDPU_GRANT_FDS];
		uint32_t num_fds;

		T_OK(sdpu_window_grant(window, getpid(), &msg, fds, &num_fds, &grants[i]));
		T_OK(sdpu_reach_open(&msg, fds, num_fds, getpid(), &reaches[i]));
		T_EQ(sdpu_reach_begin(reaches[i]), SDPU_ACCESS_FIRST);
	}
	before = sdpu_clock_now();
	sdpu_grant_revoke_all(grants, GRANTS + 1);
	T_CHECK(sdpu_clock_now() - before < GRANTS * 100 * SDPU_MS / 2);
	for (int i = 0; i < GRANTS; i++) {
		sdpu_reach_end(reaches[i], SDPU_ACCESS_FIRST);
		T_EQ(sdpu_reach_begin(reaches[i]), SDPU_ACCESS_REFUSED);
		sdpu_reach_close(reaches[i]);
	}
	sdpu_window_destroy(window);
	sdpu_agent_put();
}

/* The first and any other one, whichever ends later. */
static void check_two_accesses(bool first_ends)
{
	static uint8_t memory[4096];
	struct sdpu_reach *reach;
	struct sdpu_window *window;
	uint64_t before;

	T_OK(sdpu_window_create(memory, sizeof(memory), RIG_PERMS, &window));
	T_OK(sdpu_reach_import("test", sdpu_agent_endpoint(), sdpu_window_key(window), &reach));
	T_EQ(sdpu_reach_begin(reach), SDPU_ACCESS_FIRST);
	T_EQ(sdpu_reach_begin(reach), SDPU_ACCESS_OTHER);
	sdpu_reach_end(reach, first_ends ? SDPU_ACCESS_FIRST : SDPU_ACCESS_OTHER);
	before = sdpu_clock_now();
	sdpu_window_destroy(window);
	T_CHECK(sdpu_clock_now() - before >= 100 * SDPU_MS);
	sdpu_reach_end(reach, first_ends ? SDPU_ACCESS_OTHER : SDPU_ACCESS_FIRST);
	T_EQ(sdpu_reach_begin(reach), SDPU_ACCESS_REFUSED);
	sdpu_reach_close(reach);
}

T_CASE(an_end_waits_for_every_access)
{
	T_OK(sdpu_agent_get());
	check_two_accesses(true);
	check_two_accesses(false);
	sdpu_agent_put();
}

T_CASE(importer_killed_in_a_copy)
{
	struct importer importer = {.signal = SIGKILL};
	struct sdpu_window *window;
	pid_t pid = importer_start(&importer, &window);

	T_EQ(t_wait(pid, 10000), 128 + SIGKILL);
	/* One was the way to it: the owner's end of it is closed. */
	T_EVENTUALLY(t_count_entries("/proc/self/fd") < importer.fds, 10000);
	sdpu_window_destroy(window);
	T_EQ(sdpu_load_acquire(&log_count), 0);
	sdpu_agent_put();
}

/* Both sides are as before, however often somebody comes and goes. */
static void check_flat(int forced)
{
	struct rig_window window;
	struct sdpu_reach *reach = NULL, *left[50];
	uint32_t ours, theirs;
	uint8_t byte;

	rig_window(memory_for(forced), LEN, RIG_PERMS, &window);
	ours = t_count_entries("/proc/self/fd");
	theirs = rig_num_fds();
	for (int i = 0; i < 50; i++) {
		T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
		T_OK(rig_copy(reach, SDPU_COPY_GET, window.addr, &byte, 1));
		sdpu_reach_close(reach);
		T_OK(rig_grant(&reach));
		T_OK(rig_copy(reach, SDPU_COPY_GET, window.addr, &byte, 1));
		if (i % 2 == 0)
			rig_revoke();
		sdpu_reach_close(reach);
		if (i % 2 == 1)
			rig_revoke();
	}
	T_EQ(t_count_entries("/proc/self/fd"), ours);
	T_EVENTUALLY(rig_num_fds() == theirs, 10000);
	for (int i = 0; i < 50; i++)
		T_OK(sdpu_reach_import("test", window.endpoint, window.key, &left[i]));
	rig_destroy();
	T_CHECK(rig_num_fds() <= theirs);
	for (int i = 0; i < 50; i++)
		sdpu_reach_close(left[i]);
	T_EQ(t_count_entries("/proc/self/fd"), ours);
}

T_CASE(descriptors_stay_flat)
{
	rig_start();
	for_each_kind(check_flat);
	rig_stop();
}
