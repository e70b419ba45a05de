/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sending control messages; contract in task_send.h.
 */
#include "comch/task_send.h"

#include "base/log.h"
#include "comch/connection.h"
#include "comch/endpoint.h"

/* The memory of dead connections is kept, so that an old handle can be looked at. */
static bool endpoint_owns(const struct comch_endpoint *endpoint,
			  const struct doca_comch_connection *connection)
{
	return connection->endpoint == endpoint && connection->state == COMCH_CONNECTION_OPEN;
}

__attribute__((cold, noinline)) static doca_error_t
refuse_peer(const struct comch_endpoint *endpoint)
{
	sdpu_log_err(
		"doca_task_submit: the doca_comch_task_send is for a connection that is not of "
		"its %s, or has ended; needed: one that is; free the task, and allocate one "
		"for a live connection",
		endpoint->ctx.ops->name);
	return DOCA_ERROR_NOT_CONNECTED;
}

static doca_error_t task_send_submit(struct doca_task *base)
{
	struct doca_comch_task_send *task = (struct doca_comch_task_send *)base;
	struct comch_endpoint *endpoint = sdpu_container_of(base->ctx, struct comch_endpoint, ctx);
	struct doca_comch_connection *peer = task->peer;
	doca_error_t result;

	if (sdpu_unlikely(!endpoint_owns(endpoint, peer)))
		return refuse_peer(endpoint);
	/* Before our message: it may answer the one whose callback we are in. */
	(void)comch_rx_ack(&peer->rx);
	result = comch_tx_send(&peer->tx, task->message, task->len);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return DOCA_ERROR_AGAIN;
	sdpu_task_queue_put(&peer->sent, base);
	sdpu_channel_ring(&peer->channel);
	return DOCA_SUCCESS;
}

static const struct sdpu_task_ops server_ops = {
	.name = "doca_comch_server_task_send",
	.submit = task_send_submit,
};

static const struct sdpu_task_ops client_ops = {
	.name = "doca_comch_client_task_send",
	.submit = task_send_submit,
};

doca_error_t comch_endpoint_conf_sends(struct comch_endpoint *endpoint,
				       doca_comch_task_send_completion_cb_t completed,
				       doca_comch_task_send_completion_cb_t failed, uint32_t num)
{
	return sdpu_task_pool_conf(
		&endpoint->sends, &endpoint->ctx, endpoint->is_server ? &server_ops : &client_ops,
		sizeof(struct doca_comch_task_send), (sdpu_task_cb)completed, (sdpu_task_cb)failed,
		num, sdpu_dev_function(endpoint->ctx.dev)->limits->comch_max_send_tasks);
}

/* Logs why there is no task, or what was wrong with the arguments. */
__attribute__((cold, noinline)) static doca_error_t refuse_alloc(struct comch_endpoint *endpoint,
								 uint32_t len, doca_error_t result)
{
	const char *call = endpoint->is_server ? "doca_comch_server_task_send_alloc_init"
					       : "doca_comch_client_task_send_alloc_init";

	if (result != DOCA_ERROR_INVALID_VALUE)
		return sdpu_task_alloc_refused(call, &endpoint->ctx, &endpoint->sends, result);
	if (len == 0 || len > endpoint->max_msg_size)
		sdpu_log_err("%s: a message of %u bytes; needed: 1 to %u (%s_set_max_msg_size())",
			     call, len, endpoint->max_msg_size, endpoint->ctx.ops->name);
	else
		sdpu_log_err("%s: the connection is not of this %s, or has ended; needed: a live "
			     "one of it",
			     call, endpoint->ctx.ops->name);
	return result;
}

doca_error_t comch_endpoint_alloc_send(struct comch_endpoint *endpoint,
				       struct doca_comch_connection *peer, const void *msg,
				       uint32_t len, struct doca_comch_task_send **out)
{
	const union doca_data none = {.u64 = 0};
	struct doca_comch_task_send *task;
	struct doca_task *base;
	doca_error_t result;

	if (sdpu_unlikely(endpoint->ctx.state != DOCA_CTX_STATE_RUNNING))
		return refuse_alloc(endpoint, len, DOCA_ERROR_BAD_STATE);
	if (sdpu_unlikely(len == 0 || len > endpoint->max_msg_size ||
			  !endpoint_owns(endpoint, peer)))
		return refuse_alloc(endpoint, len, DOCA_ERROR_INVALID_VALUE);
	result = sdpu_task_alloc(&endpoint->sends, none, &base);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return refuse_alloc(endpoint, len, result);
	task = (struct doca_comch_task_send *)base;
	task->peer = peer;
	task->message = msg;
	task->len = len;
	*out = task;
	return DOCA_SUCCESS;
}

struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task)
{
	return task == NULL ? NULL : &task->base;
}
