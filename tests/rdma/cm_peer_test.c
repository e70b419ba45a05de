/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connections by address between processes: peers that sleep, are stopped, or die at each step; and
 * many clients at once.
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/kit.h"
#include "rdma/rig.h"

static struct rig_end end;
static uint16_t port;
static int link_fd;

static void open_end(void)
{
	rig_init(&end);
	end.by_address = true;
	rig_open(&end);
	T_OK(doca_ctx_start(end.ctx));
}

static void open_server(void)
{
	open_end();
	end.on_request = rig_accept;
	rig_listen(&end, port);
}

/* ---- Asleep ---- */

/* A round of everything: refused, accepted, a message each way, ended by the client. */
#define SLEEP_ROUNDS 200

static void refuse_every_third(struct rig_end *server, struct doca_rdma_connection *connection)
{
	if (server->requests % 3 == 0)
		T_OK(doca_rdma_connection_reject(connection));
	else
		rig_accept(server, connection);
}

static void answer_and_receive(struct rig_end *server, struct doca_task *task,
			       const struct rig_event *event)
{
	(void)task;
	if (event->kind == RIG_RECEIVE && event->ok) {
		rig_receive(server, rig_room(server, 0, 64), 1);
		rig_send(server, rig_data(server, 64, 64), 1);
	}
}

static int sleeping_server(void *arg)
{
	int fd = *(int *)arg;

	open_server();
	end.on_request = refuse_every_third;
	end.on_event = answer_and_receive;
	rig_receive(&end, rig_room(&end, 0, 64), 1);
	rig_say(fd, 'l');
	RIG_ASLEEP(&end, end.established == SLEEP_ROUNDS - SLEEP_ROUNDS / 3 &&
				 end.disconnects == end.established);
	T_EQ(end.failures, 0);
	rig_close(&end);
	return 0;
}

static void sleeping_client_round(uint32_t round)
{
	uint32_t established = end.established, failures = end.failures, ended = end.num_events;
	bool refused = round % 3 == 0;

	rig_dial(&end, port, round);
	RIG_ASLEEP(&end, end.established + end.failures == established + failures + 1);
	T_EQ(end.failures - failures, refused);
	if (refused)
		return;
	rig_receive(&end, rig_room(&end, 0, 64), 1);
	rig_send(&end, rig_data(&end, 64, 64), 1);
	RIG_ASLEEP(&end, end.num_events == ended + 2);
	T_OK(doca_rdma_connection_disconnect(end.connection));
	RIG_ASLEEP(&end, end.disconnects == end.established);
}

T_CASE_TIMEOUT(everything_wakes, 60)
{
	pid_t pid;

	port = rig_port();
	pid = rig_peer(sleeping_server, &link_fd);
	open_end();
	T_EQ(rig_hear(link_fd), 'l');
	for (uint32_t i = 1; i <= SLEEP_ROUNDS; i++)
		sleeping_client_round(i);
	T_EQ(t_wait(pid, 20000), 0);
	rig_close(&end);
}

/* Listens, and does nothing more until it is told to end. */
static int silent_server(void *arg)
{
	int fd = *(int *)arg;

	open_server();
	rig_say(fd, 'l');
	(void)rig_hear(fd);
	rig_close(&end);
	return 0;
}

T_CASE(nobody_and_no_answer_wake)
{
	pid_t pid;

	port = rig_port();
	pid = rig_peer(silent_server, &link_fd);
	rig_init(&end);
	end.by_address = true;
	end.timeout = 50;
	rig_open(&end);
	T_OK(doca_ctx_start(end.ctx));
	T_EQ(rig_hear(link_fd), 'l');
	rig_dial(&end, port, 0);
	RIG_ASLEEP(&end, end.failures == 1);
	rig_dial(&end, rig_port(), 0);
	RIG_ASLEEP(&end, end.failures == 2);
	rig_say(link_fd, 'e');
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&end);
}

/* A stopped server delays its clients, which wait as long as they want to. */
static int willing_server(void *arg)
{
	int fd = *(int *)arg;

	open_server();
	rig_say(fd, 'l');
	RIG_ALONE(&end, end.established == 1);
	RIG_ALONE(&end, end.disconnects == 1);
	rig_close(&end);
	return 0;
}

