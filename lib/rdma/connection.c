/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connection: states; contract in connection.h. Its send queue: connection_queue.c.
 */
#include "rdma/connection.h"

#include "base/log.h"
#include "rdma/backend.h"
#include "rdma/show.h"

static const char *const state_name[] = {"DEAD",      "EXPORTED", "REQUESTED",	 "CONNECTING",
					 "CONNECTED", "FAILED",	  "DISCONNECTED"};

/* legal[from] has bit (1 << to) for each move that there is. */
static const uint8_t legal[] = {
	[RDMA_CONNECTION_DEAD] = 1 << RDMA_CONNECTION_EXPORTED | 1 << RDMA_CONNECTION_REQUESTED |
				 1 << RDMA_CONNECTION_CONNECTING,
	[RDMA_CONNECTION_EXPORTED] = 1 << RDMA_CONNECTION_CONNECTING | 1 << RDMA_CONNECTION_DEAD,
	[RDMA_CONNECTION_REQUESTED] = 1 << RDMA_CONNECTION_CONNECTING |
				      1 << RDMA_CONNECTION_FAILED | 1 << RDMA_CONNECTION_DEAD,
	[RDMA_CONNECTION_CONNECTING] = 1 << RDMA_CONNECTION_CONNECTED |
				       1 << RDMA_CONNECTION_FAILED | 1 << RDMA_CONNECTION_DEAD,
	/* FAILED: before the user was told that it was up. */
	[RDMA_CONNECTION_CONNECTED] = 1 << RDMA_CONNECTION_DISCONNECTED |
				      1 << RDMA_CONNECTION_FAILED | 1 << RDMA_CONNECTION_DEAD,
	[RDMA_CONNECTION_FAILED] = 1 << RDMA_CONNECTION_DEAD,
	[RDMA_CONNECTION_DISCONNECTED] = 1 << RDMA_CONNECTION_DEAD,
};

void rdma_connection_move(struct doca_rdma_connection *connection, enum rdma_connection_state next)
{
	if (!(legal[connection->state] & 1 << next))
		sdpu_log_crit("doca_rdma_connection %u: illegal move %s -> %s; please report it",
			      connection->id, state_name[connection->state], state_name[next]);
	connection->rdma->num_live +=
		(next != RDMA_CONNECTION_DEAD) - (connection->state != RDMA_CONNECTION_DEAD);
	if (next == RDMA_CONNECTION_DEAD)
		sdpu_stats_unregister(&connection->stats);
	else if (connection->state == RDMA_CONNECTION_DEAD)
		rdma_show_enter(connection);
	sdpu_store(&connection->state, next);
}

static struct doca_rdma_connection *connection_of(const struct sdpu_source *source)
{
	return sdpu_container_of(source, struct doca_rdma_connection, source);
}

/* The outcome is known: the time limit ends, and the user may destroy the address. */
static void connection_end_attempt(struct doca_rdma_connection *connection)
{
	sdpu_deadline_close(&connection->deadline);
	if (connection->attempt)
		(void)sdpu_fetch_sub(&connection->addr->attempts, 1);
	connection->attempt = false;
}

/* The user hears of the connection: it is asked for, or up. Last act. */
static bool connection_announce(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;
	struct doca_pe *pe = rdma->ctx.pe;

	connection->announce = false;
	connection_end_attempt(connection);
	pe->depth++;
	if (connection->state == RDMA_CONNECTION_REQUESTED)
		rdma->callbacks.request(connection, rdma->ctx.user_data);
	else
		rdma->callbacks.established(connection, connection->user_data, rdma->ctx.user_data);
	pe->depth--;
	return true;
}

/* The user is told of the end, after the tasks. Last act. */
static bool connection_tell(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;
	struct doca_pe *pe = rdma->ctx.pe;
	doca_rdma_connection_disconnection_cb_t tell = connection->state == RDMA_CONNECTION_FAILED
							       ? rdma->callbacks.failed
							       : rdma->callbacks.disconnected;

	sdpu_source_remove(&connection->source);
	connection_end_attempt(connection);
	if (tell == NULL || connection->told)
		return false;
	connection->told = true;
	pe->depth++;
	tell(connection, connection->user_data, rdma->ctx.user_data);
	pe->depth--;
	return true;
}

