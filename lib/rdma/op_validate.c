/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both sides of an operation, before it acts and when it has ended; contract in op.h. Data path.
 *
 * It is validated when its turn comes, not at submit: bufs are the program's to describe until
 * then, and only a connected peer has told its permissions. A fault ends the operation alone.
 */
#include <string.h>

#include <doca_types.h>

#include "core/buf.h"
#include "core/mmap.h"
#include "core/sync_event.h"
#include "rdma/connection.h"
#include "rdma/op_word.h"

static doca_error_t validate_source(struct rdma_op *op)
{
	struct doca_rdma *rdma = op->connection->rdma;

	return rdma_vec_of_data(&op->vec, rdma, op->src, rdma->property.send_list_len);
}

static doca_error_t validate_room(struct rdma_op *op)
{
	struct doca_rdma *rdma = op->connection->rdma;

	return rdma_vec_of_room(&op->vec, rdma, op->dst, rdma->property.send_list_len);
}

static doca_error_t validate_len(const struct rdma_op *op, size_t len)
{
	return len <= rdma_limits(op->connection->rdma)->rdma_max_message
		       ? DOCA_SUCCESS
		       : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t validate_message(struct rdma_op *op)
{
	doca_error_t result = validate_source(op);

	return result != DOCA_SUCCESS ? result : validate_len(op, op->vec.len);
}

/* Not the mmap that was looked at last. */
static doca_error_t validate_remote_mmap(struct doca_rdma *rdma, const struct doca_mmap *mmap)
{
	uint32_t stops = sdpu_load(&sdpu_mmap_stops);
	/* NULL for what is not imported: the program took its own memory for the peer's. */
	const struct sdpu_blob *source = sdpu_mmap_source(mmap);

	if (source == NULL || !sdpu_mmap_started(mmap) ||
	    !sdpu_mmap_has_function(mmap, rdma->ctx.dev))
		return DOCA_ERROR_INVALID_VALUE;
	rdma->remote.source = source;
	rdma->remote.reach = sdpu_mmap_reach(mmap);
	rdma->remote.checked = (struct rdma_checked){mmap, stops};
	return DOCA_SUCCESS;
}

/* Of a remote list the head only. */
static inline doca_error_t validate_remote(struct rdma_op *op, const struct doca_buf *buf)
{
	struct doca_rdma *rdma = op->connection->rdma;
	doca_error_t result = DOCA_SUCCESS;

	if (sdpu_unlikely(!rdma_checked_is(&rdma->remote.checked, buf->mmap)))
		result = validate_remote_mmap(rdma, buf->mmap);
	op->remote.source = rdma->remote.source;
	op->remote.reach = rdma->remote.reach;
	return result;
}

/* The data of the remote buf to the room of the local ones. */
static doca_error_t validate_read(struct rdma_op *op)
{
	const struct doca_buf *remote = op->src;
	doca_error_t result = validate_remote(op, remote);

	if (result == DOCA_SUCCESS)
		result = validate_room(op);
	if (result != DOCA_SUCCESS)
		return result;
	op->remote.addr = (uintptr_t)remote->data;
	op->remote.len = remote->data_len;
	if (op->vec.len < op->remote.len)
		return DOCA_ERROR_INVALID_VALUE;
	return validate_len(op, op->remote.len);
}

/* The data of the local bufs to the room of the remote one. */
static doca_error_t validate_write(struct rdma_op *op)
{
	const struct doca_buf *remote = op->dst;
	doca_error_t result = validate_remote(op, remote);

	if (result == DOCA_SUCCESS)
		result = validate_message(op);
	if (result != DOCA_SUCCESS)
		return result;
	op->remote.addr = (uintptr_t)sdpu_buf_tail(remote);
	op->remote.len = op->vec.len;
	/* As if the owner had said so: a buf is what its maker permits. */
	return op->vec.len <= sdpu_buf_tail_room(remote) ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED;
}

static doca_error_t validate_access(struct rdma_op *op)
{
	/* Both missing: an empty access, for which nobody need permit anything. */
	if (op->src == NULL || op->dst == NULL) {
		op->vec.num = 0;
		op->vec.len = 0;
		return op->src == NULL && op->dst == NULL ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
	}
	return op->kind == RDMA_OP_READ ? validate_read(op) : validate_write(op);
}

/* Where the old value goes: the first 8 bytes from the data address on, of the head alone, whether
 * they count as data or not. */
static void validate_fill_result(struct rdma_op *op)
{
	op->vec.piece[0] = (struct iovec){op->result->data, RDMA_WORD};
	op->vec.num = 1;
	op->vec.len = RDMA_WORD;
}

static doca_error_t validate_result(struct rdma_op *op)
{
	if (sdpu_unlikely(!rdma_buf_has_word(op->result) ||
			  !rdma_mmap_accepts(op->connection->rdma, op->result->mmap, true)))
		return DOCA_ERROR_INVALID_VALUE;
	validate_fill_result(op);
	return DOCA_SUCCESS;
}

/* Data or room: programs make such bufs in both ways, and submit them again unchanged. */
static doca_error_t validate_atomic(struct rdma_op *op)
{
	doca_error_t result;

	if (sdpu_unlikely(!rdma_buf_has_word(op->dst)))
		return DOCA_ERROR_INVALID_VALUE;
	result = validate_remote(op, op->dst);
	if (result == DOCA_SUCCESS)
		result = validate_result(op);
	if (result != DOCA_SUCCESS)
		return result;
	op->remote.addr = (uintptr_t)op->dst->data;
	op->remote.len = RDMA_WORD;
	/* The owner's processor could not do it in one step. */
	return op->remote.addr % RDMA_WORD == 0 ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t validate_event_local(struct rdma_op *op)
{
	doca_error_t result;

	if (op->kind == RDMA_OP_EVENT_ADD)
		return validate_result(op);
	result = op->kind == RDMA_OP_EVENT_GET ? validate_room(op) : validate_source(op);
	if (result == DOCA_SUCCESS && op->vec.len < RDMA_WORD)
		result = DOCA_ERROR_INVALID_VALUE;
	return result;
}

static doca_error_t validate_event(struct rdma_op *op)
{
	doca_error_t result;

	if (op->event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = validate_event_local(op);
	if (result != DOCA_SUCCESS)
		return result;
	/* Back ends carry a number, not memory. */
	if (op->kind == RDMA_OP_EVENT_SET)
		rdma_vec_gather(&op->vec, &op->operand, RDMA_WORD);
	op->remote.source = sdpu_remote_net_source(op->event);
	op->remote.reach = sdpu_remote_net_reach(op->event);
	op->remote.addr = op->remote.source->addr;
	op->remote.len = RDMA_WORD;
	return DOCA_SUCCESS;
}

/* What each kind needs at the peer, and how it is put to the owner of the memory. */
static const struct op_rule {
	doca_error_t (*validate)(struct rdma_op *op);
	uint32_t need;
	enum sdpu_atomic_kind atomic;
} rules[RDMA_OP_KINDS] = {
	[RDMA_OP_SEND] = {validate_message, 0, 0},
	[RDMA_OP_SEND_IMM] = {validate_message, 0, 0},
	[RDMA_OP_READ] = {validate_access, DOCA_ACCESS_FLAG_RDMA_READ, 0},
	[RDMA_OP_WRITE] = {validate_access, DOCA_ACCESS_FLAG_RDMA_WRITE, 0},
	[RDMA_OP_WRITE_IMM] = {validate_access, DOCA_ACCESS_FLAG_RDMA_WRITE, 0},
	[RDMA_OP_CMP_SWP] = {validate_atomic, DOCA_ACCESS_FLAG_RDMA_ATOMIC, SDPU_ATOMIC_CMP_SWP},
	[RDMA_OP_FETCH_ADD] = {validate_atomic, DOCA_ACCESS_FLAG_RDMA_ATOMIC,
			       SDPU_ATOMIC_FETCH_ADD},
	[RDMA_OP_EVENT_GET] = {validate_event, DOCA_ACCESS_FLAG_RDMA_READ, SDPU_ATOMIC_LOAD},
	[RDMA_OP_EVENT_SET] = {validate_event, DOCA_ACCESS_FLAG_RDMA_WRITE, SDPU_ATOMIC_STORE},
	[RDMA_OP_EVENT_ADD] = {validate_event, DOCA_ACCESS_FLAG_RDMA_ATOMIC, SDPU_ATOMIC_FETCH_ADD},
};

doca_error_t rdma_op_validate(struct rdma_op *op)
{
	const struct op_rule *rule = &rules[op->kind];
	doca_error_t result;

	op->remote = (struct rdma_remote){.need = rule->need, .atomic = rule->atomic};
	result = rule->validate(op);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return result;
	/* The context's word; the memory's own is asked for when the back end acts. */
	if (op->remote.source != NULL && (op->connection->peer_permissions & rule->need) == 0)
		return DOCA_ERROR_NOT_PERMITTED;
	return DOCA_SUCCESS;
}

void rdma_op_to_atomic(const struct rdma_op *op, struct sdpu_atomic *atomic)
{
	*atomic = (struct sdpu_atomic){
		.reach = op->remote.reach,
		.kind = op->remote.atomic,
		.need = op->remote.need,
		.addr = op->remote.addr,
		.operand = op->operand,
		.compare = op->compare,
	};
}

/* Results go to bufs that are there still. */
static inline bool op_has_results(const struct rdma_op *op, doca_error_t status)
{
	return status == DOCA_SUCCESS && !sdpu_task_is_freed(&op->base);
}

void rdma_op_finish(struct rdma_op *op, doca_error_t status)
{
	op->base.status = status;
	if (sdpu_unlikely(status != DOCA_SUCCESS))
		rdma_op_explain(op, status);
	if (op->kind != RDMA_OP_READ || !op_has_results(op, status))
		return;
	op->result_len = (uint32_t)op->remote.len;
	sdpu_buf_append(op->dst, op->remote.len);
}

/* The value of an event, which goes where any data do. */
__attribute__((noinline)) static void op_append_value(struct rdma_op *op, uint64_t value)
{
	rdma_vec_scatter(&op->vec, &value, RDMA_WORD);
	op->result_len = RDMA_WORD;
	sdpu_buf_append(op->dst, RDMA_WORD);
}

void rdma_op_finish_atomic(struct rdma_op *op, doca_error_t status, uint64_t value)
{
	op->base.status = status;
	if (sdpu_unlikely(status != DOCA_SUCCESS)) {
		rdma_op_explain(op, status);
		return;
	}
	if (sdpu_unlikely(sdpu_task_is_freed(&op->base)) || op->kind == RDMA_OP_EVENT_SET)
		return;
	if (op->kind == RDMA_OP_EVENT_GET) {
		op_append_value(op, value);
		return;
	}
	rdma_op_put_word(op, value);
}