T_CASE(a_stopped_server_delays)
{
	pid_t pid;

	port = rig_port();
	pid = rig_peer(willing_server, &link_fd);
	open_end();
	T_EQ(rig_hear(link_fd), 'l');
	kill(pid, SIGSTOP);
	rig_dial(&end, port, 0);
	rig_idle(&end, &end);
	T_EQ(end.num_news, 0);
	kill(pid, SIGCONT);
	RIG_ALONE(&end, end.established == 1);
	rig_close(&end);
	T_EQ(t_wait(pid, 10000), 0);
}

/* ---- Deaths ---- */

static int victim_fd;
static char how_far;

static void die(struct rig_end *victim, struct doca_rdma_connection *connection)
{
	(void)victim;
	(void)connection;
	raise(SIGKILL);
}

static void accept_and_die(struct rig_end *victim, struct doca_rdma_connection *connection)
{
	rig_accept(victim, connection);
	raise(SIGKILL);
}

static void say_and_wait(struct rig_end *victim, struct doca_rdma_connection *connection)
{
	(void)victim;
	(void)connection;
	rig_say(victim_fd, how_far);
	pause();
}

/*
 * A server that dies: l listening, never progressing; f the same, with a child that lives on; r in
 * the request callback; a right after it has accepted; e in the established callback; w waiting in
 * the request callback to be killed.
 */
static int server_victim(void *arg)
{
	victim_fd = *(int *)arg;
	open_server();
	if (how_far == 'r')
		end.on_request = die;
	if (how_far == 'a')
		end.on_request = accept_and_die;
	if (how_far == 'e')
		end.on_established = die;
	if (how_far == 'w')
		end.on_request = say_and_wait;
	rig_say(victim_fd, 'l');
	if (how_far == 'f' && fork() == 0)
		pause();
	while (how_far != 'l' && how_far != 'f')
		rig_turn(&end);
	pause();
	return 1;
}

static void server_dies(char phase)
{
	pid_t pid;

	how_far = phase;
	port = rig_port();
	pid = rig_peer(server_victim, &link_fd);
	open_end();
	T_EQ(rig_hear(link_fd), 'l');
	rig_dial(&end, port, 0);
	if (phase == 'w')
		T_EQ(rig_hear(link_fd), 'w');
	if (phase == 'l' || phase == 'f' || phase == 'w')
		kill(pid, SIGKILL);
	T_EVENTUALLY((rig_turn(&end), end.failures + end.disconnects == 1), rig_notice_ms() + 1000);
	T_EQ(end.established, end.disconnects);
	T_EQ(t_wait(pid, 5000), 128 + SIGKILL);
	rig_dial(&end, port, 0);
	RIG_ALONE(&end, end.failures + end.disconnects == 2);
	T_EQ(rig_state(&end), DOCA_CTX_STATE_RUNNING);
	rig_close(&end);
}

T_CASE(a_server_dies_before_it_has_looked)
{
	server_dies('l');
}

T_CASE(a_server_that_has_forked_dies)
{
	server_dies('f');
}

T_CASE(a_server_dies_in_its_request_callback)
{
	server_dies('r');
}

T_CASE(a_server_dies_before_it_has_answered)
{
	server_dies('w');
}

T_CASE(a_server_dies_when_it_has_accepted)
{
	server_dies('a');
}

T_CASE(a_server_dies_when_it_is_connected)
{
	server_dies('e');
}

/* A client that dies: d after it has dialled; e in the established callback; w later. */
static int client_victim(void *arg)
{
	victim_fd = *(int *)arg;
	open_end();
	T_EQ(rig_hear(victim_fd), 'l');
	rig_dial(&end, port, 0);
	if (how_far == 'd')
		rig_say(victim_fd, 'd');
	if (how_far == 'e')
		end.on_established = die;
	if (how_far == 'w')
		end.on_established = say_and_wait;
	while (how_far != 'd')
		rig_turn(&end);
	pause();
	return 1;
}

