/* SPDX-License-Identifier: BSD-3-Clause */
#include "worker.h"

#include "timing.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

/* Enough for the death of a peer to be noticed, which takes 100 ms at most. */
#define REPORT_DELAY (300 * NSEC_PER_MSEC)

void worker_group_init(struct worker_group *group)
{
	pthread_mutex_init(&group->lock, NULL);
	pthread_cond_init(&group->moved, NULL);
	atomic_init(&group->state, WORKERS_WAITING);
}

void worker_group_fini(struct worker_group *group)
{
	pthread_cond_destroy(&group->moved);
	pthread_mutex_destroy(&group->lock);
}

void worker_group_move(struct worker_group *group, enum worker_group_state state)
{
	pthread_mutex_lock(&group->lock);
	if (state > worker_group_state(group)) {
		atomic_store_explicit(&group->state, state, memory_order_relaxed);
		pthread_cond_broadcast(&group->moved);
	}
	pthread_mutex_unlock(&group->lock);
}

static enum worker_group_state worker_wait_for_release(struct worker_group *group)
{
	enum worker_group_state state;

	pthread_mutex_lock(&group->lock);
	while ((state = worker_group_state(group)) == WORKERS_WAITING)
		pthread_cond_wait(&group->moved, &group->lock);
	pthread_mutex_unlock(&group->lock);
	return state;
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;

	if (worker_wait_for_release(worker->group) != WORKERS_ABORTED)
		worker->body(worker);
	atomic_store_explicit(&worker->done, true, memory_order_release);
	return NULL;
}

static int worker_pin(pthread_t thread, uint32_t cpu)
{
	cpu_set_t set;

	if (cpu >= CPU_SETSIZE)
		return EINVAL;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return pthread_setaffinity_np(thread, sizeof(set), &set);
}

doca_error_t worker_start(struct worker *worker, struct worker_group *group, uint32_t cpu,
			  void (*body)(struct worker *worker), struct fault *fault)
{
	char name[16];
	int error;

	worker->group = group;
	worker->body = body;
	atomic_init(&worker->done, false);
	error = pthread_create(&worker->thread, NULL, worker_main, worker);
	if (error != 0)
		return fault_raise(fault, DOCA_ERROR_OPERATING_SYSTEM,
				   "Cannot start data path thread %u: %s", worker->index,
				   strerror(error));
	worker->started = true;
	snprintf(name, sizeof(name), "data path %u", worker->index);
	pthread_setname_np(worker->thread, name);
	error = worker_pin(worker->thread, cpu);
	if (error != 0)
		return fault_raise(fault, DOCA_ERROR_OPERATING_SYSTEM,
				   "Cannot pin data path thread %u to CPU %u: %s; choose another "
				   "--cpu",
				   worker->index, cpu, strerror(error));
	return DOCA_SUCCESS;
}

bool worker_is_done(struct worker *worker)
{
	return !worker->started || atomic_load_explicit(&worker->done, memory_order_acquire);
}

void worker_join(struct worker *worker)
{
	if (!worker->started)
		return;
	pthread_join(worker->thread, NULL);
	worker->started = false;
}

bool worker_cpu_is_usable(uint32_t cpu)
{
	cpu_set_t saved;
	bool usable;

	if (pthread_getaffinity_np(pthread_self(), sizeof(saved), &saved) != 0)
		return false;
	usable = worker_pin(pthread_self(), cpu) == 0;
	pthread_setaffinity_np(pthread_self(), sizeof(saved), &saved);
	return usable;
}

void worker_report(struct worker *worker, doca_error_t failure, const char *what,
		   struct fault *fault)
{
	const uint64_t deadline = timing_now() + REPORT_DELAY;

	while (worker_group_state(worker->group) != WORKERS_ABORTED && timing_now() < deadline)
		timing_sleep(NSEC_PER_MSEC);
	if (worker_group_state(worker->group) == WORKERS_ABORTED)
		return;
	fault_raise(fault, failure, "Data path thread %u: %s: %s", worker->index, what,
		    doca_error_get_name(failure));
}

doca_error_t worker_submit(struct worker *worker, struct doca_task *task)
{
	doca_error_t result;

	do {
		result = doca_task_submit(task);
	} while (result == DOCA_ERROR_AGAIN &&
		 worker_group_state(worker->group) != WORKERS_ABORTED);
	return result;
}
