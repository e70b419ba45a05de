/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The agent's thread and its watches; its life is told in agent.h. Two mutexes: `life` for start
 * and stop, which join the thread, and the agent's lock (agent_parts.h), which the thread takes.
 * Order: life before lock.
 */
#include "bus/agent.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/membarrier.h"
#include "base/thread.h"
#include "bus/agent_parts.h"
#include "bus/stats.h"
#include "bus/process.h"
#include "bus/rundir.h"

#define BATCH 32
#define SLOWEST_MS (24 * 60 * 60 * 1000)

/*
 * Watches by descriptor. An event carries the generation of the watch that it was reported for, so
 * that one that was fetched before an unwatch is dropped, even when the descriptor number is
 * watched again by then.
 */
struct entry {
	struct sdpu_watch *watch;
	uint32_t generation;
};

static pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static struct {
	/* under life */
	uint32_t users;
	pthread_t thread;
	struct sdpu_claim *claim;
	char endpoint[SDPU_ENDPOINT_MAX];
	bool lost; /* its descriptors are: the thread cannot be reached, and no other is started */
	/* under lock */
	int epoll_fd; /* -1: not running */
	struct entry *entries;
	uint32_t num_entries;
	uint32_t generation;
	/* set before the thread starts */
	struct sdpu_watch wake;
	uint32_t stop; /* any thread sets it, the agent's reads it */
} agent = {.epoll_fd = -1, .wake = {.fd = -1}};

void sdpu_agent_lock(void)
{
	pthread_mutex_lock(&lock);
}

void sdpu_agent_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

bool sdpu_agent_is_running(void)
{
	return agent.epoll_fd >= 0;
}

/* False: the program has closed the descriptor. */
static bool wake_thread(void)
{
	uint64_t one = 1;

	/* When the counter is full, the thread wakes up anyway. */
	return write(agent.wake.fd, &one, sizeof(one)) >= 0 || errno == EAGAIN;
}

void sdpu_agent_wake(void)
{
	(void)wake_thread();
}

static void wake_ready(struct sdpu_watch *watch, uint32_t events)
{
	uint64_t count;

	if (read(watch->fd, &count, sizeof(count)) < 0)
		return;
}

/* Room for descriptor fd. */
static doca_error_t entries_grow(uint32_t fd)
{
	uint32_t num = agent.num_entries != 0 ? agent.num_entries : 64;
	struct entry *entries;

	if (fd < agent.num_entries)
		return DOCA_SUCCESS;
	while (num <= fd)
		num *= 2;
	entries = realloc(agent.entries, num * sizeof(*entries));
	if (entries == NULL)
		return DOCA_ERROR_NO_MEMORY;
	memset(entries + agent.num_entries, 0, (num - agent.num_entries) * sizeof(*entries));
	agent.entries = entries;
	agent.num_entries = num;
	return DOCA_SUCCESS;
}

