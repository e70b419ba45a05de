/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Liars on the fast path: a consumer or a producer that writes what it likes into the segment of
 * its peer. It may spoil its own traffic; nothing is written outside of what was posted.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bus/process.h"
#include "comch/client.h"
#include "comch/consumer.h"
#include "comch/liar.h"
#include "comch/producer.h"

static const struct doca_comch_consumer *liar_consumer(void)
{
	return path.receiver.consumer;
}

static void client_turn(void *arg)
{
	(void)arg;
	(void)doca_pe_progress(client->pe);
}

static void client_turn_none(void *arg)
{
	(void)arg;
}

static int scribble_as_consumer(void *arg)
{
	const struct comch_fast_rings *rings;
	size_t bytes;

	(void)arg;
	liar_connect();
	receiver_create(&path.receiver, client, client->pe, 8, 4096, false);
	receiver_start(&path.receiver, client_turn, NULL);
	receiver_post_all(&path.receiver);
	/* An honest one first: the victim is at it by then, however late its turn comes. */
	T_EVENTUALLY((client_turn(NULL), path.receiver.got != 0), 10000);
	rings = &liar_consumer()->rings;
	bytes = sizeof(struct comch_fast_head);
	for (int i = 0; i < 300; i++) {
		/* Credits without end for any address, or garbage all over. */
		for (uint32_t k = 0; k <= rings->mask; k++) {
			sdpu_store(&rings->posted[k].addr, (uint64_t)random_word() << 20);
			sdpu_store_release(&rings->posted[k].meta,
					   comch_posted_meta(random_word(), random_word() & 0xffff,
							     (uint64_t)i & 0xff));
		}
		if (i % 10 == 0)
			scribble(rings->head, bytes);
		t_relax(10);
	}
	/* It could not stop in order if it wanted to. */
	_exit(0);
}

struct victim {
	uint32_t id;
	bool ready;
};

static void note_consumer(struct end *end, uint32_t id)
{
	struct victim *victim = end->arg;

	victim->id = id;
	victim->ready = true;
}

T_CASE(lies_of_a_consumer)
{
	static const size_t sizes[] = {8, 100, 4096, 100000, 300000};
	pid_t pid = t_fork(scribble_as_consumer, NULL);
	struct victim victim = {0};
	doca_error_t result;
	uint32_t sent = 0;

	server->arg = &victim;
	server->on_consumer = note_consumer;
	end_create(server, true);
	end_start(server);
	END_UNTIL(server, victim.ready);
	sender_open(&path.sender, server, server->pe, 8, 300000, false);
	for (uint32_t i = 0;; i++) {
		result = sender_try(&path.sender, victim.id, 0, sizes[i % 5], "imm", 3);
		sent += result == DOCA_SUCCESS;
		if (result == DOCA_ERROR_NOT_CONNECTED)
			break;
		(void)doca_pe_progress(server->pe);
	}
	END_UNTIL(server, path.sender.done + path.sender.failed == sent);
	sender_close(&path.sender, path_turn, &path);
	serve_until_exit(pid);
	serve_honestly();
}

/* Fast path, the liar sends */

static void scribble_entries(const struct comch_fast_rings *rings, uint32_t from)
{
	for (uint32_t i = 0; i < 8; i++) {
		struct comch_filled *entry = &rings->filled[(from + i) & rings->mask];

		scribble((uint8_t *)entry + sizeof(entry->seq),
			 sizeof(*entry) - sizeof(entry->seq));
		/* Such as would pass one check or the other. */
		if (random_word() % 2)
			sdpu_store(&entry->index, random_word() % 10);
		if (random_word() % 2)
			sdpu_store(&entry->where, (uint8_t)(random_word() % 24));
		else if (random_word() % 2)
			sdpu_store(&entry->where,
				   (uint8_t)(COMCH_WHERE_STAGED + random_word() % 140));
		if (random_word() % 2)
			sdpu_store(&entry->offset, random_word() % 220);
		if (random_word() % 2)
			sdpu_store(&entry->len, random_word() % 200);
		if (random_word() % 2)
			sdpu_store(&entry->imm_len, (uint8_t)(random_word() % 40));
		sdpu_store_release(&entry->seq, from + i + 1);
	}
}

