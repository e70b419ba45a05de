/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Endpoints: how a link comes into being and goes, between fabric_port.h and its owner. Two ends
 * that have found each other on a control connection do this: one *offers* (it listens on the
 * address of that connection, at a port that it tells on it), the other *requests*. The one that
 * requests says the other one's token; whoever says another one is rejected. Nothing listens before
 * or afterwards.
 *
 * Each function wants the port's lock; none blocks.
 */
#ifndef SDPU_RDMA_FABRIC_ENDPOINT_H
#define SDPU_RDMA_FABRIC_ENDPOINT_H

#include "rdma/fabric_port.h"

/* CLOSED to JOINING: it has a token, a place in the port, and the memory to offer or to request,
 * once. The owner has filled ops. */
doca_error_t fabric_link_open(struct fabric_link *link, struct fabric_port *port);
/* Listens for the peer's endpoint at `self`, whose port is told. Once: after a failure the link is
 * to be closed. NO_MEMORY; CONNECTION_ABORTED (logged). */
doca_error_t fabric_link_offer(struct fabric_link *link, struct rdma_address *self);
/* Begins to connect to the peer's. Once. CONNECTION_ABORTED (logged). */
doca_error_t fabric_link_request(struct fabric_link *link, const struct rdma_address *peer);
/* Joined: the control connection is the link's from now on. */
void fabric_link_take_control(struct fabric_link *link, struct fabric_control *control);

/* The progress thread is told when it can be read. Detaching a closed one is harmless. */
doca_error_t fabric_control_attach(struct fabric_port *port, struct fabric_control *control,
				   struct fabric_link *link);
void fabric_control_detach(struct fabric_port *port, struct fabric_control *control);

/* JOINING to UP. */
void fabric_link_come_up(struct fabric_link *link);
/* UP to ENDING. What came before is read until all is there, or for a second. */
void fabric_link_end(struct fabric_link *link);
/* Its control connection can be read. */
void fabric_link_read_control(struct fabric_link *link);
/* Gives endpoint and control connection back. */
void fabric_link_drop(struct fabric_link *link);

/* Out of the queue: a frame; the oldest send is done. */
void fabric_link_receive(struct fabric_link *link, struct fabric_rx *rx);
void fabric_link_complete(struct fabric_link *link);
/* What a round owes it. */
void fabric_link_drive(struct fabric_link *link);

/* All events of the port's endpoints. */
void fabric_port_read_events(struct fabric_port *port);

/* Lingering close (fabric_linger.c): for links whose last frames are on their way. start takes
 * endpoint and control connection over, and tells the peer how much it will get; false: a send of
 * the owner's is not done, or there is no memory. step ends those that are over. */
bool fabric_linger_start(struct fabric_link *link);
void fabric_linger_step(struct fabric_port *port, uint64_t now);
void fabric_linger_end_all(struct fabric_port *port);

#endif