static doca_error_t watch_locked(struct sdpu_watch *watch, uint32_t events)
{
	struct epoll_event event = {.events = events != 0 ? events : EPOLLRDHUP | EPOLLET};
	doca_error_t result;

	if (agent.epoll_fd < 0)
		return DOCA_ERROR_BAD_STATE;
	if (watch->fd < 0)
		return DOCA_ERROR_INVALID_VALUE;
	result = entries_grow((uint32_t)watch->fd);
	if (result != DOCA_SUCCESS)
		return result;
	if (agent.entries[watch->fd].watch != NULL)
		return DOCA_ERROR_ALREADY_EXIST;
	event.data.u64 = (uint64_t)++agent.generation << 32 | (uint32_t)watch->fd;
	if (epoll_ctl(agent.epoll_fd, EPOLL_CTL_ADD, watch->fd, &event) != 0) {
		sdpu_log_err("agent: cannot watch descriptor %d: %s", watch->fd, strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	agent.entries[watch->fd] = (struct entry){.watch = watch, .generation = agent.generation};
	watch->armed = true;
	return DOCA_SUCCESS;
}

doca_error_t sdpu_agent_watch(struct sdpu_watch *watch, uint32_t events)
{
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	sdpu_agent_lock();
	result = watch_locked(watch, events);
	sdpu_agent_unlock();
	return result;
}

void sdpu_agent_unwatch(struct sdpu_watch *watch)
{
	if (sdpu_process_inert())
		return;
	sdpu_agent_lock();
	if (watch->armed) {
		if (agent.epoll_fd >= 0)
			epoll_ctl(agent.epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
		if ((uint32_t)watch->fd < agent.num_entries)
			agent.entries[watch->fd].watch = NULL;
		watch->armed = false;
	}
	sdpu_agent_unlock();
}

static void dispatch(const struct epoll_event *event)
{
	uint32_t fd = (uint32_t)event->data.u64;
	uint32_t generation = (uint32_t)(event->data.u64 >> 32);
	const struct entry *entry =
		&agent.entries[fd]; /* the table only grows while the thread runs */

	/* After the callback neither entry nor watch need exist any more. */
	if (entry->watch != NULL && entry->generation == generation)
		entry->watch->ready(entry->watch, event->events);
}

static uint64_t tick(void)
{
	uint64_t now = sdpu_clock_now();
	uint64_t accept = sdpu_accept_tick(now);
	uint64_t death = sdpu_death_tick(now);
	uint64_t deadline = sdpu_deadline_tick(now);
	uint64_t next = accept < death ? accept : death;

	return next < deadline ? next : deadline;
}

/* Milliseconds from now, rounded up, for epoll_wait(); a day at most. */
static int wait_ms(uint64_t until)
{
	uint64_t now, ms;

	if (until == SDPU_NEVER)
		return -1;
	now = sdpu_clock_now();
	if (until <= now)
		return 0;
	ms = (until - now + SDPU_MS - 1) / SDPU_MS;
	return ms < SLOWEST_MS ? (int)ms : SLOWEST_MS;
}

static void *agent_main(void *arg)
{
	struct epoll_event events[BATCH];
	uint64_t next = SDPU_NEVER;

	pthread_setname_np(pthread_self(), "sdpu-agent");
	while (sdpu_load_acquire(&agent.stop) == 0) {
		int n = epoll_wait(agent.epoll_fd, events, BATCH, wait_ms(next));

		/* It is not ours any more, and would have us spin. */
		if (n < 0 && errno != EINTR)
			break;
		sdpu_agent_lock();
		for (int i = 0; i < n; i++)
			dispatch(&events[i]);
		next = tick();
		sdpu_agent_unlock();
	}
	return NULL;
}

static doca_error_t start_thread(void)
{
	int error;

	/* Registered before the agent starts a thread: with one thread in the process it costs
	 * nothing. */
	(void)sdpu_membarrier_register(SDPU_MEMBARRIER_MACHINE);
	(void)sdpu_membarrier_register(SDPU_MEMBARRIER_PROCESS);
	sdpu_store(&agent.stop, 0);
	error = sdpu_thread_start(&agent.thread, 0, agent_main, NULL);
	if (error != 0) {
		sdpu_log_err("agent: pthread_create: %s; needed: one more thread; raise ulimit -u, "
			     "or the cgroup's pids.max",
			     strerror(error));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	return DOCA_SUCCESS;
}

static void close_poll(void)
{
	sdpu_agent_lock();
	sdpu_fd_close(agent.wake.fd);
	agent.wake = (struct sdpu_watch){.fd = -1};
	sdpu_fd_close(agent.epoll_fd);
	agent.epoll_fd = -1;
	free(agent.entries);
	agent.entries = NULL;
	agent.num_entries = 0;
	sdpu_agent_unlock();
}

static doca_error_t open_poll(void)
{
	doca_error_t result;

	sdpu_agent_lock();
	agent.epoll_fd = sdpu_fd_own(epoll_create1(EPOLL_CLOEXEC));
	agent.wake = (struct sdpu_watch){.ready = wake_ready};
	agent.wake.fd = sdpu_fd_own(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
	sdpu_agent_unlock();
	if (agent.epoll_fd < 0 || agent.wake.fd < 0) {
		sdpu_log_err(
			"agent: epoll or eventfd: %s; needed: a few descriptors; raise ulimit -n",
			strerror(errno));
		result = DOCA_ERROR_OPERATING_SYSTEM;
	} else {
		result = sdpu_agent_watch(&agent.wake, EPOLLIN);
	}
	if (result != DOCA_SUCCESS)
		close_poll();
	return result;
}

/* A random name, claimed before the socket is made: a socket of this name is never older than the
 * claim. */
static doca_error_t claim_endpoint(void)
{
	uint8_t random[16];

	if (!sdpu_process_random(random, sizeof(random))) {
		sdpu_log_err("agent: no random bytes from the kernel: %s", strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	strcpy(agent.endpoint, "a-");
	for (size_t i = 0; i < sizeof(random); i++)
		sprintf(agent.endpoint + 2 + 2 * i, "%02x", random[i]);
	return sdpu_claim_take(agent.endpoint, "", &agent.claim);
}

static doca_error_t start(void)
{
	doca_error_t result;

	/* What a dead process left there is removed by the next one that looks. */
	result = sdpu_claim_each("", NULL, NULL);
	if (result != DOCA_SUCCESS)
		return result;
	result = claim_endpoint();
	if (result != DOCA_SUCCESS)
		return result;
	result = open_poll();
	if (result != DOCA_SUCCESS)
		goto err_claim;
	result = sdpu_accept_start(agent.endpoint);
	if (result != DOCA_SUCCESS)
		goto err_poll;
	result = start_thread();
	if (result != DOCA_SUCCESS)
		goto err_accept;
	return DOCA_SUCCESS;

err_accept:
	sdpu_accept_stop();
err_poll:
	close_poll();
err_claim:
	sdpu_claim_drop(agent.claim);
	return result;
}

/* False: the thread cannot be told, and may sleep for ever. */
static bool ask_to_stop(void)
{
	/* release: pairs with the acquire in agent_main() */
	sdpu_store_release(&agent.stop, 1);
	return wake_thread();
}

static void tell_lost(const char *call)
{
	sdpu_log_err("%s: the program has closed descriptors of the library, as "
		     "close_range() and daemons do; needed: that it opens its devices after that, "
		     "as no device can be opened any more",
		     call);
}

/* The numbers may be those of the program's own files by now: nothing is closed. */
static void give_up(void)
{
	tell_lost("doca_dev_close");
	agent.lost = true;
	pthread_detach(agent.thread);
}

static void stop(void)
{
	if (!ask_to_stop()) {
		give_up();
		return;
	}
	pthread_join(agent.thread, NULL);
	sdpu_accept_stop();
	sdpu_stats_stop();
	close_poll();
	sdpu_claim_drop(agent.claim);
	sdpu_claim_each("", NULL, NULL);
}

doca_error_t sdpu_agent_get(void)
{
	doca_error_t result = DOCA_SUCCESS;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	pthread_mutex_lock(&life);
	if (agent.lost) {
		tell_lost("doca_dev_open");
		result = DOCA_ERROR_BAD_STATE;
	} else if (agent.users == 0) {
		result = start();
	}
	if (result == DOCA_SUCCESS)
		agent.users++;
	pthread_mutex_unlock(&life);
	return result;
}

void sdpu_agent_put(void)
{
	if (sdpu_process_inert())
		return;
	pthread_mutex_lock(&life);
	if (agent.users > 0 && --agent.users == 0)
		stop();
	pthread_mutex_unlock(&life);
}

const char *sdpu_agent_endpoint(void)
{
	return agent.endpoint;
}

/*
 * At exit: other threads of the user's may still run, so nothing is closed under them; the thread
 * ends and the endpoint goes. A thread that is in the middle of starting or stopping the agent is
 * not waited for.
 */
__attribute__((destructor)) static void stop_at_exit(void)
{
	struct timespec until;

	if (sdpu_process_inert())
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 100 * (long)SDPU_MS;
	until.tv_sec += until.tv_nsec / (long)SDPU_SECOND;
	until.tv_nsec %= (long)SDPU_SECOND;
	if (pthread_mutex_timedlock(&life, &until) != 0)
		return;
	if (agent.users > 0) {
		agent.users = 0;
		(void)ask_to_stop();
		pthread_timedjoin_np(agent.thread, NULL, &until);
		sdpu_claim_drop(agent.claim);
	}
	pthread_mutex_unlock(&life);
}
