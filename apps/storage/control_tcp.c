/* SPDX-License-Identifier: BSD-3-Clause */
#include "control_tcp.h"

#include "timing.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* A peer that has vanished without a word is given up after about 3 + 3 x 2 seconds. */
#define KEEPALIVE_IDLE 3
#define KEEPALIVE_INTERVAL 2
#define KEEPALIVE_COUNT 3

/* How long a short write, or the last close, waits for the peer. */
#define SEND_LIMIT_MSEC 2000
#define CLOSE_LIMIT_MSEC 200

static bool tcp_would_block(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/* The peer reads all the time, so a full socket buffer is a matter of moments. */
static doca_error_t control_tcp_send(struct control_channel *channel, const uint8_t *bytes,
				     size_t size)
{
	struct control_tcp *tcp = (struct control_tcp *)channel;
	struct pollfd room = {.fd = tcp->fd, .events = POLLOUT};
	size_t sent = 0;
	ssize_t count;

	while (sent < size) {
		count = send(tcp->fd, bytes + sent, size - sent, MSG_NOSIGNAL);
		if (count > 0) {
			sent += (size_t)count;
			continue;
		}
		if (!tcp_would_block(errno))
			return DOCA_ERROR_CONNECTION_RESET;
		if (poll(&room, 1, SEND_LIMIT_MSEC) == 0)
			return DOCA_ERROR_TIME_OUT;
	}
	return DOCA_SUCCESS;
}

static doca_error_t control_tcp_poll(struct control_channel *channel, bool *busy)
{
	struct control_tcp *tcp = (struct control_tcp *)channel;
	doca_error_t result;
	ssize_t count;
	uint8_t *at;
	size_t room;

	while ((room = control_stream_room(&tcp->stream, &channel->inbox, &at)) != 0) {
		count = recv(tcp->fd, at, room, 0);
		if (count < 0 && tcp_would_block(errno))
			break;
		if (count <= 0) {
			control_note_end(channel);
			break;
		}
		*busy = true;
		result = control_stream_advance(&tcp->stream, (size_t)count, &channel->inbox);
		if (result != DOCA_SUCCESS)
			return result;
	}
	return DOCA_SUCCESS;
}

static const struct control_ops control_tcp_ops = {
	.send = control_tcp_send,
	.poll = control_tcp_poll,
};

void control_tcp_init(struct control_tcp *tcp, const char *peer)
{
	control_init(&tcp->channel, &control_tcp_ops, peer);
	tcp->stream.used = 0;
	tcp->fd = -1;
	tcp->listen_fd = -1;
}

static int tcp_socket(void)
{
	const struct linger linger_off = {0};
	const int on = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger_off, sizeof(linger_off));
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	return fd;
}

/* Small messages that are waited for, from a peer that may vanish. */
static void tcp_set_options(int fd)
{
	const int on = 1, idle = KEEPALIVE_IDLE, interval = KEEPALIVE_INTERVAL;
	const int count = KEEPALIVE_COUNT;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
}

static void control_tcp_adopt(struct control_tcp *tcp, int fd)
{
	tcp_set_options(fd);
	tcp->fd = fd;
	control_open(&tcp->channel);
}

doca_error_t control_tcp_listen(struct control_tcp *tcp, uint16_t port, struct fault *fault)
{
	const struct sockaddr_in any = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_ANY),
	};

	tcp->listen_fd = tcp_socket();
	if (tcp->listen_fd < 0)
		return fault_raise(fault, DOCA_ERROR_OPERATING_SYSTEM,
				   "Cannot make a TCP socket: %s", strerror(errno));
	if (bind(tcp->listen_fd, (const struct sockaddr *)&any, sizeof(any)) != 0 ||
	    listen(tcp->listen_fd, 1) != 0)
		return fault_raise(fault, DOCA_ERROR_OPERATING_SYSTEM,
				   "Cannot listen on TCP port %u: %s; choose another --listen-port",
				   port, strerror(errno));
	return DOCA_SUCCESS;
}

static bool control_tcp_try_accept(void *arg)
{
	struct control_tcp *tcp = arg;
	int fd = accept4(tcp->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0)
		return false;
	control_tcp_adopt(tcp, fd);
	return true;
}

doca_error_t control_tcp_accept(struct control_tcp *tcp, struct waiter *waiter)
{
	doca_error_t result = waiter_wait(waiter, control_tcp_try_accept, tcp, WAITER_NO_LIMIT,
					  "the bridge to connect");

	if (result != DOCA_SUCCESS)
		return result;
	/* Nobody else is served: later callers are refused instead of waiting in the backlog. */
	close(tcp->listen_fd);
	tcp->listen_fd = -1;
	return DOCA_SUCCESS;
}

