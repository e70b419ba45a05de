/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The agent: its life, its watches, its endpoint.
 */
#include "t.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/valgrind.h"
#include "bus/agent.h"
#include "bus/process.h"
#include "bus/rundir.h"

/* Last log line; the agent's thread writes it. */
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char log_line[1024];

static void keep_line(int level, const char *file, int line, const char *fmt, va_list ap)
{
	pthread_mutex_lock(&log_lock);
	vsnprintf(log_line, sizeof(log_line), fmt, ap);
	pthread_mutex_unlock(&log_lock);
}

static void listen_to_log(void)
{
	sdpu_log_set_sink(keep_line);
	sdpu_log_set_limit(SDPU_LOG_WARN);
}

static bool log_has(const char *part)
{
	bool has;

	pthread_mutex_lock(&log_lock);
	has = strstr(log_line, part) != NULL;
	pthread_mutex_unlock(&log_lock);
	return has;
}

static bool exists(const char *file)
{
	char path[512];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", getenv("SOFTDPU_RUNTIME_DIR"), file);
	return lstat(path, &st) == 0;
}

/* --- life --- */

T_CASE(runs_from_first_get_to_last_put)
{
	char first[SDPU_ENDPOINT_MAX], claim[64];
	struct sdpu_watch watch = {.fd = 0};

	T_ERR(sdpu_agent_watch(&watch, EPOLLIN), DOCA_ERROR_BAD_STATE);
	T_OK(sdpu_agent_get());
	T_OK(sdpu_agent_get());
	strcpy(first, sdpu_agent_endpoint());
	T_EQ(strlen(first), 34);
	snprintf(claim, sizeof(claim), "%s.claim", first);
	T_CHECK(exists(first) && exists(claim));
	sdpu_agent_put();
	T_CHECK(exists(first));
	sdpu_agent_put();
	T_CHECK(!exists(first) && !exists(claim));
	T_ERR(sdpu_agent_watch(&watch, EPOLLIN), DOCA_ERROR_BAD_STATE);
	T_OK(sdpu_agent_get());
	T_CHECK(strcmp(first, sdpu_agent_endpoint()) != 0);
	sdpu_agent_put();
}

static void *get_and_put(void *arg)
{
	for (int i = 0; i < 50; i++) {
		T_OK(sdpu_agent_get());
		sdpu_agent_put();
	}
	return NULL;
}

T_CASE(many_threads_get_and_put)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		T_EQ(pthread_create(&threads[i], NULL, get_and_put, NULL), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static int exit_without_put(void *arg)
{
	T_OK(sdpu_agent_get());
	return 0;
}

T_CASE(exit_ends_it)
{
	/* 100 ms are promised; the rest is for starting a process on a busy machine. */
	T_EQ(t_wait(t_fork(exit_without_put, NULL), 2000), 0);
	/* The kit looks for what is left behind. */
}

/* A forked child of several threads is not for the leak checker, which waits for a lock of theirs.
 */
static bool in_child;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
	return in_child;
}

static int use_in_child(void *arg)
{
	struct sdpu_watch watch = {.fd = 0};
	struct sdpu_death_watch death_watch;
	pid_t pid;
	int sock;

	in_child = true;
	T_ERR(sdpu_agent_get(), DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_agent_watch(&watch, EPOLLIN), DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_agent_watch_death(&death_watch, getppid()), DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_agent_call(sdpu_agent_endpoint(), "x", 1, NULL, 0, &sock, &pid),
	      DOCA_ERROR_BAD_STATE);
	sdpu_agent_unwatch(&watch);
	sdpu_agent_put();
	/* With exit handlers: they must leave the parent's endpoint alone. */
	return 0;
}

T_CASE(forked_child_has_none)
{
	T_OK(sdpu_agent_get());
	T_EQ(t_wait(t_fork(use_in_child, NULL), 5000), 0);
	T_CHECK(exists(sdpu_agent_endpoint()));
	sdpu_agent_put();
}

static void signal_arrived(int number)
{
	char name[16] = "";

	pthread_getname_np(pthread_self(), name, sizeof(name));
	if (strcmp(name, "sdpu-agent") == 0)
		_exit(1);
}

