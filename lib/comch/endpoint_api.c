/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Setters, getters and views of doca_comch_server and doca_comch_client: NULL checks, then
 * endpoint.c.
 */
#include <doca_comch.h>

#include "base/refuse.h"
#include "comch/client.h"
#include "comch/server.h"

/* One call for each of the two kinds; their first member is the endpoint. */
#define COMCH_SET_SIZE(kind, what)                                                                 \
	doca_error_t doca_comch_##kind##_set_##what(struct doca_comch_##kind *comch_##kind,        \
						    uint32_t size)                                 \
	{                                                                                          \
		if (sdpu_any_null(__func__, comch_##kind))                                         \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		return comch_endpoint_set_##what(&comch_##kind->base, size, __func__);             \
	}                                                                                          \
	doca_error_t doca_comch_##kind##_get_##what(const struct doca_comch_##kind *comch_##kind,  \
						    uint32_t *size)                                \
	{                                                                                          \
		if (sdpu_any_null(__func__, comch_##kind, size))                                   \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		*size = comch_##kind->base.what;                                                   \
		return DOCA_SUCCESS;                                                               \
	}

COMCH_SET_SIZE(server, max_msg_size)
COMCH_SET_SIZE(client, max_msg_size)
COMCH_SET_SIZE(server, recv_queue_size)
COMCH_SET_SIZE(client, recv_queue_size)

#define COMCH_COMMON(kind)                                                                         \
	struct doca_ctx *doca_comch_##kind##_as_ctx(struct doca_comch_##kind *comch_##kind)        \
	{                                                                                          \
		return comch_##kind == NULL ? NULL : &comch_##kind->base.ctx;                      \
	}                                                                                          \
	doca_error_t doca_comch_##kind##_get_device(const struct doca_comch_##kind *comch_##kind,  \
						    struct doca_dev **dev)                         \
	{                                                                                          \
		if (sdpu_any_null(__func__, comch_##kind, dev))                                    \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		*dev = comch_##kind->base.ctx.dev;                                                 \
		return DOCA_SUCCESS;                                                               \
	}                                                                                          \
	doca_error_t doca_comch_##kind##_task_send_set_conf(                                       \
		struct doca_comch_##kind *comch_##kind,                                            \
		doca_comch_task_send_completion_cb_t task_completion_cb,                           \
		doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)       \
	{                                                                                          \
		if (sdpu_any_null(__func__, comch_##kind))                                         \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		return comch_endpoint_conf_sends(&comch_##kind->base, task_completion_cb,          \
						 task_error_cb, num_send_tasks);                   \
	}                                                                                          \
	doca_error_t doca_comch_##kind##_task_send_alloc_init(                                     \
		struct doca_comch_##kind *comch_##kind, struct doca_comch_connection *peer,        \
		const void *msg, uint32_t len, struct doca_comch_task_send **task)                 \
	{                                                                                          \
		if (sdpu_has_null(comch_##kind, peer, msg, task))                                  \
			return sdpu_refuse_null(__func__, comch_##kind, peer, msg, task);          \
		return comch_endpoint_alloc_send(&comch_##kind->base, peer, msg, len, task);       \
	}                                                                                          \
	doca_error_t doca_comch_##kind##_event_msg_recv_register(                                  \
		struct doca_comch_##kind *comch_##kind,                                            \
		doca_comch_event_msg_recv_cb_t recv_event_cb)                                      \
	{                                                                                          \
		if (sdpu_any_null(__func__, comch_##kind, recv_event_cb))                          \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		return comch_endpoint_set_received(&comch_##kind->base, recv_event_cb, __func__);  \
	}                                                                                          \
	doca_error_t doca_comch_##kind##_event_consumer_register(                                  \
		struct doca_comch_##kind *comch_##kind,                                            \
		doca_comch_event_consumer_cb_t new_consumer_event_cb,                              \
		doca_comch_event_consumer_cb_t expired_consumer_event_cb)                          \
	{                                                                                          \
		if (sdpu_any_null(__func__, comch_##kind, new_consumer_event_cb,                   \
				  expired_consumer_event_cb))                                      \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		return comch_endpoint_set_consumer_events(&comch_##kind->base,                     \
							  new_consumer_event_cb,                   \
							  expired_consumer_event_cb, __func__);    \
	}

COMCH_COMMON(server)
COMCH_COMMON(client)

doca_error_t doca_comch_server_get_device_rep(const struct doca_comch_server *comch_server,
					      struct doca_dev_rep **rep)
{
	if (sdpu_any_null(__func__, comch_server, rep))
		return DOCA_ERROR_INVALID_VALUE;
	*rep = comch_server->rep;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_get_device_repr(const struct doca_comch_server *comch_server,
					       struct doca_dev_rep **rep)
{
	return sdpu_any_null(__func__, comch_server, rep)
		       ? DOCA_ERROR_INVALID_VALUE
		       : (*rep = comch_server->rep, DOCA_SUCCESS);
}

static doca_error_t
server_set_connection_events(struct doca_comch_server *comch_server,
			     doca_comch_event_connection_status_changed_cb_t connect_event_cb,
			     doca_comch_event_connection_status_changed_cb_t disconnect_event_cb,
			     const char *call)
{
	doca_error_t result;

	if (sdpu_any_null(call, comch_server, connect_event_cb, disconnect_event_cb))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_ctx_configurable(&comch_server->base.ctx, call);
	if (result != DOCA_SUCCESS)
		return result;
	comch_server->connected = connect_event_cb;
	comch_server->disconnected = disconnect_event_cb;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_event_connection_status_changed_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb)
{
	return server_set_connection_events(comch_server, connect_event_cb, disconnect_event_cb,
					    __func__);
}

doca_error_t doca_comch_server_event_connection_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb)
{
	return server_set_connection_events(comch_server, connect_event_cb, disconnect_event_cb,
					    __func__);
}
