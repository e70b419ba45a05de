/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory and places of connections; contract in connection.h.
 */
#include <stdlib.h>

#include "rdma/connection.h"

/* Failed, and the user was told all of it: its place may be taken. */
static bool connection_is_spent(const struct doca_rdma_connection *connection)
{
	return (connection->state == RDMA_CONNECTION_FAILED ||
		connection->state == RDMA_CONNECTION_DISCONNECTED) &&
	       connection->source.state == SDPU_SOURCE_OFF;
}

static bool connection_is_dead(const struct doca_rdma_connection *connection)
{
	return connection->state == RDMA_CONNECTION_DEAD;
}

static struct doca_rdma_connection *connection_make(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *connection = calloc(1, sizeof(*connection));

	if (connection == NULL)
		return NULL;
	connection->rdma = rdma;
	connection->id = rdma->num_connections++;
	rdma_connection_init(connection);
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
	connection->traffic = (struct rdma_traffic){0};
	connection->peer = 0;
	connection->told = false;
	*out = connection;
	return DOCA_SUCCESS;
}

void rdma_connection_free_all(struct doca_rdma *rdma)
{
	struct sdpu_list *node;

	while ((node = sdpu_list_pop(&rdma->connections)) != NULL)
		free(sdpu_container_of(node, struct doca_rdma_connection, node));
}
