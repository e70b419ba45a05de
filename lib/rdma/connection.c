/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connection: states, and the way of operations through its line; contract in connection.h.
 */
#include "rdma/connection.h"

#include <stdlib.h>

#include "base/log.h"
#include "rdma/backend.h"

static const char *const state_name[] = {"DEAD",      "EXPORTED", "CONNECTING",
					 "CONNECTED", "FAILED",	  "DISCONNECTED"};

/* legal[from] has bit (1 << to) for each move that there is. */
static const uint8_t legal[] = {
	[RDMA_CONNECTION_DEAD] = 1 << RDMA_CONNECTION_EXPORTED,
	[RDMA_CONNECTION_EXPORTED] = 1 << RDMA_CONNECTION_CONNECTING | 1 << RDMA_CONNECTION_DEAD,
	[RDMA_CONNECTION_CONNECTING] = 1 << RDMA_CONNECTION_CONNECTED |
				       1 << RDMA_CONNECTION_FAILED | 1 << RDMA_CONNECTION_DEAD,
	[RDMA_CONNECTION_CONNECTED] = 1 << RDMA_CONNECTION_DISCONNECTED | 1 << RDMA_CONNECTION_DEAD,
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
	connection->state = next;
}

static struct doca_rdma_connection *connection_of(const struct sdpu_source *source)
{
	return sdpu_container_of(source, struct doca_rdma_connection, source);
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
	if (tell == NULL || connection->told)
		return false;
	connection->told = true;
	pe->depth++;
	tell(connection, connection->user_data, rdma->ctx.user_data);
	pe->depth--;
	return true;
}

/* Of one that has failed: a task, or the notice behind the last one. */
static bool connection_drain(struct doca_rdma_connection *connection)
{
	struct doca_task *task = sdpu_task_queue_get(&connection->begun);

	if (task == NULL)
		task = sdpu_task_queue_get(&connection->waiting);
	if (task == NULL)
		return connection_tell(connection);
	sdpu_task_deliver(task,
			  ((struct rdma_op *)task)->ended ? task->status : connection->status);
	return true;
}

static bool connection_is_live(const struct doca_rdma_connection *connection)
{
	return connection->state == RDMA_CONNECTION_CONNECTED ||
	       connection->state == RDMA_CONNECTION_CONNECTING;
}

static bool connection_poll(struct sdpu_source *source)
{
	struct doca_rdma_connection *connection = connection_of(source);

	if (sdpu_unlikely(!connection_is_live(connection)))
		return connection_drain(connection);
	return connection->backend->poll(connection);
}

static bool connection_pending(const struct sdpu_source *source)
{
	const struct doca_rdma_connection *connection = connection_of(source);

	return !connection_is_live(connection) || connection->backend->pending(connection);
}

/* Polled anew, in another way. */
static void connection_settle(struct sdpu_source *source)
{
	struct doca_rdma_connection *connection = connection_of(source);

	if (connection->state == RDMA_CONNECTION_CONNECTED)
		connection->backend->settle(connection);
}

static void connection_poll_as(struct doca_rdma_connection *connection,
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
	connection->backend = backend;
	rdma_connection_move(connection, RDMA_CONNECTION_CONNECTING);
	connection_poll_as(connection, NULL, 0);
}

void rdma_connection_up(struct doca_rdma_connection *connection,
			void (*chill)(struct sdpu_source *source, bool cold), uint32_t bit)
{
	rdma_connection_move(connection, RDMA_CONNECTION_CONNECTED);
	connection_poll_as(connection, chill, bit);
}

/* Off the engine before the back end gives the ready bit back. */
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
	rdma_connection_move(connection, connection->state == RDMA_CONNECTION_CONNECTED
						 ? RDMA_CONNECTION_DISCONNECTED
						 : RDMA_CONNECTION_FAILED);
	connection_poll_as(connection, NULL, 0);
}

static void connection_finish_all(struct sdpu_task_queue *queue)
{
	struct doca_task *task;

	while ((task = sdpu_task_queue_get(queue)) != NULL)
		sdpu_task_finish(task, ((struct rdma_op *)task)->ended ? task->status
								       : DOCA_ERROR_SHUTDOWN);
}

void rdma_connection_end(struct doca_rdma_connection *connection)
{
	if (connection->state == RDMA_CONNECTION_DEAD)
		return;
	connection_close(connection);
	connection_finish_all(&connection->begun);
	connection_finish_all(&connection->waiting);
	rdma_connection_move(connection, RDMA_CONNECTION_DEAD);
}