void control_tcp_close(struct control_tcp *tcp)
{
	struct pollfd input = {.fd = tcp->fd, .events = POLLIN};
	const uint64_t deadline = timing_now() + CLOSE_LIMIT_MSEC * NSEC_PER_MSEC;
	uint8_t rest[256];

	if (tcp->listen_fd >= 0)
		close(tcp->listen_fd);
	/* Closing with input unread would reset the connection and lose our own last words. */
	if (tcp->fd >= 0 && tcp->channel.state == CONTROL_OPEN && shutdown(tcp->fd, SHUT_WR) == 0)
		while (timing_now() < deadline && poll(&input, 1, CLOSE_LIMIT_MSEC) > 0 &&
		       recv(tcp->fd, rest, sizeof(rest), 0) > 0)
			continue;
	if (tcp->fd >= 0)
		close(tcp->fd);
	tcp->fd = -1;
	tcp->listen_fd = -1;
}

/*
 * Connecting, as a state machine that the waiter drives: one attempt after the other, each on a
 * fresh socket, until one stands or the time is over.
 */
enum tcp_connect_state {
	TCP_CONNECT_PAUSING, /* waiting for the time of the next attempt */
	TCP_CONNECT_PENDING, /* an attempt is under way */
	TCP_CONNECT_DONE,
};

#define CONNECT_PAUSE (100 * NSEC_PER_MSEC)

struct tcp_connect {
	enum tcp_connect_state state;
	struct sockaddr_in server;
	int fd;
	int error;     /* errno of the last attempt that failed */
	uint64_t next; /* when to try again */
};

static void tcp_connect_failed(struct tcp_connect *connecting, int error)
{
	if (connecting->fd >= 0)
		close(connecting->fd);
	connecting->fd = -1;
	connecting->error = error;
	connecting->next = timing_now() + CONNECT_PAUSE;
	connecting->state = TCP_CONNECT_PAUSING;
}

/*
 * While nobody listens, a socket that tries again and again can be given the very port it calls
 * and meet itself (the simultaneous open of TCP). That is not the server.
 */
bool control_tcp_is_own_socket(int fd)
{
	struct sockaddr_in local = {0}, remote = {0};
	socklen_t local_size = sizeof(local), remote_size = sizeof(remote);

	return getsockname(fd, (struct sockaddr *)&local, &local_size) == 0 &&
	       getpeername(fd, (struct sockaddr *)&remote, &remote_size) == 0 &&
	       local.sin_port == remote.sin_port && local.sin_addr.s_addr == remote.sin_addr.s_addr;
}

static void tcp_connect_established(struct tcp_connect *connecting)
{
	if (control_tcp_is_own_socket(connecting->fd))
		tcp_connect_failed(connecting, ECONNREFUSED);
	else
		connecting->state = TCP_CONNECT_DONE;
}

static void tcp_connect_start(struct tcp_connect *connecting)
{
	if (timing_now() < connecting->next)
		return;
	connecting->fd = tcp_socket();
	if (connecting->fd < 0)
		tcp_connect_failed(connecting, errno);
	else if (connect(connecting->fd, (const struct sockaddr *)&connecting->server,
			 sizeof(connecting->server)) == 0)
		tcp_connect_established(connecting);
	else if (errno == EINPROGRESS || errno == EINTR)
		connecting->state = TCP_CONNECT_PENDING;
	else
		tcp_connect_failed(connecting, errno);
}

static void tcp_connect_check(struct tcp_connect *connecting)
{
	struct pollfd writable = {.fd = connecting->fd, .events = POLLOUT};
	socklen_t size = sizeof(int);
	int error = 0;

	if (poll(&writable, 1, 0) <= 0)
		return;
	if (getsockopt(connecting->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
		error = errno;
	if (error != 0)
		tcp_connect_failed(connecting, error);
	else
		tcp_connect_established(connecting);
}

static bool tcp_connect_step(void *arg)
{
	struct tcp_connect *connecting = arg;

	if (connecting->state == TCP_CONNECT_PAUSING)
		tcp_connect_start(connecting);
	else if (connecting->state == TCP_CONNECT_PENDING)
		tcp_connect_check(connecting);
	return connecting->state == TCP_CONNECT_DONE;
}

doca_error_t control_tcp_connect(struct control_tcp *tcp, const struct sockaddr_in *server,
				 uint32_t limit, struct waiter *waiter)
{
	struct tcp_connect connecting = {
		.state = TCP_CONNECT_PAUSING,
		.server = *server,
		.fd = -1,
		.error = ETIMEDOUT,
	};
	char address[INET_ADDRSTRLEN];
	doca_error_t result;

	result = waiter_wait(waiter, tcp_connect_step, &connecting, limit,
			     "the TCP connection to the target");
	if (result == DOCA_SUCCESS) {
		control_tcp_adopt(tcp, connecting.fd);
		return DOCA_SUCCESS;
	}
	if (connecting.fd >= 0)
		close(connecting.fd);
	if (result != DOCA_ERROR_TIME_OUT)
		return result;
	inet_ntop(AF_INET, &server->sin_addr, address, sizeof(address));
	return fault_raise(waiter->fault, result,
			   "timed out trying to connect to the target at %s:%u for %u seconds: %s; "
			   "is it running, and is --storage-server right?",
			   address, ntohs(server->sin_port), limit, strerror(connecting.error));
}
