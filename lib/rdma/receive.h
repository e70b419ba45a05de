/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Posted receives of a context. Messages of all its connections take the oldest one; who has a
 * message and finds none says so, and is polled again when one is posted. One that the user freed
 * while it was posted takes no message, and its buffer is not touched. Thread: the engine's. Data
 * path.
 */
#ifndef SDPU_RDMA_RECEIVE_H
#define SDPU_RDMA_RECEIVE_H

#include "rdma/connection.h"
#include "rdma/vec.h"

struct doca_rdma_task_receive {
	struct doca_task base;
	struct doca_buf *dst;
	/* Results; zero until completed with success. */
	enum doca_rdma_opcode opcode;
	uint32_t result_len;
	doca_be32_t immediate;
	const struct doca_rdma_connection *connection;
	/* While posted. */
	struct rdma_vec room;
};

/* The oldest one, or NULL. Those in front of it that were freed go back to their pool. */
static inline struct doca_rdma_task_receive *rdma_receive_oldest(struct doca_rdma *rdma)
{
	while (rdma->posted.first != NULL && sdpu_task_is_freed(rdma->posted.first)) {
		sdpu_count(&rdma->num_posted, -1);
		sdpu_task_deliver(sdpu_task_queue_get(&rdma->posted), DOCA_SUCCESS);
	}
	return (struct doca_rdma_task_receive *)rdma->posted.first;
}

/* op_explain.c: tells why it cannot be posted. */
void rdma_receive_explain(const struct doca_rdma *rdma, const struct doca_buf *dst);
/* The same file: tells that a message of the connection does not fit into its room. */
void rdma_receive_tell_long(const struct doca_rdma_task_receive *task,
			    const struct doca_rdma_connection *connection, uint64_t len);
/* Takes the task, whose room is known. */
void rdma_receive_post(struct doca_rdma *rdma, struct doca_rdma_task_receive *task);
/* Takes the oldest one, which rdma_receive_oldest() has found. */
struct doca_rdma_task_receive *rdma_receive_take(struct doca_rdma *rdma);
/* What was taken and not filled is the oldest again, if it was not freed meanwhile. */
void rdma_receive_put_back(struct doca_rdma *rdma, struct doca_rdma_task_receive *task);
/* The connection has a message for which nothing is posted. */
void rdma_receive_want(struct doca_rdma *rdma, struct doca_rdma_connection *connection);

/* Results of a message of len bytes that lies in its room (of a write with immediate: 0); then
 * delivers it, the last act. */
void rdma_receive_complete(struct doca_rdma_task_receive *task,
			   struct doca_rdma_connection *connection, enum doca_rdma_opcode opcode,
			   doca_be32_t immediate, size_t len);

#endif
