/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The progress thread; contract in fabric_thread.h. Locks: `life` for start and end, then `lock`
 * for the list, which the thread holds while it goes through its ports, then a port's.
 */
#include "rdma/fabric_thread.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/thread.h"
#include "bus/process.h"

#define EVENTS 8
#define SLOWEST_MS 60000
#define EXIT_PATIENCE (100 * SDPU_MS)

static pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	struct sdpu_list ports; /* under lock */
	uint32_t stop;		/* atomic */
	/* Under life. */
	bool runs;
	bool is_registered; /* to be stopped at exit */
	pthread_t thread;
	int epoll_fd; /* kicks, and the ports' */
	int kick_fd;  /* atomic, as any thread may kick; made once, and never closed */
} all = {.ports = {&all.ports, &all.ports}, .epoll_fd = -1, .kick_fd = -1};

void fabric_thread_kick(void)
{
	/* Acquire: pairs with the release in kicks_open(). */
	int fd = sdpu_load_acquire(&all.kick_fd);
	uint64_t one = 1;

	/* A write fails only when the counter is full, and then the thread is awake already. */
	if (fd >= 0 && !sdpu_process_inert() && write(fd, &one, sizeof(one)) < 0)
		return;
}

static void drain_kicks(void)
{
	uint64_t count;

	if (read(all.kick_fd, &count, sizeof(count)) < 0)
		return;
}

/* All ports. Returns when the first of them is due again; *backoff: the longest that one asks for.
 */
static uint64_t progress_ports(bool called, uint64_t *backoff)
{
	uint64_t next = UINT64_MAX;
	struct sdpu_list *node;

	pthread_mutex_lock(&lock);
	sdpu_list_for_each (node, &all.ports) {
		uint64_t this_backoff;
		uint64_t at = fabric_port_progress(
			sdpu_container_of(node, struct fabric_port, node), called, &this_backoff);

		if (this_backoff > *backoff)
			*backoff = this_backoff;
		if (at < next)
			next = at;
	}
	pthread_mutex_unlock(&lock);
	return next;
}

/* Rounded up. */
static int wait_ms(uint64_t until)
{
	uint64_t now = sdpu_clock_now(), ms;

	if (until <= now)
		return 0;
	ms = (until - now + SDPU_MS - 1) / SDPU_MS;
	return ms < SLOWEST_MS ? (int)ms : SLOWEST_MS;
}

/* Sleeps, but not through a kick. */
static void back_off(uint64_t backoff)
{
	struct pollfd kicks = {.fd = all.kick_fd, .events = POLLIN};
	struct timespec time = {.tv_nsec = (long)backoff};

	(void)ppoll(&kicks, 1, &time, NULL);
}

static void *thread_main(void *arg)
{
	struct epoll_event events[EVENTS];
	uint64_t next = 0;

	pthread_setname_np(pthread_self(), "sdpu-fabric");
	while (sdpu_load_acquire(&all.stop) == 0) {
		bool called = epoll_wait(all.epoll_fd, events, EVENTS, wait_ms(next)) != 0;
		uint64_t backoff = 0;

		if (called)
			drain_kicks();
		next = progress_ports(called, &backoff);
		if (backoff != 0)
			back_off(backoff);
	}
	return NULL;
}

static doca_error_t watch(int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(all.epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0
		       ? DOCA_SUCCESS
		       : DOCA_ERROR_OPERATING_SYSTEM;
}

static bool kicks_open(void)
{
	if (all.kick_fd < 0)
		sdpu_store_release(&all.kick_fd,
				   sdpu_fd_own(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)));
	return all.kick_fd >= 0;
}

static void close_poll(void)
{
	sdpu_fd_close(all.epoll_fd);
	all.epoll_fd = -1;
}

static doca_error_t open_poll(void)
{
	all.epoll_fd = sdpu_fd_own(epoll_create1(EPOLL_CLOEXEC));
	if (all.epoll_fd >= 0 && kicks_open() && watch(all.kick_fd) == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_rdma: epoll or eventfd: %s", strerror(errno));
	close_poll();
	return DOCA_ERROR_OPERATING_SYSTEM;
}

static doca_error_t start_thread(void)
{
	int error;

	sdpu_store(&all.stop, 0);
	error = sdpu_thread_start(&all.thread, 0, thread_main, NULL);
	if (error == 0)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_rdma: pthread_create: %s", strerror(error));
	return DOCA_ERROR_OPERATING_SYSTEM;
}

static void ask_to_stop(void)
{
	/* Release: pairs with the acquire in thread_main(). */
	sdpu_store_release(&all.stop, 1);
	fabric_thread_kick();
}

/*
 * Handlers of exit() run before libraries are taken down: libfabric must not be used by a thread
 * then. Other threads of the user's may still run, so nothing is closed under them.
 */
static void stop_at_exit(void)
{
	struct timespec until;

	if (sdpu_process_inert())
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += (long)EXIT_PATIENCE;
	until.tv_sec += until.tv_nsec / (long)SDPU_SECOND;
	until.tv_nsec %= (long)SDPU_SECOND;
	if (pthread_mutex_timedlock(&life, &until) != 0)
		return;
	if (all.runs) {
		ask_to_stop();
		all.runs = pthread_timedjoin_np(all.thread, NULL, &until) != 0;
	}
	pthread_mutex_unlock(&life);
}

/* Life held. */
static doca_error_t start(void)
{
	doca_error_t result = open_poll();

	if (result != DOCA_SUCCESS)
		return result;
	result = start_thread();
	if (result != DOCA_SUCCESS) {
		close_poll();
		return result;
	}
	all.runs = true;
	if (!all.is_registered)
		all.is_registered = atexit(stop_at_exit) == 0;
	return DOCA_SUCCESS;
}

/* Life held. */
static void stop(void)
{
	ask_to_stop();
	pthread_join(all.thread, NULL);
	all.runs = false;
	close_poll();
}

doca_error_t fabric_thread_add(struct fabric_port *port)
{
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&life);
	if (!all.runs)
		result = start();
	if (result == DOCA_SUCCESS)
		result = watch(port->epoll_fd);
	if (result == DOCA_SUCCESS) {
		pthread_mutex_lock(&lock);
		sdpu_list_append(&all.ports, &port->node);
		pthread_mutex_unlock(&lock);
		fabric_thread_kick();
	} else if (all.runs && sdpu_list_empty(&all.ports)) {
		stop();
	}
	pthread_mutex_unlock(&life);
	return result;
}

void fabric_thread_remove(struct fabric_port *port)
{
	bool was_last;

	pthread_mutex_lock(&life);
	pthread_mutex_lock(&lock);
	sdpu_list_remove(&port->node);
	was_last = sdpu_list_empty(&all.ports);
	pthread_mutex_unlock(&lock);
	(void)epoll_ctl(all.epoll_fd, EPOLL_CTL_DEL, port->epoll_fd, NULL);
	if (was_last && all.runs)
		stop();
	pthread_mutex_unlock(&life);
}
