/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two processes that do all there is to do; one of them is killed at a random moment, from its
 * first step on. The other must see its tasks fail and end in order, in time.
 * T_KILL_ROUNDS=N for more of it; the seed is printed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "rdma/rig.h"

#define DEPTH 8
#define BLOCK 65536

enum kill_kind {
	KILL_ONE,
	KILL_FORKED,  /* the victim has a child that lives on */
	KILL_STOPPED, /* it is stopped for a while, and killed then */
	KILL_ADDRESS  /* a client that connects and disconnects all the time, or its server */
};

static struct rig_end end;
static struct rig_card card;

/* False: the peer is gone. */
static bool swap_cards(int fd)
{
	struct rig_card mine;
	size_t got = 0;

	rig_export(&end, &mine);
	if (send(fd, &mine, sizeof(mine), MSG_NOSIGNAL) != sizeof(mine))
		return false;
	while (got < sizeof(card)) {
		ssize_t n = read(fd, (uint8_t *)&card + got, sizeof(card) - got);

		if (n <= 0)
			return false;
		got += (size_t)n;
	}
	return true;
}

static void submit_again(struct rig_end *at, struct doca_task *task, const struct rig_event *event)
{
	static const size_t lengths[] = {0, 64, 5000, 40000};
	size_t len = lengths[event->number % 4], offset = event->number * BLOCK;

	(void)task;
	if (!event->ok && event->kind != RIG_READ && event->kind != RIG_WRITE)
		return;
	if (at->disconnects != 0)
		return;
	switch (event->kind) {
	case RIG_RECEIVE:
		rig_receive(at, rig_room(at, offset, BLOCK), event->number);
		break;
	case RIG_SEND:
		rig_send(at, len == 0 ? NULL : rig_data(at, offset, len), event->number);
		break;
	case RIG_READ:
		if (event->ok)
			rig_read(at, rig_remote_data(at, &card, offset, BLOCK),
				 rig_room(at, offset, BLOCK), event->number);
		break;
	default:
		if (event->ok)
			rig_write(at, rig_data(at, offset, BLOCK),
				  rig_remote_room(at, &card, offset, BLOCK), event->number);
	}
}

static void submit_all(void)
{
	static const enum rig_kind kinds[] = {RIG_RECEIVE, RIG_SEND, RIG_READ, RIG_WRITE};

	end.on_event = submit_again;
	for (uint64_t i = 0; i < DEPTH; i++)
		for (size_t k = 0; k < 4; k++) {
			struct rig_event begin = {.kind = kinds[k], .ok = true, .number = i};

			submit_again(&end, NULL, &begin);
		}
}

/* Imports only what can be had: the peer may be dead already. */
static bool join(void)
{
	doca_error_t result = rig_connect(&end, &card);

	if (result == DOCA_ERROR_CONNECTION_ABORTED)
		return false;
	T_OK(result);
	return doca_mmap_create_from_export(NULL, card.memory, card.memory_len, end.dev,
					    &end.peer) == DOCA_SUCCESS;
}

/* libfabric leaks a caller that is killed while it shakes hands; so over it no check for leaks. */
static int leave(void)
{
	rig_close(&end);
	if (rig_is_fabric())
		_exit(0);
	return 0;
}

/* Ours is links[0]; who keeps the other one open does not see the peer's end. */
static int player(void *arg)
{
	const int *links = arg;
	int fd = links[0];

	close(links[1]);
	rig_start(&end);
	if (swap_cards(fd) && join()) {
		submit_all();
		RIG_ALONE(&end, end.disconnects + end.failures == 1);
		T_CHECK(rig_state(&end) == DOCA_CTX_STATE_RUNNING);
	}
	return leave();
}

static int forked_player(void *arg)
{
	if (fork() == 0) {
		close(((int *)arg)[0]);
		close(((int *)arg)[1]);
		alarm(30);
		pause();
		_exit(0);
	}
	return player(arg);
}

/* ---- By address ---- */

static uint16_t port;
static bool serves; /* which of the two this one is */

/* It may have gone already. */
static void try_accept(struct rig_end *server, struct doca_rdma_connection *connection)
{
	(void)server;
	(void)doca_rdma_connection_accept(connection, NULL, 0);
}

