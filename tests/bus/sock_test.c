/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records and descriptors between processes, and what is refused.
 */
#include "t.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/valgrind.h"
#include "bus/process.h"
#include "bus/rundir.h"
#include "bus/sock.h"

/* Sends what sdpu_sock_send() would refuse to. */
static void send_raw(int sock, const void *bytes, size_t len, const int *fds, uint32_t num_fds)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int) * 32)];
	} control = {0};
	struct iovec iov = {.iov_base = (void *)bytes, .iov_len = len};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};

	if (num_fds > 0) {
		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(sizeof(int) * num_fds);
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(sizeof(int) * num_fds);
		memcpy(CMSG_DATA(&control.align), fds, sizeof(int) * num_fds);
	}
	T_EQ(sendmsg(sock, &msg, MSG_DONTWAIT | MSG_NOSIGNAL), len);
}

T_CASE(records_keep_their_borders)
{
	static struct sdpu_record record;
	static uint8_t big[SDPU_RECORD_MAX];
	int s[2];

	T_OK(sdpu_sock_pair(s));
	T_ERR(sdpu_sock_recv(s[1], &record), DOCA_ERROR_AGAIN);
	memset(big, 0x5a, sizeof(big));
	T_OK(sdpu_sock_send(s[0], "ab", 2, NULL, 0));
	T_OK(sdpu_sock_send(s[0], big, sizeof(big), NULL, 0));
	T_OK(sdpu_sock_recv(s[1], &record));
	T_EQ(record.len, 2);
	T_MEMEQ(record.bytes, "ab", 2);
	T_OK(sdpu_sock_recv(s[1], &record));
	T_EQ(record.len, sizeof(big));
	T_MEMEQ(record.bytes, big, sizeof(big));
	sdpu_fd_close(s[0]);
	T_ERR(sdpu_sock_recv(s[1], &record), DOCA_ERROR_CONNECTION_RESET);
	T_ERR(sdpu_sock_send(s[1], "x", 1, NULL, 0), DOCA_ERROR_CONNECTION_RESET);
	sdpu_fd_close(s[1]);
}

