/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fabric back end: its table, and connections by export; contract in fabric_connection.h.
 */
#include "rdma/fabric_connection.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "rdma/fabric_address.h"
#include "rdma/fabric_lib.h"
#include "rdma/fabric_thread.h"

#define EXPORTED_MS 2000 /* to reach the peer's process */

doca_error_t fabric_make(struct doca_rdma_connection *connection)
{
	connection->fabric = calloc(1, sizeof(*connection->fabric));
	return connection->fabric == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

/* Agent's thread: whoever joins it shall look. */
static void entry_came(struct fabric_entry *entry)
{
	(void)entry;
	fabric_thread_kick();
}

/* The acceptor stays open until the context is destroyed, so that a caller that is late is told so.
 */
static bool has_acceptor(struct doca_rdma *rdma, uint16_t *port)
{
	if (fabric_acceptor_get(port) != DOCA_SUCCESS)
		return false;
	if (rdma->has_acceptor)
		fabric_acceptor_put();
	rdma->has_acceptor = true;
	return true;
}

/* Without an acceptor it is only found on this machine, which is no failure. */
static doca_error_t fabric_open(struct doca_rdma_connection *connection)
{
	struct rdma_blob *own = &connection->own;
	struct rdma_fabric *fabric;
	uint16_t port;

	if (fabric_make(connection) != DOCA_SUCCESS)
		return DOCA_ERROR_NO_MEMORY;
	fabric = connection->fabric;
	if (!has_acceptor(connection->rdma, &port))
		return DOCA_SUCCESS;
	memcpy(fabric->entry.cookie, own->cookie, RDMA_COOKIE_SIZE);
	fabric->entry.came = entry_came;
	fabric_entry_open(&fabric->entry, true);
	own->num_addresses = fabric_address_list(port, own->addresses);
	return DOCA_SUCCESS;
}

static doca_error_t port_get(struct doca_rdma *rdma)
{
	doca_error_t result = DOCA_SUCCESS;

	if (rdma->fabric == NULL)
		result = fabric_port_open(rdma->ctx.pe, &rdma->fabric);
	if (result == DOCA_SUCCESS)
		rdma->fabric->users++;
	return result;
}

static void port_put(struct doca_rdma *rdma)
{
	if (--rdma->fabric->users != 0)
		return;
	fabric_port_close(rdma->fabric);
	rdma->fabric = NULL;
}

doca_error_t fabric_attach(struct doca_rdma_connection *connection, struct fabric_hello *own)
{
	struct rdma_fabric *fabric = connection->fabric;
	struct fabric_port *port;
	doca_error_t result = port_get(connection->rdma);

	if (result != DOCA_SUCCESS)
		return result;
	port = connection->rdma->fabric;
	result = fabric_proto_open(&fabric->proto, &port->proto, &fabric->link, connection);
	if (result != DOCA_SUCCESS) {
		port_put(connection->rdma);
		return result;
	}
	fabric->port = port;
	own->permissions = connection->rdma->property.permissions;
	fabric_port_lock(port);
	result = fabric_link_open(&fabric->link, port);
	if (result == DOCA_SUCCESS) {
		fabric_join_open(&fabric->join, &fabric->link, own);
		return DOCA_SUCCESS;
	}
	fabric_port_unlock(port);
	fabric_detach(connection);
	return result;
}

void fabric_detach(struct doca_rdma_connection *connection)
{
	struct rdma_fabric *fabric = connection->fabric;

	if (fabric->port == NULL)
		return;
	fabric_port_lock(fabric->port);
	fabric_join_close(&fabric->join);
	/* What was received was answered for. */
	fabric_proto_settle(&fabric->proto);
	fabric_link_close(&fabric->link);
	fabric_proto_close(&fabric->proto);
	fabric_port_unlock(fabric->port);
	if (fabric->port->pacer == connection)
		fabric->port->pacer = NULL;
	fabric->port = NULL;
	memset(&fabric->join, 0, sizeof(fabric->join));
	memset(&fabric->link, 0, sizeof(fabric->link));
	port_put(connection->rdma);
}

static void fabric_close(struct doca_rdma_connection *connection)
{
	struct rdma_fabric *fabric = connection->fabric;

	if (fabric == NULL)
		return;
	/* First, so that no request is served from what is given back below. */
	fabric_entry_close(&fabric->entry);
	if (fabric->caller != NULL)
		fabric_caller_refuse(fabric->caller, DOCA_ERROR_NOT_FOUND);
	fabric_detach(connection);
	free(fabric);
	connection->fabric = NULL;
}

static bool fabric_reaches(const struct rdma_blob *own, const struct rdma_blob *peer)
{
	return own->num_addresses != 0 && peer->num_addresses != 0;
}

void fabric_log_failure(const struct doca_rdma_connection *connection)
{
	const struct fabric_join *join = &connection->fabric->join;
	char text[RDMA_ADDRESS_TEXT];

	rdma_address_format(&join->peer, text);
	sdpu_log_err("doca_rdma: connection %u to %s over the fabric: %s", connection->id, text,
		     join->fault != NULL ? join->fault : "libfabric could not join the endpoints");
}

/* The cookies decide which end calls, so that the order in which programs connect does not
 * matter. */
static void exported_join(struct doca_rdma_connection *connection, const struct rdma_blob *peer)
{
	struct rdma_fabric *fabric = connection->fabric;
	enum fabric_hello_kind kind = FABRIC_HELLO_CALL;

	if (memcmp(connection->own.cookie, peer->cookie, RDMA_COOKIE_SIZE) > 0) {
		kind = FABRIC_HELLO_WATCH;
		fabric_join_expect(&fabric->join, &fabric->entry);
	}
	fabric_join_call(&fabric->join, kind, peer->addresses, peer->num_addresses, EXPORTED_MS);
	fabric_thread_kick();
	fabric_join_wait(&fabric->join);
}

/* What connect answers. One that somebody has refused fails like one that is refused later. */
static doca_error_t exported_outcome(const struct fabric_join *join)
{
	if (join->state == FABRIC_JOIN_FAILED && join->why == DOCA_ERROR_NO_MEMORY)
		return DOCA_ERROR_NO_MEMORY;
	if (join->state == FABRIC_JOIN_ASKING ||
	    (join->state == FABRIC_JOIN_FAILED && !join->reached))
		return DOCA_ERROR_CONNECTION_ABORTED;
	return DOCA_SUCCESS;
}

static doca_error_t fabric_connect(struct doca_rdma_connection *connection,
				   const struct rdma_blob *peer)
{
	struct rdma_fabric *fabric = connection->fabric;
	struct fabric_hello own = {0};
	doca_error_t result;

	memcpy(own.from, connection->own.cookie, RDMA_COOKIE_SIZE);
	memcpy(own.to, peer->cookie, RDMA_COOKIE_SIZE);
	result = fabric_attach(connection, &own);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_CONNECTION_ABORTED;
	exported_join(connection, peer);
	result = exported_outcome(&fabric->join);
	fabric_port_unlock(fabric->port);
	if (result != DOCA_SUCCESS) {
		if (result != DOCA_ERROR_NO_MEMORY)
			fabric_log_failure(connection);
		fabric_detach(connection);
		return result;
	}
	rdma_connection_begin(connection, &rdma_fabric);
	return DOCA_SUCCESS;
}

static void connection_join(struct doca_rdma_connection *connection)
{
	const struct fabric_join *join = &connection->fabric->join;
	char text[RDMA_ADDRESS_TEXT];

	rdma_address_format(&join->peer, text);
	sdpu_log_info("doca_rdma: connection %u to %s (pid %u there) is over fabric tcp",
		      connection->id, text, join->pid);
	connection->peer_permissions = join->peer_permissions;
	/* From now on no caller is parked at it. */
	fabric_entry_close(&connection->fabric->entry);
	rdma_connection_up(connection, NULL, 0);
}

/* Joined, not joined, or DOCA_ERROR_IN_PROGRESS. */
static doca_error_t join_outcome(const struct rdma_fabric *fabric)
{
	doca_error_t outcome = DOCA_ERROR_IN_PROGRESS;

	fabric_port_lock(fabric->port);
	if (fabric->join.state == FABRIC_JOIN_DONE)
		outcome = DOCA_SUCCESS;
	else if (fabric->join.state == FABRIC_JOIN_FAILED)
		outcome = fabric->join.why == DOCA_ERROR_NO_MEMORY ? DOCA_ERROR_CONNECTION_ABORTED
								   : fabric->join.why;
	else if (fabric->link.state == FABRIC_LINK_FAILED)
		outcome = fabric->link.why;
	fabric_port_unlock(fabric->port);
	return outcome;
}

static bool poll_connecting(struct doca_rdma_connection *connection)
{
	doca_error_t outcome = join_outcome(connection->fabric);

	if (outcome == DOCA_ERROR_IN_PROGRESS)
		return false;
	if (outcome == DOCA_SUCCESS) {
		connection_join(connection);
		return true;
	}
	fabric_log_failure(connection);
	rdma_connection_fail(connection, outcome);
	return true;
}

static bool poll_requested(struct doca_rdma_connection *connection)
{
	if (!fabric_caller_is_gone(connection->fabric->caller))
		return false;
	rdma_connection_fail(connection, DOCA_ERROR_CONNECTION_RESET);
	return true;
}

/*
 * Lock held; the program may do something else from here on. What it owes to the peer and would
 * send along in the next round, confirmations of messages above all, is left to the thread, if that
 * drives and would not look by itself.
 */
static void hand_over(const struct fabric_port *port)
{
	if (sdpu_unlikely(port->driver == FABRIC_BY_THREAD) && port->num_rerun != 0)
		fabric_thread_kick();
}

/* One connection of a port drives it for all, so that it is done once in each progress. */
static bool poll_connected(struct doca_rdma_connection *connection)
{
	struct rdma_fabric *fabric = connection->fabric;
	struct fabric_port *port = fabric->port;
	struct fabric_event event;

	if (sdpu_unlikely(fabric->rests)) {
		fabric->rests = false;
		fabric->asked = false;
		return false;
	}
	if (sdpu_unlikely(port->pacer == NULL))
		port->pacer = connection;
	fabric_port_lock(port);
	/* Behind an event comes what came with it; the network is asked when nothing is left. */
	if (port->pacer == connection && !fabric->asked)
		fabric_port_poll(port);
	fabric_proto_look(&fabric->proto, &event);
	if (!event.taken)
		hand_over(port);
	fabric_port_unlock(port);
	fabric->asked = true;
	/* Completions that came with the last message can wait, its answer perhaps not. */
	fabric->rests = event.taken && !event.more;
	if (fabric_proto_deliver(&fabric->proto, &event))
		return true;
	fabric->asked = false;
	return false;
}

static bool fabric_poll(struct doca_rdma_connection *connection)
{
	if (sdpu_likely(connection->state == RDMA_CONNECTION_CONNECTED))
		return poll_connected(connection);
	if (connection->state == RDMA_CONNECTION_CONNECTING)
		return poll_connecting(connection);
	return poll_requested(connection);
}

static bool fabric_pending(const struct doca_rdma_connection *connection)
{
	struct rdma_fabric *fabric = connection->fabric;
	bool pending;

	if (connection->state == RDMA_CONNECTION_REQUESTED)
		return fabric_caller_is_gone(fabric->caller);
	if (connection->state == RDMA_CONNECTION_CONNECTING)
		return join_outcome(fabric) != DOCA_ERROR_IN_PROGRESS;
	fabric_port_lock(fabric->port);
	pending = fabric_proto_pending(&fabric->proto);
	hand_over(fabric->port);
	fabric_port_unlock(fabric->port);
	return pending;
}

static void fabric_settle(struct doca_rdma_connection *connection)
{
	struct rdma_fabric *fabric = connection->fabric;

	fabric_port_lock(fabric->port);
	fabric_proto_settle(&fabric->proto);
	fabric_port_unlock(fabric->port);
}

static enum rdma_step fabric_act(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	struct rdma_fabric *fabric = connection->fabric;
	enum rdma_step step;

	fabric_port_lock(fabric->port);
	step = fabric_proto_act(&fabric->proto, op);
	fabric_port_unlock(fabric->port);
	return step;
}

static void fabric_cancel(struct rdma_op *op)
{
	struct rdma_fabric *fabric = op->connection->fabric;

	/* Its connection may be over, and the task not yet told. */
	if (fabric == NULL || fabric->port == NULL)
		return;
	fabric_port_lock(fabric->port);
	fabric_proto_cancel(&fabric->proto, op);
	fabric_port_unlock(fabric->port);
}

static bool fabric_answered(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	struct rdma_fabric *fabric = connection->fabric;
	bool answered;

	fabric_port_lock(fabric->port);
	answered = fabric_proto_answered(&fabric->proto, op);
	fabric_port_unlock(fabric->port);
	return answered;
}

/* It has been loaded, or there would be no connection. */
static const char *fabric_carrier(void)
{
	const struct fabric_lib *lib = fabric_lib_get();

	return lib == NULL ? "nothing" : lib->info->fabric_attr->prov_name;
}

const struct rdma_backend rdma_fabric = {
	.name = "fabric",
	.carrier = fabric_carrier,
	.open = fabric_open,
	.close = fabric_close,
	.reaches = fabric_reaches,
	.connect = fabric_connect,
	.listen = fabric_listen,
	.unlisten = fabric_unlisten,
	.dial = fabric_dial,
	.accept = fabric_accept,
	.reject = fabric_reject,
	.poll = fabric_poll,
	.pending = fabric_pending,
	.settle = fabric_settle,
	.act = fabric_act,
	.cancel = fabric_cancel,
	.answered = fabric_answered,
};
