/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Task: one operation. It comes from a pool of its context, allocated at start; nothing on the data
 * path allocates.
 *
 * Owner: the user between alloc and submit and from the callback on; the library between submit and
 * callback. Exactly one callback (completion or error) follows an accepted submit; none follows a
 * refused one. Thread: that of the context's engine. Ends with doca_task_free(): back to the pool,
 * where it stays readable until the slot is handed out again (published programs read freed tasks).
 * Freed while submitted (published programs do that too): it completes silently.
 *
 * A task that another object of the library submits on the user's behalf is *watched* meanwhile: it
 * completes to its watch instead of the callbacks.
 *
 * Typed tasks embed struct doca_task first, so that both have one address.
 */
#ifndef SDPU_CORE_TASK_H
#define SDPU_CORE_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_pe.h>
#include <doca_types.h>

#include "base/compiler.h"

enum sdpu_task_state {
	SDPU_TASK_FREE,	     /* in its pool */
	SDPU_TASK_OWNED,     /* the user's */
	SDPU_TASK_SUBMITTED, /* the library's */
	SDPU_TASK_ORPHANED,  /* the library's, freed by the user meanwhile: no callback */
};

struct sdpu_task_pool;

struct sdpu_task_watch {
	/* The task has completed and is the user's again, or was freed meanwhile. In the engine's
	 * thread, wherever the task's library is: calls no user. */
	void (*done)(struct sdpu_task_watch *watch, doca_error_t status);
};

struct doca_task {
	struct doca_ctx *ctx;
	struct sdpu_task_pool *pool;
	struct doca_task *next; /* pool's free list; while submitted: the library's queues */
	union doca_data user_data;
	struct sdpu_task_watch *watch; /* NULL unless submitted with one */
	doca_error_t status;
	enum sdpu_task_state state;
};

struct sdpu_task_ops {
	const char *name; /* "doca_comch_producer_task_send" */
	bool is_receive;  /* its time is the peer's, and tells nothing */
	/*
	 * Takes the task (state RUNNING, task owned: checked). Must not block, call back or free.
	 * SUCCESS: the library has it and will finish it; else it stays the user's: AGAIN,
	 * INVALID_VALUE...
	 */
	doca_error_t (*submit)(struct doca_task *task);
	/* For doca_task_try_submit: argument checks beyond what submit does. May be NULL. */
	doca_error_t (*validate)(const struct doca_task *task);
	/* The user has freed the submitted task: what it works on is there now, and may be gone
	 * when this returns. Calls nobody. May be NULL. */
	void (*freed)(struct doca_task *task);
};

typedef void (*sdpu_task_cb)(struct doca_task *task, union doca_data task_data,
			     union doca_data ctx_data);

struct sdpu_task_pool {
	const struct sdpu_task_ops *ops;
	struct doca_ctx *ctx;
	sdpu_task_cb completed;
	sdpu_task_cb failed;
	uint32_t num;  /* configured; 0: this task type was not configured */
	uint32_t made; /* slots in mem */
	bool told;     /* that there was no task to give */
	size_t size;   /* of one typed task */
	uint8_t *mem;
	struct doca_task *free;
};

/* Before start. INVALID_VALUE (NULL callback, num 0 or over max), BAD_STATE (not idle). Repeatable;
 * the last wins. */
SDPU_SHARED doca_error_t sdpu_task_pool_conf(struct sdpu_task_pool *pool, struct doca_ctx *ctx,
					     const struct sdpu_task_ops *ops, size_t size,
					     sdpu_task_cb completed, sdpu_task_cb failed,
					     uint32_t num, uint32_t max);
/* At start (keeps the memory of an earlier run when it fits). Nothing to do when not configured. */
SDPU_SHARED doca_error_t sdpu_task_pool_open(struct sdpu_task_pool *pool);
/* At destruction of the context; leftover tasks die with it. */
SDPU_SHARED void sdpu_task_pool_close(struct sdpu_task_pool *pool);
/* Slot number of a task: 0 .. made - 1. */
static inline uint32_t sdpu_task_index(const struct doca_task *task)
{
	return (uint32_t)(((const uint8_t *)task - task->pool->mem) / task->pool->size);
}
static inline struct doca_task *sdpu_task_at(const struct sdpu_task_pool *pool, uint32_t index)
{
	return (struct doca_task *)(void *)(pool->mem + index * pool->size);
}

/* Hands out a task, owned by the user. BAD_STATE (context not running), NO_MEMORY (pool empty or
 * not configured). */
SDPU_SHARED doca_error_t sdpu_task_alloc(struct sdpu_task_pool *pool, union doca_data user_data,
					 struct doca_task **task);

/* When that has failed: says why, and answers `result`, or BAD_STATE if the context does not run.
 * `call` is the public one. */
SDPU_SHARED SDPU_COLD doca_error_t sdpu_task_alloc_refused(const char *call,
							   const struct doca_ctx *ctx,
							   struct sdpu_task_pool *pool,
							   doca_error_t result);

/*
 * The library is done with a submitted task.
 *   deliver: calls the user now. Only from a source's poll or a context's step, as its last act;
 *            for a freed task, which nobody is told of, from anywhere in the engine's thread.
 *   finish:  queues it; the engine delivers in order of finishing. From submit and anywhere else in
 * the engine's thread.
 */
SDPU_SHARED void sdpu_task_deliver(struct doca_task *task, doca_error_t status);
SDPU_SHARED void sdpu_task_finish(struct doca_task *task, doca_error_t status);

/* As doca_task_submit(). The watch stays the caller's, and is told of an accepted task only. */
doca_error_t sdpu_task_submit_watched(struct doca_task *task, struct sdpu_task_watch *watch);

/* By the user, while it is submitted: its buffers may be gone as well. */
static inline bool sdpu_task_is_freed(const struct doca_task *task)
{
	return sdpu_unlikely(task->state == SDPU_TASK_ORPHANED);
}

/* FIFO of tasks linked through next. */
struct sdpu_task_queue {
	struct doca_task *first;
	struct doca_task *last;
};
static inline void sdpu_task_queue_put(struct sdpu_task_queue *queue, struct doca_task *task)
{
	task->next = NULL;
	if (queue->first == NULL)
		queue->first = task;
	else
		queue->last->next = task;
	queue->last = task;
}
static inline struct doca_task *sdpu_task_queue_get(struct sdpu_task_queue *queue)
{
	struct doca_task *task = queue->first;

	if (task != NULL)
		queue->first = task->next;
	return task;
}

#endif
