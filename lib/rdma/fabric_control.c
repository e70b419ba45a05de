/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control connections; contract in fabric_control.h.
 */
#include "rdma/fabric_control.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/bytes.h"
#include "base/log.h"
#include "bus/process.h"

#define LISTEN_BACKLOG 64

socklen_t fabric_sockaddr_of(const struct rdma_address *address, struct sockaddr_storage *out)
{
	struct sockaddr_in *ipv4 = (void *)out;
	struct sockaddr_in6 *ipv6 = (void *)out;

	memset(out, 0, sizeof(*out));
	if (address->family == RDMA_FAMILY_IPV4) {
		ipv4->sin_family = AF_INET;
		ipv4->sin_port = htons(address->port);
		memcpy(&ipv4->sin_addr, address->bytes, sizeof(ipv4->sin_addr));
		return sizeof(*ipv4);
	}
	ipv6->sin6_family = AF_INET6;
	ipv6->sin6_port = htons(address->port);
	memcpy(&ipv6->sin6_addr, address->bytes, sizeof(ipv6->sin6_addr));
	return sizeof(*ipv6);
}

void fabric_address_of(const struct sockaddr_storage *from, struct rdma_address *address)
{
	const struct sockaddr_in *ipv4 = (const void *)from;
	const struct sockaddr_in6 *ipv6 = (const void *)from;

	if (from->ss_family == AF_INET)
		rdma_address_of_ipv4((const void *)&ipv4->sin_addr, ntohs(ipv4->sin_port), address);
	else
		rdma_address_of_bytes(ipv6->sin6_addr.s6_addr, ntohs(ipv6->sin6_port), address);
}

void fabric_sock_peer(int fd, struct rdma_address *peer)
{
	struct sockaddr_storage from = {0};
	socklen_t len = sizeof(from);

	(void)getpeername(fd, (struct sockaddr *)&from, &len);
	fabric_address_of(&from, peer);
}

void fabric_sock_self(int fd, struct rdma_address *self)
{
	struct sockaddr_storage from = {0};
	socklen_t len = sizeof(from);

	(void)getsockname(fd, (struct sockaddr *)&from, &len);
	fabric_address_of(&from, self);
}

static void set_option(int fd, int level, int name, int value)
{
	if (setsockopt(fd, level, name, &value, sizeof(value)) != 0)
		sdpu_log_dbg("doca_rdma: socket option %d/%d: %s", level, name, strerror(errno));
}

/* Without traffic the kernel probes the peer's each second; heartbeats go out at once. */
static void sock_tune(int fd)
{
	set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, FABRIC_CONTROL_TIMEOUT_MS);
	set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, 1);
	set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, 1);
	set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, 1);
}

