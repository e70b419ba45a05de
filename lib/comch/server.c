/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Server: its life as a context; contract in server.h.
 */
#include "comch/server.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "comch/capability.h"
#include "comch/show.h"

static struct doca_comch_server *server_of(struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct doca_comch_server, base.ctx);
}

/* Polled only after the agent has called: a client is waiting. */
static bool server_poll(struct sdpu_source *source)
{
	struct doca_comch_server *server =
		sdpu_container_of(source, struct doca_comch_server, source);

	if (sdpu_load_acquire(&server->num_waiting) != 0)
		return comch_server_accept(server);
	sdpu_source_park(source);
	return false;
}

static bool server_pending(const struct sdpu_source *source)
{
	const struct doca_comch_server *server =
		sdpu_container_of(source, struct doca_comch_server, source);

	return sdpu_load_acquire(&server->num_waiting) != 0;
}

static doca_error_t server_check(struct doca_ctx *ctx)
{
	struct doca_comch_server *server = server_of(ctx);

	if (server->connected == NULL || server->disconnected == NULL) {
		sdpu_log_err("doca_ctx_start: the doca_comch_server \"%s\" has no connection "
			     "callbacks; needed: call "
			     "doca_comch_server_event_connection_status_changed_register() first",
			     server->base.name);
		return DOCA_ERROR_BAD_CONFIG;
	}
	return comch_endpoint_check(&server->base);
}

static doca_error_t server_start(struct doca_ctx *ctx)
{
	struct doca_comch_server *server = server_of(ctx);
	doca_error_t result = comch_endpoint_open(&server->base);

	if (result != DOCA_SUCCESS)
		return result;
	result = comch_name_claim(sdpu_dev_function(ctx->dev)->pci,
				  sdpu_dev_rep_function(server->rep)->pci, server->base.name,
				  &server->claim);
	if (result == DOCA_ERROR_NO_MEMORY)
		return sdpu_no_memory("doca_ctx_start");
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_source_add(ctx->pe, &server->source);
	comch_server_list(server);
	return DOCA_SUCCESS;
}

static void server_stop(struct doca_ctx *ctx)
{
	struct doca_comch_server *server = server_of(ctx);
	struct sdpu_list *node;

	comch_server_unlist(server);
	sdpu_claim_drop(server->claim);
	server->claim = NULL;
	sdpu_source_remove(&server->source);
	sdpu_list_for_each (node, &server->base.connections)
		comch_connection_end(sdpu_container_of(node, struct doca_comch_connection, node),
				     DOCA_ERROR_SHUTDOWN);
}

/* The handle is valid inside the callback and dead after it. */
static void server_report_end(struct doca_comch_server *server,
			      struct doca_comch_connection *connection)
{
	struct doca_pe *pe = server->base.ctx.pe;

	pe->depth++;
	server->disconnected(NULL, connection, 1);
	pe->depth--;
	/* The callback may have stopped the server, not destroyed it: it is not IDLE while this
	 * connection is listed. */
	comch_connection_forget(connection);
	if (server->base.ctx.state == DOCA_CTX_STATE_STOPPING)
		sdpu_ctx_wake(&server->base.ctx);
}

/* While stopping, connections are reported as ended one by one. */
static bool server_step(struct doca_ctx *ctx)
{
	struct doca_comch_server *server = server_of(ctx);

	if (ctx->state != DOCA_CTX_STATE_STOPPING || sdpu_list_empty(&server->base.connections))
		return false;
	server_report_end(server, sdpu_container_of(server->base.connections.next,
						    struct doca_comch_connection, node));
	return true;
}

static bool server_quiet(struct doca_ctx *ctx)
{
	return sdpu_list_empty(&server_of(ctx)->base.connections);
}

static void server_lost(struct doca_comch_connection *connection)
{
	server_report_end(sdpu_container_of(connection->endpoint, struct doca_comch_server, base),
			  connection);
}

static const struct sdpu_ctx_ops server_ops = {
	.name = "doca_comch_server",
	.kind = SOFTDPU_OBJECT_SERVER,
	.show = comch_show_endpoint,
	.check = server_check,
	.start = server_start,
	.may_stop = comch_endpoint_may_stop,
	.stop = server_stop,
	.step = server_step,
	.quiet = server_quiet,
};

doca_error_t doca_comch_server_create(struct doca_dev *dev, struct doca_dev_rep *repr,
				      const char *name, struct doca_comch_server **comch_server)
{
	struct doca_comch_server *server;
	doca_error_t result;

	if (sdpu_any_null(__func__, dev, repr, name, comch_server))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = comch_server_supported(dev);
	if (result != DOCA_SUCCESS)
		return result;
	server = calloc(1, sizeof(*server));
	if (server == NULL)
		return sdpu_no_memory(__func__);
	result = comch_endpoint_init(&server->base, dev, name, &server_ops);
	if (result != DOCA_SUCCESS) {
		free(server);
		return result;
	}
	server->base.is_server = true;
	server->base.lost = server_lost;
	server->rep = repr;
	sdpu_dev_rep_hold(repr);
	server->source.poll = server_poll;
	server->source.pending = server_pending;
	sdpu_list_init(&server->listed);
	sdpu_list_init(&server->waiting);
	pthread_mutex_init(&server->lock, NULL);
	*comch_server = server;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, comch_server))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = comch_endpoint_fini(&comch_server->base);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_dev_rep_release(comch_server->rep);
	pthread_mutex_destroy(&comch_server->lock);
	free(comch_server);
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
					  struct doca_comch_connection *connection)
{
	if (sdpu_any_null(__func__, comch_server, connection))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (connection->endpoint != &comch_server->base ||
	    connection->state == COMCH_CONNECTION_DEAD) {
		sdpu_log_err("doca_comch_server_disconnect: the connection is not one of this "
			     "server's, or has ended; needed: a live one of it");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (comch_connection_busy(connection)) {
		sdpu_log_err("doca_comch_server_disconnect: producers or consumers run on the "
			     "connection; needed: none; stop them first");
		return DOCA_ERROR_IN_USE;
	}
	/* Inside its disconnect callback the connection has ended already; it is forgotten after
	 * the callback. */
	if (connection->state == COMCH_CONNECTION_OPEN) {
		comch_connection_end(connection, DOCA_ERROR_SHUTDOWN);
		comch_connection_forget(connection);
	}
	return DOCA_SUCCESS;
}
