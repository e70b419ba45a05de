/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_rdma_task_atomic_cmp_swp_*, _fetch_add_*: the public face of atomics on remote memory. The
 * destination is the peer's, the result is local.
 */
#include "rdma/op_api.h"

#define OP_ATOMIC(op_name, op_kind)                                                                \
	OP_TYPE(op_name, op_kind)                                                                  \
	OP_FIELD(op_name, struct doca_buf *, dst_buf, dst)                                         \
	OP_FIELD(op_name, struct doca_buf *, result_buf, result)

OP_ATOMIC(atomic_cmp_swp, RDMA_OP_CMP_SWP)
OP_FIELD(atomic_cmp_swp, uint64_t, cmp_data, compare)
OP_FIELD(atomic_cmp_swp, uint64_t, swap_data, operand)

doca_error_t doca_rdma_task_atomic_cmp_swp_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t cmp_data,
	uint64_t swap_data, union doca_data user_data, struct doca_rdma_task_atomic_cmp_swp **task)
{
	const struct rdma_op_args args = {
		.dst = dst_buf, .result = result_buf, .compare = cmp_data, .operand = swap_data};

	return rdma_op_alloc(rdma, RDMA_OP_CMP_SWP, rdma_connection, user_data, &args, task);
}

OP_ATOMIC(atomic_fetch_add, RDMA_OP_FETCH_ADD)
OP_FIELD(atomic_fetch_add, uint64_t, add_data, operand)

doca_error_t doca_rdma_task_atomic_fetch_add_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t add_data,
	union doca_data user_data, struct doca_rdma_task_atomic_fetch_add **task)
{
	const struct rdma_op_args args = {
		.dst = dst_buf, .result = result_buf, .operand = add_data};

	return rdma_op_alloc(rdma, RDMA_OP_FETCH_ADD, rdma_connection, user_data, &args, task);
}
