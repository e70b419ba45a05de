/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lingering close: the endpoint and the control connection of a link that its owner has
 * closed. A kernel that closes a TCP socket with unread bytes in it resets the connection, and the
 * peer may lose what was sent last. So the peer is told how many frames there are, and the endpoint
 * is kept until it has them all and hangs up.
 *
 * Owner: the port, under its lock. It ends when the peer hangs up or dies, after half a second, or
 * with the port. No memory of the link's owner is in use.
 */
#include <rdma/fi_cm.h>
#include <stdlib.h>

#include "rdma/fabric_endpoint.h"
#include "rdma/fabric_thread.h"

#define LINGER_TIME (SDPU_SECOND / 2)

struct fabric_linger {
	struct sdpu_list node;
	struct fid_ep *ep;
	struct fabric_control control;
	uint64_t until;
};

bool fabric_linger_start(struct fabric_link *link)
{
	struct fabric_linger *linger;

	if (link->first_send != link->next_send)
		return false;
	linger = malloc(sizeof(*linger));
	if (linger == NULL)
		return false;
	fabric_control_send_count(&link->control, link->sent + 1);
	fabric_control_detach(link->port, &link->control);
	linger->control = link->control;
	linger->ep = link->ep;
	linger->until = sdpu_clock_now() + LINGER_TIME;
	link->control.fd = -1;
	link->ep = NULL;
	sdpu_list_append(&link->port->lingering, &linger->node);
	fabric_thread_kick();
	return true;
}

static void linger_end(struct fabric_linger *linger)
{
	sdpu_list_remove(&linger->node);
	(void)fi_shutdown(linger->ep, 0);
	(void)fi_close(&linger->ep->fid);
	fabric_control_close(&linger->control);
	free(linger);
}

void fabric_linger_step(struct fabric_port *port, uint64_t now)
{
	struct sdpu_list *node, *next;

	sdpu_list_for_each_safe (node, next, &port->lingering) {
		struct fabric_linger *linger = sdpu_container_of(node, struct fabric_linger, node);
		doca_error_t result;
		uint64_t count;

		do
			result = fabric_control_receive_count(&linger->control, &count);
		while (result == DOCA_SUCCESS);
		if (result != DOCA_ERROR_AGAIN || now >= linger->until)
			linger_end(linger);
	}
}

void fabric_linger_end_all(struct fabric_port *port)
{
	while (!sdpu_list_empty(&port->lingering))
		linger_end(sdpu_container_of(port->lingering.next, struct fabric_linger, node));
}
