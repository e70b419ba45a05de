/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MsgQ: the registry of its members, the closing of ports, and what members of both kinds ask;
 * contract in msgq.h.
 */
#include "base/clock.h"
#include "base/log.h"
#include "comch/msgq.h"
#include "core/dev.h"
#include "core/dpa_base.h"

const char *const comch_msgq_kind[] = {
	[COMCH_PRODUCER] = "producer", [COMCH_CONSUMER] = "consumer"};

static bool msgq_id_is_used(const struct doca_comch_msgq *msgq, enum comch_member_kind kind,
			    uint32_t id)
{
	const struct sdpu_list *node;

	sdpu_list_for_each (node, &msgq->members) {
		const struct comch_msgq_member *member =
			sdpu_container_of(node, struct comch_msgq_member, node);

		if (member->kind == kind && member->id == id)
			return true;
	}
	return false;
}

static bool msgq_enter(struct comch_msgq_member *member)
{
	struct doca_comch_msgq *msgq = member->msgq;
	bool room;

	pthread_mutex_lock(&msgq->lock);
	room = msgq->num[member->kind] < msgq->max[member->kind];
	if (room) {
		msgq->num[member->kind]++;
		member->id = 1;
		while (msgq_id_is_used(msgq, member->kind, member->id))
			member->id++;
		sdpu_list_append(&msgq->members, &member->node);
	}
	pthread_mutex_unlock(&msgq->lock);
	return room;
}

doca_error_t comch_msgq_join(struct comch_msgq_member *member, struct doca_comch_msgq *msgq,
			     enum comch_member_kind kind, const char *call)
{
	if (msgq->state != COMCH_MSGQ_STARTED) {
		sdpu_log_err("%s: the MsgQ is not started; call doca_comch_msgq_start() first",
			     call);
		return DOCA_ERROR_BAD_STATE;
	}
	member->msgq = msgq;
	member->kind = kind;
	if (msgq_enter(member))
		return DOCA_SUCCESS;
	sdpu_log_err("%s: there are %u already; doca_comch_msgq_set_max_num_%ss() allows no more",
		     call, msgq->max[kind], comch_msgq_kind[kind]);
	return DOCA_ERROR_NO_MEMORY;
}

void comch_msgq_leave(struct comch_msgq_member *member)
{
	struct doca_comch_msgq *msgq = member->msgq;

	pthread_mutex_lock(&msgq->lock);
	sdpu_list_remove(&member->node);
	msgq->num[member->kind]--;
	pthread_mutex_unlock(&msgq->lock);
}

/* This wait is short: a turn is a few dozen instructions. */
static void msgq_wait_for_turn(const struct comch_msgq_turn *turn)
{
	/* acquire: pairs with the release in comch_msgq_send() */
	uint32_t seen = sdpu_load_acquire(&turn->turn);

	while (seen % 2 != 0 && sdpu_load_acquire(&turn->turn) == seen)
		sdpu_clock_yield();
}

void comch_msgq_port_close(struct comch_msgq_member *consumer)
{
	struct doca_comch_msgq *msgq = consumer->msgq;
	struct comch_msgq_port *port = comch_msgq_port(msgq, consumer->id);
	struct sdpu_list *node;
	uint64_t claimed;

	claimed = sdpu_fetch_or(&port->claimed, COMCH_MSGQ_CLOSED); /* P2 */
	pthread_mutex_lock(&msgq->lock);
	sdpu_list_for_each (node, &msgq->members) {
		const struct comch_msgq_member *member =
			sdpu_container_of(node, struct comch_msgq_member, node);

		if (member->turn != NULL)
			msgq_wait_for_turn(member->turn);
	}
	pthread_mutex_unlock(&msgq->lock);
	if (!port->ring->shared)
		port->ring->tail = port->base + (claimed & ~COMCH_MSGQ_CLOSED);
}

doca_error_t comch_msgq_on_dpa(const struct comch_msgq_member *member, const struct doca_dpa *dpa)
{
	if (dpa == member->msgq->dpa[member->kind])
		return DOCA_SUCCESS;
	sdpu_log_err("doca_ctx_set_datapath_on_dpa: another DPA context than the MsgQ's; needed: "
		     "that of "
		     "doca_comch_msgq_set_dpa_%s()",
		     comch_msgq_kind[member->kind]);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t comch_msgq_check_path(const struct doca_ctx *ctx, const char *call)
{
	if (ctx->dpa != NULL)
		return DOCA_SUCCESS;
	sdpu_log_err(
		"%s: the MsgQ has this side on a DPA; needed: call doca_ctx_set_datapath_on_dpa() "
		"first",
		call);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t comch_msgq_check_completion(const struct doca_ctx *ctx, const struct doca_dpa *dpa,
					 const char *call)
{
	if (dpa != NULL && sdpu_dpa_base(dpa)->root == sdpu_dpa_base(ctx->dpa)->root)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the completion is of another DPA context; needed: one of the context's",
		     call);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t comch_msgq_check_depth(const struct doca_ctx *ctx, uint32_t number, const char *call)
{
	uint32_t max = sdpu_dev_function(ctx->dev)->limits->comch_max_fast_tasks;
	doca_error_t result = sdpu_ctx_configurable(ctx, call);

	if (result != DOCA_SUCCESS)
		return result;
	if (number >= 1 && number <= max)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: a depth of %u; needed: 1 to %u", call, number, max);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t comch_msgq_check_running(const struct doca_ctx *ctx, const char *call)
{
	if (ctx->state == DOCA_CTX_STATE_RUNNING)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the %s is not started; call doca_ctx_start() first", call,
		     ctx->ops->name);
	return DOCA_ERROR_BAD_STATE;
}
