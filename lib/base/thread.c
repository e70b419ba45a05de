/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/thread.h"

#include <signal.h>

int sdpu_thread_start(pthread_t *thread, size_t stack, void *(*main)(void *arg), void *arg)
{
	sigset_t all, before;
	pthread_attr_t attr;
	int error;

	pthread_attr_init(&attr);
	if (stack != 0)
		pthread_attr_setstacksize(&attr, stack);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(thread, &attr, main, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return error;
}
