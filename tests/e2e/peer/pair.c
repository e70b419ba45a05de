/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One side of a pair: connects, registers a consumer and a producer, exchanges control messages
 * and fast path messages in both directions at once, parts. It says when it enters a phase and
 * when it has lost the other side; it checks order and contents of all that comes, and that it
 * holds no more at its end than at its beginning.
 *
 * Options: rounds=N messages of each kind in each direction; asleep; shared; and the mischief that
 * befalls it: phase=NAME signal=N after=NS, child or rawchild.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "path.h"

#define WINDOW 4	   /* messages of a kind that may be on their way */
#define DEPTH (2 * WINDOW) /* receives: what is in the window always finds one */
#define SLOT (320 * 1024)
#define CONTROL_TASKS 16
#define PEER_IS_GONE_WITHIN 5000000000

enum phase { PHASE_CONNECT, PHASE_REGISTER, PHASE_TRAFFIC, PHASE_TEARDOWN, PHASE_END };

static const char *const phase_names[] = {"connect", "register", "traffic", "teardown", "end"};

/* Inline in an entry, in its second line, staged, copied, in several chunks. */
static const uint32_t lengths[] = {8, 64, 112, 200, 4096, 20000, 70000, SLOT};

enum word { WORD_READY = 1, WORD_DATA, WORD_BYE };

struct message {
	uint32_t word;
	uint32_t number;
	uint8_t fill[120];
};

struct pair {
	struct engine engine;
	struct doca_dev *dev;
	struct doca_dev_rep *rep;
	struct end end;
	struct path path;
	uint32_t rounds;
	bool shared;
	uint32_t peer_consumer;
	bool peer_is_ready, peer_said_bye;
	bool came; /* there was a connection */
	uint32_t control_sent, control_received;
	uint32_t fast_sent, fast_received;
};

/* --- mischief --- */

static void enter(enum phase phase)
{
	peer_say("phase %s %llu", phase_names[phase], (unsigned long long)peer_now());
	if (strcmp(peer_text("phase", ""), phase_names[phase]) != 0)
		return;
	if (peer_has("child"))
		peer_leave_child(false);
	if (peer_has("rawchild"))
		peer_leave_child(true);
	if (peer_has("signal"))
		peer_arm((int)peer_number("signal", 0), peer_number("after", 0));
}

/* --- what comes --- */

static void on_message(struct end *end, struct doca_comch_connection *connection,
		       const uint8_t *bytes, uint32_t len)
{
	struct pair *pair = end->owner;
	struct message message;

	(void)connection;
	if (len != sizeof(message))
		peer_wrong("a control message of %u bytes", len);
	memcpy(&message, bytes, sizeof(message));
	if (message.number != pair->control_received++)
		peer_wrong("control message %u where %u was due", message.number,
			   pair->control_received - 1);
	if (message.word == WORD_READY)
		pair->peer_is_ready = true;
	else if (message.word == WORD_BYE)
		pair->peer_said_bye = true;
	else if (message.fill[message.number % sizeof(message.fill)] != (uint8_t)message.number)
		peer_wrong("control message %u has other contents", message.number);
}

static void on_connected(struct end *end, struct doca_comch_connection *connection)
{
	(void)connection;
	((struct pair *)end->owner)->came = true;
}

static void on_consumer(struct end *end, struct doca_comch_connection *connection, uint32_t id)
{
	(void)connection;
	((struct pair *)end->owner)->peer_consumer = id;
}

static const struct end_events events = {
	.message = on_message,
	.connected = on_connected,
	.consumer = on_consumer,
};

static void on_fast(struct path *path, const uint8_t *imm, uint32_t imm_len, const uint8_t *data,
		    size_t len)
{
	struct pair *pair = path->end->owner;
	const uint32_t due = pair->fast_received++;
	uint32_t number;

	if (imm_len != sizeof(number))
		peer_wrong("immediate data of %u bytes", imm_len);
	memcpy(&number, imm, sizeof(number));
	if (number != due)
		peer_wrong("message %u where %u was due", number, due);
	if (len != lengths[number % 8])
		peer_wrong("message %u has %zu bytes", number, len);
	for (size_t i = 0; i < len; i++)
		if (data[i] != (uint8_t)(number + (i >> 12)))
			peer_wrong("message %u differs at byte %zu of %zu", number, i, len);
}

/* --- what goes --- */

/* True: go on. A refusal is right only when the other side turns out to be gone. */
static bool accepted(struct pair *pair, const char *what, doca_error_t result)
{
	const uint64_t end = peer_now() + PEER_IS_GONE_WITHIN;

	if (result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS)
		return pair->end.lost_at == 0;
	while (pair->end.lost_at == 0) {
		doca_pe_progress(pair->engine.pe);
		if (peer_now() > end)
			peer_wrong("%s: %s, but the other side is there", what,
				   doca_error_get_name(result));
	}
	return false;
}

static bool send_word(struct pair *pair, enum word word)
{
	struct message message = {.word = word, .number = pair->control_sent};
	doca_error_t result;

	memset(message.fill, (int)message.number, sizeof(message.fill));
	result = end_send(&pair->end, pair->end.connection, &message, sizeof(message));
	/* The bytes have been taken: what becomes of ours is nobody's business. */
	memset(&message, 0xff, sizeof(message));
	if (result == DOCA_SUCCESS)
		pair->control_sent++;
	return accepted(pair, "control send", result);
}

