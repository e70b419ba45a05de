/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ghosts: what is left of a link for a moment after its owner has closed it. A socket that is
 * closed while bytes of the peer's wait in it takes back what it has sent; so the peer is told how
 * much there is, and when it has it, it hangs up.
 *
 * Owner: the port, under its lock; ends when the peer hangs up, after half a second, or with the
 * port. No memory of the owner's is under way.
 */
#include <rdma/fi_cm.h>
#include <stdlib.h>

#include "rdma/fabric_endpoint.h"
#include "rdma/fabric_thread.h"

#define GHOST_LIFE (SDPU_SECOND / 2)

struct fabric_ghost {
	struct sdpu_list node;
	struct fid_ep *ep;
	struct fabric_line line;
	uint64_t until;
};

bool fabric_ghost_make(struct fabric_link *link)
{
	struct fabric_ghost *ghost;

	if (link->first_send != link->next_send)
		return false;
	ghost = malloc(sizeof(*ghost));
	if (ghost == NULL)
		return false;
	fabric_line_tell(&link->line, link->sent + 1);
	fabric_line_detach(link->port, &link->line);
	ghost->line = link->line;
	ghost->ep = link->ep;
	ghost->until = sdpu_clock_now() + GHOST_LIFE;
	link->line.fd = -1;
	link->ep = NULL;
	sdpu_list_append(&link->port->ghosts, &ghost->node);
	fabric_thread_kick();
	return true;
}

static void ghost_end(struct fabric_ghost *ghost)
{
	sdpu_list_remove(&ghost->node);
	(void)fi_shutdown(ghost->ep, 0);
	(void)fi_close(&ghost->ep->fid);
	fabric_line_close(&ghost->line);
	free(ghost);
}

void fabric_ghost_turn(struct fabric_port *port, uint64_t now)
{
	struct sdpu_list *node, *next;

	sdpu_list_for_each_safe (node, next, &port->ghosts) {
		struct fabric_ghost *ghost = sdpu_container_of(node, struct fabric_ghost, node);
		doca_error_t result;
		uint64_t count;

		do
			result = fabric_line_hear(&ghost->line, &count);
		while (result == DOCA_SUCCESS);
		if (result != DOCA_ERROR_AGAIN || now >= ghost->until)
			ghost_end(ghost);
	}
}

void fabric_ghost_end_all(struct fabric_port *port)
{
	while (!sdpu_list_empty(&port->ghosts))
		ghost_end(sdpu_container_of(port->ghosts.next, struct fabric_ghost, node));
}
