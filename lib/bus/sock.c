/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sockets of the bus: see sock.h. No state; any thread. A dead peer is CONNECTION_RESET, after the
 * records that it sent before.
 */
#include "bus/sock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/log.h"
#include "bus/process.h"
#include "bus/rundir.h"

/* The kernel allows somaxconn of them; connecting never waits, so the more the better. */
#define BACKLOG 4096

#define SOCK_TYPE (SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC)

static doca_error_t os_error(const char *what, const char *name)
{
	sdpu_log_err("%s %s in %s: %s", what, name, sdpu_rundir_path(), strerror(errno));
	return DOCA_ERROR_OPERATING_SYSTEM;
}

static doca_error_t make_address(const char *name, struct sockaddr_un *addr)
{
	doca_error_t result;
	int dirfd, len;

	if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_rundir_get(&dirfd);
	if (result != DOCA_SUCCESS)
		return result;
	memset(addr, 0, sizeof(*addr));
	addr->sun_family = AF_UNIX;
	len = snprintf(addr->sun_path, sizeof(addr->sun_path), "/proc/self/fd/%d/%s", dirfd, name);
	return (size_t)len < sizeof(addr->sun_path) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t bind_and_listen(int sock, const struct sockaddr_un *addr, const char *name)
{
	if (bind(sock, (const struct sockaddr *)addr, sizeof(*addr)) != 0)
		return errno == EADDRINUSE ? DOCA_ERROR_ALREADY_EXIST : os_error("bind", name);
	return listen(sock, BACKLOG) == 0 ? DOCA_SUCCESS : os_error("listen", name);
}

static doca_error_t connect_now(int sock, const struct sockaddr_un *addr, const char *name)
{
	if (connect(sock, (const struct sockaddr *)addr, sizeof(*addr)) == 0)
		return DOCA_SUCCESS;
	switch (errno) {
	case ENOENT:
	case ECONNREFUSED:
	case EPROTOTYPE:
		return DOCA_ERROR_NOT_FOUND;
	case EAGAIN:
		return DOCA_ERROR_AGAIN;
	default:
		return os_error("connect", name);
	}
}

typedef doca_error_t (*use_fn)(int sock, const struct sockaddr_un *addr, const char *name);

/* A socket that was put to use under that name. */
static doca_error_t open_at(const char *name, use_fn use, int *fd)
{
	struct sockaddr_un addr;
	doca_error_t result = make_address(name, &addr);
	int sock;

	if (result != DOCA_SUCCESS)
		return result;
	sock = sdpu_fd_own(socket(AF_UNIX, SOCK_TYPE, 0));
	if (sock < 0)
		return os_error("socket for", name);
	result = use(sock, &addr, name);
	if (result == DOCA_SUCCESS)
		*fd = sock;
	else
		sdpu_fd_close(sock);
	return result;
}

doca_error_t sdpu_sock_listen(const char *name, int *fd)
{
	return open_at(name, bind_and_listen, fd);
}

doca_error_t sdpu_sock_connect(const char *name, int *fd)
{
	return open_at(name, connect_now, fd);
}

doca_error_t sdpu_sock_pair(int fds[2])
{
	int made[2];

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	if (socketpair(AF_UNIX, SOCK_TYPE, 0, made) != 0) {
		sdpu_log_err("socketpair: %s", strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	fds[0] = sdpu_fd_own(made[0]);
	fds[1] = sdpu_fd_own(made[1]);
	return DOCA_SUCCESS;
}

/* Buffer for the descriptors of one record, aligned as control messages must be. */
union control {
	struct cmsghdr align;
	char space[CMSG_SPACE(sizeof(int) * SDPU_RECORD_FDS)];
};

static void put_fds(struct msghdr *msg, union control *control, const int *fds, uint32_t num_fds)
{
	struct cmsghdr *cmsg;

	memset(control, 0, sizeof(*control));
	msg->msg_control = control;
	msg->msg_controllen = CMSG_SPACE(sizeof(int) * num_fds);
	cmsg = CMSG_FIRSTHDR(msg);
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int) * num_fds);
	memcpy(CMSG_DATA(cmsg), fds, sizeof(int) * num_fds);
}

static doca_error_t send_error(void)
{
	switch (errno) {
	case EAGAIN:
	case ENOBUFS:
	case ENOMEM:
	case ETOOMANYREFS: /* the peer has not yet received the descriptors of earlier records */
		return DOCA_ERROR_AGAIN;
	case EPIPE:
	case ECONNRESET:
	case ENOTCONN:
		return DOCA_ERROR_CONNECTION_RESET;
	default:
		sdpu_log_err("sendmsg to a peer: %s", strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
}

doca_error_t sdpu_sock_send(int fd, const void *bytes, size_t len, const int *fds, uint32_t num_fds)
{
	struct iovec iov = {.iov_base = (void *)bytes, .iov_len = len};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	union control control;
	ssize_t sent;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	/* An empty record would look like the end of the connection. */
	if (len == 0 || len > SDPU_RECORD_MAX || num_fds > SDPU_RECORD_FDS)
		return DOCA_ERROR_INVALID_VALUE;
	if (num_fds > 0)
		put_fds(&msg, &control, fds, num_fds);
	do
		sent = sendmsg(fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? send_error() : DOCA_SUCCESS;
}

/* Whatever descriptors came are in this process now: all are noted, so that none is lost on
 * refusal. */
static void take_fds(struct msghdr *msg, struct sdpu_record *record)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c != NULL; c = CMSG_NXTHDR(msg, c)) {
		size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n && record->num_fds < SDPU_RECORD_FDS; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(fd));
			record->fds[record->num_fds++] = sdpu_fd_own(fd);
		}
	}
}

