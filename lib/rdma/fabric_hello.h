/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What two ends of a fabric connection say to each other on their control connection
 * (fabric_control.h) before they have a link: records of one size. Integers are little-endian. All
 * of it is untrusted when received. Pure functions; any thread. A change of any of it changes
 * FABRIC_HELLO_VERSION.
 *
 *   CALL     caller, with its cookie, to the process that has exported `to`
 *   WATCH    the other end, to the caller's process: only to notice its end
 *   DIAL     client, to the port on which a server listens
 *   PARKED   answer to each: we know what you mean; wait (code AGAIN: until our program connects)
 *   WELCOME  answer to CALL and DIAL: connect your endpoint to this port, and say this token
 *   REFUSE   answer to each: no, for this reason
 *
 * When the endpoints are joined, it carries counts of 8 bytes: 0 is a heartbeat, anything else
 * says that its sender closes and has sent one frame less than this.
 */
#ifndef SDPU_RDMA_FABRIC_HELLO_H
#define SDPU_RDMA_FABRIC_HELLO_H

#include <stdint.h>

#include <doca_error.h>

#include "rdma/blob.h"

#define FABRIC_HELLO_VERSION 2u
#define FABRIC_HELLO_SIZE 352u
#define FABRIC_COUNT_SIZE 8u
#define FABRIC_PRIVATE_MAX 255u

enum fabric_hello_kind {
	FABRIC_HELLO_CALL = 1,
	FABRIC_HELLO_WATCH,
	FABRIC_HELLO_DIAL,
	FABRIC_HELLO_PARKED,
	FABRIC_HELLO_WELCOME,
	FABRIC_HELLO_REFUSE,
	FABRIC_HELLO_KINDS,
};

struct fabric_hello {
	enum fabric_hello_kind kind;
	doca_error_t code;    /* PARKED, REFUSE */
	uint32_t permissions; /* CALL, DIAL, WELCOME: of the sender's context, as a responder */
	uint64_t token;	      /* the same: to be said with each frame to the sender */
	uint16_t port;	      /* WELCOME: of the sender's endpoint */
	uint32_t pid;	      /* of the sender, for messages */
	uint8_t from[RDMA_COOKIE_SIZE]; /* CALL, WATCH: the sender's connection */
	uint8_t to[RDMA_COOKIE_SIZE];	/* CALL, WATCH: the receiver's */
	uint8_t private_len;		/* WELCOME */
	uint8_t private_data[FABRIC_PRIVATE_MAX];
};

void fabric_hello_write(const struct fabric_hello *hello, uint8_t out[FABRIC_HELLO_SIZE]);
/* Of a record of ours, whatever its version; 0: it is none. Magic and version are first in all
 * versions, and REFUSE is read by all. */
uint16_t fabric_hello_version(const uint8_t bytes[FABRIC_HELLO_SIZE]);
/* NULL, or what is wrong in words. */
const char *fabric_hello_read(const uint8_t bytes[FABRIC_HELLO_SIZE], struct fabric_hello *hello);

#endif
