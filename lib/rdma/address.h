/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses: where a listening context is found. A parsed one is a value. An address object (the
 * user's, or the library's own for a connection that was asked for) is a parsed one with its text;
 * constant once made. Any thread.
 *
 * Owner of an object: whoever holds it; the user's hold ends with doca_rdma_addr_destroy(), that of
 * a connection when the connection is dead. The last one frees it.
 */
#ifndef SDPU_RDMA_ADDRESS_H
#define SDPU_RDMA_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_rdma.h>

#define RDMA_ADDRESS_LEN 16
#define RDMA_ADDRESS_TEXT 64 /* "[ffff:...:ffff]:65535" and its NUL */

/* GIDs are IPv6 addresses, and those that hold an IPv4 address are that one. */
enum rdma_family { RDMA_FAMILY_IPV4, RDMA_FAMILY_IPV6 };

struct rdma_address {
	enum rdma_family family;
	uint8_t bytes[RDMA_ADDRESS_LEN]; /* network order; IPv4: the first 4, the rest zero */
	uint16_t port;			 /* host order; 0: not known */
};

struct doca_rdma_addr {
	enum doca_rdma_addr_type type;
	struct rdma_address parsed;
	uint32_t holders;  /* atomic */
	uint32_t attempts; /* atomic: connections that are being made to it */
	char text[RDMA_ADDRESS_TEXT];
};

/* Of 4 bytes, and of 16 as in an IPv6 address or a GID. Network order. */
void rdma_address_of_ipv4(const uint8_t bytes[4], uint16_t port, struct rdma_address *address);
void rdma_address_of_bytes(const uint8_t bytes[RDMA_ADDRESS_LEN], uint16_t port,
			   struct rdma_address *address);
/* The 16 bytes that the latter takes. */
void rdma_address_to_bytes(const struct rdma_address *address, uint8_t bytes[RDMA_ADDRESS_LEN]);
/* Whatever the ports. */
bool rdma_address_same_host(const struct rdma_address *a, const struct rdma_address *b);
/* One of this machine's own: loopback, or of an interface. A system call. */
bool rdma_address_is_mine(const struct rdma_address *address);
/* "10.0.0.1:4711", for messages. */
void rdma_address_format(const struct rdma_address *address, char text[RDMA_ADDRESS_TEXT]);

/* An object that says `parsed`, with one hold. NULL: out of memory. */
struct doca_rdma_addr *rdma_addr_make(const struct rdma_address *parsed);
void rdma_addr_hold(struct doca_rdma_addr *addr);
void rdma_addr_release(struct doca_rdma_addr *addr);

#endif
