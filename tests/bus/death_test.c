/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mourners: the death of a process is told once to each, by pidfd and by asking.
 */
#include "t.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/valgrind.h"
#include "bus/agent.h"
#include "bus/agent_parts.h"
#include "bus/process.h"

struct counted {
	struct sdpu_mourner mourner;
	struct counted *other; /* let go in the callback */
	uint32_t calls;
};

static void count(struct sdpu_mourner *mourner)
{
	struct counted *counted = sdpu_container_of(mourner, struct counted, mourner);

	if (counted->other != NULL)
		sdpu_agent_unmourn(&counted->other->mourner);
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
	struct counted a = {.mourner.dead = count}, b = {.mourner.dead = count};
	struct counted other = {.mourner.dead = count}, let_go = {.mourner.dead = count};
	pid_t victim, survivor;

	victim = t_fork(live, NULL);
	survivor = t_fork(live, NULL);
	T_OK(sdpu_agent_get());
	T_OK(sdpu_agent_mourn(&a.mourner, victim));
	T_OK(sdpu_agent_mourn(&let_go.mourner, victim));
	T_OK(sdpu_agent_mourn(&b.mourner, victim));
	T_OK(sdpu_agent_mourn(&other.mourner, survivor));
	sdpu_agent_unmourn(&let_go.mourner);
	sdpu_agent_unmourn(&let_go.mourner);
	/* Not reaped: a zombie is dead. */
	kill(victim, SIGKILL);
	T_EVENTUALLY(sdpu_load(&a.calls) == 1 && sdpu_load(&b.calls) == 1, 2000);
	T_EQ(t_wait(victim, 5000), 128 + SIGKILL);
	T_EQ(sdpu_load(&let_go.calls), 0);
	T_EQ(sdpu_load(&other.calls), 0);
	sdpu_agent_unmourn(&a.mourner);
	sdpu_agent_unmourn(&other.mourner);
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
	struct counted a = {.mourner.dead = count}, b = {.mourner.dead = count, .other = &a};
	pid_t victim = t_fork(live, NULL);

	a.other = &b;
	T_OK(sdpu_agent_get());
	T_OK(sdpu_agent_mourn(&a.mourner, victim));
	T_OK(sdpu_agent_mourn(&b.mourner, victim));
	kill(victim, SIGKILL);
	T_EVENTUALLY(sdpu_load(&a.calls) + sdpu_load(&b.calls) == 1, 2000);
	sdpu_agent_unmourn(&a.mourner);
	sdpu_agent_unmourn(&b.mourner);
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
	struct counted a = {.mourner.dead = count};
	pid_t pid = t_fork(die, NULL);

	T_OK(sdpu_agent_get());
	wait_until_zombie(pid);
	T_ERR(sdpu_agent_mourn(&a.mourner, pid), DOCA_ERROR_CONNECTION_RESET);
	T_EQ(t_wait(pid, 5000), 0);
	T_ERR(sdpu_agent_mourn(&a.mourner, pid), DOCA_ERROR_CONNECTION_RESET);
	sdpu_agent_unmourn(&a.mourner);
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
	struct counted a = {.mourner.dead = count};

	T_ERR(sdpu_agent_mourn(&a.mourner, getppid()), DOCA_ERROR_BAD_STATE);
	T_OK(sdpu_agent_get());
	T_OK(sdpu_agent_mourn(&a.mourner, getpid()));
	sdpu_agent_unmourn(&a.mourner);
	T_OK(sdpu_agent_mourn(&a.mourner, 0));
	sdpu_agent_unmourn(&a.mourner);
	sdpu_agent_put();
}

static unsigned int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int n = 0;

	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n;
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
	before = count_fds();
	for (int i = 0; i < 40; i++) {
		c[i].mourner.dead = count;
		T_OK(sdpu_agent_mourn(&c[i].mourner, pids[i]));
	}
	/* In the end, since asking needs one for a moment. */
	T_EVENTUALLY(count_fds() == before + 64 / 8, 5000);
	for (int i = 0; i < 40; i++)
		kill(pids[i], SIGKILL);
	for (int i = 0; i < 40; i++)
		T_EVENTUALLY(sdpu_load(&c[i].calls) == 1, 5000);
	T_EVENTUALLY(count_fds() == before, 5000);
	sdpu_agent_put();
}

static void *mourn_and_free(void *arg)
{
	const pid_t *pids = arg;

	for (int i = 0; i < 500; i++) {
		struct counted *c = calloc(1, sizeof(*c));
		doca_error_t result;

		c->mourner.dead = count;
		result = sdpu_agent_mourn(&c->mourner, pids[i % 4]);
		T_CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_CONNECTION_RESET);
		if (i == 200)
			kill(pids[0], SIGKILL);
		sdpu_agent_unmourn(&c->mourner);
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
		T_EQ(pthread_create(&threads[i], NULL, mourn_and_free, pids), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	sdpu_agent_put();
}

T_CASE_TIMEOUT(no_callback_after_unmourn, 60)
{
	race();
}

T_CASE_TIMEOUT(no_callback_after_unmourn_when_asked, 60)
{
	sdpu_death_pidfd_share = 0;
	race();
}
