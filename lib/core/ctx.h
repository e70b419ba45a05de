/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Context: the part that every library object with a life of its own shares. Embedded in the
 * object.
 *
 * Owner: the object; thread: that of its engine. One function changes the state, from a table of
 * legal moves, and calls the user's callback with no lock held. The user may destroy the object
 * inside its IDLE callback: whoever moves a context to IDLE does nothing with it afterwards.
 *
 * A context whose data path is on a DPA needs no engine. It starts and stops within the calls, and
 * is used by one thread at a time; `step` is not for it.
 *
 * Ends: doca_ctx_stop() -> STOPPING (ops->stop) -> flush -> all tasks back and freed, ops->quiet()
 * -> IDLE (ops->idle). A fatal error (peer lost) takes the same way through sdpu_ctx_fail().
 */
#ifndef SDPU_CORE_CTX_H
#define SDPU_CORE_CTX_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_pe.h>

#include "base/compiler.h"
#include "base/list.h"
#include "bus/stats.h"
#include "core/sample.h"
#include "core/task.h"

struct doca_dev;
struct doca_dpa;

/* Every slot: called in the engine's thread, no lock held, must not block. NULL where said. */
struct sdpu_ctx_ops {
	const char *name; /* "doca_comch_server", for messages */
	enum softdpu_object_kind kind;
	/* For watchers: fills in what the context's own library knows beyond core. Rules as for an
	 * sdpu_stats (bus/stats.h). NULL: nothing. */
	void (*show)(const struct doca_ctx *ctx, struct softdpu_object *row);
	/* Is the configuration complete? Called in IDLE; logs what is missing. May be NULL. */
	doca_error_t (*check)(struct doca_ctx *ctx);
	/* Acquires what running needs. SUCCESS: becomes RUNNING; IN_PROGRESS: STARTING; else keeps
	 * nothing and stays IDLE. */
	doca_error_t (*start)(struct doca_ctx *ctx);
	/* May it stop now? IN_USE while children live (logged). NULL: always. Not asked when it
	 * fails. */
	doca_error_t (*may_stop)(struct doca_ctx *ctx);
	/* About to become STOPPING (from STARTING or RUNNING): refuse new work, tell the peer.
	 * Calls no user callback. May be NULL. */
	void (*stop)(struct doca_ctx *ctx);
	/*
	 * One step of its own while STARTING or STOPPING, each time it was woken (sdpu_ctx_wake):
	 * true when something was done, and then it is called again. In STOPPING: gives back one
	 * submitted task, or delivers one event, as its last act. May be NULL.
	 */
	bool (*step)(struct doca_ctx *ctx);
	/* In STOPPING: can it become IDLE, as far as the library knows (core counts tasks)? NULL:
	 * yes. */
	bool (*quiet)(struct doca_ctx *ctx);
	/* About to become IDLE: releases what start acquired. Before the user's callback. May be
	 * NULL. */
	void (*idle)(struct doca_ctx *ctx);
	/* Can its data path be on that DPA, which it then uses while it runs? Called in IDLE; logs
	 * what is wrong. NULL: contexts of this kind are always on the CPU. */
	doca_error_t (*on_dpa)(struct doca_ctx *ctx, struct doca_dpa *dpa);
	/* STOPPING for 2 s: names what it waits for ("2 connections not closed by the peer"). May
	 * be NULL. */
	void (*explain)(const struct doca_ctx *ctx, char *text, size_t size);
};

SDPU_SHARED const char *sdpu_ctx_state_name(const struct doca_ctx *ctx);

struct doca_ctx {
	const struct sdpu_ctx_ops *ops;
	struct doca_pe *pe;
	struct doca_dev *dev;
	struct doca_dpa
		*dpa; /* its data path is there, and needs no engine; NULL: on the CPU. Held */
	enum doca_ctx_states state;
	union doca_data user_data;
	doca_ctx_state_changed_callback_t state_changed;
	struct sdpu_list pe_node;   /* all contexts of the engine */
	struct sdpu_list wake_node; /* contexts to be stepped */
	struct sdpu_list done_node; /* contexts with finished tasks */
	struct sdpu_task_queue done;
	/* Tasks, since the beginning; for watchers too (sdpu_count). */
	uint64_t submitted;
	uint64_t completed; /* their callbacks have been called, or are */
	uint64_t failed;    /* of these */
	uint64_t again;	    /* submits refused so */
	struct sdpu_sample sample;
	uint32_t allocated; /* not in their pools (in flight included) */
	uint64_t stopping_since;
	bool explained;
	struct sdpu_stats stats;
};

/* Submitted, callback not yet called. */
static inline uint32_t sdpu_ctx_inflight(const struct doca_ctx *ctx)
{
	return (uint32_t)(ctx->submitted - ctx->completed);
}

/* Holds dev (may be NULL) until sdpu_ctx_fini(). */
SDPU_SHARED void sdpu_ctx_init(struct doca_ctx *ctx, const struct sdpu_ctx_ops *ops,
			       struct doca_dev *dev);
/* Leaves the engine, releases dev. IN_USE (logged) unless IDLE; then nothing was done. */
SDPU_SHARED doca_error_t sdpu_ctx_fini(struct doca_ctx *ctx);

/* Puts the data path on a DPA, which is held until sdpu_ctx_fini(). BAD_STATE (logged) unless IDLE;
 * NOT_SUPPORTED (logged). */
SDPU_SHARED doca_error_t sdpu_ctx_set_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa,
					  const char *call);

/* For setters: BAD_STATE (logged, `call` names the function) unless IDLE. */
SDPU_SHARED doca_error_t sdpu_ctx_configurable(const struct doca_ctx *ctx, const char *call);

/* STARTING -> RUNNING. The caller's last act. */
SDPU_SHARED void sdpu_ctx_started(struct doca_ctx *ctx);
/* STARTING -> IDLE: it did not come up (ops->idle is called). The caller's last act. */
SDPU_SHARED void sdpu_ctx_start_failed(struct doca_ctx *ctx);
/* RUNNING -> STOPPING by a fatal error. The caller's last act. Harmless in other states. */
SDPU_SHARED void sdpu_ctx_fail(struct doca_ctx *ctx);
/* Have it stepped by the next progress (STOPPING: see whether it can become IDLE). Engine's thread.
 */
SDPU_SHARED void sdpu_ctx_wake(struct doca_ctx *ctx);

#endif
