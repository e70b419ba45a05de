/* SPDX-License-Identifier: BSD-3-Clause */
#include "dpa/host_thread.h"

#include <signal.h>
#include <string.h>

#include "base/log.h"

doca_error_t dpa_host_thread_start(pthread_t *thread, const char *name, size_t stack,
				   void *(*main)(void *arg), void *arg)
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
	if (error != 0) {
		sdpu_log_err("doca_dpa: pthread_create: %s; a DPA takes one thread of the system "
			     "for each of its own",
			     strerror(error));
		return DOCA_ERROR_DRIVER;
	}
	pthread_setname_np(*thread, name);
	return DOCA_SUCCESS;
}

void dpa_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
}

void dpa_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until)
{
	struct timespec at = {
		.tv_sec = (time_t)(until / SDPU_SECOND),
		.tv_nsec = (long)(until % SDPU_SECOND),
	};

	if (until == DPA_FOREVER)
		pthread_cond_wait(cond, lock);
	else
		pthread_cond_timedwait(cond, lock, &at);
}
