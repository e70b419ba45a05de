/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Server: listens under a name for clients on the represented host function.
 *
 * Owner: the user; thread: its engine's. The agent's thread puts connecting clients into `waiting`
 * (under `lock`), the engine takes them out. Ends with destroy in IDLE; the name is free as soon as
 * it begins to stop.
 */
#ifndef SDPU_COMCH_SERVER_H
#define SDPU_COMCH_SERVER_H

#include <pthread.h>

#include "bus/rundir.h"
#include "comch/connection.h"
#include "comch/endpoint.h"
#include "comch/handshake.h"
#include "comch/name.h"

/*
 * A client whose hello was accepted by the agent, until the engine has dealt with it. It costs one
 * descriptor: hundreds may come before a busy engine looks.
 */
struct comch_waiting {
	struct sdpu_list node;
	int sock;
	pid_t pid;
	struct sdpu_ringer ringer;
	struct comch_hello hello;
};

struct doca_comch_server {
	struct comch_endpoint base;
	struct doca_dev_rep *rep;
	doca_comch_event_connection_status_changed_cb_t connected;
	doca_comch_event_connection_status_changed_cb_t disconnected;
	struct sdpu_claim *claim;
	struct sdpu_source source; /* polls for waiting clients */
	struct sdpu_list listed;   /* in the agent's list of servers */
	pthread_mutex_t lock;	   /* of waiting */
	struct sdpu_list waiting;
	uint32_t num_waiting; /* atomic: what the engine polls */
};

/* server_accept.c: the meeting point with the agent. */
void comch_server_list(struct doca_comch_server *server);
/* Afterwards the agent does not touch the server any more; those waiting are refused. */
void comch_server_unlist(struct doca_comch_server *server);
/* Takes one waiting client: connects or refuses it. The connect callback is the last act. False:
 * none. */
bool comch_server_accept(struct doca_comch_server *server);

#endif
