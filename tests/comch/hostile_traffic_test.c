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
#include "comch/liar.h"
#include "comch/producer.h"

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
	announcement->mail.entries = 32;
	announcement->mail.imm_len = 32;
	T_OK(comch_fast_create(32, &rings));
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
	it.mail.entries = 48;
	announce(&it, COMCH_MAIL_CONSUMER_FDS);
}

static void announcement_of_more_entries(void)
{
	struct announcement it;

	announcement_make(&it);
	it.mail.entries = 64;
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
	/* The server has let it in for sure. */
	END_UNTIL(client, client->received > 0);
	sdpu_fetch_add(&inside()->channel.head->side[1].mail, 3);
	_exit(0);
}

T_CASE(mail_that_was_counted_and_died_with_its_sender)
{
	pid_t pid = t_fork(count_mail_and_die, NULL);

	server->on_connect = send_some;
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
