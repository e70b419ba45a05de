/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Endpoints: libfabric's side of joining, and its events; contract in fabric_endpoint.h.
 */
#include "rdma/fabric_endpoint.h"

#include <rdma/fi_cm.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/bytes.h"
#include "base/log.h"
#include "rdma/fabric_join.h"
#include "rdma/fabric_offer.h"

#define TOKEN_SIZE 8u
#define EVENT_MAX 512u
#define EVENTS_AT_ONCE 4096

/* What an endpoint at an address is made from, which is filled in by info_place(). */
static struct fi_info *info_make(const struct fabric_port *port)
{
	struct fi_info *info = port->lib->dupinfo(port->lib->info);

	if (info == NULL)
		return NULL;
	info->dest_addr = malloc(sizeof(struct sockaddr_storage));
	if (info->dest_addr != NULL)
		return info;
	port->lib->freeinfo(info);
	return NULL;
}

static void info_place(struct fi_info *info, const struct rdma_address *address, bool is_ours)
{
	info->dest_addrlen = fabric_sockaddr_of(address, info->dest_addr);
	info->addr_format = address->family == RDMA_FAMILY_IPV4 ? FI_SOCKADDR_IN : FI_SOCKADDR_IN6;
	if (!is_ours)
		return;
	info->src_addr = info->dest_addr;
	info->src_addrlen = info->dest_addrlen;
	info->dest_addr = NULL;
	info->dest_addrlen = 0;
}

static void info_drop(struct fabric_link *link, struct fi_info **info)
{
	if (*info != NULL)
		link->port->lib->freeinfo(*info);
	*info = NULL;
}

doca_error_t fabric_link_open(struct fabric_link *link, struct fabric_port *port)
{
	doca_error_t result;

	link->port = port;
	link->control.fd = -1;
	link->info = info_make(port);
	if (link->info == NULL)
		return DOCA_ERROR_NO_MEMORY;
	result = fabric_port_take_slot(port, link, &link->token);
	if (result != DOCA_SUCCESS) {
		info_drop(link, &link->info);
		return result;
	}
	link->state = FABRIC_LINK_JOINING;
	sdpu_list_append(&port->links, &link->node);
	return DOCA_SUCCESS;
}

static doca_error_t endpoint_refuse(const struct fabric_link *link, const char *call, int error)
{
	sdpu_log_err("doca_rdma: libfabric: %s: %s", call, link->port->lib->strerror(-error));
	return DOCA_ERROR_CONNECTION_ABORTED;
}

static int endpoint_make(struct fabric_link *link, struct fi_info *info)
{
	struct fabric_port *port = link->port;
	int error;

	info->ep_attr->rx_ctx_cnt = FI_SHARED_CONTEXT;
	error = fi_endpoint(port->domain, info, &link->ep, link);
	if (error == 0)
		error = fi_ep_bind(link->ep, &port->eq->fid, 0);
	if (error == 0)
		error = fi_ep_bind(link->ep, &port->cq->fid, FI_TRANSMIT | FI_RECV);
	if (error == 0)
		error = fi_ep_bind(link->ep, &port->srx->fid, 0);
	if (error == 0)
		error = fi_enable(link->ep);
	return error;
}

doca_error_t fabric_link_offer(struct fabric_link *link, struct rdma_address *self)
{
	doca_error_t result;

	fabric_port_read_events(link->port);
	self->port = 0;
	info_place(link->info, self, true);
	result = fabric_offer_open(link->port, link->info, self, &link->offer);
	info_drop(link, &link->info);
	return result;
}

doca_error_t fabric_link_request(struct fabric_link *link, const struct rdma_address *peer)
{
	uint8_t token[TOKEN_SIZE];
	int error;

	fabric_port_read_events(link->port);
	sdpu_put_u64(token, link->peer_token);
	info_place(link->info, peer, false);
	error = endpoint_make(link, link->info);
	if (error == 0)
		error = fi_connect(link->ep, link->info->dest_addr, token, sizeof(token));
	info_drop(link, &link->info);
	return error == 0 ? DOCA_SUCCESS : endpoint_refuse(link, "fi_connect", error);
}

static void offer_end(struct fabric_link *link)
{
	if (link->offer != NULL)
		fabric_offer_retire(link->port, link->offer, link->ep);
	link->offer = NULL;
}

doca_error_t fabric_control_attach(struct fabric_port *port, struct fabric_control *control,
				   struct fabric_link *link)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.ptr = link};

	return epoll_ctl(port->epoll_fd, EPOLL_CTL_ADD, control->fd, &event) == 0
		       ? DOCA_SUCCESS
		       : DOCA_ERROR_OPERATING_SYSTEM;
}

void fabric_control_detach(struct fabric_port *port, struct fabric_control *control)
{
	if (control->fd >= 0)
		(void)epoll_ctl(port->epoll_fd, EPOLL_CTL_DEL, control->fd, NULL);
}

void fabric_link_take_control(struct fabric_link *link, struct fabric_control *control)
{
	link->control = *control;
	control->fd = -1;
}

void fabric_link_come_up(struct fabric_link *link)
{
	if (link->state != FABRIC_LINK_JOINING)
		return;
	offer_end(link);
	link->state = FABRIC_LINK_UP;
	fabric_join_done(link->join);
	link->join = NULL;
	link->ops->up(link);
	/* It has closed already. */
	if (link->last != 0)
		fabric_link_end(link);
}

