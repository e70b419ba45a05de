/* SPDX-License-Identifier: BSD-3-Clause */
#include "dpa/host_thread.h"

#include <string.h>

#include "base/log.h"
#include "base/thread.h"

doca_error_t dpa_host_thread_start(pthread_t *thread, const char *name, size_t stack,
				   void *(*main)(void *arg), void *arg)
{
	int error = sdpu_thread_start(thread, stack, main, arg);

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
