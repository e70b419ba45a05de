/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bare TCP connection over the loopback interface, both ends polling with non-blocking calls: a
 * message there and back, one send and one receive system call for each direction.
 */
#include "limits.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct line {
	struct bench *bench;
	int sock;
	uint8_t *message;
};

static bool fail(struct bench *bench, const char *what)
{
	bench_give_up(bench, BENCH_UNABLE, "TCP: %s: error %d", what, errno);
	return false;
}

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = port};
}

/* The port stands in the arena. */
static bool wait_for_call(struct bench *bench, int *sock)
{
	struct sockaddr_in at = loopback(0);
	socklen_t len = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (listener < 0 || bind(listener, (struct sockaddr *)&at, len) != 0 ||
	    listen(listener, 1) != 0 || getsockname(listener, (struct sockaddr *)&at, &len) != 0)
		return fail(bench, "listening");
	*(uint16_t *)bench->arena = at.sin_port;
	if (!bench_sync(bench))
		return false;
	*sock = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	close(listener);
	return *sock >= 0 || fail(bench, "accepting");
}

static bool call(struct bench *bench, int *sock)
{
	struct sockaddr_in at;

	if (!bench_sync(bench))
		return false;
	at = loopback(*(uint16_t *)bench->arena);
	*sock = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*sock < 0 || connect(*sock, (struct sockaddr *)&at, sizeof(at)) != 0)
		return fail(bench, "connecting");
	return true;
}

static bool line_open(struct bench *bench, struct line *line)
{
	int on = 1;

	line->bench = bench;
	line->message = calloc(1, bench->kernel->size);
	if (line->message == NULL)
		return fail(bench, "memory");
	if (bench->side == 0 ? !call(bench, &line->sock) : !wait_for_call(bench, &line->sock))
		return false;
	return setsockopt(line->sock, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0 ||
	       fail(bench, "TCP_NODELAY");
}

static bool line_send(struct line *line)
{
	for (size_t done = 0; done < line->bench->kernel->size;) {
		ssize_t n = send(line->sock, line->message + done, line->bench->kernel->size - done,
				 MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n > 0)
			done += (size_t)n;
		else if (errno != EAGAIN || bench_stopped(line->bench))
			return false;
	}
	return true;
}

static bool line_receive(struct line *line)
{
	for (size_t done = 0; done < line->bench->kernel->size;) {
		ssize_t n = recv(line->sock, line->message + done, line->bench->kernel->size - done,
				 MSG_DONTWAIT);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || errno != EAGAIN || bench_stopped(line->bench))
			return false;
	}
	return true;
}

static bool trip(void *arg)
{
	return line_send(arg) && line_receive(arg);
}

enum bench_status limit_tcp_ping(struct bench *bench)
{
	struct line line;

	return line_open(bench, &line) ? bench_repeat(bench, trip, &line, 1) : bench_end(bench);
}

enum bench_status limit_tcp_pong(struct bench *bench)
{
	struct line line;

	if (line_open(bench, &line)) {
		while (line_receive(&line) && line_send(&line))
			;
	}
	return bench_end(bench);
}
