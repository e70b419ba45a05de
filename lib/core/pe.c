/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Progress engine: one step of work; contract in pe.h. Notification is in pe_notify.c, sources in
 * source.c.
 */
#include "core/pe.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/ctx_state.h"
#include "core/source.h"
#include "core/spin.h"

/* Finished tasks delivered, and contexts stepped, in one progress. */
#define PE_DONE_BUDGET 64
#define PE_STEP_BUDGET 16
/* Progress calls between two looks at the clock. */
#define PE_LOOK_EVERY 256
/* Turns between two readings of it for those who watch, at most. */
#define PE_STAMP_EVERY 64

/* A context whose callbacks finish the next task already would stay in front for ever. */
static void pe_give_way(struct doca_pe *pe)
{
	struct sdpu_list *first = sdpu_list_pop(&pe->done);

	if (first != NULL)
		sdpu_list_append(&pe->done, first);
}

__attribute__((noinline)) bool sdpu_pe_deliver_done(struct doca_pe *pe)
{
	uint32_t n = 0;

	while (n < PE_DONE_BUDGET && !sdpu_list_empty(&pe->done)) {
		struct doca_ctx *ctx = sdpu_container_of(pe->done.next, struct doca_ctx, done_node);
		struct doca_task *task = sdpu_task_queue_get(&ctx->done);

		if (ctx->done.first == NULL)
			sdpu_list_remove(&ctx->done_node);
		sdpu_task_deliver(task, task->status);
		n++;
	}
	if (sdpu_unlikely(n == PE_DONE_BUDGET))
		pe_give_way(pe);
	return n != 0;
}

/* A step may end in the destruction of its context, so that it goes to the end of the list before,
 * and off it only if nothing happened. */
__attribute__((noinline)) static bool pe_step_woken(struct doca_pe *pe)
{
	bool worked = false;

	for (uint32_t n = 0; n < PE_STEP_BUDGET && !sdpu_list_empty(&pe->woken); n++) {
		struct doca_ctx *ctx =
			sdpu_container_of(pe->woken.next, struct doca_ctx, wake_node);

		sdpu_list_remove(&ctx->wake_node);
		sdpu_list_append(&pe->woken, &ctx->wake_node);
		if (sdpu_ctx_step(ctx))
			worked = true;
		else
			sdpu_list_remove(&ctx->wake_node);
	}
	return worked;
}

/* Somebody calls, a peer has set a ready bit, or a watcher wants to see when we progress. */
static inline bool pe_is_called(const struct doca_pe *pe)
{
	return (sdpu_load(&pe->bell.attention) | sdpu_load(&pe->bell.ready->summary) |
		sdpu_load(&sdpu_stats_look)) != 0;
}

static void pe_note_look(struct doca_pe *pe, uint32_t look)
{
	struct sdpu_list *node;

	pe->look = look;
	sdpu_list_for_each (node, &pe->contexts)
		sdpu_sample_look(&sdpu_container_of(node, struct doca_ctx, pe_node)->sample);
}

/*
 * Turns that come close to each other need not all read the clock. The coarse one ticks every few
 * milliseconds: as often as it stood still, twice as many may go by. What they become meanwhile,
 * rare, is noticed at the watcher's next look at the latest.
 */
__attribute__((noinline)) static void pe_stamp(struct doca_pe *pe, uint32_t look)
{
	uint64_t now = sdpu_clock_coarse();

	if (now != pe->progressed)
		pe->stamp_every = 1;
	else if (pe->stamp_every < PE_STAMP_EVERY)
		pe->stamp_every *= 2;
	pe->stamp_in = pe->stamp_every;
	sdpu_store(&pe->progressed, now);
	if (look != pe->look)
		pe_note_look(pe, look);
}

/* Of the three it may be any: while we are watched, the others are looked at before they are
 * written. */
__attribute__((noinline)) static void pe_attend(struct doca_pe *pe)
{
	uint32_t look = sdpu_load(&sdpu_stats_look);

	if (look != 0 && (look != pe->look || --pe->stamp_in == 0))
		pe_stamp(pe, look);
	if (sdpu_load(&pe->bell.attention) != 0 && sdpu_swap(&pe->bell.attention, 0) != 0)
		sdpu_source_heat_all(pe);
	if (sdpu_load(&pe->bell.ready->summary) != 0)
		sdpu_source_heat_ready(pe);
}

uint64_t sdpu_pe_explain(struct doca_pe *pe)
{
	uint64_t now = sdpu_clock_now(), next = UINT64_MAX;
	struct sdpu_list *node;

	sdpu_list_for_each (node, &pe->contexts) {
		struct doca_ctx *ctx = sdpu_container_of(node, struct doca_ctx, pe_node);
		uint64_t in = sdpu_ctx_explain_in(ctx, now);

		if (in == 0)
			sdpu_ctx_explain(ctx);
		else if (in < next)
			next = in;
	}
	return next;
}

