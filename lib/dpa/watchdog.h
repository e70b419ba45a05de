/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watchdog: finds kernels that run for too long. Owner: the DPA context, from start to stop; one
 * thread, which looks at all strands a few times in the time that a kernel may take. It reports a
 * kernel that exceeds the limit, makes the context FATAL, and kills the kernel.
 *
 * Time in which the whole program is stopped (in a debugger) does not count.
 * doca_dpa_get_kernel_max_run_time() is the limit; SOFTDPU_DPA_RUN_TIME_MS sets a lower one.
 */
#ifndef SDPU_DPA_WATCHDOG_H
#define SDPU_DPA_WATCHDOG_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

struct doca_dpa;

struct dpa_watchdog {
	struct doca_dpa *dpa;
	pthread_t pthread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool closing;	/* under the lock */
	uint64_t limit; /* ns */
	uint64_t seen_at;
};

/* DRIVER (logged): the system gives no thread. */
doca_error_t dpa_watchdog_open(struct dpa_watchdog *watchdog, struct doca_dpa *dpa);
void dpa_watchdog_close(struct dpa_watchdog *watchdog);

#endif
