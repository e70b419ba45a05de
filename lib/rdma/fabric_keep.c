/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory: what of the peer's frames is kept for later, and where; what the links of a port share.
 * Contract in fabric_proto.h. Data path, but for opening.
 */
#include <string.h>

#include "rdma/fabric_parts.h"
#include "rdma/fabric_reach.h"

void fabric_proto_port_open(struct fabric_proto_port *port)
{
	sdpu_list_init(&port->waiting);
	sdpu_list_init(&port->reaches);
}

void fabric_proto_port_close(struct fabric_proto_port *port)
{
	fabric_reach_close_all(port);
}

void fabric_proto_port_go_on(struct fabric_proto_port *port)
{
	struct sdpu_list *node;

	if (!fabric_reach_drive(port))
		return;
	while ((node = sdpu_list_pop(&port->waiting)) != NULL)
		fabric_link_rerun(sdpu_container_of(node, struct fabric_proto, waiting)->link);
}

void fabric_keep_wait(struct fabric_proto *proto)
{
	if (sdpu_list_empty(&proto->waiting))
		sdpu_list_append(&proto->port->waiting, &proto->waiting);
}

void fabric_keep(struct fabric_proto *proto, struct fabric_rx **rx, const struct fabric_head *head,
		 uint8_t *place, struct fabric_kept *kept)
{
	const uint8_t *payload = (*rx)->bytes + fabric_head_len(head->kind);

	kept->bytes = payload;
	if (sdpu_likely(proto->port->held < FABRIC_HELD)) {
		proto->port->held++;
		kept->rx = *rx;
		*rx = NULL;
		return;
	}
	memcpy(place, payload, head->len);
	kept->bytes = place;
}

const char *fabric_keep_arrived(struct fabric_proto *proto, struct fabric_rx **rx,
				const struct fabric_head *head, uint8_t small[FABRIC_SMALL],
				struct fabric_kept *kept)
{
	uint32_t place;

	*kept = (struct fabric_kept){.bytes = small};
	if (head->len <= FABRIC_SMALL) {
		memcpy(small, (*rx)->bytes + fabric_head_len(head->kind), head->len);
		return NULL;
	}
	place = (uint32_t)__builtin_ctz(~proto->eager_used);
	if (place >= FABRIC_EAGER)
		return "a long frame without credit";
	kept->eager = 1u << place;
	proto->eager_used |= kept->eager;
	fabric_keep(proto, rx, head, proto->memory->eager[place], kept);
	return NULL;
}

void fabric_keep_drop(struct fabric_proto *proto, struct fabric_kept *kept)
{
	if (kept->rx != NULL) {
		fabric_rx_done(kept->rx);
		proto->port->held--;
	}
	if (kept->eager != 0) {
		proto->eager_used &= ~kept->eager;
		proto->eager_given++;
	}
	*kept = (struct fabric_kept){0};
}

uint8_t *fabric_bulk_take(struct fabric_proto *proto)
{
	uint32_t place = (uint32_t)__builtin_ctz(~proto->bulks_used);

	if (place >= FABRIC_BULKS)
		return NULL;
	proto->bulks_used |= 1u << place;
	return proto->memory->bulk[place];
}

void fabric_bulk_give(struct fabric_proto *proto, const uint8_t *bulk)
{
	proto->bulks_used &= ~(1u << (bulk - proto->memory->bulk[0]) / FABRIC_PAYLOAD_MAX);
}
