/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of rings and ports, and opening ports; contract in msgq_port.h. Closing is in msgq.c,
 * which knows the producers.
 */
#include "comch/msgq_port.h"

#include <stdlib.h>

#include "base/log.h"
#include "dpa/dpa.h"

void *comch_msgq_alloc(size_t size)
{
	size_t lines = (size + SDPU_CACHE_LINE - 1) / SDPU_CACHE_LINE;
	void *mem = aligned_alloc(SDPU_CACHE_LINE, lines * SDPU_CACHE_LINE);

	/* Touched now, so that the data path takes no page fault. */
	if (mem != NULL)
		return memset(mem, 0, size);
	sdpu_log_err("MsgQ: no memory: %zu bytes", size);
	return NULL;
}

struct comch_msgq_ring *comch_msgq_ring_create(uint32_t size, bool shared)
{
	struct comch_msgq_ring *ring =
		comch_msgq_alloc(sizeof(*ring) + size * sizeof(struct comch_msgq_message));

	if (ring == NULL)
		return NULL;
	ring->size = size;
	ring->shared = shared;
	for (uint32_t i = 0; i < size; i++)
		(void)sdpu_dpa_handle_give(&ring->messages[i].head, SDPU_DPA_KIND_CONSUMER_ELEMENT);
	return ring;
}

void comch_msgq_ring_destroy(struct comch_msgq_ring *ring)
{
	free(ring);
}

void comch_msgq_ring_retire(struct comch_msgq_ring *ring, struct doca_dpa *dpa)
{
	for (uint32_t i = 0; ring != NULL && i < ring->size; i++)
		sdpu_dpa_handle_withdraw(&ring->messages[i].head);
	sdpu_dpa_retire(dpa, ring);
}

struct comch_msgq_port *comch_msgq_ports_create(uint32_t number)
{
	struct comch_msgq_port *ports = comch_msgq_alloc(number * sizeof(*ports));

	for (uint32_t i = 0; ports != NULL && i < number; i++)
		ports[i].claimed = COMCH_MSGQ_CLOSED;
	return ports;
}

void comch_msgq_ports_destroy(struct comch_msgq_port *ports)
{
	free(ports);
}

void comch_msgq_port_open(struct comch_msgq_port *port)
{
	sdpu_store(&port->granted, 0);
	sdpu_store(&port->granted_seen, 0);
	sdpu_store(&port->limit, 0);
	sdpu_store(&port->cold, 0);
	port->base = port->ring->tail;
	/* release: pairs with the acquire in comch_msgq_port_claim() */
	sdpu_store_release(&port->claimed, 0);
}

/* Of a ring with one port: messages for which it has had room. */
static uint64_t port_room(const struct comch_msgq_port *port)
{
	const struct comch_msgq_ring *ring = port->ring;

	/* acquire: pairs with the release in comch_msgq_free() */
	return ring->shared ? UINT64_MAX
			    : sdpu_load_acquire(&ring->freed) + ring->size - port->base;
}

static uint64_t port_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

doca_error_t comch_msgq_port_extend(struct comch_msgq_port *port, bool need_credit,
				    uint64_t *claimed)
{
	uint64_t granted, room, number = *claimed;

	if (number & COMCH_MSGQ_CLOSED)
		return DOCA_ERROR_NOT_FOUND;
	/* P1 of a turn that claims nothing so far: the ring stays where it is. */
	if (!sdpu_cas(&port->claimed, claimed, number))
		return DOCA_SUCCESS;
	granted = sdpu_load_acquire(&port->granted);
	sdpu_store(&port->granted_seen, granted);
	if (need_credit && comch_msgq_credits(granted, number) <= 0)
		return DOCA_ERROR_AGAIN;
	room = port_room(port);
	if (number >= room)
		return DOCA_ERROR_FULL;
	/* Who needs no credit looks at each message that has none. Release: pairs with the acquire
	 * in comch_msgq_port_claim(), as another producer may use what this one has found free. */
	sdpu_store_release(&port->limit, port_least(room, granted > number ? granted : number + 1));
	return DOCA_SUCCESS;
}
