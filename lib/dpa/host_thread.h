/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads of the library's own for DPA contexts, and how they wait. No state; any thread.
 */
#ifndef SDPU_DPA_HOST_THREAD_H
#define SDPU_DPA_HOST_THREAD_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "base/clock.h"

#define DPA_FOREVER UINT64_MAX

/* Starts a thread with all signals blocked. stack: bytes, 0: the default. DRIVER (logged): the
 * system gives no thread. */
doca_error_t dpa_host_thread_start(pthread_t *thread, const char *name, size_t stack,
				   void *(*main)(void *arg), void *arg);

/* A condition whose time-outs are by sdpu_clock_now(). */
void dpa_cond_init(pthread_cond_t *cond);
/* Waits until it is signalled, or the time has come; may return early. */
void dpa_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until);

/* The time in that many ns, or never. */
static inline uint64_t dpa_deadline(uint64_t ns)
{
	return ns == DPA_FOREVER ? DPA_FOREVER : sdpu_clock_now() + ns;
}

#endif
