/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Offers: passive endpoints that wait for the endpoint of one peer. libfabric 1.17 goes on with
 * connections that it has accepted for a passive endpoint after that is closed, in memory that it
 * has freed. So one that has served its purpose is retired first: it stops listening, whoever hangs
 * on it is hung up, and it is closed when libfabric has noticed all that.
 *
 * Owner: a link, then the port. Under the port's lock.
 */
#ifndef SDPU_RDMA_FABRIC_OFFER_H
#define SDPU_RDMA_FABRIC_OFFER_H

#include <rdma/fabric.h>

#include "rdma/fabric_port.h"

struct fabric_offer {
	struct sdpu_list node; /* in port->offers, once retired */
	struct fid_pep *pep;
	struct rdma_address at;	  /* where it listens */
	struct rdma_address peer; /* whose connection stays; port 0: nobody's */
	int listener;		  /* its socket, once it does not listen any more */
};

/* Listens at the address of `info`, at any port: both are told in *at. NO_MEMORY;
 * CONNECTION_ABORTED (logged). */
doca_error_t fabric_offer_open(struct fabric_port *port, struct fi_info *info,
			       struct rdma_address *at, struct fabric_offer **offer);
/* `ep` has come of it; NULL: nothing has. */
void fabric_offer_retire(struct fabric_port *port, struct fabric_offer *offer, struct fid_ep *ep);
/* Closes those that may be closed. False: there are more. */
bool fabric_offer_turn(struct fabric_port *port);

#endif
