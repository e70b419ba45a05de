/* SPDX-License-Identifier: BSD-3-Clause */
/* Data path threads: release, abort, pinning. */
#include "t.h"

#include "worker.h"

#include <sched.h>

static struct worker_group group;
static struct worker worker;
static struct fault fault;
static int ran_on = -1;

static void note_cpu(struct worker *of)
{
	ran_on = sched_getcpu();
}

static void wait_for_the_end(struct worker *of)
{
	while (worker_group_state(of->group) == WORKERS_RUNNING)
		sched_yield();
}

/* Any CPU that this process may use. */
static uint32_t some_cpu(void)
{
	return (uint32_t)sched_getcpu();
}

static void start(void (*body)(struct worker *of))
{
	worker_group_init(&group);
	fault_init(&fault);
	T_OK(worker_start(&worker, &group, some_cpu(), body, &fault));
}

static void finish(void)
{
	T_EVENTUALLY(worker_is_done(&worker), 5000);
	worker_join(&worker);
	worker_group_fini(&group);
}

T_CASE(runs_when_released_on_its_cpu)
{
	const int cpu = (int)some_cpu();

	worker_group_init(&group);
	fault_init(&fault);
	T_OK(worker_start(&worker, &group, (uint32_t)cpu, note_cpu, &fault));
	T_CHECK(!worker_is_done(&worker));
	worker_group_move(&group, WORKERS_RUNNING);
	finish();
	T_EQ(ran_on, cpu);
}

T_CASE(aborted_before_release_never_runs)
{
	start(note_cpu);
	worker_group_move(&group, WORKERS_ABORTED);
	finish();
	T_EQ(ran_on, -1);
}

T_CASE(stopping_ends_the_loop)
{
	start(wait_for_the_end);
	worker_group_move(&group, WORKERS_RUNNING);
	worker_group_move(&group, WORKERS_STOPPING);
	finish();
}

T_CASE(group_state_never_falls)
{
	worker_group_init(&group);
	worker_group_move(&group, WORKERS_ABORTED);
	worker_group_move(&group, WORKERS_RUNNING);
	T_EQ(worker_group_state(&group), WORKERS_ABORTED);
}

T_CASE(cpu_that_does_not_exist)
{
	worker_group_init(&group);
	fault_init(&fault);
	T_ERR(worker_start(&worker, &group, CPU_SETSIZE, note_cpu, &fault),
	      DOCA_ERROR_OPERATING_SYSTEM);
	T_CONTAINS(fault.text, "choose another --cpu");
	worker_group_move(&group, WORKERS_ABORTED);
	finish();
}

T_CASE(usable_cpus)
{
	cpu_set_t before, after;

	T_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
	T_CHECK(worker_cpu_is_usable(some_cpu()));
	T_CHECK(!worker_cpu_is_usable(CPU_SETSIZE - 1));
	T_CHECK(!worker_cpu_is_usable(UINT32_MAX));
	T_EQ(sched_getaffinity(0, sizeof(after), &after), 0);
	T_CHECK(CPU_EQUAL(&before, &after));
}

T_CASE(joining_what_never_started)
{
	T_CHECK(worker_is_done(&worker));
	worker_join(&worker);
}
