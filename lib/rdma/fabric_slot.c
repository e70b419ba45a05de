/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slots of a port: which link a frame is for; contract in fabric_port.h.
 */
#include <stdlib.h>
#include <string.h>

#include "bus/process.h"
#include "rdma/fabric_port.h"

#define SLOTS_FIRST 8

static doca_error_t slots_grow(struct fabric_port *port)
{
	uint32_t num = port->num_slots == 0 ? SLOTS_FIRST : 2 * port->num_slots;
	struct fabric_slot *slots;

	if (num > FABRIC_SLOTS_MAX)
		return DOCA_ERROR_FULL;
	slots = realloc(port->slots, num * sizeof(*slots));
	if (slots == NULL)
		return DOCA_ERROR_NO_MEMORY;
	memset(slots + port->num_slots, 0, (num - port->num_slots) * sizeof(*slots));
	port->slots = slots;
	port->num_slots = num;
	return DOCA_SUCCESS;
}

static uint32_t slot_find_free(const struct fabric_port *port)
{
	uint32_t i = 0;

	while (i < port->num_slots && port->slots[i].link != NULL)
		i++;
	return i;
}

doca_error_t fabric_port_take_slot(struct fabric_port *port, struct fabric_link *link,
				   uint64_t *token)
{
	uint32_t i = slot_find_free(port);
	doca_error_t result = i < port->num_slots ? DOCA_SUCCESS : slots_grow(port);
	uint64_t random;

	if (result != DOCA_SUCCESS)
		return result;
	if (!sdpu_process_random(&random, sizeof(random)))
		return DOCA_ERROR_OPERATING_SYSTEM;
	*token = (random & ~(uint64_t)(FABRIC_SLOTS_MAX - 1)) | i;
	port->slots[i] = (struct fabric_slot){.link = link, .token = *token};
	return DOCA_SUCCESS;
}

void fabric_port_give_slot(struct fabric_port *port, uint64_t token)
{
	port->slots[fabric_slot_of(token)] = (struct fabric_slot){0};
}
