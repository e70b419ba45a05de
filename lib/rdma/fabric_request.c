/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations of ours: what they send when they are first in line. What the peer makes of it is
 * fabric_answer.c's; contract in fabric_proto.h. Data path.
 */
#include "rdma/fabric_parts.h"

#include <string.h>

/* NULL: too many operations whose end the engine has not been told yet. */
static struct fabric_call *call_begin(struct fabric_proto *proto, const struct rdma_op *op)
{
	struct fabric_call *call = fabric_call_at(proto, proto->next_call);

	if (proto->next_call - proto->first_call == FABRIC_CALLS)
		return NULL;
	*call = (struct fabric_call){.op = op};
	return call;
}

static bool may_message(const struct fabric_proto *proto)
{
	return proto->messages_sent - proto->messages_acked < FABRIC_MESSAGES;
}

static bool may_request(const struct fabric_proto *proto)
{
	return proto->requests_sent - proto->requests_taken < FABRIC_REQUESTS;
}

/* Can so many bytes be sent along with the request? */
static bool may_carry(const struct fabric_proto *proto, uint64_t size)
{
	return size <= FABRIC_SMALL ||
	       (size <= FABRIC_PAYLOAD_MAX && proto->eager_sent != proto->eager_credit);
}

/* With its first frame out; numbers are taken. */
static void call_sent(struct fabric_proto *proto, struct fabric_call *call,
		      const struct fabric_head *head)
{
	if (head->len > FABRIC_SMALL)
		proto->eager_sent++;
	if (call->has_message)
		call->message = proto->messages_sent++;
	if (call->has_request)
		call->request = proto->requests_sent++;
	proto->next_call++;
}

/* A frame with all of the operation's memory, or the promise of it. */
static enum rdma_step call_send(struct fabric_proto *proto, struct fabric_call *call,
				struct fabric_head *head)
{
	call->pulled = head->len < call->size;
	if (fabric_send_op(proto, head, call) != DOCA_SUCCESS)
		return RDMA_STEP_WAIT;
	call_sent(proto, call, head);
	return RDMA_STEP_SENT;
}

static enum rdma_step act_message(struct fabric_proto *proto, struct rdma_op *op,
				  struct fabric_call *call)
{
	struct fabric_head head = {
		.kind = FABRIC_SEND,
		.seq = proto->messages_sent,
		.immediate = op->immediate,
	};

	if (!may_message(proto))
		return RDMA_STEP_WAIT;
	call->has_message = true;
	call->size = op->vec.len;
	if (op->kind == RDMA_OP_SEND_IMM)
		head.flags = FABRIC_IMMEDIATE;
	else if (op->kind == RDMA_OP_WRITE_IMM)
		head.flags = FABRIC_NOTICE;
	else
		head.immediate = 0;
	if (may_carry(proto, call->size)) {
		head.len = (uint32_t)call->size;
	} else {
		head.kind = FABRIC_OFFER;
		head.size = call->size;
	}
	return call_send(proto, call, &head);
}

static void head_remote(struct fabric_head *head, const struct rdma_op *op)
{
	head->addr = op->remote.addr;
	memcpy(head->key, op->remote.source->key, sizeof(head->key));
}

static enum rdma_step act_write(struct fabric_proto *proto, struct rdma_op *op,
				struct fabric_call *call)
{
	struct fabric_head head = {
		.kind = FABRIC_WRITE,
		.what = (uint8_t)(proto->requests_sent - proto->requests_taken),
		.seq = proto->requests_sent,
		.size = op->remote.len,
	};

	if (op->remote.len == 0)
		return act_message(proto, op, call);
	if (!may_request(proto) || (op->kind == RDMA_OP_WRITE_IMM && !may_message(proto)))
		return RDMA_STEP_WAIT;
	call->has_request = true;
	call->size = op->remote.len;
	head_remote(&head, op);
	if (op->kind == RDMA_OP_WRITE_IMM) {
		call->has_message = true;
		head.flags = FABRIC_NOTICE;
		head.immediate = op->immediate;
	}
	if (may_carry(proto, call->size))
		head.len = (uint32_t)call->size;
	return call_send(proto, call, &head);
}

