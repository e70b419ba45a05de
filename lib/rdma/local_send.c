/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Send: into the entry, into a slot, or as the places where a long message lies. Data path.
 */
#include <string.h>

#include "base/copy.h"
#include "core/buf.h"
#include "core/mmap.h"
#include "rdma/local.h"

static doca_error_t send_judge(const struct doca_rdma *rdma, struct rdma_op *op)
{
	doca_error_t result =
		rdma_vec_of_data(&op->vec, rdma, op->src, rdma->property.send_list_len);

	if (result == DOCA_SUCCESS && op->vec.len > rdma_limits(rdma)->rdma_max_message)
		result = DOCA_ERROR_INVALID_VALUE;
	return result;
}

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

static enum rdma_step send_wait(struct rdma_local *local)
{
	local->tx.blocked = true;
	return RDMA_STEP_WAIT;
}

static enum rdma_step send_publish(struct doca_rdma_connection *connection,
				   struct local_entry *entry, enum local_where where, size_t len)
{
	struct rdma_local *local = connection->local;

	local_tx_publish(&local->tx, entry, where, len);
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
	uint8_t *slot;

	if (local->tx.num_free == 0)
		return send_wait(local);
	result = send_describe(local, op, &pieces);
	if (result == DOCA_ERROR_AGAIN)
		return RDMA_STEP_MORE;
	if (result != DOCA_SUCCESS) {
		op->base.status = result;
		return RDMA_STEP_DONE;
	}
	slot = local_tx_slot(&local->tx, entry);
	memcpy(slot, &pieces, offsetof(struct local_pieces, piece[pieces.num]));
	return send_publish(connection, entry, LOCAL_WHERE_PIECES, op->vec.len);
}

static void send_inline(const struct rdma_vec *vec, struct local_entry *entry)
{
	if (sdpu_likely(vec->num == 1))
		sdpu_copy_entry(entry->bytes, LOCAL_FIRST_LINE, vec->piece[0].iov_base, vec->len);
	else
		rdma_vec_gather(vec, entry->bytes);
}

enum rdma_step local_send(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	struct rdma_local *local = connection->local;
	struct local_entry *entry;
	uint8_t *slot;

	if (!op->begun) {
		op->base.status = send_judge(connection->rdma, op);
		if (sdpu_unlikely(op->base.status != DOCA_SUCCESS))
			return RDMA_STEP_DONE;
		op->begun = true;
	}
	entry = local_tx_entry(&local->tx);
	if (sdpu_unlikely(entry == NULL))
		return send_wait(local);
	if (sdpu_likely(op->vec.len <= LOCAL_INLINE)) {
		send_inline(&op->vec, entry);
		return send_publish(connection, entry, LOCAL_WHERE_INLINE, op->vec.len);
	}
	if (op->vec.len > LOCAL_SLOT_SIZE)
		return send_pieces(connection, op, entry);
	slot = local_tx_slot(&local->tx, entry);
	if (slot == NULL)
		return send_wait(local);
	rdma_vec_gather(&op->vec, slot);
	return send_publish(connection, entry, LOCAL_WHERE_SLOT, op->vec.len);
}
