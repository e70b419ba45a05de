/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Consumer of a MsgQ on a DPA: the host's side; contract in msgq_consumer.h. The device's is in
 * dev_msgq_consumer.c.
 */
#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "comch/consumer_completion.h"
#include "comch/msgq_consumer.h"
#include "comch/show_msgq.h"
#include "dpa/dpa.h"

static void consumer_dpa_leave(struct doca_comch_consumer *base)
{
	struct comch_msgq_consumer *consumer = comch_msgq_consumer_of(base);

	if (consumer->completion != NULL)
		comch_completion_detach(consumer->completion, consumer->place);
	comch_msgq_leave(&consumer->member);
	sdpu_dpa_retire(consumer->member.msgq->dpa[COMCH_CONSUMER], consumer);
}

static const struct comch_consumer_kind on_dpa = {.leave = consumer_dpa_leave};

/* NULL (logged): it is not on a DPA. */
static struct comch_msgq_consumer *consumer_dpa(struct doca_comch_consumer *consumer,
						const char *call)
{
	if (consumer->kind == &on_dpa)
		return comch_msgq_consumer_of(consumer);
	sdpu_log_err("%s: the consumer is on the CPU; only those of a MsgQ after "
		     "doca_comch_msgq_set_dpa_consumer() are on a DPA",
		     call);
	return NULL;
}

doca_error_t
doca_comch_consumer_set_completion(struct doca_comch_consumer *consumer,
				   struct doca_comch_consumer_completion *consumer_comp,
				   uint32_t user_data)
{
	struct comch_msgq_consumer *end;
	doca_error_t result;
	uint32_t place;

	(void)user_data;
	if (sdpu_any_null(__func__, consumer, consumer_comp))
		return DOCA_ERROR_INVALID_VALUE;
	end = consumer_dpa(consumer, __func__);
	if (end == NULL || comch_msgq_check_path(&consumer->ctx, __func__) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_ctx_configurable(&consumer->ctx, __func__);
	if (result == DOCA_SUCCESS)
		result = comch_msgq_check_completion(&consumer->ctx, consumer_comp->dpa, __func__);
	if (result == DOCA_SUCCESS)
		result = comch_completion_attach(consumer_comp, __func__, &place);
	if (result != DOCA_SUCCESS)
		return result;
	if (end->completion != NULL)
		comch_completion_detach(end->completion, end->place);
	end->completion = consumer_comp;
	end->place = place;
	return DOCA_SUCCESS;
}

static doca_error_t consumer_dpa_set_num_recv(struct doca_comch_consumer *consumer, uint32_t number,
					      const char *call)
{
	struct comch_msgq_consumer *end;
	doca_error_t result;

	if (sdpu_any_null(call, consumer))
		return DOCA_ERROR_INVALID_VALUE;
	end = consumer_dpa(consumer, call);
	if (end == NULL)
		return DOCA_ERROR_BAD_STATE;
	result = comch_msgq_check_depth(&consumer->ctx, number, call);
	if (result == DOCA_SUCCESS)
		end->dev_num_recv = sdpu_round_up(number, 1);
	return result;
}

doca_error_t doca_comch_consumer_set_dev_max_num_recv(struct doca_comch_consumer *consumer,
						      uint32_t dev_num_recv)
{
	return consumer_dpa_set_num_recv(consumer, dev_num_recv, __func__);
}

doca_error_t doca_comch_consumer_set_dev_num_recv(struct doca_comch_consumer *consumer,
						  uint32_t dev_num_recv)
{
	return consumer_dpa_set_num_recv(consumer, dev_num_recv, __func__);
}

doca_error_t doca_comch_consumer_get_dpa_handle(struct doca_comch_consumer *consumer,
						doca_dpa_dev_comch_consumer_t *dpa_consumer)
{
	struct comch_msgq_consumer *end;

	if (sdpu_any_null(__func__, consumer, dpa_consumer))
		return DOCA_ERROR_INVALID_VALUE;
	end = consumer_dpa(consumer, __func__);
	if (end == NULL || comch_msgq_check_running(&consumer->ctx, __func__) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	*dpa_consumer = (uintptr_t)&end->head;
	return DOCA_SUCCESS;
}

static doca_error_t consumer_dpa_check(struct doca_ctx *ctx)
{
	const struct comch_msgq_consumer *consumer = comch_msgq_consumer_of_ctx(ctx);
	doca_error_t result = comch_msgq_check_path(ctx, "doca_ctx_start");

	if (result != DOCA_SUCCESS)
		return result;
	if (consumer->completion == NULL || consumer->dev_num_recv == 0) {
		sdpu_log_err("doca_ctx_start: the %s lacks a configuration; needed: call %s first",
			     ctx->ops->name,
			     consumer->completion == NULL
				     ? "doca_comch_consumer_set_completion()"
				     : "doca_comch_consumer_set_dev_max_num_recv()");
		return DOCA_ERROR_BAD_CONFIG;
	}
	if (consumer->base.imm_len > consumer->completion->imm_len) {
		sdpu_log_err("doca_ctx_start: the %s takes %u bytes of immediate data, its "
			     "completion %u; the "
			     "latter must not be less",
			     ctx->ops->name, consumer->base.imm_len, consumer->completion->imm_len);
		return DOCA_ERROR_BAD_CONFIG;
	}
	return DOCA_SUCCESS;
}

static doca_error_t consumer_dpa_start(struct doca_ctx *ctx)
{
	struct comch_msgq_consumer *consumer = comch_msgq_consumer_of_ctx(ctx);
	struct comch_msgq_port *port = consumer->port;

	port->ring = consumer->completion->ring;
	port->trigger = &consumer->completion->trigger;
	port->place = consumer->place;
	sdpu_store(&port->imm_len, consumer->base.imm_len);
	sdpu_store(comch_completion_taken(consumer->completion, consumer->place), 0);
	comch_msgq_port_open(port);
	(void)sdpu_dpa_handle_give(&consumer->head, SDPU_DPA_KIND_CONSUMER);
	return DOCA_SUCCESS;
}

static void consumer_dpa_stop(struct doca_ctx *ctx)
{
	struct comch_msgq_consumer *consumer = comch_msgq_consumer_of_ctx(ctx);

	comch_msgq_port_close(&consumer->member);
	comch_completion_drain(consumer->completion);
	sdpu_dpa_handle_withdraw(&consumer->head);
}

static doca_error_t consumer_dpa_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa)
{
	return comch_msgq_on_dpa(&comch_msgq_consumer_of_ctx(ctx)->member, dpa);
}

static const struct sdpu_ctx_ops consumer_dpa_ops = {
	.name = "doca_comch_consumer (DPA)",
	.kind = SOFTDPU_OBJECT_CONSUMER,
	.show = comch_show_msgq_consumer,
	.check = consumer_dpa_check,
	.start = consumer_dpa_start,
	.stop = consumer_dpa_stop,
	.on_dpa = consumer_dpa_on_dpa,
};

void comch_msgq_consumer_on_dpa(struct comch_msgq_consumer *consumer)
{
	consumer->base.kind = &on_dpa;
	sdpu_ctx_init(&consumer->base.ctx, &consumer_dpa_ops, consumer->member.msgq->dev);
	sdpu_stats_set_parent(&consumer->base.ctx.stats, &consumer->member.msgq->stats);
}
