/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the public faces of operations (task_*.c) are made of: the functions of all kinds differ in
 * their names only. What becomes of an operation is op.h's and the back end's.
 */
#ifndef SDPU_RDMA_OP_API_H
#define SDPU_RDMA_OP_API_H

#include <doca_rdma.h>

#include "base/refuse.h"
#include "rdma/op.h"

/* Capability, pool, generic view, and connection. */
#define OP_TYPE(op_name, op_kind)                                                                  \
	static const struct sdpu_task_ops op_name##_ops = {                                        \
		.name = "doca_rdma_task_" #op_name,                                                \
		.submit = rdma_op_submit,                                                          \
		.freed = rdma_op_freed,                                                            \
	};                                                                                         \
                                                                                                   \
	doca_error_t doca_rdma_cap_task_##op_name##_is_supported(                                  \
		const struct doca_devinfo *devinfo)                                                \
	{                                                                                          \
		return sdpu_any_null(__func__, devinfo) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS; \
	}                                                                                          \
                                                                                                   \
	doca_error_t doca_rdma_task_##op_name##_set_conf(                                          \
		struct doca_rdma *rdma, doca_rdma_task_##op_name##_completion_cb_t completed,      \
		doca_rdma_task_##op_name##_completion_cb_t failed, uint32_t num_tasks)             \
	{                                                                                          \
		if (sdpu_any_null(__func__, rdma))                                                 \
			return DOCA_ERROR_INVALID_VALUE;                                           \
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

/* Setter and getter of a field, whose name is theirs or not. */
#define OP_FIELD(op_name, type, call, field)                                                       \
	void doca_rdma_task_##op_name##_set_##call(struct doca_rdma_task_##op_name *task,          \
						   type value)                                     \
	{                                                                                          \
		if (task != NULL)                                                                  \
			task->op.field = value;                                                    \
	}                                                                                          \
                                                                                                   \
	type doca_rdma_task_##op_name##_get_##call(const struct doca_rdma_task_##op_name *task)    \
	{                                                                                          \
		return task == NULL ? (type)0 : (type)task->op.field;                              \
	}

#define OP_RESULT_LEN(op_name)                                                                     \
	uint32_t doca_rdma_task_##op_name##_get_result_len(                                        \
		const struct doca_rdma_task_##op_name *task)                                       \
	{                                                                                          \
		return task == NULL ? 0 : task->op.result_len;                                     \
	}

#endif
