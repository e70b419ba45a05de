/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TCP ports of the fabric back end, ours and libfabric's: callers that do not belong there, and
 * what becomes of all that when the process exits or forks.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/atomic.h"
#include "rdma/fabric_acceptor.h"
#include "rdma/rig.h"

#define FDS 256 /* descriptors that are looked at */
#define CROWD ((int)FABRIC_PENDING_MAX + 20)

static struct rig_end a, b;

/* Before the rig's own, which asks for it. */
__attribute__((constructor(101))) static void go_by_the_network(void)
{
	setenv("SOFTDPU_RDMA", "fabric", 1);
}

/* ---- Strangers ---- */

/* 0: it does not listen. */
static uint16_t port_of(int fd)
{
	struct sockaddr_in6 at = {0};
	socklen_t len = sizeof(int);
	int listens;

	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) != 0 || !listens)
		return 0;
	len = sizeof(at);
	if (getsockname(fd, (struct sockaddr *)&at, &len) != 0 ||
	    (at.sin6_family != AF_INET && at.sin6_family != AF_INET6))
		return 0;
	return ntohs(at.sin6_port);
}

/* The one TCP port that is open here. */
static uint16_t only_port(void)
{
	uint16_t found = 0;

	for (int fd = 0; fd < FDS; fd++) {
		uint16_t port = port_of(fd);

		T_CHECK(port == 0 || found == 0);
		found = port != 0 ? port : found;
	}
	T_CHECK(found != 0);
	return found;
}

/* -1: nobody is there any more. */
static int call(uint16_t port)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct timeval patience = {.tv_sec = 10};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	T_CHECK(fd >= 0);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	T_EQ(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0)
		return fd;
	close(fd);
	return -1;
}

static void babble(int fd, size_t len, unsigned int *seed)
{
	uint8_t bytes[1024];

	T_CHECK(len <= sizeof(bytes));
	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)rand_r(seed);
	(void)send(fd, bytes, len, MSG_NOSIGNAL);
}

static void expect_hung_up(int fd)
{
	char byte;
	ssize_t n = recv(fd, &byte, 1, 0);

	T_CHECK(n == 0 || (n < 0 && errno == ECONNRESET));
	close(fd);
}

static void send_garbage_to(uint16_t port)
{
	unsigned int seed = 1;

	for (int i = 0; i < 50; i++) {
		int fd = call(port);

		T_CHECK(fd >= 0);
		babble(fd, FABRIC_HELLO_SIZE + (size_t)i, &seed);
		expect_hung_up(fd);
	}
}

static void exchange_exported(void)
{
	rig_join(&a, &b);
	rig_await_join(&a, &b);
	rig_exchange(&a, &b);
}

static void close_both(void)
{
	rig_close(&a);
	rig_close(&b);
}

T_CASE(garbage_is_sent_away)
{
	struct rig_card unused;
	uint16_t port;

	rig_init(&a);
	rig_init(&b);
	port = rig_serve(&a, &b);
	send_garbage_to(port);
	rig_meet(&a, &b, port);
	rig_exchange(&a, &b);
	T_EQ(b.requests, 1);
	T_OK(doca_rdma_stop_listen_to_port(b.rdma, port));
	rig_export(&a, &unused);
	send_garbage_to(only_port());
	exchange_exported();
	close_both();
}

/* Some begin to say what they want. None of them is waited for: when there are too many, those that
 * have been silent for two seconds make room. */
static void crowd_in(uint16_t port, int *fds)
{
	unsigned int seed = 2;

	for (int i = 0; i < CROWD; i++) {
		fds[i] = call(port);
		T_CHECK(fds[i] >= 0);
		if (i % 2 != 0)
			babble(fds[i], 100, &seed);
	}
}

static void crowd_out(const int *fds)
{
	for (int i = 0; i < CROWD; i++)
		close(fds[i]);
}

static bool dial_in(uint16_t port)
{
	uint32_t failures = a.failures;

	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, a.failures > failures || (a.established == 1 && b.established == 1));
	return a.established == 1;
}

T_CASE(silent_callers_make_room)
{
	int fds[CROWD];
	uint16_t port;

	rig_init(&a);
	rig_init(&b);
	port = rig_serve(&a, &b);
	b.on_request = rig_accept;
	crowd_in(port, fds);
	T_EVENTUALLY(dial_in(port), 10000);
	rig_exchange(&a, &b);
	crowd_out(fds);
	close_both();
}

/* They have the descriptors only as long as they are there. */
static int open_fds(void)
{
	int num = 0;

	for (int fd = 0; fd < FDS; fd++)
		num += fcntl(fd, F_GETFD) >= 0;
	return num;
}