static void disconnect(struct rig_end *server, struct doca_task *task,
		       const struct rig_event *event)
{
	(void)task;
	if (!event->ok)
		return;
	rig_receive(server, NULL, event->number);
	T_OK(doca_rdma_connection_disconnect((struct doca_rdma_connection *)event->connection));
}

static void say(struct rig_end *client, struct doca_rdma_connection *connection)
{
	(void)connection;
	rig_send(client, NULL, client->established);
}

static void again(struct rig_end *client, struct doca_rdma_connection *connection)
{
	(void)connection;
	rig_dial(client, port, client->disconnects);
}

static bool peer_is_gone(int fd)
{
	char byte;

	return recv(fd, &byte, 1, MSG_DONTWAIT) == 0;
}

static void serve(int fd)
{
	end.on_request = try_accept;
	end.on_event = disconnect;
	rig_listen(&end, port);
	for (uint64_t i = 0; i < DEPTH; i++)
		rig_receive(&end, NULL, i);
	if (send(fd, "l", 1, MSG_NOSIGNAL) != 1)
		return;
	while (!peer_is_gone(fd))
		for (int i = 0; i < 100; i++)
			rig_turn(&end);
	T_EVENTUALLY((rig_turn(&end), end.failures + end.disconnects == end.requests),
		     rig_notice_ms() + 1000);
}

static void visit(int fd)
{
	char word;

	if (read(fd, &word, 1) != 1)
		return;
	end.on_established = say;
	end.on_disconnect = again;
	rig_dial(&end, port, 0);
	RIG_ALONE(&end, end.failures != 0);
}

static int address_player(void *arg)
{
	const int *links = arg;

	close(links[1]);
	rig_init(&end);
	end.by_address = true;
	rig_open(&end);
	T_OK(doca_ctx_start(end.ctx));
	if (serves)
		serve(links[0]);
	else
		visit(links[0]);
	T_CHECK(rig_state(&end) == DOCA_CTX_STATE_RUNNING);
	return leave();
}

static void wait_random(unsigned int max_us)
{
	struct timespec time = {.tv_nsec = (long)(rand() % (int)max_us) * 1000};

	nanosleep(&time, NULL);
}

static void round_of(enum kill_kind kind)
{
	int fds[2];
	pid_t pids[2];
	int victim = rand() % 2;

	port = rig_port();
	T_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	for (int i = 0; i < 2; i++) {
		int links[2] = {fds[i], fds[!i]};

		serves = i == 0;
		rig_settle(i);
		pids[i] = t_fork(kind == KILL_FORKED	? forked_player
				 : kind == KILL_ADDRESS ? address_player
							: player,
				 links);
		T_CHECK(pids[i] > 0);
	}
	rig_settle(0);
	close(fds[0]);
	close(fds[1]);
	wait_random(60000);
	if (kind == KILL_STOPPED) {
		kill(pids[victim], SIGSTOP);
		wait_random(30000);
		if (rand() % 2) {
			kill(pids[victim], SIGCONT);
			wait_random(10000);
		}
	}
	kill(pids[victim], SIGKILL);
	T_EQ(t_wait(pids[victim], 5000), 128 + SIGKILL);
	T_EQ(t_wait(pids[!victim], 5000), 0);
}

/* Who notices a death by its link may be gone before the kernel has let go of the dead one's locks:
 * what is left then is removed by the next start. */
static int next_start(void *arg)
{
	(void)arg;
	rig_start(&end);
	rig_close(&end);
	return 0;
}

static void rounds_of(enum kill_kind kind)
{
	const char *rounds = getenv("T_KILL_ROUNDS");
	unsigned int seed = (unsigned int)time(NULL);

	printf("# seed %u\n", seed);
	srand(seed);
	for (int i = rounds == NULL ? 20 : atoi(rounds); i > 0; i--)
		round_of(kind);
	T_EQ(t_wait(t_fork(next_start, NULL), 5000), 0);
}

T_CASE_TIMEOUT(one_is_killed, 600)
{
	rounds_of(KILL_ONE);
}

T_CASE_TIMEOUT(one_that_has_forked_is_killed, 600)
{
	rounds_of(KILL_FORKED);
}

T_CASE_TIMEOUT(one_that_is_stopped_is_killed, 600)
{
	rounds_of(KILL_STOPPED);
}

T_CASE_TIMEOUT(one_that_connects_by_address_is_killed, 600)
{
	rounds_of(KILL_ADDRESS);
}
