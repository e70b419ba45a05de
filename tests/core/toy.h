/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The smallest library object there can be, through which contexts, tasks and the engine are
 * tested: its tasks wait in a queue until the test has them delivered.
 */
#ifndef TESTS_CORE_TOY_H
#define TESTS_CORE_TOY_H

#include "core/ctx.h"
#include "core/pe.h"
#include "core/task.h"
#include "t.h"

struct toy {
	struct doca_ctx ctx;
	struct sdpu_task_pool pool;
	struct sdpu_task_queue waiting;
	struct sdpu_source source;
	bool asynchronous;	      /* start gives IN_PROGRESS */
	doca_error_t check, may_stop; /* what the ops answer */
	uint32_t deliver;	      /* tasks that poll may complete */
	uint32_t completed, failed;
	doca_error_t last_status;
	enum doca_ctx_states states[16];
	uint32_t num_states;
	bool freed;
	void (*on_state)(struct toy *toy, enum doca_ctx_states next);
	void (*on_task)(struct toy *toy, struct doca_task *task);
};

/* The one engine of the test; made with the first toy. */
extern struct doca_pe *pe;

/* Connected to the engine, four tasks configured, not started. */
struct toy *toy_make(void);
void toy_free(struct toy *toy);
/* The last toy, and the engine. */
void finish(struct toy *toy);
void progress_all(void);
struct doca_task *toy_task(struct toy *toy);
void toy_completed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data);
void toy_failed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data);
void toy_state(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states prev,
	       enum doca_ctx_states next);
extern const struct sdpu_ctx_ops toy_ops;
extern const struct sdpu_task_ops toy_task_ops;

#endif
