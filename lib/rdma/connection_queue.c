/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Send queue of a connection: operations act one after the other, and complete in the order in
 * which they began; contract in connection.h. Engine's thread. Data path.
 */
#include "rdma/backend.h"
#include "rdma/connection.h"

/* Operations that have ended are delivered in a row, before messages get their turn. */
#define COMPLETE_IN_A_ROW 8

/* One step of the first operation. True: it is out of the queue. */
static bool connection_act(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	enum rdma_step step = connection->backend->act(connection, op);

	if (step != RDMA_STEP_SENT && step != RDMA_STEP_DONE)
		return false;
	op->ended = step == RDMA_STEP_DONE;
	return true;
}

/* Has it polled again: it waits for its ready bit (cold), or had nothing to be polled for. */
static void connection_wake(struct doca_rdma_connection *connection)
{
	if (connection->source.state == SDPU_SOURCE_COLD)
		sdpu_source_heat(&connection->source);
	else if (connection->state != RDMA_CONNECTION_EXPORTED)
		rdma_connection_poll_as(connection, NULL, 0);
}

/* Counts what an operation has moved. */
static void connection_count_moved(struct rdma_traffic *traffic, const struct rdma_op *op)
{
	if (op->base.status != DOCA_SUCCESS) {
		sdpu_count(&traffic->failed, 1);
	} else if (rdma_op_is_message(op)) {
		sdpu_count(&traffic->sent_messages, 1);
		sdpu_count(&traffic->sent_bytes, op->vec.len);
	} else if (op->kind == RDMA_OP_READ) {
		sdpu_count(&traffic->received_bytes, op->remote.len);
	} else {
		sdpu_count(&traffic->sent_bytes, op->remote.len);
	}
}

/* Atomic ones move nothing, and one that the user freed before its turn has not moved. */
static inline void connection_count(struct rdma_traffic *traffic, const struct rdma_op *op)
{
	sdpu_count(&traffic->completed, 1);
	if (sdpu_unlikely(op->base.status != DOCA_SUCCESS) || (!rdma_op_is_atomic(op) && op->begun))
		connection_count_moved(traffic, op);
}

doca_error_t rdma_connection_submit(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	sdpu_count(&connection->traffic.submitted, 1);
	/* Completions are delivered by poll only, so that they come in order. */
	if (sdpu_likely(connection->state == RDMA_CONNECTION_CONNECTED &&
			connection->waiting.first == NULL && connection_act(connection, op)))
		sdpu_task_queue_put(&connection->begun, &op->base);
	else
		sdpu_task_queue_put(&connection->waiting, &op->base);
	if (sdpu_unlikely(connection->source.state != SDPU_SOURCE_HOT))
		connection_wake(connection);
	return DOCA_SUCCESS;
}

/* What an answer says is consumed by the look at it. */
static inline bool connection_has_ended(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	return op->ended || connection->backend->answered(connection, op);
}

bool rdma_connection_complete(struct doca_rdma_connection *connection)
{
	const struct doca_pe *pe = connection->source.pe;
	uint32_t n = 0;

	do {
		struct doca_task *first = connection->begun.first;

		if (first == NULL || !connection_has_ended(connection, (struct rdma_op *)first))
			break;
		(void)sdpu_task_queue_get(&connection->begun);
		connection_count(&connection->traffic, (struct rdma_op *)first);
		sdpu_task_deliver(first, first->status);
		n++;
	} while (n < COMPLETE_IN_A_ROW && sdpu_pe_still_polls(pe, &connection->source));
	return n != 0;
}

void rdma_connection_take_answers(struct doca_rdma_connection *connection)
{
	for (struct doca_task *task = connection->begun.first; task != NULL; task = task->next) {
		struct rdma_op *op = (struct rdma_op *)task;

		if (!connection_has_ended(connection, op))
			return;
		op->ended = true;
	}
}

bool rdma_connection_advance(struct doca_rdma_connection *connection)
{
	struct rdma_op *op = (struct rdma_op *)connection->waiting.first;

	if (op == NULL || !connection_act(connection, op))
		return false;
	(void)sdpu_task_queue_get(&connection->waiting);
	sdpu_task_queue_put(&connection->begun, &op->base);
	return true;
}
