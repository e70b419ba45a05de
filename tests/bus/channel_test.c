/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Channels: mail with descriptors, orderly and disorderly ends, forked children.
 */
#include "t.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus/channel.h"
#include "bus/process.h"

enum { SIZE = 8192 };

/* One end: an engine's bell and a channel. */
struct end {
	struct sdpu_bell bell;
	struct sdpu_channel channel;
	uint32_t bit;
};

static int sent(int fd)
{
	return sdpu_fd_own(fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

static void open_bell(struct end *end)
{
	memset(end, 0, sizeof(*end));
	T_OK(sdpu_bell_create(&end->bell));
	T_OK(sdpu_bell_take_bit(&end->bell, &end->bit));
}

/* Both ends in this process. */
static void open_both(struct end e[2])
{
	int s[2], fds[2][SDPU_BELL_FDS];
	struct sdpu_segment segment[2];

	T_OK(sdpu_agent_get());
	T_OK(sdpu_sock_pair(s));
	for (int i = 0; i < 2; i++) {
		open_bell(&e[i]);
		sdpu_bell_fds(&e[i].bell, fds[i]);
	}
	T_OK(sdpu_segment_create("test", SIZE, SIZE, false, &segment[0]));
	T_OK(sdpu_segment_map(sent(segment[0].fd), SIZE, 0, SDPU_SEGMENT_WRITE, SIZE, &segment[1]));
	for (uint32_t i = 0; i < 2; i++) {
		struct sdpu_channel_parts parts = {
			.sock = s[i],
			.me = i,
			.segment = segment[i],
			.bell = &e[i].bell,
			.bit = e[i].bit,
			.peer_armed_fd = sent(fds[!i][0]),
			.peer_ready_fd = sent(fds[!i][1]),
			.peer_bit = e[!i].bit,
			.peer = getpid(),
		};

		T_OK(sdpu_channel_open(&e[i].channel, &parts));
	}
}

static void close_end(struct end *end)
{
	sdpu_channel_close(&end->channel);
	sdpu_channel_close(&end->channel);
	sdpu_bell_destroy(&end->bell);
}

static void close_both(struct end e[2])
{
	close_end(&e[0]);
	close_end(&e[1]);
	sdpu_agent_put();
}

static bool is_ready(const struct end *end)
{
	struct pollfd handle = {.fd = end->bell.epoll_fd, .events = POLLIN};

	return poll(&handle, 1, 0) == 1;
}

/* Sleeps as an engine does, without a time-out. */
static void sleep_until_rung(struct end *end)
{
	struct epoll_event event;

	T_EQ(epoll_wait(end->bell.epoll_fd, &event, 1, -1), 1);
	sdpu_bell_disarm(&end->bell);
}

static void expect_mail(struct end *end, const char *text)
{
	struct sdpu_record record;

	T_CHECK(sdpu_channel_has_mail(&end->channel));
	T_OK(sdpu_channel_read(&end->channel, &record));
	T_EQ(record.len, strlen(text));
	T_MEMEQ(record.bytes, text, strlen(text));
	sdpu_record_drop(&record);
}

static void expect_no_mail(struct end *end)
{
	struct sdpu_record record;

	T_ERR(sdpu_channel_read(&end->channel, &record), DOCA_ERROR_AGAIN);
	T_CHECK(!sdpu_channel_has_mail(&end->channel));
}

T_CASE(mail_with_descriptors)
{
	struct sdpu_record record;
	struct end e[2];
	int p[2], fd;
	char c;

	open_both(e);
	T_CHECK(!sdpu_channel_has_mail(&e[1].channel));
	T_EQ(pipe2(p, O_CLOEXEC), 0);
	T_OK(sdpu_channel_mail(&e[0].channel, "take this", 9, &p[1], 1));
	T_CHECK(sdpu_channel_has_mail(&e[1].channel));
	T_OK(sdpu_channel_read(&e[1].channel, &record));
	T_EQ(record.len, 9);
	fd = sdpu_record_take_fd(&record, 0);
	T_EQ(write(fd, "!", 1), 1);
	T_EQ(read(p[0], &c, 1), 1);
	sdpu_fd_close(fd);
	expect_no_mail(&e[1]);
	/* Both ways. */
	T_OK(sdpu_channel_mail(&e[1].channel, "answer", 6, NULL, 0));
	expect_mail(&e[0], "answer");
	close_both(e);
}

T_CASE(mail_between_rings)
{
	struct end e[2];

	open_both(e);
	for (int i = 0; i < 3; i++) {
		sdpu_bell_arm(&e[1].bell);
		sdpu_channel_ring(&e[0].channel);
		T_OK(sdpu_channel_mail(&e[0].channel, "one", 3, NULL, 0));
		/* Another sleep without the sockets having been emptied. */
		sdpu_store(&e[1].bell.armed->armed, 0);
		sdpu_bell_arm(&e[1].bell);
		sdpu_channel_ring(&e[0].channel);
		T_OK(sdpu_channel_mail(&e[0].channel, "two", 3, NULL, 0));
		if (i == 1)
			sdpu_bell_disarm(&e[1].bell);
		expect_mail(&e[1], "one");
		expect_mail(&e[1], "two");
		expect_no_mail(&e[1]);
		sdpu_bell_disarm(&e[1].bell);
		T_CHECK(!is_ready(&e[1]));
	}
	close_both(e);
}

T_CASE(mail_wakes_a_sleeper)
{
	struct end e[2];

	open_both(e);
	sdpu_bell_arm(&e[1].bell);
	T_CHECK(!is_ready(&e[1]));
	T_OK(sdpu_channel_mail(&e[0].channel, "wake", 4, NULL, 0));
	sleep_until_rung(&e[1]);
	expect_mail(&e[1], "wake");
	close_both(e);
}

T_CASE(mail_limits)
{
	static uint8_t big[SDPU_RECORD_MAX + 1];
	struct end e[2];
	doca_error_t result;
	uint32_t n = 0, got = 0;
	struct sdpu_record record;

	open_both(e);
	T_ERR(sdpu_channel_mail(&e[0].channel, "\x01", 1, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_channel_mail(&e[0].channel, "", 0, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_channel_mail(&e[0].channel, big, sizeof(big), NULL, 0),
	      DOCA_ERROR_INVALID_VALUE);
	while ((result = sdpu_channel_mail(&e[0].channel, big, 100, NULL, 0)) == DOCA_SUCCESS)
		n++;
	T_EQ(result, DOCA_ERROR_AGAIN);
	while (sdpu_channel_read(&e[1].channel, &record) == DOCA_SUCCESS)
		got++;
	T_EQ(got, n);
	T_OK(sdpu_channel_mail(&e[0].channel, "room", 4, NULL, 0));
	expect_mail(&e[1], "room");
	close_both(e);
}

T_CASE(a_count_without_mail_is_believed_once)
{
	struct end e[2];

	open_both(e);
	e[0].channel.head->side[0].mail += 5;
	T_CHECK(sdpu_channel_has_mail(&e[1].channel));
	expect_no_mail(&e[1]);
	T_OK(sdpu_channel_mail(&e[0].channel, "real", 4, NULL, 0));
	expect_mail(&e[1], "real");
	close_both(e);
}

T_CASE(rings_alone_do_not_hold_a_reader)
{
	struct sdpu_record record;
	char ring = SDPU_RING_BYTE;
	struct end e[2];
	int reads = 0;

	open_both(e);
	while (send(e[0].channel.sock, &ring, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1)
		;
	e[0].channel.head->side[0].mail++;
	while (sdpu_channel_has_mail(&e[1].channel)) {
		T_ERR(sdpu_channel_read(&e[1].channel, &record), DOCA_ERROR_AGAIN);
		T_CHECK(++reads < 10000);
	}
	close_both(e);
}

T_CASE(cold_side_is_told_by_its_bit)
{
	struct end e[2];

	open_both(e);
	sdpu_channel_cool(&e[1].channel);
	T_EQ(e[1].bell.ready->summary, 0);
	sdpu_channel_ring(&e[0].channel);
	T_EQ(e[1].bell.ready->bits[e[1].bit / 64], 1ull << (e[1].bit % 64));
	T_EQ(e[1].bell.ready->summary, 1);
	/* The other direction is warm. */
	sdpu_channel_ring(&e[1].channel);
	T_EQ(e[0].bell.ready->summary, 0);
	sdpu_store(&e[1].bell.ready->summary, 0);
	sdpu_channel_heat(&e[1].channel);
	sdpu_channel_ring(&e[0].channel);
	T_EQ(e[1].bell.ready->summary, 0);
	close_both(e);
}

T_CASE(orderly_end)
{
	struct sdpu_record record;
	struct end e[2];

	open_both(e);
	T_OK(sdpu_channel_mail(&e[1].channel, "never read", 10, NULL, 0));
	T_OK(sdpu_channel_mail(&e[0].channel, "last", 4, NULL, 0));
	((char *)e[0].channel.head)[SIZE - 1] = 'L';
	sdpu_bell_arm(&e[1].bell);
	T_CHECK(!sdpu_channel_peer_closed(&e[1].channel));
	close_end(&e[0]);
	sleep_until_rung(&e[1]);
	T_CHECK(sdpu_channel_peer_closed(&e[1].channel));
	T_EVENTUALLY(sdpu_channel_gone(&e[1].channel), 5000);
	T_EVENTUALLY(sdpu_load(&e[1].bell.attention) == 1, 5000);
	/* What was there before can be read. */
	expect_mail(&e[1], "last");
	T_EQ(((char *)e[1].channel.head)[SIZE - 1], 'L');
	T_ERR(sdpu_channel_read(&e[1].channel, &record), DOCA_ERROR_CONNECTION_RESET);
	T_ERR(sdpu_channel_mail(&e[1].channel, "late", 4, NULL, 0), DOCA_ERROR_CONNECTION_RESET);
	sdpu_channel_ring(&e[1].channel);
	/* The hung-up socket does not keep the handle ready. */
	sdpu_bell_remove(&e[1].bell, e[1].channel.sock);
	T_EVENTUALLY((sdpu_bell_disarm(&e[1].bell), !is_ready(&e[1])), 5000);
	close_end(&e[1]);
	sdpu_agent_put();
}

T_CASE(bad_parts_are_refused_and_taken)
{
	struct sdpu_channel channel = {0};
	struct sdpu_channel_parts parts = {.sock = -1, .segment.fd = -1, .peer = getpid()};
	struct end end;
	int s[2], fds[SDPU_BELL_FDS];

	sdpu_channel_close(&channel);
	T_OK(sdpu_agent_get());
	open_bell(&end);
	sdpu_bell_fds(&end.bell, fds);
	for (int bad = 0; bad < 4; bad++) {
		T_OK(sdpu_sock_pair(s));
		parts.sock = s[0];
		parts.bell = &end.bell;
		T_OK(sdpu_segment_create("test", bad == 0 ? 64 : SIZE, 0, false, &parts.segment));
		parts.me = bad == 1 ? 2 : 0;
		parts.peer_bit = bad == 2 ? SDPU_READY_BITS : 0;
		parts.peer_armed_fd = bad == 3 ? -1 : sent(fds[0]);
		parts.peer_ready_fd = sent(fds[1]);
		T_ERR(sdpu_channel_open(&channel, &parts), DOCA_ERROR_INVALID_VALUE);
		T_EQ(fcntl(s[0], F_GETFD), -1);
		/* The bit is free again. */
		T_OK(sdpu_bell_take_bit(&end.bell, &parts.bit));
		T_EQ(parts.bit, end.bit);
		T_EQ(fcntl(parts.peer_ready_fd, F_GETFD), -1);
		sdpu_channel_close(&channel);
		sdpu_fd_close(s[1]);
	}
	sdpu_bell_destroy(&end.bell);
	sdpu_agent_put();
}

/* --- two processes --- */

/* Sends our half of what a channel is made of, takes the peer's, over a socket that both have. */
static void open_with_peer(struct end *end, int sock, uint32_t me, pid_t peer)
{
	struct sdpu_channel_parts parts = {.sock = sdpu_fd_own(sock), .me = me, .peer = peer};
	struct sdpu_record record;
	int fds[3];

	open_bell(end);
	sdpu_bell_fds(&end->bell, fds);
	if (me == 0) {
		T_OK(sdpu_segment_create("test", SIZE, SIZE, false, &parts.segment));
		fds[2] = parts.segment.fd;
	}
	T_OK(sdpu_sock_send(sock, &end->bit, sizeof(end->bit), fds, me == 0 ? 3 : 2));
	T_EVENTUALLY(sdpu_sock_recv(sock, &record) == DOCA_SUCCESS, 10000);
	memcpy(&parts.peer_bit, record.bytes, sizeof(parts.peer_bit));
	parts.peer_armed_fd = sdpu_record_take_fd(&record, 0);
	parts.peer_ready_fd = sdpu_record_take_fd(&record, 1);
	if (me == 1)
		T_OK(sdpu_segment_map(sdpu_record_take_fd(&record, 2), SIZE, 0, SDPU_SEGMENT_WRITE,
				      SIZE, &parts.segment));
	sdpu_segment_close_fd(&parts.segment);
	parts.bell = &end->bell;
	parts.bit = end->bit;
	T_OK(sdpu_channel_open(&end->channel, &parts));
}

struct family {
	int sock;
	int parent_sock;
	bool forks;
	bool heir_keeps_socket;
};

/* Lives on with the socket open, as a child of a program that knows nothing of us does. */
static void fork_heir(const struct end *end, bool keeps_socket)
{
	int copy = keeps_socket ? fcntl(end->channel.sock, F_DUPFD_CLOEXEC, 100) : -1;

	if (fork() == 0) {
		T_CHECK(sdpu_process_inert());
		T_EQ(fcntl(end->channel.sock, F_GETFD), -1);
		pause();
		_exit(1);
	}
	close(copy);
}

static int victim(void *arg)
{
	const struct family *family = arg;
	struct end end;

	close(family->parent_sock);
	T_OK(sdpu_agent_get());
	open_with_peer(&end, family->sock, 1, getppid());
	if (family->forks)
		fork_heir(&end, family->heir_keeps_socket);
	T_OK(sdpu_channel_mail(&end.channel, "ready", 5, NULL, 0));
	pause();
	return 1;
}

static void open_to_victim(struct end *end, struct family *family, pid_t *pid)
{
	int s[2];

	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, s), 0);
	family->parent_sock = s[0];
	family->sock = s[1];
	*pid = t_fork(victim, family);
	close(s[1]);
	T_OK(sdpu_agent_get());
	open_with_peer(end, s[0], 0, *pid);
	T_EVENTUALLY(sdpu_channel_has_mail(&end->channel), 10000);
	expect_mail(end, "ready");
}

static void killed_peer_is_noticed(struct family family)
{
	struct end end;
	pid_t pid;

	open_to_victim(&end, &family, &pid);
	T_CHECK(!sdpu_channel_gone(&end.channel));
	sdpu_bell_arm(&end.bell);
	kill(pid, SIGKILL);
	/* 100 ms are promised; more is allowed to a busy machine. */
	T_EVENTUALLY(is_ready(&end), 2000);
	T_EVENTUALLY(sdpu_channel_gone(&end.channel), 2000);
	T_CHECK(!sdpu_channel_peer_closed(&end.channel));
	T_EVENTUALLY(sdpu_load(&end.bell.attention) == 1, 5000);
	T_EQ(t_wait(pid, 5000), 128 + SIGKILL);
	sdpu_bell_remove(&end.bell, end.channel.sock);
	/* A kick of the agent's may still be on its way. */
	T_EVENTUALLY((sdpu_bell_disarm(&end.bell), !is_ready(&end)), 5000);
	close_end(&end);
	/* It reaps what the dead one left. */
	sdpu_agent_put();
}

T_CASE(killed_peer)
{
	killed_peer_is_noticed((struct family){0});
}

T_CASE(killed_peer_with_a_forked_child)
{
	killed_peer_is_noticed((struct family){.forks = true});
}

T_CASE(killed_peer_whose_child_keeps_the_socket)
{
	killed_peer_is_noticed((struct family){.forks = true, .heir_keeps_socket = true});
}

static int closes(void *arg)
{
	const struct family *family = arg;
	struct end end;

	close(family->parent_sock);
	T_OK(sdpu_agent_get());
	open_with_peer(&end, family->sock, 1, getppid());
	fork_heir(&end, true);
	close_end(&end);
	pause();
	return 1;
}

T_CASE(orderly_end_is_seen_although_a_child_keeps_the_socket)
{
	struct family family = {0};
	struct end end;
	int s[2];

	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, s), 0);
	family.parent_sock = s[0];
	family.sock = s[1];
	pid_t pid = t_fork(closes, &family);
	close(s[1]);
	T_OK(sdpu_agent_get());
	open_with_peer(&end, s[0], 0, pid);
	T_EVENTUALLY(sdpu_channel_gone(&end.channel), 5000);
	T_CHECK(sdpu_channel_peer_closed(&end.channel));
	kill(pid, SIGKILL);
	T_EQ(t_wait(pid, 5000), 128 + SIGKILL);
	close_end(&end);
	sdpu_agent_put();
}

static int use_inherited(void *arg)
{
	struct end *end = arg;
	struct sdpu_record record;

	T_CHECK(sdpu_process_inert());
	T_EQ(fcntl(end->bell.epoll_fd, F_GETFD), -1);
	T_ERR(sdpu_channel_mail(&end->channel, "x", 1, NULL, 0), DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_channel_read(&end->channel, &record), DOCA_ERROR_BAD_STATE);
	sdpu_channel_cool(&end->channel);
	sdpu_channel_heat(&end->channel);
	sdpu_bell_arm(&end->bell);
	sdpu_bell_disarm(&end->bell);
	sdpu_bell_kick(&end->bell);
	sdpu_bell_attend(&end->bell);
	sdpu_channel_close(&end->channel);
	sdpu_bell_destroy(&end->bell);
	_exit(0);
}

T_CASE(forked_child_cannot_touch_it)
{
	struct end e[2];

	open_both(e);
	T_EQ(t_wait(t_fork(use_inherited, &e[0]), 5000), 0);
	T_CHECK(!sdpu_channel_gone(&e[1].channel) && !sdpu_channel_peer_closed(&e[1].channel));
	T_OK(sdpu_channel_mail(&e[0].channel, "alive", 5, NULL, 0));
	expect_mail(&e[1], "alive");
	close_both(e);
}
