/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Producer of a MsgQ on the CPU, and creation of both kinds; contract in msgq_producer.h.
 */
#include "comch/msgq_producer.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "comch/show_msgq.h"
#include "core/dev.h"
#include "core/dpa_base.h"

/* Hint in the log for programs that get AGAIN for ever. */
static const char *again_reason(const struct comch_msgq_producer *producer, doca_error_t result)
{
	if (producer->member.msgq->dpa[COMCH_CONSUMER] == NULL)
		return "has no posted receive";
	return result == DOCA_ERROR_FULL
		       ? "has no free element in its completion; device code frees them by "
			 "doca_dpa_dev_comch_consumer_completion_ack()"
		       : "has no posted receive; device code posts them by "
			 "doca_dpa_dev_comch_consumer_ack()";
}

static doca_error_t producer_note_again(struct comch_msgq_producer *producer, uint32_t consumer,
					doca_error_t result)
{
	if (sdpu_unlikely(comch_producer_again(&producer->base)))
		sdpu_log_warn("doca_comch_producer: AGAIN for 1 s: consumer %u %s", consumer,
			      again_reason(producer, result));
	return DOCA_ERROR_AGAIN;
}

static doca_error_t send_check(const struct comch_msgq_producer *producer,
			       const struct doca_comch_producer_task_send *task,
			       struct comch_msgq_port **port)
{
	const struct doca_comch_msgq *msgq = producer->member.msgq;
	const struct doca_dpa *dpa = msgq->dpa[COMCH_CONSUMER];

	if (sdpu_unlikely(task->buf != NULL || task->imm_len == 0 || task->consumer_id == 0))
		return DOCA_ERROR_INVALID_VALUE;
	*port = comch_msgq_port(msgq, task->consumer_id);
	if (sdpu_unlikely(*port == NULL || comch_msgq_port_closed(*port)))
		return DOCA_ERROR_NOT_FOUND;
	if (sdpu_unlikely(task->imm_len > sdpu_load(&(*port)->imm_len)))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_unlikely(dpa != NULL && !sdpu_dpa_running(dpa)) ? DOCA_ERROR_BAD_STATE
								    : DOCA_SUCCESS;
}

static enum comch_told fault_of(const struct doca_comch_producer_task_send *task,
				const struct comch_msgq_port *port, doca_error_t result)
{
	if (result == DOCA_ERROR_NOT_FOUND)
		return COMCH_TOLD_ABSENT;
	if (result == DOCA_ERROR_BAD_STATE)
		return COMCH_TOLD_ENDED;
	return task->imm_len != 0 && task->buf == NULL && port != NULL ? COMCH_TOLD_IMM
								       : COMCH_TOLD_NOTHING;
}

static void tell(const struct doca_comch_producer_task_send *task,
		 const struct comch_msgq_port *port, enum comch_told fault)
{
	if (fault == COMCH_TOLD_ABSENT)
		sdpu_log_err(
			"doca_task_submit: doca_comch_producer_task_send to consumer %u of the "
			"MsgQ, which is not there or not started; needed: a started one",
			task->consumer_id);
	else if (fault == COMCH_TOLD_ENDED)
		sdpu_log_err(
			"doca_task_submit: doca_comch_producer_task_send to a DPA whose context "
			"does not run; needed: one that does; it was stopped, or has failed");
	else if (fault == COMCH_TOLD_IMM)
		sdpu_log_err("doca_task_submit: doca_comch_producer_task_send with %u bytes of "
			     "immediate data; needed: at most the %u that consumer %u takes",
			     task->imm_len, sdpu_load(&port->imm_len), task->consumer_id);
	else
		sdpu_log_err("doca_task_submit: doca_comch_producer_task_send on a MsgQ; needed: "
			     "immediate data, no buf, and the id of a consumer");
}

