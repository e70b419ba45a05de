/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SOCK_SEQPACKET Unix sockets in the runtime directory. Addresses go through
 * /proc/self/fd/DIR/NAME, so that the limit of 108 bytes does not matter. All sockets are
 * non-blocking and close-on-exec, all descriptors handed out here are registered with
 * sdpu_fd_own(). No function blocks.
 *
 * The peer is not trusted: a record is at most SDPU_RECORD_MAX bytes and SDPU_RECORD_FDS
 * descriptors; what is beyond that is refused, its descriptors closed.
 */
#ifndef SDPU_BUS_SOCK_H
#define SDPU_BUS_SOCK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_error.h>

#include "base/compiler.h"

#define SDPU_RECORD_MAX 2048
#define SDPU_RECORD_FDS 8

/* A received record. Owner of fds: the receiver; sdpu_record_drop() closes those not taken. */
struct sdpu_record {
	uint32_t len;
	uint32_t num_fds;
	int fds[SDPU_RECORD_FDS];
	_Alignas(8) uint8_t bytes[SDPU_RECORD_MAX];
};

SDPU_SHARED doca_error_t sdpu_sock_listen(const char *name, int *fd);
/* NOT_FOUND: nobody listens there; AGAIN: its backlog is full. */
SDPU_SHARED doca_error_t sdpu_sock_connect(const char *name, int *fd);
SDPU_SHARED doca_error_t sdpu_sock_pair(int fds[2]);

/* AGAIN: the peer's buffer is full; CONNECTION_RESET: the peer is gone. Descriptors stay with the
 * caller. */
SDPU_SHARED doca_error_t sdpu_sock_send(int fd, const void *bytes, size_t len, const int *fds,
					uint32_t num_fds);
/* AGAIN: nothing there; CONNECTION_RESET: closed; INVALID_VALUE: malformed record (dropped). */
SDPU_SHARED doca_error_t sdpu_sock_recv(int fd, struct sdpu_record *record);
SDPU_SHARED void sdpu_record_drop(struct sdpu_record *record);
/* Takes descriptor i out of the record (ownership moves); -1 when there is none. */
SDPU_SHARED int sdpu_record_take_fd(struct sdpu_record *record, uint32_t i);

/* Pid of the process at the other end as the kernel tells it. NOT_PERMITTED for another user. */
SDPU_SHARED doca_error_t sdpu_sock_peer(int fd, pid_t *pid);

#endif
