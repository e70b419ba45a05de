/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remote atomics: not built yet. Nobody can get such a task, so whatever their accessors are given
 * is no task of ours.
 */
#include <doca_rdma.h>

#include "base/unsupported.h"

/* The formatter takes the parameters of these macros for expressions. */
/* clang-format off */

/* Compare and swap */
SDPU_UNSUPPORTED_CAP(doca_rdma_cap_task_atomic_cmp_swp_is_supported)
SDPU_UNSUPPORTED(doca_rdma_task_atomic_cmp_swp_set_conf,
		 (struct doca_rdma *rdma,
		  doca_rdma_task_atomic_cmp_swp_completion_cb_t successful_task_completion_cb,
		  doca_rdma_task_atomic_cmp_swp_completion_cb_t error_task_completion_cb,
		  uint32_t num_tasks),
		 rdma && successful_task_completion_cb && error_task_completion_cb)
SDPU_UNSUPPORTED(doca_rdma_task_atomic_cmp_swp_allocate_init,
		 (struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
		  struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t cmp_data,
		  uint64_t swap_data, union doca_data user_data,
		  struct doca_rdma_task_atomic_cmp_swp **task),
		 rdma && rdma_connection && dst_buf && result_buf && task)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_rdma_task_atomic_cmp_swp_as_task,
		       (struct doca_rdma_task_atomic_cmp_swp *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_atomic_cmp_swp_set_dst_buf,
		      (struct doca_rdma_task_atomic_cmp_swp *task, struct doca_buf *dst_buf))
SDPU_UNSUPPORTED_VALUE(struct doca_buf *, doca_rdma_task_atomic_cmp_swp_get_dst_buf,
		       (const struct doca_rdma_task_atomic_cmp_swp *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_atomic_cmp_swp_set_result_buf,
		      (struct doca_rdma_task_atomic_cmp_swp *task, struct doca_buf *result_buf))
SDPU_UNSUPPORTED_VALUE(struct doca_buf *, doca_rdma_task_atomic_cmp_swp_get_result_buf,
		       (const struct doca_rdma_task_atomic_cmp_swp *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_atomic_cmp_swp_set_cmp_data,
		      (struct doca_rdma_task_atomic_cmp_swp *task, uint64_t cmp_data))
SDPU_UNSUPPORTED_VALUE(uint64_t, doca_rdma_task_atomic_cmp_swp_get_cmp_data,
		       (const struct doca_rdma_task_atomic_cmp_swp *task), 0)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_atomic_cmp_swp_set_swap_data,
		      (struct doca_rdma_task_atomic_cmp_swp *task, uint64_t swap_data))
SDPU_UNSUPPORTED_VALUE(uint64_t, doca_rdma_task_atomic_cmp_swp_get_swap_data,
		       (const struct doca_rdma_task_atomic_cmp_swp *task), 0)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_atomic_cmp_swp_set_rdma_connection,
		      (struct doca_rdma_task_atomic_cmp_swp *task,
		       struct doca_rdma_connection *rdma_connection))
SDPU_UNSUPPORTED_VALUE(const struct doca_rdma_connection *,
		       doca_rdma_task_atomic_cmp_swp_get_rdma_connection,
		       (const struct doca_rdma_task_atomic_cmp_swp *task), NULL)

/* Fetch and add */
SDPU_UNSUPPORTED_CAP(doca_rdma_cap_task_atomic_fetch_add_is_supported)
SDPU_UNSUPPORTED(doca_rdma_task_atomic_fetch_add_set_conf,
		 (struct doca_rdma *rdma,
		  doca_rdma_task_atomic_fetch_add_completion_cb_t successful_task_completion_cb,
		  doca_rdma_task_atomic_fetch_add_completion_cb_t error_task_completion_cb,
		  uint32_t num_tasks),
		 rdma && successful_task_completion_cb && error_task_completion_cb)
SDPU_UNSUPPORTED(doca_rdma_task_atomic_fetch_add_allocate_init,
		 (struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
		  struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t add_data,
		  union doca_data user_data, struct doca_rdma_task_atomic_fetch_add **task),
		 rdma && rdma_connection && dst_buf && result_buf && task)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_rdma_task_atomic_fetch_add_as_task,
		       (struct doca_rdma_task_atomic_fetch_add *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_atomic_fetch_add_set_dst_buf,
		      (struct doca_rdma_task_atomic_fetch_add *task, struct doca_buf *dst_buf))
SDPU_UNSUPPORTED_VALUE(struct doca_buf *, doca_rdma_task_atomic_fetch_add_get_dst_buf,
		       (const struct doca_rdma_task_atomic_fetch_add *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_atomic_fetch_add_set_result_buf,
		      (struct doca_rdma_task_atomic_fetch_add *task, struct doca_buf *result_buf))
SDPU_UNSUPPORTED_VALUE(struct doca_buf *, doca_rdma_task_atomic_fetch_add_get_result_buf,
		       (const struct doca_rdma_task_atomic_fetch_add *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_atomic_fetch_add_set_add_data,
		      (struct doca_rdma_task_atomic_fetch_add *task, uint64_t add_data))
SDPU_UNSUPPORTED_VALUE(uint64_t, doca_rdma_task_atomic_fetch_add_get_add_data,
		       (const struct doca_rdma_task_atomic_fetch_add *task), 0)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_atomic_fetch_add_set_rdma_connection,
		      (struct doca_rdma_task_atomic_fetch_add *task,
		       struct doca_rdma_connection *rdma_connection))
SDPU_UNSUPPORTED_VALUE(const struct doca_rdma_connection *,
		       doca_rdma_task_atomic_fetch_add_get_rdma_connection,
		       (const struct doca_rdma_task_atomic_fetch_add *task), NULL)
