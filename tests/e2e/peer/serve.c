/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A server for any number of clients, which ask by the first byte of a message (ask.h). It says
 * what it holds when asked, and holds no more at its end than at its beginning.
 */
#include <string.h>

#include "ask.h"
#include "path.h"

#define TASKS 1024
#define DEPTH 4
#define SLOT 4096

struct serve {
	struct engine engine;
	struct doca_dev_rep *rep;
	struct end end;
	struct path path; /* of the client that asks for it; one at a time */
	uint32_t clients;
	uint32_t consumer; /* newest of any client */
	char asked;	   /* what the main loop has to do; 0: nothing */
	uint32_t paths;
	bool leaving;
};

/* A client that has died meanwhile gets no answer. */
static void answer(struct end *end, struct doca_comch_connection *connection, const void *msg,
		   uint32_t len)
{
	doca_error_t result = end_send(end, connection, msg, len);

	if (result != DOCA_ERROR_NOT_CONNECTED)
		peer_try("answer", result);
}

static void on_message(struct end *end, struct doca_comch_connection *connection,
		       const uint8_t *msg, uint32_t len)
{
	struct serve *serve = end->owner;

	switch (msg[0]) {
	case ASK_HOLDINGS:
		ask_say_holdings();
		/* fallthrough */
	case ASK_ECHO:
		answer(end, connection, msg, len);
		break;
	case ASK_LEAVE:
		serve->leaving = true;
		break;
	default:
		/* Not from a callback: it waits for states that only progress brings. */
		end->connection = connection;
		serve->asked = (char)msg[0];
	}
}

static void on_connected(struct end *end, struct doca_comch_connection *connection)
{
	(void)connection;
	((struct serve *)end->owner)->clients++;
}

static void on_disconnected(struct end *end, struct doca_comch_connection *connection)
{
	(void)connection;
	((struct serve *)end->owner)->clients--;
}

static void on_consumer(struct end *end, struct doca_comch_connection *connection, uint32_t id)
{
	(void)connection;
	((struct serve *)end->owner)->consumer = id;
}

static void on_fast(struct path *path, const uint8_t *imm, uint32_t imm_len, const uint8_t *data,
		    size_t len)
{
	(void)path;
	(void)imm;
	(void)data;
	if (imm_len != 1 || len != SLOT)
		peer_wrong("%zu bytes and %u of immediate data", len, imm_len);
}

static const struct end_events events = {
	.message = on_message,
	.connected = on_connected,
	.disconnected = on_disconnected,
	.consumer = on_consumer,
};

static void reply(struct serve *serve)
{
	TRY(end_send(&serve->end, serve->end.connection, &serve->asked, 1));
	serve->asked = 0;
}

/* A consumer and a producer come, one message goes. */
static void open_path(struct serve *serve)
{
	struct path *path = &serve->path;

	*path = (struct path){
		.end = &serve->end, .depth = DEPTH, .slot = SLOT, .received = on_fast};
	TRY(path_open(path, serve->paths++ % 2 != 0));
	while (path_consumer_state(path) == DOCA_CTX_STATE_STARTING)
		engine_turn(&serve->engine);
	TRY(path_post(path));
	TRY(path_send(path, serve->consumer, SLOT, "i", 1));
	reply(serve);
}

static void turn(struct serve *serve)
{
	engine_turn(&serve->engine);
	if (serve->asked == ASK_OPEN_PATH) {
		open_path(serve);
	} else if (serve->asked == ASK_CLOSE_PATH) {
		path_close(&serve->path);
		reply(serve);
	} else if (serve->asked != 0) {
		peer_wrong("asked for %d", serve->asked);
	}
}

int mode_serve(void)
{
	struct serve serve = {.end.events = &events};
	struct peer_holdings before;
	struct doca_dev *dev;

	peer_touch();
	peer_holdings(&before);
	serve.end.owner = &serve;
	dev = peer_open_dev(true, &serve.rep);
	engine_open(&serve.engine, peer_has("asleep"));
	end_open(&serve.end, true, &serve.engine, dev, serve.rep, TASKS);
	end_start(&serve.end);
	peer_say("listening");
	while (!serve.leaving || serve.clients != 0)
		turn(&serve);
	end_stop(&serve.end);
	end_close(&serve.end);
	engine_close(&serve.engine);
	TRY(doca_dev_rep_close(serve.rep));
	TRY(doca_dev_close(dev));
	peer_expect_holdings(&before);
	return PEER_DONE;
}
