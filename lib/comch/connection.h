/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connection: one client-server pair, seen from one end.
 *
 * Owner: its endpoint, in the endpoint's thread; producers and consumers on it (own threads, own
 * engines) hold references, so that its memory lives until the last of them is destroyed, though
 * the user's handle died before. What they share is under `lock`: the registry of local objects,
 * ids, and remote consumers; no path that moves data takes it.
 *
 * Ends: disconnect or stop on this side (closed), or on the peer's, or its death (lost). The peer's
 * last messages are delivered before its end is acted on; ours stay readable for the peer, which
 * has its own mapping. Sends that the peer has acknowledged succeed, the others fail.
 */
#ifndef SDPU_COMCH_CONNECTION_H
#define SDPU_COMCH_CONNECTION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_comch.h>

#include "base/list.h"
#include "bus/stats.h"
#include "bus/channel.h"
#include "comch/control_ring.h"
#include "core/pe.h"
#include "core/task.h"

struct comch_endpoint;
struct comch_remote;

enum comch_connection_state {
	COMCH_CONNECTION_DEAD, /* forgotten; the memory waits for reuse, so that old handles are
				  recognised */
	COMCH_CONNECTION_OPEN,
	COMCH_CONNECTION_ENDED, /* closed by us, or lost: no traffic any more; not yet told to the
				   user */
};

enum comch_member_kind { COMCH_PRODUCER, COMCH_CONSUMER, COMCH_MEMBER_KINDS };
/* Programs take 0 and 0xffff for nobody, and entries carry 16 bits. Then they begin again at 1. */
#define COMCH_MEMBER_ID_MAX 0xfffeu

struct doca_comch_connection {
	struct comch_endpoint *endpoint; /* set as long as the endpoint lives, whatever the state */
	struct sdpu_list node;		 /* in endpoint->connections, later in endpoint->dead */
	enum comch_connection_state state;
	union doca_data user_data;
	struct sdpu_channel channel;
	pid_t peer; /* kept when the channel has ended */
	struct sdpu_source source;
	struct comch_tx tx;
	struct comch_rx rx;
	bool message_seen;   /* the next message is there, and acks_first counted */
	uint32_t acks_first; /* completions that come before it */
	struct sdpu_task_queue
		sent;		 /* control sends that the peer has not acknowledged, in order */
	struct sdpu_stats stats; /* until it is forgotten */
	uint64_t counter[4]; /* as of the last update_info: sent messages, bytes, received messages,
				bytes */

	/* Shared with threads of producers and consumers. */
	uint32_t refs; /* atomic: endpoint (until it is destroyed), producers, consumers */
	uint32_t lost; /* atomic: no peer any more, or closed by us */
	uint32_t remotes_changed; /* atomic: counts expiries, for producers that keep references to
				     remotes */
	pthread_mutex_t lock;
	struct sdpu_list members; /* struct comch_member: local producers and consumers */
	uint32_t num_members[COMCH_MEMBER_KINDS];
	uint32_t last_id[COMCH_MEMBER_KINDS]; /* ids count from 1 in order of creation */
	struct sdpu_list remotes;	      /* struct comch_remote: live consumers of the peer */
};

/* What the registry knows of a local producer or consumer; embedded in it. */
struct comch_member {
	struct sdpu_list node;
	struct doca_comch_connection *connection;
	struct doca_ctx *ctx;
	enum comch_member_kind kind;
	uint32_t busy; /* atomic: not IDLE. Stands against disconnect and stop. Written by the
			  member's thread */
	uint32_t id;
};

/*
 * Fast path's entries (fast_*.c), called by the connection in the endpoint's thread for mail of
 * these types. They may call the user as their last act. INVALID_VALUE: the peer lies; the
 * connection is ended as lost.
 */
enum comch_mail_type { COMCH_MAIL_CONSUMER_CAME = 1, COMCH_MAIL_CONSUMER_WENT = 2 };
struct comch_mail_head {
	uint32_t type;
	uint32_t id;
};
doca_error_t comch_remote_came(struct doca_comch_connection *connection,
			       struct sdpu_record *record);
doca_error_t comch_remote_went(struct doca_comch_connection *connection,
			       struct sdpu_record *record);
/* The connection has ended: forget all remotes (producers' references stay until they let go). */
void comch_remote_drop_all(struct doca_comch_connection *connection);

/* parts.segment holds the rings laid out for tx/rx as in shape. On success the endpoint's thread
 * polls it. */
doca_error_t comch_connection_create(struct comch_endpoint *endpoint,
				     const struct sdpu_channel_parts *parts,
				     const struct comch_ring_shape shape[2],
				     struct doca_comch_connection **connection);

/* Ends traffic: tells the peer, fails what is in flight with `status`, members' engines get to
 * know. Calls no user callback. */
void comch_connection_end(struct doca_comch_connection *connection, doca_error_t status);
/* After end: leaves the endpoint's live ones. The handle is dead, its memory is kept for reuse. */
void comch_connection_forget(struct doca_comch_connection *connection);

/*
 * A record for the peer's end of the connection, from a member's thread. AGAIN: try later;
 * NOT_CONNECTED: no peer any more.
 */
doca_error_t comch_connection_mail(struct doca_comch_connection *connection, const void *bytes,
				   size_t len, const int *fds, uint32_t num_fds);

/* At the end of the endpoint's life: gives up the dead ones. */
void comch_connection_release_dead(struct comch_endpoint *endpoint);

/* BAD_STATE, logged: the connection is not alive. */
doca_error_t comch_member_refuse(enum comch_member_kind kind);
/*
 * Enters the registry and takes a reference; gives the id. BAD_STATE: the connection has ended;
 * NO_MEMORY: `max` of that kind are there. From the member's thread.
 */
doca_error_t comch_member_join(struct comch_member *member,
			       struct doca_comch_connection *connection, struct doca_ctx *ctx,
			       enum comch_member_kind kind, uint32_t max);
/* Leaves, and gives the reference back: the connection's memory may be gone afterwards. */
void comch_member_leave(struct comch_member *member);

/* References of members. Thread-safe. */
void comch_connection_hold(struct doca_comch_connection *connection);
void comch_connection_release(struct doca_comch_connection *connection);

/* True while a producer or consumer is not IDLE. */
bool comch_connection_busy(struct doca_comch_connection *connection);

/* Peer is there as far as we know. Any thread; two loads. */
static inline bool comch_connection_alive(const struct doca_comch_connection *connection)
{
	return sdpu_load_acquire(&connection->lost) == 0 &&
	       !sdpu_channel_gone(&connection->channel);
}

#endif
