/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Liars inside: a client that was let in, and writes what it likes into everything it shares with
 * the server. It may spoil its own traffic. The server neither crashes nor hangs nor writes outside
 * of what it posted, and serves the next client.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bus/process.h"
#include "comch/client.h"
#include "comch/consumer.h"
#include "comch/path.h"
#include "comch/producer.h"

static struct path path;
static struct end *const server = &path.pair.server;
static struct end *const client = &path.pair.client;

/* The liar's end of the connection, from inside. */
static struct doca_comch_connection *inside(void)
{
	return client->connection;
}

static uint32_t random_word(void)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

static void scribble(void *at, size_t size)
{
	volatile uint8_t *bytes = at;

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)random_word();
}

/* Mail */

static void mail(const void *bytes, size_t len, const int *fds, uint32_t num_fds)
{
	T_OK(sdpu_channel_mail(&inside()->channel, bytes, len, fds, num_fds));
}

static void mail_of_one_byte(void)
{
	mail("x", 1, NULL, 0);
}

static void mail_of_garbage(void)
{
	uint8_t garbage[300];

	scribble(garbage, sizeof(garbage));
	mail(garbage, sizeof(garbage), NULL, 0);
}

static void mail_of_unknown_type(void)
{
	struct comch_mail_head head = {.type = 4711, .id = 1};

	mail(&head, sizeof(head), NULL, 0);
}

static void expiry_of_a_stranger(void)
{
	struct comch_mail_head head = {.type = COMCH_MAIL_CONSUMER_WENT, .id = 5};

	mail(&head, sizeof(head), NULL, 0);
}

/* An announcement as it should be, but for what the lie changes; and its descriptors. */
struct announcement {
	struct comch_mail_consumer mail;
	int fds[COMCH_MAIL_CONSUMER_FDS];
	int sock;
};

static void announcement_make(struct announcement *announcement)
{
	struct comch_fast_rings rings;
	int pair[2];

	memset(announcement, 0, sizeof(*announcement));
	announcement->mail.head.type = COMCH_MAIL_CONSUMER_CAME;
	announcement->mail.head.id = 1;
	announcement->mail.entries = 16;
	announcement->mail.imm_len = 32;
	T_OK(comch_fast_create(16, &rings));
	T_OK(sdpu_sock_pair(pair));
	announcement->fds[0] = rings.segment.fd;
	sdpu_bell_fds(&client->pe->bell, &announcement->fds[1]);
	announcement->fds[3] = pair[1];
	announcement->sock = pair[0];
}

static void announce(const struct announcement *announcement, uint32_t num_fds)
{
	mail(&announcement->mail, sizeof(announcement->mail), announcement->fds, num_fds);
}

static void announcement_without_descriptors(void)
{
	struct announcement it;

	announcement_make(&it);
	announce(&it, 0);
}

static void announcement_with_wrong_descriptors(void)
{
	struct announcement it;

	announcement_make(&it);
	for (int i = 0; i < COMCH_MAIL_CONSUMER_FDS; i++)
		it.fds[i] = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	announce(&it, COMCH_MAIL_CONSUMER_FDS);
}

static void announcement_of_no_id(void)
{
	struct announcement it;

	announcement_make(&it);
	it.mail.head.id = 0;
	announce(&it, COMCH_MAIL_CONSUMER_FDS);
}

static void announcement_of_odd_entries(void)
{
	struct announcement it;

	announcement_make(&it);
	it.mail.entries = 24;
	announce(&it, COMCH_MAIL_CONSUMER_FDS);
}

static void announcement_of_more_entries(void)
{
	struct announcement it;

	announcement_make(&it);
	it.mail.entries = 32;
	announce(&it, COMCH_MAIL_CONSUMER_FDS);
}

static void announcement_of_no_ready_bit(void)
{
	struct announcement it;

	announcement_make(&it);
	it.mail.bit = SDPU_READY_BITS;
	announce(&it, COMCH_MAIL_CONSUMER_FDS);
}

static void announcement_twice(void)
{
	struct announcement it;

	announcement_make(&it);
	announce(&it, COMCH_MAIL_CONSUMER_FDS);
	announce(&it, COMCH_MAIL_CONSUMER_FDS);
}

/* Its memory cannot be reached: small messages could be sent all the same. */
static void announcement_of_garbage_memory(void)
{
	struct announcement it;

	announcement_make(&it);
	scribble(&it.mail.grant, sizeof(it.mail.grant));
	announce(&it, COMCH_MAIL_CONSUMER_FDS);
}

static void mail_that_never_comes(void)
{
	uint32_t before = client->sent;

	for (int i = 0; i < 100; i++) {
		sdpu_fetch_add(&inside()->channel.head->side[1].mail, 1 + random_word() % 1000);
		end_send(client, "still here", 10);
		END_UNTIL(client, client->sent == before + (uint32_t)i + 1);
	}
}

/* Rings of control messages */

static struct comch_entry *next_entry(void)
{
	struct comch_tx *tx = &inside()->tx;

	return &tx->entries[tx->position & tx->mask];
}

static void publish_entry(uint32_t len, uint32_t slot)
{
	struct comch_entry *entry = next_entry();

	sdpu_store(&entry->len, len);
	sdpu_store(&entry->slot, slot);
	sdpu_publish_fenced(&entry->seq, inside()->tx.position + 1);
	sdpu_channel_ring(&inside()->channel);
}

static void message_of_no_length(void)
{
	publish_entry(0, 0);
}

static void message_too_long(void)
{
	publish_entry(4081, 0);
}

static void message_as_long_as_can_be(void)
{
	publish_entry(UINT32_MAX, 0);
}

static void message_in_no_slot(void)
{
	publish_entry(4000, 16);
}

