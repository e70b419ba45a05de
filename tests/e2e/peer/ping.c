/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 64 bytes to and fro on the fast path, both sides polling, between the lines "begin" and "end" of
 * the client: what is on the data path and nothing else.
 *
 * Options: rounds=N; obey: the client does what lines of its standard input say instead, and does
 * not progress while it waits for one.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "path.h"

#define TASKS 4
#define DEPTH 4
#define SLOT 64
#define WARM_UP 1000

struct ping {
	struct engine engine;
	struct doca_dev *dev;
	struct doca_dev_rep *rep;
	struct end end;
	struct path path;
	uint32_t peer_consumer;
	bool peer_is_ready;
	uint64_t received;
};

static void on_message(struct end *end, struct doca_comch_connection *connection,
		       const uint8_t *msg, uint32_t len)
{
	(void)connection;
	(void)msg;
	(void)len;
	((struct ping *)end->owner)->peer_is_ready = true;
}

static void on_consumer(struct end *end, struct doca_comch_connection *connection, uint32_t id)
{
	(void)connection;
	((struct ping *)end->owner)->peer_consumer = id;
}

static const struct end_events events = {.message = on_message, .consumer = on_consumer};

static void on_fast(struct path *path, const uint8_t *imm, uint32_t imm_len, const uint8_t *data,
		    size_t len)
{
	struct ping *ping = path->end->owner;

	(void)imm;
	(void)imm_len;
	if (len != SLOT || data[0] != (uint8_t)ping->received)
		peer_wrong("%zu bytes of message %u where %u was due", len, data[0],
			   (uint8_t)ping->received);
	ping->received++;
	if (!path->end->is_server)
		return;
	memcpy(path_slot(path), data, SLOT);
	TRY(path_send(path, ping->peer_consumer, SLOT, NULL, 0));
}

static void ping_open(struct ping *ping, bool is_server)
{
	ping->end.events = &events;
	ping->end.owner = ping;
	ping->dev = peer_open_dev(is_server, &ping->rep);
	engine_open(&ping->engine, false);
	end_open(&ping->end, is_server, &ping->engine, ping->dev, ping->rep, TASKS);
	if (!is_server) {
		if (!end_connect(&ping->end))
			peer_wrong("no connection");
		return;
	}
	end_start(&ping->end);
	peer_say("listening");
	while (ping->end.connection == NULL)
		engine_turn(&ping->engine);
}

static void ping_open_path(struct ping *ping)
{
	ping->path =
		(struct path){.end = &ping->end, .depth = DEPTH, .slot = SLOT, .received = on_fast};
	TRY(path_open(&ping->path, peer_has("shared")));
	while (path_consumer_state(&ping->path) == DOCA_CTX_STATE_STARTING)
		engine_turn(&ping->engine);
	TRY(path_post(&ping->path));
	TRY(end_send(&ping->end, ping->end.connection, "r", 1));
	while (!ping->peer_is_ready || ping->peer_consumer == 0)
		engine_turn(&ping->engine);
}

static void ping_send(struct ping *ping)
{
	memset(path_slot(&ping->path), (int)ping->received, SLOT);
	TRY(path_send(&ping->path, ping->peer_consumer, SLOT, NULL, 0));
}

static void ping_await(struct ping *ping, uint64_t received)
{
	while (ping->received != received || ping->path.sending != 0)
		engine_turn(&ping->engine);
}

static void ping_rounds(struct ping *ping, uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i++) {
		const uint64_t next = ping->received + 1;

		ping_send(ping);
		ping_await(ping, next);
	}
}

/* "rounds N", or "send": a message that is completed, and answered, at the next line only. */
static void ping_obey(struct ping *ping)
{
	unsigned long rounds;
	char line[64];

	peer_say("ready");
	while (fgets(line, sizeof(line), stdin) != NULL) {
		const uint64_t now = ping->received + ping->path.sending;

		ping_await(ping, now);
		if (strcmp(line, "send\n") == 0)
			ping_send(ping);
		else if (sscanf(line, "rounds %lu", &rounds) == 1)
			ping_rounds(ping, rounds);
		peer_say("done %s", line);
	}
}

static int ping_run(bool is_server)
{
	static struct ping ping;

	ping_open(&ping, is_server);
	ping_open_path(&ping);
	if (is_server) {
		while (ping.end.lost_at == 0)
			engine_turn(&ping.engine);
	} else {
		ping_rounds(&ping, WARM_UP);
		if (peer_has("obey")) {
			ping_obey(&ping);
		} else {
			peer_say("begin");
			ping_rounds(&ping, peer_number("rounds", 10000));
			peer_say("end");
		}
	}
	path_close(&ping.path);
	end_stop(&ping.end);
	end_close(&ping.end);
	engine_close(&ping.engine);
	if (is_server)
		TRY(doca_dev_rep_close(ping.rep));
	TRY(doca_dev_close(ping.dev));
	return PEER_DONE;
}

int mode_ping_server(void)
{
	return ping_run(true);
}

int mode_ping_client(void)
{
	return ping_run(false);
}

/* What beginners forget: it waits for the connection, and does not progress its engine. */
int mode_starting(void)
{
	struct engine engine;
	struct end end = {.events = &events};

	engine_open(&engine, false);
	end_open(&end, false, &engine, peer_open_dev(false, NULL), NULL, TASKS);
	end_start(&end);
	peer_say("started");
	pause();
	return PEER_DONE;
}
