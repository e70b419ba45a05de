/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Send: into the entry, into a slot, or as the places where a long message lies; and the notice of
 * a write, which is a message without bytes. Data path.
 */
#include <string.h>

#include "base/copy.h"
#include "core/buf.h"
#include "core/mmap.h"
#include "rdma/local.h"

/* Pieces of the vec stand for bufs with data, in their order. */
static doca_error_t send_describe(struct rdma_local *local, const struct rdma_op *op,
				  struct local_pieces *pieces)
{
	uint32_t n = 0;

	for (const struct doca_buf *buf = op->src; buf != NULL; buf = buf->next) {
		struct local_piece *piece = &pieces->piece[n];
		doca_error_t result;

		if (buf->data_len == 0)
			continue;
		result = local_grant_name(local, sdpu_mmap_window(buf->mmap),
					  local->tx.messages + 1, &piece->grant);
		if (result != DOCA_SUCCESS)
			return result;
		piece->addr = (uintptr_t)buf->data;
		piece->len = buf->data_len;
		n++;
	}
	pieces->num = n;
	return DOCA_SUCCESS;
}

static enum rdma_step send_fail(struct rdma_op *op, doca_error_t status)
{
	rdma_op_finish(op, status);
	return RDMA_STEP_DONE;
}

static enum rdma_step send_wait(struct rdma_local *local)
{
	local->tx.blocked = true;
	local->tx.patience = 0;
	return RDMA_STEP_WAIT;
}

static const enum doca_rdma_opcode opcode_of[RDMA_OP_KINDS] = {
	[RDMA_OP_SEND] = DOCA_RDMA_OPCODE_RECV_SEND,
	[RDMA_OP_SEND_IMM] = DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM,
	[RDMA_OP_WRITE_IMM] = DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM,
};

static inline enum rdma_step send_publish(struct doca_rdma_connection *connection,
					  const struct rdma_op *op, struct local_entry *entry,
					  enum local_where where, size_t len)
{
	struct rdma_local *local = connection->local;
	struct local_label label = {
		.len = (uint32_t)len,
		.where = where,
		.opcode = opcode_of[op->kind],
		.immediate = op->immediate,
	};

	local_tx_publish(&local->tx, entry, &label, local->rx.position);
	sdpu_channel_ring(&local->channel);
	if (sdpu_pe_streams(connection->rdma->ctx.pe, &local->last_ticks))
		local_tx_ahead(&local->tx, len);
	return RDMA_STEP_SENT;
}

static enum rdma_step send_pieces(struct doca_rdma_connection *connection, struct rdma_op *op,
				  struct local_entry *entry)
{
	struct rdma_local *local = connection->local;
	struct local_pieces pieces;
	doca_error_t result;

	if (local->tx.num_free == 0)
		return send_wait(local);
	result = send_describe(local, op, &pieces);
	if (result == DOCA_ERROR_AGAIN)
		return RDMA_STEP_MORE;
	if (result != DOCA_SUCCESS)
		return send_fail(op, result);
	memcpy(local_tx_slot(&local->tx), &pieces,
	       offsetof(struct local_pieces, piece[pieces.num]));
	return send_publish(connection, op, entry, LOCAL_WHERE_PIECES, op->vec.len);
}

static void send_inline(const struct rdma_vec *vec, struct local_entry *entry)
{
	if (sdpu_likely(vec->num == 1))
		sdpu_copy_entry(entry->bytes, vec->piece[0].iov_base, vec->len);
	else
		rdma_vec_gather(vec, entry->bytes, vec->len);
}

__attribute__((noinline)) static enum rdma_step send_any(struct doca_rdma_connection *connection,
							 struct rdma_op *op)
{
	struct rdma_local *local = connection->local;
	struct local_entry *entry;
	doca_error_t result;
	uint8_t *slot;

	if (!op->begun) {
		result = rdma_op_validate(op);
		if (sdpu_unlikely(result != DOCA_SUCCESS))
			return send_fail(op, result);
		op->begun = true;
	}
	entry = local_tx_entry(&local->tx);
	if (sdpu_unlikely(entry == NULL))
		return send_wait(local);
	if (sdpu_likely(op->vec.len <= LOCAL_INLINE)) {
		send_inline(&op->vec, entry);
		return send_publish(connection, op, entry, LOCAL_WHERE_INLINE, op->vec.len);
	}
	if (op->vec.len > LOCAL_SLOT_SIZE)
		return send_pieces(connection, op, entry);
	slot = local_tx_slot(&local->tx);
	if (slot == NULL)
		return send_wait(local);
	rdma_vec_gather(&op->vec, slot, op->vec.len);
	return send_publish(connection, op, entry, LOCAL_WHERE_SLOT, op->vec.len);
}

/* Needs no more of judging than what is said here: data of one buf, that fit the next entry. */
static inline bool send_is_plain(struct doca_rdma *rdma, const struct rdma_op *op)
{
	const struct doca_buf *buf = op->src;

	return buf != NULL && buf->next == NULL && !op->begun && buf->data_len <= LOCAL_INLINE &&
	       buf->data_len <= rdma_limits(rdma)->rdma_max_message &&
	       rdma_mmap_accepts(rdma, buf->mmap, false);
}

enum rdma_step local_send(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	struct rdma_local *local = connection->local;
	struct local_entry *entry = local_tx_entry(&local->tx);
	const struct doca_buf *buf = op->src;

	local_tx_expect(&local->tx, buf == NULL ? 0 : buf->data_len);
	if (sdpu_unlikely(entry == NULL || !send_is_plain(connection->rdma, op)))
		return send_any(connection, op);
	op->begun = true;
	op->remote.reach = NULL;
	op->vec.num = 0;
	op->vec.len = buf->data_len;
	sdpu_copy_entry(entry->bytes, buf->data, buf->data_len);
	return send_publish(connection, op, entry, LOCAL_WHERE_INLINE, buf->data_len);
}

enum rdma_step local_send_notice(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	struct local_entry *entry = local_tx_entry(&connection->local->tx);

	if (sdpu_unlikely(entry == NULL))
		return send_wait(connection->local);
	return send_publish(connection, op, entry, LOCAL_WHERE_INLINE, 0);
}
