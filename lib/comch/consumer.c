/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Consumer: its life as a context; contract in consumer.h.
 */
#include "comch/consumer.h"

#include <stdlib.h>

#include <doca_types.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "comch/endpoint.h"
#include "comch/show.h"
#include "core/mmap.h"

#define CONSUMER_HEARTBEAT_EVERY 1024

static struct doca_comch_consumer *consumer_of(const struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct doca_comch_consumer, ctx);
}

static void consumer_heartbeat(struct doca_comch_consumer *consumer)
{
	if (sdpu_unlikely(++consumer->idle_polls % CONSUMER_HEARTBEAT_EVERY == 0))
		sdpu_store(&consumer->rings.head->heartbeat_ms, sdpu_clock_now() / SDPU_MS);
}

static bool consumer_poll_running(struct doca_comch_consumer *consumer)
{
	if (!comch_consumer_has_entry(consumer)) {
		consumer_heartbeat(consumer);
		return false;
	}
	if (sdpu_likely(comch_consumer_take_ready(consumer) == DOCA_SUCCESS))
		return true;
	sdpu_log_err("doca_comch_consumer %u: the peer wrote an illegal entry; the consumer stops",
		     consumer->member.id);
	sdpu_ctx_fail(&consumer->ctx);
	return true;
}

static bool consumer_joined(const struct doca_comch_consumer *consumer)
{
	/* Pairs with the publish in remote_join(). */
	return sdpu_load_acquire(&consumer->rings.head->joined) != 0;
}

static bool consumer_poll_starting(struct doca_comch_consumer *consumer)
{
	doca_error_t result = DOCA_SUCCESS;

	if (!consumer->announced)
		result = comch_consumer_announce(consumer);
	if (result == DOCA_ERROR_AGAIN)
		return false;
	if (result != DOCA_SUCCESS || !comch_connection_alive(consumer->connection)) {
		sdpu_log_warn("doca_comch_consumer %u: not started; %s", consumer->member.id,
			      result == DOCA_ERROR_BAD_STATE ? "its mmap was stopped"
							     : "the peer has gone");
		sdpu_ctx_start_failed(&consumer->ctx);
		return true;
	}
	if (!consumer_joined(consumer))
		return false;
	sdpu_ctx_started(&consumer->ctx);
	return true;
}

/* Stopping, all is given back, but the peer's socket was full when it was to be told. */
static bool consumer_owes_word(const struct doca_comch_consumer *consumer)
{
	return consumer->ctx.state == DOCA_CTX_STATE_STOPPING && !consumer->withdrawn &&
	       consumer->flushed == consumer->receives.num;
}

static void consumer_retry_withdraw(struct doca_comch_consumer *consumer)
{
	if (consumer_owes_word(consumer) && comch_consumer_withdraw(consumer) == DOCA_SUCCESS)
		sdpu_ctx_wake(&consumer->ctx);
}

static bool consumer_poll(struct sdpu_source *source)
{
	struct doca_comch_consumer *consumer =
		sdpu_container_of(source, struct doca_comch_consumer, source);

	if (sdpu_likely(consumer->ctx.state == DOCA_CTX_STATE_RUNNING))
		return consumer_poll_running(consumer);
	if (consumer->ctx.state == DOCA_CTX_STATE_STARTING)
		return consumer_poll_starting(consumer);
	consumer_retry_withdraw(consumer);
	return false;
}

static bool consumer_pending(const struct sdpu_source *source)
{
	const struct doca_comch_consumer *consumer =
		sdpu_container_of(source, struct doca_comch_consumer, source);

	if (consumer->ctx.state == DOCA_CTX_STATE_STARTING)
		return !consumer->announced || consumer_joined(consumer) ||
		       !comch_connection_alive(consumer->connection);
	if (consumer->ctx.state == DOCA_CTX_STATE_RUNNING)
		return comch_consumer_has_entry(consumer);
	/* Nobody rings when the socket has room again. */
	return consumer_owes_word(consumer);
}

static void consumer_chill(struct sdpu_source *source, bool cold)
{
	struct doca_comch_consumer *consumer =
		sdpu_container_of(source, struct doca_comch_consumer, source);

	sdpu_store(&consumer->rings.head->cold, cold);
	if (cold)
		/* Pairs with F1 of a producer. */
		sdpu_bell_fence(&source->pe->bell);
}

static doca_error_t consumer_check(struct doca_ctx *ctx)
{
	if (consumer_of(ctx)->receives.num != 0)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_ctx_start: the doca_comch_consumer has no receive tasks; needed: call "
		     "doca_comch_consumer_task_post_recv_set_conf() first");
	return DOCA_ERROR_BAD_CONFIG;
}

static void consumer_number_tasks(struct doca_comch_consumer *consumer)
{
	for (uint32_t i = 0; i < consumer->receives.num; i++) {
		struct doca_comch_consumer_task_post_recv *task =
			(struct doca_comch_consumer_task_post_recv *)sdpu_task_at(
				&consumer->receives, i);

		task->index = i;
		task->posted = false;
	}
}

