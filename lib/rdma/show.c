/* SPDX-License-Identifier: BSD-3-Clause
 *
 * RDMA as watchers see it; contract in show.h.
 */
#include "rdma/show.h"

#include <stdio.h>

#include "rdma/backend.h"

static const enum softdpu_object_state state_of[] = {
	[RDMA_CONNECTION_DEAD] = SOFTDPU_STATE_ENDED,
	[RDMA_CONNECTION_EXPORTED] = SOFTDPU_STATE_IDLE,
	[RDMA_CONNECTION_REQUESTED] = SOFTDPU_STATE_STARTING,
	[RDMA_CONNECTION_CONNECTING] = SOFTDPU_STATE_STARTING,
	[RDMA_CONNECTION_CONNECTED] = SOFTDPU_STATE_RUNNING,
	[RDMA_CONNECTION_FAILED] = SOFTDPU_STATE_ENDED,
	[RDMA_CONNECTION_DISCONNECTED] = SOFTDPU_STATE_ENDED,
};

static void show_traffic(const struct rdma_traffic *traffic, struct softdpu_object *row)
{
	/* Acquire: then no more are completed than were submitted. */
	row->completed = sdpu_load_acquire(&traffic->completed);
	row->submitted = sdpu_load(&traffic->submitted);
	row->failed = sdpu_load(&traffic->failed);
	row->sent_messages = sdpu_load(&traffic->sent_messages);
	row->sent_bytes = sdpu_load(&traffic->sent_bytes);
	row->received_messages = sdpu_load(&traffic->received_messages);
	row->received_bytes = sdpu_load(&traffic->received_bytes);
}

static void show_backend(const struct rdma_backend *backend, struct softdpu_object *row)
{
	if (backend->carrier == NULL)
		snprintf(row->how, sizeof(row->how), "%s", backend->name);
	else
		snprintf(row->how, sizeof(row->how), "%s over %s", backend->name,
			 backend->carrier());
}

static void connection_show(const struct sdpu_stats *stats, struct softdpu_object *row)
{
	const struct doca_rdma_connection *connection =
		sdpu_container_of(stats, struct doca_rdma_connection, stats);
	const struct rdma_backend *backend = sdpu_load(&connection->backend);

	row->state = state_of[sdpu_load(&connection->state)];
	row->number = connection->id;
	row->peer = sdpu_load(&connection->peer);
	row->engine = connection->rdma->ctx.pe->stats.id;
	show_traffic(&connection->traffic, row);
	if (backend != NULL)
		show_backend(backend, row);
	snprintf(row->name, sizeof(row->name), "%s", connection->peer_address);
}

void rdma_show_enter(struct doca_rdma_connection *connection)
{
	connection->peer_address[0] = '\0';
	if (connection->addr != NULL)
		rdma_address_format(&connection->addr->parsed, connection->peer_address);
	sdpu_stats_set_parent(&connection->stats, &connection->rdma->ctx.stats);
	sdpu_stats_register(&connection->stats, SOFTDPU_OBJECT_RDMA_CONNECTION, connection_show);
}

void rdma_show(const struct doca_ctx *ctx, struct softdpu_object *row)
{
	row->posted = sdpu_load(&sdpu_container_of(ctx, struct doca_rdma, ctx)->num_posted);
}
