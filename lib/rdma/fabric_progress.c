/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Progress of a port: the engine's polls, and the progress thread's work; which of the two drives
 * it when is told in fabric_port.h.
 */
#include <rdma/fi_domain.h>
#include <rdma/fi_errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/log.h"
#include "rdma/fabric_endpoint.h"
#include "rdma/fabric_join.h"
#include "rdma/fabric_offer.h"
#include "rdma/fabric_thread.h"

#define HEARTBEAT_INTERVAL (300 * SDPU_MS)
/* Then no more are sent: the process is stopped. Its kernel is probed without them, too. */
#define HEARTBEATS_UNANSWERED 64u
#define HEARTBEATS_STUCK 2u /* one may be due to our own absence */
#define CHECK_INTERVAL SDPU_MS
#define CHECK_INTERVAL_BUSY (4 * SDPU_MS) /* at an engine that was found polling */
#define STREAK 1000u /* polls of an engine, without a sleep between, until it takes over */
#define PROGRESS_MAX (SDPU_MS / 5)
#define SPIN_TIME (SDPU_MS / 50)
#define EVENTS_AT_ONCE 64
/* Wake-ups in a row that may find nothing; after each further one the thread backs off. */
#define SPURIOUS_FEW 8
#define BACKOFF_FIRST (SDPU_MS / 32)
#define BACKOFF_DOUBLINGS 5

/* Each poll of an engine that is awake brings this nearer. */
static void port_take_over(struct fabric_port *port)
{
	if (port->pe->bell.sleep != port->sleep) {
		port->sleep = port->pe->bell.sleep;
		port->streak = 0;
	}
	if (++port->streak < STREAK)
		return;
	port->streak = 0;
	port->driver = FABRIC_BY_ENGINE;
	fabric_thread_kick();
}

void fabric_port_poll(struct fabric_port *port)
{
	sdpu_store(&port->polls, port->polls + 1);
	if (sdpu_unlikely(port->driver == FABRIC_BY_THREAD))
		port_take_over(port);
	(void)fabric_port_drive(port);
}

static void port_check_engine(struct fabric_port *port)
{
	if (port->driver == FABRIC_BY_ENGINE && port->polls == port->seen_polls)
		port->driver = FABRIC_BY_THREAD;
	port->seen_polls = port->polls;
}

/* Frames wake the thread up only while it drives. */
static void port_arm_queue(struct fabric_port *port)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = port};
	bool arm = port->driver == FABRIC_BY_THREAD;

	if (arm == port->queue_armed)
		return;
	for (uint32_t i = 0; i < port->num_queue_fds; i++)
		(void)epoll_ctl(port->epoll_fd, arm ? EPOLL_CTL_ADD : EPOLL_CTL_DEL,
				port->queue_fds[i].fd, &event);
	port->queue_armed = arm;
}

/* Reads control connections. True: the queue's descriptors say that there are frames. */
static bool port_poll_fds(struct fabric_port *port)
{
	struct epoll_event events[EVENTS_AT_ONCE];
	int n = epoll_wait(port->epoll_fd, events, EVENTS_AT_ONCE, 0);
	bool frames = false;

	for (int i = 0; i < n; i++)
		if (events[i].data.ptr == port)
			frames = true;
		else
			fabric_link_read_control(events[i].data.ptr);
	return frames;
}

static bool port_heartbeat_is_due(struct fabric_port *port, uint64_t now)
{
	if (now < port->next_heartbeat)
		return false;
	port->next_heartbeat = now + HEARTBEAT_INTERVAL;
	return true;
}

static void link_heartbeat(struct fabric_link *link)
{
	link->stuck = fabric_control_is_stuck(&link->control) ? link->stuck + 1 : 0;
	if (link->stuck == HEARTBEATS_STUCK) {
		fabric_link_fail(link, DOCA_ERROR_CONNECTION_RESET);
	} else if (link->silent < HEARTBEATS_UNANSWERED) {
		link->silent++;
		fabric_control_send_count(&link->control, 0);
	}
}

