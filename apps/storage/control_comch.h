/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The control channel between initiator (comch client) and bridge (comch server), and what else
 * comes over that connection: the announcements of the peer's consumers.
 *
 * One object per program; it owns server or client and uses the program's control engine, which
 * its owner progresses. Server callbacks find the object through the user data of the context,
 * those of an established connection through the user data of the connection; a connection
 * without is one that the bridge has turned away. Peer death: the disconnect callback at the
 * server, a state other than RUNNING at the client.
 */
#ifndef STORAGE_CONTROL_COMCH_H
#define STORAGE_CONTROL_COMCH_H

#include "consumer_ids.h"
#include "control.h"

#include <doca_comch.h>
#include <doca_dev.h>
#include <doca_pe.h>

/* Control messages under way at one time; more than the protocol ever needs. */
#define CONTROL_COMCH_SEND_TASKS 8

struct control_comch {
	struct control_channel channel;
	struct doca_pe *pe;		  /* control engine, borrowed */
	struct doca_comch_server *server; /* the bridge's side ... */
	struct doca_comch_client *client; /* ... or the initiator's */
	struct doca_comch_connection *connection;
	struct consumer_ids consumers;
	doca_error_t receive_error; /* first message that the inbox refused */
	uint64_t next_start;	    /* client: when to try to connect again */
	uint64_t start_pause;
};

void control_comch_init(struct control_comch *comch, const char *peer);

/* Bridge: makes the server and waits without limit for the one client. */
doca_error_t control_comch_listen(struct control_comch *comch, struct doca_pe *pe,
				  struct doca_dev *dev, struct doca_dev_rep *rep, const char *name,
				  struct fault *fault);
doca_error_t control_comch_accept(struct control_comch *comch, struct waiter *waiter);

/* Initiator: makes the client and connects it, trying again for at most limit seconds. */
doca_error_t control_comch_connect(struct control_comch *comch, struct doca_pe *pe,
				   struct doca_dev *dev, const char *name, uint32_t limit,
				   struct waiter *waiter);

/*
 * Waits at most limit seconds until the peer has announced count consumers; more of them are a
 * fault at once.
 */
doca_error_t control_comch_wait_consumers(struct control_comch *comch, struct waiter *waiter,
					  uint32_t count, uint32_t limit);

/* Stops and destroys server or client; harmless when there is none. */
void control_comch_close(struct control_comch *comch, struct fault *fault);

/* Shared by the two ends: callbacks that server and client register. */
extern const struct control_ops control_comch_ops;
void control_comch_sent(struct doca_comch_task_send *task, union doca_data task_user_data,
			union doca_data ctx_user_data);
void control_comch_send_failed(struct doca_comch_task_send *task, union doca_data task_user_data,
			       union doca_data ctx_user_data);
void control_comch_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t size,
			    struct doca_comch_connection *connection);
void control_comch_consumer_added(struct doca_comch_event_consumer *event,
				  struct doca_comch_connection *connection, uint32_t id);
void control_comch_consumer_expired(struct doca_comch_event_consumer *event,
				    struct doca_comch_connection *connection, uint32_t id);
struct doca_ctx *control_comch_ctx(const struct control_comch *comch);

#endif
