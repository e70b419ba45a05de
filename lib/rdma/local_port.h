/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ports in the runtime directory: one claim per (function, port), which tells the endpoint of the
 * process that listens, the cookie of the listener, and the addresses of the function. Freed at
 * once when the listener ends or its process dies.
 */
#ifndef SDPU_RDMA_LOCAL_PORT_H
#define SDPU_RDMA_LOCAL_PORT_H

#include "bus/agent.h"
#include "bus/rundir.h"
#include "core/dev.h"
#include "rdma/address.h"
#include "rdma/blob.h"

/* Who listens. */
struct local_port {
	char endpoint[SDPU_ENDPOINT_MAX];
	uint8_t cookie[RDMA_COOKIE_SIZE];
};

/* ALREADY_EXIST: somebody living has it. Requires a running agent. */
doca_error_t local_port_claim(const struct sdpu_function *function, uint16_t port,
			      const uint8_t cookie[RDMA_COOKIE_SIZE], struct sdpu_claim **claim);
/*
 * Who listens at `to`, as seen from `from`: on the function with that address, or, when it is one
 * of this machine's own, on any. With several, the function `from` and its side are preferred.
 * NOT_FOUND: nobody. Looks at all claims that there are.
 */
doca_error_t local_port_find(const struct sdpu_function *from, const struct rdma_address *to,
			     struct local_port *found);

#endif
