/* SPDX-License-Identifier: BSD-3-Clause
 *
 * RDMA context: connections, the receives that all of them share, and pools of tasks.
 *
 * Owner: the user; thread: that of its engine, but for export tables that back ends share with
 * threads of theirs. Start succeeds at once, with or without task types. Stop ends every connection
 * and gives all tasks back (SHUTDOWN); with none submitted it is over at once. When a peer dies its
 * connection fails and the context goes on.
 */
#ifndef SDPU_RDMA_RDMA_H
#define SDPU_RDMA_RDMA_H

#include <doca_rdma.h>

#include "base/list.h"
#include "core/ctx.h"
#include "core/dev.h"
#include "core/mmap.h"
#include "core/pe.h"
#include "core/task.h"
#include "rdma/op.h"

/* What the user has set, or the defaults. Constant while not IDLE. */
struct rdma_property {
	uint32_t send_queue_size; /* 0: not set */
	uint32_t recv_queue_size; /* 0: not set */
	uint32_t send_list_len;
	uint32_t recv_list_len;
	enum doca_rdma_transport_type transport;
	enum doca_mtu_size mtu;
	uint32_t permissions;
	uint32_t gid_index;
	uint32_t sl;
	uint16_t connect_timeout; /* ms */
	uint16_t max_connections;
	uint8_t grh_enabled;
	uint8_t rnr_retry_count;
};

/* NULL where the user has registered none. */
struct rdma_callbacks {
	doca_rdma_connection_request_cb_t request;
	doca_rdma_connection_established_cb_t established;
	doca_rdma_connection_failure_cb_t failed;
	doca_rdma_connection_disconnection_cb_t disconnected;
};

/* Mmaps that were looked at last: need not be again before any mmap has stopped. */
struct rdma_checked {
	const struct doca_mmap *mmap; /* NULL: none yet */
	uint32_t stops;		      /* sdpu_mmap_stops then */
};
static inline bool rdma_checked_is(const struct rdma_checked *checked, const struct doca_mmap *mmap)
{
	return mmap == checked->mmap && sdpu_load(&sdpu_mmap_stops) == checked->stops;
}
struct rdma_checked_remote {
	struct rdma_checked checked;
	struct sdpu_reach *reach;
	const struct sdpu_blob *source;
};

struct fabric_port;

struct doca_rdma {
	struct doca_ctx ctx;
	struct rdma_property property;
	struct rdma_callbacks callbacks;
	struct sdpu_task_pool receives;
	struct sdpu_task_pool ops[RDMA_OP_KINDS];
	struct rdma_checked readable; /* local mmaps, by operations and receives */
	struct rdma_checked writable;
	struct rdma_checked_remote remote;
	struct sdpu_task_queue posted; /* receives, the oldest first */
	uint64_t num_posted;	       /* for watchers (sdpu_count) */
	struct sdpu_list hungry;       /* connections with a message and no receive for it */
	struct sdpu_list connections;  /* all ever made, by rising id; memory lives as long as we */
	uint32_t num_connections;
	uint32_t num_live;	    /* of these, not DEAD */
	struct sdpu_list listeners; /* ports on which clients may ask */
	bool has_acceptor; /* other machines reach the process, from the first export to the end */
	struct fabric_port *fabric; /* of its connections to other machines; NULL: there are none */
};

static inline const struct sdpu_limits *rdma_limits(const struct doca_rdma *rdma)
{
	return sdpu_dev_function(rdma->ctx.dev)->limits;
}

/* vec.c. Local memory of an operation or a receive: asks the mmap, and remembers a yes. */
bool rdma_mmap_look(struct doca_rdma *rdma, const struct doca_mmap *mmap, bool writes);
static inline bool rdma_mmap_accepts(struct doca_rdma *rdma, const struct doca_mmap *mmap,
				     bool writes)
{
	/* Separate, so that a program that moves from one to the other finds both here. */
	const struct rdma_checked *checked = writes ? &rdma->writable : &rdma->readable;

	return sdpu_likely(rdma_checked_is(checked, mmap)) || rdma_mmap_look(rdma, mmap, writes);
}

#define RDMA_GID_TABLE_SIZE 4 /* samples offer indices 0 to 3 */

/* capability.c: INVALID_VALUE for an unknown transport, NOT_SUPPORTED for what is not RC. */
doca_error_t rdma_transport_check(enum doca_rdma_transport_type transport);

/* Entry `index` of the function's table of GIDs. */
void rdma_gid_at(const struct sdpu_function *function, uint32_t index, struct doca_rdma_gid *gid);

/* property.c */
void rdma_property_init(struct rdma_property *property);

/* rdma.c. BAD_STATE (logged, `call` names the function) unless RUNNING. */
doca_error_t rdma_check_running(const struct doca_rdma *rdma, const char *call);

#endif
