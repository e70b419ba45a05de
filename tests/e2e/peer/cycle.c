/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A client that comes and goes, and one whose consumers and producers do. Every so often it has
 * the server say what it holds, and says what it holds itself.
 *
 * Options: rounds=N, every=N.
 */
#include <string.h>

#include "ask.h"
#include "path.h"

#define TASKS 16
#define NEW_CLIENT_EVERY 10 /* else the same one starts again */
#define NEW_DEVICE_EVERY 50
#define DEPTH 4
#define SLOT 4096

struct cycle {
	struct engine engine;
	struct doca_dev *dev;
	struct end end;
	struct path path;
	char answer; /* first byte of the last message; 0: none since */
	uint32_t consumer, expired;
	uint32_t received;
};

static void on_message(struct end *end, struct doca_comch_connection *connection,
		       const uint8_t *msg, uint32_t len)
{
	(void)connection;
	if (len != 1)
		peer_wrong("an answer of %u bytes", len);
	((struct cycle *)end->owner)->answer = (char)msg[0];
}

static void on_consumer(struct end *end, struct doca_comch_connection *connection, uint32_t id)
{
	(void)connection;
	((struct cycle *)end->owner)->consumer = id;
}

static void on_expired(struct end *end, struct doca_comch_connection *connection, uint32_t id)
{
	(void)connection;
	((struct cycle *)end->owner)->expired = id;
}

static void on_fast(struct path *path, const uint8_t *imm, uint32_t imm_len, const uint8_t *data,
		    size_t len)
{
	(void)imm;
	(void)data;
	if (imm_len != 1 || len != SLOT)
		peer_wrong("%zu bytes and %u of immediate data", len, imm_len);
	((struct cycle *)path->end->owner)->received++;
}

static const struct end_events events = {
	.message = on_message,
	.consumer = on_consumer,
	.expired = on_expired,
};

#define UNTIL(cycle, cond)                                                                         \
	do {                                                                                       \
		while (!(cond)) {                                                                  \
			if ((cycle)->end.lost_at != 0)                                             \
				peer_wrong("lost the server");                                     \
			engine_turn(&(cycle)->engine);                                             \
		}                                                                                  \
	} while (0)

static void cycle_open(struct cycle *cycle)
{
	cycle->dev = peer_open_dev(false, NULL);
	engine_open(&cycle->engine, peer_has("asleep"));
	cycle->end.events = &events;
	cycle->end.owner = cycle;
	end_open(&cycle->end, false, &cycle->engine, cycle->dev, NULL, TASKS);
}

static void cycle_close(struct cycle *cycle)
{
	end_close(&cycle->end);
	engine_close(&cycle->engine);
	TRY(doca_dev_close(cycle->dev));
}

static void cycle_connect(struct cycle *cycle)
{
	if (!end_connect(&cycle->end))
		peer_wrong("no connection");
}

static void ask(struct cycle *cycle, enum ask what)
{
	const char word = (char)what;

	cycle->answer = 0;
	TRY(end_send(&cycle->end, cycle->end.connection, &word, 1));
	UNTIL(cycle, cycle->answer == word && cycle->end.in_flight == 0);
}

/* As far as `rounds` goes; the last round always asks. */
static bool is_due(uint64_t round, uint64_t rounds)
{
	return (round + 1) % peer_number("every", 100) == 0 || round + 1 == rounds;
}

static void leave(struct cycle *cycle)
{
	const char word = ASK_LEAVE;

	TRY(end_send(&cycle->end, cycle->end.connection, &word, 1));
	UNTIL(cycle, cycle->end.in_flight == 0);
}

int mode_cycle(void)
{
	const uint64_t rounds = peer_number("rounds", 500);
	static struct cycle cycle;

	cycle_open(&cycle);
	for (uint64_t i = 0; i < rounds; i++) {
		cycle_connect(&cycle);
		ask(&cycle, is_due(i, rounds) ? ASK_HOLDINGS : ASK_ECHO);
		if (i + 1 == rounds)
			leave(&cycle);
		end_stop(&cycle.end);
		if (i % NEW_DEVICE_EVERY == NEW_DEVICE_EVERY - 1) {
			cycle_close(&cycle);
			cycle_open(&cycle);
		} else if (i % NEW_CLIENT_EVERY == NEW_CLIENT_EVERY - 1) {
			end_close(&cycle.end);
			cycle.end.events = &events;
			cycle.end.owner = &cycle;
			end_open(&cycle.end, false, &cycle.engine, cycle.dev, NULL, TASKS);
		}
	}
	cycle_close(&cycle);
	return PEER_DONE;
}

/* One of each on both sides comes, carries a message, and goes. */
static void use_path(struct cycle *cycle, bool shared)
{
	struct path *path = &cycle->path;

	*path = (struct path){
		.end = &cycle->end, .depth = DEPTH, .slot = SLOT, .received = on_fast};
	cycle->consumer = 0;
	cycle->expired = 0;
	cycle->received = 0;
	TRY(path_open(path, shared));
	UNTIL(cycle, path_consumer_state(path) != DOCA_CTX_STATE_STARTING);
	TRY(path_post(path));
	ask(cycle, ASK_OPEN_PATH);
	UNTIL(cycle, cycle->consumer != 0);
	TRY(path_send(path, cycle->consumer, SLOT, "i", 1));
	UNTIL(cycle, cycle->received == 1 && path->sent == 1);
	ask(cycle, ASK_CLOSE_PATH);
	UNTIL(cycle, cycle->expired == cycle->consumer);
	path_close(path);
}

int mode_cycle_path(void)
{
	const uint64_t rounds = peer_number("rounds", 500);
	static struct cycle cycle;

	cycle_open(&cycle);
	cycle_connect(&cycle);
	for (uint64_t i = 0; i < rounds; i++) {
		use_path(&cycle, i % 4 < 2);
		if (is_due(i, rounds)) {
			ask(&cycle, ASK_HOLDINGS);
			ask_say_holdings();
		}
	}
	leave(&cycle);
	end_stop(&cycle.end);
	cycle_close(&cycle);
	return PEER_DONE;
}
