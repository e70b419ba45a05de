/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Posting and taking receives; contract in receive.h.
 */
#include "rdma/receive.h"

#include "core/buf.h"

/* Connections that wait for a receive look again, the one that waits longest first. */
static void receive_feed(struct doca_rdma *rdma)
{
	struct sdpu_list *node;

	while (sdpu_unlikely((node = sdpu_list_pop(&rdma->hungry)) != NULL))
		sdpu_source_heat(
			&sdpu_container_of(node, struct doca_rdma_connection, hungry)->source);
}

void rdma_receive_post(struct doca_rdma *rdma, struct doca_rdma_task_receive *task)
{
	sdpu_task_queue_put(&rdma->posted, &task->base);
	sdpu_count(&rdma->num_posted, 1);
	receive_feed(rdma);
}

struct doca_rdma_task_receive *rdma_receive_take(struct doca_rdma *rdma)
{
	sdpu_count(&rdma->num_posted, -1);
	return (struct doca_rdma_task_receive *)sdpu_task_queue_get(&rdma->posted);
}

void rdma_receive_put_back(struct doca_rdma *rdma, struct doca_rdma_task_receive *task)
{
	if (sdpu_task_is_freed(&task->base)) {
		sdpu_task_deliver(&task->base, DOCA_SUCCESS);
		return;
	}
	/* Its room was judged when it was posted, and the bufs are as they were. */
	(void)rdma_vec_of_room(&task->room, rdma, task->dst, RDMA_LIST_MAX);
	task->base.next = rdma->posted.first;
	if (rdma->posted.first == NULL)
		rdma->posted.last = &task->base;
	rdma->posted.first = &task->base;
	sdpu_count(&rdma->num_posted, 1);
	receive_feed(rdma);
}

void rdma_receive_want(struct doca_rdma *rdma, struct doca_rdma_connection *connection)
{
	if (sdpu_list_empty(&connection->hungry))
		sdpu_list_append(&rdma->hungry, &connection->hungry);
}

void rdma_receive_complete(struct doca_rdma_task_receive *task,
			   struct doca_rdma_connection *connection, enum doca_rdma_opcode opcode,
			   doca_be32_t immediate, size_t len)
{
	task->opcode = opcode;
	task->immediate = immediate;
	task->result_len = (uint32_t)len;
	task->connection = connection;
	sdpu_count(&connection->traffic.received_messages, 1);
	sdpu_count(&connection->traffic.received_bytes, len);
	sdpu_buf_append(task->dst, len);
	sdpu_task_deliver(&task->base, DOCA_SUCCESS);
}
