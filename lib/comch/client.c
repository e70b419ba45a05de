/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Client: its life as a context; contract in client.h.
 */
#include "comch/client.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "comch/capability.h"
#include "comch/show.h"

static struct doca_comch_client *client_of(struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct doca_comch_client, base.ctx);
}

static doca_error_t client_check(struct doca_ctx *ctx)
{
	return comch_endpoint_check(&client_of(ctx)->base);
}

static doca_error_t client_start(struct doca_ctx *ctx)
{
	struct doca_comch_client *client = client_of(ctx);
	doca_error_t result = comch_endpoint_open(&client->base);

	if (result == DOCA_SUCCESS)
		result = sdpu_bell_take_bit(&ctx->pe->bell, &client->bit);
	if (result != DOCA_SUCCESS)
		return result;
	comch_client_connect(client);
	return DOCA_ERROR_IN_PROGRESS;
}

static void client_stop(struct doca_ctx *ctx)
{
	struct doca_comch_client *client = client_of(ctx);

	if (ctx->state == DOCA_CTX_STATE_STARTING)
		comch_client_abandon(client);
	if (client->connection != NULL)
		comch_connection_end(client->connection, DOCA_ERROR_SHUTDOWN);
}

static void client_idle(struct doca_ctx *ctx)
{
	struct doca_comch_client *client = client_of(ctx);

	if (client->connection != NULL)
		comch_connection_forget(client->connection);
	client->connection = NULL;
}

/* The server closed or died; the connection has ended already. */
static void client_lost(struct doca_comch_connection *connection)
{
	sdpu_ctx_fail(&connection->endpoint->ctx);
}

static const struct sdpu_ctx_ops client_ops = {
	.name = "doca_comch_client",
	.kind = SOFTDPU_OBJECT_CLIENT,
	.show = comch_show_endpoint,
	.check = client_check,
	.start = client_start,
	.may_stop = comch_endpoint_may_stop,
	.stop = client_stop,
	.idle = client_idle,
};

doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name,
				      struct doca_comch_client **comch_client)
{
	struct doca_comch_client *client;
	doca_error_t result;

	if (sdpu_any_null(__func__, dev, name, comch_client))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = comch_client_supported(dev);
	if (result != DOCA_SUCCESS)
		return result;
	client = calloc(1, sizeof(*client));
	if (client == NULL)
		return sdpu_no_memory(__func__);
	result = comch_endpoint_init(&client->base, dev, name, &client_ops);
	if (result != DOCA_SUCCESS) {
		free(client);
		return result;
	}
	client->base.lost = client_lost;
	client->sock = -1;
	*comch_client = client;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, comch_client))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = comch_endpoint_fini(&comch_client->base);
	if (result == DOCA_SUCCESS)
		free(comch_client);
	return result;
}

doca_error_t doca_comch_client_get_connection(const struct doca_comch_client *comch_client,
					      struct doca_comch_connection **connection)
{
	if (sdpu_any_null(__func__, comch_client, connection))
		return DOCA_ERROR_INVALID_VALUE;
	/* Not logged: programs poll this to learn whether they are connected. */
	if (comch_client->base.ctx.state != DOCA_CTX_STATE_RUNNING ||
	    comch_client->connection == NULL)
		return DOCA_ERROR_BAD_STATE;
	*connection = comch_client->connection;
	return DOCA_SUCCESS;
}
