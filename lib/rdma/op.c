/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the tasks of all operations have in common; contract in op.h.
 */
#include "rdma/op.h"

#include <string.h>

#include "base/log.h"
#include "rdma/backend.h"

static struct doca_rdma *op_rdma(const struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct doca_rdma, ctx);
}

doca_error_t rdma_op_conf(struct doca_rdma *rdma, enum rdma_op_kind kind,
			  const struct sdpu_task_ops *ops, sdpu_task_cb completed,
			  sdpu_task_cb failed, uint32_t num)
{
	if (rdma == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_task_pool_conf(&rdma->ops[kind], &rdma->ctx, ops, sizeof(struct rdma_op),
				   completed, failed, num, rdma_limits(rdma)->rdma_max_queue);
}

/* Bufs of messages and of accesses may be missing: empty ones. */
static bool op_is_complete(enum rdma_op_kind kind, const struct rdma_op_args *args)
{
	switch (kind) {
	case RDMA_OP_CMP_SWP:
	case RDMA_OP_FETCH_ADD:
		return args->dst != NULL && args->result != NULL;
	case RDMA_OP_EVENT_GET:
		return args->event != NULL && args->dst != NULL;
	case RDMA_OP_EVENT_SET:
		return args->event != NULL && args->src != NULL;
	case RDMA_OP_EVENT_ADD:
		return args->event != NULL && args->result != NULL;
	default:
		return true;
	}
}

static void op_fill(struct rdma_op *op, const struct rdma_op_args *args)
{
	op->src = args->src;
	op->dst = args->dst;
	op->result = args->result;
	op->event = args->event;
	op->operand = args->operand;
	op->compare = args->compare;
	op->immediate = args->immediate;
	op->result_len = 0;
}

doca_error_t rdma_op_alloc(struct doca_rdma *rdma, enum rdma_op_kind kind,
			   struct doca_rdma_connection *connection, union doca_data user_data,
			   const struct rdma_op_args *args, void *task)
{
	struct doca_task *base;
	struct rdma_op *op;
	doca_error_t result;

	if (rdma == NULL || connection == NULL || task == NULL || !op_is_complete(kind, args))
		return DOCA_ERROR_INVALID_VALUE;
	if (rdma->ctx.state != DOCA_CTX_STATE_RUNNING)
		return DOCA_ERROR_BAD_STATE;
	if (!rdma_connection_is_of(connection, rdma)) {
		sdpu_log_err("doca_rdma: a task for a connection that is not of this context, or "
			     "of an earlier start of it; export and connect again");
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = sdpu_task_alloc(&rdma->ops[kind], user_data, &base);
	if (result != DOCA_SUCCESS)
		return result;
	op = (struct rdma_op *)base;
	op->connection = connection;
	op->kind = kind;
	op_fill(op, args);
	/* Through bytes: the pointer that lies there has a type of the kind's own. */
	memcpy(task, &op, sizeof(op));
	return DOCA_SUCCESS;
}

doca_error_t rdma_op_submit(struct doca_task *base)
{
	struct rdma_op *op = (struct rdma_op *)base;

	/* The setter of the connection returns nothing: it is judged here. */
	if (sdpu_unlikely(!rdma_connection_is_of(op->connection, op_rdma(base->ctx))))
		return DOCA_ERROR_INVALID_VALUE;
	op->begun = false;
	op->ended = false;
	op->result_len = 0;
	base->status = DOCA_SUCCESS;
	return rdma_connection_submit(op->connection, op);
}

void rdma_op_freed(struct doca_task *base)
{
	struct rdma_op *op = (struct rdma_op *)base;
	const struct rdma_backend *backend = op->connection->backend;

	if (op->begun && backend != NULL && backend->cancel != NULL)
		backend->cancel(op);
}