/* Poll of a failed connection: returns a task, or after the last one tells the user. */
static bool connection_drain(struct doca_rdma_connection *connection)
{
	struct doca_task *task = sdpu_task_queue_get(&connection->begun);

	if (task == NULL)
		task = sdpu_task_queue_get(&connection->waiting);
	if (task == NULL)
		return connection_tell(connection);
	sdpu_count(&connection->traffic.completed, 1);
	sdpu_count(&connection->traffic.failed, 1);
	sdpu_task_deliver(task,
			  ((struct rdma_op *)task)->ended ? task->status : connection->status);
	return true;
}

static bool connection_is_over(const struct doca_rdma_connection *connection)
{
	return connection->state == RDMA_CONNECTION_FAILED ||
	       connection->state == RDMA_CONNECTION_DISCONNECTED;
}

static bool connection_is_late(const struct doca_rdma_connection *connection)
{
	return connection->state == RDMA_CONNECTION_CONNECTING &&
	       sdpu_deadline_has_passed(&connection->deadline);
}

static bool connection_time_out(struct doca_rdma_connection *connection)
{
	char text[RDMA_ADDRESS_TEXT];

	rdma_address_format(&connection->addr->parsed, text);
	sdpu_log_err(
		"doca_rdma: connection %u: no answer from %s within %u ms; needed: somebody who "
		"progresses the engine there; doca_rdma_set_connection_request_timeout() waits "
		"longer",
		connection->id, text, connection->rdma->property.connect_timeout);
	rdma_connection_fail(connection, DOCA_ERROR_TIME_OUT);
	return true;
}

/* Before it is up, and when it is over. */
__attribute__((cold, noinline)) static bool
connection_poll_aside(struct doca_rdma_connection *connection)
{
	if (connection->announce)
		return connection_announce(connection);
	if (connection_is_over(connection))
		return connection_drain(connection);
	return connection->backend->poll(connection) ||
	       (connection_is_late(connection) && connection_time_out(connection));
}

static bool connection_poll(struct sdpu_source *source)
{
	struct doca_rdma_connection *connection = connection_of(source);

	if (sdpu_likely(connection->state == RDMA_CONNECTION_CONNECTED && !connection->announce))
		return connection->backend->poll(connection);
	return connection_poll_aside(connection);
}

static bool connection_pending(const struct sdpu_source *source)
{
	const struct doca_rdma_connection *connection = connection_of(source);

	return connection->announce || connection_is_over(connection) ||
	       connection_is_late(connection) || connection->backend->pending(connection);
}

/* Polled anew, in another way. */
static void connection_settle(struct sdpu_source *source)
{
	struct doca_rdma_connection *connection = connection_of(source);

	if (connection->state == RDMA_CONNECTION_CONNECTED)
		connection->backend->settle(connection);
}

void rdma_connection_poll_as(struct doca_rdma_connection *connection,
			     void (*chill)(struct sdpu_source *source, bool cold), uint32_t bit)
{
	sdpu_source_remove(&connection->source);
	connection->source.chill = chill;
	connection->source.settle = connection_settle;
	connection->source.bit = bit;
	sdpu_source_add(connection->rdma->ctx.pe, &connection->source);
}

void rdma_connection_begin(struct doca_rdma_connection *connection,
			   const struct rdma_backend *backend)
{
	sdpu_store(&connection->backend, backend);
	rdma_connection_move(connection, RDMA_CONNECTION_CONNECTING);
	rdma_connection_poll_as(connection, NULL, 0);
}

void rdma_connection_up(struct doca_rdma_connection *connection,
			void (*chill)(struct sdpu_source *source, bool cold), uint32_t bit)
{
	rdma_connection_move(connection, RDMA_CONNECTION_CONNECTED);
	connection->announce = connection->addr != NULL;
	rdma_connection_poll_as(connection, chill, bit);
}

