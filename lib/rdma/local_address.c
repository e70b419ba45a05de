/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Local back end: connections by address, from dialling to the program's answer. Afterwards they
 * are joined like any other.
 */
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "rdma/local.h"
#include "rdma/local_port.h"

doca_error_t local_dial(struct doca_rdma_connection *connection, const struct rdma_address *to)
{
	struct local_port port;
	doca_error_t result;

	result = local_port_find(sdpu_dev_function(connection->rdma->ctx.dev), to, &port);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_NOT_FOUND;
	result = local_make(connection);
	if (result != DOCA_SUCCESS)
		return result;
	result = local_join_prepare(connection);
	if (result == DOCA_SUCCESS)
		result = local_call(connection, LOCAL_HELLO_DIAL, port.endpoint, port.cookie);
	if (result == DOCA_SUCCESS)
		rdma_connection_begin(connection, &rdma_local);
	else
		rdma_local.close(connection);
	return result;
}

static doca_error_t send_welcome(const struct doca_rdma_connection *connection,
				 const void *private_data, uint8_t len)
{
	const struct rdma_local *local = connection->local;
	struct local_welcome welcome = {.result = DOCA_SUCCESS,
					.bit = local->bit,
					.permissions = connection->rdma->property.permissions,
					.private_len = len};
	int fds[LOCAL_WELCOME_FDS];

	if (len != 0)
		memcpy(welcome.private_data, private_data, len);
	sdpu_bell_fds(&connection->rdma->ctx.pe->bell, fds);
	return sdpu_sock_send(local->control.watch.fd, &welcome, sizeof(welcome), fds,
			      LOCAL_WELCOME_FDS);
}

doca_error_t local_accept(struct doca_rdma_connection *connection, const void *private_data,
			  uint8_t len)
{
	uint64_t since = sdpu_clock_now();
	doca_error_t result;

	do
		result = send_welcome(connection, private_data, len);
	while (result == DOCA_ERROR_AGAIN && local_try_again(since));
	if (result != DOCA_SUCCESS) {
		sdpu_log_warn("doca_rdma_connection_accept: connection %u: the client (pid %d) %s",
			      connection->id, (int)connection->local->caller->pid,
			      result == DOCA_ERROR_AGAIN ? LOCAL_AGAIN_TEXT : "has gone away");
		return DOCA_ERROR_CONNECTION_ABORTED;
	}
	rdma_connection_begin(connection, &rdma_local);
	local_join_caller(connection, local_request_take(connection->local));
	return DOCA_SUCCESS;
}

void local_reject(struct doca_rdma_connection *connection)
{
	local_caller_refuse(local_request_take(connection->local), DOCA_ERROR_NOT_PERMITTED);
}
