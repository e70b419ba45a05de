/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Local back end: a port of a context, where the agent leaves clients, and the engine takes them.
 *
 * Owner: the rdma_listener; thread: the engine's, but for the entry point (agent). Ends with
 * unlisten; clients that wait are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "bus/process.h"
#include "rdma/local.h"
#include "rdma/local_port.h"

struct local_listener {
	struct rdma_listener *listener;
	struct sdpu_claim *claim;
	struct local_entry_point point;
	struct sdpu_source source; /* polled while clients wait */
};

static bool caller_is_gone(const struct local_caller *caller)
{
	struct sdpu_record record;
	doca_error_t result = sdpu_sock_recv(caller->sock, &record);

	if (result == DOCA_SUCCESS)
		sdpu_record_drop(&record);
	/* It has nothing to say before it is answered. */
	return result != DOCA_ERROR_AGAIN;
}

/* The client becomes the connection's. */
static doca_error_t connection_attach(struct doca_rdma_connection *connection,
				      struct local_caller *caller)
{
	doca_error_t result = local_make(connection);

	if (result == DOCA_SUCCESS)
		result = local_join_prepare(connection);
	if (result == DOCA_SUCCESS)
		result = local_control_attach(&connection->local->control,
					      &connection->rdma->ctx.pe->bell, caller->sock,
					      caller->pid);
	if (result != DOCA_SUCCESS)
		return result;
	caller->sock = -1;
	connection->local->caller = caller;
	return DOCA_SUCCESS;
}

static void caller_admit(struct rdma_listener *listener, struct local_caller *caller)
{
	struct doca_rdma_connection *connection;
	struct rdma_address from;
	doca_error_t result;

	if (caller_is_gone(caller)) {
		local_caller_free(caller);
		return;
	}
	rdma_address_of_bytes(caller->hello.address, 0, &from);
	result = rdma_connection_request(listener, &rdma_local, &from, &connection);
	if (result == DOCA_SUCCESS) {
		result = connection_attach(connection, caller);
		if (result == DOCA_SUCCESS)
			return;
		rdma_connection_end(connection);
	}
	rdma_listener_tell(listener, result);
	local_caller_refuse(caller, DOCA_ERROR_FULL);
}

static bool listener_poll(struct sdpu_source *source)
{
	struct local_listener *local = sdpu_container_of(source, struct local_listener, source);
	struct local_caller *caller = NULL;

	if (local_point_has_arrived(&local->point))
		caller = local_point_next(&local->point);
	if (caller == NULL) {
		/* The agent attends to the engine when one has come. */
		sdpu_source_park(source);
		return false;
	}
	caller_admit(local->listener, caller);
	return true;
}

static bool listener_pending(const struct sdpu_source *source)
{
	return local_point_has_arrived(
		&sdpu_container_of(source, struct local_listener, source)->point);
}

static doca_error_t port_refuse(const struct rdma_listener *listener, doca_error_t why)
{
	const struct sdpu_function *function = sdpu_dev_function(listener->rdma->ctx.dev);

	if (why == DOCA_ERROR_NO_MEMORY)
		return why;
	if (why == DOCA_ERROR_ALREADY_EXIST)
		sdpu_log_err("doca_rdma_start_listen_to_port: somebody listens to port %u of %s "
			     "already (runtime directory %s); stop that or choose another port",
			     listener->port, function->pci, sdpu_rundir_path());
	return DOCA_ERROR_CONNECTION_ABORTED;
}

/* Entered in the table last: a client may dial at once. */
static doca_error_t listener_open(struct local_listener *local)
{
	const struct rdma_listener *listener = local->listener;
	struct doca_rdma *rdma = listener->rdma;
	struct local_entry_point *point = &local->point;
	doca_error_t result;

	if (!sdpu_process_random(point->cookie, sizeof(point->cookie)))
		return port_refuse(listener, DOCA_ERROR_OPERATING_SYSTEM);
	point->bell = &rdma->ctx.pe->bell;
	point->permissions = rdma->property.permissions;
	point->is_port = true;
	local_point_open(point);
	result = local_port_claim(sdpu_dev_function(rdma->ctx.dev), listener->port, point->cookie,
				  &local->claim);
	if (result != DOCA_SUCCESS) {
		local_point_close(point);
		return port_refuse(listener, result);
	}
	local->source.poll = listener_poll;
	local->source.pending = listener_pending;
	sdpu_source_add(rdma->ctx.pe, &local->source);
	return DOCA_SUCCESS;
}

doca_error_t local_listen(struct rdma_listener *listener)
{
	struct local_listener *local = calloc(1, sizeof(*local));
	doca_error_t result;

	if (local == NULL)
		return DOCA_ERROR_NO_MEMORY;
	local->listener = listener;
	result = listener_open(local);
	if (result != DOCA_SUCCESS) {
		free(local);
		return result;
	}
	listener->local = local;
	return DOCA_SUCCESS;
}

void local_unlisten(struct rdma_listener *listener)
{
	struct local_listener *local = listener->local;

	if (local == NULL)
		return;
	sdpu_source_remove(&local->source);
	sdpu_claim_drop(local->claim);
	local_point_close(&local->point);
	free(local);
	listener->local = NULL;
}
