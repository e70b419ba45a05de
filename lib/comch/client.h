/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Client: connects to one server by name. Never inside start: the server's answer is taken by
 * progress.
 *
 * Owner: the user; thread: its engine's. Ends with destroy in IDLE; can be started any number of
 * times. When the server goes, it stops by itself.
 */
#ifndef SDPU_COMCH_CLIENT_H
#define SDPU_COMCH_CLIENT_H

#include "bus/deadline.h"
#include "comch/connection.h"
#include "comch/endpoint.h"

struct doca_comch_client {
	struct comch_endpoint base;
	struct doca_comch_connection *connection; /* from RUNNING to IDLE */
	struct sdpu_source source; /* while STARTING: polls for the server's answer */
	int sock;		   /* while STARTING */
	pid_t server_pid;
	struct sdpu_death_watch death_watch; /* while STARTING: of the server's process */
	uint32_t server_dead;		     /* set by the agent */
	uint32_t bit;
	uint64_t retry_until;	       /* while the server's backlog is full */
	struct sdpu_deadline patience; /* when to log that the server does not answer */
};

/* client_connect.c. Begins to connect. Cannot fail: the first poll finds what is wrong. */
void comch_client_connect(struct doca_comch_client *client);
/* Gives up an unfinished attempt. */
void comch_client_abandon(struct doca_comch_client *client);

#endif
