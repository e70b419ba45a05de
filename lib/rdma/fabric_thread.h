/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The progress thread: works for the ports of this process while their programs do not poll
 * (fabric_port.h). One sleeping thread, all signals blocked; started by the first port, joined by
 * the last, and ended at exit() before libfabric is. It takes a port's lock for one
 * fabric_port_progress(), and runs no user callback.
 */
#ifndef SDPU_RDMA_FABRIC_THREAD_H
#define SDPU_RDMA_FABRIC_THREAD_H

#include "rdma/fabric_port.h"

/* OPERATING_SYSTEM (logged). */
doca_error_t fabric_thread_add(struct fabric_port *port);
/* It is not in the port any more when this returns. Not with the port's lock held. */
void fabric_thread_remove(struct fabric_port *port);
/* All ports are progressed soon. Any thread, any locks. */
void fabric_thread_kick(void);

#endif
