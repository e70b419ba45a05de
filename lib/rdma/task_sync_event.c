/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_rdma_task_remote_net_sync_event_*: the public face of operations on sync events of peers.
 */
#include "rdma/op_api.h"

OP_TYPE(remote_net_sync_event_get, RDMA_OP_EVENT_GET)
OP_FIELD(remote_net_sync_event_get, const struct doca_sync_event_remote_net *, sync_event, event)
OP_FIELD(remote_net_sync_event_get, struct doca_buf *, dst_buf, dst)
OP_RESULT_LEN(remote_net_sync_event_get)

doca_error_t doca_rdma_task_remote_net_sync_event_get_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf,
	union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_get **task)
{
	const struct rdma_op_args args = {.event = event, .dst = dst_buf};

	return rdma_op_alloc(rdma, RDMA_OP_EVENT_GET, rdma_connection, user_data, &args, task);
}

OP_TYPE(remote_net_sync_event_notify_set, RDMA_OP_EVENT_SET)
OP_FIELD(remote_net_sync_event_notify_set, struct doca_sync_event_remote_net *, sync_event, event)
OP_FIELD(remote_net_sync_event_notify_set, const struct doca_buf *, src_buf, src)

doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_sync_event_remote_net *event, const struct doca_buf *src_buf,
	union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_set **task)
{
	const struct rdma_op_args args = {.event = event, .src = src_buf};

	return rdma_op_alloc(rdma, RDMA_OP_EVENT_SET, rdma_connection, user_data, &args, task);
}

OP_TYPE(remote_net_sync_event_notify_add, RDMA_OP_EVENT_ADD)
OP_FIELD(remote_net_sync_event_notify_add, struct doca_sync_event_remote_net *, sync_event, event)
OP_FIELD(remote_net_sync_event_notify_add, struct doca_buf *, result_buf, result)
OP_FIELD(remote_net_sync_event_notify_add, uint64_t, add_data, operand)

doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_sync_event_remote_net *event, struct doca_buf *result_buf, uint64_t add_data,
	union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_add **task)
{
	const struct rdma_op_args args = {
		.event = event, .result = result_buf, .operand = add_data};

	return rdma_op_alloc(rdma, RDMA_OP_EVENT_ADD, rdma_connection, user_data, &args, task);
}