void fabric_link_drop(struct fabric_link *link)
{
	if (link->request != NULL)
		(void)fi_reject(link->offer->pep, link->request->handle, NULL, 0);
	info_drop(link, &link->request);
	info_drop(link, &link->info);
	if (link->ep != NULL) {
		(void)fi_shutdown(link->ep, 0);
		(void)fi_close(&link->ep->fid);
	}
	link->ep = NULL;
	offer_end(link);
	fabric_control_detach(link->port, &link->control);
	fabric_control_close(&link->control);
}

/* A count of the peer's, or its end. */
static bool link_read_count(struct fabric_link *link)
{
	uint64_t count;
	doca_error_t result = fabric_control_receive_count(&link->control, &count);

	if (result == DOCA_ERROR_AGAIN)
		return false;
	link->silent = 0;
	if (result == DOCA_SUCCESS && count == 0)
		return true;
	if (result == DOCA_SUCCESS)
		link->last = count;
	/* Remove it, as a closed socket stays readable for ever. */
	fabric_control_detach(link->port, &link->control);
	/* Nothing more can come from a peer that is cut off. */
	if (link->state == FABRIC_LINK_UP && result != DOCA_ERROR_TIME_OUT)
		fabric_link_end(link);
	else if (link->state == FABRIC_LINK_UP || link->last == 0)
		fabric_link_fail(link, DOCA_ERROR_CONNECTION_RESET);
	return false;
}

void fabric_link_read_control(struct fabric_link *link)
{
	/* While joining goes on it belongs to that, and fd is -1. */
	while (link->control.fd >= 0 && link_read_count(link))
		;
}

/* The peer's endpoint asks for ours, which is made when there are no more events. */
static void event_request(struct fabric_port *port, struct fabric_link *link,
			  const struct fi_eq_cm_entry *entry, size_t len)
{
	if (link != NULL && link->ep == NULL && link->request == NULL && len == TOKEN_SIZE &&
	    sdpu_get_u64(entry->data) == link->token) {
		link->request = entry->info;
		return;
	}
	sdpu_log_warn("doca_rdma: a stray endpoint is rejected");
	(void)fi_reject(sdpu_container_of(entry->fid, struct fid_pep, fid), entry->info->handle,
			NULL, 0);
	port->lib->freeinfo(entry->info);
}

static void request_accept(struct fabric_link *link)
{
	int error;

	if (link->request == NULL)
		return;
	error = endpoint_make(link, link->request);
	if (error == 0)
		error = fi_accept(link->ep, NULL, 0);
	if (error != 0)
		fabric_link_fail(link, endpoint_refuse(link, "fi_accept", error));
	info_drop(link, &link->request);
}

/* All that it sent before has been read by the provider. */
static void event_shutdown(struct fabric_port *port, struct fabric_link *link)
{
	while (fabric_port_drive(port) && link->state == FABRIC_LINK_UP)
		;
	fabric_link_fail(link, DOCA_ERROR_CONNECTION_RESET);
}

static struct fabric_link *link_of(const struct fabric_port *port, const struct fid *fid)
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &port->links) {
		struct fabric_link *link = sdpu_container_of(node, struct fabric_link, node);

		if ((link->ep != NULL && &link->ep->fid == fid) ||
		    (link->offer != NULL && &link->offer->pep->fid == fid))
			return link;
	}
	return NULL;
}

static void event_error(struct fabric_port *port)
{
	struct fi_eq_err_entry entry = {0};
	struct fabric_link *link;

	if (fi_eq_readerr(port->eq, &entry, 0) < 0)
		return;
	link = link_of(port, entry.fid);
	sdpu_log_dbg("doca_rdma: libfabric: %s", port->lib->strerror(entry.err));
	if (link != NULL)
		fabric_link_fail(link, link->state == FABRIC_LINK_JOINING
					       ? DOCA_ERROR_CONNECTION_ABORTED
					       : DOCA_ERROR_CONNECTION_RESET);
}

static bool read_event(struct fabric_port *port)
{
	union {
		struct fi_eq_cm_entry entry;
		uint8_t bytes[EVENT_MAX];
	} at;
	struct fabric_link *link;
	uint32_t event;
	ssize_t n = fi_eq_read(port->eq, &event, &at, sizeof(at), 0);

	if (n == -FI_EAVAIL)
		event_error(port);
	if (n < (ssize_t)sizeof(at.entry))
		return n == -FI_EAVAIL;
	link = link_of(port, at.entry.fid);
	if (event == FI_CONNREQ)
		event_request(port, link, &at.entry, (size_t)n - sizeof(at.entry));
	else if (link != NULL && event == FI_CONNECTED)
		fabric_link_come_up(link);
	else if (link != NULL && event == FI_SHUTDOWN)
		event_shutdown(port, link);
	return true;
}

/*
 * An event of an endpoint that was closed may still come, and then its place in memory may be that
 * of a new one: none is made before all events are read.
 */
void fabric_port_read_events(struct fabric_port *port)
{
	struct sdpu_list *node;

	for (int i = 0; i < EVENTS_AT_ONCE && read_event(port); i++)
		;
	sdpu_list_for_each (node, &port->links)
		request_accept(sdpu_container_of(node, struct fabric_link, node));
}