/* One honest message, so that the insides are found, then whatever comes to mind. */
static void spoil_a_consumer(uint32_t round)
{
	struct comch_remote *remote;

	END_UNTIL(client, client->num_ids == round);
	T_EVENTUALLY((client_turn(NULL),
		      sender_try(&path.sender, client->ids[0], 0, 64, NULL, 0)) == DOCA_SUCCESS,
		     10000);
	remote = path.sender.producer->last;
	/* Until it was found out: the consumer is made anew then. */
	for (int i = 0; i < 40 || (i < 4000 && client->num_ids == round); i++) {
		(void)doca_pe_progress(client->pe);
		/* Behind the honest one. */
		scribble_entries(&remote->rings, 1);
		sdpu_ringer_ring(&remote->ringer, &remote->rings.head->cold);
		scribble(remote->rings.staging, 300);
		t_relax(20);
	}
}

static int scribble_as_producer(void *arg)
{
	(void)arg;
	liar_connect();
	sender_open(&path.sender, client, client->pe, 4, 4096, false);
	for (uint32_t round = 1; round <= 20; round++)
		spoil_a_consumer(round);
	_exit(0);
}

#define GUARD 64

/* Buffers of 200 bytes, with a fence between them. */
static void post_guarded(struct receiver *receiver)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *buf;

	memset(receiver->memory.base, 0xa5, receiver->memory.size);
	for (uint32_t i = 0; i < receiver->num; i++) {
		buf = memory_buf(&receiver->memory, i * receiver->slot + GUARD,
				 receiver->slot - 2 * (size_t)GUARD, false);
		T_OK(doca_comch_consumer_task_post_recv_alloc_init(receiver->consumer, buf, &task));
		T_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	}
}

static void check_guards(const struct receiver *receiver)
{
	for (uint32_t i = 0; i < receiver->num; i++) {
		const uint8_t *slot = receiver->memory.base + i * receiver->slot;

		for (uint32_t k = 0; k < GUARD; k++) {
			T_EQ(slot[k], 0xa5);
			T_EQ(slot[receiver->slot - 1 - k], 0xa5);
		}
	}
}

/* The consumer stops by itself at the first illegal entry, and is started again. */
static void consumer_turn(struct receiver *receiver, bool *is_posted)
{
	enum doca_ctx_states state = ctx_state(receiver->ctx);

	(void)doca_pe_progress(server->pe);
	if (state == DOCA_CTX_STATE_RUNNING && !*is_posted) {
		post_guarded(receiver);
		*is_posted = true;
	}
	if (state == DOCA_CTX_STATE_IDLE &&
	    doca_comch_connection_update_info(server->connection) == DOCA_SUCCESS) {
		if (*is_posted)
			check_guards(receiver);
		*is_posted = false;
		(void)doca_ctx_start(receiver->ctx);
	}
}

T_CASE(lies_of_a_producer)
{
	pid_t pid = t_fork(scribble_as_producer, NULL);
	bool is_posted = false;

	end_create(server, true);
	end_start(server);
	END_UNTIL(server, server->connects == 1);
	receiver_create(&path.receiver, server, server->pe, 8, 200 + 2 * GUARD, false);
	path.receiver.repost = true;
	T_EVENTUALLY((consumer_turn(&path.receiver, &is_posted), server->disconnects == 1), 20000);
	(void)doca_ctx_stop(path.receiver.ctx);
	END_UNTIL(server, ctx_state(path.receiver.ctx) == DOCA_CTX_STATE_IDLE);
	T_CHECK(path.receiver.got >= 20);
	receiver_close(&path.receiver, client_turn_none, NULL);
	serve_until_exit(pid);
	serve_honestly();
}

