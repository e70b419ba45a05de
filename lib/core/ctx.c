/* SPDX-License-Identifier: BSD-3-Clause
 *
 * States of a context and the moves between them; contract in ctx.h.
 */
#include "core/ctx.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "core/ctx_state.h"
#include "core/dev.h"
#include "core/dpa_base.h"
#include "core/pe.h"

#define EXPLAIN_AFTER (2 * SDPU_SECOND)

static const char *const state_name[] = {"IDLE", "STARTING", "RUNNING", "STOPPING"};

const char *sdpu_ctx_state_name(const struct doca_ctx *ctx)
{
	return state_name[ctx->state];
}

/* legal[from] has bit (1 << to) for each move that there is. */
static const uint8_t legal[] = {
	[DOCA_CTX_STATE_IDLE] = 1 << DOCA_CTX_STATE_STARTING | 1 << DOCA_CTX_STATE_RUNNING,
	[DOCA_CTX_STATE_STARTING] = 1 << DOCA_CTX_STATE_RUNNING | 1 << DOCA_CTX_STATE_STOPPING |
				    1 << DOCA_CTX_STATE_IDLE,
	[DOCA_CTX_STATE_RUNNING] = 1 << DOCA_CTX_STATE_STOPPING,
	[DOCA_CTX_STATE_STOPPING] = 1 << DOCA_CTX_STATE_IDLE,
};

/* The only function that changes a state. It calls the user last: in IDLE the user may destroy the
 * context. */
void sdpu_ctx_move(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	enum doca_ctx_states prev = ctx->state;
	struct doca_pe *pe = ctx->pe;

	if (!(legal[prev] & 1 << next)) {
		sdpu_log_crit("%s: illegal move %s -> %s; please report it", ctx->ops->name,
			      state_name[prev], state_name[next]);
		return;
	}
	sdpu_store(&ctx->state, next);
	if (next == DOCA_CTX_STATE_STOPPING) {
		ctx->stopping_since = sdpu_clock_now();
		ctx->explained = false;
	}
	if (ctx->state_changed == NULL)
		return;
	if (pe != NULL)
		pe->depth++;
	ctx->state_changed(ctx->user_data, ctx, prev, next);
	if (pe != NULL)
		pe->depth--;
}

static void ctx_become_idle(struct doca_ctx *ctx)
{
	sdpu_list_remove(&ctx->wake_node);
	if (ctx->ops->idle != NULL)
		ctx->ops->idle(ctx);
	sdpu_ctx_move(ctx, DOCA_CTX_STATE_IDLE);
}

static bool ctx_is_drained(struct doca_ctx *ctx)
{
	return sdpu_ctx_inflight(ctx) == 0 && ctx->allocated == 0 &&
	       (ctx->ops->quiet == NULL || ctx->ops->quiet(ctx));
}

bool sdpu_ctx_step(struct doca_ctx *ctx)
{
	if (ctx->ops->step != NULL && ctx->ops->step(ctx))
		return true;
	if (ctx->state != DOCA_CTX_STATE_STOPPING || !ctx_is_drained(ctx))
		return false;
	ctx_become_idle(ctx);
	return true;
}

void sdpu_ctx_wake(struct doca_ctx *ctx)
{
	if (ctx->pe == NULL)
		return;
	if (sdpu_list_empty(&ctx->wake_node))
		sdpu_list_append(&ctx->pe->woken, &ctx->wake_node);
	sdpu_bell_rouse(&ctx->pe->bell);
}

void sdpu_ctx_started(struct doca_ctx *ctx)
{
	sdpu_ctx_move(ctx, DOCA_CTX_STATE_RUNNING);
}

void sdpu_ctx_start_failed(struct doca_ctx *ctx)
{
	ctx_become_idle(ctx);
}

static void ctx_begin_stop(struct doca_ctx *ctx)
{
	if (ctx->ops->stop != NULL)
		ctx->ops->stop(ctx);
	sdpu_ctx_wake(ctx);
	sdpu_ctx_move(ctx, DOCA_CTX_STATE_STOPPING);
}

void sdpu_ctx_fail(struct doca_ctx *ctx)
{
	if (ctx->state == DOCA_CTX_STATE_RUNNING || ctx->state == DOCA_CTX_STATE_STARTING)
		ctx_begin_stop(ctx);
}