/* Leaves the engine before the back end gives the ready bit back. */
static void connection_close(struct doca_rdma_connection *connection)
{
	sdpu_source_remove(&connection->source);
	sdpu_list_remove(&connection->hungry);
	rdma_backend_close_all(connection);
}

void rdma_connection_fail(struct doca_rdma_connection *connection, doca_error_t status)
{
	connection_close(connection);
	connection->status = status;
	/* A request that the user was not told of ends without telling him. */
	connection->told = connection->announce && connection->state == RDMA_CONNECTION_REQUESTED;
	rdma_connection_move(connection,
			     connection->state == RDMA_CONNECTION_CONNECTED && !connection->announce
				     ? RDMA_CONNECTION_DISCONNECTED
				     : RDMA_CONNECTION_FAILED);
	connection->announce = false;
	rdma_connection_poll_as(connection, NULL, 0);
}

static void connection_finish_all(struct sdpu_task_queue *queue)
{
	struct doca_task *task;

	while ((task = sdpu_task_queue_get(queue)) != NULL)
		sdpu_task_finish(task, ((struct rdma_op *)task)->ended ? task->status
								       : DOCA_ERROR_SHUTDOWN);
}

void rdma_connection_forget(struct doca_rdma_connection *connection)
{
	connection_end_attempt(connection);
	if (connection->addr != NULL)
		rdma_addr_release(connection->addr);
	connection->addr = NULL;
	sdpu_store(&connection->backend, NULL);
	connection->announce = false;
}

void rdma_connection_end(struct doca_rdma_connection *connection)
{
	if (connection->state == RDMA_CONNECTION_DEAD)
		return;
	if (connection->state == RDMA_CONNECTION_CONNECTED)
		rdma_connection_take_answers(connection);
	connection_close(connection);
	connection_finish_all(&connection->begun);
	connection_finish_all(&connection->waiting);
	rdma_connection_forget(connection);
	rdma_connection_move(connection, RDMA_CONNECTION_DEAD);
}

void rdma_connection_init(struct doca_rdma_connection *connection)
{
	connection->source.poll = connection_poll;
	connection->source.pending = connection_pending;
	sdpu_list_init(&connection->hungry);
}

void rdma_connection_limit_time(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;

	sdpu_deadline_open(&connection->deadline, &rdma->ctx.pe->bell,
			   rdma->property.connect_timeout);
}

void rdma_connection_attempt(struct doca_rdma_connection *connection, struct doca_rdma_addr *addr)
{
	rdma_connection_limit_time(connection);
	rdma_addr_hold(addr);
	(void)sdpu_fetch_add(&addr->attempts, 1);
	connection->addr = addr;
	connection->attempt = true;
}

doca_error_t rdma_connection_request(struct rdma_listener *listener,
				     const struct rdma_backend *backend,
				     const struct rdma_address *from,
				     struct doca_rdma_connection **out)
{
	struct doca_rdma_addr *addr = rdma_addr_make(from);
	struct doca_rdma_connection *connection;
	doca_error_t result;

	if (addr == NULL)
		return DOCA_ERROR_NO_MEMORY;
	result = rdma_connection_alloc(listener->rdma, &connection);
	if (result != DOCA_SUCCESS) {
		if (result == DOCA_ERROR_FULL)
			sdpu_log_warn("doca_rdma: a request of %s on port %u is refused: there are "
				      "%u connections; doca_rdma_set_max_num_connections() before "
				      "start allows more",
				      addr->text, listener->port, listener->rdma->num_live);
		rdma_addr_release(addr);
		return result;
	}
	connection->addr = addr;
	sdpu_store(&connection->backend, backend);
	connection->announce = true;
	rdma_connection_move(connection, RDMA_CONNECTION_REQUESTED);
	rdma_connection_poll_as(connection, NULL, 0);
	*out = connection;
	return DOCA_SUCCESS;
}
