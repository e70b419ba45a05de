/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of the peer: each waits until the requests before it are carried out and a receive is
 * posted for it; then, in the engine's thread, it is put there, or pulled if it is long. Data path.
 */
#include "rdma/fabric_parts.h"

/* Messages taken before the sender is told, while more are ready. */
#define MESSAGE_TELL_EVERY 8

static struct fabric_message *message_at(struct fabric_proto *proto, uint64_t at)
{
	return &proto->messages[at % FABRIC_MESSAGES];
}

static bool has_room(const struct fabric_proto *proto)
{
	return proto->messages_arrived - proto->messages_done < FABRIC_MESSAGES;
}

static enum doca_rdma_opcode opcode_of(const struct fabric_head *head)
{
	if ((head->flags & FABRIC_NOTICE) != 0)
		return DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM;
	return (head->flags & FABRIC_IMMEDIATE) != 0 ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM
						     : DOCA_RDMA_OPCODE_RECV_SEND;
}

const char *fabric_message_arrive(struct fabric_proto *proto, const struct fabric_head *head,
				  struct fabric_rx **rx)
{
	uint32_t slot = (uint32_t)(proto->messages_arrived % FABRIC_MESSAGES);
	struct fabric_message *message = &proto->messages[slot];
	const char *fault;

	if (head->seq != (uint32_t)proto->messages_arrived)
		return "a message with another number than the next";
	if (!has_room(proto))
		return "more messages than may be under way";
	*message = (struct fabric_message){
		.opcode = opcode_of(head),
		.immediate = head->immediate,
		.offered = head->kind == FABRIC_OFFER,
		.after = proto->requests_arrived,
		.size = head->kind == FABRIC_OFFER ? head->size : head->len,
	};
	fault = fabric_keep_arrived(proto, rx, head, proto->memory->small[FABRIC_REQUESTS + slot],
				    &message->kept);
	if (fault != NULL)
		return fault;
	proto->messages_arrived++;
	if (proto->port->by_thread && fabric_message_is_ready(proto))
		fabric_link_attend(proto->link);
	return NULL;
}

const char *fabric_message_notice(struct fabric_proto *proto, const struct fabric_head *head)
{
	if (!has_room(proto))
		return "more messages than may be under way";
	*message_at(proto, proto->messages_arrived++) = (struct fabric_message){
		.opcode = opcode_of(head),
		.immediate = head->immediate,
		.after = proto->requests_arrived + 1,
	};
	return NULL;
}

static void message_done(struct fabric_proto *proto)
{
	fabric_keep_drop(proto, &message_at(proto, proto->messages_done)->kept);
	proto->messages_done++;
	proto->told_age = 0;
	if (sdpu_likely(proto->why == DOCA_SUCCESS))
		fabric_link_rerun(proto->link);
}

/* It can never be delivered: both sides fail, and the connection with them. */
static bool take_too_long(struct fabric_proto *proto, const struct fabric_message *message,
			  struct fabric_delivery *delivery)
{
	delivery->task = rdma_receive_take(proto->connection->rdma);
	delivery->status = DOCA_ERROR_IO_FAILED;
	rdma_receive_tell_long(delivery->task, proto->connection, message->size);
	fabric_proto_break(proto);
	return true;
}

static void deliver(struct fabric_delivery *delivery, struct doca_rdma_task_receive *task,
		    const struct fabric_message *message)
{
	*delivery = (struct fabric_delivery){
		.task = task,
		.opcode = message->opcode,
		.immediate = message->immediate,
		.len = message->size,
		.status = DOCA_SUCCESS,
	};
}

/* What has come of it, to its place. */
static void pull_absorb(struct fabric_proto *proto)
{
	struct fabric_pull *pull = &proto->pull;
	struct fabric_piece *piece;

	while ((piece = fabric_lane_arrived(&proto->lanes[FABRIC_LANE_MESSAGE])) != NULL) {
		if (pull->task != NULL) {
			rdma_vec_scatter(&pull->task->room, piece->kept.bytes, piece->len);
			rdma_vec_skip(&pull->task->room, piece->len);
		}
		pull->got += piece->len;
		fabric_lane_use(proto, FABRIC_LANE_MESSAGE);
	}
}

