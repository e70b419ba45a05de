/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Consumer of a MsgQ on the CPU, and creation of both kinds; contract in msgq_consumer.h.
 */
#include "comch/msgq_consumer.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "comch/show_msgq.h"
#include "core/dev.h"

/* Messages that can wait for receives to be posted, at least. */
#define RING_MIN 64

static struct comch_msgq_consumer *consumer_of_source(const struct sdpu_source *source)
{
	return sdpu_container_of(source, struct comch_msgq_consumer, base.source);
}

static void consumer_fill(struct comch_msgq_consumer *consumer,
			  struct doca_comch_consumer_task_post_recv *task,
			  const struct comch_msgq_message *message)
{
	task->producer_id = message->producer;
	task->imm_len = message->imm_len;
	memcpy(task->imm, message->imm, sizeof(task->imm));
	sdpu_count(&consumer->base.messages, 1);
	sdpu_count(&consumer->base.bytes, task->imm_len);
}

/* One message into one receive; delivering is the last act. */
static bool consumer_take(struct comch_msgq_consumer *consumer)
{
	struct doca_comch_consumer_task_post_recv *task =
		(struct doca_comch_consumer_task_post_recv *)consumer->posted.first;
	const struct comch_msgq_message *message;

	if (task == NULL)
		return false;
	message = comch_msgq_peek(consumer->ring, consumer->taken);
	if (message == NULL)
		return false;
	(void)sdpu_task_queue_get(&consumer->posted);
	/* The user has freed this receive: the message is for the next one. */
	if (sdpu_likely(!sdpu_task_is_freed(&task->base))) {
		consumer_fill(consumer, task, message);
		comch_msgq_free(consumer->ring, ++consumer->taken);
	}
	sdpu_task_deliver(&task->base, DOCA_SUCCESS);
	return true;
}

static bool consumer_poll(struct sdpu_source *source)
{
	struct comch_msgq_consumer *consumer = consumer_of_source(source);

	return consumer->base.ctx.state == DOCA_CTX_STATE_RUNNING && consumer_take(consumer);
}

static bool consumer_pending(const struct sdpu_source *source)
{
	const struct comch_msgq_consumer *consumer = consumer_of_source(source);

	return consumer->base.ctx.state == DOCA_CTX_STATE_RUNNING &&
	       consumer->posted.first != NULL &&
	       comch_msgq_peek(consumer->ring, consumer->taken) != NULL;
}

static void consumer_chill(struct sdpu_source *source, bool cold)
{
	sdpu_store(&consumer_of_source(source)->port->cold, cold);
	if (cold)
		/* Pairs with F1 of a producer. */
		sdpu_bell_fence(&source->pe->bell);
}

static doca_error_t consumer_submit(struct doca_task *base)
{
	struct doca_comch_consumer_task_post_recv *task =
		(struct doca_comch_consumer_task_post_recv *)base;
	struct comch_msgq_consumer *consumer = comch_msgq_consumer_of_ctx(base->ctx);

	if (sdpu_unlikely(task->buf != NULL)) {
		(void)comch_consumer_fits(&consumer->base, task->buf, "doca_task_submit");
		return DOCA_ERROR_INVALID_VALUE;
	}
	task->producer_id = 0;
	task->imm_len = 0;
	sdpu_task_queue_put(&consumer->posted, base);
	comch_msgq_grant(consumer->port, 1);
	/* A message may be waiting for this receive, and no further wake-up comes for it. */
	sdpu_source_heat(&consumer->base.source);
	return DOCA_SUCCESS;
}

static doca_error_t consumer_check(struct doca_ctx *ctx)
{
	if (comch_msgq_consumer_of_ctx(ctx)->base.receives.num != 0)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_ctx_start: the %s has no receive tasks; needed: call "
		     "doca_comch_consumer_task_post_recv_set_conf() first",
		     ctx->ops->name);
	return DOCA_ERROR_BAD_CONFIG;
}

