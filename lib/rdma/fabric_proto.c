/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Protocol: its life, the frames that come in, and the engine's poll; contract in fabric_proto.h.
 */
#include "rdma/fabric_proto.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "rdma/fabric_parts.h"

/* Rounds of the port in which something that goes out anyway may take along messages that are done
 * with, before it is told by itself: the one behind the progress that delivered it, and another. */
#define MESSAGE_PATIENCE 1
/* For a peer to close the link after a message that was too long. */
#define BREAK_PATIENCE (500 * SDPU_MS)

static struct fabric_proto *proto_of(const struct fabric_link *link)
{
	return link->owner;
}

doca_error_t fabric_proto_open(struct fabric_proto *proto, struct fabric_proto_port *port,
			       struct fabric_link *link, struct doca_rdma_connection *connection)
{
	memset(proto, 0, sizeof(*proto));
	proto->memory = malloc(sizeof(*proto->memory));
	if (proto->memory == NULL)
		return DOCA_ERROR_NO_MEMORY;
	proto->link = link;
	proto->port = port;
	proto->connection = connection;
	proto->permissions = connection->rdma->property.permissions;
	sdpu_list_init(&proto->waiting);
	link->owner = proto;
	link->ops = &fabric_proto_link_ops;
	return DOCA_SUCCESS;
}

void fabric_proto_close(struct fabric_proto *proto)
{
	if (proto->memory == NULL)
		return;
	fabric_message_drop_all(proto);
	fabric_serve_drop_all(proto);
	fabric_lane_drop_all(proto);
	fabric_send_drop_all(proto);
	sdpu_list_remove(&proto->waiting);
	free(proto->memory);
	proto->memory = NULL;
}

/* Something has changed for what the engine could not go on with. */
static void proto_unstick(struct fabric_proto *proto)
{
	if (!proto->stuck)
		return;
	proto->stuck = false;
	fabric_link_attend(proto->link);
}

/* There may be room that was missing. */
static void proto_go_on(struct fabric_proto *proto)
{
	proto_unstick(proto);
	fabric_answer_push(proto);
	fabric_serve(proto);
}

static void proto_up(struct fabric_link *link)
{
	struct fabric_proto *proto = proto_of(link);

	proto->is_up = true;
	proto->eager_given = FABRIC_EAGER;
	fabric_link_rerun(link);
	fabric_link_attend(link);
}

static void proto_sent(struct fabric_link *link, uint64_t cookie)
{
	struct fabric_proto *proto = proto_of(link);

	fabric_send_done(proto);
	proto_go_on(proto);
	if (fabric_answer_is_over(proto))
		fabric_link_attend(link);
}

static void proto_down(struct fabric_link *link, doca_error_t why)
{
	struct fabric_proto *proto = proto_of(link);

	proto->why = proto->broken != 0 ? DOCA_ERROR_IO_FAILED : why;
	fabric_send_drop_all(proto);
	sdpu_list_remove(&proto->waiting);
	fabric_link_attend(link);
}

/* Tells the peer what is done with, if it has not been told along with something else. */
static void proto_tell(struct fabric_proto *proto)
{
	struct fabric_head head = {.kind = FABRIC_ACK};

	if ((uint32_t)proto->messages_done != proto->told_messages ||
	    (uint32_t)proto->requests_done != proto->told_requests ||
	    proto->eager_given != proto->told_credit)
		(void)fabric_send(proto, &head);
}

void fabric_proto_settle(struct fabric_proto *proto)
{
	if (proto->why == DOCA_SUCCESS)
		proto_tell(proto);
}

static bool proto_may_wait(struct fabric_proto *proto)
{
	uint32_t requests = (uint32_t)proto->requests_done - proto->told_requests;

	if (requests != 0)
		return requests < proto->told_at && sdpu_clock_now() < proto->told_by;
	return (uint32_t)proto->messages_done != proto->told_messages &&
	       proto->told_age++ < MESSAGE_PATIENCE;
}

