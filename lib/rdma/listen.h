/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Listener: a port of a context on which clients may ask for connections. Every back end listens
 * for clients of its kind.
 *
 * Owner: its context; thread: the engine's. Ends with doca_rdma_stop_listen_to_port() or the stop
 * of the context; requests that no connection was made for yet are refused then. A client that dies
 * takes its request with it.
 */
#ifndef SDPU_RDMA_LISTEN_H
#define SDPU_RDMA_LISTEN_H

#include <stdint.h>

#include <doca_error.h>

#include "base/list.h"
#include "rdma/address.h"

struct doca_rdma;
struct doca_rdma_connection;
struct rdma_backend;
struct local_listener;
struct fabric_listener;

struct rdma_listener {
	struct sdpu_list node; /* in rdma->listeners */
	struct doca_rdma *rdma;
	uint16_t port;
	struct local_listener *local;	/* the local back end's part, from listen to unlisten */
	struct fabric_listener *fabric; /* the fabric's */
};

/* The context stops: all of its listeners end. */
void rdma_listener_end_all(struct doca_rdma *rdma);
/* For back ends: logs why a client is refused, but for FULL, which is logged where it is found. */
void rdma_listener_tell(const struct rdma_listener *listener, doca_error_t why);

#endif
