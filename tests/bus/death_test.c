/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Death watches: the death of a process is told once to each, by pidfd and by asking. Who waits for
 * an answer of the dead hears of it too.
 */
#include "t.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/valgrind.h"
#include "bus/agent.h"
#include "bus/agent_parts.h"
#include "bus/process.h"
#include "bus/window.h"

struct counted {
	struct sdpu_death_watch death_watch;
	struct counted *other; /* let go in the callback */
	uint32_t calls;
};

static void count(struct sdpu_death_watch *watch)
{
	struct counted *counted = sdpu_container_of(watch, struct counted, death_watch);

	if (counted->other != NULL)
		sdpu_agent_unwatch_death(&counted->other->death_watch);
	sdpu_fetch_add(&counted->calls, 1);
}

static int live(void *arg)
{
	pause();
	return 1;
}

static int die(void *arg)
{
	return 0;
}

static void wait_until_zombie(pid_t pid)
{
	siginfo_t info;

	T_EQ(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

static void told_once_to_each(void)
{
	struct counted a = {.death_watch.dead = count}, b = {.death_watch.dead = count};
	struct counted other = {.death_watch.dead = count}, let_go = {.death_watch.dead = count};
	pid_t victim, survivor;

	victim = t_fork(live, NULL);
	survivor = t_fork(live, NULL);
	T_OK(sdpu_agent_get());
	T_OK(sdpu_agent_watch_death(&a.death_watch, victim));
	T_OK(sdpu_agent_watch_death(&let_go.death_watch, victim));
	T_OK(sdpu_agent_watch_death(&b.death_watch, victim));
	T_OK(sdpu_agent_watch_death(&other.death_watch, survivor));
	sdpu_agent_unwatch_death(&let_go.death_watch);
	sdpu_agent_unwatch_death(&let_go.death_watch);
	/* Not reaped: a zombie is dead. */
	kill(victim, SIGKILL);
	T_EVENTUALLY(sdpu_load(&a.calls) == 1 && sdpu_load(&b.calls) == 1, 2000);
	T_EQ(t_wait(victim, 5000), 128 + SIGKILL);
	T_EQ(sdpu_load(&let_go.calls), 0);
	T_EQ(sdpu_load(&other.calls), 0);
	sdpu_agent_unwatch_death(&a.death_watch);
	sdpu_agent_unwatch_death(&other.death_watch);
	sdpu_agent_put();
}

T_CASE(told_by_pidfd)
{
	told_once_to_each();
}

T_CASE(told_by_asking)
{
	sdpu_death_pidfd_share = 0;
	told_once_to_each();
}

static void let_each_other_go(void)
{
	struct counted a = {.death_watch.dead = count},
		       b = {.death_watch.dead = count, .other = &a};
	pid_t victim = t_fork(live, NULL);

	a.other = &b;
	T_OK(sdpu_agent_get());
	T_OK(sdpu_agent_watch_death(&a.death_watch, victim));
	T_OK(sdpu_agent_watch_death(&b.death_watch, victim));
	kill(victim, SIGKILL);
	T_EVENTUALLY(sdpu_load(&a.calls) + sdpu_load(&b.calls) == 1, 2000);
	sdpu_agent_unwatch_death(&a.death_watch);
	sdpu_agent_unwatch_death(&b.death_watch);
	T_EQ(a.calls + b.calls, 1);
	sdpu_agent_put();
}

T_CASE(callback_may_let_others_go)
{
	let_each_other_go();
}

T_CASE(callback_may_let_others_go_when_asked)
{
	sdpu_death_pidfd_share = 0;
	let_each_other_go();
}

static void dead_already(void)
{
	struct counted a = {.death_watch.dead = count};
	pid_t pid = t_fork(die, NULL);

	T_OK(sdpu_agent_get());
	wait_until_zombie(pid);
	T_ERR(sdpu_agent_watch_death(&a.death_watch, pid), DOCA_ERROR_CONNECTION_RESET);
	T_EQ(t_wait(pid, 5000), 0);
	T_ERR(sdpu_agent_watch_death(&a.death_watch, pid), DOCA_ERROR_CONNECTION_RESET);
	sdpu_agent_unwatch_death(&a.death_watch);
	T_EQ(a.calls, 0);
	sdpu_agent_put();
}

T_CASE(dead_already_by_pidfd)
{
	dead_already();
}

T_CASE(dead_already_by_asking)
{
	sdpu_death_pidfd_share = 0;
	dead_already();
}

T_CASE(ourselves_and_strangers_are_never_told)
{
	struct counted a = {.death_watch.dead = count};

	T_ERR(sdpu_agent_watch_death(&a.death_watch, getppid()), DOCA_ERROR_BAD_STATE);
	T_OK(sdpu_agent_get());
	T_OK(sdpu_agent_watch_death(&a.death_watch, getpid()));
	sdpu_agent_unwatch_death(&a.death_watch);
	T_OK(sdpu_agent_watch_death(&a.death_watch, 0));
	sdpu_agent_unwatch_death(&a.death_watch);
	sdpu_agent_put();
}

T_CASE(many_peers_need_few_descriptors)
{
	static struct counted c[40];
	struct rlimit limit = {.rlim_cur = 64, .rlim_max = 64};
	unsigned int before;
	pid_t pids[40];

	if (sdpu_under_valgrind())
		T_SKIP("valgrind has descriptors of its own above any limit");
	for (int i = 0; i < 40; i++)
		pids[i] = t_fork(live, NULL);
	T_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	T_OK(sdpu_agent_get());
	before = t_count_entries("/proc/self/fd");
	for (int i = 0; i < 40; i++) {
		c[i].death_watch.dead = count;
		T_OK(sdpu_agent_watch_death(&c[i].death_watch, pids[i]));
	}
	/* In the end, since asking needs one for a moment. */
	T_EVENTUALLY(t_count_entries("/proc/self/fd") == before + 64 / 8, 5000);
	for (int i = 0; i < 40; i++)
		kill(pids[i], SIGKILL);
	for (int i = 0; i < 40; i++)
		T_EVENTUALLY(sdpu_load(&c[i].calls) == 1, 5000);
	T_EVENTUALLY(t_count_entries("/proc/self/fd") == before, 5000);
	sdpu_agent_put();
}

static void *watch_and_free(void *arg)
{
	const pid_t *pids = arg;

	for (int i = 0; i < 500; i++) {
		struct counted *c = calloc(1, sizeof(*c));
		doca_error_t result;

		c->death_watch.dead = count;
		result = sdpu_agent_watch_death(&c->death_watch, pids[i % 4]);
		T_CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_CONNECTION_RESET);
		if (i == 200)
			kill(pids[0], SIGKILL);
		sdpu_agent_unwatch_death(&c->death_watch);
		T_CHECK(c->calls <= 1);
		memset(c, 0xff, sizeof(*c));
		free(c);
	}
	return NULL;
}

static void race(void)
{
	pthread_t threads[4];
	pid_t pids[4];

	for (int i = 0; i < 4; i++)
		pids[i] = t_fork(live, NULL);
	T_OK(sdpu_agent_get());
	for (int i = 0; i < 4; i++)
		T_EQ(pthread_create(&threads[i], NULL, watch_and_free, pids), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	sdpu_agent_put();
}

T_CASE_TIMEOUT(no_callback_after_unwatch, 60)
{
	race();
}

T_CASE_TIMEOUT(no_callback_after_unwatch_when_asked, 60)
{
	sdpu_death_pidfd_share = 0;
	race();
}

/* An owner with a child that the library does not know of, and that holds all of its sockets open
 * until `end` does. */
#define PERMS (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

static struct family {
	uint8_t key[SDPU_KEY_SIZE];
	char endpoint[SDPU_ENDPOINT_MAX];
	uint32_t ready;
	int end[2], ended[2];
	pid_t owner;
} * family;

static int own_with_child(void *arg)
{
	static uint8_t memory[4096];
	struct sdpu_window *made;
	char byte;

	close(family->end[1]);
	T_OK(sdpu_agent_get());
	T_OK(sdpu_window_create(memory, sizeof(memory), PERMS, &made));
	memcpy(family->key, sdpu_window_key(made), SDPU_KEY_SIZE);
	strcpy(family->endpoint, sdpu_agent_endpoint());
	if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0)
		_exit(read(family->end[0], &byte, 1) != 0);
	sdpu_store_release(&family->ready, 1);
	for (;;)
		pause();
}

static void family_start(void)
{
	int status;

	family = mmap(NULL, sizeof(*family), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	T_CHECK(family != MAP_FAILED);
	T_EQ(pipe(family->end), 0);
	T_EQ(pipe(family->ended), 0);
	family->owner = t_fork(own_with_child, NULL);
	close(family->ended[1]);
	T_EVENTUALLY(sdpu_load_acquire(&family->ready) != 0, 10000);
	kill(family->owner, SIGSTOP);
	T_EQ(waitpid(family->owner, &status, WUNTRACED), family->owner);
}

static void family_end(void)
{
	char byte;

	close(family->end[1]);
	T_EQ(read(family->ended[0], &byte, 1), 0);
	close(family->end[0]);
	close(family->ended[0]);
	munmap(family, sizeof(*family));
}

static int kill_owner_soon(void *arg)
{
	close(family->end[1]);
	usleep(200000);
	return kill(family->owner, SIGKILL);
}

T_CASE(an_owner_that_dies_and_leaves_a_child)
{
	struct sdpu_reach *reach;
	pid_t killer;
	int status;

	family_start();
	killer = t_fork(kill_owner_soon, NULL);
	T_OK(sdpu_agent_get());
	/* It dies while it is asked, and is dead when it is. */
	for (int i = 0; i < 2; i++)
		T_ERR(sdpu_reach_import("test", family->endpoint, family->key, &reach),
		      DOCA_ERROR_NOT_FOUND);
	T_EQ(t_wait(killer, 10000), 0);
	T_EQ(waitpid(family->owner, &status, 0), family->owner);
	T_ERR(sdpu_reach_import("test", family->endpoint, family->key, &reach),
	      DOCA_ERROR_NOT_FOUND);
	family_end();
	sdpu_agent_put();
}
