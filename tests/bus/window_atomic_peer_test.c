/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics on memory windows by several at once, processes and threads, and their end: revocation,
 * an owner that is killed or stopped.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic.h"
#include "bus/window_atomic_kit.h"
#include "t.h"

#define TIMES 100000
#define TIMES_SLOW 20000 /* where each one is a question to another process */

/* Another process that adds. It is started before this one uses the library. */
struct adder {
	pid_t pid;
	int sock;
};

struct adding {
	char force[16];
	struct rig_window window;
	bool by_swap;
};

static void add_by_swap(uint64_t times)
{
	uint64_t found = load(), expected;

	for (uint64_t i = 0; i < times; i++)
		do {
			expected = found;
			T_OK(operate_on(reach, SDPU_ATOMIC_CMP_SWP, word(), expected + 1, expected,
					&found));
		} while (found != expected);
}

static uint64_t times_of(const char *force)
{
	return strcmp(force, "mapped") == 0 ? TIMES : TIMES_SLOW;
}

static void add(uint64_t times)
{
	uint64_t result;

	for (uint64_t i = 0; i < times; i++)
		T_OK(operate_on(reach, SDPU_ATOMIC_FETCH_ADD, word(), 1, 0, &result));
}

static int adder_main(void *arg)
{
	struct adder *adder = arg;
	struct adding adding;

	T_OK(sdpu_agent_get());
	T_EQ(read(adder->sock, &adding, sizeof(adding)), sizeof(adding));
	window = adding.window;
	rig_force(adding.force);
	import();
	if (adding.by_swap)
		add_by_swap(times_of(adding.force) / 10);
	else
		add(times_of(adding.force));
	sdpu_reach_close(reach);
	T_EQ(write(adder->sock, "x", 1), 1);
	sdpu_agent_put();
	return 0;
}

static void adder_start(struct adder *adder)
{
	int socks[2];

	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks), 0);
	adder->sock = socks[1];
	adder->pid = t_fork(adder_main, adder);
	close(socks[1]);
	adder->sock = socks[0];
}

static void adder_go(struct adder *adder, const char *force, bool by_swap)
{
	struct adding adding = {.window = window, .by_swap = by_swap};

	strcpy(adding.force, force);
	T_EQ(write(adder->sock, &adding, sizeof(adding)), sizeof(adding));
}

static void adder_wait(struct adder *adder)
{
	char byte;

	T_EQ(read(adder->sock, &byte, 1), 1);
	close(adder->sock);
	T_EQ(t_wait(adder->pid, 10000), 0);
}

/* Two importers and the owner, each in its own way. */
static void check_sum(enum rig_memory memory, const char *one, const char *other)
{
	struct adder adder;

	adder_start(&adder);
	rig_start();
	rig_force(one);
	rig_window(memory, LEN, RIG_PERMS, &window);
	import();
	store(0);
	adder_go(&adder, other, false);
	rig_add_start(word(), TIMES);
	add(times_of(one));
	T_OK(rig_add_wait());
	adder_wait(&adder);
	T_EQ(load(), TIMES + times_of(one) + times_of(other));
	sdpu_reach_close(reach);
	rig_destroy();
	rig_stop();
}

T_CASE_TIMEOUT(sum_mapped, 120)
{
	check_sum(RIG_SHARED, "mapped", "mapped");
}

T_CASE_TIMEOUT(sum_mapped_and_cross, 120)
{
	check_sum(RIG_SHARED, "mapped", "cross");
}

T_CASE_TIMEOUT(sum_mapped_and_served, 120)
{
	check_sum(RIG_SHARED, "mapped", "served");
}

T_CASE_TIMEOUT(sum_cross, 120)
{
	check_sum(RIG_HEAP, "cross", "cross");
}

T_CASE_TIMEOUT(sum_handed_and_served, 120)
{
	check_sum(RIG_PRIVATE, "handed", "served");
}

T_CASE_TIMEOUT(sum_served, 120)
{
	check_sum(RIG_STATIC, "served", "served");
}

/* Mapped windows for those that only read, and for nobody else. */
T_CASE_TIMEOUT(sum_where_only_readers_map, 120)
{
	check_sum(RIG_READABLE, "mapped", "served");
}

