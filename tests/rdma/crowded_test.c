/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Joining while the kernel does not take descriptors, since as many of this user's are under way as
 * `ulimit -n` allows: it waits for a while, and then says so.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/kit.h"
#include "rdma/rig.h"

#define LIMIT 256
#define AT_ONCE 200 /* in one record; the kernel allows 253 */

static struct rig_end a, b;
static struct rig_card card_a, card_b;
static int crowd[2]; /* what is sent here stays under way */

/* Those who may do anything have no such limit. Before there are other threads. */
static void be_limited(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}};
	struct rlimit limit;

	T_EQ(syscall(SYS_capset, &header, none), 0);
	T_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = LIMIT;
	T_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* False: there are too many already. */
static bool send_many(int fd)
{
	ssize_t sent;
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(AT_ONCE * sizeof(int))];
	} control;
	struct iovec iov = {.iov_base = &control, .iov_len = 1};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = &control,
			     .msg_controllen = sizeof(control)};

	control.head = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
					.cmsg_type = SCM_RIGHTS,
					.cmsg_len = CMSG_LEN(AT_ONCE * sizeof(int))};
	for (size_t i = 0; i < AT_ONCE; i++)
		memcpy(CMSG_DATA(&control.head) + i * sizeof(int), &fd, sizeof(int));
	sent = sendmsg(crowd[0], &msg, MSG_NOSIGNAL);
	T_CHECK(sent == 1 || errno == ETOOMANYREFS);
	return sent == 1;
}

static void crowd_in(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, crowd), 0);
	/* Other tests of this user may have their share under way. */
	while (send_many(fd)) {
	}
	close(fd);
}

static void crowd_out(void)
{
	close(crowd[0]);
	close(crowd[1]);
}

static void *crowd_out_soon(void *arg)
{
	usleep(50000);
	crowd_out();
	return arg;
}

/* If it is the one that calls, the agent has got its call. */
static void open_and_connect_one(void)
{
	be_limited();
	rig_start(&a);
	rig_start(&b);
	rig_export(&a, &card_a);
	rig_export(&b, &card_b);
	T_OK(rig_connect(&a, &card_b));
	rig_idle(&a, &b);
}

static void close_both(void)
{
	rig_close(&a);
	rig_close(&b);
}

/* Which end calls and which answers is random; both send descriptors. */
T_CASE_TIMEOUT(connect_waits_for_room, 120)
{
	pthread_t thread;

	for (int i = 0; i < 8; i++) {
		open_and_connect_one();
		crowd_in();
		T_EQ(pthread_create(&thread, NULL, crowd_out_soon, NULL), 0);
		T_OK(rig_connect(&b, &card_a));
		T_EQ(pthread_join(thread, NULL), 0);
		rig_exchange(&a, &b);
		close_both();
	}
}

T_CASE_TIMEOUT(connect_gives_up, 120)
{
	for (int i = 0; i < 2; i++) {
		open_and_connect_one();
		rig_receive(&a, rig_room(&a, 0, 64), 1);
		crowd_in();
		kit_log();
		T_ERR(rig_connect(&b, &card_a), DOCA_ERROR_CONNECTION_ABORTED);
		T_CHECK(strlen(kit_log()) != 0);
		crowd_out();
		/* It is as if it had not been tried; when it is over, so is the other end. */
		T_CHECK(rig_state(&b) == DOCA_CTX_STATE_RUNNING);
		rig_send(&a, rig_data(&a, 64, 64), 2);
		T_OK(doca_ctx_stop(b.ctx));
		RIG_UNTIL(&a, &b, a.failures == 1);
		T_EQ(a.failed[RIG_SEND], 1);
		close_both();
	}
}

static void accept_refused(struct rig_end *end, struct doca_rdma_connection *connection)
{
	(void)end;
	crowd_in();
	kit_log();
	T_ERR(doca_rdma_connection_accept(connection, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	T_CONTAINS(kit_log(), "ulimit -n");
	crowd_out();
}

/* The request stands, and may be answered once more. */
T_CASE_TIMEOUT(accept_gives_up, 120)
{
	uint16_t port;

	be_limited();
	rig_init(&a);
	rig_init(&b);
	a.timeout = 20000;
	port = rig_serve(&a, &b);
	b.on_request = accept_refused;
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, b.requests == 1);
	T_OK(doca_rdma_connection_accept(b.connection, NULL, 0));
	RIG_UNTIL(&a, &b, a.established == 1 && b.established == 1);
	rig_exchange(&a, &b);
	close_both();
}

static void accept_later(struct rig_end *end, struct doca_rdma_connection *connection)
{
	pthread_t thread;

	(void)end;
	crowd_in();
	T_EQ(pthread_create(&thread, NULL, crowd_out_soon, NULL), 0);
	T_OK(doca_rdma_connection_accept(connection, NULL, 0));
	T_EQ(pthread_join(thread, NULL), 0);
}

T_CASE_TIMEOUT(accept_waits_for_room, 120)
{
	uint16_t port;

	be_limited();
	rig_init(&a);
	rig_init(&b);
	port = rig_serve(&a, &b);
	b.on_request = accept_later;
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &b, a.established == 1 && b.established == 1);
	rig_exchange(&a, &b);
	close_both();
}
