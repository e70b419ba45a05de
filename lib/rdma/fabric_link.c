/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Link: frames, and what ends it; contract in fabric_link.h. How it begins is in fabric_endpoint.c.
 */
#include "rdma/fabric_link.h"

#include <rdma/fi_cm.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <string.h>

#include "base/log.h"
#include "rdma/fabric_endpoint.h"
#include "rdma/fabric_thread.h"

/* For what a peer that has gone sent before, when nobody says how much that is. */
#define ENDING_PATIENCE SDPU_SECOND

/* It is copied, and nothing is heard of it any more. */
static ssize_t send_copied(struct fabric_link *link, const struct iovec *frame)
{
	return fi_injectdata(link->ep, frame->iov_base, frame->iov_len, link->peer_token, 0);
}

static ssize_t send_iov(struct fabric_link *link, const struct iovec *iov, uint32_t num)
{
	const struct fi_msg message = {.msg_iov = iov,
				       .iov_count = num,
				       .context = (void *)(uintptr_t)link->token,
				       .data = link->peer_token};

	return fi_sendmsg(link->ep, &message, FI_REMOTE_CQ_DATA | FI_COMPLETION);
}

doca_error_t fabric_link_send(struct fabric_link *link, const struct iovec *iov, uint32_t num,
			      uint64_t cookie)
{
	ssize_t n;

	if (sdpu_unlikely(link->state != FABRIC_LINK_UP))
		return DOCA_ERROR_CONNECTION_RESET;
	if (cookie != 0 && link->next_send - link->first_send == FABRIC_LINK_SENDS) {
		link->refused = true;
		return DOCA_ERROR_AGAIN;
	}
	n = cookie == 0 ? send_copied(link, iov) : send_iov(link, iov, num);
	if (sdpu_likely(n == 0)) {
		if (cookie != 0)
			link->cookies[link->next_send++ % FABRIC_LINK_SENDS] = cookie;
		link->sent++;
		return DOCA_SUCCESS;
	}
	if (n == -FI_EAGAIN) {
		fabric_link_rerun(link);
		return DOCA_ERROR_AGAIN;
	}
	fabric_link_fail(link, DOCA_ERROR_CONNECTION_RESET);
	return DOCA_ERROR_CONNECTION_RESET;
}

void fabric_link_complete(struct fabric_link *link)
{
	uint64_t cookie;

	if (link->first_send == link->next_send || link->state == FABRIC_LINK_FAILED)
		return;
	cookie = link->cookies[link->first_send++ % FABRIC_LINK_SENDS];
	link->ops->sent(link, cookie);
	if (!link->refused)
		return;
	link->refused = false;
	fabric_link_rerun(link);
}

void fabric_link_receive(struct fabric_link *link, struct fabric_rx *rx)
{
	/* The event that says so is read less often. */
	if (sdpu_unlikely(link->state == FABRIC_LINK_JOINING))
		fabric_link_come_up(link);
	if (sdpu_unlikely(link->state != FABRIC_LINK_UP && link->state != FABRIC_LINK_ENDING)) {
		fabric_rx_done(rx);
		return;
	}
	link->received++;
	link->ops->frame(link, rx);
	if (sdpu_unlikely(link->state == FABRIC_LINK_ENDING && link->received + 1 == link->last))
		fabric_link_fail(link, DOCA_ERROR_CONNECTION_RESET);
}

void fabric_link_rerun(struct fabric_link *link)
{
	if (link->rerun)
		return;
	link->rerun = true;
	link->port->num_rerun++;
}

static void link_calm(struct fabric_link *link)
{
	if (!link->rerun)
		return;
	link->rerun = false;
	link->port->num_rerun--;
}

void fabric_link_attend(struct fabric_link *link)
{
	if (link->port->proto.by_thread)
		sdpu_bell_attend(&link->port->pe->bell);
}

void fabric_link_fail(struct fabric_link *link, doca_error_t why)
{
	if (link->state == FABRIC_LINK_CLOSED || link->state == FABRIC_LINK_FAILED)
		return;
	link->state = FABRIC_LINK_FAILED;
	link->why = why;
	fabric_link_rerun(link);
	pthread_cond_broadcast(&link->port->joined);
}

void fabric_link_end(struct fabric_link *link)
{
	if (link->state != FABRIC_LINK_UP)
		return;
	link->state = FABRIC_LINK_ENDING;
	link->until = sdpu_clock_now() + ENDING_PATIENCE;
	if (link->received + 1 == link->last)
		fabric_link_fail(link, DOCA_ERROR_CONNECTION_RESET);
}

void fabric_link_drive(struct fabric_link *link)
{
	if (!link->rerun)
		return;
	link_calm(link);
	if (sdpu_likely(link->state != FABRIC_LINK_FAILED)) {
		link->ops->drive(link);
		return;
	}
	if (link->told)
		return;
	link->told = true;
	/* The peer is told first: it may be waiting to close. */
	fabric_link_drop(link);
	link->ops->down(link, link->why);
}

void fabric_link_close(struct fabric_link *link)
{
	if (link->state == FABRIC_LINK_CLOSED)
		return;
	link_calm(link);
	if (link->state != FABRIC_LINK_UP || !fabric_linger_start(link))
		fabric_link_drop(link);
	fabric_port_give_slot(link->port, link->token);
	sdpu_list_remove(&link->node);
	link->state = FABRIC_LINK_CLOSED;
}
