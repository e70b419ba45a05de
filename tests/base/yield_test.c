/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Yielding beside another thread on the same processor, and alone.
 */
#include "base/yield.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include "base/atomic.h"
#include "t.h"

#define YIELDS 1000

static uint32_t over;

/* From here on this thread, and those that it starts, share a processor. */
static void share_a_processor(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	T_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
}

static void *compete(void *arg)
{
	(void)arg;
	while (sdpu_load(&over) == 0)
		sched_yield();
	return NULL;
}

static long switches(void)
{
	struct rusage usage;

	T_EQ(getrusage(RUSAGE_THREAD, &usage), 0);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

T_CASE(one_that_competes_is_noticed)
{
	pthread_t other;

	share_a_processor();
	T_EQ(pthread_create(&other, NULL, compete, NULL), 0);
	T_EVENTUALLY(sdpu_yield() != 0, 10000);
	sdpu_store(&over, 1);
	T_EQ(pthread_join(other, NULL), 0);
}

T_CASE(nobody_takes_what_nobody_wants)
{
	share_a_processor();
	T_EVENTUALLY(sdpu_yield() == 0, 10000);
}

/* Not by time alone, which may take a slow system call for somebody else. */
T_CASE(nobody_is_seen_who_did_not_run)
{
	long before = switches(), noticed = 0;

	for (int i = 0; i < YIELDS; i++)
		noticed += sdpu_yield() != 0;
	T_CHECK(sdpu_yield_guesses() || noticed <= switches() - before);
}
