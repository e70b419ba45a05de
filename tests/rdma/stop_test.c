/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The life of a context: start, stop with and without tasks, inside callbacks, restart, destroy.
 */
#include <string.h>

#include "rdma/rig.h"

static struct rig_end a, b;

static void close_both(void)
{
	rig_close(&a);
	rig_close(&b);
}

/* L2, L3, L6 */
T_CASE(a_context_without_tasks_starts_and_stops_at_once)
{
	rig_init(&a);
	a.num_tasks = 0;
	rig_open(&a);
	T_OK(doca_ctx_start(a.ctx));
	T_EQ(rig_state(&a), DOCA_CTX_STATE_RUNNING);
	T_EQ(a.num_states, 1);
	T_EQ(a.states[0], DOCA_CTX_STATE_RUNNING);
	T_OK(doca_ctx_stop(a.ctx));
	T_EQ(rig_state(&a), DOCA_CTX_STATE_IDLE);
	rig_close(&a);
}

/* L6: joined, and the engine is never progressed. */
T_CASE(a_joined_context_stops_at_once)
{
	rig_pair(&a, &b);
	T_OK(doca_ctx_stop(a.ctx));
	T_EQ(rig_state(&a), DOCA_CTX_STATE_IDLE);
	T_OK(doca_rdma_destroy(a.rdma));
	a.rdma = NULL;
	close_both();
}

/* L4: everything is possible in the callback of RUNNING. */
static struct rig_card card;

static void use_at_once(struct rig_end *end, enum doca_ctx_states next)
{
	if (next != DOCA_CTX_STATE_RUNNING)
		return;
	rig_export(end, &card);
	rig_receive(end, rig_room(end, 0, 64), 1);
}

T_CASE(export_and_submit_inside_the_state_callback)
{
	struct rig_card other;

	rig_start(&b);
	rig_init(&a);
	rig_open(&a);
	a.on_state = use_at_once;
	T_OK(doca_ctx_start(a.ctx));
	T_OK(doca_rdma_export(b.rdma, &(const void *){NULL}, &(size_t){0}, &b.connection));
	rig_export(&b, &other);
	T_OK(rig_connect(&a, &other));
	T_OK(rig_connect(&b, &card));
	rig_send(&b, rig_data(&b, 0, 64), 1);
	RIG_UNTIL(&a, &b, a.ok[RIG_RECEIVE] == 1);
	close_both();
}

