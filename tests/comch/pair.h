/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A Comch server and a client for tests, each an `end` with its own device, engine and record of
 * what happened to it. Both may live in one process (one thread progresses both) or in two.
 */
#ifndef TESTS_COMCH_PAIR_H
#define TESTS_COMCH_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>

#include "t.h"

#define PAIR_NAME "pair"
#define PAIR_IDS 64

struct end {
	bool is_server;
	const char *name;
	uint32_t num_tasks;
	struct doca_dev *dev;
	struct doca_dev_rep *rep;
	struct doca_pe *pe;
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct doca_ctx *ctx;
	struct doca_comch_connection *connection; /* the one that came last */

	/* What happened. */
	enum doca_ctx_states states[64];
	uint32_t num_states;
	uint32_t connects, disconnects;
	uint32_t sent, failed;
	doca_error_t last_status;
	uint32_t received;
	uint8_t message[4096];
	uint32_t message_len;
	uint32_t ids[PAIR_IDS]; /* consumers of the peer, in order of coming */
	uint32_t num_ids, expired;
	bool keep_tasks; /* the callbacks leave tasks to the test */
	struct doca_task *last_task;

	/* Called at the end of the callbacks, when set. */
	void (*on_message)(struct end *end, struct doca_comch_connection *connection);
	void (*on_connect)(struct end *end, struct doca_comch_connection *connection);
	void (*on_disconnect)(struct end *end, struct doca_comch_connection *connection);
	void (*on_state)(struct end *end, enum doca_ctx_states next);
	void (*on_sent)(struct end *end, struct doca_task *task);
	void (*on_consumer)(struct end *end, uint32_t id);
	void (*on_expired)(struct end *end, uint32_t id);
	void *arg;
};

/* Opens the first device that can, and for a server the representor of the first host function. */
void end_open_dev(struct end *end, bool is_server);
/* Also creates and configures the object, not started. name NULL: PAIR_NAME; num_tasks 0: 16; pe
 * NULL: one of its own. */
void end_create(struct end *end, bool is_server);
/* Starts a server, or a client (progress is the caller's). */
void end_start(struct end *end);
/* Stops, progresses to IDLE with a deadline, destroys everything. Safe on what was not created. */
void end_close(struct end *end);
/* Progresses until nothing happens. */
void end_drain(struct end *end);
enum doca_ctx_states end_state(const struct end *end);
doca_error_t end_try_send(struct end *end, struct doca_comch_connection *connection,
			  const void *msg, uint32_t len);
void end_send(struct end *end, const void *msg, uint32_t len);

struct pair {
	struct end server;
	struct end client;
};
/* Both ends in this process, connected. */
void pair_open(struct pair *pair);
void pair_close(struct pair *pair);
/* One progress on each; true when any of them did something. Usable in T_EVENTUALLY. */
bool pair_progress(struct pair *pair);

#define PAIR_UNTIL(pair, cond) T_EVENTUALLY((pair_progress(pair), (cond)), 10000)
#define END_UNTIL(end, cond) T_EVENTUALLY((doca_pe_progress((end)->pe), (cond)), 10000)

#endif
