/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Public functions of the tasks of sync events: doca_sync_event_task_*. Those of one sort differ in
 * their names only; sync_event_ctx.c carries the tasks out.
 */
#include <stdio.h>

#include "base/log.h"
#include "base/refuse.h"
#include "core/sync_event_object.h"

#define MAX_TASKS 65536

static doca_error_t task_conf(struct doca_sync_event *event, enum sdpu_event_task_kind kind,
			      const struct sdpu_task_ops *ops, sdpu_task_cb completed,
			      sdpu_task_cb failed, uint32_t num_tasks)
{
	char call[80];

	if (event == NULL) {
		snprintf(call, sizeof(call), "%s_set_conf", ops->name);
		(void)sdpu_null_told(call, "event", event);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return sdpu_task_pool_conf(&event->pools[kind], &event->ctx, ops,
				   sizeof(struct sdpu_event_task), completed, failed, num_tasks,
				   MAX_TASKS);
}

static doca_error_t task_alloc(const char *call, struct doca_sync_event *event,
			       enum sdpu_event_task_kind kind, union doca_data user_data,
			       struct sdpu_event_task **task)
{
	struct sdpu_task_pool *pool = &event->pools[kind];
	struct doca_task *base;
	doca_error_t result = DOCA_ERROR_BAD_STATE;

	if (event->ctx.state == DOCA_CTX_STATE_RUNNING)
		result = sdpu_task_alloc(pool, user_data, &base);
	if (result != DOCA_SUCCESS) {
		(void)sdpu_task_alloc_refused(call, &event->ctx, pool, result);
		return result;
	}
	*task = (struct sdpu_event_task *)base;
	return DOCA_SUCCESS;
}

/* A task of its own name; its pool, its face as a plain one. */
#define TASK(task_name, kind, submitted)                                                           \
	struct doca_sync_event_task_##task_name {                                                  \
		struct sdpu_event_task task;                                                       \
	};                                                                                         \
                                                                                                   \
	static const struct sdpu_task_ops task_name##_ops = {                                      \
		.name = "doca_sync_event_task_" #task_name,                                        \
		.submit = submitted,                                                               \
	};                                                                                         \
                                                                                                   \
	doca_error_t doca_sync_event_task_##task_name##_set_conf(                                  \
		struct doca_sync_event *event,                                                     \
		doca_sync_event_task_##task_name##_completion_cb_t cb,                             \
		doca_sync_event_task_##task_name##_completion_cb_t err_cb, uint32_t num_tasks)     \
	{                                                                                          \
		return task_conf(event, kind, &task_name##_ops, (sdpu_task_cb)cb,                  \
				 (sdpu_task_cb)err_cb, num_tasks);                                 \
	}                                                                                          \
                                                                                                   \
	struct doca_task *doca_sync_event_task_##task_name##_as_doca_task(                         \
		struct doca_sync_event_task_##task_name *task)                                     \
	{                                                                                          \
		return task == NULL ? NULL : &task->task.base;                                     \
	}

/* A field of a task, by its public name. */
#define FIELD(task_name, type, public_name, field)                                                 \
	void doca_sync_event_task_##task_name##_set_##public_name(                                 \
		struct doca_sync_event_task_##task_name *task, type public_name)                   \
	{                                                                                          \
		if (task != NULL)                                                                  \
			task->task.field = public_name;                                            \
	}                                                                                          \
                                                                                                   \
	type doca_sync_event_task_##task_name##_get_##public_name(                                 \
		const struct doca_sync_event_task_##task_name *task)                               \
	{                                                                                          \
		return task == NULL ? (type)0 : task->task.field;                                  \
	}

TASK(get, SDPU_EVENT_TASK_GET, sdpu_event_submit_op)
TASK(notify_set, SDPU_EVENT_TASK_SET, sdpu_event_submit_op)
TASK(notify_add, SDPU_EVENT_TASK_ADD, sdpu_event_submit_op)
TASK(wait_eq, SDPU_EVENT_TASK_WAIT_EQ, sdpu_event_submit_wait)
TASK(wait_neq, SDPU_EVENT_TASK_WAIT_NEQ, sdpu_event_submit_wait)