static void pe_show(const struct sdpu_stats *stats, struct softdpu_object *row)
{
	const struct doca_pe *pe = sdpu_container_of(stats, struct doca_pe, stats);

	row->is_asleep = sdpu_load(&pe->bell.armed->armed) >= SDPU_ASLEEP;
	row->progressed_ns = sdpu_load(&pe->progressed);
}

/* Few of the calls of this one find something: it keeps little, and leaves the rest to others. */
static inline uint8_t pe_step(struct doca_pe *pe)
{
	bool worked;

	if (sdpu_unlikely(pe_is_called(pe)))
		pe_attend(pe);
	worked = sdpu_source_poll_all(pe);
	if (!sdpu_list_empty(&pe->done))
		worked |= sdpu_pe_deliver_done(pe);
	if (sdpu_unlikely(!sdpu_list_empty(&pe->woken)))
		worked |= pe_step_woken(pe);
	if (worked) {
		sdpu_spin_worked();
		return 1;
	}
	if (sdpu_unlikely(++pe->ticks % PE_LOOK_EVERY == 0))
		(void)sdpu_pe_explain(pe);
	sdpu_spin_count();
	return 0;
}

/* Programs that wait inside a callback call over and over, and would fill a disk with lines. */
__attribute__((cold, noinline)) static uint8_t pe_refuse(struct doca_pe *pe)
{
	if (!pe->refused)
		sdpu_log_err("doca_pe_progress: called inside a callback of the same engine, or "
			     "after one that an exception or longjmp() left; return from callbacks "
			     "first (told once)");
	pe->refused = true;
	return 0;
}

uint8_t doca_pe_progress(struct doca_pe *pe)
{
	if (sdpu_unlikely(pe == NULL || sdpu_process_inert()))
		return 0;
	if (sdpu_unlikely(sdpu_pe_in_callback(pe)))
		return pe_refuse(pe);
	return pe_step(pe);
}

doca_error_t doca_pe_create(struct doca_pe **pe)
{
	struct doca_pe *made;
	doca_error_t result;

	if (sdpu_any_null(__func__, pe))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	result = sdpu_bell_create(&made->bell);
	if (result != DOCA_SUCCESS) {
		free(made);
		return result;
	}
	sdpu_list_init(&made->contexts);
	sdpu_list_init(&made->woken);
	sdpu_list_init(&made->done);
	sdpu_list_init(&made->hot);
	sdpu_list_init(&made->cold);
	sdpu_stats_register(&made->stats, SOFTDPU_OBJECT_ENGINE, pe_show);
	*pe = made;
	return DOCA_SUCCESS;
}

/* NULL: it may be destroyed. */
static const char *pe_in_use(const struct doca_pe *pe)
{
	if (sdpu_pe_in_callback(pe))
		return "called inside a callback";
	if (!sdpu_list_empty(&pe->contexts))
		return "contexts are connected";
	return pe->num_graphs == 0 ? NULL : "graphs were created on it";
}

doca_error_t doca_pe_destroy(struct doca_pe *pe)
{
	const char *use;

	if (sdpu_any_null(__func__, pe))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	use = pe_in_use(pe);
	if (use != NULL) {
		sdpu_log_err("doca_pe_destroy: %s; destroy its contexts and graphs first, outside "
			     "of its callbacks",
			     use);
		return DOCA_ERROR_IN_USE;
	}
	sdpu_stats_unregister(&pe->stats);
	sdpu_bell_destroy(&pe->bell);
	free(pe);
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, pe, ctx))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_ctx_configurable(ctx, "doca_pe_connect_ctx");
	if (result != DOCA_SUCCESS)
		return result;
	if (ctx->pe != NULL) {
		sdpu_log_err("doca_pe_connect_ctx: the %s has an engine already; it keeps it until "
			     "it is destroyed",
			     ctx->ops->name);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	/* release: pairs with the acquire in ctx_show() */
	sdpu_store_release(&ctx->pe, pe);
	sdpu_list_append(&pe->contexts, &ctx->pe_node);
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe, size_t *num_inflight_tasks)
{
	const struct sdpu_list *node;
	size_t sum = 0;

	if (sdpu_any_null(__func__, pe, num_inflight_tasks))
		return DOCA_ERROR_INVALID_VALUE;
	sdpu_list_for_each (node, &pe->contexts)
		sum += sdpu_ctx_inflight(sdpu_container_of(node, struct doca_ctx, pe_node));
	*num_inflight_tasks = sum;
	return DOCA_SUCCESS;
}
