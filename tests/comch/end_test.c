/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The orders in which programs take a connection down: from inside callbacks, too early, too late,
 * in the wrong order, with everything in flight.
 */
#include <stdlib.h>
#include <string.h>

#include "comch/path.h"

static struct path path;
static struct end *const server = &path.pair.server;
static struct end *const client = &path.pair.client;

#define UNTIL(cond) PATH_UNTIL(&path, cond)

static bool is_idle(const struct doca_ctx *ctx)
{
	return ctx_state(ctx) == DOCA_CTX_STATE_IDLE;
}

/* While connecting */

T_CASE(client_destroyed_while_starting_is_refused_and_stays_usable)
{
	end_create(server, true);
	end_create(client, false);
	end_start(server);
	end_start(client);
	T_ERR(doca_comch_client_destroy(client->client), DOCA_ERROR_IN_USE);
	UNTIL(end_state(client) == DOCA_CTX_STATE_RUNNING);
	T_ERR(doca_comch_client_destroy(client->client), DOCA_ERROR_IN_USE);
	T_ERR(doca_comch_server_destroy(server->server), DOCA_ERROR_IN_USE);
	pair_close(&path.pair);
}

/* At each point on its way: before the first progress, with the hello sent, with the welcome there.
 */
T_CASE(client_stopped_and_destroyed_while_starting)
{
	end_create(server, true);
	end_start(server);
	for (int turns = 0; turns < 12; turns++) {
		end_create(client, false);
		end_start(client);
		for (int i = 0; i < turns / 2; i++)
			(void)doca_pe_progress(client->pe);
		if (turns % 2 == 1)
			end_drain(server);
		(void)doca_ctx_stop(client->ctx);
		T_CHECK(is_idle(client->ctx));
		end_close(client);
	}
	END_UNTIL(server, server->connects == server->disconnects);
	end_close(server);
}

T_CASE(server_stopped_while_a_client_waits)
{
	end_create(server, true);
	end_create(client, false);
	end_start(server);
	end_start(client);
	/* The hello lies with the server's agent, whose engine never looks. */
	for (int i = 0; i < 100; i++) {
		(void)doca_pe_progress(client->pe);
		t_relax(10);
	}
	(void)doca_ctx_stop(server->ctx);
	END_UNTIL(client, end_state(client) == DOCA_CTX_STATE_IDLE);
	T_EQ(server->connects, 0);
	pair_close(&path.pair);
}

static void stop_when_running(struct end *end, enum doca_ctx_states next)
{
	if (next == DOCA_CTX_STATE_RUNNING)
		T_ERR(doca_ctx_stop(end->ctx), DOCA_ERROR_IN_PROGRESS);
}

T_CASE(client_stopped_inside_its_running_callback)
{
	end_create(server, true);
	end_create(client, false);
	client->on_state = stop_when_running;
	end_start(server);
	end_start(client);
	UNTIL(is_idle(client->ctx) && client->num_states == 5);
	UNTIL(server->disconnects == server->connects);
	pair_close(&path.pair);
}

static void start_again(struct end *end, enum doca_ctx_states next)
{
	uint32_t *tries = end->arg;

	if (next == DOCA_CTX_STATE_IDLE && ++*tries < 50)
		T_ERR(doca_ctx_start(end->ctx), DOCA_ERROR_IN_PROGRESS);
}

/* One progress ends, though each failure brings the next try. */
T_CASE(client_started_again_inside_its_idle_callback)
{
	uint32_t tries = 0;

	end_create(client, false);
	client->on_state = start_again;
	client->arg = &tries;
	end_start(client);
	(void)doca_pe_progress(client->pe);
	T_CHECK(tries <= 1);
	END_UNTIL(client, tries == 5);
	end_create(server, true);
	end_start(server);
	UNTIL(end_state(client) == DOCA_CTX_STATE_RUNNING);
	client->on_state = NULL;
	pair_close(&path.pair);
}

/* Self-destruction in the IDLE callback */

static void destroy_end(struct end *end, enum doca_ctx_states next)
{
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	if (end->is_server)
		T_OK(doca_comch_server_destroy(end->server));
	else
		T_OK(doca_comch_client_destroy(end->client));
	end->server = NULL;
	end->client = NULL;
	end->ctx = NULL;
}

