/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_rdma_task_send_*, doca_rdma_task_send_imm_*: the public face of messages.
 */
#include "rdma/op_api.h"

OP_TYPE(send, RDMA_OP_SEND)
OP_FIELD(send, const struct doca_buf *, src_buf, src)

doca_error_t doca_rdma_task_send_allocate_init(struct doca_rdma *rdma,
					       struct doca_rdma_connection *rdma_connection,
					       const struct doca_buf *src_buf,
					       union doca_data user_data,
					       struct doca_rdma_task_send **task)
{
	const struct rdma_op_args args = {.src = src_buf};

	return rdma_op_alloc(rdma, RDMA_OP_SEND, rdma_connection, user_data, &args, task);
}

OP_TYPE(send_imm, RDMA_OP_SEND_IMM)
OP_FIELD(send_imm, const struct doca_buf *, src_buf, src)
OP_FIELD(send_imm, doca_be32_t, immediate_data, immediate)

doca_error_t doca_rdma_task_send_imm_allocate_init(struct doca_rdma *rdma,
						   struct doca_rdma_connection *rdma_connection,
						   const struct doca_buf *src_buf,
						   doca_be32_t immediate_data,
						   union doca_data user_data,
						   struct doca_rdma_task_send_imm **task)
{
	const struct rdma_op_args args = {.src = src_buf, .immediate = immediate_data};

	return rdma_op_alloc(rdma, RDMA_OP_SEND_IMM, rdma_connection, user_data, &args, task);
}
