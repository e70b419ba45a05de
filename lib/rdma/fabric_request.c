/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations of ours: what they send when they are first in line, what the peer then asks for, and
 * when they are over. Contract in fabric_proto.h. Data path.
 */
#include "rdma/fabric_parts.h"

#include <string.h>

static struct fabric_call *call_at(struct fabric_proto *proto, uint32_t at)
{
	return &proto->calls[at % FABRIC_CALLS];
}

/* NULL: too many that the engine has not been told of. */
static struct fabric_call *call_begin(struct fabric_proto *proto, const struct rdma_op *op)
{
	struct fabric_call *call = call_at(proto, proto->next_call);

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

/* Can so many bytes go along at once? */
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
	while (call->upto != call->size && call->status == DOCA_SUCCESS &&
	       !sdpu_task_is_freed(&op->base))
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

/* Nothing to be moved, and nobody to be told. */
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
		doca_error_t result = rdma_op_judge(op);

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

bool fabric_request_is_over(const struct fabric_proto *proto)
{
	return proto->first_call != proto->next_call &&
	       call_is_over(proto, &proto->calls[proto->first_call % FABRIC_CALLS]);
}

bool fabric_proto_answered(struct fabric_proto *proto, struct rdma_op *op)
{
	struct fabric_call *call = call_at(proto, proto->first_call);

	if (!fabric_request_is_over(proto) || call->op != op)
		return false;
	proto->first_call++;
	proto->stuck = false;
	if (rdma_op_is_atomic(op))
		rdma_op_finish_atomic(op, call->status, call->value);
	else
		rdma_op_finish(op, call->status);
	return true;
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

void fabric_request_absorb(struct fabric_proto *proto)
{
	struct fabric_lane *lane = &proto->lanes[FABRIC_LANE_READ];
	struct fabric_piece *piece;

	while ((piece = fabric_lane_arrived(lane)) != NULL) {
		struct fabric_call *call = piece->call;

		if (piece->status != DOCA_SUCCESS)
			call->status = piece->status;
		else if (!sdpu_task_is_freed(&call->op->base))
			absorb_piece(piece);
		call->done += piece->len;
		fabric_lane_use(proto, FABRIC_LANE_READ);
	}
}

/* The call whose bytes the peer may pull under that number. */
static struct fabric_call *find_pulled(struct fabric_proto *proto, const struct fabric_head *head)
{
	for (uint32_t i = proto->first_call; i != proto->next_call; i++) {
		struct fabric_call *call = call_at(proto, i);

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

const char *fabric_request_pull(struct fabric_proto *proto, const struct fabric_head *head,
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
	fabric_request_push(proto);
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

void fabric_request_push(struct fabric_proto *proto)
{
	for (uint32_t i = proto->first_call; i != proto->next_call; i++) {
		struct fabric_call *call = call_at(proto, i);

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
		struct fabric_call *call = call_at(proto, i);

		if (call->has_request && call->op->kind != RDMA_OP_READ && call->request == seq)
			return call;
	}
	return NULL;
}

const char *fabric_request_result(struct fabric_proto *proto, const struct fabric_head *head,
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