static int sock_open(int family)
{
	return sdpu_fd_own(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

/* IPv6 sockets accept callers of both families. */
static int sock_bind(int family, uint16_t port)
{
	struct sockaddr_storage at = {.ss_family = (sa_family_t)family};
	socklen_t len =
		family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
	int fd = sock_open(family);

	if (fd < 0)
		return -1;
	((struct sockaddr_in *)(void *)&at)->sin_port = htons(port);
	set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if (family == AF_INET6)
		set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
	if (bind(fd, (struct sockaddr *)&at, len) == 0 && listen(fd, LISTEN_BACKLOG) == 0)
		return fd;
	sdpu_fd_close(fd);
	return -1;
}

doca_error_t fabric_sock_listen(uint16_t port, int *out, uint16_t *got)
{
	struct rdma_address self;
	int fd = sock_bind(AF_INET6, port);

	if (fd < 0 && errno != EADDRINUSE)
		fd = sock_bind(AF_INET, port);
	if (fd < 0)
		return errno == EADDRINUSE ? DOCA_ERROR_ALREADY_EXIST : DOCA_ERROR_OPERATING_SYSTEM;
	fabric_sock_self(fd, &self);
	*out = fd;
	*got = self.port;
	return DOCA_SUCCESS;
}

int fabric_sock_accept(int listener)
{
	int fd = sdpu_fd_own(accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));

	if (fd >= 0)
		sock_tune(fd);
	return fd;
}

void fabric_control_open(struct fabric_control *control, int fd)
{
	control->fd = fd;
	control->got = 0;
	control->sent = 0;
	control->to_send = 0;
}

doca_error_t fabric_control_dial(struct fabric_control *control, const struct rdma_address *to)
{
	struct sockaddr_storage at;
	socklen_t len = fabric_sockaddr_of(to, &at);

	fabric_control_open(control, sock_open(at.ss_family));
	if (control->fd < 0)
		return DOCA_ERROR_NOT_FOUND;
	sock_tune(control->fd);
	if (connect(control->fd, (struct sockaddr *)&at, len) == 0 || errno == EINPROGRESS)
		return DOCA_SUCCESS;
	fabric_control_close(control);
	return DOCA_ERROR_NOT_FOUND;
}

void fabric_control_close(struct fabric_control *control)
{
	sdpu_fd_close(control->fd);
	control->fd = -1;
}

static bool is_not_yet(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == ENOTCONN ||
	       error == EINPROGRESS || error == EALREADY;
}

/* Of a peer that is dead its kernel tells; otherwise it is our kernel that has given up. */
static doca_error_t control_error(void)
{
	if (is_not_yet(errno))
		return DOCA_ERROR_AGAIN;
	return errno == ECONNRESET || errno == EPIPE ? DOCA_ERROR_CONNECTION_RESET
						     : DOCA_ERROR_TIME_OUT;
}

void fabric_control_put(struct fabric_control *control, const struct fabric_hello *hello)
{
	fabric_hello_write(hello, control->out);
	control->sent = 0;
	control->to_send = FABRIC_HELLO_SIZE;
}

doca_error_t fabric_control_flush(struct fabric_control *control)
{
	while (control->sent < control->to_send) {
		ssize_t n = send(control->fd, control->out + control->sent,
				 control->to_send - control->sent, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0)
			return control_error();
		control->sent += (uint32_t)n;
	}
	return DOCA_SUCCESS;
}

/* Until `in` has `len` bytes. */
static doca_error_t control_fill(struct fabric_control *control, uint32_t len)
{
	while (control->got < len) {
		ssize_t n = recv(control->fd, control->in + control->got, len - control->got,
				 MSG_DONTWAIT);

		if (n == 0)
			return DOCA_ERROR_CONNECTION_RESET;
		if (n < 0)
			return control_error();
		control->got += (uint32_t)n;
	}
	control->got = 0;
	return DOCA_SUCCESS;
}

static void control_tell_version(struct fabric_control *control, uint16_t version)
{
	snprintf(control->version_fault, sizeof(control->version_fault),
		 "it speaks version %u over TCP, we speak version %u; needed: one build of softdpu "
		 "on both machines",
		 version, FABRIC_HELLO_VERSION);
}

doca_error_t fabric_control_get(struct fabric_control *control, struct fabric_hello *hello,
				const char **fault)
{
	doca_error_t result = control_fill(control, FABRIC_HELLO_SIZE);
	uint16_t version;

	if (result != DOCA_SUCCESS)
		return result;
	version = fabric_hello_version(control->in);
	if (version != 0 && version != FABRIC_HELLO_VERSION) {
		control_tell_version(control, version);
		*fault = control->version_fault;
		return DOCA_ERROR_UNSUPPORTED_VERSION;
	}
	*fault = fabric_hello_read(control->in, hello);
	return *fault == NULL ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

bool fabric_control_is_stuck(const struct fabric_control *control)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);
	int queued;

	return ioctl(control->fd, SIOCOUTQ, &queued) == 0 && queued > 0 &&
	       getsockopt(control->fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 &&
	       info.tcpi_last_ack_recv >= FABRIC_CONTROL_STUCK_MS;
}

void fabric_control_send_count(struct fabric_control *control, uint64_t count)
{
	/* What could not be sent before fills the buffer, and this is dropped; a peer that waits
	 * for it has a time limit. */
	if (fabric_control_flush(control) != DOCA_SUCCESS)
		return;
	sdpu_put_u64(control->out, count);
	control->sent = 0;
	control->to_send = FABRIC_COUNT_SIZE;
	(void)fabric_control_flush(control);
}

doca_error_t fabric_control_receive_count(struct fabric_control *control, uint64_t *count)
{
	doca_error_t result = control_fill(control, FABRIC_COUNT_SIZE);

	if (result == DOCA_SUCCESS)
		*count = sdpu_get_u64(control->in);
	return result;
}
