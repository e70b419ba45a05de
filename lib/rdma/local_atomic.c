/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations on 8 bytes of the peer's: by the memory window, as reads and writes are. Data path.
 */
#include "rdma/local.h"

static enum rdma_step atomic_begin(struct rdma_op *op)
{
	doca_error_t result = rdma_op_judge(op);

	/* Memory of another machine, although the peer is on this one. */
	if (result == DOCA_SUCCESS && op->remote.reach == NULL)
		result = DOCA_ERROR_NOT_PERMITTED;
	if (sdpu_unlikely(result != DOCA_SUCCESS)) {
		rdma_op_finish(op, result);
		return RDMA_STEP_DONE;
	}
	rdma_op_to_atomic(op, &op->atomic);
	op->begun = true;
	return RDMA_STEP_MORE;
}

enum rdma_step local_atomic(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	doca_error_t result;

	if (!op->begun && atomic_begin(op) == RDMA_STEP_DONE)
		return RDMA_STEP_DONE;
	result = sdpu_atomic_run(&op->atomic);
	if (result == DOCA_ERROR_IN_PROGRESS)
		return RDMA_STEP_MORE;
	rdma_op_finish_atomic(op, result, op->atomic.result);
	return RDMA_STEP_DONE;
}
