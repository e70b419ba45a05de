/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/thread.h"

#include <errno.h>
#include <signal.h>

/* The thread-local storage of the program is taken from the stack, and may be larger than the stack
 * asked for. */
static int start(pthread_t *thread, size_t stack, void *(*main)(void *arg), void *arg)
{
	pthread_attr_t attr;
	int error = EINVAL;

	if (stack != 0) {
		pthread_attr_init(&attr);
		pthread_attr_setstacksize(&attr, stack);
		error = pthread_create(thread, &attr, main, arg);
		pthread_attr_destroy(&attr);
	}
	return error == EINVAL ? pthread_create(thread, NULL, main, arg) : error;
}

int sdpu_thread_start(pthread_t *thread, size_t stack, void *(*main)(void *arg), void *arg)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = start(thread, stack, main, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}
