/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fabric back end: the ends are on two machines, or in two network namespaces. Frames of a protocol
 * of ours (fabric_proto.h) go over links (fabric_link.h), which connected endpoints of libfabric
 * carry over TCP. Two ends find each other, and notice each other's end, on TCP sockets of ours
 * (fabric_control.h, fabric_acceptor.h); libfabric is not loaded before a connection needs it.
 *
 * Owner: the connection. Thread: the engine's; link, protocol and joining lie under the lock of the
 * context's port (fabric_port.h), which the progress thread takes as well. Ends with the
 * connection; when the peer dies or closes, what it sent before is taken as far as receives are
 * posted, then the connection fails.
 *
 *   exported    entry at the process's acceptor
 *   requested   a caller, parked
 *   connecting  link, protocol and joining
 *   connected   link and protocol
 */
#ifndef SDPU_RDMA_FABRIC_CONNECTION_H
#define SDPU_RDMA_FABRIC_CONNECTION_H

#include "rdma/backend.h"
#include "rdma/fabric_join.h"

struct rdma_fabric {
	struct fabric_port *port; /* NULL: no link yet */
	struct fabric_link link;
	struct fabric_proto proto;
	struct fabric_join join;
	/* Engine's thread, within one progress. */
	bool asked;		      /* for frames, and not all that came is dealt with */
	bool rests;		      /* the program is to have its turn */
	struct fabric_entry entry;    /* exported */
	struct fabric_caller *caller; /* requested */
};

/* NO_MEMORY. */
doca_error_t fabric_make(struct doca_rdma_connection *connection);
/* Link, protocol and joining, with the port's lock held on success. `own` as in fabric_join_open().
 */
doca_error_t fabric_attach(struct doca_rdma_connection *connection, struct fabric_hello *own);
/* Undoes that, without the lock. */
void fabric_detach(struct doca_rdma_connection *connection);
/* Why joining did not succeed, once. */
void fabric_log_failure(const struct doca_rdma_connection *connection);

/* fabric_listen.c: slots of backend.h */
doca_error_t fabric_listen(struct rdma_listener *listener);
void fabric_unlisten(struct rdma_listener *listener);
doca_error_t fabric_dial(struct doca_rdma_connection *connection, const struct rdma_address *to);
doca_error_t fabric_accept(struct doca_rdma_connection *connection, const void *private_data,
			   uint8_t len);
void fabric_reject(struct doca_rdma_connection *connection);

#endif