static void proto_tell_soon(struct fabric_proto *proto)
{
	if (proto_may_wait(proto))
		fabric_link_rerun(proto->link);
	else
		proto_tell(proto);
}

/* Until the peer has closed the link, which is then down; but not for ever. */
static void break_go_on(struct fabric_proto *proto)
{
	struct fabric_head head = {.kind = FABRIC_BREAK, .status = DOCA_ERROR_IO_FAILED};

	if (!proto->break_told)
		proto->break_told = fabric_send(proto, &head) == DOCA_SUCCESS;
	if (sdpu_clock_now() > proto->broken)
		fabric_link_fail(proto->link, DOCA_ERROR_IO_FAILED);
	else
		fabric_link_rerun(proto->link);
}

void fabric_proto_break(struct fabric_proto *proto)
{
	proto->broken = sdpu_clock_now() + BREAK_PATIENCE;
	break_go_on(proto);
}

static void proto_drive(struct fabric_link *link)
{
	struct fabric_proto *proto = proto_of(link);

	if (sdpu_unlikely(proto->broken != 0)) {
		break_go_on(proto);
		return;
	}
	proto_go_on(proto);
	proto_tell_soon(proto);
}

static const char *frame_ack(struct fabric_proto *proto, const struct fabric_head *head,
			     struct fabric_rx **rx)
{
	return NULL;
}

static const char *frame_break(struct fabric_proto *proto, const struct fabric_head *head,
			       struct fabric_rx **rx)
{
	sdpu_log_err("doca_rdma: the peer of connection %u has posted a receive that is too short "
		     "for a message; the connection is broken",
		     proto->connection->id);
	fabric_link_fail(proto->link, DOCA_ERROR_IO_FAILED);
	return NULL;
}

static const char *(*const handlers[FABRIC_KINDS])(struct fabric_proto *proto,
						   const struct fabric_head *head,
						   struct fabric_rx **rx) = {
	[FABRIC_ACK] = frame_ack,
	[FABRIC_SEND] = fabric_message_arrive,
	[FABRIC_OFFER] = fabric_message_arrive,
	[FABRIC_WRITE] = fabric_serve_arrive,
	[FABRIC_READ] = fabric_serve_arrive,
	[FABRIC_ATOMIC] = fabric_serve_arrive,
	[FABRIC_PULL] = fabric_answer_pull,
	[FABRIC_DATA] = fabric_lane_data,
	[FABRIC_RESULT] = fabric_answer_result,
	[FABRIC_BREAK] = frame_break,
};

/* Counts only grow, and not beyond what there is. */
static const char *validate_counts(const struct fabric_proto *proto, const struct fabric_head *head)
{
	if (head->acked - proto->messages_acked > proto->messages_sent - proto->messages_acked)
		return "more messages acknowledged than were sent";
	if (head->taken - proto->requests_taken > proto->requests_sent - proto->requests_taken)
		return "more requests taken than were sent";
	if (head->credit - proto->eager_sent > FABRIC_STAGING)
		return "more credit than there is staging";
	return NULL;
}

/* Behind the rest of the frame, which may belong to what is over then. */
static void take_counts(struct fabric_proto *proto, const struct fabric_head *head)
{
	bool news = head->acked != proto->messages_acked || head->taken != proto->requests_taken ||
		    head->credit != proto->eager_credit;

	proto->messages_acked = head->acked;
	proto->requests_taken = head->taken;
	proto->eager_credit = head->credit;
	if (news)
		proto_unstick(proto);
}

static const char *frame_take(struct fabric_proto *proto, struct fabric_rx **rx)
{
	struct fabric_head head;
	const char *fault = fabric_head_read((*rx)->bytes, (*rx)->len, &head);

	if (fault == NULL)
		fault = validate_counts(proto, &head);
	if (fault == NULL)
		fault = handlers[head.kind](proto, &head, rx);
	if (fault == NULL)
		take_counts(proto, &head);
	return fault;
}

