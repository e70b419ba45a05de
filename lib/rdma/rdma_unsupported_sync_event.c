/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remote sync events: not built yet. Nobody can get such a task, so whatever their accessors are
 * given is no task of ours.
 */
#include <doca_rdma.h>

#include "base/unsupported.h"

/* The formatter takes the parameters of these macros for expressions. */
/* clang-format off */

/* Get */
SDPU_UNSUPPORTED_CAP(doca_rdma_cap_task_remote_net_sync_event_get_is_supported)
SDPU_UNSUPPORTED(
	doca_rdma_task_remote_net_sync_event_get_set_conf,
	(struct doca_rdma *rdma,
	 doca_rdma_task_remote_net_sync_event_get_completion_cb_t successful_task_completion_cb,
	 doca_rdma_task_remote_net_sync_event_get_completion_cb_t error_task_completion_cb,
	 uint32_t num_tasks),
	rdma && successful_task_completion_cb && error_task_completion_cb)
SDPU_UNSUPPORTED(doca_rdma_task_remote_net_sync_event_get_allocate_init,
		 (struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
		  const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf,
		  union doca_data user_data,
		  struct doca_rdma_task_remote_net_sync_event_get **task),
		 rdma && rdma_connection && event && dst_buf && task)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_rdma_task_remote_net_sync_event_get_as_task,
		       (struct doca_rdma_task_remote_net_sync_event_get *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_remote_net_sync_event_get_set_sync_event,
		      (struct doca_rdma_task_remote_net_sync_event_get *task,
		       const struct doca_sync_event_remote_net *event))
SDPU_UNSUPPORTED_VALUE(const struct doca_sync_event_remote_net *,
		       doca_rdma_task_remote_net_sync_event_get_get_sync_event,
		       (const struct doca_rdma_task_remote_net_sync_event_get *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_remote_net_sync_event_get_set_dst_buf,
		      (struct doca_rdma_task_remote_net_sync_event_get *task,
		       struct doca_buf *dst_buf))
SDPU_UNSUPPORTED_VALUE(struct doca_buf *, doca_rdma_task_remote_net_sync_event_get_get_dst_buf,
		       (const struct doca_rdma_task_remote_net_sync_event_get *task), NULL)
SDPU_UNSUPPORTED_VALUE(uint32_t, doca_rdma_task_remote_net_sync_event_get_get_result_len,
		       (const struct doca_rdma_task_remote_net_sync_event_get *task), 0)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_remote_net_sync_event_get_set_rdma_connection,
		      (struct doca_rdma_task_remote_net_sync_event_get *task,
		       struct doca_rdma_connection *rdma_connection))
SDPU_UNSUPPORTED_VALUE(const struct doca_rdma_connection *,
		       doca_rdma_task_remote_net_sync_event_get_get_rdma_connection,
		       (const struct doca_rdma_task_remote_net_sync_event_get *task), NULL)

/* Set */
SDPU_UNSUPPORTED_CAP(doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported)
SDPU_UNSUPPORTED(
	doca_rdma_task_remote_net_sync_event_notify_set_set_conf,
	(struct doca_rdma *rdma,
	 doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t
		 successful_task_completion_cb,
	 doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t error_task_completion_cb,
	 uint32_t num_tasks),
	rdma && successful_task_completion_cb && error_task_completion_cb)
SDPU_UNSUPPORTED(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init,
		 (struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
		  struct doca_sync_event_remote_net *event, const struct doca_buf *src_buf,
		  union doca_data user_data,
		  struct doca_rdma_task_remote_net_sync_event_notify_set **task),
		 rdma && rdma_connection && event && src_buf && task)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_rdma_task_remote_net_sync_event_notify_set_as_task,
		       (struct doca_rdma_task_remote_net_sync_event_notify_set *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event,
		      (struct doca_rdma_task_remote_net_sync_event_notify_set *task,
		       struct doca_sync_event_remote_net *event))
SDPU_UNSUPPORTED_VALUE(struct doca_sync_event_remote_net *,
		       doca_rdma_task_remote_net_sync_event_notify_set_get_sync_event,
		       (const struct doca_rdma_task_remote_net_sync_event_notify_set *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_remote_net_sync_event_notify_set_set_rdma_connection,
		      (struct doca_rdma_task_remote_net_sync_event_notify_set *task,
		       struct doca_rdma_connection *rdma_connection))
SDPU_UNSUPPORTED_VALUE(const struct doca_rdma_connection *,
		       doca_rdma_task_remote_net_sync_event_notify_set_get_rdma_connection,
		       (const struct doca_rdma_task_remote_net_sync_event_notify_set *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_remote_net_sync_event_notify_set_set_src_buf,
		      (struct doca_rdma_task_remote_net_sync_event_notify_set *task,
		       const struct doca_buf *src_buf))
SDPU_UNSUPPORTED_VALUE(const struct doca_buf *,
		       doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf,
		       (const struct doca_rdma_task_remote_net_sync_event_notify_set *task), NULL)

/* Add */
SDPU_UNSUPPORTED_CAP(doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported)
SDPU_UNSUPPORTED(
	doca_rdma_task_remote_net_sync_event_notify_add_set_conf,
	(struct doca_rdma *rdma,
	 doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t
		 successful_task_completion_cb,
	 doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t error_task_completion_cb,
	 uint32_t num_tasks),
	rdma && successful_task_completion_cb && error_task_completion_cb)
SDPU_UNSUPPORTED(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init,
		 (struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
		  struct doca_sync_event_remote_net *event, struct doca_buf *result_buf,
		  uint64_t add_data, union doca_data user_data,
		  struct doca_rdma_task_remote_net_sync_event_notify_add **task),
		 rdma && rdma_connection && event && result_buf && task)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_rdma_task_remote_net_sync_event_notify_add_as_task,
		       (struct doca_rdma_task_remote_net_sync_event_notify_add *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event,
		      (struct doca_rdma_task_remote_net_sync_event_notify_add *task,
		       struct doca_sync_event_remote_net *event))
SDPU_UNSUPPORTED_VALUE(struct doca_sync_event_remote_net *,
		       doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event,
		       (const struct doca_rdma_task_remote_net_sync_event_notify_add *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_remote_net_sync_event_notify_add_set_result_buf,
		      (struct doca_rdma_task_remote_net_sync_event_notify_add *task,
		       struct doca_buf *result_buf))
SDPU_UNSUPPORTED_VALUE(struct doca_buf *,
		       doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf,
		       (const struct doca_rdma_task_remote_net_sync_event_notify_add *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_remote_net_sync_event_notify_add_set_add_data,
		      (struct doca_rdma_task_remote_net_sync_event_notify_add *task,
		       uint64_t add_data))
SDPU_UNSUPPORTED_VALUE(uint64_t, doca_rdma_task_remote_net_sync_event_notify_add_get_add_data,
		       (const struct doca_rdma_task_remote_net_sync_event_notify_add *task), 0)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_remote_net_sync_event_notify_add_set_rdma_connection,
		      (struct doca_rdma_task_remote_net_sync_event_notify_add *task,
		       struct doca_rdma_connection *rdma_connection))
SDPU_UNSUPPORTED_VALUE(const struct doca_rdma_connection *,
		       doca_rdma_task_remote_net_sync_event_notify_add_get_rdma_connection,
		       (const struct doca_rdma_task_remote_net_sync_event_notify_add *task), NULL)
