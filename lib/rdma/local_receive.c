/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages in: each takes the oldest posted receive; long ones are fetched out of the peer's
 * windows. What stands in the ring is hostile: loaded once, checked, used. Data path.
 */
#include <string.h>

#include "base/copy.h"
#include "base/log.h"
#include "rdma/local.h"

/* Messages taken before the sender is told, while more are ready. */
#define RECEIVE_ACK_EVERY 8

static void receive_ack(struct rdma_local *local)
{
	if (local_rx_ack(&local->rx))
		sdpu_channel_ring(&local->channel);
}

static bool receive_illegal(struct doca_rdma_connection *connection)
{
	sdpu_log_err("doca_rdma: the peer (pid %d) wrote an illegal message; connection %u is "
		     "closed",
		     (int)connection->local->channel.peer, connection->id);
	local_break(connection, DOCA_ERROR_CONNECTION_ABORTED);
	return true;
}

/* It can never be delivered: both sides fail, and the connection with them. */
static bool receive_too_long(struct doca_rdma_connection *connection, uint32_t len)
{
	struct doca_rdma_task_receive *task = rdma_receive_take(connection->rdma);

	rdma_receive_tell_long(task, connection, len);
	local_break(connection, DOCA_ERROR_IO_FAILED);
	sdpu_task_deliver(&task->base, DOCA_ERROR_IO_FAILED);
	return true;
}

/* It lies at `from`. Last act. */
static bool receive_place(struct doca_rdma_connection *connection, const void *from,
			  const struct local_label *label)
{
	struct doca_rdma_task_receive *task = rdma_receive_take(connection->rdma);

	if (sdpu_likely(label->len <= LOCAL_INLINE && task->room.num == 1))
		sdpu_copy_entry(task->room.piece[0].iov_base, from, label->len);
	else
		rdma_vec_scatter(&task->room, from, label->len);
	connection->local->rx.position++;
	rdma_receive_complete(task, connection, label->opcode, label->immediate, label->len);
	return true;
}

/* Do the pieces add up, and do they lie in windows that we were given? */
static bool pull_check(const struct rdma_local *local, const struct local_pieces *pieces,
		       uint32_t len)
{
	uint64_t sum = 0;

	if (pieces->num == 0 || pieces->num > RDMA_LIST_MAX)
		return false;
	for (uint32_t i = 0; i < pieces->num; i++) {
		const struct local_piece *piece = &pieces->piece[i];

		if (piece->grant >= LOCAL_GRANTS || local->reaches[piece->grant] == NULL ||
		    piece->len == 0 || piece->len > len - sum)
			return false;
		sum += piece->len;
	}
	return sum == len;
}

static bool pull_begin(struct doca_rdma_connection *connection, const void *slot,
		       const struct local_label *label)
{
	struct rdma_local *local = connection->local;
	struct local_pull *pull = &local->pull;

	memcpy(&pull->pieces, slot, sizeof(pull->pieces));
	if (!pull_check(local, &pull->pieces, label->len))
		return receive_illegal(connection);
	pull->task = rdma_receive_take(connection->rdma);
	pull->next = 0;
	pull->label = *label;
	pull->copying = false;
	return true;
}

static void pull_set_copy(struct rdma_local *local)
{
	struct local_pull *pull = &local->pull;
	const struct local_piece *piece = &pull->pieces.piece[pull->next];

	pull->copying = true;
	memset(&pull->copy, 0, sizeof(pull->copy));
	pull->copy.reach = local->reaches[piece->grant];
	pull->copy.direction = SDPU_COPY_GET;
	pull->copy.addr = piece->addr;
	pull->copy.local = pull->task->room.piece;
	pull->copy.num_local = pull->task->room.num;
	pull->copy.len = piece->len;
}

