/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Local back end: its table, and the poll of a connection; contract in local.h.
 */
#include "rdma/local.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

doca_error_t local_make(struct doca_rdma_connection *connection)
{
	struct rdma_local *local = aligned_alloc(SDPU_CACHE_LINE, sizeof(*local));

	if (local == NULL)
		return DOCA_ERROR_NO_MEMORY;
	memset(local, 0, sizeof(*local));
	connection->local = local;
	return DOCA_SUCCESS;
}

static doca_error_t local_open(struct doca_rdma_connection *connection)
{
	const struct doca_rdma *rdma = connection->rdma;
	struct local_entry_point *point;

	if (local_make(connection) != DOCA_SUCCESS)
		return DOCA_ERROR_NO_MEMORY;
	strcpy(connection->own.endpoint, sdpu_agent_endpoint());
	point = &connection->local->point;
	point->bell = &rdma->ctx.pe->bell;
	point->permissions = rdma->property.permissions;
	memcpy(point->cookie, connection->own.cookie, RDMA_COOKIE_SIZE);
	local_point_open(point);
	return DOCA_SUCCESS;
}

/* Gives up what it has under way. */
static void local_cancel(struct rdma_op *op)
{
	if (op->remote.reach == NULL)
		return;
	if (rdma_op_is_atomic(op))
		sdpu_atomic_cancel(&op->atomic);
	else
		sdpu_copy_cancel(&op->copy);
}

/* Only the first one may be under way. If the user has freed it, it holds nothing any more. */
static void local_cancel_first(struct doca_rdma_connection *connection)
{
	struct rdma_op *op = (struct rdma_op *)connection->waiting.first;

	if (op != NULL && connection->backend == &rdma_local && op->begun &&
	    !sdpu_task_is_freed(&op->base))
		local_cancel(op);
}

static void local_close(struct doca_rdma_connection *connection)
{
	struct rdma_local *local = connection->local;

	if (local == NULL)
		return;
	local_cancel_first(connection);
	/* First, so that no caller is answered with what is given back below. */
	local_point_close(&local->point);
	local_join_abandon(connection);
	local_receive_abandon(connection);
	if (local->channel.head != NULL)
		(void)local_rx_ack(&local->rx);
	sdpu_channel_close(&local->channel);
	/* The peer learns of the end before we wait for its copies. */
	local_grant_end_all(local);
	free(local);
	connection->local = NULL;
}

static bool local_reaches(const struct rdma_blob *own, const struct rdma_blob *peer)
{
	return peer->endpoint[0] != '\0' &&
	       memcmp(own->machine_id, peer->machine_id, sizeof(own->machine_id)) == 0;
}

void local_break(struct doca_rdma_connection *connection, doca_error_t status)
{
	local_rx_break(&connection->local->rx);
	rdma_connection_fail(connection, status);
}

/* Nothing more will come, and all that came was taken as far as possible. */
static bool local_is_over(const struct rdma_local *local)
{
	return sdpu_channel_has_end(&local->channel);
}

__attribute__((cold, noinline)) static bool local_read_mail(struct doca_rdma_connection *connection)
{
	if (local_grant_read(connection->local) != DOCA_ERROR_INVALID_VALUE)
		return true;
	sdpu_log_err("doca_rdma: the peer (pid %d) sent an illegal record; connection %u is closed",
		     (int)connection->local->channel.peer, connection->id);
	local_break(connection, DOCA_ERROR_CONNECTION_ABORTED);
	return true;
}

__attribute__((cold, noinline)) static bool local_end(struct doca_rdma_connection *connection)
{
	rdma_connection_fail(connection, local_tx_is_broken(&connection->local->tx)
						 ? DOCA_ERROR_IO_FAILED
						 : DOCA_ERROR_CONNECTION_RESET);
	return true;
}

static inline bool local_has_in(const struct rdma_local *local, bool ready)
{
	return ready || local->rx.acked != local->rx.position || local->pull.task != NULL;
}

/* Is there a task that can go on, or complete? */
static inline bool local_has_tasks(const struct doca_rdma_connection *connection)
{
	const struct rdma_op *begun = (const struct rdma_op *)connection->begun.first;

	return connection->waiting.first != NULL ||
	       (begun != NULL && (begun->ended || local_tx_has_ack(&connection->local->tx)));
}

/*
 * A message is ready. It says what was taken of ours, and may answer that, which is completed
 * before it. So is what has ended by itself, and what is under way goes on behind it: a stream of
 * messages would keep them waiting.
 */