static doca_error_t consumer_open_ring(struct comch_msgq_consumer *consumer)
{
	uint32_t wanted = 2 * consumer->base.receives.num;

	consumer->ring = comch_msgq_ring_create(sdpu_round_up(wanted, RING_MIN), false);
	return consumer->ring == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

static void consumer_open_port(struct comch_msgq_consumer *consumer)
{
	struct comch_msgq_port *port = consumer->port;

	port->ring = consumer->ring;
	port->trigger = NULL;
	port->place = 0;
	sdpu_store(&port->imm_len, consumer->base.imm_len);
	port->ringer = sdpu_ringer_own(&consumer->base.ctx.pe->bell, consumer->base.bit);
	comch_msgq_port_open(port);
}

static doca_error_t consumer_start(struct doca_ctx *ctx)
{
	struct comch_msgq_consumer *consumer = comch_msgq_consumer_of_ctx(ctx);
	doca_error_t result = sdpu_task_pool_open(&consumer->base.receives);

	if (result == DOCA_SUCCESS)
		result = consumer_open_ring(consumer);
	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_bell_take_bit(&ctx->pe->bell, &consumer->base.bit);
	if (result != DOCA_SUCCESS) {
		comch_msgq_ring_destroy(consumer->ring);
		return result;
	}
	consumer->taken = 0;
	consumer->base.source.bit = consumer->base.bit;
	sdpu_source_add(ctx->pe, &consumer->base.source);
	consumer_open_port(consumer);
	return DOCA_SUCCESS;
}

static void consumer_stop(struct doca_ctx *ctx)
{
	comch_msgq_port_close(&comch_msgq_consumer_of_ctx(ctx)->member);
}

static bool consumer_step(struct doca_ctx *ctx)
{
	struct comch_msgq_consumer *consumer = comch_msgq_consumer_of_ctx(ctx);
	struct doca_task *task;

	if (consumer_take(consumer))
		return true;
	task = sdpu_task_queue_get(&consumer->posted);
	if (task == NULL)
		return false;
	sdpu_task_deliver(task, DOCA_ERROR_SHUTDOWN);
	return true;
}

static void consumer_idle(struct doca_ctx *ctx)
{
	struct comch_msgq_consumer *consumer = comch_msgq_consumer_of_ctx(ctx);

	sdpu_source_remove(&consumer->base.source);
	sdpu_bell_give_bit(&ctx->pe->bell, consumer->base.bit);
	comch_msgq_ring_destroy(consumer->ring);
	consumer->ring = NULL;
}

static const struct sdpu_ctx_ops consumer_ops = {
	.name = "doca_comch_consumer (MsgQ)",
	.kind = SOFTDPU_OBJECT_CONSUMER,
	.show = comch_show_msgq_consumer,
	.check = consumer_check,
	.start = consumer_start,
	.stop = consumer_stop,
	.step = consumer_step,
	.idle = consumer_idle,
};

static void consumer_leave(struct doca_comch_consumer *base)
{
	struct comch_msgq_consumer *consumer = comch_msgq_consumer_of(base);

	comch_msgq_leave(&consumer->member);
	sdpu_task_pool_close(&consumer->base.receives);
	free(consumer);
}

static const struct sdpu_task_ops receive_ops = {
	.name = "doca_comch_consumer_task_post_recv",
	.is_receive = true,
	.submit = consumer_submit,
};

static const struct comch_consumer_kind on_cpu = {
	.receive = &receive_ops,
	.leave = consumer_leave,
};

void comch_msgq_consumer_on_cpu(struct comch_msgq_consumer *consumer)
{
	consumer->base.kind = &on_cpu;
	consumer->base.source.poll = consumer_poll;
	consumer->base.source.pending = consumer_pending;
	consumer->base.source.chill = consumer_chill;
	sdpu_ctx_init(&consumer->base.ctx, &consumer_ops, consumer->member.msgq->dev);
	sdpu_stats_set_parent(&consumer->base.ctx.stats, &consumer->member.msgq->stats);
}

static doca_error_t consumer_check_create(const char *call, const struct doca_comch_msgq *msgq,
					  struct doca_comch_consumer **consumer)
{
	if (sdpu_any_null(call, msgq, consumer))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_process_refuses(call) ? DOCA_ERROR_BAD_STATE : DOCA_SUCCESS;
}

doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
					     struct doca_comch_consumer **consumer)
{
	doca_error_t result = consumer_check_create(__func__, msgq, consumer);
	struct comch_msgq_consumer *made;

	if (result != DOCA_SUCCESS)
		return result;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	result = comch_msgq_join(&made->member, msgq, COMCH_CONSUMER, __func__);
	if (result != DOCA_SUCCESS) {
		free(made);
		return result;
	}
	made->base.member.id = made->member.id;
	made->base.imm_len = sdpu_dev_function(msgq->dev)->limits->comch_max_imm_len;
	made->port = comch_msgq_port(msgq, made->member.id);
	if (msgq->dpa[COMCH_CONSUMER] != NULL)
		comch_msgq_consumer_on_dpa(made);
	else
		comch_msgq_consumer_on_cpu(made);
	*consumer = &made->base;
	return DOCA_SUCCESS;
}
