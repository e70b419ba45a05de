/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What server and client have in common; contract in endpoint.h.
 */
#include "comch/endpoint.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "comch/connection.h"
#include "comch/task_send.h"

#define COMCH_DEFAULT_RECV_QUEUE 64

static const struct sdpu_limits *endpoint_limits(const struct comch_endpoint *endpoint)
{
	return sdpu_dev_function(endpoint->ctx.dev)->limits;
}

doca_error_t comch_endpoint_init(struct comch_endpoint *endpoint, struct doca_dev *dev,
				 const char *name, const struct sdpu_ctx_ops *ops)
{
	const struct sdpu_limits *limits = sdpu_dev_function(dev)->limits;
	size_t len = strnlen(name, SDPU_COMCH_NAME_MAX);

	if (len == 0 || len >= limits->comch_max_name_len || len >= SDPU_COMCH_NAME_MAX) {
		sdpu_log_err("%s_create: a server name of %zu characters; needed: 1 to %u "
			     "(doca_comch_cap_get_max_name_len(), the NUL counted)",
			     ops->name, len, limits->comch_max_name_len - 1);
		return DOCA_ERROR_INVALID_VALUE;
	}
	memcpy(endpoint->name, name, len + 1);
	endpoint->max_msg_size = limits->comch_max_msg_size;
	endpoint->recv_queue_size = COMCH_DEFAULT_RECV_QUEUE;
	if (endpoint->recv_queue_size > limits->comch_max_recv_queue)
		endpoint->recv_queue_size = limits->comch_max_recv_queue;
	sdpu_list_init(&endpoint->connections);
	sdpu_list_init(&endpoint->dead);
	sdpu_ctx_init(&endpoint->ctx, ops, dev);
	return DOCA_SUCCESS;
}

doca_error_t comch_endpoint_fini(struct comch_endpoint *endpoint)
{
	doca_error_t result = sdpu_ctx_fini(&endpoint->ctx);

	if (result != DOCA_SUCCESS)
		return result;
	comch_connection_release_dead(endpoint);
	sdpu_task_pool_close(&endpoint->sends);
	free(endpoint->message);
	return DOCA_SUCCESS;
}

doca_error_t comch_endpoint_check(struct comch_endpoint *endpoint)
{
	const char *missing = NULL;

	if (endpoint->sends.num == 0)
		missing = "task_send_set_conf";
	else if (endpoint->received == NULL)
		missing = "event_msg_recv_register";
	if (missing == NULL)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_ctx_start: the %s \"%s\" lacks a configuration; needed: call %s_%s() "
		     "first",
		     endpoint->ctx.ops->name, endpoint->name, endpoint->ctx.ops->name, missing);
	return DOCA_ERROR_BAD_CONFIG;
}

doca_error_t comch_endpoint_open(struct comch_endpoint *endpoint)
{
	/* Receive the largest possible message: our own limit says nothing of the peer's. */
	if (endpoint->message == NULL)
		endpoint->message = malloc(UINT16_MAX + 1);
	if (endpoint->message == NULL)
		return sdpu_no_memory("doca_ctx_start");
	return sdpu_task_pool_open(&endpoint->sends);
}

doca_error_t comch_endpoint_may_stop(struct doca_ctx *ctx)
{
	struct comch_endpoint *endpoint = sdpu_container_of(ctx, struct comch_endpoint, ctx);
	struct sdpu_list *node;

	sdpu_list_for_each (node, &endpoint->connections) {
		if (!comch_connection_busy(
			    sdpu_container_of(node, struct doca_comch_connection, node)))
			continue;
		sdpu_log_err("doca_ctx_stop: producers or consumers of a connection of %s \"%s\" "
			     "run; needed: none; stop them first",
			     ctx->ops->name, endpoint->name);
		return DOCA_ERROR_IN_USE;
	}
	return DOCA_SUCCESS;
}

static doca_error_t endpoint_set_size(struct comch_endpoint *endpoint, uint32_t size, uint32_t max,
				      uint32_t *field, const char *call)
{
	doca_error_t result = sdpu_ctx_configurable(&endpoint->ctx, call);

	if (result != DOCA_SUCCESS)
		return result;
	if (size == 0 || size > max) {
		sdpu_log_err("%s: %u; needed: 1 to %u", call, size, max);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*field = size;
	return DOCA_SUCCESS;
}

doca_error_t comch_endpoint_set_max_msg_size(struct comch_endpoint *endpoint, uint32_t size,
					     const char *call)
{
	doca_error_t result =
		endpoint_set_size(endpoint, size, endpoint_limits(endpoint)->comch_max_msg_size,
				  &endpoint->max_msg_size, call);

	if (result == DOCA_SUCCESS)
		endpoint->max_msg_size_set = true;
	return result;
}

doca_error_t comch_endpoint_set_recv_queue_size(struct comch_endpoint *endpoint, uint32_t size,
						const char *call)
{
	return endpoint_set_size(endpoint, size, endpoint_limits(endpoint)->comch_max_recv_queue,
				 &endpoint->recv_queue_size, call);
}

doca_error_t comch_endpoint_set_received(struct comch_endpoint *endpoint,
					 doca_comch_event_msg_recv_cb_t received, const char *call)
{
	doca_error_t result = sdpu_ctx_configurable(&endpoint->ctx, call);

	if (result == DOCA_SUCCESS)
		endpoint->received = received;
	return result;
}

doca_error_t comch_endpoint_set_consumer_events(struct comch_endpoint *endpoint,
						doca_comch_event_consumer_cb_t came,
						doca_comch_event_consumer_cb_t went,
						const char *call)
{
	doca_error_t result = sdpu_ctx_configurable(&endpoint->ctx, call);

	if (result != DOCA_SUCCESS)
		return result;
	endpoint->consumer_came = came;
	endpoint->consumer_went = went;
	return DOCA_SUCCESS;
}
