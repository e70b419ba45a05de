/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The control path of a test program: an engine that polls or sleeps, and ends (servers, clients)
 * on it. One thread. A lost or refused connection is recorded, never fatal here.
 */
#ifndef TESTS_E2E_PEER_END_H
#define TESTS_E2E_PEER_END_H

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_pe.h>

#include "kit.h"

struct engine {
	struct doca_pe *pe;
	bool asleep; /* in epoll_wait without a time-out, whenever there is nothing to do */
	int epoll;
	doca_notification_handle_t handle;
};
void engine_open(struct engine *engine, bool asleep);
void engine_close(struct engine *engine);
/* Another descriptor whose input ends a sleep. */
void engine_watch(struct engine *engine, int fd);
/* Progress once, or sleep until something comes and then progress all of it. */
void engine_turn(struct engine *engine);

struct end;
/* Those that are NULL are not called. */
struct end_events {
	void (*message)(struct end *end, struct doca_comch_connection *connection,
			const uint8_t *msg, uint32_t len);
	void (*connected)(struct end *end, struct doca_comch_connection *connection);
	void (*disconnected)(struct end *end, struct doca_comch_connection *connection);
	void (*consumer)(struct end *end, struct doca_comch_connection *connection, uint32_t id);
	void (*expired)(struct end *end, struct doca_comch_connection *connection, uint32_t id);
};

struct end {
	bool is_server;
	const struct end_events *events;
	void *owner;
	struct engine *engine;
	struct doca_dev *dev; /* not owned */
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct doca_ctx *ctx;
	struct doca_comch_connection *connection; /* newest; NULL when it has gone */
	enum doca_ctx_states state;
	bool stopping;	  /* by our own call */
	uint64_t lost_at; /* of a connection that went without our stop; 0: none */
	uint32_t in_flight;
	doca_error_t last_failure; /* of a send */
};

/* Created and configured for that many sends, not started. */
void end_open(struct end *end, bool is_server, struct engine *engine, struct doca_dev *dev,
	      struct doca_dev_rep *rep, uint32_t num_tasks);
void end_start(struct end *end);
/* Turns until RUNNING; false: it fell back to IDLE. */
bool end_connect(struct end *end);
doca_error_t end_send(struct end *end, struct doca_comch_connection *connection, const void *msg,
		      uint32_t len);
void end_stop(struct end *end);
void end_close(struct end *end);

enum doca_ctx_states ctx_state(const struct doca_ctx *ctx);

#endif
