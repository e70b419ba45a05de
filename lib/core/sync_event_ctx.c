/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asynchronous work on a sync event: its context, and the ways of its tasks. Engine's thread. Get,
 * set and add act when they are submitted, one after the other; only an exporter's agent, where it
 * is needed, keeps them waiting. A wait ends in the first poll that finds its condition true, or in
 * an error when the exporter is dead or has stopped the event; the context runs on.
 *
 * A change of the counter wakes no engine, as whoever makes it need not know of one. So an engine
 * that sleeps with a wait submitted wakes up now and then to look.
 */
#include "base/clock.h"
#include "base/log.h"
#include "core/sync_event_object.h"

#define LOOK_EVERY SDPU_MS

static struct doca_sync_event *event_of(const struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct doca_sync_event, ctx);
}

static enum sdpu_event_task_kind kind_of(const struct doca_task *task)
{
	return (enum sdpu_event_task_kind)(task->pool - event_of(task->ctx)->pools);
}

/* Of the oldest op: begins it, or goes on with it. */
static doca_error_t act(struct doca_sync_event *event, struct sdpu_event_task *task)
{
	static const enum sdpu_atomic_kind atomic[] = {
		[SDPU_EVENT_TASK_GET] = SDPU_ATOMIC_LOAD,
		[SDPU_EVENT_TASK_SET] = SDPU_ATOMIC_STORE,
		[SDPU_EVENT_TASK_ADD] = SDPU_ATOMIC_FETCH_ADD,
	};
	enum sdpu_event_task_kind kind = kind_of(&task->base);
	doca_error_t result;

	if (!event->begun)
		event->op = sdpu_event_word_op(&event->word, atomic[kind], task->value);
	result = sdpu_event_word_run(&event->word, &event->op);
	event->begun = result == DOCA_ERROR_IN_PROGRESS;
	/* The memory that the result of a freed task would go to may be gone. */
	if (result == DOCA_SUCCESS && kind != SDPU_EVENT_TASK_SET &&
	    !sdpu_task_is_freed(&task->base))
		*task->out = event->op.result;
	else if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS)
		sdpu_event_word_explain(task->base.pool->ops->name, result);
	return result;
}

static bool poll_ops(struct doca_sync_event *event)
{
	struct doca_task *task = event->ops.first;
	doca_error_t result;

	if (task == NULL)
		return false;
	result = act(event, (struct sdpu_event_task *)task);
	if (result == DOCA_ERROR_IN_PROGRESS)
		return false;
	sdpu_task_finish(sdpu_task_queue_get(&event->ops), result);
	return true;
}

static struct sdpu_event_condition condition_of(const struct doca_task *base)
{
	const struct sdpu_event_task *task = (const struct sdpu_event_task *)base;
	struct sdpu_event_condition condition = {
		.compare =
			kind_of(base) == SDPU_EVENT_TASK_WAIT_EQ ? SDPU_EVENT_EQ : SDPU_EVENT_NEQ,
		.value = task->value,
		.mask = task->mask,
	};

	return condition;
}

static bool goes_on(const struct doca_task *task, uint64_t counter)
{
	struct sdpu_event_condition condition = condition_of(task);

	return !sdpu_task_is_freed(task) && !sdpu_event_condition_holds(&condition, counter);
}

/* After one load for all of them. */
static bool end_waits(struct doca_sync_event *event, doca_error_t result, uint64_t counter)
{
	struct sdpu_task_queue left = {0};
	struct doca_task *task;
	bool ended = false;

	while ((task = sdpu_task_queue_get(&event->waits)) != NULL) {
		if (result == DOCA_SUCCESS && goes_on(task, counter)) {
			sdpu_task_queue_put(&left, task);
			continue;
		}
		sdpu_task_finish(task, result);
		ended = true;
	}
	event->waits = left;
	return ended;
}