static void check_swap(enum rig_memory memory, const char *force)
{
	struct adder adder;

	adder_start(&adder);
	rig_start();
	rig_force(force);
	rig_window(memory, LEN, RIG_PERMS, &window);
	import();
	store(0);
	adder_go(&adder, force, true);
	add_by_swap(times_of(force) / 10);
	adder_wait(&adder);
	T_EQ(load(), 2 * (times_of(force) / 10));
	sdpu_reach_close(reach);
	rig_destroy();
	rig_stop();
}

T_CASE_TIMEOUT(compare_and_swap_counter_mapped, 120)
{
	check_swap(RIG_SHARED, "mapped");
}

T_CASE_TIMEOUT(compare_and_swap_counter_cross, 120)
{
	check_swap(RIG_HEAP, "cross");
}

T_CASE_TIMEOUT(compare_and_swap_counter_served, 120)
{
	check_swap(RIG_HEAP, "served");
}

/* Threads that share a reach, its first atomic among what they share, until it fails. */
#define THREADS 4

static uint64_t added;
static doca_error_t last_result;

static void *add_always(void *arg)
{
	struct sdpu_atomic atomic;
	doca_error_t result;

	for (;;) {
		atomic = (struct sdpu_atomic){.reach = reach,
					      .kind = SDPU_ATOMIC_FETCH_ADD,
					      .addr = word(),
					      .operand = 1};
		result = run(&atomic);
		if (result != DOCA_SUCCESS)
			break;
		sdpu_fetch_add(&added, 1);
	}
	T_ERR(result, last_result);
	return NULL;
}

static void threads_start(pthread_t *threads, doca_error_t expected)
{
	last_result = expected;
	sdpu_store(&added, 0);
	for (int i = 0; i < THREADS; i++)
		T_EQ(pthread_create(&threads[i], NULL, add_always, NULL), 0);
	T_EVENTUALLY(sdpu_load_acquire(&added) > 20 * THREADS, 10000);
}

static void threads_join(pthread_t *threads)
{
	for (int i = 0; i < THREADS; i++)
		T_EQ(pthread_join(threads[i], NULL), 0);
}

/* Done and told, or at most one of each thread's that it was not told of. */
static void check_count(uint64_t value)
{
	T_CHECK(value >= sdpu_load(&added));
	T_CHECK(value <= sdpu_load(&added) + THREADS);
}

static void check_destroyed(const struct way *way)
{
	pthread_t threads[THREADS];

	threads_start(threads, DOCA_ERROR_NOT_PERMITTED);
	rig_destroy();
	threads_join(threads);
	T_ERR(operate(SDPU_ATOMIC_LOAD, word()), DOCA_ERROR_NOT_PERMITTED);
}

T_CASE_TIMEOUT(destroyed_in_the_midst, 60)
{
	rig_start();
	for (size_t i = 0; i < NUM_WAYS; i++) {
		rig_force(ways[i].force);
		rig_window(ways[i].memory, LEN, RIG_PERMS, &window);
		import();
		check_destroyed(&ways[i]);
		sdpu_reach_close(reach);
	}
	rig_stop();
}

/* Others go on, and see that nothing lands any more. */
static void check_revoked(const struct way *way)
{
	struct sdpu_reach *watcher = reach;
	pthread_t threads[THREADS];
	uint64_t then, now;
	bool in_time;

	store(0);
	T_OK(rig_grant(&reach));
	threads_start(threads, DOCA_ERROR_NOT_PERMITTED);
	in_time = rig_revoke();
	T_OK(operate_on(watcher, SDPU_ATOMIC_LOAD, word(), 0, 0, &then));
	threads_join(threads);
	T_OK(operate_on(watcher, SDPU_ATOMIC_LOAD, word(), 0, 0, &now));
	T_CHECK(!in_time || now == then);
	check_count(now);
	sdpu_reach_close(reach);
	reach = watcher;
}

T_CASE_TIMEOUT(revoked_in_the_midst, 60)
{
	rig_start();
	for_each_way(check_revoked);
	rig_stop();
}

