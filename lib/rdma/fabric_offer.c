/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Offers; contract in fabric_offer.h. libfabric does not show its sockets, but they are in our
 * descriptor table: those with the address at which it listens for us.
 */
#include "rdma/fabric_offer.h"

#include <dirent.h>
#include <errno.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_endpoint.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static int offer_listen(struct fabric_port *port, struct fi_info *info, struct fabric_offer *offer)
{
	struct sockaddr_storage at = {0};
	size_t len = sizeof(at);
	int error = fi_passive_ep(port->fabric, info, &offer->pep, NULL);

	if (error == 0)
		error = fi_pep_bind(offer->pep, &port->eq->fid, 0);
	if (error == 0)
		error = fi_listen(offer->pep);
	if (error == 0)
		error = fi_getname(&offer->pep->fid, &at, &len);
	if (error == 0)
		fabric_address_of(&at, &offer->at);
	else
		sdpu_log_err("doca_rdma: libfabric: fi_listen: %s", port->lib->strerror(-error));
	return error;
}

static void offer_close(struct fabric_offer *offer)
{
	sdpu_list_remove(&offer->node);
	if (offer->pep != NULL)
		(void)fi_close(&offer->pep->fid);
	free(offer);
}

doca_error_t fabric_offer_open(struct fabric_port *port, struct fi_info *info,
			       struct rdma_address *at, struct fabric_offer **out)
{
	struct fabric_offer *offer = calloc(1, sizeof(*offer));
	int error;

	if (offer == NULL)
		return DOCA_ERROR_NO_MEMORY;
	sdpu_list_init(&offer->node);
	offer->listener = -1;
	error = offer_listen(port, info, offer);
	if (error != 0) {
		offer_close(offer);
		return error == -ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_CONNECTION_ABORTED;
	}
	*at = offer->at;
	*out = offer;
	return DOCA_SUCCESS;
}

static bool same(const struct rdma_address *a, const struct rdma_address *b)
{
	return a->port == b->port && rdma_address_same_host(a, b);
}

/* True: one that libfabric still has to notice. */
static bool sock_end(struct fabric_offer *offer, int fd)
{
	struct rdma_address self, peer;
	socklen_t len = sizeof(int);
	int listens;

	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) != 0)
		return false;
	fabric_sock_self(fd, &self);
	if (!same(&self, &offer->at))
		return false;
	fabric_sock_peer(fd, &peer);
	if (offer->peer.port != 0 && same(&peer, &offer->peer))
		return false;
	/* It looks like any other when it has stopped to listen. */
	if (listens)
		offer->listener = fd;
	(void)shutdown(fd, SHUT_RDWR);
	return fd != offer->listener;
}

static bool offer_has_callers(struct fabric_offer *offer)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;
	bool has = false;

	if (dir == NULL)
		return false;
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.' && sock_end(offer, atoi(entry->d_name)))
			has = true;
	closedir(dir);
	return has;
}

void fabric_offer_retire(struct fabric_port *port, struct fabric_offer *offer, struct fid_ep *ep)
{
	struct sockaddr_storage peer = {0};
	size_t len = sizeof(peer);

	if (ep != NULL && fi_getpeer(ep, &peer, &len) == 0)
		fabric_address_of(&peer, &offer->peer);
	sdpu_list_append(&port->offers, &offer->node);
}

bool fabric_offer_turn(struct fabric_port *port)
{
	struct sdpu_list *node, *next;

	sdpu_list_for_each_safe (node, next, &port->offers) {
		struct fabric_offer *offer = sdpu_container_of(node, struct fabric_offer, node);

		if (!offer_has_callers(offer))
			offer_close(offer);
	}
	return sdpu_list_empty(&port->offers);
}