/* Both ends here: what a thread or a liar of the peer would do is done between two steps. */

/* A thread of the peer has taken an entry and was preempted before it wrote it. */
T_CASE(consumer_that_stops_delivers_what_lies_behind_a_gap)
{
	struct comch_remote *remote;
	struct comch_claim claim;

	path_open(&path, 8, 64, false);
	receiver_post_all(&path.receiver);
	T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
	remote = path.sender.producer->last;
	T_OK(comch_remote_claim(remote, 64, &claim));
	(void)sdpu_fetch_add(&remote->filled, 1);
	T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
	T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
	PATH_UNTIL(&path, path.sender.done == 3);
	T_EQ(path.receiver.got, 1);
	(void)doca_ctx_stop(path.receiver.ctx);
	PATH_UNTIL(&path, ctx_state(path.receiver.ctx) == DOCA_CTX_STATE_IDLE);
	T_EQ(path.receiver.got, 3);
	T_EQ(path.receiver.flushed, 5);
	path_close(&path);
}

/* As many as the engine takes in one go. */
static void give_up_all(const struct doca_comch_consumer *consumer)
{
	const struct comch_fast_rings *rings = &consumer->rings;

	for (uint64_t at = consumer->taken; at <= consumer->taken + rings->mask; at++) {
		struct comch_filled *entry = &rings->filled[at & rings->mask];

		sdpu_store(&entry->index, 3);
		sdpu_store(&entry->len, 0);
		sdpu_store(&entry->imm_len, 0);
		sdpu_store(&entry->where, COMCH_WHERE_ABORTED);
		sdpu_store_release(&entry->seq, (uint32_t)at + 1);
	}
}

T_CASE(sends_given_up_for_ever_do_not_keep_a_consumer_from_stopping)
{
	path_open(&path, 8, 64, false);
	receiver_post_all(&path.receiver);
	for (int i = 0; i < 100; i++) {
		give_up_all(path.receiver.consumer);
		(void)doca_pe_progress(server->pe);
	}
	T_EQ(path.receiver.got, 0);
	(void)doca_ctx_stop(path.receiver.ctx);
	for (int i = 0; i < 1000 && ctx_state(path.receiver.ctx) != DOCA_CTX_STATE_IDLE; i++) {
		give_up_all(path.receiver.consumer);
		(void)doca_pe_progress(server->pe);
	}
	T_EQ(ctx_state(path.receiver.ctx), DOCA_CTX_STATE_IDLE);
	T_EQ(path.receiver.flushed, 8);
	path_close(&path);
}

static bool is_ready(const struct end *end)
{
	struct pollfd handle = {.events = POLLIN};

	T_OK(doca_pe_get_notification_handle(end->pe, &handle.fd));
	T_OK(doca_pe_request_notification(end->pe));
	return poll(&handle, 1, 0) == 1;
}

/* Nobody rings when a socket has room again: whoever waits for that must not fall asleep. */
T_CASE(consumer_whose_peer_cannot_be_told_yet_stays_awake)
{
	const uint8_t ring = SDPU_RING_BYTE;
	int small = 4096;
	int sock;

	path_open(&path, 8, 64, false);
	sender_close(&path.sender, path_turn, &path);
	sock = server->connection->channel.sock;
	T_EQ(setsockopt(sock, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small)), 0);
	while (send(sock, &ring, 1, MSG_DONTWAIT) == 1)
		;
	(void)doca_ctx_stop(path.receiver.ctx);
	end_drain(server);
	T_EQ(ctx_state(path.receiver.ctx), DOCA_CTX_STATE_STOPPING);
	T_CHECK(is_ready(server));
	end_drain(server);
	T_CHECK(is_ready(server));
	/* Room again: the peer eats what it takes for rings. */
	(void)is_ready(client);
	PATH_UNTIL(&path, ctx_state(path.receiver.ctx) == DOCA_CTX_STATE_IDLE);
	PATH_UNTIL(&path, client->expired == 1);
	path_close(&path);
}