/* Is there what the engine alone can do? */
static bool proto_has_news(struct fabric_proto *proto)
{
	return fabric_answer_is_over(proto) ||
	       fabric_lane_arrived(&proto->lanes[FABRIC_LANE_READ]) != NULL ||
	       fabric_lane_arrived(&proto->lanes[FABRIC_LANE_MESSAGE]) != NULL;
}

static void proto_frame(struct fabric_link *link, struct fabric_rx *rx)
{
	struct fabric_proto *proto = proto_of(link);
	const char *fault = frame_take(proto, &rx);

	if (rx != NULL)
		fabric_rx_done(rx);
	if (sdpu_unlikely(fault != NULL)) {
		sdpu_log_err("doca_rdma: the peer sent %s; connection %u is closed", fault,
			     proto->connection->id);
		fabric_link_fail(link, DOCA_ERROR_CONNECTION_ABORTED);
		return;
	}
	if (fabric_lane_arrived(&proto->lanes[FABRIC_LANE_WRITE]) != NULL)
		fabric_serve(proto);
	if ((uint32_t)proto->requests_done != proto->told_requests)
		fabric_link_rerun(link);
	if (proto->port->by_thread && proto_has_news(proto))
		fabric_link_attend(link);
}

const struct fabric_link_ops fabric_proto_link_ops = {
	.up = proto_up,
	.frame = proto_frame,
	.sent = proto_sent,
	.drive = proto_drive,
	.down = proto_down,
};

bool fabric_proto_pending(const struct fabric_proto *proto)
{
	const struct doca_rdma_connection *connection = proto->connection;
	const struct rdma_op *begun = (const struct rdma_op *)connection->begun.first;
	const struct fabric_lane *read = &proto->lanes[FABRIC_LANE_READ];

	return proto->why != DOCA_SUCCESS || fabric_message_pending(proto) ||
	       read->used != read->arrived || (begun != NULL && begun->ended) ||
	       fabric_answer_is_over(proto) || (connection->waiting.first != NULL && !proto->stuck);
}

/* The oldest operation is over, and so has its status. */
static bool look_ended(struct fabric_proto *proto)
{
	struct rdma_op *op = (struct rdma_op *)proto->connection->begun.first;

	if (op == NULL)
		return false;
	op->ended = op->ended || fabric_proto_answered(proto, op);
	return op->ended;
}

/* What has been read goes to its place, and a message to its receive. */
void fabric_proto_look(struct fabric_proto *proto, struct fabric_event *event)
{
	event->delivery.task = NULL;
	/* It may have ended; what came before goes first. */
	event->why = proto->why;
	proto->stuck = false;
	if (fabric_lane_arrived(&proto->lanes[FABRIC_LANE_READ]) != NULL)
		fabric_answer_absorb(proto);
	/* A message first, as its answer may be waited for; a completion then has its turn. */
	event->ended = proto->ended_first && look_ended(proto);
	event->taken = !event->ended && fabric_message_take(proto, &event->delivery);
	if (!event->taken && !proto->ended_first)
		event->ended = look_ended(proto);
	proto->ended_first = event->taken;
	event->more = fabric_message_is_ready(proto);
}

/* Last act. */
static bool deliver_message(struct fabric_proto *proto, const struct fabric_delivery *delivery)
{
	if (delivery->task == NULL)
		return true;
	if (sdpu_likely(delivery->status == DOCA_SUCCESS)) {
		rdma_receive_complete(delivery->task, proto->connection, delivery->opcode,
				      delivery->immediate, delivery->len);
		return true;
	}
	sdpu_task_deliver(&delivery->task->base, delivery->status);
	return true;
}

bool fabric_proto_deliver(struct fabric_proto *proto, const struct fabric_event *event)
{
	struct doca_rdma_connection *connection = proto->connection;

	if (event->taken)
		return deliver_message(proto, &event->delivery);
	if (event->ended)
		return rdma_connection_complete(connection);
	if (sdpu_unlikely(event->why != DOCA_SUCCESS)) {
		rdma_connection_fail(connection, event->why);
		return true;
	}
	return rdma_connection_advance(connection);
}
