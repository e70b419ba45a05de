/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connections by address, from the attempt of a client and the request at a server to their end.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "rdma/backend.h"

static doca_error_t attempt_check(const struct doca_rdma *rdma)
{
	doca_error_t result = rdma_check_running(rdma, "doca_rdma_connect_to_addr");

	if (result != DOCA_SUCCESS)
		return result;
	if (rdma->callbacks.established != NULL)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_rdma_connect_to_addr: nobody would hear of the outcome; needed: call "
		     "doca_rdma_set_connection_state_callbacks() before start");
	return DOCA_ERROR_BAD_STATE;
}

/* As when a host refuses: the failure callback tells the user. */
static void attempt_fail(struct doca_rdma_connection *connection)
{
	char text[RDMA_ADDRESS_TEXT];

	rdma_address_format(&connection->addr->parsed, text);
	sdpu_log_err(
		"doca_rdma_connect_to_addr: nobody listens at %s; needed: a server that called "
		"doca_rdma_start_listen_to_port() with this port, on a device with that address",
		text);
	rdma_connection_begin(connection, NULL);
	rdma_connection_fail(connection, DOCA_ERROR_NOT_FOUND);
}

static doca_error_t attempt_begin(struct doca_rdma *rdma, struct doca_rdma_addr *addr,
				  struct doca_rdma_connection **out)
{
	struct doca_rdma_connection *connection;
	doca_error_t result = rdma_connection_alloc(rdma, &connection);

	if (result == DOCA_ERROR_FULL) {
		sdpu_log_err("doca_rdma_connect_to_addr: %u connections exist; needed: fewer; "
			     "doca_rdma_set_max_num_connections() before start allows more",
			     rdma->num_live);
		return DOCA_ERROR_CONNECTION_ABORTED;
	}
	if (result != DOCA_SUCCESS)
		return result;
	rdma_connection_attempt(connection, addr);
	*out = connection;
	return DOCA_SUCCESS;
}

/* NOT_FOUND is reported by a callback. */
static doca_error_t attempt_dial(struct doca_rdma_connection *connection)
{
	doca_error_t result = rdma_backend_dial(connection, &connection->addr->parsed);

	if (result == DOCA_ERROR_NOT_FOUND) {
		attempt_fail(connection);
		return DOCA_SUCCESS;
	}
	if (result != DOCA_SUCCESS)
		rdma_connection_forget(connection);
	return result;
}

doca_error_t doca_rdma_connect_to_addr(struct doca_rdma *rdma, struct doca_rdma_addr *addr,
				       union doca_data connection_user_data)
{
	struct doca_rdma_connection *connection;
	doca_error_t result;

	if (sdpu_any_null(__func__, rdma, addr))
		return DOCA_ERROR_INVALID_VALUE;
	result = attempt_check(rdma);
	if (result == DOCA_SUCCESS)
		result = attempt_begin(rdma, addr, &connection);
	if (result == DOCA_SUCCESS) {
		connection->user_data = connection_user_data;
		result = attempt_dial(connection);
	}
	return result == DOCA_ERROR_NO_MEMORY ? sdpu_no_memory(__func__) : result;
}

static doca_error_t connection_refuse(const struct doca_rdma_connection *connection,
				      const char *call, const char *needed)
{
	sdpu_log_err("%s: connection %u is not %s, or not any more; needed: one that is", call,
		     connection->id, needed);
	return DOCA_ERROR_CONNECTION_ABORTED;
}

static doca_error_t request_check(const struct doca_rdma_connection *rdma_connection,
				  const char *call)
{
	if (sdpu_any_null(call, rdma_connection))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (rdma_connection->state == RDMA_CONNECTION_REQUESTED)
		return DOCA_SUCCESS;
	return connection_refuse(rdma_connection, call, "a request that waits for an answer");
}

doca_error_t doca_rdma_connection_accept(struct doca_rdma_connection *rdma_connection,
					 void *private_data, uint8_t private_data_len)
{
	doca_error_t result;

	if (private_data_len != 0 && sdpu_any_null(__func__, private_data))
		return DOCA_ERROR_INVALID_VALUE;
	result = request_check(rdma_connection, "doca_rdma_connection_accept");
	if (result != DOCA_SUCCESS)
		return result;
	rdma_connection_limit_time(rdma_connection);
	result = rdma_connection->backend->accept(rdma_connection, private_data, private_data_len);
	if (result != DOCA_SUCCESS)
		sdpu_deadline_close(&rdma_connection->deadline);
	return result == DOCA_ERROR_NO_MEMORY ? sdpu_no_memory(__func__) : result;
}

doca_error_t doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection)
{
	doca_error_t result = request_check(rdma_connection, "doca_rdma_connection_reject");

	if (result != DOCA_SUCCESS)
		return result;
	rdma_connection->backend->reject(rdma_connection);
	rdma_connection_end(rdma_connection);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection)
{
	if (sdpu_any_null(__func__, rdma_connection))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	/* The peer has ended it already, or we are in its callback. */
	if (rdma_connection->state == RDMA_CONNECTION_DISCONNECTED)
		return DOCA_SUCCESS;
	if (rdma_connection->state != RDMA_CONNECTION_CONNECTED || rdma_connection->announce)
		return connection_refuse(rdma_connection, "doca_rdma_connection_disconnect",
					 "established");
	rdma_connection_fail(rdma_connection, DOCA_ERROR_SHUTDOWN);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_connection_get_addr(const struct doca_rdma_connection *rdma_connection,
					   struct doca_rdma_addr **addr)
{
	if (sdpu_any_null(__func__, rdma_connection, addr))
		return DOCA_ERROR_INVALID_VALUE;
	if (rdma_connection->addr == NULL) {
		sdpu_log_err(
			"doca_rdma_connection_get_addr: connection %u was not made by address; "
			"needed: one that doca_rdma_connect_to_addr() made, or its server",
			rdma_connection->id);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*addr = rdma_connection->addr;
	return DOCA_SUCCESS;
}
