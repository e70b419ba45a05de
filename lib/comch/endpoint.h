/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Endpoint: what server and client have in common; the first member of both, so that a
 * doca_comch_server, its endpoint and its context have one address.
 *
 * Owner: the user. Thread: that of its engine. Ends with destroy in IDLE. When a peer dies its
 * connection is lost: the server goes on, the client stops.
 */
#ifndef SDPU_COMCH_ENDPOINT_H
#define SDPU_COMCH_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_comch.h>

#include "base/list.h"
#include "core/ctx.h"
#include "core/dev.h"
#include "core/pe.h"
#include "core/task.h"

#define SDPU_COMCH_NAME_MAX 128 /* bytes kept; the capability is smaller */

struct comch_endpoint {
	struct doca_ctx ctx;
	bool is_server;
	char name[SDPU_COMCH_NAME_MAX];
	uint32_t max_msg_size;
	bool max_msg_size_set; /* by the user: then the peer's must be equal if it was set too */
	uint32_t recv_queue_size;
	struct sdpu_task_pool sends;
	doca_comch_event_msg_recv_cb_t received;
	doca_comch_event_consumer_cb_t consumer_came;
	doca_comch_event_consumer_cb_t consumer_went;
	struct sdpu_list connections; /* open and ended ones */
	struct sdpu_list dead;	      /* forgotten ones, for reuse */
	/* A connection has ended without our doing; the last act of its source. Set by server and
	 * client. */
	void (*lost)(struct doca_comch_connection *connection);
	uint32_t num_connections;
	uint8_t *message; /* private copy of the message that is being delivered: the peer can
			     change the ring's */
};

/* Copies the name. INVALID_VALUE for one that is empty or too long. */
doca_error_t comch_endpoint_init(struct comch_endpoint *endpoint, struct doca_dev *dev,
				 const char *name, const struct sdpu_ctx_ops *ops);
doca_error_t comch_endpoint_fini(struct comch_endpoint *endpoint);

/* Parts of the context's ops that both have in common. */
doca_error_t comch_endpoint_check(struct comch_endpoint *endpoint);
doca_error_t comch_endpoint_open(struct comch_endpoint *endpoint);
/* IN_USE while a producer or consumer of one of its connections is not IDLE. */
doca_error_t comch_endpoint_may_stop(struct doca_ctx *ctx);

/* Setters and getters behind doca_comch_{server,client}_*; `call` is the public name. */
doca_error_t comch_endpoint_set_max_msg_size(struct comch_endpoint *endpoint, uint32_t size,
					     const char *call);
doca_error_t comch_endpoint_set_recv_queue_size(struct comch_endpoint *endpoint, uint32_t size,
						const char *call);
doca_error_t comch_endpoint_set_received(struct comch_endpoint *endpoint,
					 doca_comch_event_msg_recv_cb_t received, const char *call);
doca_error_t comch_endpoint_set_consumer_events(struct comch_endpoint *endpoint,
						doca_comch_event_consumer_cb_t came,
						doca_comch_event_consumer_cb_t went,
						const char *call);
doca_error_t comch_endpoint_conf_sends(struct comch_endpoint *endpoint,
				       doca_comch_task_send_completion_cb_t completed,
				       doca_comch_task_send_completion_cb_t failed, uint32_t num);
doca_error_t comch_endpoint_alloc_send(struct comch_endpoint *endpoint,
				       struct doca_comch_connection *peer, const void *msg,
				       uint32_t len, struct doca_comch_task_send **task);

#endif
