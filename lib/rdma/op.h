/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operation: a task that names a connection (send, read, write). All of its kinds have one layout,
 * and one way: it waits in the connection's line until it is first, acts (perhaps in several
 * steps), and completes when it has ended and all begun before it have completed.
 *
 * Owner: as for every task; while submitted the connection's. Thread: the engine's. When the peer
 * dies it ends with CONNECTION_RESET.
 */
#ifndef SDPU_RDMA_OP_H
#define SDPU_RDMA_OP_H

#include <stdbool.h>

#include "bus/window.h"
#include "core/task.h"
#include "rdma/vec.h"

struct doca_rdma;
struct doca_rdma_connection;

enum rdma_op_kind { RDMA_OP_SEND, RDMA_OP_READ, RDMA_OP_WRITE, RDMA_OP_KINDS };

struct rdma_op {
	struct doca_task base; /* status: how it ended */
	struct doca_rdma_connection *connection;
	enum rdma_op_kind kind;
	const struct doca_buf *src;
	struct doca_buf *dst;
	uint32_t result_len;
	/* While submitted. */
	bool begun; /* its arguments were judged; vec and copy are valid */
	bool ended;
	struct sdpu_copy copy; /* read, write */
	struct rdma_vec vec;   /* the local side */
};

struct doca_rdma_task_send {
	struct rdma_op op;
};
struct doca_rdma_task_read {
	struct rdma_op op;
};
struct doca_rdma_task_write {
	struct rdma_op op;
};

/* What act made of an operation. */
enum rdma_step {
	RDMA_STEP_WAIT, /* nothing can be done before the peer has done something */
	RDMA_STEP_MORE, /* call again with the next poll */
	RDMA_STEP_SENT, /* all done on this side; it ends when the peer has answered */
	RDMA_STEP_DONE, /* ended; base.status says how */
};

/* op.c */
doca_error_t rdma_op_conf(struct doca_rdma *rdma, enum rdma_op_kind kind,
			  const struct sdpu_task_ops *ops, sdpu_task_cb completed,
			  sdpu_task_cb failed, uint32_t num);
doca_error_t rdma_op_alloc(struct doca_rdma *rdma, enum rdma_op_kind kind,
			   struct doca_rdma_connection *connection, union doca_data user_data,
			   struct rdma_op **op);
doca_error_t rdma_op_submit(struct doca_task *base);

#endif
