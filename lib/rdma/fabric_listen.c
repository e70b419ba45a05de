/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fabric back end: connections by address. A port of a context, where the agent parks clients, and
 * the engine takes them; and the other end of that, from dialling on.
 *
 * Owner of a fabric_listener: the rdma_listener; thread: the engine's, but for the entry (agent).
 * Ends with unlisten; clients that wait are refused.
 */
#include <stdlib.h>

#include "base/error_text.h"
#include "base/log.h"
#include "rdma/fabric_connection.h"
#include "rdma/fabric_thread.h"

struct fabric_listener {
	struct rdma_listener *listener;
	struct fabric_acceptor *acceptor;
	struct fabric_entry entry;
	uint32_t seen;		   /* of those who came there */
	struct sdpu_source source; /* polled while clients wait */
};

/* Agent's thread. */
static void listener_came(struct fabric_entry *entry)
{
	struct fabric_listener *fabric = sdpu_container_of(entry, struct fabric_listener, entry);

	sdpu_bell_attend(&fabric->listener->rdma->ctx.pe->bell);
}

/* The client becomes the connection's. */
static void caller_admit(struct rdma_listener *listener, struct fabric_caller *caller)
{
	struct doca_rdma_connection *connection;
	struct rdma_address from;
	doca_error_t result;

	fabric_sock_peer(caller->control.fd, &from);
	from.port = 0;
	result = rdma_connection_request(listener, &rdma_fabric, &from, &connection);
	if (result == DOCA_SUCCESS) {
		result = fabric_make(connection);
		if (result == DOCA_SUCCESS) {
			connection->fabric->caller = caller;
			fabric_caller_attend(caller, &listener->rdma->ctx.pe->bell);
			return;
		}
		rdma_connection_end(connection);
	}
	rdma_listener_tell(listener, result);
	fabric_caller_refuse(caller, DOCA_ERROR_FULL);
}

static bool listener_poll(struct sdpu_source *source)
{
	struct fabric_listener *fabric = sdpu_container_of(source, struct fabric_listener, source);
	struct fabric_caller *caller = NULL;

	if (fabric_entry_has_arrived(&fabric->entry, fabric->seen)) {
		fabric->seen++;
		caller = fabric_entry_take(&fabric->entry, FABRIC_HELLO_DIAL, NULL);
	}
	if (caller == NULL) {
		/* The agent attends to the engine when one has come. */
		if (!fabric_entry_has_arrived(&fabric->entry, fabric->seen))
			sdpu_source_park(source);
		return false;
	}
	caller_admit(fabric->listener, caller);
	return true;
}

static bool listener_pending(const struct sdpu_source *source)
{
	const struct fabric_listener *fabric =
		sdpu_container_of(source, struct fabric_listener, source);

	return fabric_entry_has_arrived(&fabric->entry, fabric->seen);
}

static doca_error_t listen_refuse(const struct rdma_listener *listener, doca_error_t why)
{
	if (why == DOCA_ERROR_NO_MEMORY)
		return why;
	sdpu_log_warn("doca_rdma_start_listen_to_port: TCP port %u: %s", listener->port,
		      why == DOCA_ERROR_ALREADY_EXIST ? "another program listens to it"
						      : sdpu_error_descr(why));
	return DOCA_ERROR_CONNECTION_ABORTED;
}

doca_error_t fabric_listen(struct rdma_listener *listener)
{
	struct fabric_listener *fabric = calloc(1, sizeof(*fabric));
	uint16_t port = listener->port;
	doca_error_t result;

	if (fabric == NULL)
		return DOCA_ERROR_NO_MEMORY;
	/* Clients do not wait long for an answer, and would wait for the loading. */
	if (rdma_backend_is_only(&rdma_fabric))
		(void)fabric_lib_get();
	fabric->listener = listener;
	fabric->entry.came = listener_came;
	fabric_entry_open(&fabric->entry, false);
	result = fabric_acceptor_open(&port, &fabric->entry, &fabric->acceptor);
	if (result != DOCA_SUCCESS) {
		fabric_entry_close(&fabric->entry);
		free(fabric);
		return listen_refuse(listener, result);
	}
	fabric->source.poll = listener_poll;
	fabric->source.pending = listener_pending;
	sdpu_source_add(listener->rdma->ctx.pe, &fabric->source);
	listener->fabric = fabric;
	return DOCA_SUCCESS;
}

void fabric_unlisten(struct rdma_listener *listener)
{
	struct fabric_listener *fabric = listener->fabric;

	if (fabric == NULL)
		return;
	sdpu_source_remove(&fabric->source);
	fabric_acceptor_close(fabric->acceptor);
	fabric_entry_close(&fabric->entry);
	free(fabric);
	listener->fabric = NULL;
}

/* Loading libfabric was not the peer's doing. */
static void connection_renew_time(struct doca_rdma_connection *connection)
{
	sdpu_deadline_close(&connection->deadline);
	rdma_connection_limit_time(connection);
}

doca_error_t fabric_dial(struct doca_rdma_connection *connection, const struct rdma_address *to)
{
	struct fabric_hello own = {0};
	enum fabric_join_state state;
	struct fabric_port *port;
	doca_error_t result = fabric_make(connection);

	if (result == DOCA_SUCCESS)
		result = fabric_attach(connection, &own);
	if (result != DOCA_SUCCESS) {
		rdma_fabric.close(connection);
		return result;
	}
	port = connection->fabric->port;
	connection_renew_time(connection);
	fabric_join_call(&connection->fabric->join, FABRIC_HELLO_DIAL, to, 1, 0);
	state = connection->fabric->join.state;
	fabric_port_unlock(port);
	if (state == FABRIC_JOIN_FAILED) {
		rdma_fabric.close(connection);
		return DOCA_ERROR_NOT_FOUND;
	}
	fabric_thread_kick();
	rdma_connection_begin(connection, &rdma_fabric);
	return DOCA_SUCCESS;
}

doca_error_t fabric_accept(struct doca_rdma_connection *connection, const void *private_data,
			   uint8_t len)
{
	struct rdma_fabric *fabric = connection->fabric;
	struct fabric_hello own = {0};
	doca_error_t result = DOCA_ERROR_CONNECTION_ABORTED;

	if (!fabric_caller_is_gone(fabric->caller))
		result = fabric_attach(connection, &own);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_CONNECTION_ABORTED;
	result = fabric_join_answer(&fabric->join, fabric->caller, private_data, len);
	fabric_port_unlock(fabric->port);
	if (result != DOCA_SUCCESS) {
		fabric_detach(connection);
		return result;
	}
	fabric->caller = NULL;
	connection_renew_time(connection);
	fabric_thread_kick();
	rdma_connection_begin(connection, &rdma_fabric);
	return DOCA_SUCCESS;
}

void fabric_reject(struct doca_rdma_connection *connection)
{
	fabric_caller_refuse(connection->fabric->caller, DOCA_ERROR_NOT_PERMITTED);
	connection->fabric->caller = NULL;
}