T_CASE(no_signal_handler_runs_in_its_thread)
{
	struct sigaction action = {.sa_handler = signal_arrived};
	sigset_t all;

	sigaction(SIGUSR1, &action, NULL);
	T_OK(sdpu_agent_get());
	/* With everybody else blocking it, the kernel would choose the agent. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	kill(getpid(), SIGUSR1);
	sdpu_agent_put();
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
}

/* --- watches --- */

struct counted {
	struct sdpu_watch watch;
	uint32_t calls;
	uint32_t events;
};

static void count(struct sdpu_watch *watch, uint32_t events)
{
	struct counted *counted = sdpu_container_of(watch, struct counted, watch);

	sdpu_fetch_or(&counted->events, events);
	sdpu_fetch_add(&counted->calls, 1);
}

static void count_once(struct sdpu_watch *watch, uint32_t events)
{
	sdpu_agent_unwatch(watch);
	count(watch, events);
}

T_CASE(ready_descriptor_is_told_until_unwatched)
{
	struct counted c = {.watch = {.fd = eventfd(1, EFD_CLOEXEC), .ready = count}};
	struct counted other = {.watch = {.fd = c.watch.fd, .ready = count}};
	uint32_t calls;

	T_OK(sdpu_agent_get());
	T_OK(sdpu_agent_watch(&c.watch, EPOLLIN));
	T_ERR(sdpu_agent_watch(&other.watch, EPOLLIN), DOCA_ERROR_ALREADY_EXIST);
	T_EVENTUALLY(sdpu_load(&c.calls) >= 3, 5000);
	sdpu_agent_unwatch(&c.watch);
	calls = sdpu_load(&c.calls);
	sdpu_agent_unwatch(&c.watch);
	T_OK(sdpu_agent_watch(&other.watch, EPOLLIN));
	T_EVENTUALLY(sdpu_load(&other.calls) >= 3, 5000);
	sdpu_agent_unwatch(&other.watch);
	T_EQ(sdpu_load(&c.calls), calls);
	c.watch.fd = -1;
	T_ERR(sdpu_agent_watch(&c.watch, EPOLLIN), DOCA_ERROR_INVALID_VALUE);
	sdpu_agent_put();
}

T_CASE(callback_may_unwatch_itself)
{
	struct counted c = {.watch = {.fd = eventfd(1, EFD_CLOEXEC), .ready = count_once}};

	T_OK(sdpu_agent_get());
	for (uint32_t i = 1; i <= 100; i++) {
		T_OK(sdpu_agent_watch(&c.watch, EPOLLIN));
		T_EVENTUALLY(sdpu_load(&c.calls) == i, 5000);
	}
	sdpu_agent_put();
}

/* Two that are ready in one batch, of which the first ends the second. */
struct couple {
	struct counted a, b;
	uint32_t calls;
};

static void end_both(struct sdpu_watch *watch, uint32_t events)
{
	struct couple *couple =
		(struct couple *)(void *)sdpu_container_of(watch, struct counted, watch);

	sdpu_agent_unwatch(&couple->a.watch);
	sdpu_agent_unwatch(&couple->b.watch);
	sdpu_fetch_add(&couple->calls, 1);
}

static void end_other(struct sdpu_watch *watch, uint32_t events)
{
	end_both(&sdpu_container_of(sdpu_container_of(watch, struct counted, watch), struct couple,
				    b)
			  ->a.watch,
		 events);
}

T_CASE(event_of_a_watch_that_ended_in_its_batch_is_dropped)
{
	struct couple couple = {
		.a = {.watch = {.fd = eventfd(0, EFD_CLOEXEC), .ready = end_both}},
		.b = {.watch = {.fd = eventfd(0, EFD_CLOEXEC), .ready = end_other}},
	};
	uint64_t one = 1;

	T_OK(sdpu_agent_get());
	for (uint32_t i = 1; i <= 200; i++) {
		T_OK(sdpu_agent_watch(&couple.a.watch, EPOLLIN));
		T_OK(sdpu_agent_watch(&couple.b.watch, EPOLLIN));
		T_EQ(write(couple.a.watch.fd, &one, sizeof(one)), sizeof(one));
		T_EQ(write(couple.b.watch.fd, &one, sizeof(one)), sizeof(one));
		T_EVENTUALLY(sdpu_load(&couple.calls) == i, 5000);
		T_EQ(read(couple.a.watch.fd, &one, sizeof(one)), sizeof(one));
		T_EQ(read(couple.b.watch.fd, &one, sizeof(one)), sizeof(one));
		one = 1;
	}
	sdpu_agent_put();
}

/* The sanitizers look whether a callback touches what is freed after unwatch. */
static void *watch_and_free(void *arg)
{
	for (int i = 0; i < 2000; i++) {
		struct counted *c = calloc(1, sizeof(*c));

		c->watch = (struct sdpu_watch){.fd = eventfd(1, EFD_CLOEXEC), .ready = count};
		T_OK(sdpu_agent_watch(&c->watch, EPOLLIN));
		if (i % 2 == 0)
			sched_yield();
		sdpu_agent_unwatch(&c->watch);
		close(c->watch.fd);
		memset(c, 0xff, sizeof(*c));
		free(c);
	}
	return NULL;
}

T_CASE_TIMEOUT(no_callback_after_unwatch, 60)
{
	pthread_t threads[4];

	T_OK(sdpu_agent_get());
	for (int i = 0; i < 4; i++)
		T_EQ(pthread_create(&threads[i], NULL, watch_and_free, NULL), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	sdpu_agent_put();
}

T_CASE(hang_up_is_told_once_and_data_never)
{
	struct counted c = {.watch = {.ready = count}}, fence;
	int s[2];

	T_OK(sdpu_agent_get());
	T_OK(sdpu_sock_pair(s));
	c.watch.fd = s[0];
	T_OK(sdpu_agent_watch(&c.watch, 0));
	for (int i = 0; i < 20; i++)
		T_OK(sdpu_sock_send(s[1], "data", 4, NULL, 0));
	/* Another watch that was told shows that the agent has had its chance. */
	fence = (struct counted){.watch = {.fd = eventfd(1, EFD_CLOEXEC), .ready = count}};
	T_OK(sdpu_agent_watch(&fence.watch, EPOLLIN));
	T_EVENTUALLY(sdpu_load(&fence.calls) >= 2, 5000);
	T_EQ(sdpu_load(&c.calls), 0);
	sdpu_fd_close(s[1]);
	T_EVENTUALLY(sdpu_load(&c.calls) == 1, 5000);
	T_CHECK((sdpu_load(&c.events) & EPOLLHUP) != 0);
	T_EVENTUALLY(sdpu_load(&fence.calls) >= 50, 5000);
	T_EQ(sdpu_load(&c.calls), 1);
	sdpu_agent_unwatch(&fence.watch);
	sdpu_agent_unwatch(&c.watch);
	sdpu_fd_close(s[0]);
	sdpu_agent_put();
}

/* --- the endpoint --- */

static uint32_t served;
static int served_sock;
static pid_t served_peer;
static uint32_t served_len;
static int served_fd;

static void serve(int sock, pid_t peer, struct sdpu_record *record)
{
	served_sock = sock;
	served_peer = peer;
	served_len = record->len;
	served_fd = sdpu_record_take_fd(record, 0);
	sdpu_fetch_add(&served, 1);
}

static struct sdpu_hello hello_for(enum sdpu_service service)
{
	struct sdpu_hello hello;

	sdpu_hello_fill(&hello, service);
	return hello;
}

/* What the caller sees of a refusal. */
static bool is_refused(int sock)
{
	struct sdpu_record record;

	return sdpu_sock_recv(sock, &record) == DOCA_ERROR_CONNECTION_RESET;
}

static int call(const void *bytes, size_t len)
{
	pid_t peer;
	int sock;

	T_OK(sdpu_agent_call(sdpu_agent_endpoint(), bytes, len, NULL, 0, &sock, &peer));
	T_EQ(peer, getpid());
	return sock;
}

T_CASE(first_record_goes_to_its_service)
{
	struct {
		struct sdpu_hello hello;
		char more[8];
	} first = {.hello = hello_for(SDPU_SERVICE_RDMA), .more = "more"};
	struct sdpu_record record;
	int sock, event = eventfd(0, EFD_CLOEXEC);
	pid_t peer;

	T_OK(sdpu_agent_get());
	sdpu_agent_register(SDPU_SERVICE_RDMA, serve);
	T_OK(sdpu_agent_call(sdpu_agent_endpoint(), &first, sizeof(first), &event, 1, &sock,
			     &peer));
	T_EVENTUALLY(sdpu_load_acquire(&served) == 1, 5000);
	T_EQ(served_peer, getpid());
	T_EQ(served_len, sizeof(first));
	T_CHECK(served_fd >= 0);
	/* The connection is the service's, the agent does not listen to it any more. */
	T_OK(sdpu_sock_send(served_sock, "answer", 6, NULL, 0));
	T_OK(sdpu_sock_recv(sock, &record));
	T_MEMEQ(record.bytes, "answer", 6);
	T_OK(sdpu_sock_send(sock, "second", 6, NULL, 0));
	T_OK(sdpu_sock_recv(served_sock, &record));
	T_MEMEQ(record.bytes, "second", 6);
	sdpu_fd_close(served_sock);
	sdpu_fd_close(served_fd);
	sdpu_fd_close(sock);
	sdpu_agent_put();
}

T_CASE(garbage_is_refused)
{
	struct sdpu_hello bad[3];
	int sock;

	listen_to_log();
	T_OK(sdpu_agent_get());
	bad[0] = hello_for(SDPU_SERVICE_COMCH);
	bad[0].magic ^= 1;
	bad[1] = hello_for(SDPU_SERVICE_LIMIT);
	bad[2] = hello_for(0);
	for (int i = 0; i < 3; i++) {
		sock = call(&bad[i], sizeof(bad[i]));
		T_EVENTUALLY(is_refused(sock), 5000);
		sdpu_fd_close(sock);
	}
	sock = call(bad, sizeof(bad[0]) - 1);
	T_EVENTUALLY(is_refused(sock), 5000);
	sdpu_fd_close(sock);
	T_CHECK(log_has("needs at least"));
	sdpu_agent_put();
}

T_CASE(version_mismatch_names_both)
{
	struct sdpu_hello hello = hello_for(SDPU_SERVICE_COMCH);
	char ours[32];
	int sock;

	snprintf(ours, sizeof(ours), "version %d (build 3.", SDPU_HELLO_VERSION);
	T_ERR(sdpu_hello_check(&hello, sizeof(hello) - 1), DOCA_ERROR_INVALID_VALUE);
	T_OK(sdpu_hello_check(&hello, sizeof(hello)));
	hello.version = 77;
	memcpy(hello.build, "9.9.\n9999 is twenty-four", sizeof(hello.build));
	T_ERR(sdpu_hello_check(&hello, sizeof(hello)), DOCA_ERROR_UNSUPPORTED_VERSION);
	listen_to_log();
	T_OK(sdpu_agent_get());
	sock = call(&hello, sizeof(hello));
	T_EVENTUALLY(is_refused(sock), 5000);
	T_CHECK(log_has("version 77 (build 9.9.?9999?is?twenty-four)"));
	T_CHECK(log_has(ours));
	sdpu_fd_close(sock);
	sdpu_agent_put();
}

T_CASE(service_not_offered_is_refused)
{
	struct sdpu_hello hello = hello_for(SDPU_SERVICE_RDMA);
	int sock;

	listen_to_log();
	T_OK(sdpu_agent_get());
	sdpu_agent_register(SDPU_SERVICE_RDMA, NULL);
	sock = call(&hello, sizeof(hello));
	T_EVENTUALLY(is_refused(sock), 5000);
	T_CHECK(log_has("does not offer"));
	sdpu_fd_close(sock);
	sdpu_agent_put();
}

T_CASE(bad_endpoints_go_nowhere)
{
	static const char *const bad[] = {
		"",
		"a-",
		"a-0123456789abcdef0123456789abcde",
		"a-0123456789abcdef0123456789abcdef0",
		"a-0123456789abcdef0123456789abcdeg",
		"b-0123456789abcdef0123456789abcdef",
		"a-../../../../../../../../etc/pass",
	};
	pid_t peer;
	int sock;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		T_ERR(sdpu_agent_call(bad[i], "x", 1, NULL, 0, &sock, &peer),
		      DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_agent_call("a-0123456789abcdef0123456789abcdef", "x", 1, NULL, 0, &sock, &peer),
	      DOCA_ERROR_NOT_FOUND);
}

/* Silent connections hold 64 slots for 2 s; who waits behind them is served then. */
T_CASE(silent_connections_are_dropped_and_others_served)
{
	struct sdpu_hello hello = hello_for(SDPU_SERVICE_RDMA);
	int silent[64], sock;

	listen_to_log();
	T_OK(sdpu_agent_get());
	sdpu_agent_register(SDPU_SERVICE_RDMA, serve);
	for (int i = 0; i < 64; i++)
		T_OK(sdpu_sock_connect(sdpu_agent_endpoint(), &silent[i]));
	sock = call(&hello, sizeof(hello));
	for (int i = 0; i < 64; i++)
		T_EVENTUALLY(is_refused(silent[i]), 10000);
	T_CHECK(log_has("said nothing"));
	T_EVENTUALLY(sdpu_load_acquire(&served) == 1, 5000);
	T_CHECK(!is_refused(sock));
	sdpu_agent_put();
}

T_CASE(hundreds_of_callers_at_once)
{
	struct sdpu_hello hello = hello_for(SDPU_SERVICE_RDMA);

	T_OK(sdpu_agent_get());
	sdpu_agent_register(SDPU_SERVICE_RDMA, serve);
	for (int i = 0; i < 300; i++)
		call(&hello, sizeof(hello));
	T_EVENTUALLY(sdpu_load_acquire(&served) == 300, 10000);
	sdpu_agent_put();
}

T_CASE(callers_wait_while_descriptors_are_short)
{
	struct sdpu_hello hello = hello_for(SDPU_SERVICE_RDMA);
	struct rlimit limit;
	int sock;

	if (sdpu_under_valgrind())
		T_SKIP("valgrind accepts what is beyond the limit, and closes it");
	listen_to_log();
	T_OK(sdpu_agent_get());
	sdpu_agent_register(SDPU_SERVICE_RDMA, serve);
	T_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
	sock = dup(0);
	close(sock);
	/* One is left: the caller's. */
	limit.rlim_cur = (rlim_t)sock + 1;
	T_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	sock = call(&hello, sizeof(hello));
	T_EVENTUALLY(log_has("connections wait"), 5000);
	T_EQ(sdpu_load_acquire(&served), 0);
	limit.rlim_cur = limit.rlim_max;
	T_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	T_EVENTUALLY(sdpu_load_acquire(&served) == 1, 5000);
	sdpu_fd_close(sock);
	sdpu_agent_put();
}

T_CASE(put_closes_the_undecided)
{
	int sock;

	T_OK(sdpu_agent_get());
	T_OK(sdpu_sock_connect(sdpu_agent_endpoint(), &sock));
	sdpu_agent_put();
	T_EVENTUALLY(is_refused(sock), 5000);
}

/* What daemons do. The thread sleeps on, and cannot be told: nobody waits for it. */
T_CASE(a_program_that_closes_all_descriptors_does_not_hang)
{
	char command[512];

	listen_to_log();
	T_OK(sdpu_agent_get());
	T_EQ(close_range(3, ~0u, 0), 0);
	sdpu_agent_put();
	T_CHECK(log_has("the program has closed descriptors of the library"));
	T_ERR(sdpu_agent_get(), DOCA_ERROR_BAD_STATE);
	snprintf(command, sizeof(command), "rm -f '%s'/a-*", getenv("SOFTDPU_RUNTIME_DIR"));
	T_EQ(system(command), 0);
}