/* It has an engine, or a DPA. */
static doca_error_t ctx_check_path(const struct doca_ctx *ctx)
{
	if (ctx->dpa != NULL && !sdpu_dpa_running(ctx->dpa)) {
		sdpu_log_err("doca_ctx_start: the DPA context of the %s does not run: it is not "
			     "started, or has failed; needed: one that runs; call doca_dpa_start() "
			     "first",
			     ctx->ops->name);
		return DOCA_ERROR_BAD_STATE;
	}
	if (ctx->dpa == NULL && ctx->pe == NULL) {
		sdpu_log_err("doca_ctx_start: the %s has no progress engine; needed: one; call "
			     "doca_pe_connect_ctx() first",
			     ctx->ops->name);
		return DOCA_ERROR_NOT_CONNECTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t sdpu_ctx_request_start(struct doca_ctx *ctx)
{
	doca_error_t result;

	if (ctx->state != DOCA_CTX_STATE_IDLE) {
		sdpu_log_err("doca_ctx_start: the %s is %s; needed: IDLE; call doca_ctx_stop() and "
			     "progress until it is",
			     ctx->ops->name, state_name[ctx->state]);
		return DOCA_ERROR_BAD_STATE;
	}
	result = ctx_check_path(ctx);
	if (result != DOCA_SUCCESS)
		return result;
	result = ctx->ops->check == NULL ? DOCA_SUCCESS : ctx->ops->check(ctx);
	if (result != DOCA_SUCCESS)
		return result;
	result = ctx->ops->start(ctx);
	if (result == DOCA_SUCCESS)
		sdpu_ctx_move(ctx, DOCA_CTX_STATE_RUNNING);
	else if (result == DOCA_ERROR_IN_PROGRESS)
		sdpu_ctx_move(ctx, DOCA_CTX_STATE_STARTING);
	return result;
}

doca_error_t sdpu_ctx_request_stop(struct doca_ctx *ctx)
{
	doca_error_t result;

	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return DOCA_SUCCESS;
	if (ctx->state == DOCA_CTX_STATE_STOPPING)
		return DOCA_ERROR_IN_PROGRESS;
	result = ctx->ops->may_stop == NULL ? DOCA_SUCCESS : ctx->ops->may_stop(ctx);
	if (result != DOCA_SUCCESS)
		return result;
	ctx_begin_stop(ctx);
	if ((ctx->pe != NULL && sdpu_pe_in_callback(ctx->pe)) || !ctx_is_drained(ctx))
		return DOCA_ERROR_IN_PROGRESS;
	ctx_become_idle(ctx);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_ctx_configurable(const struct doca_ctx *ctx, const char *call)
{
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the context is %s; needed: IDLE; configure it before doca_ctx_start()",
		     call, state_name[ctx->state]);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t sdpu_ctx_set_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa, const char *call)
{
	doca_error_t result = sdpu_ctx_configurable(ctx, call);

	if (result != DOCA_SUCCESS)
		return result;
	if (ctx->ops->on_dpa == NULL) {
		sdpu_log_err("%s: the data path of a %s is on the CPU; on a DPA can be producers "
			     "and consumers of a MsgQ",
			     call, ctx->ops->name);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	result = ctx->ops->on_dpa(ctx, dpa);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_dpa_hold(dpa);
	if (ctx->dpa != NULL)
		sdpu_dpa_release(ctx->dpa);
	ctx->dpa = dpa;
	return DOCA_SUCCESS;
}

static void ctx_show(const struct sdpu_stats *stats, struct softdpu_object *row)
{
	const struct doca_ctx *ctx = sdpu_container_of(stats, struct doca_ctx, stats);
	const struct doca_pe *pe = sdpu_load_acquire(&ctx->pe);

	row->state = SOFTDPU_STATE_IDLE + sdpu_load(&ctx->state);
	row->engine = pe == NULL ? 0 : pe->stats.id;
	/* Acquire: completed is read before submitted, so that it is never the larger one. */
	row->completed = sdpu_load_acquire(&ctx->completed);
	row->submitted = sdpu_load(&ctx->submitted);
	row->failed = sdpu_load(&ctx->failed);
	row->again = sdpu_load(&ctx->again);
	sdpu_sample_show(&ctx->sample, row);
	if (ctx->dev != NULL)
		snprintf(row->device, sizeof(row->device), "%s", sdpu_dev_function(ctx->dev)->pci);
	if (row->kind == SOFTDPU_OBJECT_CONTEXT)
		snprintf(row->how, sizeof(row->how), "%s", ctx->ops->name);
	if (ctx->ops->show != NULL)
		ctx->ops->show(ctx, row);
}

void sdpu_ctx_init(struct doca_ctx *ctx, const struct sdpu_ctx_ops *ops, struct doca_dev *dev)
{
	ctx->ops = ops;
	ctx->dev = dev;
	ctx->state = DOCA_CTX_STATE_IDLE;
	sdpu_list_init(&ctx->pe_node);
	sdpu_list_init(&ctx->wake_node);
	sdpu_list_init(&ctx->done_node);
	sdpu_sample_init(&ctx->sample);
	if (dev != NULL)
		sdpu_dev_hold(dev);
	sdpu_stats_register(&ctx->stats, ops->kind, ctx_show);
}

doca_error_t sdpu_ctx_fini(struct doca_ctx *ctx)
{
	if (ctx->state != DOCA_CTX_STATE_IDLE) {
		/* The name may say of which kind it is, behind a blank. */
		sdpu_log_err("%.*s_destroy: it is %s; needed: IDLE; call doca_ctx_stop(), and "
			     "progress until it is",
			     (int)strcspn(ctx->ops->name, " "), ctx->ops->name,
			     state_name[ctx->state]);
		return DOCA_ERROR_IN_USE;
	}
	sdpu_stats_unregister(&ctx->stats);
	sdpu_list_remove(&ctx->pe_node);
	sdpu_list_remove(&ctx->wake_node);
	sdpu_list_remove(&ctx->done_node);
	if (ctx->dpa != NULL)
		sdpu_dpa_release(ctx->dpa);
	ctx->dpa = NULL;
	if (ctx->dev != NULL)
		sdpu_dev_release(ctx->dev);
	return DOCA_SUCCESS;
}

uint64_t sdpu_ctx_explain_in(const struct doca_ctx *ctx, uint64_t now)
{
	uint64_t since = now - ctx->stopping_since;

	if (ctx->state != DOCA_CTX_STATE_STOPPING || ctx->explained)
		return UINT64_MAX;
	return since < EXPLAIN_AFTER ? EXPLAIN_AFTER - since : 0;
}

void sdpu_ctx_explain(struct doca_ctx *ctx)
{
	char text[160] = "";

	ctx->explained = true;
	if (ctx->ops->explain != NULL)
		ctx->ops->explain(ctx, text, sizeof(text));
	sdpu_log_warn("%s: STOPPING for 2 s; it waits for %u tasks in flight and %u more that were "
		      "not freed "
		      "(doca_task_free)%s%s",
		      ctx->ops->name, sdpu_ctx_inflight(ctx),
		      ctx->allocated - sdpu_ctx_inflight(ctx), text[0] ? "; " : "", text);
}
