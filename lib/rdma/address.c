/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses; contract in address.h.
 */
#include "rdma/address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "base/log.h"
#include "base/refuse.h"

static const uint8_t mapped_head[12] = {[10] = 0xff, [11] = 0xff};

void rdma_address_of_bytes(const uint8_t bytes[RDMA_ADDRESS_LEN], uint16_t port,
			   struct rdma_address *address)
{
	memset(address, 0, sizeof(*address));
	address->port = port;
	if (memcmp(bytes, mapped_head, sizeof(mapped_head)) == 0) {
		address->family = RDMA_FAMILY_IPV4;
		memcpy(address->bytes, bytes + sizeof(mapped_head), 4);
	} else {
		address->family = RDMA_FAMILY_IPV6;
		memcpy(address->bytes, bytes, RDMA_ADDRESS_LEN);
	}
}

void rdma_address_of_ipv4(const uint8_t bytes[4], uint16_t port, struct rdma_address *address)
{
	uint8_t mapped[RDMA_ADDRESS_LEN];

	memcpy(mapped, mapped_head, sizeof(mapped_head));
	memcpy(mapped + sizeof(mapped_head), bytes, 4);
	rdma_address_of_bytes(mapped, port, address);
}

void rdma_address_to_bytes(const struct rdma_address *address, uint8_t bytes[RDMA_ADDRESS_LEN])
{
	memcpy(bytes, address->bytes, RDMA_ADDRESS_LEN);
	if (address->family == RDMA_FAMILY_IPV6)
		return;
	memcpy(bytes, mapped_head, sizeof(mapped_head));
	memcpy(bytes + sizeof(mapped_head), address->bytes, 4);
}

bool rdma_address_same_host(const struct rdma_address *a, const struct rdma_address *b)
{
	return a->family == b->family && memcmp(a->bytes, b->bytes, RDMA_ADDRESS_LEN) == 0;
}

static bool address_is_loopback(const struct rdma_address *address)
{
	static const uint8_t ipv6_loopback[RDMA_ADDRESS_LEN] = {[15] = 1};

	if (address->family == RDMA_FAMILY_IPV4)
		return address->bytes[0] == 127;
	return memcmp(address->bytes, ipv6_loopback, RDMA_ADDRESS_LEN) == 0;
}

/* Of a family that we do not use: nobody's address. */
static void address_of_sockaddr(const struct sockaddr *from, struct rdma_address *address)
{
	const struct sockaddr_in *ipv4 = (const void *)from;
	const struct sockaddr_in6 *ipv6 = (const void *)from;

	memset(address, 0, sizeof(*address));
	if (from != NULL && from->sa_family == AF_INET)
		rdma_address_of_ipv4((const void *)&ipv4->sin_addr, 0, address);
	else if (from != NULL && from->sa_family == AF_INET6)
		rdma_address_of_bytes(ipv6->sin6_addr.s6_addr, 0, address);
}

bool rdma_address_is_mine(const struct rdma_address *address)
{
	struct ifaddrs *all, *at;
	struct rdma_address one;
	bool mine = false;

	if (address_is_loopback(address))
		return true;
	if (getifaddrs(&all) != 0)
		return false;
	for (at = all; at != NULL && !mine; at = at->ifa_next) {
		address_of_sockaddr(at->ifa_addr, &one);
		mine = rdma_address_same_host(&one, address);
	}
	freeifaddrs(all);
	return mine;
}

static void address_write(const struct rdma_address *address, char *text, size_t size)
{
	int family = address->family == RDMA_FAMILY_IPV4 ? AF_INET : AF_INET6;

	if (inet_ntop(family, address->bytes, text, (socklen_t)size) == NULL)
		text[0] = '\0';
}

void rdma_address_format(const struct rdma_address *address, char text[RDMA_ADDRESS_TEXT])
{
	char host[INET6_ADDRSTRLEN];

	address_write(address, host, sizeof(host));
	snprintf(text, RDMA_ADDRESS_TEXT, address->family == RDMA_FAMILY_IPV4 ? "%s:%u" : "[%s]:%u",
		 host, address->port);
}

