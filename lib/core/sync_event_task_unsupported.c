/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks of sync events.
 */
#include <doca_sync_event_task.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_task_get_is_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_task_notify_set_is_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_task_notify_add_is_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_task_wait_eq_is_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_task_wait_neq_is_supported)
SDPU_UNSUPPORTED(doca_sync_event_task_get_set_conf,
	(struct doca_sync_event *event, doca_sync_event_task_get_completion_cb_t cb,
	 doca_sync_event_task_get_completion_cb_t err_cb, uint32_t num_tasks),
	event && cb && err_cb)
SDPU_UNSUPPORTED(doca_sync_event_task_notify_set_set_conf,
	(struct doca_sync_event *event, doca_sync_event_task_notify_set_completion_cb_t cb,
	 doca_sync_event_task_notify_set_completion_cb_t err_cb, uint32_t num_tasks),
	event && cb && err_cb)
SDPU_UNSUPPORTED(doca_sync_event_task_notify_add_set_conf,
	(struct doca_sync_event *event, doca_sync_event_task_notify_add_completion_cb_t cb,
	 doca_sync_event_task_notify_add_completion_cb_t err_cb, uint32_t num_tasks),
	event && cb && err_cb)
SDPU_UNSUPPORTED(doca_sync_event_task_wait_eq_set_conf,
	(struct doca_sync_event *event, doca_sync_event_task_wait_eq_completion_cb_t cb,
	 doca_sync_event_task_wait_eq_completion_cb_t err_cb, uint32_t num_tasks),
	event && cb && err_cb)
SDPU_UNSUPPORTED(doca_sync_event_task_wait_neq_set_conf,
	(struct doca_sync_event *event, doca_sync_event_task_wait_neq_completion_cb_t cb,
	 doca_sync_event_task_wait_neq_completion_cb_t err_cb, uint32_t num_tasks),
	event && cb && err_cb)
SDPU_UNSUPPORTED(doca_sync_event_task_get_alloc_init,
	(struct doca_sync_event *event, uint64_t *ret_val_ptr, union doca_data user_data,
	 struct doca_sync_event_task_get **task), event && ret_val_ptr && task)
SDPU_UNSUPPORTED(doca_sync_event_task_notify_set_alloc_init,
	(struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
	 struct doca_sync_event_task_notify_set **task), event && task)
SDPU_UNSUPPORTED(doca_sync_event_task_notify_add_alloc_init,
	(struct doca_sync_event *event, uint64_t inc_val, uint64_t *fetched_val_ptr,
	 union doca_data user_data, struct doca_sync_event_task_notify_add **task),
	event && fetched_val_ptr && task)
SDPU_UNSUPPORTED(doca_sync_event_task_wait_eq_alloc_init,
	(struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
	 struct doca_sync_event_task_wait_eq **task), event && task)
SDPU_UNSUPPORTED(doca_sync_event_task_wait_neq_alloc_init,
	(struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
	 struct doca_sync_event_task_wait_neq **task), event && task)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_sync_event_task_get_as_doca_task,
	(struct doca_sync_event_task_get *task), NULL)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_sync_event_task_notify_set_as_doca_task,
	(struct doca_sync_event_task_notify_set *task), NULL)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_sync_event_task_notify_add_as_doca_task,
	(struct doca_sync_event_task_notify_add *task), NULL)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_sync_event_task_wait_eq_as_doca_task,
	(struct doca_sync_event_task_wait_eq *task), NULL)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_sync_event_task_wait_neq_as_doca_task,
	(struct doca_sync_event_task_wait_neq *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_sync_event_task_get_set_ret_val_ptr,
	(struct doca_sync_event_task_get *task, uint64_t *ret_val_ptr))
SDPU_UNSUPPORTED_VALUE(uint64_t *, doca_sync_event_task_get_get_ret_val_ptr,
	(const struct doca_sync_event_task_get *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_sync_event_task_notify_set_set_set_val,
	(struct doca_sync_event_task_notify_set *task, uint64_t set_val))
SDPU_UNSUPPORTED_VALUE(uint64_t, doca_sync_event_task_notify_set_get_set_val,
	(const struct doca_sync_event_task_notify_set *task), 0)
SDPU_UNSUPPORTED_VOID(doca_sync_event_task_notify_add_set_inc_val,
	(struct doca_sync_event_task_notify_add *task, uint64_t inc_val))
SDPU_UNSUPPORTED_VALUE(uint64_t, doca_sync_event_task_notify_add_get_inc_val,
	(const struct doca_sync_event_task_notify_add *task), 0)
SDPU_UNSUPPORTED_VOID(doca_sync_event_task_notify_add_set_fetched_val_ptr,
	(struct doca_sync_event_task_notify_add *task, uint64_t *fetched_val_ptr))
SDPU_UNSUPPORTED_VALUE(uint64_t *, doca_sync_event_task_notify_add_get_fetched_val_ptr,
	(const struct doca_sync_event_task_notify_add *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_sync_event_task_wait_eq_set_wait_val,
	(struct doca_sync_event_task_wait_eq *task, uint64_t wait_val))
SDPU_UNSUPPORTED_VALUE(uint64_t, doca_sync_event_task_wait_eq_get_wait_val,
	(const struct doca_sync_event_task_wait_eq *task), 0)
SDPU_UNSUPPORTED_VOID(doca_sync_event_task_wait_eq_set_mask,
	(struct doca_sync_event_task_wait_eq *task, uint64_t mask))
SDPU_UNSUPPORTED_VALUE(uint64_t, doca_sync_event_task_wait_eq_get_mask,
	(const struct doca_sync_event_task_wait_eq *task), 0)
SDPU_UNSUPPORTED_VOID(doca_sync_event_task_wait_neq_set_wait_val,
	(struct doca_sync_event_task_wait_neq *task, uint64_t wait_val))
SDPU_UNSUPPORTED_VALUE(uint64_t, doca_sync_event_task_wait_neq_get_wait_val,
	(const struct doca_sync_event_task_wait_neq *task), 0)
SDPU_UNSUPPORTED_VOID(doca_sync_event_task_wait_neq_set_mask,
	(struct doca_sync_event_task_wait_neq *task, uint64_t mask))
SDPU_UNSUPPORTED_VALUE(uint64_t, doca_sync_event_task_wait_neq_get_mask,
	(const struct doca_sync_event_task_wait_neq *task), 0)
/* clang-format on */