SDPU_COLD static doca_error_t send_explain(struct comch_msgq_producer *producer,
					   const struct doca_comch_producer_task_send *task,
					   doca_error_t result)
{
	const struct comch_msgq_port *port =
		comch_msgq_port(producer->member.msgq, task->consumer_id);
	enum comch_told fault = fault_of(task, port, result);

	if (comch_producer_tells(&producer->base, fault))
		tell(task, port, fault);
	return result;
}

static doca_error_t producer_submit(struct doca_task *base)
{
	struct doca_comch_producer_task_send *task = (struct doca_comch_producer_task_send *)base;
	struct comch_msgq_producer *producer = comch_msgq_producer_of_ctx(base->ctx);
	struct comch_msgq_port *port;
	doca_error_t result = send_check(producer, task, &port);

	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return send_explain(producer, task, result);
	result = comch_msgq_send(&producer->turn, port, true, producer->member.id, task->imm,
				 task->imm_len);
	if (sdpu_unlikely(result == DOCA_ERROR_AGAIN || result == DOCA_ERROR_FULL))
		return producer_note_again(producer, task->consumer_id, result);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return send_explain(producer, task, result);
	comch_producer_not_again(&producer->base);
	sdpu_count(&producer->base.messages, 1);
	sdpu_count(&producer->base.bytes, task->imm_len);
	sdpu_task_finish(base, DOCA_SUCCESS);
	return DOCA_SUCCESS;
}

static doca_error_t producer_check(struct doca_ctx *ctx)
{
	if (comch_msgq_producer_of_ctx(ctx)->base.sends.num != 0)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_ctx_start: the %s has no send tasks; needed: call "
		     "doca_comch_producer_task_send_set_conf() first",
		     ctx->ops->name);
	return DOCA_ERROR_BAD_CONFIG;
}

static doca_error_t producer_start(struct doca_ctx *ctx)
{
	return sdpu_task_pool_open(&comch_msgq_producer_of_ctx(ctx)->base.sends);
}

static const struct sdpu_ctx_ops producer_ops = {
	.name = "doca_comch_producer (MsgQ)",
	.kind = SOFTDPU_OBJECT_PRODUCER,
	.show = comch_show_msgq_producer,
	.check = producer_check,
	.start = producer_start,
};

static void producer_leave(struct doca_comch_producer *base)
{
	struct comch_msgq_producer *producer = comch_msgq_producer_of(base);

	comch_msgq_leave(&producer->member);
	sdpu_task_pool_close(&producer->base.sends);
	free(producer);
}

static const struct sdpu_task_ops send_ops = {
	.name = "doca_comch_producer_task_send",
	.submit = producer_submit,
};

static const struct comch_producer_kind on_cpu = {.send = &send_ops, .leave = producer_leave};

void comch_msgq_producer_on_cpu(struct comch_msgq_producer *producer)
{
	producer->base.kind = &on_cpu;
	sdpu_ctx_init(&producer->base.ctx, &producer_ops, producer->member.msgq->dev);
	sdpu_stats_set_parent(&producer->base.ctx.stats, &producer->member.msgq->stats);
}

static doca_error_t producer_check_create(const char *call, const struct doca_comch_msgq *msgq,
					  struct doca_comch_producer **producer)
{
	if (sdpu_any_null(call, msgq, producer))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_process_refuses(call) ? DOCA_ERROR_BAD_STATE : DOCA_SUCCESS;
}

doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
					     struct doca_comch_producer **producer)
{
	doca_error_t result = producer_check_create(__func__, msgq, producer);
	struct comch_msgq_producer *made;

	if (result != DOCA_SUCCESS)
		return result;
	made = comch_msgq_alloc(sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	made->member.turn = &made->turn;
	result = comch_msgq_join(&made->member, msgq, COMCH_PRODUCER, __func__);
	if (result != DOCA_SUCCESS) {
		free(made);
		return result;
	}
	made->base.member.id = made->member.id;
	if (msgq->dpa[COMCH_PRODUCER] != NULL)
		comch_msgq_producer_on_dpa(made);
	else
		comch_msgq_producer_on_cpu(made);
	*producer = &made->base;
	return DOCA_SUCCESS;
}
