/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The control channel between bridge and target: one IPv4 TCP connection, non-blocking. The
 * target listens and takes exactly one client, the bridge connects.
 *
 * End of file, reset and silence (keep-alive) all count as the peer's death.
 */
#ifndef STORAGE_CONTROL_TCP_H
#define STORAGE_CONTROL_TCP_H

#include "control.h"

#include <netinet/in.h>

struct control_tcp {
	struct control_channel channel;
	struct control_stream stream;
	int fd;	       /* the connection, -1 for none */
	int listen_fd; /* -1 once the one client is there */
};

void control_tcp_init(struct control_tcp *tcp, const char *peer);

/* Starts to listen on all addresses. Raises the fault when the port cannot be had. */
doca_error_t control_tcp_listen(struct control_tcp *tcp, uint16_t port, struct fault *fault);

/* Waits without limit for the one client, then stops listening. */
doca_error_t control_tcp_accept(struct control_tcp *tcp, struct waiter *waiter);

/* Connects to server, trying again for at most limit seconds. */
doca_error_t control_tcp_connect(struct control_tcp *tcp, const struct sockaddr_in *server,
				 uint32_t limit, struct waiter *waiter);

/* Whether a connected socket is its own peer. */
bool control_tcp_is_own_socket(int fd);

/*
 * Closes everything; harmless when nothing is open. While the peer may still be reading an error
 * message, the connection is closed gently: this waits for its end for a moment.
 */
void control_tcp_close(struct control_tcp *tcp);

#endif
