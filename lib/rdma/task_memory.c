/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_rdma_task_read_*, _write_*, _write_imm_*: the public face of accesses to remote memory. One
 * of the two bufs is the peer's.
 */
#include "rdma/op_api.h"

#define OP_MEMORY(op_name, op_kind)                                                                \
	OP_TYPE(op_name, op_kind)                                                                  \
	OP_FIELD(op_name, const struct doca_buf *, src_buf, src)                                   \
	OP_FIELD(op_name, struct doca_buf *, dst_buf, dst)

OP_MEMORY(read, RDMA_OP_READ)
OP_RESULT_LEN(read)

doca_error_t doca_rdma_task_read_allocate_init(struct doca_rdma *rdma,
					       struct doca_rdma_connection *rdma_connection,
					       const struct doca_buf *src_buf,
					       struct doca_buf *dst_buf, union doca_data user_data,
					       struct doca_rdma_task_read **task)
{
	const struct rdma_op_args args = {.src = src_buf, .dst = dst_buf};

	return rdma_op_alloc(rdma, RDMA_OP_READ, rdma_connection, user_data, &args, task);
}

OP_MEMORY(write, RDMA_OP_WRITE)

doca_error_t doca_rdma_task_write_allocate_init(struct doca_rdma *rdma,
						struct doca_rdma_connection *rdma_connection,
						const struct doca_buf *src_buf,
						struct doca_buf *dst_buf, union doca_data user_data,
						struct doca_rdma_task_write **task)
{
	const struct rdma_op_args args = {.src = src_buf, .dst = dst_buf};

	return rdma_op_alloc(rdma, RDMA_OP_WRITE, rdma_connection, user_data, &args, task);
}

OP_MEMORY(write_imm, RDMA_OP_WRITE_IMM)
OP_FIELD(write_imm, doca_be32_t, immediate_data, immediate)

doca_error_t doca_rdma_task_write_imm_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, struct doca_buf *dst_buf, doca_be32_t immediate_data,
	union doca_data user_data, struct doca_rdma_task_write_imm **task)
{
	const struct rdma_op_args args = {
		.src = src_buf, .dst = dst_buf, .immediate = immediate_data};

	return rdma_op_alloc(rdma, RDMA_OP_WRITE_IMM, rdma_connection, user_data, &args, task);
}
