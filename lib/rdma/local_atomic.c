/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations on 8 bytes of the peer's: by the memory window, as reads and writes are. Data path.
 */
#include "rdma/local.h"
#include "rdma/op_word.h"

static enum rdma_step atomic_end(struct rdma_op *op, doca_error_t status, uint64_t value)
{
	rdma_op_finish_atomic(op, status, value);
	return RDMA_STEP_DONE;
}

/* What cannot be done at once, or may not be done. */
__attribute__((noinline)) static enum rdma_step atomic_run(struct rdma_op *op)
{
	doca_error_t result;

	if (!op->begun)
		rdma_op_to_atomic(op, &op->atomic);
	op->begun = true;
	result = sdpu_atomic_run(&op->atomic);
	if (result == DOCA_ERROR_IN_PROGRESS)
		return RDMA_STEP_MORE;
	return atomic_end(op, result, op->atomic.result);
}

__attribute__((noinline)) static enum rdma_step atomic_validate(struct rdma_op *op)
{
	doca_error_t result;

	if (op->begun)
		return atomic_run(op);
	result = rdma_op_validate(op);
	/* Memory of another machine, although the peer is on this one. */
	if (result == DOCA_SUCCESS && op->remote.reach == NULL)
		result = DOCA_ERROR_NOT_PERMITTED;
	return result == DOCA_SUCCESS ? atomic_run(op) : atomic_end(op, result, 0);
}

/* The likely case notes nothing in the operation: locked instructions wait for each store that was
 * made before. False: nothing was done. */
static inline bool atomic_now(const struct doca_rdma *rdma, const struct rdma_op *op)
{
	struct sdpu_reach *reach = rdma->remote.reach;
	struct sdpu_atomic_found found;

	if (op->begun || !rdma_op_is_known_atomic(op, rdma) || reach == NULL)
		return false;
	found = sdpu_atomic_now(
		reach, op->kind == RDMA_OP_FETCH_ADD ? SDPU_ATOMIC_FETCH_ADD : SDPU_ATOMIC_CMP_SWP,
		DOCA_ACCESS_FLAG_RDMA_ATOMIC, (uintptr_t)op->dst->data, op->operand, op->compare);
	if (sdpu_likely(found.done))
		rdma_op_put_word(op, found.value);
	return found.done;
}

enum rdma_step local_atomic(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	return sdpu_likely(atomic_now(connection->rdma, op)) ? RDMA_STEP_DONE : atomic_validate(op);
}
