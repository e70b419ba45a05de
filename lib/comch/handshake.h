/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What client and server say to each other before they have a connection. Fixed width, host byte
 * order (one machine); a change of any of it changes SDPU_HELLO_VERSION.
 *
 *   client -> server's agent   comch_hello    descriptors: client's bell (armed, ready)
 *   server -> client           comch_welcome  descriptors: server's bell (armed, ready), segment;
 * none when refused
 */
#ifndef SDPU_COMCH_HANDSHAKE_H
#define SDPU_COMCH_HANDSHAKE_H

#include <stdint.h>

#include <doca_dev.h>

#include "bus/agent.h"
#include "comch/control_ring.h"
#include "comch/endpoint.h"

struct comch_hello {
	struct sdpu_hello hello;
	char host_pci[16];
	char name[SDPU_COMCH_NAME_MAX];
	struct comch_ring_shape shape; /* of what the client sends */
	uint32_t size_set;	       /* the client's program chose max_msg_size */
	uint32_t bit;		       /* client's ready bit */
};

struct comch_welcome {
	uint32_t result;	       /* doca_error_t; SUCCESS or why not */
	uint32_t bit;		       /* server's ready bit */
	struct comch_ring_shape shape; /* of what the server sends */
};

#define COMCH_HELLO_FDS 2
#define COMCH_WELCOME_FDS 3

/* INVALID_VALUE unless the record is a well-formed hello; the strings in *hello are terminated
 * then. */
doca_error_t comch_hello_parse(const struct sdpu_record *record, struct comch_hello *hello);
doca_error_t comch_welcome_parse(const struct sdpu_record *record, struct comch_welcome *welcome);

#endif