__attribute__((noinline)) static bool local_poll_message(struct doca_rdma_connection *connection)
{
	const struct rdma_op *begun = (const struct rdma_op *)connection->begun.first;
	const struct sdpu_source *source = &connection->source;
	const struct doca_pe *pe = source->pe;
	struct local_tx *tx = &connection->local->tx;
	uint32_t taken = local_rx_taken(&connection->local->rx);
	bool completed = false;

	local_tx_hear(tx, taken);
	if (local_tx_owes(tx, taken) || (begun != NULL && begun->ended))
		completed = rdma_connection_complete(connection);
	if (completed && (!sdpu_pe_still_polls(pe, source) || local_tx_owes(tx, taken)))
		return true;
	if (!local_receive(connection, true))
		return completed || rdma_connection_complete(connection);
	if (sdpu_pe_still_polls(pe, source) && sdpu_unlikely(connection->waiting.first != NULL))
		(void)rdma_connection_advance(connection);
	return true;
}

/* Messages in, completions out. */
static inline bool local_poll_traffic(struct doca_rdma_connection *connection, bool ready)
{
	if (ready)
		return local_poll_message(connection);
	return (local_has_in(connection->local, false) && local_receive(connection, false)) ||
	       rdma_connection_complete(connection);
}

/* `over` as read before `ready`. */
__attribute__((noinline)) static bool local_poll_busy(struct doca_rdma_connection *connection,
						      bool over, bool ready)
{
	/* Nothing will tell of itself any more what was taken. */
	if (sdpu_unlikely(over))
		connection->local->tx.patience = 0;
	if (local_poll_traffic(connection, ready))
		return true;
	if (sdpu_unlikely(over))
		return local_end(connection);
	return rdma_connection_advance(connection);
}

static bool local_poll(struct doca_rdma_connection *connection)
{
	struct rdma_local *local = connection->local;
	bool over, ready;

	if (sdpu_unlikely(connection->state != RDMA_CONNECTION_CONNECTED))
		return local_join_poll(connection);
	/* In this order: messages that were sent before the end are ready by now, and the grants
	 * that they need are in the mail. */
	over = local_is_over(local);
	ready = local_rx_ready(&local->rx);
	if (sdpu_unlikely(sdpu_channel_has_mail(&local->channel)))
		return local_read_mail(connection);
	if (local_has_in(local, ready) || local_has_tasks(connection) || sdpu_unlikely(over))
		return local_poll_busy(connection, over, ready);
	return false;
}

static bool local_has_traffic(const struct doca_rdma_connection *connection)
{
	const struct rdma_local *local = connection->local;
	const struct rdma_op *begun = (const struct rdma_op *)connection->begun.first;

	return local->rx.acked != local->rx.position || local->pull.task != NULL ||
	       (connection->rdma->posted.first != NULL && local_rx_ready(&local->rx)) ||
	       (begun != NULL && (begun->ended || local_tx_look(&connection->local->tx)));
}

static bool local_pending(const struct doca_rdma_connection *connection)
{
	const struct rdma_local *local = connection->local;

	if (connection->state != RDMA_CONNECTION_CONNECTED)
		return local_join_pending(connection);
	return local_has_traffic(connection) || sdpu_channel_has_mail(&local->channel) ||
	       (connection->waiting.first != NULL && !local->tx.blocked) || local_is_over(local);
}

static enum rdma_step local_act(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	/* Its buffers may be gone. */
	if (sdpu_task_is_freed(&op->base)) {
		rdma_op_finish(op, DOCA_SUCCESS);
		return RDMA_STEP_DONE;
	}
	if (rdma_op_is_message(op))
		return local_send(connection, op);
	return rdma_op_is_atomic(op) ? local_atomic(connection, op) : local_access(connection, op);
}

static bool local_answered(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	struct local_tx *tx = &connection->local->tx;

	if (!local_tx_has_ack(tx))
		return false;
	local_tx_take_ack(tx);
	return true;
}

const struct rdma_backend rdma_local = {
	.name = "local",
	.open = local_open,
	.close = local_close,
	.reaches = local_reaches,
	.connect = local_connect,
	.listen = local_listen,
	.unlisten = local_unlisten,
	.dial = local_dial,
	.accept = local_accept,
	.reject = local_reject,
	.poll = local_poll,
	.pending = local_pending,
	.settle = local_settle,
	.act = local_act,
	.cancel = local_cancel,
	.answered = local_answered,
};
