/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What two ends of a local connection say to each other beside their rings. Fixed width, native
 * integers (one machine, one build: the hello says so); a change of any of it changes
 * SDPU_HELLO_VERSION. All of it is untrusted when received.
 *
 * By export: the end with the smaller cookie calls, when its program connects; the other end
 * answers, when its program has connected too. Until then the other end holds a connection to
 * the caller's process, on which nothing is said, so that it notices its death. By address: the
 * client dials, the server answers when its program has accepted or rejected.
 *
 *   CALL     caller to answerer's agent: local_hello, with bell (armed, ready) and segment
 *   DIAL     the same of a client, to a port
 *   welcome  answerer to caller: local_welcome, with bell (armed, ready), or why not
 *   WATCH    answerer to caller's agent, until it is called: local_hello
 *   mail     either to the other, once connected: local_mail, with what the grant needs
 */
#ifndef SDPU_RDMA_LOCAL_WIRE_H
#define SDPU_RDMA_LOCAL_WIRE_H

#include "bus/agent.h"
#include "bus/bell.h"
#include "bus/window.h"
#include "rdma/address.h"
#include "rdma/blob.h"

enum local_hello_kind { LOCAL_HELLO_CALL = 1, LOCAL_HELLO_WATCH = 2, LOCAL_HELLO_DIAL = 3 };

struct local_hello {
	struct sdpu_hello hello;
	uint32_t kind;
	uint32_t bit;			   /* CALL, DIAL: the caller's ready bit */
	uint32_t permissions;		   /* CALL, DIAL: of the caller's context */
	uint8_t from[RDMA_COOKIE_SIZE];	   /* sender's connection; DIAL: nothing */
	uint8_t to[RDMA_COOKIE_SIZE];	   /* receiver's connection, or its port */
	uint8_t address[RDMA_ADDRESS_LEN]; /* DIAL: the caller's, as a GID */
};

#define LOCAL_PRIVATE_MAX 255

struct local_welcome {
	uint32_t result; /* doca_error_t; the rest counts only with SUCCESS */
	uint32_t bit;
	uint32_t permissions;
	uint32_t private_len; /* DIAL: what the server's program says to it */
	uint8_t private_data[LOCAL_PRIVATE_MAX + 1];
};

#define LOCAL_CALL_FDS (SDPU_BELL_FDS + 1)
#define LOCAL_WELCOME_FDS SDPU_BELL_FDS

/* A memory window for the peer, named `id` from now on; an earlier one of that name is void. */
#define LOCAL_GRANTS 64u
struct local_mail {
	uint32_t id;
	uint32_t pad;
	struct sdpu_grant_msg grant;
};

/* INVALID_VALUE unless the record is a well-formed one. */
doca_error_t local_hello_parse(const struct sdpu_record *record, struct local_hello *hello);
doca_error_t local_welcome_parse(const struct sdpu_record *record, struct local_welcome *welcome);
doca_error_t local_mail_parse(const struct sdpu_record *record, struct local_mail *mail);

#endif