/* Its receive was freed in the midst of it: the rest goes nowhere, and the sender need not know. */
static bool pull_drop(struct fabric_proto *proto)
{
	struct fabric_pull *pull = &proto->pull;

	if (pull->task != NULL)
		rdma_receive_put_back(proto->connection->rdma, pull->task);
	pull->task = NULL;
	pull_absorb(proto);
	if (pull->got != pull->asked)
		return false;
	pull->active = false;
	message_done(proto);
	return true;
}

static bool pull_step(struct fabric_proto *proto, struct fabric_delivery *delivery)
{
	const struct fabric_message *message = message_at(proto, proto->messages_done);
	struct fabric_pull *pull = &proto->pull;
	uint64_t asked;

	if (pull->task == NULL || sdpu_task_is_freed(&pull->task->base))
		return pull_drop(proto);
	pull_absorb(proto);
	if (pull->got == message->size) {
		pull->active = false;
		deliver(delivery, pull->task, message);
		pull->task = NULL;
		message_done(proto);
		return true;
	}
	if (pull->asked == message->size || proto->why != DOCA_SUCCESS)
		return false;
	asked = fabric_lane_pull(proto, FABRIC_LANE_MESSAGE, (uint32_t)proto->messages_done,
				 pull->asked, message->size);
	proto->stuck |= asked == pull->asked;
	pull->asked = asked;
	return false;
}

/* The oldest one that is for somebody, if it is ready. */
static struct fabric_message *message_oldest(struct fabric_proto *proto)
{
	while (fabric_message_is_ready(proto)) {
		struct fabric_message *message = message_at(proto, proto->messages_done);

		if (sdpu_likely(!message->dropped))
			return message;
		message_done(proto);
	}
	return NULL;
}

/* The sender is told at once when it might wait for it. */
static void message_tell(struct fabric_proto *proto)
{
	if ((uint32_t)proto->messages_done - proto->told_messages >= MESSAGE_TELL_EVERY)
		fabric_proto_settle(proto);
}

static bool take_oldest(struct fabric_proto *proto, const struct fabric_message *message,
			struct fabric_delivery *delivery)
{
	struct doca_rdma *rdma = proto->connection->rdma;
	struct doca_rdma_task_receive *task = rdma_receive_oldest(rdma);

	if (task == NULL) {
		rdma_receive_want(rdma, proto->connection);
		return false;
	}
	if (message->size > task->room.len)
		return take_too_long(proto, message, delivery);
	if (message->offered && proto->why != DOCA_SUCCESS)
		return false;
	task = rdma_receive_take(rdma);
	if (message->offered) {
		proto->pull = (struct fabric_pull){.active = true, .task = task};
		return pull_step(proto, delivery);
	}
	rdma_vec_scatter(&task->room, message->kept.bytes, message->size);
	deliver(delivery, task, message);
	message_done(proto);
	return true;
}

bool fabric_message_take(struct fabric_proto *proto, struct fabric_delivery *delivery)
{
	const struct fabric_message *message;

	if (sdpu_unlikely(proto->broken != 0))
		return false;
	message_tell(proto);
	if (sdpu_unlikely(proto->pull.active))
		return pull_step(proto, delivery);
	message = message_oldest(proto);
	return message != NULL && take_oldest(proto, message, delivery);
}

bool fabric_message_pending(const struct fabric_proto *proto)
{
	const struct fabric_pull *pull = &proto->pull;
	const struct fabric_lane *lane = &proto->lanes[FABRIC_LANE_MESSAGE];
	const struct fabric_message *message =
		&proto->messages[proto->messages_done % FABRIC_MESSAGES];

	if (proto->broken != 0)
		return false;
	if (pull->active)
		return lane->used != lane->arrived ||
		       (!proto->stuck && pull->asked != message->size);
	return fabric_message_is_ready(proto) &&
	       (message->dropped || proto->connection->rdma->posted.first != NULL);
}

void fabric_message_drop_all(struct fabric_proto *proto)
{
	if (proto->pull.task != NULL)
		rdma_receive_put_back(proto->connection->rdma, proto->pull.task);
	proto->pull = (struct fabric_pull){0};
	for (; proto->messages_done != proto->messages_arrived; proto->messages_done++)
		fabric_keep_drop(proto, &message_at(proto, proto->messages_done)->kept);
}