T_CASE(limits_of_sending)
{
	static uint8_t big[SDPU_RECORD_MAX + 1];
	int fds[SDPU_RECORD_FDS + 1] = {0};
	doca_error_t result;
	int s[2], sent = 0;

	T_OK(sdpu_sock_pair(s));
	T_ERR(sdpu_sock_send(s[0], "", 0, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_sock_send(s[0], big, sizeof(big), NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_sock_send(s[0], "x", 1, fds, SDPU_RECORD_FDS + 1), DOCA_ERROR_INVALID_VALUE);
	/* A socket that nobody empties says so in time. */
	while ((result = sdpu_sock_send(s[0], big, SDPU_RECORD_MAX, NULL, 0)) == DOCA_SUCCESS)
		T_CHECK(++sent < 100000);
	T_EQ(result, DOCA_ERROR_AGAIN);
	sdpu_fd_close(s[0]);
	sdpu_fd_close(s[1]);
}

T_CASE(descriptors_travel_and_belong_to_the_receiver)
{
	static struct sdpu_record record;
	int s[2], p[2], taken;
	unsigned int before;
	char c;

	T_OK(sdpu_sock_pair(s));
	T_EQ(pipe(p), 0);
	before = t_count_entries("/proc/self/fd");
	T_OK(sdpu_sock_send(s[0], "fds", 3, (int[]){p[0], p[1]}, 2));
	T_OK(sdpu_sock_recv(s[1], &record));
	T_EQ(record.num_fds, 2);
	T_EQ(sdpu_record_take_fd(&record, 2), -1);
	taken = sdpu_record_take_fd(&record, 1);
	T_EQ(fcntl(taken, F_GETFD), FD_CLOEXEC);
	T_EQ(sdpu_record_take_fd(&record, 1), -1);
	T_EQ(write(taken, "z", 1), 1);
	T_EQ(read(p[0], &c, 1), 1);
	T_EQ(c, 'z');
	sdpu_record_drop(&record);
	T_EQ(t_count_entries("/proc/self/fd"), before + 1);
	sdpu_fd_close(taken);
	T_EQ(t_count_entries("/proc/self/fd"), before);
}

T_CASE(oversized_records_are_dropped_whole)
{
	static struct sdpu_record record;
	static uint8_t big[SDPU_RECORD_MAX + 1];
	unsigned int before;
	int s[2], fds[16];

	T_OK(sdpu_sock_pair(s));
	for (int i = 0; i < 16; i++)
		fds[i] = s[0];
	before = t_count_entries("/proc/self/fd");
	send_raw(s[0], big, sizeof(big), fds, 1);
	send_raw(s[0], "x", 1, fds, SDPU_RECORD_FDS + 1);
	send_raw(s[0], "x", 1, fds, 16);
	for (int i = 0; i < 3; i++)
		T_ERR(sdpu_sock_recv(s[1], &record), DOCA_ERROR_INVALID_VALUE);
	T_EQ(t_count_entries("/proc/self/fd"), before);
	/* The connection lives on. */
	T_OK(sdpu_sock_send(s[0], "next", 4, fds, SDPU_RECORD_FDS));
	T_OK(sdpu_sock_recv(s[1], &record));
	T_EQ(record.num_fds, SDPU_RECORD_FDS);
	sdpu_record_drop(&record);
	T_EQ(t_count_entries("/proc/self/fd"), before);
}

T_CASE(no_descriptors_left_is_refused_not_lost)
{
	static struct sdpu_record record;
	struct rlimit limit;
	unsigned int before;
	int s[2];

	if (sdpu_under_valgrind())
		T_SKIP("valgrind keeps the limit from the kernel");
	T_OK(sdpu_sock_pair(s));
	T_OK(sdpu_sock_send(s[0], "x", 1, (int[]){s[0], s[1], s[0]}, 3));
	before = t_count_entries("/proc/self/fd");
	T_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = (rlim_t)s[1] + 2;
	T_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	T_ERR(sdpu_sock_recv(s[1], &record), DOCA_ERROR_INVALID_VALUE);
	limit.rlim_cur = limit.rlim_max;
	T_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	T_EQ(t_count_entries("/proc/self/fd"), before);
}

T_CASE(empty_record_with_descriptors_is_an_end_and_leaks_nothing)
{
	static struct sdpu_record record;
	unsigned int before;
	int s[2];

	T_OK(sdpu_sock_pair(s));
	before = t_count_entries("/proc/self/fd");
	send_raw(s[0], "", 0, s, 2);
	T_ERR(sdpu_sock_recv(s[1], &record), DOCA_ERROR_CONNECTION_RESET);
	T_EQ(t_count_entries("/proc/self/fd"), before);
}

T_CASE(what_was_sent_before_the_end_still_arrives)
{
	static struct sdpu_record record;
	int s[2];

	T_OK(sdpu_sock_pair(s));
	/* Unread records at the closing side make the kernel report a reset first. */
	T_OK(sdpu_sock_send(s[1], "unread", 6, NULL, 0));
	T_OK(sdpu_sock_send(s[0], "last", 4, NULL, 0));
	sdpu_fd_close(s[0]);
	T_OK(sdpu_sock_recv(s[1], &record));
	T_MEMEQ(record.bytes, "last", 4);
	T_ERR(sdpu_sock_recv(s[1], &record), DOCA_ERROR_CONNECTION_RESET);
	sdpu_fd_close(s[1]);
}

static int connect_and_wait(void *arg)
{
	static struct sdpu_record record;
	int sock;
	pid_t pid;

	T_EVENTUALLY(sdpu_sock_connect("meet", &sock) == DOCA_SUCCESS, 10000);
	T_OK(sdpu_sock_peer(sock, &pid));
	T_EQ(pid, getppid());
	T_EVENTUALLY(sdpu_sock_recv(sock, &record) == DOCA_ERROR_CONNECTION_RESET, 10000);
	return 0;
}

T_CASE(the_kernel_tells_who_is_there)
{
	pid_t child = t_fork(connect_and_wait, NULL), pid;
	struct sdpu_claim *claim;
	int listener, sock;

	T_OK(sdpu_claim_take("meet", "", &claim));
	T_OK(sdpu_sock_listen("meet", &listener));
	T_EVENTUALLY((sock = accept(listener, NULL, NULL)) >= 0, 10000);
	T_OK(sdpu_sock_peer(sock, &pid));
	T_EQ(pid, child);
	close(sock);
	T_EQ(t_wait(child, 10000), 0);
	sdpu_claim_drop(claim);
	sdpu_fd_close(listener);
}

/* Abstract, so that no directory keeps the other user away. */
static socklen_t abstract_address(struct sockaddr_un *addr)
{
	int len;

	memset(addr, 0, sizeof(*addr));
	addr->sun_family = AF_UNIX;
	len = snprintf(addr->sun_path + 1, sizeof(addr->sun_path) - 1, "sdpu-%d", (int)getpgrp());
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len);
}

static int connect_as_another(void *arg)
{
	struct sockaddr_un addr;
	socklen_t len = abstract_address(&addr);
	int sock = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	T_EQ(setresuid(12345, 12345, 12345), 0);
	T_EQ(connect(sock, (struct sockaddr *)&addr, len), 0);
	_exit(0);
}

T_CASE(another_user_is_refused)
{
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), sock;
	struct sockaddr_un addr;
	socklen_t len = abstract_address(&addr);
	pid_t pid = -7;

	if (geteuid() != 0)
		T_SKIP("needs root to become another user");
	T_EQ(bind(listener, (struct sockaddr *)&addr, len), 0);
	T_EQ(listen(listener, 1), 0);
	T_EQ(t_wait(t_fork(connect_as_another, NULL), 10000), 0);
	sock = accept(listener, NULL, NULL);
	T_ERR(sdpu_sock_peer(sock, &pid), DOCA_ERROR_NOT_PERMITTED);
	T_EQ(pid, -7);
	close(sock);
	close(listener);
}