static bool send_fast(struct pair *pair)
{
	const uint32_t number = pair->fast_sent;
	const uint32_t len = lengths[number % 8];
	uint8_t *slot = path_slot(&pair->path);
	doca_error_t result;

	for (uint32_t i = 0; i < len; i += 4096)
		memset(slot + i, (int)(number + (i >> 12)), len - i < 4096 ? len - i : 4096);
	result = path_send(&pair->path, pair->peer_consumer, len, &number, sizeof(number));
	if (result == DOCA_SUCCESS)
		pair->fast_sent++;
	return accepted(pair, "send", result);
}

/* As far as the windows allow; false: the other side was lost. */
static bool send_some(struct pair *pair)
{
	/* Of the control messages one was READY, on both sides. */
	while (pair->control_sent <= pair->rounds &&
	       pair->control_sent < pair->control_received + WINDOW)
		if (!send_word(pair, WORD_DATA))
			return false;
	while (pair->fast_sent < pair->rounds && pair->fast_sent < pair->fast_received + WINDOW &&
	       pair->path.sending < DEPTH)
		if (!send_fast(pair))
			return false;
	return accepted(pair, "post in a callback", pair->path.refused);
}

static bool has_exchanged(const struct pair *pair)
{
	return pair->control_sent > pair->rounds && pair->control_received > pair->rounds &&
	       pair->fast_sent == pair->rounds && pair->fast_received == pair->rounds &&
	       pair->path.sending == 0 && pair->end.in_flight == 0;
}

/* --- phases; each returns false when the other side was lost --- */

#define UNTIL(pair, cond)                                                                          \
	do {                                                                                       \
		while (!(cond)) {                                                                  \
			if ((pair)->end.lost_at != 0)                                              \
				return false;                                                      \
			engine_turn(&(pair)->engine);                                              \
		}                                                                                  \
	} while (0)

static bool pair_connect(struct pair *pair)
{
	end_open(&pair->end, pair->end.is_server, &pair->engine, pair->dev, pair->rep,
		 CONTROL_TASKS);
	if (!pair->end.is_server) {
		pair->came = end_connect(&pair->end);
		return pair->came && pair->end.lost_at == 0;
	}
	end_start(&pair->end);
	peer_say("listening");
	enter(PHASE_CONNECT);
	UNTIL(pair, pair->came);
	return true;
}

static bool pair_register(struct pair *pair)
{
	pair->path.end = &pair->end;
	pair->path.depth = DEPTH;
	pair->path.slot = SLOT;
	pair->path.received = on_fast;
	if (!accepted(pair, "fast path", path_open(&pair->path, pair->shared)))
		return false;
	UNTIL(pair, path_consumer_state(&pair->path) != DOCA_CTX_STATE_STARTING);
	if (path_consumer_state(&pair->path) == DOCA_CTX_STATE_IDLE)
		return accepted(pair, "consumer start", DOCA_ERROR_CONNECTION_ABORTED);
	if (!accepted(pair, "post", path_post(&pair->path)))
		return false;
	if (!send_word(pair, WORD_READY))
		return false;
	UNTIL(pair, pair->peer_is_ready && pair->peer_consumer != 0);
	return true;
}

static bool pair_traffic(struct pair *pair)
{
	while (!has_exchanged(pair)) {
		if (!send_some(pair))
			return false;
		if (has_exchanged(pair))
			break;
		if (pair->end.lost_at != 0)
			return false;
		engine_turn(&pair->engine);
	}
	return pair->end.lost_at == 0;
}

/* The client goes when all is said; the server when the client has gone. */
static bool pair_part(struct pair *pair)
{
	if (!send_word(pair, WORD_BYE))
		return false;
	UNTIL(pair, pair->peer_said_bye && pair->end.in_flight == 0);
	path_close(&pair->path);
	if (pair->end.lost_at != 0)
		return pair->end.is_server;
	if (pair->end.is_server)
		while (pair->end.lost_at == 0)
			engine_turn(&pair->engine);
	return true;
}

static bool pair_live(struct pair *pair)
{
	if (!pair_connect(pair))
		return false;
	enter(PHASE_REGISTER);
	if (!pair_register(pair))
		return false;
	enter(PHASE_TRAFFIC);
	if (!pair_traffic(pair))
		return false;
	enter(PHASE_TEARDOWN);
	return pair_part(pair);
}

static void pair_close(struct pair *pair)
{
	path_close(&pair->path);
	end_stop(&pair->end);
	end_close(&pair->end);
	engine_close(&pair->engine);
	if (pair->rep != NULL)
		TRY(doca_dev_rep_close(pair->rep));
	TRY(doca_dev_close(pair->dev));
}

static int pair_run(bool is_server)
{
	struct pair pair = {.end.is_server = is_server, .end.events = &events};
	struct peer_holdings before;
	bool done;

	/* What the library keeps for the life of the process is there after the first use. */
	peer_touch();
	peer_holdings(&before);
	if (!is_server)
		enter(PHASE_CONNECT);
	pair.end.owner = &pair;
	pair.rounds = (uint32_t)peer_number("rounds", 200);
	pair.shared = peer_has("shared");
	pair.dev = peer_open_dev(is_server, &pair.rep);
	engine_open(&pair.engine, peer_has("asleep"));
	done = pair_live(&pair);
	if (!done && pair.came)
		peer_say("lost %llu", (unsigned long long)pair.end.lost_at);
	pair_close(&pair);
	peer_expect_holdings(&before);
	enter(PHASE_END);
	if (done)
		return PEER_DONE;
	return pair.came ? PEER_LOST : PEER_REFUSED;
}

int mode_pair_server(void)
{
	return pair_run(true);
}

int mode_pair_client(void)
{
	return pair_run(false);
}
