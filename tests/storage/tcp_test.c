/* SPDX-License-Identifier: BSD-3-Clause */
/* The TCP control channel, both ends over loopback in two processes. */
#include "t.h"

#include "control_tcp.h"

#include "signals.h"
#include "timing.h"

#include <arpa/inet.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct control_tcp tcp;
static struct fault fault;
static struct waiter waiter;
static uint16_t port;

static doca_error_t turn(struct waiter *of, bool *busy)
{
	return control_turn(&tcp.channel, of->fault, busy);
}

/* A port that a listener gets, and that the kernel gives to nobody else: its socket stays open
 * until the program ends. */
static uint16_t free_port(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t size = sizeof(address);
	const int on = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	T_EQ(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)), 0);
	T_EQ(bind(fd, (struct sockaddr *)&address, size), 0);
	T_EQ(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	return ntohs(address.sin_port);
}

static void set_up(const char *peer)
{
	fault_init(&fault);
	waiter = (struct waiter){.turn = turn, .fault = &fault};
	control_tcp_init(&tcp, peer);
}

static struct sockaddr_in server(void)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static doca_error_t connect_to_server(uint32_t limit)
{
	const struct sockaddr_in address = server();

	return control_tcp_connect(&tcp, &address, limit, &waiter);
}

/* Takes one request, answers it, leaves. */
static int serve_one(void *arg)
{
	struct wire_message message;

	set_up("client");
	timing_sleep((uintptr_t)arg * NSEC_PER_MSEC);
	T_OK(control_tcp_listen(&tcp, port, &fault));
	T_OK(control_tcp_accept(&tcp, &waiter));
	T_OK(control_expect(&tcp.channel, &waiter, WIRE_START_STORAGE, 5, NULL, &message));
	control_done(&tcp.channel);
	T_OK(control_send_success(&tcp.channel, &waiter, message.correlation_id, 5));
	control_leave(&tcp.channel);
	control_tcp_close(&tcp);
	return 0;
}

static int accept_and_die(void *arg)
{
	set_up("client");
	T_OK(control_tcp_listen(&tcp, port, &fault));
	T_OK(control_tcp_accept(&tcp, &waiter));
	_exit(0);
}

static int accept_and_fail(void *arg)
{
	set_up("client");
	T_OK(control_tcp_listen(&tcp, port, &fault));
	T_OK(control_tcp_accept(&tcp, &waiter));
	fault_raise(&fault, DOCA_ERROR_IO_FAILED, "no storage today");
	control_tell_fault(&tcp.channel, &fault);
	control_tcp_close(&tcp);
	return 0;
}

static int accept_and_babble(void *arg)
{
	set_up("client");
	T_OK(control_tcp_listen(&tcp, port, &fault));
	T_OK(control_tcp_accept(&tcp, &waiter));
	T_EQ(send(tcp.fd, "GET / HTTP/1.0\r\n\r\n", 18, 0), 18);
	timing_sleep(200 * NSEC_PER_MSEC);
	return 0;
}

static void exchange(uintptr_t delay_ms)
{
	const struct wire_message request = {.type = WIRE_START_STORAGE, .correlation_id = 3};
	pid_t child;

	port = free_port();
	child = t_fork(serve_one, (void *)delay_ms);
	set_up("server");
	T_OK(connect_to_server(10));
	T_OK(control_request(&tcp.channel, &waiter, &request, 5));
	control_leave(&tcp.channel);
	control_tcp_close(&tcp);
	T_EQ(t_wait(child, 5000), 0);
}

T_CASE(request_and_answer)
{
	exchange(0);
}

/* A refused connection is tried again, also when it is refused at once, as on loopback. */
T_CASE(server_that_comes_later)
{
	exchange(400);
}

T_CASE(server_that_never_comes)
{
	port = free_port();
	set_up("server");
	T_ERR(connect_to_server(1), DOCA_ERROR_TIME_OUT);
	T_CONTAINS(fault.text, "timed out trying to connect");
	T_CONTAINS(fault.text, "Connection refused");
	control_tcp_close(&tcp);
}

/* Calling a free port of this machine again and again must not end in a call to oneself. */
T_CASE(connection_to_itself_is_none)
{
	struct sockaddr_in address = server();
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_port = 0;
	T_EQ(bind(fd, (struct sockaddr *)&address, size), 0);
	T_EQ(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	T_EQ(connect(fd, (struct sockaddr *)&address, size), 0);
	T_CHECK(control_tcp_is_own_socket(fd));
	close(fd);
}

static void check_lost(int (*peer)(void *arg), doca_error_t expected, const char *text)
{
	struct wire_message message;
	pid_t child;

	port = free_port();
	child = t_fork(peer, NULL);
	set_up("server");
	T_OK(connect_to_server(10));
	T_ERR(control_expect(&tcp.channel, &waiter, WIRE_RESPONSE, 5, NULL, &message), expected);
	T_CONTAINS(fault.text, text);
	control_tcp_close(&tcp);
	T_EQ(t_wait(child, 5000), 0);
}

T_CASE(end_of_file_is_the_end_of_the_peer)
{
	check_lost(accept_and_die, DOCA_ERROR_CONNECTION_RESET, "The server has gone");
}

T_CASE(last_words_of_the_peer_are_heard)
{
	check_lost(accept_and_fail, DOCA_ERROR_UNKNOWN, "The server reports: no storage today");
}

T_CASE(peer_that_speaks_something_else)
{
	check_lost(accept_and_babble, DOCA_ERROR_INVALID_VALUE, "Malformed control message");
}

T_CASE(port_in_use)
{
	struct control_tcp other;

	port = free_port();
	set_up("client");
	T_OK(control_tcp_listen(&tcp, port, &fault));
	control_tcp_init(&other, "client");
	T_ERR(control_tcp_listen(&other, port, &fault), DOCA_ERROR_OPERATING_SYSTEM);
	T_CONTAINS(fault.text, "choose another --listen-port");
	control_tcp_close(&other);
	control_tcp_close(&tcp);
}

T_CASE(second_client_is_refused)
{
	pid_t child;

	port = free_port();
	child = t_fork(serve_one, (void *)0);
	set_up("server");
	T_OK(connect_to_server(10));
	timing_sleep(50 * NSEC_PER_MSEC);
	control_tcp_init(&tcp, "server");
	T_ERR(connect_to_server(1), DOCA_ERROR_TIME_OUT);
	kill(child, SIGKILL);
	t_wait(child, 5000);
}

T_CASE(signal_ends_the_wait)
{
	port = free_port();
	set_up("server");
	signals_install();
	raise(SIGINT);
	T_ERR(connect_to_server(10), DOCA_ERROR_SHUTDOWN);
	T_EQ(fault_kind(&fault), FAULT_USER);
	T_CONTAINS(fault.text, "aborted while waiting for the TCP connection");
	control_tcp_close(&tcp);
}