T_CASE(server_and_client_destroyed_inside_their_idle_callbacks)
{
	pair_open(&path.pair);
	server->on_state = destroy_end;
	client->on_state = destroy_end;
	end_send(client, "x", 1);
	(void)doca_ctx_stop(client->ctx);
	UNTIL(client->ctx == NULL && server->disconnects == 1);
	/* Nothing is open: stop ends here and now, and the callback runs inside it. */
	T_OK(doca_ctx_stop(server->ctx));
	T_EQ(server->ctx, NULL);
	pair_close(&path.pair);
}

static void consumer_state(const union doca_data user_data, struct doca_ctx *ctx,
			   enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct receiver *receiver = user_data.ptr;

	(void)ctx;
	(void)prev;
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	T_OK(doca_comch_consumer_destroy(receiver->consumer));
	receiver->consumer = NULL;
	/* Its count on the connection has gone with it. */
	(void)doca_ctx_stop(receiver->end->ctx);
}

static void producer_state(const union doca_data user_data, struct doca_ctx *ctx,
			   enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct sender *sender = user_data.ptr;

	(void)prev;
	if (next == DOCA_CTX_STATE_RUNNING)
		T_ERR(doca_ctx_stop(ctx), DOCA_ERROR_IN_PROGRESS);
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	T_OK(doca_comch_producer_destroy(sender->producer));
	sender->producer = NULL;
}