/* A GID is written like an IPv6 address. */
static bool address_parse(enum doca_rdma_addr_type type, const char *text, uint16_t port,
			  struct rdma_address *address)
{
	uint8_t bytes[RDMA_ADDRESS_LEN];

	switch (type) {
	case DOCA_RDMA_ADDR_TYPE_IPv4:
		if (inet_pton(AF_INET, text, bytes) != 1)
			return false;
		rdma_address_of_ipv4(bytes, port, address);
		return true;
	case DOCA_RDMA_ADDR_TYPE_IPv6:
	case DOCA_RDMA_ADDR_TYPE_GID:
		if (inet_pton(AF_INET6, text, bytes) != 1)
			return false;
		rdma_address_of_bytes(bytes, port, address);
		return true;
	}
	return false;
}

static struct doca_rdma_addr *addr_alloc(enum doca_rdma_addr_type type,
					 const struct rdma_address *parsed)
{
	struct doca_rdma_addr *addr = calloc(1, sizeof(*addr));

	if (addr == NULL)
		return NULL;
	addr->type = type;
	addr->parsed = *parsed;
	addr->holders = 1;
	return addr;
}

struct doca_rdma_addr *rdma_addr_make(const struct rdma_address *parsed)
{
	struct doca_rdma_addr *addr =
		addr_alloc(parsed->family == RDMA_FAMILY_IPV4 ? DOCA_RDMA_ADDR_TYPE_IPv4
							      : DOCA_RDMA_ADDR_TYPE_IPv6,
			   parsed);

	if (addr != NULL)
		address_write(parsed, addr->text, sizeof(addr->text));
	return addr;
}

void rdma_addr_hold(struct doca_rdma_addr *addr)
{
	(void)sdpu_fetch_add(&addr->holders, 1);
}

void rdma_addr_release(struct doca_rdma_addr *addr)
{
	if (sdpu_fetch_sub(&addr->holders, 1) == 1)
		free(addr);
}

doca_error_t doca_rdma_addr_create(enum doca_rdma_addr_type addr_type, const char *address,
				   uint16_t port, struct doca_rdma_addr **addr)
{
	struct rdma_address parsed;
	struct doca_rdma_addr *made;

	if (sdpu_any_null(__func__, address, addr))
		return DOCA_ERROR_INVALID_VALUE;
	if (!address_parse(addr_type, address, port, &parsed)) {
		sdpu_log_err("doca_rdma_addr_create: \"%.60s\" is no address of type %d; needed: "
			     "10.0.0.1 for IPv4, fe80::1 for IPv6 and GID",
			     address, (int)addr_type);
		return DOCA_ERROR_INVALID_VALUE;
	}
	made = addr_alloc(addr_type, &parsed);
	if (made == NULL)
		return sdpu_no_memory(__func__);
	strncpy(made->text, address, sizeof(made->text) - 1);
	*addr = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_addr_destroy(struct doca_rdma_addr *addr)
{
	uint32_t attempts;

	if (sdpu_any_null(__func__, addr))
		return DOCA_ERROR_INVALID_VALUE;
	attempts = sdpu_load_acquire(&addr->attempts);
	if (attempts != 0) {
		sdpu_log_err("doca_rdma_addr_destroy: %u connections are being made to %s; wait "
			     "for their established or failure callback",
			     attempts, addr->text);
		return DOCA_ERROR_BAD_STATE;
	}
	rdma_addr_release(addr);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_addr_get_params(struct doca_rdma_addr *addr,
				       enum doca_rdma_addr_type *addr_type, const char **address,
				       uint16_t *port)
{
	if (sdpu_any_null(__func__, addr, addr_type, address, port))
		return DOCA_ERROR_INVALID_VALUE;
	*addr_type = addr->type;
	*address = addr->text;
	*port = addr->parsed.port;
	return DOCA_SUCCESS;
}
