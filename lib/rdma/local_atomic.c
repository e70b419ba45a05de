/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations on 8 bytes of the peer's: by the memory window, as reads and writes are. Data path.
 */
#include "rdma/local.h"

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

enum rdma_step local_atomic(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	struct sdpu_atomic_found found;
	doca_error_t result;

	if (op->begun)
		return atomic_run(op);
	result = rdma_op_judge(op);
	/* Memory of another machine, although the peer is on this one. */
	if (result == DOCA_SUCCESS && op->remote.reach == NULL)
		result = DOCA_ERROR_NOT_PERMITTED;
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return atomic_end(op, result, 0);
	found = sdpu_atomic_now(op->remote.reach, op->remote.atomic, op->remote.need,
				op->remote.addr, op->operand, op->compare);
	return sdpu_likely(found.done) ? atomic_end(op, DOCA_SUCCESS, found.value) : atomic_run(op);
}
