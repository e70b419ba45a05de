/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Joining; contract in fabric_join.h.
 */
#include "rdma/fabric_join.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error_text.h"
#include "base/log.h"

#define STEP_EVERY SDPU_MS
#define ADDRESS_PATIENCE (300 * SDPU_MS)    /* the least that one of several has */
#define ENDPOINT_PATIENCE (5 * SDPU_SECOND) /* both processes are there, and are connected */

void fabric_join_open(struct fabric_join *join, struct fabric_link *link,
		      const struct fabric_hello *own)
{
	join->link = link;
	join->hello = *own;
	join->hello.pid = (uint32_t)getpid();
	join->hello.token = link->token;
	join->control.fd = -1;
	link->join = join;
}

/* Wakes the engine, which may sleep or wait for `joined`. */
static void join_move(struct fabric_join *join, enum fabric_join_state state)
{
	join->state = state;
	pthread_cond_broadcast(&join->link->port->joined);
	fabric_link_attend(join->link);
}

static void join_hang_up(struct fabric_join *join)
{
	fabric_control_detach(join->link->port, &join->control);
	fabric_control_close(&join->control);
}

static void join_fail(struct fabric_join *join, doca_error_t why, const char *fault)
{
	join_hang_up(join);
	join->why = why;
	join->fault = fault;
	join_move(join, FABRIC_JOIN_FAILED);
}

void fabric_join_done(struct fabric_join *join)
{
	join_move(join, FABRIC_JOIN_DONE);
}

/* Begins to connect to the next address. False: there is none. */
static bool join_try_next(struct fabric_join *join, uint64_t now)
{
	while (join->next_to < join->num_to) {
		uint64_t share = (join->limit - now) / (join->num_to - join->next_to);

		join_hang_up(join);
		join->peer = join->to[join->next_to++];
		if (fabric_control_dial(&join->control, &join->peer) != DOCA_SUCCESS)
			continue;
		fabric_control_put(&join->control, &join->hello);
		join->until = now + (share > ADDRESS_PATIENCE ? share : ADDRESS_PATIENCE);
		if (fabric_control_attach(join->link->port, &join->control, join->link) ==
		    DOCA_SUCCESS)
			return true;
	}
	return false;
}

static void join_go_on(struct fabric_join *join, uint64_t now, const char *fault)
{
	if (join_try_next(join, now))
		return;
	/* Of all that was tried, a process of ours that cannot talk to us says the most. */
	if (join->control.version_fault[0] != '\0')
		fault = join->control.version_fault;
	join_fail(join, DOCA_ERROR_CONNECTION_ABORTED, fault);
}

void fabric_join_call(struct fabric_join *join, enum fabric_hello_kind kind,
		      const struct rdma_address *to, uint32_t num, uint32_t ms)
{
	uint64_t now = sdpu_clock_now();

	join->hello.kind = kind;
	join->num_to = num;
	memcpy(join->to, to, num * sizeof(*to));
	join->limit = ms == 0 ? UINT64_MAX / 2 : now + ms * SDPU_MS;
	join_move(join, FABRIC_JOIN_ASKING);
	join_go_on(join, now, "no way there");
	/* If nothing listens at an address of this machine, that is known at once. */
	if (join->state == FABRIC_JOIN_ASKING)
		(void)fabric_join_step(join, now);
}

void fabric_join_expect(struct fabric_join *join, struct fabric_entry *entry)
{
	join->entry = entry;
	fabric_entry_expect(entry);
}

/* The control connection goes to the link, which reads it from now on. */
static void join_end_talk(struct fabric_join *join, uint64_t now)
{
	fabric_link_take_control(join->link, &join->control);
	join->until = now + ENDPOINT_PATIENCE;
	join_move(join, FABRIC_JOIN_ANSWERED);
}

static doca_error_t send_welcome(struct fabric_join *join, uint16_t port, const void *private_data,
				 uint8_t len)
{
	struct fabric_hello welcome = join->hello;

	welcome.kind = FABRIC_HELLO_WELCOME;
	welcome.port = port;
	welcome.private_len = len;
	if (len != 0)
		memcpy(welcome.private_data, private_data, len);
	fabric_control_put(&join->control, &welcome);
	return fabric_control_flush(&join->control);
}

doca_error_t fabric_join_answer(struct fabric_join *join, struct fabric_caller *caller,
				const void *private_data, uint8_t len)
{
	struct fabric_link *link = join->link;
	struct rdma_address self;
	doca_error_t result;

	/* First what can be tried again with the same caller, though not with this link. */
	fabric_sock_self(caller->control.fd, &self);
	result = fabric_link_offer(link, &self);
	if (result == DOCA_ERROR_NO_MEMORY)
		return result;
	join_hang_up(join);
	join->pid = caller->hello.pid;
	join->peer_permissions = caller->hello.permissions;
	link->peer_token = caller->hello.token;
	fabric_caller_join(caller, &join->control);
	fabric_sock_peer(join->control.fd, &join->peer);
	if (result == DOCA_SUCCESS)
		result = fabric_control_attach(link->port, &join->control, link);
	if (result == DOCA_SUCCESS)
		result = send_welcome(join, self.port, private_data, len);
	if (result == DOCA_SUCCESS)
		join_end_talk(join, sdpu_clock_now());
	else
		join_fail(join, DOCA_ERROR_CONNECTION_ABORTED, "the caller cannot be answered");
	return DOCA_SUCCESS;
}

