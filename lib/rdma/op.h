/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operation: a task that names a connection (all of RDMA's but the receive). All of its kinds have
 * one layout, and one way: it waits in the connection's send queue until it is first, is validated,
 * acts (perhaps in several steps), and completes when it has ended and all begun before it have
 * completed.
 *
 * Owner: as for every task; while submitted the connection's. Thread: the engine's. When the peer
 * dies it ends with CONNECTION_RESET.
 */
#ifndef SDPU_RDMA_OP_H
#define SDPU_RDMA_OP_H

#include <stdbool.h>

#include "bus/blob.h"
#include "bus/window.h"
#include "core/task.h"
#include "rdma/vec.h"

struct doca_rdma;
struct doca_rdma_connection;
struct doca_sync_event_remote_net;

enum rdma_op_kind {
	/* Messages. */
	RDMA_OP_SEND,
	RDMA_OP_SEND_IMM,
	/* Moves between local memory and the peer's; the last one is a message as well. */
	RDMA_OP_READ,
	RDMA_OP_WRITE,
	RDMA_OP_WRITE_IMM,
	/* One operation on 8 bytes of the peer's. */
	RDMA_OP_CMP_SWP,
	RDMA_OP_FETCH_ADD,
	RDMA_OP_EVENT_GET,
	RDMA_OP_EVENT_SET,
	RDMA_OP_EVENT_ADD,
	RDMA_OP_KINDS,
};

/* The remote side, validated; the same for every back end. */
struct rdma_remote {
	struct sdpu_reach *reach; /* this machine's way there; NULL: foreign memory, or none */
	const struct sdpu_blob
		*source; /* key and range, as the export says; NULL: no remote side */
	uint64_t addr;
	size_t len;    /* bytes that are moved; 0: only the verdict counts */
	uint32_t need; /* DOCA_ACCESS_FLAG_RDMA_*: of the peer's context and of the memory */
	enum sdpu_atomic_kind atomic; /* of the atomic kinds: what is done there */
};

/* What the user names in allocate_init and may replace later; as in struct rdma_op. */
struct rdma_op_args {
	const struct doca_buf *src;
	struct doca_buf *dst;
	struct doca_buf *result;
	const struct doca_sync_event_remote_net *event;
	uint64_t operand;
	uint64_t compare;
	doca_be32_t immediate;
};

struct rdma_op {
	struct doca_task base; /* status: how it ended */
	struct doca_rdma_connection *connection;
	enum rdma_op_kind kind;
	doca_be32_t immediate;	    /* SEND_IMM, WRITE_IMM */
	const struct doca_buf *src; /* what is sent, read (remote), written, set */
	struct doca_buf *dst;	    /* of READ and EVENT_GET local; else remote */
	struct doca_buf *result;    /* local: the old value of CMP_SWP, FETCH_ADD, EVENT_ADD */
	const struct doca_sync_event_remote_net *event;
	uint64_t operand; /* added or swapped in; EVENT_SET: stored, read from src when validated */
	uint64_t compare; /* CMP_SWP */
	uint32_t result_len;
	/* While submitted. */
	bool begun; /* it was validated, and found good; all below is valid */
	bool ended;
	struct rdma_remote remote;
	union { /* the local back end's */
		struct sdpu_copy copy;
		struct sdpu_atomic atomic;
	};
	struct rdma_vec vec; /* the local side: source or destination; last, it is long */
};

struct doca_rdma_task_send {
	struct rdma_op op;
};
struct doca_rdma_task_send_imm {
	struct rdma_op op;
};
struct doca_rdma_task_read {
	struct rdma_op op;
};
struct doca_rdma_task_write {
	struct rdma_op op;
};
struct doca_rdma_task_write_imm {
	struct rdma_op op;
};
struct doca_rdma_task_atomic_cmp_swp {
	struct rdma_op op;
};
struct doca_rdma_task_atomic_fetch_add {
	struct rdma_op op;
};
struct doca_rdma_task_remote_net_sync_event_get {
	struct rdma_op op;
};
struct doca_rdma_task_remote_net_sync_event_notify_set {
	struct rdma_op op;
};
struct doca_rdma_task_remote_net_sync_event_notify_add {
	struct rdma_op op;
};

/* What act made of an operation. */
enum rdma_step {
	RDMA_STEP_WAIT, /* nothing can be done before the peer has done something */
	RDMA_STEP_MORE, /* call again with the next poll */
	RDMA_STEP_SENT, /* all done on this side; it ends when the peer has answered */
	RDMA_STEP_DONE, /* ended; base.status says how */
};

static inline bool rdma_op_is_message(const struct rdma_op *op)
{
	return op->kind <= RDMA_OP_SEND_IMM;
}
static inline bool rdma_op_is_atomic(const struct rdma_op *op)
{
	return op->kind >= RDMA_OP_CMP_SWP;
}

/* op.c */
doca_error_t rdma_op_conf(struct doca_rdma *rdma, enum rdma_op_kind kind,
			  const struct sdpu_task_ops *ops, sdpu_task_cb completed,
			  sdpu_task_cb failed, uint32_t num);
/* `task` is where the handle goes, a pointer to a pointer to the kind's own type. */
doca_error_t rdma_op_alloc(struct doca_rdma *rdma, enum rdma_op_kind kind,
			   struct doca_rdma_connection *connection, union doca_data user_data,
			   const struct rdma_op_args *args, void *task);
doca_error_t rdma_op_submit(struct doca_task *base);
void rdma_op_freed(struct doca_task *base);

/*
 * op_validate.c, for back ends, of a connected connection and a task that the user has not freed.
 * Fills remote and vec, and operand of EVENT_SET. INVALID_VALUE: bufs, lengths, lists;
 * NOT_PERMITTED: the peer's context does not allow it, or it leaves the remote buf. What only the
 * memory's owner knows (its permissions, that it is still there) is for who acts.
 */
doca_error_t rdma_op_validate(struct rdma_op *op);
/* What the atomic kinds do, in the terms of memory windows; zeroes the rest. */
void rdma_op_to_atomic(const struct rdma_op *op, struct sdpu_atomic *atomic);

/* op_explain.c: tells what is wrong with one that fails; silent about what others have told. */
void rdma_op_explain(const struct rdma_op *op, doca_error_t status);

/* It has ended: the status, and with SUCCESS the results and what bufs now hold. Of the atomic
 * kinds for errors only. */
void rdma_op_finish(struct rdma_op *op, doca_error_t status);
/* Of an atomic kind; `value` is what was there before. */
void rdma_op_finish_atomic(struct rdma_op *op, doca_error_t status, uint64_t value);

#endif