static bool poll_waits(struct doca_sync_event *event)
{
	doca_error_t result;

	if (event->waits.first == NULL)
		return false;
	if (!event->looking)
		event->look = sdpu_event_word_op(&event->word, SDPU_ATOMIC_LOAD, 0);
	result = sdpu_event_word_run(&event->word, &event->look);
	event->looking = result == DOCA_ERROR_IN_PROGRESS;
	if (event->looking)
		return false;
	if (result != DOCA_SUCCESS)
		sdpu_event_word_explain("doca_sync_event: waiting", result);
	return end_waits(event, result, event->look.result);
}

static bool event_poll(struct sdpu_source *source)
{
	struct doca_sync_event *event = sdpu_container_of(source, struct doca_sync_event, source);

	if (event->ops.first == NULL && event->waits.first == NULL) {
		sdpu_source_park(source);
		return false;
	}
	return poll_ops(event) || poll_waits(event);
}

/* An exporter's agent is about to answer: look again soon. Conditions of waits are polled by the
 * clock. */
static bool event_pending(const struct sdpu_source *source)
{
	return sdpu_container_of(source, struct doca_sync_event, source)->ops.first != NULL;
}

void sdpu_event_source_init(struct sdpu_source *source)
{
	source->poll = event_poll;
	source->pending = event_pending;
	source->unrung = LOOK_EVERY;
}

doca_error_t sdpu_event_submit_op(struct doca_task *base)
{
	const struct sdpu_event_task *task = (const struct sdpu_event_task *)base;
	struct doca_sync_event *event = event_of(base->ctx);

	if (sdpu_unlikely(task->out == NULL && kind_of(base) != SDPU_EVENT_TASK_SET)) {
		sdpu_log_err("doca_task_submit: the %s has no place for its result; needed: the "
			     "address of a uint64_t",
			     base->pool->ops->name);
		return DOCA_ERROR_INVALID_VALUE;
	}
	sdpu_task_queue_put(&event->ops, base);
	if (!poll_ops(event))
		sdpu_source_heat(&event->source);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_event_submit_wait(struct doca_task *base)
{
	struct doca_sync_event *event = event_of(base->ctx);
	struct sdpu_event_condition condition = condition_of(base);

	const char *fault = sdpu_event_condition_fault(&condition);

	if (fault != NULL) {
		sdpu_log_err("doca_task_submit: value 0x%llx, mask 0x%llx of the %s; needed: %s",
			     (unsigned long long)condition.value,
			     (unsigned long long)condition.mask, base->pool->ops->name, fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	sdpu_task_queue_put(&event->waits, base);
	sdpu_source_heat(&event->source);
	return DOCA_SUCCESS;
}

static doca_error_t event_check(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = event_of(ctx);

	if (!sdpu_event_is_direct(event))
		return sdpu_event_check(event, "doca_ctx_start");
	sdpu_log_err("doca_ctx_start: the event is started for synchronous work; call "
		     "doca_sync_event_stop() first");
	return DOCA_ERROR_BAD_STATE;
}

static doca_error_t event_start(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = event_of(ctx);
	doca_error_t result = DOCA_SUCCESS;

	for (uint32_t i = 0; i < SDPU_EVENT_TASK_KINDS && result == DOCA_SUCCESS; i++)
		result = sdpu_task_pool_open(&event->pools[i]);
	if (result == DOCA_SUCCESS)
		result = sdpu_event_open(event);
	if (result == DOCA_SUCCESS)
		sdpu_source_add(ctx->pe, &event->source);
	return result;
}

static void flush(struct sdpu_task_queue *queue)
{
	struct doca_task *task;

	while ((task = sdpu_task_queue_get(queue)) != NULL)
		sdpu_task_finish(task, DOCA_ERROR_SHUTDOWN);
}

static void event_stop(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = event_of(ctx);

	if (event->begun)
		sdpu_event_word_cancel(&event->word, &event->op);
	if (event->looking)
		sdpu_event_word_cancel(&event->word, &event->look);
	event->begun = event->looking = false;
	flush(&event->ops);
	flush(&event->waits);
}

static void event_idle(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = event_of(ctx);

	sdpu_source_remove(&event->source);
	sdpu_event_close(event);
}

const struct sdpu_ctx_ops sdpu_event_ctx_ops = {
	.name = "doca_sync_event",
	.check = event_check,
	.start = event_start,
	.stop = event_stop,
	.idle = event_idle,
};
