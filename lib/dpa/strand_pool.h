/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pool of strands: the threads on which one DPA context runs kernels. Owner: the context, from
 * start to stop. A strand that has no job waits for the next one; there are as many as there were
 * jobs at once, which the limits of the device bound. Any thread, under the pool's lock, which
 * nobody holds while a kernel runs.
 */
#ifndef SDPU_DPA_STRAND_POOL_H
#define SDPU_DPA_STRAND_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "base/list.h"

struct doca_dpa;
struct sdpu_dpa_strand;

/* Embedded in what is to be run; its owner keeps it until it has ended. */
struct dpa_job {
	void (*run)(struct dpa_job *job, struct sdpu_dpa_strand *strand);
	struct sdpu_dpa_strand *strand; /* that has it, or had */
	bool ended;			/* under the lock */
};

struct dpa_pool {
	struct doca_dpa *dpa;
	pthread_mutex_t lock;
	pthread_cond_t ended;  /* some job has */
	struct sdpu_list idle; /* strands without a job */
	struct sdpu_list busy; /* strands with one */
	bool closing;
};

/* Init and fini come when the context is made and freed, as late events need the lock after close,
 * too. */
void dpa_pool_init(struct dpa_pool *pool, struct doca_dpa *dpa);
void dpa_pool_fini(struct dpa_pool *pool);
void dpa_pool_open(struct dpa_pool *pool);
/* Ends all jobs, kernels included, and then all strands. A strand whose kernel cannot be ended is
 * left behind (logged); false: there is one, which still uses the context. */
bool dpa_pool_close(struct dpa_pool *pool);

/* NO_MEMORY, or DRIVER: the system gives no thread. Both logged, for the function `call`. */
doca_error_t dpa_pool_submit(struct dpa_pool *pool, struct dpa_job *job, const char *call);
/* Waits until it ends. False: it cannot be ended, and does not belong to the caller any more. */
bool dpa_pool_wait(struct dpa_pool *pool, const struct dpa_job *job);
/* Kills all kernels; their jobs end. */
void dpa_pool_kill_all(struct dpa_pool *pool);
/* Of a job that was submitted: asks it to end, waits for a while, kills its kernel, waits for
 * another while. False: as above. */
bool dpa_pool_end(struct dpa_pool *pool, const struct dpa_job *job);

/* Calls see with each strand that has a job, under the lock. */
void dpa_pool_each(struct dpa_pool *pool, void (*see)(struct sdpu_dpa_strand *strand, void *arg),
		   void *arg);

/* Waits until the kernels that run now have ended, at most for GRACE. */
void dpa_pool_drain(struct dpa_pool *pool);

#endif
