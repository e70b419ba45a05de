/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control connection: a TCP socket of our own between the processes of two ends. On it they find
 * each other and agree before either needs libfabric (fabric_hello.h), and afterwards each notices
 * on it that the other one is gone, whatever the provider knows of that: when the process dies its
 * kernel hangs up, and when the network is cut our kernel gives up for want of acknowledgements,
 * which a peer's kernel sends even for a process that is stopped. In a forked child it is closed.
 *
 * Owner: whoever embeds it. Thread: the owner's; nothing blocks. `fd` of a closed one is -1, so
 * zeroed memory is not one.
 */
#ifndef SDPU_RDMA_FABRIC_CONTROL_H
#define SDPU_RDMA_FABRIC_CONTROL_H

#include <stdbool.h>
#include <sys/socket.h>

#include "rdma/address.h"
#include "rdma/fabric_hello.h"

#define FABRIC_CONTROL_TIMEOUT_MS 1200u /* that long TCP waits for acknowledgements */
#define FABRIC_CONTROL_STUCK_MS 900u

#define FABRIC_FAULT_MAX 128u

struct fabric_control {
	int fd;
	uint32_t got;	  /* of `in` */
	uint32_t to_send; /* of `out`, from `sent` on */
	uint32_t sent;
	uint8_t in[FABRIC_HELLO_SIZE];
	uint8_t out[FABRIC_HELLO_SIZE];
	char version_fault[FABRIC_FAULT_MAX]; /* "", or which versions met, be it the last time */
};

/* Listens to this TCP port (0: any) of all addresses, of both families if there are both. Tells the
 * port. ALREADY_EXIST: somebody does; OPERATING_SYSTEM. */
doca_error_t fabric_sock_listen(uint16_t port, int *fd, uint16_t *got);
/* A caller of that socket; -1: none now. */
int fabric_sock_accept(int listener);
void fabric_sock_peer(int fd, struct rdma_address *peer);
void fabric_sock_self(int fd, struct rdma_address *self);
void fabric_address_of(const struct sockaddr_storage *from, struct rdma_address *address);
socklen_t fabric_sockaddr_of(const struct rdma_address *address, struct sockaddr_storage *out);

/* Of a connected socket, which it takes over. */
void fabric_control_open(struct fabric_control *control, int fd);
/* Begins to connect. NOT_FOUND: nobody there, or no way. */
doca_error_t fabric_control_dial(struct fabric_control *control, const struct rdma_address *to);
/* Harmless on a closed one. */
void fabric_control_close(struct fabric_control *control);

/* Puts the record behind what is not sent yet, which may be nothing but a heartbeat. */
void fabric_control_put(struct fabric_control *control, const struct fabric_hello *hello);
/* SUCCESS: all is sent; AGAIN: not connected yet, or no room; CONNECTION_RESET: hung up; TIME_OUT:
 * cut, or could not be connected. */
doca_error_t fabric_control_flush(struct fabric_control *control);
/* AGAIN: none yet; CONNECTION_RESET, TIME_OUT; INVALID_VALUE: nonsense, UNSUPPORTED_VERSION: of
 * another build; *fault says why, for as long as the control lives. */
doca_error_t fabric_control_get(struct fabric_control *control, struct fabric_hello *hello,
				const char **fault);

/* The peer's kernel has not acknowledged what was sent for too long. TCP gives up by itself as
 * well, but half a second later or more where its packets cannot even leave. */
bool fabric_control_is_stuck(const struct fabric_control *control);

/* Joined: sends a count, or nothing when there is no room. */
void fabric_control_send_count(struct fabric_control *control, uint64_t count);
/* The next count. AGAIN, CONNECTION_RESET, TIME_OUT. */
doca_error_t fabric_control_receive_count(struct fabric_control *control, uint64_t *count);

#endif