/* Has failed, and the user knows it all: its place may be taken. */
static bool connection_is_spent(const struct doca_rdma_connection *connection)
{
	return (connection->state == RDMA_CONNECTION_FAILED ||
		connection->state == RDMA_CONNECTION_DISCONNECTED) &&
	       connection->source.state == SDPU_SOURCE_OFF;
}

static struct doca_rdma_connection *connection_make(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *connection = calloc(1, sizeof(*connection));

	if (connection == NULL)
		return NULL;
	connection->rdma = rdma;
	connection->id = rdma->num_connections++;
	connection->source.poll = connection_poll;
	connection->source.pending = connection_pending;
	sdpu_list_init(&connection->hungry);
	sdpu_list_append(&rdma->connections, &connection->node);
	return connection;
}

static struct doca_rdma_connection *
connection_find(const struct doca_rdma *rdma,
		bool (*matches)(const struct doca_rdma_connection *connection))
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &rdma->connections) {
		struct doca_rdma_connection *connection =
			sdpu_container_of(node, struct doca_rdma_connection, node);

		if (matches(connection))
			return connection;
	}
	return NULL;
}

static bool connection_is_dead(const struct doca_rdma_connection *connection)
{
	return connection->state == RDMA_CONNECTION_DEAD;
}

doca_error_t rdma_connection_alloc(struct doca_rdma *rdma, struct doca_rdma_connection **out)
{
	struct doca_rdma_connection *connection;

	if (rdma->num_live >= rdma->property.max_connections) {
		connection = connection_find(rdma, connection_is_spent);
		if (connection == NULL)
			return DOCA_ERROR_FULL;
		rdma_connection_end(connection);
	}
	connection = connection_find(rdma, connection_is_dead);
	if (connection == NULL)
		connection = connection_make(rdma);
	if (connection == NULL)
		return DOCA_ERROR_NO_MEMORY;
	connection->user_data.u64 = 0;
	connection->told = false;
	*out = connection;
	return DOCA_SUCCESS;
}

void rdma_connection_bury(struct doca_rdma *rdma)
{
	struct sdpu_list *node;

	while ((node = sdpu_list_pop(&rdma->connections)) != NULL)
		free(sdpu_container_of(node, struct doca_rdma_connection, node));
}

/* One step of the first in line. True: it has left the line. */
static bool connection_act(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	enum rdma_step step = connection->backend->act(connection, op);

	if (step != RDMA_STEP_SENT && step != RDMA_STEP_DONE)
		return false;
	op->ended = step == RDMA_STEP_DONE;
	return true;
}

/* It waits for its ready bit, or has nothing to be polled for: not joined yet, or drained. */
static void connection_wake(struct doca_rdma_connection *connection)
{
	if (connection->source.state == SDPU_SOURCE_COLD)
		sdpu_source_heat(&connection->source);
	else if (connection->state != RDMA_CONNECTION_EXPORTED)
		connection_poll_as(connection, NULL, 0);
}

void rdma_connection_submit(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	/* Completion is left to poll in any case, so that it comes in order. */
	if (sdpu_likely(connection->state == RDMA_CONNECTION_CONNECTED &&
			connection->waiting.first == NULL && connection_act(connection, op)))
		sdpu_task_queue_put(&connection->begun, &op->base);
	else
		sdpu_task_queue_put(&connection->waiting, &op->base);
	if (sdpu_unlikely(connection->source.state != SDPU_SOURCE_HOT))
		connection_wake(connection);
}

bool rdma_connection_complete(struct doca_rdma_connection *connection)
{
	struct rdma_op *op = (struct rdma_op *)connection->begun.first;

	if (op == NULL || (!op->ended && !connection->backend->answered(connection, op)))
		return false;
	(void)sdpu_task_queue_get(&connection->begun);
	sdpu_task_deliver(&op->base, op->base.status);
	return true;
}

bool rdma_connection_advance(struct doca_rdma_connection *connection)
{
	struct rdma_op *op = (struct rdma_op *)connection->waiting.first;

	if (op == NULL || !connection_act(connection, op))
		return false;
	(void)sdpu_task_queue_get(&connection->waiting);
	sdpu_task_queue_put(&connection->begun, &op->base);
	return true;
}
