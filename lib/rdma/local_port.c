/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ports; contract in local_port.h. A claim's name: "r-PORT-SIDE-PCI"; its text: "ENDPOINT COOKIE
 * ADDRESS...", addresses as GIDs, the bytes of them and of the cookie as hexadecimal digits.
 */
#include "rdma/local_port.h"

#include <stdio.h>
#include <string.h>

#include "rdma/rdma.h"

#define PORT_ADDRESSES (RDMA_GID_TABLE_SIZE + 1) /* and the IPv6 address */
#define PORT_HEX (2 * RDMA_ADDRESS_LEN)
#define PORT_NAME_FORMAT "r-%u-"

_Static_assert(RDMA_COOKIE_SIZE == RDMA_ADDRESS_LEN, "both are written as PORT_HEX digits");

static void hex_write(const uint8_t bytes[RDMA_ADDRESS_LEN], char text[PORT_HEX + 1])
{
	for (size_t i = 0; i < RDMA_ADDRESS_LEN; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
}

/* The next word of *text, which is moved behind it. */
static bool hex_read(const char **text, uint8_t bytes[RDMA_ADDRESS_LEN])
{
	if (**text != ' ' || strspn(*text + 1, "0123456789abcdef") != PORT_HEX)
		return false;
	for (size_t i = 0; i < RDMA_ADDRESS_LEN; i++) {
		unsigned int byte = 0;

		(void)sscanf(*text + 1 + 2 * i, "%2x", &byte);
		bytes[i] = (uint8_t)byte;
	}
	*text += 1 + PORT_HEX;
	return true;
}

static void port_name(const struct sdpu_function *function, uint16_t port,
		      char name[SDPU_CLAIM_NAME_MAX])
{
	snprintf(name, SDPU_CLAIM_NAME_MAX, PORT_NAME_FORMAT "%s-%s", port,
		 function->side == SDPU_SIDE_HOST ? "host" : "dpu", function->pci);
}

static void port_address(const struct sdpu_function *function, uint32_t i,
			 struct doca_rdma_gid *address)
{
	if (i < RDMA_GID_TABLE_SIZE)
		rdma_gid_at(function, i, address);
	else
		memcpy(address->raw, function->ipv6, sizeof(address->raw));
}

doca_error_t local_port_claim(const struct sdpu_function *function, uint16_t port,
			      const uint8_t cookie[RDMA_COOKIE_SIZE], struct sdpu_claim **claim)
{
	char name[SDPU_CLAIM_NAME_MAX], text[SDPU_CLAIM_TEXT_MAX], hex[PORT_HEX + 1];
	struct doca_rdma_gid address;
	size_t at;

	port_name(function, port, name);
	hex_write(cookie, hex);
	at = (size_t)snprintf(text, sizeof(text), "%s %s", sdpu_agent_endpoint(), hex);
	for (uint32_t i = 0; i < PORT_ADDRESSES; i++) {
		port_address(function, i, &address);
		hex_write(address.raw, hex);
		at += (size_t)snprintf(text + at, sizeof(text) - at, " %s", hex);
	}
	return sdpu_claim_take(name, text, claim);
}

struct port_search {
	const struct rdma_address *to;
	bool mine;		       /* it is an address of this machine */
	char own[SDPU_CLAIM_NAME_MAX]; /* the claim that `from` would have */
	char best[SDPU_CLAIM_NAME_MAX + 1];
	int best_rank; /* 0: none yet */
	struct local_port *found;
};

static bool port_has_address(const char *text, const struct rdma_address *to)
{
	static const uint8_t none[RDMA_ADDRESS_LEN];
	uint8_t bytes[RDMA_ADDRESS_LEN];
	struct rdma_address address;

	while (hex_read(&text, bytes)) {
		rdma_address_of_bytes(bytes, to->port, &address);
		if (memcmp(bytes, none, sizeof(none)) != 0 && rdma_address_same_host(&address, to))
			return true;
	}
	return false;
}

/* How well this claim fits; 0: not at all. Names of one side begin alike. */
static int port_rank(const struct port_search *search, const char *name, bool has_address)
{
	size_t side = (size_t)(strrchr(search->own, '-') - search->own);

	if (!has_address && !search->mine)
		return 0;
	return 1 + 4 * has_address + 2 * (strcmp(name, search->own) == 0) +
	       (strncmp(name, search->own, side) == 0);
}

static void port_look(const char *name, const char *text, void *arg)
{
	struct port_search *search = arg;
	struct local_port port = {0};
	const char *rest = text + strcspn(text, " ");
	size_t len = (size_t)(rest - text);
	int rank;

	if (len >= sizeof(port.endpoint) || !hex_read(&rest, port.cookie))
		return;
	memcpy(port.endpoint, text, len);
	rank = port_rank(search, name, port_has_address(rest, search->to));
	/* Ties are broken by name, not by the order of the directory. */
	if (rank < search->best_rank || rank == 0 ||
	    (rank == search->best_rank && strcmp(name, search->best) > 0))
		return;
	search->best_rank = rank;
	strcpy(search->best, name);
	*search->found = port;
}

doca_error_t local_port_find(const struct sdpu_function *from, const struct rdma_address *to,
			     struct local_port *found)
{
	struct port_search search = {.to = to, .found = found};
	char prefix[SDPU_CLAIM_NAME_MAX];
	doca_error_t result;

	search.mine = rdma_address_is_mine(to);
	port_name(from, to->port, search.own);
	snprintf(prefix, sizeof(prefix), PORT_NAME_FORMAT, to->port);
	result = sdpu_claim_each(prefix, port_look, &search);
	if (result == DOCA_SUCCESS && search.best_rank == 0)
		result = DOCA_ERROR_NOT_FOUND;
	return result;
}
