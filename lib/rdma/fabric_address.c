/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses of this machine; contract in fabric_address.h.
 */
#include "rdma/fabric_address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "rdma/backend.h"
#include "rdma/fabric_control.h"

struct address_list {
	struct rdma_address *out;
	uint32_t num;
	uint16_t port;
};

static void list_add(struct address_list *list, const struct sockaddr *from)
{
	struct rdma_address *one = &list->out[list->num];
	struct sockaddr_storage at = {0};

	if (list->num == RDMA_BLOB_ADDRESSES)
		return;
	memcpy(&at, from,
	       from->sa_family == AF_INET ? sizeof(struct sockaddr_in)
					  : sizeof(struct sockaddr_in6));
	fabric_address_of(&at, one);
	one->port = list->port;
	list->num++;
}

/* Link-local addresses are of use only with the name of the other machine's interface. */
static bool is_link_local(const struct sockaddr *address)
{
	const struct sockaddr_in6 *ipv6 = (const void *)address;

	return address->sa_family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&ipv6->sin6_addr);
}

static void list_add_all(struct address_list *list, const struct ifaddrs *at, int family,
			 bool loopback)
{
	for (; at != NULL; at = at->ifa_next)
		if (at->ifa_addr != NULL && at->ifa_addr->sa_family == family &&
		    (at->ifa_flags & IFF_UP) != 0 &&
		    ((at->ifa_flags & IFF_LOOPBACK) != 0) == loopback &&
		    !is_link_local(at->ifa_addr))
			list_add(list, at->ifa_addr);
}

/* What the user says. */
static bool list_is_told(struct address_list *list)
{
	const char *text = getenv("SOFTDPU_FABRIC_ADDR");
	struct sockaddr_in ipv4 = {.sin_family = AF_INET};
	struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};

	if (text == NULL || text[0] == '\0')
		return false;
	if (inet_pton(AF_INET, text, &ipv4.sin_addr) == 1) {
		list_add(list, (const struct sockaddr *)&ipv4);
		return true;
	}
	if (inet_pton(AF_INET6, text, &ipv6.sin6_addr) == 1) {
		list_add(list, (const struct sockaddr *)&ipv6);
		return true;
	}
	sdpu_log_warn("SOFTDPU_FABRIC_ADDR is \"%.60s\"; needed: an IPv4 or IPv6 address of this "
		      "machine; it is ignored",
		      text);
	return false;
}

uint32_t fabric_address_list(uint16_t port, struct rdma_address out[RDMA_BLOB_ADDRESSES])
{
	struct address_list list = {.out = out, .port = port};
	struct ifaddrs *all;

	if (list_is_told(&list) || getifaddrs(&all) != 0)
		return list.num;
	list_add_all(&list, all, AF_INET, false);
	list_add_all(&list, all, AF_INET6, false);
	if (list.num == 0 || rdma_backend_is_only(&rdma_fabric)) {
		list_add_all(&list, all, AF_INET, true);
		list_add_all(&list, all, AF_INET6, true);
	}
	freeifaddrs(all);
	return list.num;
}