T_CASE(names)
{
	static const char *const bad[] = {"", ".", "..", "a/b", "/abs"};
	struct sdpu_claim *claim;
	int a, b;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		T_ERR(sdpu_sock_listen(bad[i], &a), DOCA_ERROR_INVALID_VALUE);
		T_ERR(sdpu_sock_connect(bad[i], &a), DOCA_ERROR_INVALID_VALUE);
	}
	T_ERR(sdpu_sock_connect("nobody", &a), DOCA_ERROR_NOT_FOUND);
	T_OK(sdpu_claim_take("twice", "", &claim));
	T_OK(sdpu_sock_listen("twice", &a));
	T_ERR(sdpu_sock_listen("twice", &b), DOCA_ERROR_ALREADY_EXIST);
	sdpu_fd_close(a);
	/* The name is there, but nobody behind it. */
	T_ERR(sdpu_sock_connect("twice", &b), DOCA_ERROR_NOT_FOUND);
	sdpu_claim_drop(claim);
}

T_CASE(long_directory_names_do_not_matter)
{
	char path[512], name[200];
	struct sdpu_claim *claim;
	int listener, sock;

	memset(name, 'l', sizeof(name));
	snprintf(path, sizeof(path), "%s/%.*s", getenv("SOFTDPU_RUNTIME_DIR"), (int)sizeof(name),
		 name);
	setenv("SOFTDPU_RUNTIME_DIR", path, 1);
	T_OK(sdpu_claim_take("far", "", &claim));
	T_OK(sdpu_sock_listen("far", &listener));
	T_OK(sdpu_sock_connect("far", &sock));
	sdpu_claim_drop(claim);
}

T_CASE(full_backlog_says_again)
{
	struct sdpu_claim *claim;
	struct rlimit limit = {.rlim_cur = 20000, .rlim_max = 20000};
	doca_error_t result;
	int listener, sock, n = 0;

	if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
		T_SKIP("needs more descriptors than the backlog is long");
	T_OK(sdpu_claim_take("busy", "", &claim));
	T_OK(sdpu_sock_listen("busy", &listener));
	while ((result = sdpu_sock_connect("busy", &sock)) == DOCA_SUCCESS)
		T_CHECK(++n < 19000);
	T_EQ(result, DOCA_ERROR_AGAIN);
	sdpu_claim_drop(claim);
}
