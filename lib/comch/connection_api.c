/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls on the connection handle.
 */
#include <doca_comch.h>

#include "base/log.h"
#include "base/refuse.h"
#include "comch/client.h"
#include "comch/server.h"

doca_error_t doca_comch_connection_set_user_data(struct doca_comch_connection *connection,
						 union doca_data user_data)
{
	if (sdpu_any_null(__func__, connection))
		return DOCA_ERROR_INVALID_VALUE;
	connection->user_data = user_data;
	return DOCA_SUCCESS;
}

union doca_data doca_comch_connection_get_user_data(const struct doca_comch_connection *connection)
{
	const union doca_data none = {.u64 = 0};

	return connection == NULL ? none : connection->user_data;
}

struct doca_comch_server *
doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection)
{
	if (connection == NULL || connection->endpoint == NULL || !connection->endpoint->is_server)
		return NULL;
	return sdpu_container_of(connection->endpoint, struct doca_comch_server, base);
}

struct doca_comch_client *
doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection)
{
	if (connection == NULL || connection->endpoint == NULL || connection->endpoint->is_server)
		return NULL;
	return sdpu_container_of(connection->endpoint, struct doca_comch_client, base);
}

doca_error_t doca_comch_connection_update_info(struct doca_comch_connection *comch_connection)
{
	if (sdpu_any_null(__func__, comch_connection))
		return DOCA_ERROR_INVALID_VALUE;
	if (comch_connection->state != COMCH_CONNECTION_OPEN) {
		sdpu_log_err("doca_comch_connection_update_info: the connection has ended; needed: "
			     "a live one; the counters stay as they were");
		return DOCA_ERROR_CONNECTION_ABORTED;
	}
	comch_connection->counter[DOCA_COMCH_COUNTER_SENT_MESSAGES - 1] =
		comch_connection->tx.messages;
	comch_connection->counter[DOCA_COMCH_COUNTER_SENT_BYTES - 1] = comch_connection->tx.bytes;
	comch_connection->counter[DOCA_COMCH_COUNTER_RECV_MESSAGES - 1] =
		comch_connection->rx.messages;
	comch_connection->counter[DOCA_COMCH_COUNTER_RECV_BYTES - 1] = comch_connection->rx.bytes;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
					       enum doca_comch_counter counter_type,
					       uint64_t *counter_value)
{
	if (sdpu_any_null(__func__, comch_connection, counter_value))
		return DOCA_ERROR_INVALID_VALUE;
	if (counter_type < DOCA_COMCH_COUNTER_SENT_MESSAGES ||
	    counter_type > DOCA_COMCH_COUNTER_RECV_BYTES) {
		sdpu_log_err("doca_comch_connection_get_counter: there is no counter %d; needed: "
			     "one of enum doca_comch_counter",
			     (int)counter_type);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*counter_value = comch_connection->counter[counter_type - 1];
	return DOCA_SUCCESS;
}