static doca_error_t consumer_start(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);
	doca_error_t result;

	if (!comch_connection_alive(consumer->connection)) {
		sdpu_log_err("doca_ctx_start: the connection of the doca_comch_consumer has ended; "
			     "needed: a live one; destroy the consumer");
		return DOCA_ERROR_BAD_STATE;
	}
	if (sdpu_mmap_window(consumer->mmap) == NULL) {
		sdpu_log_err("doca_ctx_start: the mmap of the doca_comch_consumer was stopped; "
			     "needed: a started one; call doca_mmap_start() first");
		return DOCA_ERROR_BAD_STATE;
	}
	result = sdpu_task_pool_open(&consumer->receives);
	if (result != DOCA_SUCCESS)
		return result;
	consumer_number_tasks(consumer);
	result = comch_consumer_open(consumer);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_store_release(&consumer->member.busy, 1);
	consumer->source.bit = consumer->bit;
	sdpu_source_add(ctx->pe, &consumer->source);
	return DOCA_ERROR_IN_PROGRESS;
}

static void consumer_stop(struct doca_ctx *ctx)
{
	sdpu_source_heat(&consumer_of(ctx)->source);
	comch_consumer_shut(consumer_of(ctx));
}

static bool consumer_step(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);

	if (ctx->state != DOCA_CTX_STATE_STOPPING)
		return false;
	if (comch_consumer_give_back(consumer))
		return true;
	(void)comch_consumer_withdraw(consumer);
	return false;
}

static bool consumer_quiet(struct doca_ctx *ctx)
{
	return consumer_of(ctx)->withdrawn;
}

static void consumer_idle(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);

	sdpu_source_remove(&consumer->source);
	comch_consumer_close(consumer);
	sdpu_store_release(&consumer->member.busy, 0);
}

static const struct sdpu_ctx_ops consumer_ops = {
	.name = "doca_comch_consumer",
	.kind = SOFTDPU_OBJECT_CONSUMER,
	.show = comch_show_consumer,
	.check = consumer_check,
	.start = consumer_start,
	.stop = consumer_stop,
	.step = consumer_step,
	.quiet = consumer_quiet,
	.idle = consumer_idle,
};

static doca_error_t consumer_check_mmap(const struct doca_mmap *mmap)
{
	if (sdpu_mmap_window(mmap) == NULL) {
		sdpu_log_err("doca_comch_consumer_create: the mmap is %s; needed: a started one "
			     "of this process",
			     sdpu_mmap_source(mmap) != NULL ? "an imported one" : "not started");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (sdpu_mmap_permissions(mmap) & DOCA_ACCESS_FLAG_PCI_READ_WRITE)
		return DOCA_SUCCESS;
	sdpu_log_err(
		"doca_comch_consumer_create: the mmap has permissions 0x%x; needed: "
		"DOCA_ACCESS_FLAG_PCI_READ_WRITE (0x20); call doca_mmap_set_permissions() before "
		"its start",
		sdpu_mmap_permissions(mmap));
	return DOCA_ERROR_NOT_PERMITTED;
}

static void consumer_free(struct doca_comch_consumer *consumer)
{
	sdpu_task_pool_close(&consumer->receives);
	free(consumer);
}

static void consumer_leave(struct doca_comch_consumer *consumer)
{
	comch_member_leave(&consumer->member);
	consumer_free(consumer);
}

static const struct sdpu_task_ops receive_ops = {
	.name = "doca_comch_consumer_task_post_recv",
	.is_receive = true,
	.submit = comch_consumer_submit,
};

static const struct comch_consumer_kind of_connection = {
	.receive = &receive_ops,
	.leave = consumer_leave,
};

static void consumer_init(struct doca_comch_consumer *consumer,
			  struct doca_comch_connection *connection, struct doca_mmap *mmap)
{
	consumer->connection = connection;
	sdpu_ctx_init(&consumer->ctx, &consumer_ops, connection->endpoint->ctx.dev);
	sdpu_stats_set_parent(&consumer->ctx.stats, &connection->stats);
	consumer->kind = &of_connection;
	consumer->mmap = mmap;
	consumer->imm_len = sdpu_dev_function(consumer->ctx.dev)->limits->comch_max_imm_len;
	sdpu_list_init(&consumer->member.node);
	consumer->source.poll = consumer_poll;
	consumer->source.pending = consumer_pending;
	consumer->source.chill = consumer_chill;
}

doca_error_t doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
					struct doca_mmap *buf_mmap,
					struct doca_comch_consumer **consumer)
{
	struct doca_comch_consumer *made;
	doca_error_t result;

	if (sdpu_any_null(__func__, comch_connection, buf_mmap, consumer))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (!comch_connection_alive(comch_connection))
		return comch_member_refuse(COMCH_CONSUMER);
	result = consumer_check_mmap(buf_mmap);
	if (result != DOCA_SUCCESS)
		return result;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	consumer_init(made, comch_connection, buf_mmap);
	result = comch_member_join(&made->member, comch_connection, &made->ctx, COMCH_CONSUMER,
				   sdpu_dev_function(made->ctx.dev)->limits->comch_max_consumers);
	if (result != DOCA_SUCCESS) {
		(void)sdpu_ctx_fini(&made->ctx);
		consumer_free(made);
		return result;
	}
	*consumer = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, consumer))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_ctx_fini(&consumer->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	consumer->kind->leave(consumer);
	return DOCA_SUCCESS;
}
