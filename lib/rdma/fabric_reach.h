/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ways to the memory that this process has exported, for requesters of other machines: a window
 * opened by its own key, be it ours or (exported again) another process's, one code for all. So
 * nothing that a user may have freed is ever touched in place.
 *
 * Owner: the port, until the memory is no longer exported; counted while requests use it. Opening
 * asks the owner's agent, which takes up to 2 s when that process is stopped: a thread of its own
 * does it, and the requests of that link wait for it. Threads: as the port.
 */
#ifndef SDPU_RDMA_FABRIC_REACH_H
#define SDPU_RDMA_FABRIC_REACH_H

#include "core/export_table.h"
#include "rdma/fabric_proto.h"

struct fabric_lookup;

struct fabric_reach {
	struct sdpu_list node; /* in port->reaches */
	struct sdpu_export what;
	struct sdpu_reach *reach;     /* once it is open */
	struct fabric_lookup *lookup; /* while it is not */
	doca_error_t result;	      /* of opening it */
	uint32_t users;
	bool stale; /* no longer exported: goes with its last user */
};

/*
 * SUCCESS: the caller's to use until fabric_reach_drop(). IN_PROGRESS: it is being opened; the port
 * is kicked when that is over. NOT_PERMITTED: not exported by this process (any more); else what a
 * requester is told when its owner cannot be reached.
 */
doca_error_t fabric_reach_find(struct fabric_proto_port *port, const uint8_t key[SDPU_KEY_SIZE],
			       struct fabric_reach **reach);
/* NULL is harmless. */
void fabric_reach_drop(struct fabric_reach *reach);

/* True: a way that was being opened is open, or will not be. */
bool fabric_reach_drive(struct fabric_proto_port *port);
/* Without the lock: waits for what is being opened. Nobody uses any. */
void fabric_reach_close_all(struct fabric_proto_port *port);

#endif