T_CASE(consumer_and_producer_destroyed_inside_their_idle_callbacks)
{
	pair_open(&path.pair);
	receiver_create(&path.receiver, server, server->pe, 4, 64, false);
	T_OK(doca_ctx_set_state_changed_cb(path.receiver.ctx, consumer_state));
	receiver_start(&path.receiver, path_turn, &path);
	receiver_post_all(&path.receiver);
	sender_create(&path.sender, client, client->pe, 4, 64, false);
	T_OK(doca_ctx_set_state_changed_cb(path.sender.ctx, producer_state));
	/* Is stopped in its RUNNING callback, inside start. */
	T_OK(doca_ctx_start(path.sender.ctx));
	UNTIL(path.sender.producer == NULL);
	T_ERR(doca_ctx_stop(path.receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(path.receiver.consumer == NULL && is_idle(server->ctx));
	T_EQ(path.receiver.flushed, 4);
	path_close(&path);
}

/* Stop inside each kind of callback */

static void stop_end(struct end *end, struct doca_task *task)
{
	doca_task_free(task);
	T_ERR(doca_ctx_stop(end->ctx), DOCA_ERROR_IN_PROGRESS);
}

T_CASE(stopped_inside_a_send_completion)
{
	pair_open(&path.pair);
	client->on_sent = stop_end;
	end_send(client, "1", 1);
	end_send(client, "2", 1);
	UNTIL(is_idle(client->ctx));
	T_EQ(client->sent + client->failed, 2);
	UNTIL(server->disconnects == 1);
	pair_close(&path.pair);
}

static void stop_on_connect(struct end *end, struct doca_comch_connection *connection)
{
	(void)connection;
	T_ERR(doca_ctx_stop(end->ctx), DOCA_ERROR_IN_PROGRESS);
}

T_CASE(server_stopped_inside_its_connect_callback)
{
	end_create(server, true);
	end_create(client, false);
	server->on_connect = stop_on_connect;
	end_start(server);
	end_start(client);
	UNTIL(is_idle(server->ctx) && server->connects == 1);
	T_EQ(server->disconnects, 1);
	UNTIL(is_idle(client->ctx));
	pair_close(&path.pair);
}

static void greet_and_disconnect(struct end *end, struct doca_comch_connection *connection)
{
	T_OK(end_try_send(end, connection, "not today", 9));
	T_OK(doca_comch_server_disconnect(end->server, connection));
}

T_CASE(last_message_of_a_server_that_disconnects_in_its_connect_callback)
{
	end_create(server, true);
	end_create(client, false);
	server->on_connect = greet_and_disconnect;
	end_start(server);
	end_start(client);
	UNTIL(server->failed == 1);
	UNTIL(is_idle(client->ctx) && client->num_states == 5);
	T_EQ(client->received, 1);
	T_EQ(client->message_len, 9);
	path_close(&path);
}

static void greet_and_stop(struct end *end, enum doca_ctx_states next)
{
	if (next != DOCA_CTX_STATE_RUNNING)
		return;
	end_send(end, "just looking", 12);
	T_ERR(doca_ctx_stop(end->ctx), DOCA_ERROR_IN_PROGRESS);
}

T_CASE(last_message_of_a_client_that_stops_in_its_running_callback)
{
	end_create(server, true);
	end_create(client, false);
	client->on_state = greet_and_stop;
	end_start(server);
	end_start(client);
	UNTIL(is_idle(client->ctx) && server->disconnects == 1);
	T_EQ(server->received, 1);
	T_EQ(client->failed, 1);
	path_close(&path);
}

static void stop_in_event(struct end *end, uint32_t id)
{
	(void)id;
	T_ERR(doca_ctx_stop(end->ctx), DOCA_ERROR_IN_PROGRESS);
}

/* The consumer's own end cannot go on: it runs, and is closed later. */
T_CASE(client_stopped_inside_the_new_consumer_callback)
{
	pair_open(&path.pair);
	client->on_consumer = stop_in_event;
	receiver_create(&path.receiver, server, server->pe, 4, 64, false);
	T_ERR(doca_ctx_start(path.receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(is_idle(client->ctx) && server->disconnects == 1);
	UNTIL(ctx_state(path.receiver.ctx) != DOCA_CTX_STATE_STARTING);
	path_close(&path);
}

T_CASE(client_stopped_inside_the_expired_callback)
{
	path_open(&path, 4, 64, false);
	sender_close(&path.sender, path_turn, &path);
	client->on_expired = stop_in_event;
	receiver_close(&path.receiver, path_turn, &path);
	UNTIL(is_idle(client->ctx) && server->disconnects == 1);
	path_close(&path);
}

static void stop_receiver(struct receiver *receiver,
			  struct doca_comch_consumer_task_post_recv *task)
{
	(void)task;
	if (ctx_state(receiver->ctx) == DOCA_CTX_STATE_RUNNING)
		T_ERR(doca_ctx_stop(receiver->ctx), DOCA_ERROR_IN_PROGRESS);
}

T_CASE(consumer_stopped_inside_its_receive_callback)
{
	path_open(&path, 8, 64, false);
	path.receiver.on_message = stop_receiver;
	receiver_post_all(&path.receiver);
	for (int i = 0; i < 5; i++)
		T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
	UNTIL(is_idle(path.receiver.ctx) && path.sender.done == 5);
	/* What was filled when it stopped came all the same. */
	T_EQ(path.receiver.got, 5);
	T_EQ(path.receiver.flushed, 3);
	path_close(&path);
}

static void stop_sender(struct sender *sender, struct doca_task *task)
{
	doca_task_free(task);
	(void)doca_ctx_stop(sender->ctx);
}

T_CASE(producer_stopped_inside_its_completion_callback)
{
	path_open(&path, 8, 0, false);
	path.sender.on_done = stop_sender;
	receiver_post_all(&path.receiver);
	for (int i = 0; i < 5; i++)
		T_OK(sender_try(&path.sender, path.receiver.id, 0, 0, "imm", 3));
	UNTIL(is_idle(path.sender.ctx) && path.receiver.got == 5);
	T_EQ(path.sender.done, 5);
	path_close(&path);
}

/* Memory that goes too early */

T_CASE(mmap_stopped_while_its_consumer_starts)
{
	pair_open(&path.pair);
	receiver_create(&path.receiver, server, server->pe, 4, 4096, false);
	T_ERR(doca_ctx_start(path.receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	T_OK(doca_mmap_stop(path.receiver.memory.mmap));
	UNTIL(is_idle(path.receiver.ctx));
	T_EQ(client->num_ids, 0);
	T_ERR(doca_ctx_start(path.receiver.ctx), DOCA_ERROR_BAD_STATE);
	path_close(&path);
}

T_CASE(mmap_destroyed_under_a_running_consumer)
{
	path_open(&path, 4, 4096, false);
	T_OK(doca_buf_inventory_destroy(path.receiver.memory.inventory));
	T_OK(doca_mmap_destroy(path.receiver.memory.mmap));
	path.receiver.memory.mmap = NULL;
	(void)doca_ctx_stop(path.receiver.ctx);
	UNTIL(is_idle(path.receiver.ctx) && client->expired == 1);
	T_OK(doca_comch_consumer_destroy(path.receiver.consumer));
	path.receiver.consumer = NULL;
	free(path.receiver.memory.base);
	path_close(&path);
}

static struct doca_comch_consumer_task_post_recv *post_kept(struct receiver *receiver,
							    struct doca_buf *buf)
{
	struct doca_comch_consumer_task_post_recv *task;

	T_OK(doca_comch_consumer_task_post_recv_alloc_init(receiver->consumer, buf, &task));
	T_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	return task;
}

/*
 * Published programs free tasks and buffers that are still submitted, and stop afterwards. What
 * comes in between is nobody's: the library touches neither the description of the buffer nor what
 * it described.
 */
T_CASE(receives_freed_while_posted_touch_nothing_any_more)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *buf;

	path_open(&path, 4, 4096, false);
	buf = memory_buf(&path.receiver.memory, 0, 64, false);
	task = post_kept(&path.receiver, buf);
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_buf_inventory_destroy(path.receiver.memory.inventory));
	T_OK(doca_buf_inventory_create(4, &path.receiver.memory.inventory));
	T_OK(doca_buf_inventory_start(path.receiver.memory.inventory));
	memset(path.sender.memory.base, 0xee, 64);
	T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
	UNTIL(path.sender.done + path.sender.failed == 1);
	end_drain(server);
	T_EQ(path.receiver.got, 0);
	for (int i = 0; i < 64; i++)
		T_EQ(path.receiver.memory.base[i], 0);
	(void)doca_ctx_stop(path.receiver.ctx);
	UNTIL(is_idle(path.receiver.ctx));
	T_EQ(path.receiver.flushed, 0);
	path_close(&path);
}

/* The same with sends, the first of which is still being copied: they end without a word. */
T_CASE(sends_freed_while_submitted_do_not_hold_up_the_stop)
{
	struct doca_comch_producer_task_send *task;
	struct doca_buf *buf;

	path_open(&path, 4, 4 << 20, false);
	receiver_post_all(&path.receiver);
	for (int i = 0; i < 3; i++) {
		buf = memory_buf(&path.sender.memory, 0, i == 0 ? 4 << 20 : 64, true);
		T_OK(doca_comch_producer_task_send_alloc_init(path.sender.producer, buf, NULL, 0,
							      path.receiver.id, &task));
		T_OK(doca_task_submit(doca_comch_producer_task_send_as_task(task)));
		doca_task_free(doca_comch_producer_task_send_as_task(task));
		T_OK(doca_buf_dec_refcount(buf, NULL));
	}
	T_ERR(doca_ctx_stop(path.sender.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(is_idle(path.sender.ctx));
	T_EQ(path.sender.done + path.sender.failed, 0);
	path_close(&path);
}

/* One end goes while the other works */

T_CASE(members_of_a_lost_connection_are_stopped_one_by_one)
{
	static struct receiver second;
	static struct sender back;

	path_open(&path, 4, 64, false);
	receiver_create(&second, server, server->pe, 2, 64, true);
	receiver_start(&second, path_turn, &path);
	sender_open(&back, server, server->pe, 2, 64, false);
	receiver_post_all(&path.receiver);
	sender_close(&path.sender, path_turn, &path);
	(void)doca_ctx_stop(client->ctx);
	UNTIL(server->disconnects == 1);
	T_ERR(sender_try(&back, 1, 0, 64, NULL, 0), DOCA_ERROR_NOT_CONNECTED);
	receiver_post_all(&second);
	/* All of them run on, and outlive the server. */
	(void)doca_ctx_stop(server->ctx);
	UNTIL(is_idle(server->ctx));
	T_OK(doca_comch_server_destroy(server->server));
	server->server = NULL;
	server->ctx = NULL;
	receiver_close(&second, path_turn, &path);
	sender_close(&back, path_turn, &path);
	T_ERR(doca_ctx_stop(path.receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(is_idle(path.receiver.ctx));
	T_EQ(path.receiver.flushed, 4);
	T_ERR(doca_ctx_start(path.receiver.ctx), DOCA_ERROR_BAD_STATE);
	path_close(&path);
}

T_CASE(consumer_that_starts_falls_back_when_the_connection_goes)
{
	pair_open(&path.pair);
	receiver_create(&path.receiver, server, server->pe, 4, 64, false);
	T_ERR(doca_ctx_start(path.receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	end_drain(server);
	T_EQ(ctx_state(path.receiver.ctx), DOCA_CTX_STATE_STARTING);
	(void)doca_ctx_stop(client->ctx);
	UNTIL(is_idle(path.receiver.ctx) && server->disconnects == 1);
	path_close(&path);
}

/* At each point on its way: not announced, announced, joined by the peer. */
T_CASE(consumer_stopped_while_starting)
{
	pair_open(&path.pair);
	for (int turns = 0; turns < 10; turns++) {
		receiver_create(&path.receiver, server, server->pe, 4, 64, false);
		T_ERR(doca_ctx_start(path.receiver.ctx), DOCA_ERROR_IN_PROGRESS);
		for (int i = 0; i < turns / 2; i++)
			(void)doca_pe_progress(server->pe);
		if (turns % 2 == 1)
			end_drain(client);
		(void)doca_ctx_stop(path.receiver.ctx);
		END_UNTIL(server, is_idle(path.receiver.ctx));
		receiver_close(&path.receiver, path_turn, &path);
		end_drain(client);
	}
	/* Whoever was told of one is told of its end. */
	PATH_UNTIL(&path, client->num_ids == client->expired);
	path_close(&path);
}

/* Every message that was sent with success came, or else the sender knows. */
static void stop_under_fire(uint32_t after)
{
	uint32_t sent = 0;
	doca_error_t result = DOCA_SUCCESS;

	path_open(&path, 16, 300, false);
	path.receiver.repost = true;
	receiver_post_all(&path.receiver);
	for (uint32_t i = 0; result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN; i++) {
		result = path.sender.num - (sent - path.sender.done) == 0
				 ? DOCA_ERROR_AGAIN
				 : sender_try(&path.sender, path.receiver.id, 0, 1 + i % 300, NULL,
					      0);
		sent += result == DOCA_SUCCESS;
		if (i == after)
			(void)doca_ctx_stop(path.receiver.ctx);
		if (i % 3 == 0)
			(void)doca_pe_progress(server->pe);
		if (i % 5 == 0)
			(void)doca_pe_progress(client->pe);
	}
	T_EQ(result, DOCA_ERROR_NOT_FOUND);
	UNTIL(is_idle(path.receiver.ctx) && path.sender.done + path.sender.failed == sent);
	T_EQ(path.receiver.got, path.sender.done);
	path_close(&path);
}

T_CASE(consumer_stopped_while_its_producer_sends_in_a_loop)
{
	for (uint32_t after = 1; after < 200; after += 13)
		stop_under_fire(after);
}

T_CASE(both_ends_stop_with_messages_under_way)
{
	pair_open(&path.pair);
	for (int i = 0; i < 10; i++) {
		end_send(client, "c", 1);
		end_send(server, "s", 1);
	}
	for (int i = 0; i < 3; i++)
		(void)pair_progress(&path.pair);
	(void)doca_ctx_stop(client->ctx);
	(void)doca_ctx_stop(server->ctx);
	UNTIL(is_idle(client->ctx) && is_idle(server->ctx));
	T_EQ(client->sent + client->failed, 10);
	T_EQ(server->sent + server->failed, 10);
	T_CHECK(server->received >= client->sent);
	T_CHECK(client->received >= server->sent);
	pair_close(&path.pair);
}

T_CASE(disconnect_with_every_send_in_flight)
{
	uint8_t message[4080] = {0};

	pair_open(&path.pair);
	while (end_try_send(server, server->connection, message, sizeof(message)) == DOCA_SUCCESS)
		;
	T_OK(doca_comch_server_disconnect(server->server, server->connection));
	END_UNTIL(server, server->failed == 16);
	T_EQ(server->disconnects, 0);
	/* All that was accepted is read before the end is seen. */
	END_UNTIL(client, is_idle(client->ctx));
	T_EQ(client->received, 16);
	pair_close(&path.pair);
}

/* Again and again */

static void run_once(bool shared)
{
	path_open(&path, 4, 4096, shared);
	receiver_post_all(&path.receiver);
	for (int i = 0; i < 4; i++)
		T_OK(sender_try(&path.sender, path.receiver.id, 0, 1000, NULL, 0));
	UNTIL(path.receiver.got == 4 && path.sender.done == 4);
	path_close(&path);
}

T_CASE(everything_restarted_a_hundred_times_leaves_nothing)
{
	unsigned int before = 0;

	for (int i = 0; i < 100; i++) {
		run_once(false);
		if (i == 0)
			before = t_count_entries("/proc/self/fd");
	}
	T_EQ(t_count_entries("/proc/self/fd"), before);
}

/* The same objects, not destroyed in between. */
T_CASE(contexts_restarted_a_hundred_times)
{
	path_open(&path, 4, 64, false);
	for (uint32_t i = 1; i <= 100; i++) {
		receiver_post(&path.receiver, 0);
		T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
		UNTIL(path.receiver.got == i && path.sender.done == i);
		(void)doca_ctx_stop(path.sender.ctx);
		(void)doca_ctx_stop(path.receiver.ctx);
		UNTIL(is_idle(path.sender.ctx) && is_idle(path.receiver.ctx));
		UNTIL(client->expired == i);
		client->num_ids = 0;
		receiver_start(&path.receiver, path_turn, &path);
		UNTIL(client->num_ids == 1);
		T_OK(doca_ctx_start(path.sender.ctx));
	}
	path_close(&path);
}