/* L7 */
T_CASE(stop_gives_every_task_back)
{
	size_t inflight;

	rig_pair(&a, &b);
	rig_await_join(&a, &b);
	for (uint64_t i = 0; i < 10; i++) {
		rig_receive(&a, rig_room(&a, 0, 64), i);
		rig_send(&a, rig_data(&a, 0, i < 5 ? 64 : 30000), i);
	}
	rig_idle(&a, &b);
	T_OK(doca_ctx_get_num_inflight_tasks(a.ctx, &inflight));
	T_EQ(inflight, 20);
	T_ERR(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
	T_EQ(rig_state(&a), DOCA_CTX_STATE_STOPPING);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	T_EQ(a.failed[RIG_SEND], 10);
	T_EQ(a.failed[RIG_RECEIVE], 10);
	for (uint32_t i = 0; i < a.num_events; i++)
		T_EQ(a.events[i].status, DOCA_ERROR_SHUTDOWN);
	T_EQ(a.disconnects, 0);
	close_both();
}

T_CASE(tasks_waiting_for_a_connection_are_given_back)
{
	rig_start(&a);
	rig_export(&a, &card);
	rig_send(&a, rig_data(&a, 0, 64), 1);
	rig_write(&a, rig_data(&a, 0, 64), NULL, 1);
	T_ERR(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	T_EQ(a.failed[RIG_SEND], 1);
	T_EQ(a.failed[RIG_WRITE], 1);
	rig_close(&a);
}

/* IDLE comes when the last task is freed. */
static struct doca_task *kept[4];
static uint32_t num_kept;

static void keep(struct rig_end *end, struct doca_task *task, const struct rig_event *event)
{
	(void)end;
	(void)event;
	kept[num_kept++] = task;
}

T_CASE(kept_tasks_keep_it_from_idle)
{
	rig_pair(&a, &b);
	a.keep_tasks = true;
	a.on_event = keep;
	rig_receive(&a, NULL, 1);
	rig_receive(&a, NULL, 2);
	T_ERR(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_ALONE(&a, num_kept == 2);
	rig_idle(&a, &b);
	T_EQ(rig_state(&a), DOCA_CTX_STATE_STOPPING);
	doca_task_free(kept[0]);
	rig_idle(&a, &b);
	T_EQ(rig_state(&a), DOCA_CTX_STATE_STOPPING);
	T_ERR(doca_rdma_destroy(a.rdma), DOCA_ERROR_BAD_STATE);
	doca_task_free(kept[1]);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	close_both();
}

/* L5 */
static doca_error_t stop_result;

static void stop_in_event(struct rig_end *end, struct doca_task *task,
			  const struct rig_event *event)
{
	(void)task;
	(void)event;
	if (rig_state(end) == DOCA_CTX_STATE_RUNNING)
		stop_result = doca_ctx_stop(end->ctx);
}

T_CASE(stop_inside_a_task_callback)
{
	rig_pair(&a, &b);
	b.on_event = stop_in_event;
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	rig_receive(&b, rig_room(&b, 0, 64), 2);
	rig_send(&a, rig_data(&a, 0, 64), 1);
	RIG_UNTIL(&a, &b, rig_state(&b) == DOCA_CTX_STATE_IDLE);
	T_ERR(stop_result, DOCA_ERROR_IN_PROGRESS);
	T_EQ(b.ok[RIG_RECEIVE], 1);
	T_EQ(b.failed[RIG_RECEIVE], 1);
	/* What was received was answered for. */
	RIG_UNTIL(&a, &b, a.ok[RIG_SEND] == 1);
	close_both();
}

static void stop_in_disconnect(struct rig_end *end, struct doca_rdma_connection *connection)
{
	(void)connection;
	stop_result = doca_ctx_stop(end->ctx);
}

static void answer(struct rig_end *end, struct doca_task *task, const struct rig_event *event)
{
	(void)task;
	if (event->kind == RIG_RECEIVE)
		rig_send(end, rig_data(end, 0, 64), 9);
}

static void stop_at_the_answer(struct rig_end *end, struct doca_task *task,
			       const struct rig_event *event)
{
	(void)task;
	if (event->kind == RIG_RECEIVE)
		T_ERR(doca_ctx_stop(end->ctx), DOCA_ERROR_IN_PROGRESS);
}

/* Programs that end with the answer take the status of their send for their result. */
T_CASE(a_send_that_was_answered_has_succeeded)
{
	rig_pair(&a, &b);
	rig_await_join(&a, &b);
	a.on_event = stop_at_the_answer;
	b.on_event = answer;
	rig_receive(&a, rig_room(&a, 4096, 64), 1);
	rig_receive(&b, rig_room(&b, 4096, 64), 1);
	rig_send(&a, rig_data(&a, 0, 64), 1);
	RIG_ALONE(&b, b.ok[RIG_RECEIVE] == 1);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	T_EQ(a.ok[RIG_RECEIVE], 1);
	T_EQ(a.ok[RIG_SEND], 1);
	T_EQ(a.failed[RIG_SEND], 0);
	close_both();
}

T_CASE(stop_inside_the_disconnection_callback)
{
	rig_pair(&a, &b);
	rig_await_join(&a, &b);
	b.on_disconnect = stop_in_disconnect;
	T_OK(doca_ctx_stop(a.ctx));
	RIG_ALONE(&b, rig_state(&b) == DOCA_CTX_STATE_IDLE);
	T_ERR(stop_result, DOCA_ERROR_IN_PROGRESS);
	close_both();
}

/* The context is destroyed inside its own IDLE callback. */
static void destroy_at_idle(struct rig_end *end, enum doca_ctx_states next)
{
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	T_OK(doca_rdma_destroy(end->rdma));
	end->rdma = NULL;
}

T_CASE(destroy_inside_the_idle_callback)
{
	rig_pair(&a, &b);
	rig_await_join(&a, &b);
	b.on_event = stop_in_event;
	b.on_state = destroy_at_idle;
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	rig_receive(&b, rig_room(&b, 0, 64), 2);
	rig_send(&a, rig_data(&a, 0, 64), 1);
	RIG_UNTIL(&a, &b, b.rdma == NULL);
	RIG_ALONE(&a, a.disconnects == 1);
	close_both();
}

/* The peer ends: tasks of the connection fail in order, receives stay, then the user is told. */
static uint32_t events_at_disconnect;

static void note_disconnect(struct rig_end *end, struct doca_rdma_connection *connection)
{
	union doca_data data;

	events_at_disconnect = end->num_events;
	T_OK(doca_rdma_connection_get_user_data(connection, &data));
	T_EQ(data.u64, 5);
}

T_CASE(the_peer_stops)
{
	union doca_data data = {.u64 = 5};

	rig_pair(&a, &b);
	rig_await_join(&a, &b);
	T_OK(doca_rdma_connection_set_user_data(a.connection, data));
	a.on_disconnect = note_disconnect;
	rig_receive(&a, NULL, 9);
	for (uint64_t i = 0; i < 5; i++)
		rig_send(&a, rig_data(&a, 0, i == 2 ? 40000 : 64), i);
	rig_idle(&a, &b);
	T_OK(doca_ctx_stop(b.ctx));
	RIG_ALONE(&a, a.disconnects == 1);
	T_EQ(events_at_disconnect, 5);
	T_EQ(a.failed[RIG_SEND], 5);
	T_EQ(a.failed[RIG_RECEIVE], 0);
	for (uint64_t i = 0; i < 5; i++) {
		T_EQ(a.events[i].number, i);
		T_EQ(a.events[i].status, DOCA_ERROR_CONNECTION_RESET);
	}
	T_EQ(rig_state(&a), DOCA_CTX_STATE_RUNNING);
	/* New ones fail too, one by one. */
	rig_send(&a, rig_data(&a, 0, 64), 7);
	RIG_ALONE(&a, a.failed[RIG_SEND] == 6);
	T_EQ(rig_last(&a, RIG_SEND)->status, DOCA_ERROR_CONNECTION_RESET);
	close_both();
}

/* What was sent before the end arrives as far as receives are posted. */
T_CASE(the_last_messages_arrive)
{
	rig_pair(&a, &b);
	rig_await_join(&a, &b);
	rig_send(&a, rig_data(&a, 0, 64), 1);
	rig_idle(&a, &b);
	for (uint64_t i = 0; i < 3; i++)
		rig_receive(&b, rig_room(&b, 0, 64), i);
	rig_send(&a, rig_data(&a, 0, 64), 2);
	RIG_ALONE(&a, !rig_turn(&a));
	(void)doca_ctx_stop(a.ctx);
	RIG_ALONE(&b, b.disconnects == 1);
	T_EQ(b.ok[RIG_RECEIVE], 2);
	T_EQ(b.failed[RIG_RECEIVE], 0);
	close_both();
}

/* A long message is on its way when its sender stops: the receive is as if never touched. */
T_CASE(the_sender_stops_in_the_midst_of_a_message)
{
	rig_pair(&a, &b);
	rig_await_join(&a, &b);
	rig_fill(a.memory, 1000000, 1);
	rig_receive(&b, rig_room(&b, 0, 1000000), 1);
	rig_send(&a, rig_data(&a, 0, 1000000), 1);
	/* One chunk, no more. */
	(void)rig_turn(&b);
	(void)rig_turn(&b);
	T_EQ(b.num_events, 0);
	T_ERR(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_ALONE(&b, b.disconnects == 1);
	T_EQ(b.num_events, 0);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	T_EQ(a.failed[RIG_SEND], 1);
	T_OK(doca_ctx_start(a.ctx));
	rig_join(&a, &b);
	rig_send(&a, rig_data(&a, 0, 1000000), 2);
	RIG_UNTIL(&a, &b, a.ok[RIG_SEND] == 1);
	T_EQ(rig_last(&b, RIG_RECEIVE)->len, 1000000);
	rig_expect(b.memory, 1000000, 1);
	close_both();
}

T_CASE(the_receiver_stops_in_the_midst_of_a_message)
{
	rig_pair(&a, &b);
	rig_await_join(&a, &b);
	rig_receive(&b, rig_room(&b, 0, 1000000), 1);
	rig_send(&a, rig_data(&a, 0, 1000000), 1);
	(void)rig_turn(&b);
	(void)rig_turn(&b);
	T_ERR(doca_ctx_stop(b.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_ALONE(&b, rig_state(&b) == DOCA_CTX_STATE_IDLE);
	T_EQ(rig_last(&b, RIG_RECEIVE)->status, DOCA_ERROR_SHUTDOWN);
	RIG_ALONE(&a, a.failed[RIG_SEND] == 1);
	T_EQ(rig_last(&a, RIG_SEND)->status, DOCA_ERROR_CONNECTION_RESET);
	close_both();
}

T_CASE(stop_in_the_midst_of_a_long_write)
{
	struct rig_card peer;

	rig_pair(&a, &b);
	rig_await_join(&a, &b);
	rig_export(&b, &peer);
	rig_write(&a, rig_data(&a, 0, RIG_SIZE), rig_remote_room(&a, &peer, 0, RIG_SIZE), 1);
	T_ERR(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	T_EQ(a.failed[RIG_WRITE], 1);
	T_EQ(rig_last(&a, RIG_WRITE)->status, DOCA_ERROR_SHUTDOWN);
	close_both();
}

/* b joins what a has exported. */
static void join_to(const struct rig_card *card_a)
{
	struct rig_card card_b;

	rig_export(&b, &card_b);
	T_OK(rig_connect(&b, card_a));
	T_OK(rig_connect(&a, &card_b));
}

/* A task freed while it is submitted completes in silence. */
T_CASE(a_freed_task_completes_silently)
{
	struct doca_buf *buf;

	rig_pair(&a, &b);
	rig_await_join(&a, &b);
	buf = rig_data(&a, 0, 64);
	doca_task_free(rig_send(&a, buf, 1));
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1);
	RIG_UNTIL(&a, &b, doca_ctx_stop(a.ctx) == DOCA_SUCCESS);
	T_EQ(a.num_events, 0);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	close_both();
}

/* While it waits in the line its buffers are not touched yet, nor any more. */
T_CASE(a_task_freed_before_it_acts_does_nothing)
{
	struct doca_buf *buf;

	rig_start(&a);
	rig_start(&b);
	rig_export(&a, &card);
	buf = rig_data(&a, 0, 64);
	doca_task_free(rig_send(&a, buf, 1));
	T_OK(doca_buf_dec_refcount(buf, NULL));
	rig_send(&a, NULL, 2);
	join_to(&card);
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1 && a.ok[RIG_SEND] == 1);
	T_EQ(rig_last(&b, RIG_RECEIVE)->len, 0);
	T_EQ(rig_last(&a, RIG_SEND)->number, 2);
	close_both();
}

static void free_with_buf(struct doca_task *task)
{
	struct doca_buf *buf = doca_rdma_task_receive_get_dst_buf((void *)task);

	doca_task_free(task);
	T_OK(doca_buf_dec_refcount(buf, NULL));
}

/*
 * Published programs free tasks and buffers that are still posted, and stop afterwards. What comes
 * in between goes to a receive that is still the program's, or waits for one.
 */
static void receives_freed_while_posted(size_t len)
{
	struct doca_task *first;

	rig_pair(&a, &b);
	rig_fill(a.memory, len, 3);
	first = rig_receive(&b, rig_room(&b, 0, len), 1);
	free_with_buf(rig_receive(&b, rig_room(&b, len, len), 2));
	free_with_buf(first);
	rig_send(&a, rig_data(&a, 0, len), 1);
	rig_idle(&a, &b);
	T_EQ(b.num_events, 0);
	T_EQ(a.num_events, 0);
	for (size_t i = 0; i < 2 * len; i++)
		T_EQ(b.memory[i], 0);
	rig_receive(&b, rig_room(&b, 2 * len, len), 3);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1 && a.ok[RIG_SEND] == 1);
	T_EQ(rig_last(&b, RIG_RECEIVE)->number, 3);
	rig_expect(b.memory + 2 * len, len, 3);
	close_both();
}

T_CASE(receives_freed_while_posted_take_no_message)
{
	receives_freed_while_posted(64);
}

T_CASE(receives_freed_while_posted_take_no_long_message)
{
	receives_freed_while_posted(100000);
}

/* Freed when a part of a long message is in its buffer: no more is written to it, and what follows
 * on the connection is none the worse. */
T_CASE(a_receive_freed_in_the_midst_of_a_message)
{
	struct doca_task *receive;

	rig_init(&a);
	rig_init(&b);
	a.size = b.size = 64u << 20;
	rig_open(&a);
	rig_open(&b);
	T_OK(doca_ctx_start(a.ctx));
	T_OK(doca_ctx_start(b.ctx));
	rig_join(&a, &b);
	memset(a.memory, 1, 32u << 20);
	receive = rig_receive(&b, rig_room(&b, 0, 32u << 20), 1);
	rig_send(&a, rig_data(&a, 0, 32u << 20), 1);
	RIG_UNTIL(&a, &b, b.memory[0] == 1);
	T_EQ(b.memory[(32u << 20) - 1], 0);
	free_with_buf(receive);
	rig_receive(&b, rig_room(&b, 32u << 20, 64), 2);
	rig_send(&a, rig_data(&a, 0, 64), 2);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1 && a.ok[RIG_SEND] == 2);
	T_EQ(b.memory[(32u << 20) - 1], 0);
	T_EQ(rig_last(&b, RIG_RECEIVE)->number, 2);
	close_both();
}

/* The same, and then the context stops. */
T_CASE(a_receive_freed_in_the_midst_of_a_message_before_the_stop)
{
	struct doca_task *receive;

	rig_pair(&a, &b);
	memset(a.memory, 1, RIG_SIZE);
	receive = rig_receive(&b, rig_room(&b, 0, RIG_SIZE), 1);
	rig_send(&a, rig_data(&a, 0, RIG_SIZE), 1);
	RIG_UNTIL(&a, &b, b.memory[0] == 1);
	T_EQ(b.memory[RIG_SIZE - 1], 0);
	free_with_buf(receive);
	(void)doca_ctx_stop(b.ctx);
	RIG_ALONE(&b, rig_state(&b) == DOCA_CTX_STATE_IDLE);
	T_EQ(b.num_events, 0);
	close_both();
}
