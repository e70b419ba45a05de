/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks that carry immediate data: not built yet. Nobody can get one, so whatever their accessors
 * are given is no task of ours.
 */
#include <doca_rdma.h>

#include "base/unsupported.h"

/* The formatter takes the parameters of these macros for expressions. */
/* clang-format off */

/* Send with immediate data */
SDPU_UNSUPPORTED_CAP(doca_rdma_cap_task_send_imm_is_supported)
SDPU_UNSUPPORTED(doca_rdma_task_send_imm_set_conf,
		 (struct doca_rdma *rdma,
		  doca_rdma_task_send_imm_completion_cb_t successful_task_completion_cb,
		  doca_rdma_task_send_imm_completion_cb_t error_task_completion_cb,
		  uint32_t num_tasks),
		 rdma && successful_task_completion_cb && error_task_completion_cb)
SDPU_UNSUPPORTED(doca_rdma_task_send_imm_allocate_init,
		 (struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
		  const struct doca_buf *src_buf, doca_be32_t immediate_data,
		  union doca_data user_data, struct doca_rdma_task_send_imm **task),
		 rdma && rdma_connection && task)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_rdma_task_send_imm_as_task,
		       (struct doca_rdma_task_send_imm *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_send_imm_set_src_buf,
		      (struct doca_rdma_task_send_imm *task, const struct doca_buf *src_buf))
SDPU_UNSUPPORTED_VALUE(const struct doca_buf *, doca_rdma_task_send_imm_get_src_buf,
		       (const struct doca_rdma_task_send_imm *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_send_imm_set_immediate_data,
		      (struct doca_rdma_task_send_imm *task, doca_be32_t immediate_data))
SDPU_UNSUPPORTED_VALUE(doca_be32_t, doca_rdma_task_send_imm_get_immediate_data,
		       (const struct doca_rdma_task_send_imm *task), 0)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_send_imm_set_rdma_connection,
		      (struct doca_rdma_task_send_imm *task,
		       struct doca_rdma_connection *rdma_connection))
SDPU_UNSUPPORTED_VALUE(const struct doca_rdma_connection *,
		       doca_rdma_task_send_imm_get_rdma_connection,
		       (const struct doca_rdma_task_send_imm *task), NULL)

/* Write with immediate data */
SDPU_UNSUPPORTED_CAP(doca_rdma_cap_task_write_imm_is_supported)
SDPU_UNSUPPORTED(doca_rdma_task_write_imm_set_conf,
		 (struct doca_rdma *rdma,
		  doca_rdma_task_write_imm_completion_cb_t successful_task_completion_cb,
		  doca_rdma_task_write_imm_completion_cb_t error_task_completion_cb,
		  uint32_t num_tasks),
		 rdma && successful_task_completion_cb && error_task_completion_cb)
SDPU_UNSUPPORTED(doca_rdma_task_write_imm_allocate_init,
		 (struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
		  const struct doca_buf *src_buf, struct doca_buf *dst_buf,
		  doca_be32_t immediate_data, union doca_data user_data,
		  struct doca_rdma_task_write_imm **task),
		 rdma && rdma_connection && task)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_rdma_task_write_imm_as_task,
		       (struct doca_rdma_task_write_imm *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_write_imm_set_src_buf,
		      (struct doca_rdma_task_write_imm *task, const struct doca_buf *src_buf))
SDPU_UNSUPPORTED_VALUE(const struct doca_buf *, doca_rdma_task_write_imm_get_src_buf,
		       (const struct doca_rdma_task_write_imm *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_write_imm_set_dst_buf,
		      (struct doca_rdma_task_write_imm *task, struct doca_buf *dst_buf))
SDPU_UNSUPPORTED_VALUE(struct doca_buf *, doca_rdma_task_write_imm_get_dst_buf,
		       (const struct doca_rdma_task_write_imm *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_write_imm_set_immediate_data,
		      (struct doca_rdma_task_write_imm *task, doca_be32_t immediate_data))
SDPU_UNSUPPORTED_VALUE(doca_be32_t, doca_rdma_task_write_imm_get_immediate_data,
		       (const struct doca_rdma_task_write_imm *task), 0)
SDPU_UNSUPPORTED_VOID(doca_rdma_task_write_imm_set_rdma_connection,
		      (struct doca_rdma_task_write_imm *task,
		       struct doca_rdma_connection *rdma_connection))
SDPU_UNSUPPORTED_VALUE(const struct doca_rdma_connection *,
		       doca_rdma_task_write_imm_get_rdma_connection,
		       (const struct doca_rdma_task_write_imm *task), NULL)
