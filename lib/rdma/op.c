/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the tasks of all operations have in common; contract in op.h.
 */
#include "rdma/op.h"

#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "rdma/backend.h"

static struct doca_rdma *op_rdma(const struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct doca_rdma, ctx);
}

doca_error_t rdma_op_conf(struct doca_rdma *rdma, enum rdma_op_kind kind,
			  const struct sdpu_task_ops *ops, sdpu_task_cb completed,
			  sdpu_task_cb failed, uint32_t num)
{
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

#define OP_ALLOC(name) "doca_rdma_task_" name "_allocate_init"

static const char *const op_alloc_name[RDMA_OP_KINDS] = {
	[RDMA_OP_SEND] = OP_ALLOC("send"),
	[RDMA_OP_SEND_IMM] = OP_ALLOC("send_imm"),
	[RDMA_OP_READ] = OP_ALLOC("read"),
	[RDMA_OP_WRITE] = OP_ALLOC("write"),
	[RDMA_OP_WRITE_IMM] = OP_ALLOC("write_imm"),
	[RDMA_OP_CMP_SWP] = OP_ALLOC("atomic_cmp_swp"),
	[RDMA_OP_FETCH_ADD] = OP_ALLOC("atomic_fetch_add"),
	[RDMA_OP_EVENT_GET] = OP_ALLOC("remote_net_sync_event_get"),
	[RDMA_OP_EVENT_SET] = OP_ALLOC("remote_net_sync_event_notify_set"),
	[RDMA_OP_EVENT_ADD] = OP_ALLOC("remote_net_sync_event_notify_add"),
};

__attribute__((cold, noinline)) static doca_error_t
op_refuse_null(enum rdma_op_kind kind, const void *rdma, const void *rdma_connection,
	       const void *task, const struct rdma_op_args *args)
{
	const char *call = op_alloc_name[kind];
	const void *event = args->event, *src_buf = args->src, *dst_buf = args->dst;
	const void *result_buf = args->result;

	if (sdpu_any_null(call, rdma, rdma_connection, task))
		return DOCA_ERROR_INVALID_VALUE;
	if (kind == RDMA_OP_EVENT_GET)
		(void)sdpu_any_null(call, event, dst_buf);
	else if (kind == RDMA_OP_EVENT_SET)
		(void)sdpu_any_null(call, event, src_buf);
	else if (kind == RDMA_OP_EVENT_ADD)
		(void)sdpu_any_null(call, event, result_buf);
	else
		(void)sdpu_any_null(call, dst_buf, result_buf);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t op_refuse_alloc(struct doca_rdma *rdma, enum rdma_op_kind kind,
				    doca_error_t result)
{
	return sdpu_task_alloc_refused(op_alloc_name[kind], &rdma->ctx, &rdma->ops[kind], result);
}

__attribute__((cold, noinline)) static doca_error_t op_refuse_connection(const char *call)
{
	sdpu_log_err("%s: the connection is not of this context, or of an earlier start of it; "
		     "needed: one of this start; export and connect again",
		     call);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t rdma_op_alloc(struct doca_rdma *rdma, enum rdma_op_kind kind,
			   struct doca_rdma_connection *connection, union doca_data user_data,
			   const struct rdma_op_args *args, void *task)
{
	struct doca_task *base;
	struct rdma_op *op;
	doca_error_t result;

	if (sdpu_unlikely(rdma == NULL || connection == NULL || task == NULL ||
			  !op_is_complete(kind, args)))
		return op_refuse_null(kind, rdma, connection, task, args);
	if (sdpu_unlikely(rdma->ctx.state != DOCA_CTX_STATE_RUNNING))
		return op_refuse_alloc(rdma, kind, DOCA_ERROR_BAD_STATE);
	if (sdpu_unlikely(!rdma_connection_is_of(connection, rdma)))
		return op_refuse_connection(op_alloc_name[kind]);
	result = sdpu_task_alloc(&rdma->ops[kind], user_data, &base);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return op_refuse_alloc(rdma, kind, result);
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
		return op_refuse_connection("doca_task_submit");
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
