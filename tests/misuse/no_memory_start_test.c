/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the heap refuses to contexts of Comch and to sync events that start, their tasks first of
 * all, and to the progress in which a server and a client come together.
 */
#include <doca_dpa_thread.h>

#include "comch/msgq_rig.h"
#include "comch/path.h"
#include "core/event_kit.h"
#include "misuse/scarce.h"

static struct path path;
static struct rig rig;

/* Further steps are progress's. */
static doca_error_t begin(struct doca_ctx *ctx)
{
	doca_error_t result = doca_ctx_start(ctx);

	return result == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : result;
}

static void end_on(struct doca_ctx *ctx, struct doca_pe *pe)
{
	(void)doca_ctx_stop(ctx);
	T_EVENTUALLY(((void)doca_pe_progress(pe), ctx_state(ctx) == DOCA_CTX_STATE_IDLE), 10000);
}

SCARCE_CASE(server)
{
	struct end *server = &path.pair.server;

	end_create(server, true);
	SCARCE_STEP(begin(server->ctx), end_on(server->ctx, server->pe));
	end_close(server);
}

SCARCE_CASE(client)
{
	struct end *client = &path.pair.client;

	end_create(&path.pair.server, true);
	end_start(&path.pair.server);
	end_create(client, false);
	SCARCE_STEP(begin(client->ctx), end_on(client->ctx, client->pe));
	end_close(client);
	end_close(&path.pair.server);
}

/* The server may have no memory for a client that it has let in: then both end. */
static bool has_come_up(struct end *client, uint32_t connects)
{
	(void)pair_progress(&path.pair);
	return end_state(client) == DOCA_CTX_STATE_IDLE ||
	       (end_state(client) == DOCA_CTX_STATE_RUNNING &&
		path.pair.server.connects == connects + 1);
}

static doca_error_t come_together(void)
{
	struct end *client = &path.pair.client, *server = &path.pair.server;
	uint32_t connects = server->connects;
	doca_error_t result = begin(client->ctx);

	if (result != DOCA_SUCCESS)
		return result;
	T_EVENTUALLY(has_come_up(client, connects), 10000);
	if (end_state(client) == DOCA_CTX_STATE_RUNNING)
		return DOCA_SUCCESS;
	PAIR_UNTIL(&path.pair, server->disconnects == server->connects);
	return DOCA_ERROR_NO_MEMORY;
}

static void part(void)
{
	struct end *client = &path.pair.client, *server = &path.pair.server;

	end_on(client->ctx, client->pe);
	PAIR_UNTIL(&path.pair, server->disconnects == server->connects);
}

SCARCE_CASE(connection)
{
	end_create(&path.pair.server, true);
	end_start(&path.pair.server);
	end_create(&path.pair.client, false);
	SCARCE_STEP(come_together(), part());
	end_close(&path.pair.client);
	end_close(&path.pair.server);
}

static void end_member(struct doca_ctx *ctx)
{
	(void)doca_ctx_stop(ctx);
	PAIR_UNTIL(&path.pair, ctx_state(ctx) == DOCA_CTX_STATE_IDLE);
}

SCARCE_CASE(consumer)
{
	struct receiver *receiver = &path.receiver;

	pair_open(&path.pair);
	receiver_create(receiver, &path.pair.server, path.pair.server.pe, 16, 64, false);
	SCARCE_STEP(begin(receiver->ctx), end_member(receiver->ctx));
	receiver_close(receiver, path_turn, &path);
	pair_close(&path.pair);
}

SCARCE_CASE(producer)
{
	struct sender *sender = &path.sender;

	pair_open(&path.pair);
	sender_create(sender, &path.pair.client, path.pair.client.pe, 16, 64, false);
	SCARCE_STEP(begin(sender->ctx), end_member(sender->ctx));
	sender_close(sender, path_turn, &path);
	pair_close(&path.pair);
}

KIT_GLOBAL(kernel)
{
	doca_dpa_dev_thread_reschedule();
}

static void ignore_receive(struct doca_comch_consumer_task_post_recv *task,
			   union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
}

static void ignore_send(struct doca_comch_producer_task_send *task, union doca_data task_data,
			union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_producer_task_send_as_task(task));
}

SCARCE_CASE(message_queue_on_the_cpu)
{
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_ctx *ctx;

	rig_open(&rig, KIT_FUNC(kernel));
	T_OK(doca_comch_msgq_consumer_create(rig.up, &consumer));
	ctx = doca_comch_consumer_as_ctx(consumer);
	T_OK(doca_pe_connect_ctx(rig.pe, ctx));
	T_OK(doca_comch_consumer_task_post_recv_set_conf(consumer, ignore_receive, ignore_receive,
							 16));
	SCARCE_STEP(begin(ctx), end_on(ctx, rig.pe));
	T_OK(doca_comch_consumer_destroy(consumer));
	T_OK(doca_comch_msgq_producer_create(rig.down, &producer));
	ctx = doca_comch_producer_as_ctx(producer);
	T_OK(doca_pe_connect_ctx(rig.pe, ctx));
	T_OK(doca_comch_producer_task_send_set_conf(producer, ignore_send, ignore_send, 16));
	SCARCE_STEP(begin(ctx), end_on(ctx, rig.pe));
	T_OK(doca_comch_producer_destroy(producer));
	rig_close(&rig);
}

SCARCE_CASE(message_queue_on_a_dpa)
{
	struct doca_comch_msgq *msgq;
	struct doca_ctx *ctx;

	rig_open(&rig, KIT_FUNC(kernel));
	T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(rig.dpa_consumer)));
	T_OK(doca_ctx_stop(doca_comch_producer_as_ctx(rig.dpa_producer)));
	ctx = doca_comch_consumer_as_ctx(rig.dpa_consumer);
	SCARCE_STEP(begin(ctx), T_OK(doca_ctx_stop(ctx)));
	T_OK(begin(ctx));
	ctx = doca_comch_producer_as_ctx(rig.dpa_producer);
	SCARCE_STEP(begin(ctx), T_OK(doca_ctx_stop(ctx)));
	T_OK(begin(ctx));
	msgq = msgq_open(rig.dev, 4, 4);
	SCARCE_STEP(doca_comch_msgq_start(msgq), T_OK(doca_comch_msgq_stop(msgq)));
	T_OK(doca_comch_msgq_destroy(msgq));
	rig_close(&rig);
}

SCARCE_CASE(sync_event)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct async async = {0};

	async_open(&async, event_make(dev));
	SCARCE_STEP(begin(async.ctx), end_on(async.ctx, async.pe));
	async_close(&async);
	T_OK(doca_dev_close(dev));
}