T_CASE(nothing_is_left_of_callers_that_hang_up)
{
	struct rig_card unused;
	int fds[CROWD], before;

	rig_start(&a);
	rig_start(&b);
	rig_export(&a, &unused);
	before = open_fds();
	for (int i = 0; i < 3; i++) {
		crowd_in(only_port(), fds);
		crowd_out(fds);
		T_EVENTUALLY(open_fds() == before, 10000);
	}
	exchange_exported();
	close_both();
}

/* ---- Strangers while others join ---- */

#define PESTS 8 /* at a time */

static uint32_t pests_end;

/* Calls each port that it finds open in this process: also libfabric's, which live for a moment. */
static void *pester(void *arg)
{
	int fds[PESTS], num = 0;
	unsigned int seed = 3;

	for (int i = 0; i < PESTS; i++)
		fds[i] = -1;
	while (!sdpu_load(&pests_end))
		for (int fd = 0; fd < FDS; fd++) {
			uint16_t port = port_of(fd);
			int *pest = &fds[num % PESTS];

			if (port == 0)
				continue;
			num++;
			if (*pest >= 0)
				close(*pest);
			*pest = call(port);
			if (*pest >= 0 && num % 3 != 0)
				babble(*pest, (size_t)rand_r(&seed) % 500, &seed);
		}
	for (int i = 0; i < PESTS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return arg;
}

static void join_among_pests(void (*round)(void))
{
	pthread_t thread;

	T_EQ(pthread_create(&thread, NULL, pester, NULL), 0);
	for (uint32_t i = 0; i < rig_rounds() / 4; i++)
		round();
	sdpu_store(&pests_end, 1);
	T_EQ(pthread_join(thread, NULL), 0);
}

static void round_exported(void)
{
	rig_start(&a);
	rig_start(&b);
	exchange_exported();
	close_both();
}

T_CASE_TIMEOUT(strays_do_not_disturb_exported_connections, 60)
{
	join_among_pests(round_exported);
}

static void round_by_address(void)
{
	uint16_t port;

	rig_init(&a);
	rig_init(&b);
	port = rig_serve(&a, &b);
	rig_meet(&a, &b, port);
	rig_exchange(&a, &b);
	close_both();
}

T_CASE_TIMEOUT(strays_do_not_disturb_connections_by_address, 60)
{
	if (T_WITH_ASAN)
		T_SKIP("libfabric leaks a caller that is cut off while it shakes hands");
	join_among_pests(round_by_address);
}

/* ---- Ends of a process ---- */

static void *poll_always(void *arg)
{
	for (;;)
		(void)doca_pe_progress(b.pe);
	return arg;
}

/* A port, a connection, and a thread that drives it, all open. */
static int leave_all_open(void *arg)
{
	bool polled = *(bool *)arg;
	pthread_t thread;
	uint16_t port;

	rig_init(&a);
	rig_init(&b);
	port = rig_serve(&a, &b);
	rig_meet(&a, &b, port);
	rig_exchange(&a, &b);
	if (polled)
		T_EQ(pthread_create(&thread, NULL, poll_always, NULL), 0);
	return 0;
}

T_CASE(exit_with_all_open)
{
	for (int i = 0; i < 10; i++) {
		bool polled = i % 2 != 0;

		T_EQ(t_wait(t_fork(leave_all_open, &polled), 10000), 0);
	}
}

/* A child that it forked lives on, with what libfabric has open. */
static int parent_of_another(void *arg)
{
	struct rig_card theirs;
	int fd = *(int *)arg;
	pid_t child;

	rig_start(&b);
	rig_swap(&b, fd, &theirs);
	(void)rig_hear(fd);
	child = fork();
	if (child == 0)
		for (;;)
			pause();
	rig_put(fd, &child, sizeof(child));
	for (;;)
		rig_turn(&b);
	return 1;
}

T_CASE(a_forked_child_does_not_hide_the_end_of_its_parent)
{
	struct rig_card theirs;
	pid_t parent, child;
	int fd;

	parent = rig_peer(parent_of_another, &fd);
	rig_start(&a);
	rig_swap(&a, fd, &theirs);
	rig_write(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &theirs, 0, 64), 1);
	RIG_ALONE(&a, a.ok[RIG_WRITE] == 1);
	rig_say(fd, 'f');
	rig_get(fd, &child, sizeof(child));
	kill(parent, SIGKILL);
	RIG_NOTICED(&a, a.disconnects == 1, "a killed parent");
	T_EQ(kill(child, SIGKILL), 0);
	T_EQ(t_wait(parent, 5000), 128 + SIGKILL);
	rig_close(&a);
}