/*
 * When the peer closed with records of ours unread, the kernel says ECONNRESET once, before it
 * hands out what the peer had sent: the second look gets that, or the end.
 */
static ssize_t receive(int fd, struct msghdr *msg)
{
	size_t room = msg->msg_controllen;
	ssize_t got = -1;

	for (int resets = 0, interrupts = 0; got < 0 && resets < 2 && interrupts < 16;) {
		msg->msg_controllen = room;
		got = recvmsg(fd, msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		if (got >= 0 || (errno != EINTR && errno != ECONNRESET))
			break;
		resets += errno == ECONNRESET;
		interrupts += errno == EINTR;
	}
	return got;
}

static doca_error_t recv_error(void)
{
	switch (errno) {
	case EAGAIN:
	case EINTR:
		return DOCA_ERROR_AGAIN;
	case ECONNRESET:
	case EPIPE:
	case ENOTCONN:
		return DOCA_ERROR_CONNECTION_RESET;
	default:
		sdpu_log_err("recvmsg from a peer: %s", strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
}

doca_error_t sdpu_sock_recv(int fd, struct sdpu_record *record)
{
	struct iovec iov = {.iov_base = record->bytes, .iov_len = sizeof(record->bytes)};
	union control control;
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got;

	record->len = 0;
	record->num_fds = 0;
	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	got = receive(fd, &msg);
	if (got < 0)
		return recv_error();
	take_fds(&msg, record);
	if ((msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
		sdpu_record_drop(record);
		sdpu_log_err(
			"record of a peer dropped: needs at most %d bytes and %d descriptors, and "
			"as many free descriptors here (ulimit -n)",
			SDPU_RECORD_MAX, SDPU_RECORD_FDS);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (got == 0) {
		sdpu_record_drop(record);
		return DOCA_ERROR_CONNECTION_RESET;
	}
	record->len = (uint32_t)got;
	return DOCA_SUCCESS;
}

void sdpu_record_drop(struct sdpu_record *record)
{
	for (uint32_t i = 0; i < record->num_fds; i++)
		sdpu_fd_close(record->fds[i]);
	record->num_fds = 0;
}

int sdpu_record_take_fd(struct sdpu_record *record, uint32_t i)
{
	int fd;

	if (i >= record->num_fds)
		return -1;
	fd = record->fds[i];
	record->fds[i] = -1;
	return fd;
}

doca_error_t sdpu_sock_peer(int fd, pid_t *pid)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) != 0) {
		sdpu_log_err("SO_PEERCRED: %s", strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	if (cred.uid != geteuid()) {
		sdpu_log_err("peer of user %u (pid %d) refused: needs user %u",
			     (unsigned int)cred.uid, (int)cred.pid, (unsigned int)geteuid());
		return DOCA_ERROR_NOT_PERMITTED;
	}
	*pid = cred.pid;
	return DOCA_SUCCESS;
}