/* Does what is due. Returns when the link is to be looked at again. */
static uint64_t link_tick(struct fabric_link *link, uint64_t now, bool heartbeat)
{
	switch (link->state) {
	case FABRIC_LINK_JOINING:
		return fabric_join_step(link->join, now);
	case FABRIC_LINK_UP:
		if (heartbeat)
			link_heartbeat(link);
		return link->port->next_heartbeat;
	case FABRIC_LINK_ENDING:
		if (now >= link->until)
			fabric_link_fail(link, DOCA_ERROR_CONNECTION_RESET);
		return now + CHECK_INTERVAL;
	case FABRIC_LINK_CLOSED:
	case FABRIC_LINK_FAILED:
		break;
	}
	return UINT64_MAX;
}

/* While the engine drives, nothing wakes this thread up for events of libfabric's. */
static bool link_needs_checks(const struct fabric_link *link)
{
	return link->state == FABRIC_LINK_JOINING && link->port->driver == FABRIC_BY_ENGINE;
}

static uint64_t port_tick(struct fabric_port *port, uint64_t now)
{
	bool heartbeat = port_heartbeat_is_due(port, now);
	uint64_t next = UINT64_MAX;
	struct sdpu_list *node;

	sdpu_list_for_each (node, &port->links) {
		struct fabric_link *link = sdpu_container_of(node, struct fabric_link, node);
		uint64_t at = link_tick(link, now, heartbeat);

		if (at > now + CHECK_INTERVAL && link_needs_checks(link))
			at = now + CHECK_INTERVAL;
		if (at < next)
			next = at;
	}
	if (fabric_offer_turn(port) && sdpu_list_empty(&port->lingering))
		return next;
	fabric_linger_step(port, now);
	return now + CHECK_INTERVAL;
}

/* True: there is more. Spins for the next frame of a stream, as waking up would take longer. */
static bool port_work(struct fabric_port *port, uint64_t start, bool *worked)
{
	struct fid *queue = &port->cq->fid;
	uint64_t now = start, last = 0;

	while (now - start < PROGRESS_MAX && sdpu_load(&port->wanted) == 0) {
		if (fabric_port_drive(port))
			last = now;
		else if (last == 0 || now - last > SPIN_TIME)
			return port->num_rerun != 0 || fi_trywait(port->fabric, &queue, 1) != 0;
		*worked = last != 0;
		now = sdpu_clock_now();
	}
	return true;
}

/* The engine polls, and nothing is due: no reason to take the lock from it. */
static bool port_is_at_rest(struct fabric_port *port, uint64_t now)
{
	uint32_t polls = sdpu_load(&port->polls);

	if (now >= port->rest_until || polls == port->seen_polls)
		return false;
	port->seen_polls = polls;
	return true;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How long not to react to the queue's descriptors. Not while a link has something to send, as the
 * peer may wait for it; and not for long at first, as frames may be on their way. */
static uint64_t port_backoff(const struct fabric_port *port)
{
	uint32_t excess = port->spurious > SPURIOUS_FEW ? port->spurious - SPURIOUS_FEW : 0;

	if (excess == 0 || port->num_rerun != 0)
		return 0;
	return BACKOFF_FIRST << (excess <= BACKOFF_DOUBLINGS ? excess - 1 : BACKOFF_DOUBLINGS);
}

uint64_t fabric_port_progress(struct fabric_port *port, bool called, uint64_t *backoff)
{
	uint64_t now = sdpu_clock_now(), next;
	bool frames, worked = false;

	*backoff = 0;
	if (!called && port_is_at_rest(port, now))
		return sooner(port->rest_until, now + CHECK_INTERVAL_BUSY);
	/* The engine waits for the lock, and comes first. */
	if (sdpu_load(&port->wanted) != 0)
		return now;
	pthread_mutex_lock(&port->lock);
	port->proto.by_thread = true;
	port_check_engine(port);
	port_arm_queue(port);
	frames = port_poll_fds(port);
	fabric_port_read_events(port);
	next = port_tick(port, now);
	port->rest_until = port->driver == FABRIC_BY_ENGINE ? next : 0;
	if (port->driver == FABRIC_BY_ENGINE)
		next = sooner(next, now + CHECK_INTERVAL);
	else if (port_work(port, now, &worked))
		next = now;
	port->spurious = frames && !worked ? port->spurious + 1 : 0;
	*backoff = port_backoff(port);
	port->proto.by_thread = false;
	pthread_mutex_unlock(&port->lock);
	return next;
}
