/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Read and write: straight through the memory window of an imported mmap, whoever owns it. The peer
 * of the connection has a say (its context's permissions) and no part. Data path.
 */
#include "rdma/local.h"

/* Judges and sets the copy up. */
static doca_error_t access_begin(struct rdma_op *op)
{
	doca_error_t result = rdma_op_validate(op);

	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return result;
	/* Memory of another machine, although the peer is on this one. */
	if (sdpu_unlikely(op->remote.source != NULL && op->remote.reach == NULL))
		return DOCA_ERROR_NOT_PERMITTED;
	op->copy = (struct sdpu_copy){
		.reach = op->remote.reach,
		.direction = op->kind == RDMA_OP_READ ? SDPU_COPY_GET : SDPU_COPY_PUT,
		.need = op->remote.need,
		.addr = op->remote.addr,
		.local = op->vec.piece,
		.num_local = op->vec.num,
		.len = op->remote.len,
	};
	op->begun = true;
	return DOCA_SUCCESS;
}

static enum rdma_step access_end(struct doca_rdma_connection *connection, struct rdma_op *op,
				 doca_error_t status)
{
	/* Behind the data, which is in place: the notice is fenced when it is published. */
	if (status == DOCA_SUCCESS && op->kind == RDMA_OP_WRITE_IMM)
		return local_send_notice(connection, op);
	rdma_op_finish(op, status);
	return RDMA_STEP_DONE;
}

/* Operations that are worth collecting: each by itself would be little more than a system call. */
#define ACCESS_COLLECT_MAX (64u * 1024u)

static bool access_collects(const struct rdma_op *op)
{
	return op->copy.done == 0 && op->copy.len != 0 && op->copy.len <= ACCESS_COLLECT_MAX &&
	       sdpu_reach_batches(op->copy.reach);
}

/* The next operation, if it goes the same way. It is validated now, and not again at its turn. */
static bool access_joins(struct rdma_op *op, const struct rdma_op *first)
{
	if (rdma_op_is_message(op) || rdma_op_is_atomic(op) || sdpu_task_is_freed(&op->base))
		return false;
	if (!op->begun && access_begin(op) != DOCA_SUCCESS)
		return false;
	return op->copy.reach == first->copy.reach && op->copy.direction == first->copy.direction &&
	       access_collects(op);
}

/* Moves the first operation together with those behind it that go the same way. */
__attribute__((noinline)) static void access_collect(struct rdma_op *first)
{
	struct sdpu_copy *copies[SDPU_COPY_BATCH];
	struct doca_task *next = first->base.next;
	uint32_t num = 0;

	copies[num++] = &first->copy;
	while (next != NULL && num < SDPU_COPY_BATCH &&
	       access_joins((struct rdma_op *)next, first)) {
		copies[num++] = &((struct rdma_op *)next)->copy;
		next = next->next;
	}
	(void)sdpu_copy_run_batch(copies, num);
}

static inline doca_error_t access_run(struct rdma_op *op)
{
	/* Nothing to do, done with those before it, or done and its notice waits. */
	if (op->copy.done == op->copy.len)
		return DOCA_SUCCESS;
	return sdpu_copy_run(&op->copy, SDPU_WINDOW_CHUNK);
}

enum rdma_step local_access(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	doca_error_t result;

	if (!op->begun) {
		result = access_begin(op);
		if (result != DOCA_SUCCESS)
			return access_end(connection, op, result);
		/* Just submitted: wait for the next poll, as others may follow that can be
		 * collected. */
		if (access_collects(op))
			return RDMA_STEP_MORE;
	} else if (access_collects(op)) {
		access_collect(op);
	}
	result = access_run(op);
	return result == DOCA_ERROR_IN_PROGRESS ? RDMA_STEP_MORE
						: access_end(connection, op, result);
}
