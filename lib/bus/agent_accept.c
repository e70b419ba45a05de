/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The endpoint of this process: a listening socket, and the connections that have not said yet what
 * they want ("undecided"; 2 s are given, to 64 at once; others wait in the backlog). Belongs to the
 * agent: everything runs in its thread with its lock held, except start, stop, register and call. A
 * connection whose first record is good goes to its service, every other one is closed.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/log.h"
#include "bus/agent_parts.h"
#include "bus/process.h"

#define UNDECIDED_MAX 64
#define HELLO_WITHIN (2 * SDPU_SECOND)
#define PAUSE (100 * SDPU_MS)

struct undecided {
	struct sdpu_watch watch;
	bool used;
	pid_t peer;
	uint64_t deadline;
};

static struct {
	struct sdpu_watch listener;
	/* When the listener is watched again: it is not while slots or descriptors are short. */
	uint64_t resume_at;
	bool starved; /* accept() failed last time: logged once */
	struct undecided undecided[UNDECIDED_MAX];
} acceptor;

static sdpu_service_fn services[SDPU_SERVICE_LIMIT];

void sdpu_agent_register(enum sdpu_service service, sdpu_service_fn fn)
{
	/* release: pairs with the acquire in decide() */
	sdpu_store_release(&services[service], fn);
}

static void forget(struct undecided *undecided)
{
	sdpu_agent_unwatch(&undecided->watch);
	undecided->used = false;
}

/* Takes sock over. */
static void refuse(int sock, doca_error_t why)
{
	struct sdpu_hello own;

	if (why == DOCA_ERROR_UNSUPPORTED_VERSION) {
		sdpu_hello_fill(&own, SDPU_SERVICE_NONE);
		(void)sdpu_sock_send(sock, &own, sizeof(own), NULL, 0);
	}
	sdpu_fd_close(sock);
}

static void decide(struct undecided *undecided)
{
	int sock = undecided->watch.fd;
	pid_t peer = undecided->peer;
	struct sdpu_record record;
	struct sdpu_hello hello;
	sdpu_service_fn fn;
	doca_error_t result = sdpu_sock_recv(sock, &record);

	if (result == DOCA_ERROR_AGAIN)
		return;
	forget(undecided);
	if (result == DOCA_SUCCESS)
		result = sdpu_hello_check(record.bytes, record.len);
	if (result != DOCA_SUCCESS) {
		sdpu_record_drop(&record);
		refuse(sock, result);
		return;
	}
	memcpy(&hello, record.bytes, sizeof(hello));
	fn = sdpu_load_acquire(&services[hello.service]);
	if (fn != NULL) {
		fn(sock, peer, &record);
	} else {
		sdpu_log_err("pid %d asked for service %u, which this process does not offer",
			     (int)peer, hello.service);
		sdpu_fd_close(sock);
	}
	sdpu_record_drop(&record);
}

static void undecided_ready(struct sdpu_watch *watch, uint32_t events)
{
	decide(sdpu_container_of(watch, struct undecided, watch));
}

static struct undecided *free_slot(void)
{
	for (int i = 0; i < UNDECIDED_MAX; i++)
		if (!acceptor.undecided[i].used)
			return &acceptor.undecided[i];
	return NULL;
}

/* Takes sock over. */
static void admit(struct undecided *slot, int sock)
{
	pid_t peer;

	if (sdpu_sock_peer(sock, &peer) != DOCA_SUCCESS) {
		sdpu_fd_close(sock);
		return;
	}
	*slot = (struct undecided){
		.watch = {.fd = sock, .ready = undecided_ready},
		.used = true,
		.peer = peer,
		.deadline = sdpu_clock_now() + HELLO_WITHIN,
	};
	if (sdpu_agent_watch(&slot->watch, EPOLLIN) != DOCA_SUCCESS) {
		slot->used = false;
		sdpu_fd_close(sock);
	}
}

/* A level-triggered listener that we cannot serve would keep the thread spinning. */
static void pause_until(uint64_t when)
{
	sdpu_agent_unwatch(&acceptor.listener);
	acceptor.resume_at = when;
}

static void refuse_for_now(void)
{
	if (!acceptor.starved)
		sdpu_log_err("connections wait: accept: %s (ulimit -n is the usual remedy)",
			     strerror(errno));
	acceptor.starved = true;
	pause_until(sdpu_clock_now() + PAUSE);
}