static void check_killed(const struct way *way, bool used)
{
	pid_t owner = rig_start();
	pthread_t threads[THREADS];

	rig_force(way->force);
	rig_window(way->memory, LEN, RIG_PERMS, &window);
	import();
	if (used)
		threads_start(threads, DOCA_ERROR_CONNECTION_RESET);
	kill(owner, SIGKILL);
	T_EQ(t_wait(owner, 10000), 128 + SIGKILL);
	if (used)
		threads_join(threads);
	T_EVENTUALLY(!sdpu_reach_live(reach), 10000);
	T_ERR(operate(SDPU_ATOMIC_LOAD, word()), DOCA_ERROR_CONNECTION_RESET);
	sdpu_reach_close(reach);
	sdpu_agent_put();
}

T_CASE(owner_killed_mapped)
{
	check_killed(&ways[0], true);
}

T_CASE(owner_killed_cross)
{
	check_killed(&ways[1], true);
}

T_CASE(owner_killed_handed)
{
	check_killed(&ways[2], true);
}

T_CASE(owner_killed_served)
{
	check_killed(&ways[3], true);
}

/* By its socket it may be known to be gone before its death is. */
T_CASE(owner_killed_before_the_first_atomic)
{
	pid_t owner = rig_start();

	rig_force("cross");
	rig_window(RIG_HEAP, LEN, RIG_PERMS, &window);
	import();
	kill(owner, SIGKILL);
	T_EQ(t_wait(owner, 10000), 128 + SIGKILL);
	T_ERR(operate(SDPU_ATOMIC_FETCH_ADD, word()), DOCA_ERROR_CONNECTION_RESET);
	T_ERR(operate(SDPU_ATOMIC_FETCH_ADD, word()), DOCA_ERROR_CONNECTION_RESET);
	sdpu_reach_close(reach);
	sdpu_agent_put();
}

/* What a stopped owner does not answer waits, or is given up; a mapped window does not need it. */
static void stopped(pid_t owner, struct sdpu_atomic *atomics, uint32_t num)
{
	int status;

	kill(owner, SIGSTOP);
	T_EQ(waitpid(owner, &status, WUNTRACED), owner);
	for (uint32_t i = 0; i < num; i++) {
		atomics[i] = (struct sdpu_atomic){.reach = reach,
						  .kind = SDPU_ATOMIC_FETCH_ADD,
						  .addr = word(),
						  .operand = 1};
		for (int turn = 0; turn < 100; turn++)
			T_ERR(sdpu_atomic_run(&atomics[i]), DOCA_ERROR_IN_PROGRESS);
	}
}

T_CASE(owner_stopped)
{
	pid_t owner = rig_start();
	struct sdpu_atomic atomics[6];

	for (int i = 1; i < 4; i++) {
		rig_force(rig_kinds[i]);
		rig_window(RIG_HEAP, LEN, RIG_PERMS, &window);
		import();
		store(0);
		stopped(owner, atomics, 6);
		for (int a = 1; a < 6; a++)
			sdpu_atomic_cancel(&atomics[a]);
		kill(owner, SIGCONT);
		T_OK(run(&atomics[0]));
		/* Four were on their way, one of them ours. */
		T_EQ(load(), 4);
		for (uint64_t a = 0; a < 20; a++)
			T_OK(operate(SDPU_ATOMIC_FETCH_ADD, word()));
		T_EQ(load(), 24);
		sdpu_reach_close(reach);
		rig_destroy();
	}
	rig_stop();
}

T_CASE(owner_stopped_where_it_is_mapped)
{
	pid_t owner = rig_start();
	int status;

	rig_force("mapped");
	rig_window(RIG_SHARED, LEN, RIG_PERMS, &window);
	import();
	kill(owner, SIGSTOP);
	T_EQ(waitpid(owner, &status, WUNTRACED), owner);
	for (uint32_t kind = SDPU_ATOMIC_LOAD; kind <= SDPU_ATOMIC_CMP_SWP; kind++)
		T_OK(operate(kind, word()));
	kill(owner, SIGCONT);
	sdpu_reach_close(reach);
	rig_destroy();
	rig_stop();
}
