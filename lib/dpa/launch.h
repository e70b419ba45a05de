/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Launcher: runs the kernels that the host launched, one launch after the other, in the order of
 * the calls. Owner: the DPA context, from start to stop; one thread. A launch waits for its event,
 * then has its kernel run on as many strands as it wants, and then updates its other event. The
 * events are the user's, who keeps them until then. When the context fails or stops, what has not
 * begun is dropped.
 */
#ifndef SDPU_DPA_LAUNCH_H
#define SDPU_DPA_LAUNCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "base/list.h"

struct doca_dpa;

struct dpa_launcher {
	struct doca_dpa *dpa;
	pthread_t pthread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct sdpu_list waiting; /* not begun, the oldest first; under the lock */
	uint32_t num_waiting;
	bool closing; /* under the lock */
};

/* As those of the pool. */
void dpa_launcher_init(struct dpa_launcher *launcher, struct doca_dpa *dpa);
void dpa_launcher_fini(struct dpa_launcher *launcher);
/* DRIVER (logged): the system gives no thread. */
doca_error_t dpa_launcher_open(struct dpa_launcher *launcher);
/* Nothing more begins. */
void dpa_launcher_shut(struct dpa_launcher *launcher);
/* After the pool has ended all kernels. */
void dpa_launcher_close(struct dpa_launcher *launcher);
/* Wakes the launcher after the context has failed. */
void dpa_launcher_wake(struct dpa_launcher *launcher);

#endif