static void message_in_a_far_slot(void)
{
	publish_entry(4000, UINT32_MAX);
}

static void acknowledge_too_much(void)
{
	for (int i = 0; i < 100; i++) {
		sdpu_store(&inside()->rx.head->acked, random_word());
		sdpu_channel_ring(&inside()->channel);
		t_relax(10);
	}
}

static void close_and_open(void)
{
	for (uint32_t i = 0; i < 1000; i++) {
		sdpu_store(&inside()->channel.head->side[1].closed, i & 1);
		sdpu_channel_ring(&inside()->channel);
	}
}

/* Bells */

static void ready_for_ever(void)
{
	struct sdpu_ready_page *ready = inside()->channel.ringer.ready;

	for (uint32_t i = 1; i <= 200; i++) {
		memset(ready->bits, 0xff, sizeof(ready->bits));
		sdpu_store(&ready->summary, UINT64_MAX);
		end_send(client, "ready", 5);
		END_UNTIL(client, client->sent == i);
	}
}

static void armed_at_random(void)
{
	for (uint32_t i = 1; i <= 200; i++) {
		sdpu_store(&client->pe->bell.armed->armed, random_word());
		end_send(client, "armed", 5);
		END_UNTIL(client, client->sent == i);
	}
}

static void all_cold_and_garbage(void)
{
	struct sdpu_segment *segment = &inside()->channel.segment;

	for (int i = 0; i < 20; i++) {
		(void)end_try_send(client, inside(), "x", 1);
		scribble(segment->base, 32768);
		sdpu_channel_ring(&inside()->channel);
		t_relax(100);
	}
}

struct lie {
	const char *name;
	void (*tell)(void);
	bool fatal; /* for the connection, without the liar's help */
};

#define LIE(tell, fatal)                                                                           \
	{                                                                                          \
#tell, tell, fatal                                                                 \
	}
static const struct lie lies[] = {
	LIE(mail_of_one_byte, true),
	LIE(mail_of_garbage, true),
	LIE(mail_of_unknown_type, true),
	LIE(expiry_of_a_stranger, true),
	LIE(announcement_without_descriptors, true),
	LIE(announcement_with_wrong_descriptors, true),
	LIE(announcement_of_no_id, true),
	LIE(announcement_of_odd_entries, true),
	LIE(announcement_of_more_entries, true),
	LIE(announcement_of_no_ready_bit, true),
	LIE(announcement_twice, true),
	LIE(announcement_of_garbage_memory, false),
	LIE(mail_that_never_comes, false),
	LIE(message_of_no_length, true),
	LIE(message_too_long, true),
	LIE(message_as_long_as_can_be, true),
	LIE(message_in_no_slot, true),
	LIE(message_in_a_far_slot, true),
	LIE(acknowledge_too_much, false),
	LIE(close_and_open, false),
	LIE(ready_for_ever, false),
	LIE(armed_at_random, false),
	LIE(all_cold_and_garbage, false),
};

/* A server that is not there yet, or has just refused, is asked again. */
static void liar_connect(void)
{
	end_create(client, false);
	T_EVENTUALLY((end_state(client) == DOCA_CTX_STATE_IDLE ? end_start(client) : (void)0,
		      doca_pe_progress(client->pe), end_state(client) == DOCA_CTX_STATE_RUNNING),
		     10000);
}

static int tell_lies(void *arg)
{
	(void)arg;
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		printf("# %s\n", lies[i].name);
		fflush(stdout);
		liar_connect();
		lies[i].tell();
		if (!lies[i].fatal)
			(void)doca_ctx_stop(client->ctx);
		END_UNTIL(client, end_state(client) == DOCA_CTX_STATE_IDLE);
		end_close(client);
	}
	return 0;
}

static void send_some(struct end *end, struct doca_comch_connection *connection)
{
	for (int i = 0; i < 3; i++)
		(void)end_try_send(end, connection, "from the server", 15);
}

static void serve_until_exit(pid_t pid)
{
	int status = -1;

	T_EVENTUALLY((doca_pe_progress(server->pe), waitpid(pid, &status, WNOHANG) == pid), 25000);
	T_EQ(status, 0);
	END_UNTIL(server, server->connects == server->disconnects);
	/* Whatever it did has an end. */
	end_drain(server);
}

static void serve_honestly(void)
{
	server->on_connect = NULL;
	server->received = 0;
	end_create(client, false);
	end_start(client);
	PATH_UNTIL(&path, end_state(client) == DOCA_CTX_STATE_RUNNING);
	end_send(client, "honest", 6);
	PATH_UNTIL(&path, server->received == 1 && client->sent == 1);
	path_close(&path);
}

T_CASE(lies_on_the_control_path)
{
	pid_t pid = t_fork(tell_lies, NULL);

	server->on_connect = send_some;
	end_create(server, true);
	end_start(server);
	serve_until_exit(pid);
	T_EQ(server->sent + server->failed, 3 * server->connects);
	serve_honestly();
}

static int count_mail_and_die(void *arg)
{
	(void)arg;
	liar_connect();
	sdpu_fetch_add(&inside()->channel.head->side[1].mail, 3);
	_exit(0);
}

T_CASE(mail_that_was_counted_and_died_with_its_sender)
{
	pid_t pid = t_fork(count_mail_and_die, NULL);

	end_create(server, true);
	end_start(server);
	END_UNTIL(server, server->connects == 1);
	/* Nobody looks while it lives. */
	T_EQ(t_wait(pid, 10000), 0);
	END_UNTIL(server, server->disconnects == 1);
	end_drain(server);
	serve_honestly();
}

/* Fast path, the liar receives */

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
	for (uint32_t i = 1; i < 40; i++) {
		scribble_entries(&remote->rings, i);
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
