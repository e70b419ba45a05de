/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads of the library's own.
 */
#include "base/thread.h"

#include <signal.h>

#include "t.h"

#define STACK ((size_t)256 << 10)

/* More than the stack, which it is part of. */
static _Thread_local volatile uint8_t large[2 * STACK];

static void *look(void *arg)
{
	sigset_t *blocked = arg;

	pthread_sigmask(SIG_SETMASK, NULL, blocked);
	large[sizeof(large) - 1] = 1;
	return (void *)&large;
}

static void check_starts(size_t stack)
{
	sigset_t blocked;
	pthread_t thread;
	void *its = NULL;

	sigemptyset(&blocked);
	T_EQ(sdpu_thread_start(&thread, stack, look, &blocked), 0);
	T_EQ(pthread_join(thread, &its), 0);
	T_CHECK(its != NULL && its != (void *)&large);
	T_EQ(sigismember(&blocked, SIGTERM), 1);
	T_EQ(pthread_sigmask(SIG_SETMASK, NULL, &blocked), 0);
	T_EQ(sigismember(&blocked, SIGTERM), 0);
}

T_CASE(signals_are_blocked)
{
	check_starts(0);
}

T_CASE(stack_is_too_small_for_thread_local_storage)
{
	check_starts(STACK);
}
