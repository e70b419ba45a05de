/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Answers to operations of ours: what the peer pulls, what it has read for us, and when they are
 * over. Contract in fabric_proto.h. Data path.
 */
#include <string.h>

#include "rdma/fabric_parts.h"

static bool call_is_over(const struct fabric_proto *proto, const struct fabric_call *call)
{
	if (call->sending != 0 || call == proto->acting)
		return false;
	if (call->op->kind == RDMA_OP_READ || call->pulled) {
		if (call->done != call->upto)
			return false;
		if (call->op->kind == RDMA_OP_READ)
			return true;
	}
	if (call->resulted)
		return true;
	if (call->has_message)
		return fabric_is_past(proto->messages_acked, call->message);
	return !rdma_op_is_atomic(call->op) && fabric_is_past(proto->requests_taken, call->request);
}

bool fabric_answer_is_over(const struct fabric_proto *proto)
{
	return proto->first_call != proto->next_call &&
	       call_is_over(proto, &proto->calls[proto->first_call % FABRIC_CALLS]);
}

bool fabric_proto_answered(struct fabric_proto *proto, struct rdma_op *op)
{
	struct fabric_call *call = fabric_call_at(proto, proto->first_call);

	if (!fabric_answer_is_over(proto) || call->op != op)
		return false;
	proto->first_call++;
	proto->stuck = false;
	if (rdma_op_is_atomic(op))
		rdma_op_finish_atomic(op, call->status, call->value);
	else
		rdma_op_finish(op, call->status);
	return true;
}

/* What it has got from the operation's memory, and will write to it, is left alone from now on. */
void fabric_proto_cancel(struct fabric_proto *proto, const struct rdma_op *op)
{
	for (uint32_t i = proto->first_call; i != proto->next_call; i++)
		if (fabric_call_at(proto, i)->op == op)
			fabric_call_at(proto, i)->is_freed = true;
}

/* Where a piece that was read lies in the operation's memory. */
static void absorb_piece(const struct fabric_piece *piece)
{
	const struct rdma_op *op = piece->call->op;
	const uint8_t *from = piece->kept.bytes;
	uint64_t offset = piece->addr - op->remote.addr;
	uint32_t left = piece->len;

	for (uint32_t i = 0; left != 0; i++) {
		const struct iovec *to = &op->vec.piece[i];
		size_t n;

		if (offset >= to->iov_len) {
			offset -= to->iov_len;
			continue;
		}
		n = to->iov_len - offset < left ? to->iov_len - offset : left;
		memcpy((uint8_t *)to->iov_base + offset, from, n);
		offset = 0;
		from += n;
		left -= (uint32_t)n;
	}
}

void fabric_answer_absorb(struct fabric_proto *proto)
{
	struct fabric_lane *lane = &proto->lanes[FABRIC_LANE_READ];
	struct fabric_piece *piece;

	while ((piece = fabric_lane_arrived(lane)) != NULL) {
		struct fabric_call *call = piece->call;

		if (piece->status != DOCA_SUCCESS)
			call->status = piece->status;
		else if (!call->is_freed)
			absorb_piece(piece);
		call->done += piece->len;
		fabric_lane_use(proto, FABRIC_LANE_READ);
	}
}

/* The call whose bytes the peer may pull under that number. */
static struct fabric_call *find_pulled(struct fabric_proto *proto, const struct fabric_head *head)
{
	for (uint32_t i = proto->first_call; i != proto->next_call; i++) {
		struct fabric_call *call = fabric_call_at(proto, i);

		if (!call->pulled || call->resulted)
			continue;
		if (head->what == FABRIC_LANE_WRITE
			    ? call->has_request && call->request == head->seq &&
				      !fabric_is_past(proto->requests_taken, call->request)
			    : !call->has_request && call->message == head->seq &&
				      !fabric_is_past(proto->messages_acked, call->message))
			return call;
	}
	return NULL;
}

const char *fabric_answer_pull(struct fabric_proto *proto, const struct fabric_head *head,
			       struct fabric_rx **rx)
{
	struct fabric_call *call = find_pulled(proto, head);

	if (call == NULL)
		return "a pull of what was not offered";
	if (head->addr <= call->upto || head->addr > call->size ||
	    (head->addr != call->size && head->addr % FABRIC_PAYLOAD_MAX != 0) ||
	    head->addr - call->done > FABRIC_PULLED * FABRIC_PAYLOAD_MAX)
		return "a pull of what is not next";
	call->upto = head->addr;
	fabric_answer_push(proto);
	return NULL;
}

static bool push_some(struct fabric_proto *proto, struct fabric_call *call)
{
	uint64_t left = call->upto - call->done;
	struct fabric_head head = {
		.kind = FABRIC_DATA,
		.what = call->has_request ? FABRIC_LANE_WRITE : FABRIC_LANE_MESSAGE,
		.seq = call->has_request ? call->request : call->message,
		.len = left < FABRIC_PAYLOAD_MAX ? (uint32_t)left : FABRIC_PAYLOAD_MAX,
		.addr = call->done,
	};
	doca_error_t result = fabric_send_pulled(proto, &head, call);

	if (result == DOCA_ERROR_IO_FAILED)
		fabric_link_fail(proto->link, result);
	if (result != DOCA_SUCCESS)
		return false;
	call->done += head.len;
	return true;
}

void fabric_answer_push(struct fabric_proto *proto)
{
	for (uint32_t i = proto->first_call; i != proto->next_call; i++) {
		struct fabric_call *call = fabric_call_at(proto, i);

		while (call->pulled && call->done != call->upto)
			if (!push_some(proto, call))
				return;
	}
}

/* Of a read, which is the next one to be answered. */
static const char *result_of_read(struct fabric_proto *proto, const struct fabric_head *head)
{
	struct fabric_lane *lane = &proto->lanes[FABRIC_LANE_READ];
	struct fabric_piece *piece = &lane->piece[lane->arrived % FABRIC_PULLED];

	if (lane->arrived == lane->asked || piece->seq != head->seq)
		return "a result that was not asked for";
	if (head->status == DOCA_SUCCESS)
		return "a read without data";
	piece->status = (doca_error_t)head->status;
	lane->arrived++;
	return NULL;
}

static struct fabric_call *find_request(struct fabric_proto *proto, uint32_t seq)
{
	for (uint32_t i = proto->first_call; i != proto->next_call; i++) {
		struct fabric_call *call = fabric_call_at(proto, i);

		if (call->has_request && call->op->kind != RDMA_OP_READ && call->request == seq)
			return call;
	}
	return NULL;
}

const char *fabric_answer_result(struct fabric_proto *proto, const struct fabric_head *head,
				 struct fabric_rx **rx)
{
	struct fabric_call *call = find_request(proto, head->seq);

	if (call == NULL)
		return result_of_read(proto, head);
	if (call->resulted || (call->pulled && call->done != call->upto))
		return "a result that is not due";
	if (head->status == DOCA_SUCCESS && !rdma_op_is_atomic(call->op))
		return "a result of a write that succeeded";
	call->resulted = true;
	call->status = (doca_error_t)head->status;
	call->value = head->size;
	return NULL;
}
