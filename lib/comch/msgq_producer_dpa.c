/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Producer of a MsgQ on a DPA: the host's side; contract in msgq_producer.h. The device's is in
 * dev_msgq_producer.c.
 */
#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "comch/msgq_producer.h"
#include "comch/show_msgq.h"
#include "dpa/dpa.h"

#define SENDS_DEFAULT 64

static void producer_dpa_leave(struct doca_comch_producer *base)
{
	struct comch_msgq_producer *producer = comch_msgq_producer_of(base);

	if (producer->completion != NULL)
		sdpu_dpa_completion_detach(producer->completion, producer->slots);
	comch_msgq_leave(&producer->member);
	sdpu_dpa_retire(producer->member.msgq->dpa[COMCH_PRODUCER], producer);
}

static const struct comch_producer_kind on_dpa = {.leave = producer_dpa_leave};

/* NULL (logged): it is not on a DPA. */
static struct comch_msgq_producer *producer_dpa(struct doca_comch_producer *producer,
						const char *call)
{
	if (producer->kind == &on_dpa)
		return comch_msgq_producer_of(producer);
	sdpu_log_err("%s: the producer is on the CPU; only those of a MsgQ after "
		     "doca_comch_msgq_set_dpa_producer() are on a DPA",
		     call);
	return NULL;
}

/* To the same completion or another one, with as many slots as are asked for now. */
static doca_error_t producer_dpa_attach(struct comch_msgq_producer *producer,
					struct doca_dpa_completion *completion, const char *call)
{
	struct sdpu_dpa_slots *slots;
	doca_error_t result =
		sdpu_dpa_completion_attach(completion, call, producer->dev_num_send, &slots);

	if (result != DOCA_SUCCESS)
		return result;
	if (producer->completion != NULL)
		sdpu_dpa_completion_detach(producer->completion, producer->slots);
	producer->completion = completion;
	producer->slots = slots;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_producer_dpa_completion_attach(struct doca_comch_producer *producer,
						       struct doca_dpa_completion *dpa_comp)
{
	struct comch_msgq_producer *end;
	doca_error_t result;

	if (sdpu_any_null(__func__, producer, dpa_comp))
		return DOCA_ERROR_INVALID_VALUE;
	end = producer_dpa(producer, __func__);
	if (end == NULL || comch_msgq_check_path(&producer->ctx, __func__) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_ctx_configurable(&producer->ctx, __func__);
	if (result == DOCA_SUCCESS)
		result = comch_msgq_check_completion(&producer->ctx,
						     sdpu_dpa_completion_dpa(dpa_comp), __func__);
	return result == DOCA_SUCCESS ? producer_dpa_attach(end, dpa_comp, __func__) : result;
}

static doca_error_t producer_dpa_set_num_send(struct doca_comch_producer *producer, uint32_t number,
					      const char *call)
{
	struct comch_msgq_producer *end;
	doca_error_t result;

	if (sdpu_any_null(call, producer))
		return DOCA_ERROR_INVALID_VALUE;
	end = producer_dpa(producer, call);
	if (end == NULL)
		return DOCA_ERROR_BAD_STATE;
	result = comch_msgq_check_depth(&producer->ctx, number, call);
	if (result != DOCA_SUCCESS)
		return result;
	end->dev_num_send = sdpu_round_up(number, 1);
	return end->completion == NULL ? DOCA_SUCCESS
				       : producer_dpa_attach(end, end->completion, call);
}

doca_error_t doca_comch_producer_set_dev_max_num_send(struct doca_comch_producer *producer,
						      uint32_t dev_num_send)
{
	return producer_dpa_set_num_send(producer, dev_num_send, __func__);
}

doca_error_t doca_comch_producer_set_dev_num_send(struct doca_comch_producer *producer,
						  uint32_t dev_num_send)
{
	return producer_dpa_set_num_send(producer, dev_num_send, __func__);
}

doca_error_t doca_comch_producer_get_dpa_handle(struct doca_comch_producer *producer,
						doca_dpa_dev_comch_producer_t *dpa_producer)
{
	struct comch_msgq_producer *end;

	if (sdpu_any_null(__func__, producer, dpa_producer))
		return DOCA_ERROR_INVALID_VALUE;
	end = producer_dpa(producer, __func__);
	if (end == NULL || comch_msgq_check_running(&producer->ctx, __func__) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	*dpa_producer = (uintptr_t)&end->head;
	return DOCA_SUCCESS;
}

static doca_error_t producer_dpa_check(struct doca_ctx *ctx)
{
	doca_error_t result = comch_msgq_check_path(ctx, "doca_ctx_start");

	if (result != DOCA_SUCCESS || comch_msgq_producer_of_ctx(ctx)->completion != NULL)
		return result;
	sdpu_log_err("doca_ctx_start: the %s has no completion; needed: call "
		     "doca_comch_producer_dpa_completion_attach() first",
		     ctx->ops->name);
	return DOCA_ERROR_BAD_CONFIG;
}

static doca_error_t producer_dpa_start(struct doca_ctx *ctx)
{
	struct comch_msgq_producer *producer = comch_msgq_producer_of_ctx(ctx);

	producer->told = 0;
	(void)sdpu_dpa_handle_give(&producer->head, SDPU_DPA_KIND_PRODUCER);
	return DOCA_SUCCESS;
}

static void producer_dpa_stop(struct doca_ctx *ctx)
{
	sdpu_dpa_drain(ctx->dpa);
	sdpu_dpa_handle_withdraw(&comch_msgq_producer_of_ctx(ctx)->head);
}

static doca_error_t producer_dpa_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa)
{
	return comch_msgq_on_dpa(&comch_msgq_producer_of_ctx(ctx)->member, dpa);
}

static const struct sdpu_ctx_ops producer_dpa_ops = {
	.name = "doca_comch_producer (DPA)",
	.kind = SOFTDPU_OBJECT_PRODUCER,
	.show = comch_show_msgq_producer,
	.check = producer_dpa_check,
	.start = producer_dpa_start,
	.stop = producer_dpa_stop,
	.on_dpa = producer_dpa_on_dpa,
};

void comch_msgq_producer_on_dpa(struct comch_msgq_producer *producer)
{
	producer->base.kind = &on_dpa;
	producer->dev_num_send = SENDS_DEFAULT;
	sdpu_ctx_init(&producer->base.ctx, &producer_dpa_ops, producer->member.msgq->dev);
	sdpu_stats_set_parent(&producer->base.ctx.stats, &producer->member.msgq->stats);
}
