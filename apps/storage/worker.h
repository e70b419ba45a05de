/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data path threads. A worker is one thread with its own progress engine, pinned to one CPU; the
 * workers of a program form a group, which has one state for all of them.
 *
 * The control thread makes a worker's engine and all that hangs on it, and may use them while the
 * group is WAITING: the workers sleep until it moves the group on. From then until the worker has
 * ended, engine and counters belong to the worker. A worker never touches another's engine.
 */
#ifndef STORAGE_WORKER_H
#define STORAGE_WORKER_H

#include "fault.h"

#include <doca_pe.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum worker_group_state {
	WORKERS_WAITING,  /* threads are made and pinned, and wait for their release */
	WORKERS_RUNNING,  /* on the data path */
	WORKERS_STOPPING, /* no new work; they end when nothing is in flight */
	WORKERS_ABORTED,  /* they end at once; what is in flight is flushed later */
};

struct worker_group {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	atomic_int state; /* enum worker_group_state; only ever rises, see worker_group_move() */
};

struct worker {
	struct worker_group *group;
	uint32_t index;
	struct doca_pe *pe;
	void (*body)(struct worker *worker); /* runs in the thread once it is released */
	pthread_t thread;
	bool started;
	atomic_bool done; /* last thing that the thread does */
	uint64_t hits;	  /* progress calls that found something to do */
	uint64_t misses;
};

void worker_group_init(struct worker_group *group);
void worker_group_fini(struct worker_group *group);

/* Moves the group on; a state that is reached already, or passed, stays. Any thread. */
void worker_group_move(struct worker_group *group, enum worker_group_state state);

static inline enum worker_group_state worker_group_state(struct worker_group *group)
{
	/* relaxed: the release of the threads is under the lock, later states carry no data */
	return (enum worker_group_state)atomic_load_explicit(&group->state, memory_order_relaxed);
}

/* Starts the thread and pins it to cpu. On failure the thread, if any, waits to be joined. */
doca_error_t worker_start(struct worker *worker, struct worker_group *group, uint32_t cpu,
			  void (*body)(struct worker *worker), struct fault *fault);

/* Whether the thread has ended; one that was never started has. */
bool worker_is_done(struct worker *worker);

void worker_join(struct worker *worker);

/* One progress call, counted. */
static inline void worker_progress(struct worker *worker)
{
	if (doca_pe_progress(worker->pe) != 0)
		worker->hits++;
	else
		worker->misses++;
}

/*
 * For a thread that ends because of a failure, described by what: raises the fault. Most often a
 * peer has gone, and the control thread, which can say which, gets a moment to say so first. Once
 * it has aborted the group, it knows.
 */
void worker_report(struct worker *worker, doca_error_t failure, const char *what,
		   struct fault *fault);

/* Whether a thread of this process may be pinned to cpu. */
bool worker_cpu_is_usable(uint32_t cpu);

/*
 * Submits a task whose queue may be full for the moment: tries again until there is room, or
 * until the group is aborted. Room appears without progress on this side.
 */
doca_error_t worker_submit(struct worker *worker, struct doca_task *task);

#endif