static void listener_ready(struct sdpu_watch *watch, uint32_t events)
{
	struct undecided *slot;

	while ((slot = free_slot()) != NULL) {
		int sock = accept4(watch->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (sock >= 0) {
			acceptor.starved = false;
			admit(slot, sdpu_fd_own(sock));
			continue;
		}
		if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			refuse_for_now();
		return;
	}
	pause_until(0);
}

static void drop_late(struct undecided *undecided)
{
	sdpu_log_warn("pid %d connected and said nothing for 2 s: dropped", (int)undecided->peer);
	forget(undecided);
	sdpu_fd_close(undecided->watch.fd);
}

/* Drops connections whose time is over; answers the earliest deadline of the others. */
static uint64_t check_undecided(uint64_t now)
{
	uint64_t next = SDPU_NEVER;

	for (int i = 0; i < UNDECIDED_MAX; i++) {
		struct undecided *undecided = &acceptor.undecided[i];

		if (!undecided->used)
			continue;
		if (undecided->deadline <= now)
			drop_late(undecided);
		else if (undecided->deadline < next)
			next = undecided->deadline;
	}
	return next;
}

static bool is_paused(void)
{
	return !acceptor.listener.armed && acceptor.listener.ready != NULL;
}

uint64_t sdpu_accept_tick(uint64_t now)
{
	uint64_t next = check_undecided(now);

	/* No free slot: nothing to do here, as a tick follows every callback, also the one that
	 * frees a slot. */
	if (!is_paused() || free_slot() == NULL)
		return next;
	if (acceptor.resume_at <= now &&
	    sdpu_agent_watch(&acceptor.listener, EPOLLIN) != DOCA_SUCCESS)
		acceptor.resume_at = now + PAUSE;
	return is_paused() && acceptor.resume_at < next ? acceptor.resume_at : next;
}

doca_error_t sdpu_accept_start(const char *endpoint)
{
	doca_error_t result;

	memset(&acceptor, 0, sizeof(acceptor));
	acceptor.listener.ready = listener_ready;
	result = sdpu_sock_listen(endpoint, &acceptor.listener.fd);
	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_agent_watch(&acceptor.listener, EPOLLIN);
	if (result != DOCA_SUCCESS)
		sdpu_fd_close(acceptor.listener.fd);
	return result;
}

void sdpu_accept_stop(void)
{
	sdpu_agent_unwatch(&acceptor.listener);
	sdpu_fd_close(acceptor.listener.fd);
	acceptor.listener.ready = NULL;
	for (int i = 0; i < UNDECIDED_MAX; i++) {
		if (!acceptor.undecided[i].used)
			continue;
		forget(&acceptor.undecided[i]);
		sdpu_fd_close(acceptor.undecided[i].watch.fd);
	}
}

/* Endpoints come from peers and from blobs: exactly "a-" and 32 hex digits. */
static bool is_endpoint(const char *name)
{
	if (strnlen(name, SDPU_ENDPOINT_MAX) != 34 || name[0] != 'a' || name[1] != '-')
		return false;
	for (int i = 2; i < 34; i++)
		if (!isxdigit((unsigned char)name[i]))
			return false;
	return true;
}

doca_error_t sdpu_agent_dial(const char *endpoint, int *sock, pid_t *peer)
{
	doca_error_t result;
	int made;

	if (!is_endpoint(endpoint))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_sock_connect(endpoint, &made);
	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_sock_peer(made, peer);
	if (result != DOCA_SUCCESS) {
		sdpu_fd_close(made);
		return result;
	}
	*sock = made;
	return DOCA_SUCCESS;
}

doca_error_t sdpu_agent_call(const char *endpoint, const void *hello, size_t len, const int *fds,
			     uint32_t num_fds, int *sock, pid_t *peer)
{
	doca_error_t result;
	pid_t pid;
	int made;

	result = sdpu_agent_dial(endpoint, &made, &pid);
	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_sock_send(made, hello, len, fds, num_fds);
	if (result != DOCA_SUCCESS) {
		sdpu_fd_close(made);
		return result;
	}
	*sock = made;
	*peer = pid;
	return DOCA_SUCCESS;
}