/* Killed before the server has looked at its request, or after that. */
static void client_dies(char phase, bool seen)
{
	pid_t pid;

	how_far = phase;
	port = rig_port();
	pid = rig_peer(client_victim, &link_fd);
	open_server();
	if (phase == 'd')
		end.on_request = NULL;
	rig_say(link_fd, 'l');
	if (phase == 'd')
		T_EQ(rig_hear(link_fd), 'd');
	if (seen)
		RIG_ALONE(&end, end.requests == 1);
	/* One that dies at once is perhaps never joined. */
	if (phase != 'd')
		RIG_ALONE(&end, end.established + end.failures == 1);
	if (phase == 'w')
		T_EQ(rig_hear(link_fd), 'w');
	if (phase != 'e')
		kill(pid, SIGKILL);
	T_EQ(t_wait(pid, 5000), 128 + SIGKILL);
	/* Over fabric, a request may be heard of whose client is dead. */
	if (seen || phase != 'd')
		T_EVENTUALLY((rig_turn(&end), end.failures + end.disconnects == 1),
			     rig_notice_ms() + 1000);
	else
		rig_idle(&end, &end);
	T_EQ(end.failures + end.disconnects, end.requests);
	T_EQ(end.disconnects, end.established);
	rig_close(&end);
}

T_CASE(a_client_dies_before_it_is_heard)
{
	client_dies('d', false);
}

T_CASE(a_client_dies_before_it_is_accepted)
{
	client_dies('d', true);
}

T_CASE(a_client_dies_when_it_is_connected)
{
	client_dies('e', true);
}

T_CASE(a_client_dies_later)
{
	client_dies('w', true);
}

/* ---- Many ---- */

#define CLIENTS 5
#define CONTEXTS 20

/* Several contexts, each with a connection of its own; all of them at once. */
static int many_clients(void *arg)
{
	static struct rig_end ends[CONTEXTS];
	int fd = *(int *)arg;
	uint32_t done = 0;

	for (uint32_t i = 0; i < CONTEXTS; i++) {
		rig_init(&ends[i]);
		ends[i].by_address = true;
		ends[i].timeout = 20000;
		ends[i].size = 4096;
		ends[i].num_tasks = 2;
		rig_open(&ends[i]);
		T_OK(doca_ctx_start(ends[i].ctx));
		rig_receive(&ends[i], rig_room(&ends[i], 0, 64), i);
	}
	(void)rig_hear(fd);
	for (uint32_t i = 0; i < CONTEXTS; i++)
		rig_dial(&ends[i], port, i);
	while (done != CONTEXTS) {
		done = 0;
		for (uint32_t i = 0; i < CONTEXTS; i++) {
			rig_turn(&ends[i]);
			done += ends[i].ok[RIG_RECEIVE];
			T_EQ(ends[i].failures, 0);
		}
	}
	for (uint32_t i = 0; i < CONTEXTS; i++)
		rig_close(&ends[i]);
	return 0;
}

static void greet(struct rig_end *server, struct doca_rdma_connection *connection)
{
	(void)connection;
	rig_send(server, rig_data(server, 0, 64), 1);
}

T_CASE_TIMEOUT(a_hundred_clients, 120)
{
	pid_t pids[CLIENTS];
	int fds[CLIENTS];

	port = rig_port();
	for (int i = 0; i < CLIENTS; i++)
		pids[i] = rig_peer(many_clients, &fds[i]);
	rig_init(&end);
	end.by_address = true;
	end.max_connections = CLIENTS * CONTEXTS;
	end.num_tasks = CLIENTS * CONTEXTS;
	rig_open(&end);
	T_OK(doca_ctx_start(end.ctx));
	end.on_request = rig_accept;
	end.on_established = greet;
	rig_listen(&end, port);
	for (int i = 0; i < CLIENTS; i++)
		rig_say(fds[i], 'g');
	T_EVENTUALLY((rig_turn(&end), end.disconnects == CLIENTS * CONTEXTS), 60000);
	T_EQ(end.established, CLIENTS * CONTEXTS);
	T_EQ(end.ok[RIG_SEND], CLIENTS * CONTEXTS);
	T_EQ(end.failures, 0);
	for (int i = 0; i < CLIENTS; i++)
		T_EQ(t_wait(pids[i], 20000), 0);
	rig_close(&end);
}
