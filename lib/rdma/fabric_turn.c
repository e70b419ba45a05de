/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Turns of a port: the engine's polls, and the progress thread's work; who drives when is told in
 * fabric_port.h.
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

#define BEAT_EVERY (300 * SDPU_MS)
/* To a process that is stopped; its kernel is asked without them, too. */
#define BEATS_UNHEARD 64u
#define BEATS_STUCK 2u /* one may be due to our own absence */
#define LOOK_EVERY SDPU_MS
#define LOOK_AGAIN (4 * SDPU_MS) /* at an engine that was found polling */
#define STREAK 1000u		 /* polls without a sleep until the engine takes over */
#define TURN_MAX (SDPU_MS / 5)
#define SPIN_TIME (SDPU_MS / 50)
#define EVENTS_AT_ONCE 64
#define CRIES 8 /* for nothing, until it is listened to less: a while that doubles */
#define NAP_FIRST (SDPU_MS / 32)
#define NAP_DOUBLINGS 5

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

static void port_look(struct fabric_port *port)
{
	if (port->driver == FABRIC_BY_ENGINE && port->polls == port->seen_polls)
		port->driver = FABRIC_BY_THREAD;
	port->seen_polls = port->polls;
}

/* Only who drives is woken up by frames. */
static void port_listen(struct fabric_port *port)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = port};
	bool listens = port->driver == FABRIC_BY_THREAD;

	if (listens == port->listens)
		return;
	for (uint32_t i = 0; i < port->num_queue_fds; i++)
		(void)epoll_ctl(port->epoll_fd, listens ? EPOLL_CTL_ADD : EPOLL_CTL_DEL,
				port->queue_fds[i].fd, &event);
	port->listens = listens;
}

/* True: frames are said to be there. */
static bool port_wait_events(struct fabric_port *port)
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

static bool port_beats(struct fabric_port *port, uint64_t now)
{
	if (now < port->next_beat)
		return false;
	port->next_beat = now + BEAT_EVERY;
	return true;
}

static void link_beat(struct fabric_link *link)
{
	link->stuck = fabric_control_is_stuck(&link->control) ? link->stuck + 1 : 0;
	if (link->stuck == BEATS_STUCK) {
		fabric_link_fail(link, DOCA_ERROR_CONNECTION_RESET);
	} else if (link->silent < BEATS_UNHEARD) {
		link->silent++;
		fabric_control_send_count(&link->control, 0);
	}
}

/* Whatever has its time. Returns when it is to be looked at again. */
static uint64_t link_tick(struct fabric_link *link, uint64_t now, bool beats)
{
	switch (link->state) {
	case FABRIC_LINK_JOINING:
		return fabric_join_step(link->join, now);
	case FABRIC_LINK_UP:
		if (beats)
			link_beat(link);
		return link->port->next_beat;
	case FABRIC_LINK_ENDING:
		if (now >= link->until)
			fabric_link_fail(link, DOCA_ERROR_CONNECTION_RESET);
		return now + LOOK_EVERY;
	case FABRIC_LINK_CLOSED:
	case FABRIC_LINK_FAILED:
		break;
	}
	return UINT64_MAX;
}

/* Nobody tells of events of libfabric's but who drives. */
static bool link_is_looked_at(const struct fabric_link *link)
{
	return link->state == FABRIC_LINK_JOINING && link->port->driver == FABRIC_BY_ENGINE;
}

static uint64_t port_tick(struct fabric_port *port, uint64_t now)
{
	bool beats = port_beats(port, now);
	uint64_t next = UINT64_MAX;
	struct sdpu_list *node;

	sdpu_list_for_each (node, &port->links) {
		struct fabric_link *link = sdpu_container_of(node, struct fabric_link, node);
		uint64_t at = link_tick(link, now, beats);

		if (at > now + LOOK_EVERY && link_is_looked_at(link))
			at = now + LOOK_EVERY;
		if (at < next)
			next = at;
	}
	if (fabric_offer_turn(port) && sdpu_list_empty(&port->lingering))
		return next;
	fabric_linger_step(port, now);
	return now + LOOK_EVERY;
}

/* True: there is more. The next frame of a stream is waited for: waking up takes longer. */
static bool port_work(struct fabric_port *port, uint64_t start, bool *worked)
{
	struct fid *queue = &port->cq->fid;
	uint64_t now = start, last = 0;

	while (now - start < TURN_MAX && sdpu_load(&port->wanted) == 0) {
		if (fabric_port_drive(port))
			last = now;
		else if (last == 0 || now - last > SPIN_TIME)
			return port->num_rerun != 0 || fi_trywait(port->fabric, &queue, 1) != 0;
		*worked = last != 0;
		now = sdpu_clock_now();
	}
	return true;
}

/* The engine polls, and nothing is due: its lock need not be taken from it. */
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

/* Not while something is to be told the peer soon, who may wait for it; and not for long at first,
 * as it may be in the midst of sending. */
static uint64_t port_nap(const struct fabric_port *port)
{
	uint32_t naps = port->cried > CRIES ? port->cried - CRIES : 0;

	if (naps == 0 || port->num_rerun != 0)
		return 0;
	return NAP_FIRST << (naps <= NAP_DOUBLINGS ? naps - 1 : NAP_DOUBLINGS);
}

uint64_t fabric_port_turn(struct fabric_port *port, bool called, uint64_t *nap)
{
	uint64_t now = sdpu_clock_now(), next;
	bool frames, worked = false;

	*nap = 0;
	if (!called && port_is_at_rest(port, now))
		return sooner(port->rest_until, now + LOOK_AGAIN);
	/* The engine is waiting for it, and comes first. */
	if (sdpu_load(&port->wanted) != 0)
		return now;
	pthread_mutex_lock(&port->lock);
	port->proto.by_thread = true;
	port_look(port);
	port_listen(port);
	frames = port_wait_events(port);
	fabric_port_read_events(port);
	next = port_tick(port, now);
	port->rest_until = port->driver == FABRIC_BY_ENGINE ? next : 0;
	if (port->driver == FABRIC_BY_ENGINE)
		next = sooner(next, now + LOOK_EVERY);
	else if (port_work(port, now, &worked))
		next = now;
	port->cried = frames && !worked ? port->cried + 1 : 0;
	*nap = port_nap(port);
	port->proto.by_thread = false;
	pthread_mutex_unlock(&port->lock);
	return next;
}