static enum rdma_step act_atomic(struct fabric_proto *proto, struct rdma_op *op,
				 struct fabric_call *call)
{
	struct fabric_head head = {.kind = FABRIC_ATOMIC, .seq = proto->requests_sent};
	struct sdpu_atomic atomic;

	if (!may_request(proto))
		return RDMA_STEP_WAIT;
	call->has_request = true;
	rdma_op_to_atomic(op, &atomic);
	head_remote(&head, op);
	head.what = (uint8_t)atomic.kind;
	head.size = atomic.operand;
	head.compare = atomic.compare;
	if (fabric_send(proto, &head) != DOCA_SUCCESS)
		return RDMA_STEP_WAIT;
	call_sent(proto, call, &head);
	return RDMA_STEP_SENT;
}

/* One request, for what its answer may bring at once. False: not now. */
static bool read_some(struct fabric_proto *proto, const struct rdma_op *op,
		      struct fabric_call *call)
{
	struct fabric_lane *lane = &proto->lanes[FABRIC_LANE_READ];
	struct fabric_head head = {.kind = FABRIC_READ, .seq = proto->requests_sent};
	struct fabric_piece piece = {.seq = head.seq, .call = call};
	uint64_t left = call->size - call->upto;

	if (!may_request(proto) || fabric_lane_room(lane) == 0)
		return false;
	head_remote(&head, op);
	head.addr += call->upto;
	head.size = left < FABRIC_PAYLOAD_MAX ? left : FABRIC_PAYLOAD_MAX;
	if (fabric_send(proto, &head) != DOCA_SUCCESS)
		return false;
	piece.addr = head.addr;
	piece.len = (uint32_t)head.size;
	fabric_lane_ask(lane, &piece);
	call->request = proto->requests_sent++;
	call->upto += head.size;
	return true;
}

/* Several requests, perhaps over several polls: it is ours, and first in line, until the last one
 * is out. One that fails, or is freed, asks for no more. */
static enum rdma_step act_read(struct fabric_proto *proto, struct rdma_op *op,
			       struct fabric_call *call)
{
	if (proto->acting == NULL) {
		call->has_request = true;
		call->size = op->remote.len;
		if (!read_some(proto, op, call))
			return RDMA_STEP_WAIT;
		proto->acting = call;
		proto->next_call++;
	}
	while (call->upto != call->size && call->status == DOCA_SUCCESS && !call->is_freed)
		if (!read_some(proto, op, call))
			return RDMA_STEP_WAIT;
	proto->acting = NULL;
	return RDMA_STEP_SENT;
}

static enum rdma_step act_by_kind(struct fabric_proto *proto, struct rdma_op *op)
{
	struct fabric_call *call = proto->acting;

	if (call == NULL)
		call = call_begin(proto, op);
	if (call == NULL)
		return RDMA_STEP_WAIT;
	if (rdma_op_is_message(op))
		return act_message(proto, op, call);
	if (rdma_op_is_atomic(op))
		return act_atomic(proto, op, call);
	return op->kind == RDMA_OP_READ ? act_read(proto, op, call) : act_write(proto, op, call);
}

static enum rdma_step act_end(struct rdma_op *op, doca_error_t status)
{
	rdma_op_finish(op, status);
	return RDMA_STEP_DONE;
}

/* Nothing to be moved, and the peer need not know. */
static bool is_empty(const struct rdma_op *op)
{
	return op->remote.len == 0 && (op->kind == RDMA_OP_READ || op->kind == RDMA_OP_WRITE);
}

enum rdma_step fabric_proto_act(struct fabric_proto *proto, struct rdma_op *op)
{
	enum rdma_step step = RDMA_STEP_WAIT;

	if (sdpu_unlikely(proto->acting == NULL && sdpu_task_is_freed(&op->base)))
		return act_end(op, DOCA_SUCCESS);
	if (!op->begun) {
		doca_error_t result = rdma_op_validate(op);

		if (sdpu_unlikely(result != DOCA_SUCCESS))
			return act_end(op, result);
		op->begun = true;
	}
	if (sdpu_unlikely(is_empty(op)))
		return act_end(op, DOCA_SUCCESS);
	if (sdpu_likely(proto->why == DOCA_SUCCESS && proto->broken == 0))
		step = act_by_kind(proto, op);
	proto->stuck = step == RDMA_STEP_WAIT;
	return step;
}
