/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both bufs of an atomic: 8 bytes of the peer's, and where their old value goes. No state; data
 * path, engine's thread.
 */
#ifndef SDPU_RDMA_OP_WORD_H
#define SDPU_RDMA_OP_WORD_H

#include <string.h>

#include "core/buf.h"
#include "rdma/connection.h"

static inline bool rdma_buf_has_word(const struct doca_buf *buf)
{
	return buf != NULL && buf->data_len + sdpu_buf_tail_room(buf) >= RDMA_WORD;
}

/*
 * Compare-swap or fetch-add, between mmaps that were looked at last: rdma_op_validate() would find
 * nothing wrong but the address, and the way to the peer's memory is that of its context.
 */
static inline bool rdma_op_is_known_atomic(const struct rdma_op *op, const struct doca_rdma *rdma)
{
	return (op->kind == RDMA_OP_FETCH_ADD || op->kind == RDMA_OP_CMP_SWP) &&
	       rdma_buf_has_word(op->dst) && rdma_buf_has_word(op->result) &&
	       rdma_checked_is(&rdma->remote.checked, op->dst->mmap) &&
	       rdma_checked_is(&rdma->writable, op->result->mmap) &&
	       (op->connection->peer_permissions & DOCA_ACCESS_FLAG_RDMA_ATOMIC) != 0;
}

/* What was there before, to a result that is there still. */
static inline void rdma_op_put_word(const struct rdma_op *op, uint64_t value)
{
	memcpy(op->result->data, &value, RDMA_WORD);
	/* It lies at the data address: counted once, however often the task is used. */
	if (op->result->data_len < RDMA_WORD)
		op->result->data_len = RDMA_WORD;
}

#endif
