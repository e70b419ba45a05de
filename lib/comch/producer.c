/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Producer: its life as a context; contract in producer.h.
 */
#include "comch/producer.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "comch/endpoint.h"
#include "comch/show.h"

static struct doca_comch_producer *producer_of(const struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct doca_comch_producer, ctx);
}

/* Polled only while something moves: submit heats it. */
static bool producer_poll(struct sdpu_source *source)
{
	struct doca_comch_producer *producer =
		sdpu_container_of(source, struct doca_comch_producer, source);

	if (producer->moving.first != NULL)
		return comch_producer_move(producer);
	source->unrung = 0;
	sdpu_source_park(source);
	return false;
}

static bool producer_pending(const struct sdpu_source *source)
{
	return comch_producer_may_move(
		sdpu_container_of(source, struct doca_comch_producer, source));
}

static doca_error_t producer_check(struct doca_ctx *ctx)
{
	if (producer_of(ctx)->sends.num != 0)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_ctx_start: the doca_comch_producer has no send tasks; needed: call "
		     "doca_comch_producer_task_send_set_conf() first");
	return DOCA_ERROR_BAD_CONFIG;
}

static doca_error_t producer_start(struct doca_ctx *ctx)
{
	struct doca_comch_producer *producer = producer_of(ctx);
	doca_error_t result;

	if (!comch_connection_alive(producer->connection)) {
		sdpu_log_err("doca_ctx_start: the connection of the doca_comch_producer has ended; "
			     "needed: a live one; destroy the producer");
		return DOCA_ERROR_BAD_STATE;
	}
	result = sdpu_task_pool_open(&producer->sends);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_store_release(&producer->member.busy, 1);
	sdpu_source_add(ctx->pe, &producer->source);
	return DOCA_SUCCESS;
}

static bool producer_quiet(struct doca_ctx *ctx)
{
	return producer_of(ctx)->moving.first == NULL;
}

static void producer_idle(struct doca_ctx *ctx)
{
	struct doca_comch_producer *producer = producer_of(ctx);

	sdpu_source_remove(&producer->source);
	comch_producer_sweep(producer, true);
	sdpu_store_release(&producer->member.busy, 0);
}

static const struct sdpu_ctx_ops producer_ops = {
	.name = "doca_comch_producer",
	.kind = SOFTDPU_OBJECT_PRODUCER,
	.show = comch_show_producer,
	.check = producer_check,
	.start = producer_start,
	.quiet = producer_quiet,
	.idle = producer_idle,
};

static void producer_free(struct doca_comch_producer *producer)
{
	sdpu_task_pool_close(&producer->sends);
	free(producer->used);
	free(producer);
}

static void producer_leave(struct doca_comch_producer *producer)
{
	comch_member_leave(&producer->member);
	producer_free(producer);
}

static const struct sdpu_task_ops send_ops = {
	.name = "doca_comch_producer_task_send",
	.submit = comch_producer_submit,
};

static const struct comch_producer_kind to_connection = {
	.send = &send_ops,
	.buffers = true,
	.leave = producer_leave,
};

static void producer_init(struct doca_comch_producer *producer,
			  struct doca_comch_connection *connection)
{
	producer->connection = connection;
	sdpu_ctx_init(&producer->ctx, &producer_ops, connection->endpoint->ctx.dev);
	sdpu_stats_set_parent(&producer->ctx.stats, &connection->stats);
	producer->kind = &to_connection;
	sdpu_list_init(&producer->member.node);
	producer->source.poll = producer_poll;
	producer->source.pending = producer_pending;
	/* As many remotes as the peer may have consumers. */
	producer->max_used = sdpu_dev_function(producer->ctx.dev)->limits->comch_max_consumers;
	producer->used = calloc(producer->max_used, sizeof(struct comch_remote *));
}

doca_error_t doca_comch_producer_create(struct doca_comch_connection *comch_connection,
					struct doca_comch_producer **producer)
{
	struct doca_comch_producer *made;
	doca_error_t result;

	if (sdpu_any_null(__func__, comch_connection, producer))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (!comch_connection_alive(comch_connection))
		return comch_member_refuse(COMCH_PRODUCER);
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	producer_init(made, comch_connection);
	result = made->used == NULL
			 ? sdpu_no_memory(__func__)
			 : comch_member_join(
				   &made->member, comch_connection, &made->ctx, COMCH_PRODUCER,
				   sdpu_dev_function(made->ctx.dev)->limits->comch_max_producers);
	if (result != DOCA_SUCCESS) {
		(void)sdpu_ctx_fini(&made->ctx);
		producer_free(made);
		return result;
	}
	*producer = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, producer))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_ctx_fini(&producer->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	producer->kind->leave(producer);
	return DOCA_SUCCESS;
}