FIELD(get, uint64_t *, ret_val_ptr, out)
FIELD(notify_set, uint64_t, set_val, value)
FIELD(notify_add, uint64_t, inc_val, value)
FIELD(notify_add, uint64_t *, fetched_val_ptr, out)
FIELD(wait_eq, uint64_t, wait_val, value)
FIELD(wait_eq, uint64_t, mask, mask)
FIELD(wait_neq, uint64_t, wait_val, value)
FIELD(wait_neq, uint64_t, mask, mask)

doca_error_t doca_sync_event_task_get_alloc_init(struct doca_sync_event *event,
						 uint64_t *ret_val_ptr, union doca_data user_data,
						 struct doca_sync_event_task_get **task)
{
	struct sdpu_event_task *made;
	doca_error_t result;

	if (sdpu_any_null(__func__, event, ret_val_ptr, task))
		return DOCA_ERROR_INVALID_VALUE;
	result = task_alloc(__func__, event, SDPU_EVENT_TASK_GET, user_data, &made);
	if (result != DOCA_SUCCESS)
		return result;
	made->out = ret_val_ptr;
	*task = (struct doca_sync_event_task_get *)made;
	return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_task_notify_set_alloc_init(struct doca_sync_event *event, uint64_t set_val,
					   union doca_data user_data,
					   struct doca_sync_event_task_notify_set **task)
{
	struct sdpu_event_task *made;
	doca_error_t result;

	if (sdpu_any_null(__func__, event, task))
		return DOCA_ERROR_INVALID_VALUE;
	result = task_alloc(__func__, event, SDPU_EVENT_TASK_SET, user_data, &made);
	if (result != DOCA_SUCCESS)
		return result;
	made->value = set_val;
	*task = (struct doca_sync_event_task_notify_set *)made;
	return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_task_notify_add_alloc_init(struct doca_sync_event *event, uint64_t inc_val,
					   uint64_t *fetched_val_ptr, union doca_data user_data,
					   struct doca_sync_event_task_notify_add **task)
{
	struct sdpu_event_task *made;
	doca_error_t result;

	if (sdpu_any_null(__func__, event, fetched_val_ptr, task))
		return DOCA_ERROR_INVALID_VALUE;
	result = task_alloc(__func__, event, SDPU_EVENT_TASK_ADD, user_data, &made);
	if (result != DOCA_SUCCESS)
		return result;
	made->value = inc_val;
	made->out = fetched_val_ptr;
	*task = (struct doca_sync_event_task_notify_add *)made;
	return DOCA_SUCCESS;
}

static doca_error_t wait_alloc(const char *call, struct doca_sync_event *event,
			       enum sdpu_event_task_kind kind,
			       const struct sdpu_event_condition *condition,
			       union doca_data user_data, struct sdpu_event_task **task)
{
	const char *fault = sdpu_event_condition_fault(condition);
	doca_error_t result;

	if (fault != NULL) {
		sdpu_log_err("%s: value 0x%llx, mask 0x%llx; needed: %s", call,
			     (unsigned long long)condition->value,
			     (unsigned long long)condition->mask, fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = task_alloc(call, event, kind, user_data, task);
	if (result != DOCA_SUCCESS)
		return result;
	(*task)->value = condition->value;
	(*task)->mask = condition->mask;
	return DOCA_SUCCESS;
}

#define WAIT_ALLOC(task_name, kind, compare_name)                                                  \
	doca_error_t doca_sync_event_task_##task_name##_alloc_init(                                \
		struct doca_sync_event *event, uint64_t wait_val, uint64_t mask,                   \
		union doca_data user_data, struct doca_sync_event_task_##task_name **task)         \
	{                                                                                          \
		const struct sdpu_event_condition condition = {compare_name, wait_val, mask};      \
		struct sdpu_event_task *made;                                                      \
		doca_error_t result;                                                               \
                                                                                                   \
		if (sdpu_any_null(__func__, event, task))                                          \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		result = wait_alloc(__func__, event, kind, &condition, user_data, &made);          \
		if (result == DOCA_SUCCESS)                                                        \
			*task = (struct doca_sync_event_task_##task_name *)made;                   \
		return result;                                                                     \
	}

WAIT_ALLOC(wait_eq, SDPU_EVENT_TASK_WAIT_EQ, SDPU_EVENT_EQ)
WAIT_ALLOC(wait_neq, SDPU_EVENT_TASK_WAIT_NEQ, SDPU_EVENT_NEQ)