/* INVALID_VALUE: our own buffer is at fault. Otherwise the receive is as if never taken. */
static bool pull_fail(struct doca_rdma_connection *connection, doca_error_t why)
{
	struct doca_rdma_task_receive *task = connection->local->pull.task;

	if (why == DOCA_ERROR_CONNECTION_RESET) {
		rdma_connection_fail(connection, why);
		return true;
	}
	if (why != DOCA_ERROR_INVALID_VALUE) {
		local_break(connection, DOCA_ERROR_IO_FAILED);
		return true;
	}
	connection->local->pull.task = NULL;
	local_break(connection, DOCA_ERROR_IO_FAILED);
	sdpu_task_deliver(&task->base, why);
	return true;
}

void local_receive_abandon(struct doca_rdma_connection *connection)
{
	struct local_pull *pull = &connection->local->pull;
	struct doca_rdma_task_receive *task = pull->task;

	if (task == NULL)
		return;
	if (pull->copying)
		sdpu_copy_cancel(&pull->copy);
	pull->task = NULL;
	rdma_receive_put_back(connection->rdma, task);
}

/* Its receive was freed in the midst of it: the rest goes nowhere, and the sender need not know. */
static bool pull_drop(struct doca_rdma_connection *connection)
{
	local_receive_abandon(connection);
	connection->local->rx.position++;
	return true;
}

/* A chunk of a long message. False also when there is more: one chunk for each progress, so that it
 * does not hold up its neighbours. */
static bool pull_step(struct doca_rdma_connection *connection)
{
	struct rdma_local *local = connection->local;
	struct local_pull *pull = &local->pull;
	struct doca_rdma_task_receive *task = pull->task;
	doca_error_t result;

	if (sdpu_task_is_freed(&task->base))
		return pull_drop(connection);
	if (!pull->copying)
		pull_set_copy(local);
	result = sdpu_copy_run(&pull->copy, SDPU_WINDOW_CHUNK);
	if (result == DOCA_ERROR_IN_PROGRESS)
		return false;
	if (result != DOCA_SUCCESS)
		return pull_fail(connection, result);
	pull->copying = false;
	rdma_vec_skip(&task->room, pull->copy.len);
	if (++pull->next < pull->pieces.num)
		return true;
	pull->task = NULL;
	local->rx.position++;
	rdma_receive_complete(task, connection, pull->label.opcode, pull->label.immediate,
			      pull->label.len);
	return true;
}

static bool receive_message(struct doca_rdma_connection *connection)
{
	struct rdma_local *local = connection->local;
	const struct local_entry *entry = local_rx_entry(&local->rx);
	struct local_label label;

	if (sdpu_unlikely(!local_rx_read(entry, &label)))
		return receive_illegal(connection);
	if (sdpu_unlikely(label.len > rdma_receive_oldest(connection->rdma)->room.len))
		return receive_too_long(connection, label.len);
	if (sdpu_likely(label.where == LOCAL_WHERE_INLINE && label.len <= LOCAL_INLINE))
		return receive_place(connection, entry->bytes, &label);
	if (label.where == LOCAL_WHERE_SLOT && label.len <= LOCAL_SLOT_SIZE)
		return receive_place(connection, local->rx.slots[label.slot], &label);
	if (label.where == LOCAL_WHERE_PIECES)
		return pull_begin(connection, local->rx.slots[label.slot], &label);
	return receive_illegal(connection);
}

void local_settle(struct doca_rdma_connection *connection)
{
	receive_ack(connection->local);
}

bool local_receive(struct doca_rdma_connection *connection, bool ready)
{
	struct rdma_local *local = connection->local;

	if (sdpu_unlikely(local->pull.task != NULL)) {
		receive_ack(local);
		return pull_step(connection);
	}
	if (!ready) {
		receive_ack(local);
		return false;
	}
	if (rdma_receive_oldest(connection->rdma) == NULL) {
		receive_ack(local);
		rdma_receive_want(connection->rdma, connection);
		return false;
	}
	if (local->rx.position - local->rx.acked >= RECEIVE_ACK_EVERY)
		receive_ack(local);
	return receive_message(connection);
}
