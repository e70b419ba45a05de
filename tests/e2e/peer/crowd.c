/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many clients on one engine: all connect, each has some messages echoed, then one is active while
 * the others are silent. They part when standard input ends.
 *
 * Options: clients=N, messages=N each, active=N messages of the active one, leave: the server may
 * go when these have gone.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "end.h"

#define TASKS 4

struct member {
	struct end end;
	uint64_t due; /* messages still to be echoed */
};

struct crowd {
	struct engine engine;
	struct doca_dev *dev;
	struct member *members;
	uint64_t num;
	uint64_t busy; /* members with messages due */
};

static void send_echo(struct member *member)
{
	const uint8_t message[64] = {ASK_ECHO, (uint8_t)member->due};

	TRY(end_send(&member->end, member->end.connection, message, sizeof(message)));
}

static void on_message(struct end *end, struct doca_comch_connection *connection,
		       const uint8_t *msg, uint32_t len)
{
	struct crowd *crowd = end->owner;
	struct member *member = (struct member *)end;

	(void)connection;
	if (len != 64 || msg[1] != (uint8_t)member->due || member->due == 0)
		peer_wrong("another client's message: %u bytes, %u where %u was due", len, msg[1],
			   (uint8_t)member->due);
	if (--member->due == 0)
		crowd->busy--;
	else
		send_echo(member);
}

static const struct end_events events = {.message = on_message};

static void crowd_open(struct crowd *crowd)
{
	crowd->num = peer_number("clients", 1);
	crowd->members = calloc(crowd->num, sizeof(*crowd->members));
	if (crowd->members == NULL)
		peer_wrong("no memory for %lu clients", (unsigned long)crowd->num);
	crowd->dev = peer_open_dev(false, NULL);
	engine_open(&crowd->engine, peer_has("asleep"));
	for (uint64_t i = 0; i < crowd->num; i++) {
		crowd->members[i].end.events = &events;
		crowd->members[i].end.owner = crowd;
		end_open(&crowd->members[i].end, false, &crowd->engine, crowd->dev, NULL, TASKS);
		end_start(&crowd->members[i].end);
	}
}

static uint64_t count(const struct crowd *crowd, enum doca_ctx_states state)
{
	uint64_t num = 0;

	for (uint64_t i = 0; i < crowd->num; i++)
		num += crowd->members[i].end.state == state;
	return num;
}

static void crowd_echo(struct crowd *crowd, uint64_t members, uint64_t messages)
{
	for (uint64_t i = 0; i < members && messages != 0; i++) {
		crowd->members[i].due = messages;
		crowd->busy++;
		send_echo(&crowd->members[i]);
	}
	while (crowd->busy != 0)
		engine_turn(&crowd->engine);
}

static void crowd_measure(struct crowd *crowd, uint64_t messages)
{
	const uint64_t start = peer_now();

	crowd_echo(crowd, 1, messages);
	peer_say("active %lu", (unsigned long)((peer_now() - start) / messages));
}

/* The connections are looked after meanwhile. */
static void wait_for_input(struct crowd *crowd)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};

	if (crowd->engine.asleep)
		engine_watch(&crowd->engine, STDIN_FILENO);
	while (poll(&input, 1, 0) == 0)
		engine_turn(&crowd->engine);
}

static void crowd_close(struct crowd *crowd)
{
	for (uint64_t i = 0; i < crowd->num; i++) {
		while (crowd->members[i].end.in_flight != 0)
			engine_turn(&crowd->engine);
		end_stop(&crowd->members[i].end);
		end_close(&crowd->members[i].end);
	}
	engine_close(&crowd->engine);
	TRY(doca_dev_close(crowd->dev));
	free(crowd->members);
}

static void crowd_talk(struct crowd *crowd)
{
	const uint8_t leave = ASK_LEAVE;
	struct end *first = &crowd->members[0].end;

	crowd_echo(crowd, crowd->num, peer_number("messages", 1));
	if (peer_has("active"))
		crowd_measure(crowd, peer_number("active", 1));
	if (peer_has("leave"))
		TRY(end_send(first, first->connection, &leave, 1));
	ask_say_holdings();
	peer_say("up");
	wait_for_input(crowd);
}

int mode_crowd(void)
{
	struct crowd crowd = {0};
	uint64_t refused;

	crowd_open(&crowd);
	while (count(&crowd, DOCA_CTX_STATE_STARTING) != 0)
		engine_turn(&crowd.engine);
	refused = count(&crowd, DOCA_CTX_STATE_IDLE);
	peer_say("refused %lu", (unsigned long)refused);
	if (refused == 0)
		crowd_talk(&crowd);
	if (count(&crowd, DOCA_CTX_STATE_RUNNING) != crowd.num - refused)
		peer_wrong("%lu clients were lost",
			   (unsigned long)(crowd.num - count(&crowd, DOCA_CTX_STATE_RUNNING)));
	crowd_close(&crowd);
	return refused == 0 ? PEER_DONE : PEER_REFUSED;
}
