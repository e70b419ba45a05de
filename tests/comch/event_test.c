/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both ends live in epoll_wait without a time-out, in processes of their own: whatever event is
 * lost is a hang, which the case's time-out reports.
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "comch/pair.h"

#define ROUNDS 2000

struct sleeper {
	struct end end;
	int epoll;
	enum doca_pe_event_mode mode;
	doca_notification_handle_t handle;
};

static void sleeper_open(struct sleeper *sleeper, bool is_server, enum doca_pe_event_mode mode)
{
	struct epoll_event event = {.events = EPOLLIN};

	end_create(&sleeper->end, is_server);
	sleeper->mode = mode;
	T_OK(doca_pe_set_event_mode(sleeper->end.pe, mode));
	T_OK(doca_pe_get_notification_handle(sleeper->end.pe, &sleeper->handle));
	sleeper->epoll = epoll_create1(EPOLL_CLOEXEC);
	T_EQ(epoll_ctl(sleeper->epoll, EPOLL_CTL_ADD, sleeper->handle, &event), 0);
	end_start(&sleeper->end);
}

/* The flow of core-ctx-pe: request, wait, clear, progress until 0. Nothing is looked at in between.
 */
static void sleeper_turn(struct sleeper *sleeper)
{
	struct epoll_event event;
	int n;

	T_OK(doca_pe_request_notification(sleeper->end.pe));
	do {
		n = epoll_wait(sleeper->epoll, &event, 1, -1);
	} while (n < 0 && errno == EINTR);
	T_EQ(n, 1);
	if (sleeper->mode == DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE)
		T_OK(doca_pe_clear_notification(sleeper->end.pe, sleeper->handle));
	end_drain(&sleeper->end);
}

#define SLEEP_UNTIL(sleeper, cond)                                                                 \
	do {                                                                                       \
		while (!(cond))                                                                    \
			sleeper_turn(sleeper);                                                     \
	} while (0)

static void echo(struct end *end, struct doca_comch_connection *connection)
{
	T_OK(end_try_send(end, connection, end->message, end->message_len));
}

static enum doca_pe_event_mode mode_of(void *arg)
{
	return *(enum doca_pe_event_mode *)arg;
}

static int echo_server(void *arg)
{
	static struct sleeper server;

	server.end.on_message = echo;
	sleeper_open(&server, true, mode_of(arg));
	SLEEP_UNTIL(&server, server.end.disconnects == 1);
	T_EQ(server.end.received, ROUNDS);
	end_close(&server.end);
	return 0;
}

/* A client that comes too early ends in IDLE; it tries again. */
static void client_connect(struct sleeper *client, enum doca_pe_event_mode mode)
{
	sleeper_open(client, false, mode);
	while (end_state(&client->end) != DOCA_CTX_STATE_RUNNING) {
		if (end_state(&client->end) == DOCA_CTX_STATE_IDLE)
			end_start(&client->end);
		sleeper_turn(client);
	}
}

static void run_echo(enum doca_pe_event_mode mode)
{
	static struct sleeper client;
	pid_t pid = t_fork(echo_server, &mode);

	client_connect(&client, mode);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		end_send(&client.end, &i, sizeof(i));
		SLEEP_UNTIL(&client, client.end.received == i + 1 && client.end.sent == i + 1);
		T_MEMEQ(client.end.message, &i, sizeof(i));
	}
	(void)doca_ctx_stop(client.end.ctx);
	SLEEP_UNTIL(&client, end_state(&client.end) == DOCA_CTX_STATE_IDLE);
	end_close(&client.end);
	T_EQ(t_wait(pid, 10000), 0);
}

T_CASE(echo_asleep_selective)
{
	run_echo(DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE);
}

T_CASE(echo_asleep_all)
{
	run_echo(DOCA_PE_EVENT_MODE_PROGRESS_ALL);
}

static int vanishing_server(void *arg)
{
	static struct sleeper server;

	sleeper_open(&server, true, mode_of(arg));
	SLEEP_UNTIL(&server, server.end.received == 1);
	/* Not in order: the kernel closes what we leave. */
	_Exit(0);
}

T_CASE(sleeping_client_learns_that_the_server_died)
{
	static struct sleeper client;
	enum doca_pe_event_mode mode = DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE;
	pid_t pid = t_fork(vanishing_server, &mode);

	client_connect(&client, mode);
	end_send(&client.end, "x", 1);
	SLEEP_UNTIL(&client, end_state(&client.end) == DOCA_CTX_STATE_IDLE);
	end_close(&client.end);
	T_EQ(t_wait(pid, 10000), 0);
}
