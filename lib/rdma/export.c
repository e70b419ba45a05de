/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connections by export: each side exports, the program swaps the details, each side connects. And
 * what the user can ask of a connection.
 */
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "rdma/backend.h"

static bool rdma_is_started(const struct doca_rdma *rdma)
{
	return rdma->ctx.state == DOCA_CTX_STATE_RUNNING ||
	       rdma->ctx.state == DOCA_CTX_STATE_STARTING;
}

static doca_error_t export_refuse_state(const char *call)
{
	sdpu_log_err(
		"%s: the context is not running; needed: one that is; call doca_ctx_start() first",
		call);
	return DOCA_ERROR_BAD_STATE;
}

/* Fills in what does not depend on the back end, then has those add theirs. */
static doca_error_t export_describe(struct doca_rdma_connection *connection)
{
	const struct rdma_property *property = &connection->rdma->property;
	struct rdma_blob *own = &connection->own;

	memset(own, 0, sizeof(*own));
	own->transport = property->transport;
	own->permissions = property->permissions;
	own->connection_id = connection->id;
	if (!sdpu_process_random(own->cookie, sizeof(own->cookie)) ||
	    sdpu_machine_id(own->machine_id) != DOCA_SUCCESS) {
		sdpu_log_err("doca_rdma_export: no random bytes, or no id of this machine; needed: "
			     "getrandom(), and /proc");
		return DOCA_ERROR_CONNECTION_ABORTED;
	}
	return rdma_backend_open_all(connection);
}

doca_error_t doca_rdma_export(struct doca_rdma *rdma, const void **local_rdma_conn_details,
			      size_t *local_rdma_conn_details_size,
			      struct doca_rdma_connection **rdma_connection)
{
	struct doca_rdma_connection *connection;
	doca_error_t result;

	if (sdpu_any_null(__func__, rdma, local_rdma_conn_details, local_rdma_conn_details_size,
			  rdma_connection))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (!rdma_is_started(rdma))
		return export_refuse_state("doca_rdma_export");
	result = rdma_connection_alloc(rdma, &connection);
	if (result == DOCA_ERROR_FULL)
		sdpu_log_err("doca_rdma_export: %u connections exist; needed: fewer; "
			     "doca_rdma_set_max_num_connections() before start allows more",
			     rdma->num_live);
	if (result == DOCA_SUCCESS)
		result = export_describe(connection);
	if (result == DOCA_ERROR_NO_MEMORY)
		return sdpu_no_memory(__func__);
	if (result != DOCA_SUCCESS)
		return result;
	rdma_blob_encode(&connection->own, connection->details, &connection->details_len);
	rdma_connection_move(connection, RDMA_CONNECTION_EXPORTED);
	*local_rdma_conn_details = connection->details;
	*local_rdma_conn_details_size = connection->details_len;
	*rdma_connection = connection;
	return DOCA_SUCCESS;
}

/* NULL and the back end that joins them, or why these two ends cannot be joined. */
static const char *connect_fault(const struct rdma_blob *own, const struct rdma_blob *peer,
				 const struct rdma_backend **backend)
{
	if (memcmp(own->cookie, peer->cookie, sizeof(own->cookie)) == 0)
		return "they are this connection's own; pass on those of the peer";
	if (own->transport != peer->transport)
		return "the peer's context has another transport";
	*backend = rdma_backend_choose(own, peer);
	if (*backend == NULL)
		return "they are of another machine or runtime directory, or from before the last "
		       "boot";
	return NULL;
}

static doca_error_t connect_check(const struct doca_rdma *rdma,
				  const struct doca_rdma_connection *connection)
{
	if (sdpu_process_refuses("doca_rdma_connect"))
		return DOCA_ERROR_BAD_STATE;
	if (connection->rdma != rdma) {
		sdpu_log_err(
			"doca_rdma_connect: the connection is not of this context; needed: one "
			"that its doca_rdma_export() gave");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!rdma_is_started(rdma))
		return export_refuse_state("doca_rdma_connect");
	if (connection->state == RDMA_CONNECTION_EXPORTED)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_rdma_connect: connection %u was joined already, or is of an earlier "
		     "start; needed: one that was exported only; export another one",
		     connection->id);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_rdma_connect(struct doca_rdma *rdma, const void *remote_rdma_conn_details,
			       size_t remote_rdma_conn_details_size,
			       struct doca_rdma_connection *rdma_connection)
{
	const struct rdma_backend *backend;
	struct rdma_blob peer;
	const char *fault;
	doca_error_t result;

	if (sdpu_any_null(__func__, rdma, remote_rdma_conn_details, rdma_connection) ||
	    sdpu_is_zero(__func__, remote_rdma_conn_details_size))
		return DOCA_ERROR_INVALID_VALUE;
	result = connect_check(rdma, rdma_connection);
	if (result != DOCA_SUCCESS)
		return result;
	if (rdma_blob_decode(remote_rdma_conn_details, remote_rdma_conn_details_size, &peer) !=
	    DOCA_SUCCESS)
		return DOCA_ERROR_CONNECTION_ABORTED;
	fault = connect_fault(&rdma_connection->own, &peer, &backend);
	if (fault != NULL) {
		sdpu_log_err("doca_rdma_connect: the details cannot be used; %s", fault);
		return DOCA_ERROR_CONNECTION_ABORTED;
	}
	result = backend->connect(rdma_connection, &peer);
	return result == DOCA_ERROR_NO_MEMORY ? sdpu_no_memory(__func__) : result;
}

doca_error_t doca_rdma_connection_set_user_data(struct doca_rdma_connection *rdma_connection,
						union doca_data connection_user_data)
{
	if (sdpu_any_null(__func__, rdma_connection))
		return DOCA_ERROR_INVALID_VALUE;
	rdma_connection->user_data = connection_user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_connection_get_user_data(const struct doca_rdma_connection *rdma_connection,
						union doca_data *connection_user_data)
{
	if (sdpu_any_null(__func__, rdma_connection, connection_user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*connection_user_data = rdma_connection->user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_connection_get_id(const struct doca_rdma_connection *rdma_connection,
					 uint32_t *connection_id)
{
	if (sdpu_any_null(__func__, rdma_connection, connection_id))
		return DOCA_ERROR_INVALID_VALUE;
	*connection_id = rdma_connection->id;
	return DOCA_SUCCESS;
}