/* The peer's program has connected. */
static void join_welcomed(struct fabric_join *join, const struct fabric_hello *hello, uint64_t now)
{
	struct rdma_address endpoint = join->peer;

	endpoint.port = hello->port;
	join->pid = hello->pid;
	join->peer_permissions = hello->permissions;
	join->link->peer_token = hello->token;
	if (hello->private_len != 0)
		sdpu_log_dbg("doca_rdma: the server has sent %u bytes of private data, which no "
			     "call gives to the program",
			     hello->private_len);
	join_end_talk(join, now);
	if (fabric_link_request(join->link, &endpoint) != DOCA_SUCCESS)
		join_fail(join, DOCA_ERROR_CONNECTION_ABORTED, "libfabric does not connect");
}

static void join_refused(struct fabric_join *join, const struct fabric_hello *hello, uint64_t now)
{
	sdpu_log_dbg("doca_rdma: pid %u refuses: %s", hello->pid, sdpu_error_descr(hello->code));
	if (join->state == FABRIC_JOIN_ASKING)
		join_go_on(join, now, "the process there does not know the connection");
	else
		join_fail(join, DOCA_ERROR_CONNECTION_ABORTED,
			  "the peer refused: its context was stopped, it is joined with another, "
			  "or its program said no");
}

static void join_parked(struct fabric_join *join, bool is_expected)
{
	join->is_expected = is_expected;
	join_move(join, FABRIC_JOIN_PARKED);
}

static void join_told(struct fabric_join *join, const struct fabric_hello *hello, uint64_t now)
{
	bool asked = join->hello.kind != FABRIC_HELLO_WATCH;

	join->reached = true;
	if (hello->kind == FABRIC_HELLO_REFUSE)
		join_refused(join, hello, now);
	else if (hello->kind == FABRIC_HELLO_PARKED && join->state == FABRIC_JOIN_ASKING)
		join_parked(join, asked && hello->code == DOCA_SUCCESS);
	else if (hello->kind == FABRIC_HELLO_WELCOME && asked && join->state == FABRIC_JOIN_PARKED)
		join_welcomed(join, hello, now);
	else
		join_fail(join, DOCA_ERROR_CONNECTION_ABORTED, "the peer talks out of turn");
}

/* Sends and reads what there is. False: nothing more for now. */
static bool join_talk(struct fabric_join *join, uint64_t now)
{
	struct fabric_hello hello;
	const char *fault = "nobody answers there";
	doca_error_t result = fabric_control_flush(&join->control);

	if (result == DOCA_SUCCESS)
		result = fabric_control_get(&join->control, &hello, &fault);
	if (result == DOCA_ERROR_AGAIN)
		return false;
	if (result == DOCA_SUCCESS)
		join_told(join, &hello, now);
	else if (join->state == FABRIC_JOIN_ASKING)
		join_go_on(join, now, fault);
	else
		join_fail(join, DOCA_ERROR_CONNECTION_RESET, "the peer's process has gone");
	return join->state == FABRIC_JOIN_ASKING || join->state == FABRIC_JOIN_PARKED;
}

/* The peer has come by itself. */
static bool join_has_caller(struct fabric_join *join)
{
	struct fabric_caller *caller;

	if (join->entry == NULL || !fabric_entry_has_arrived(join->entry, join->seen))
		return false;
	join->seen = sdpu_load_acquire(&join->entry->arrived);
	caller = fabric_entry_take(join->entry, FABRIC_HELLO_CALL, join->hello.to);
	if (caller != NULL && fabric_join_answer(join, caller, NULL, 0) != DOCA_SUCCESS) {
		fabric_entry_return(join->entry, caller);
		join_fail(join, DOCA_ERROR_NO_MEMORY, "no memory for an endpoint");
	}
	return caller != NULL;
}

static uint64_t join_wait_until(struct fabric_join *join, uint64_t now, const char *fault)
{
	if (now < join->until)
		return now + STEP_EVERY;
	if (join->state == FABRIC_JOIN_ASKING)
		join_go_on(join, now, fault);
	else
		join_fail(join, DOCA_ERROR_CONNECTION_ABORTED, fault);
	return now;
}

uint64_t fabric_join_step(struct fabric_join *join, uint64_t now)
{
	/* First the peer: it closes the connection that we watch when it has come. */
	if (join->state < FABRIC_JOIN_ANSWERED && join_has_caller(join))
		return now;
	if (join->control.fd >= 0)
		while (join_talk(join, now))
			;
	switch (join->state) {
	case FABRIC_JOIN_ASKING:
		return join_wait_until(join, now, "nobody answers there in time");
	case FABRIC_JOIN_ANSWERED:
		return join_wait_until(join, now, "the endpoints were not joined in time");
	case FABRIC_JOIN_NONE:
	case FABRIC_JOIN_PARKED:
	case FABRIC_JOIN_DONE:
	case FABRIC_JOIN_FAILED:
		break;
	}
	return UINT64_MAX;
}

static bool join_is_busy(const struct fabric_join *join)
{
	if (join->link->state != FABRIC_LINK_JOINING)
		return false;
	return join->state == FABRIC_JOIN_ASKING || join->state == FABRIC_JOIN_ANSWERED ||
	       (join->state == FABRIC_JOIN_PARKED && join->is_expected);
}

void fabric_join_wait(struct fabric_join *join)
{
	struct fabric_port *port = join->link->port;
	struct timespec until = {.tv_sec = (time_t)(join->limit / SDPU_SECOND),
				 .tv_nsec = (long)(join->limit % SDPU_SECOND)};

	while (join_is_busy(join) &&
	       pthread_cond_timedwait(&port->joined, &port->lock, &until) == 0)
		;
}

void fabric_join_close(struct fabric_join *join)
{
	if (join->link == NULL)
		return;
	join_hang_up(join);
	join->link->join = NULL;
	join->link = NULL;
}
