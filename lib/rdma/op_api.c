/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The public face of operations: doca_rdma_task_{send,read,write}_*. The functions of all kinds
 * differ in their names only; what becomes of an operation is op.h's and the back end's.
 */
#include "rdma/connection.h"

#define OP_COMMON(op_name, op_kind)                                                                \
	static const struct sdpu_task_ops op_name##_ops = {                                        \
		.name = "doca_rdma_task_" #op_name,                                                \
		.submit = rdma_op_submit,                                                          \
	};                                                                                         \
                                                                                                   \
	doca_error_t doca_rdma_cap_task_##op_name##_is_supported(                                  \
		const struct doca_devinfo *devinfo)                                                \
	{                                                                                          \
		return devinfo == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;                  \
	}                                                                                          \
                                                                                                   \
	doca_error_t doca_rdma_task_##op_name##_set_conf(                                          \
		struct doca_rdma *rdma, doca_rdma_task_##op_name##_completion_cb_t completed,      \
		doca_rdma_task_##op_name##_completion_cb_t failed, uint32_t num_tasks)             \
	{                                                                                          \
		return rdma_op_conf(rdma, op_kind, &op_name##_ops, (sdpu_task_cb)completed,        \
				    (sdpu_task_cb)failed, num_tasks);                              \
	}                                                                                          \
                                                                                                   \
	struct doca_task *doca_rdma_task_##op_name##_as_task(                                      \
		struct doca_rdma_task_##op_name *task)                                             \
	{                                                                                          \
		return task == NULL ? NULL : &task->op.base;                                       \
	}                                                                                          \
                                                                                                   \
	void doca_rdma_task_##op_name##_set_src_buf(struct doca_rdma_task_##op_name *task,         \
						    const struct doca_buf *src_buf)                \
	{                                                                                          \
		if (task != NULL)                                                                  \
			task->op.src = src_buf;                                                    \
	}                                                                                          \
                                                                                                   \
	const struct doca_buf *doca_rdma_task_##op_name##_get_src_buf(                             \
		const struct doca_rdma_task_##op_name *task)                                       \
	{                                                                                          \
		return task == NULL ? NULL : task->op.src;                                         \
	}                                                                                          \
                                                                                                   \
	void doca_rdma_task_##op_name##_set_rdma_connection(                                       \
		struct doca_rdma_task_##op_name *task, struct doca_rdma_connection *connection)    \
	{                                                                                          \
		if (task != NULL)                                                                  \
			task->op.connection = connection;                                          \
	}                                                                                          \
                                                                                                   \
	const struct doca_rdma_connection *doca_rdma_task_##op_name##_get_rdma_connection(         \
		const struct doca_rdma_task_##op_name *task)                                       \
	{                                                                                          \
		return task == NULL ? NULL : task->op.connection;                                  \
	}

/* Remote memory: two bufs, one of which is the peer's. */
#define OP_MEMORY(op_name, op_kind)                                                                \
	doca_error_t doca_rdma_task_##op_name##_allocate_init(                                     \
		struct doca_rdma *rdma, struct doca_rdma_connection *connection,                   \
		const struct doca_buf *src_buf, struct doca_buf *dst_buf,                          \
		union doca_data user_data, struct doca_rdma_task_##op_name **task)                 \
	{                                                                                          \
		struct rdma_op *op;                                                                \
		doca_error_t result;                                                               \
                                                                                                   \
		if (task == NULL)                                                                  \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		result = rdma_op_alloc(rdma, op_kind, connection, user_data, &op);                 \
		if (result != DOCA_SUCCESS)                                                        \
			return result;                                                             \
		op->src = src_buf;                                                                 \
		op->dst = dst_buf;                                                                 \
		*task = (struct doca_rdma_task_##op_name *)op;                                     \
		return DOCA_SUCCESS;                                                               \
	}                                                                                          \
                                                                                                   \
	void doca_rdma_task_##op_name##_set_dst_buf(struct doca_rdma_task_##op_name *task,         \
						    struct doca_buf *dst_buf)                      \
	{                                                                                          \
		if (task != NULL)                                                                  \
			task->op.dst = dst_buf;                                                    \
	}                                                                                          \
                                                                                                   \
	struct doca_buf *doca_rdma_task_##op_name##_get_dst_buf(                                   \
		const struct doca_rdma_task_##op_name *task)                                       \
	{                                                                                          \
		return task == NULL ? NULL : task->op.dst;                                         \
	}

OP_COMMON(send, RDMA_OP_SEND)
OP_COMMON(read, RDMA_OP_READ)
OP_COMMON(write, RDMA_OP_WRITE)
OP_MEMORY(read, RDMA_OP_READ)
OP_MEMORY(write, RDMA_OP_WRITE)

doca_error_t doca_rdma_task_send_allocate_init(struct doca_rdma *rdma,
					       struct doca_rdma_connection *rdma_connection,
					       const struct doca_buf *src_buf,
					       union doca_data user_data,
					       struct doca_rdma_task_send **task)
{
	struct rdma_op *op;
	doca_error_t result;

	if (task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = rdma_op_alloc(rdma, RDMA_OP_SEND, rdma_connection, user_data, &op);
	if (result != DOCA_SUCCESS)
		return result;
	op->src = src_buf;
	*task = (struct doca_rdma_task_send *)op;
	return DOCA_SUCCESS;
}

uint32_t doca_rdma_task_read_get_result_len(const struct doca_rdma_task_read *task)
{
	return task == NULL ? 0 : task->op.result_len;
}
