/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages over an RDMA connection, in both directions: depth receives that are posted again when
 * `then` has returned, and as many sends.  What arrives is counted, not read, as over a comch_path.
 */
#ifndef BENCH_RDMA_PATH_H
#define BENCH_RDMA_PATH_H

#include "rdma_end.h"

#define RDMA_PATH_MAX_DEPTH 64

struct rdma_path {
	struct rdma_end end;
	uint32_t size;
	uint32_t depth;
	struct memory memory; /* depth receive buffers, then depth send buffers */
	uint64_t received;
	/* For each message, before its receive is posted again; or NULL. */
	void (*then)(struct rdma_path *path);
	uint32_t idle_sends; /* tasks in idle[] */
	struct doca_task *idle[RDMA_PATH_MAX_DEPTH];
};

/* Connects, on an engine of its own if pe is NULL, with messages of the kernel's size; both sides
 * must call it, and so often must the others call bench_sync(): RDMA_PATH_SYNCS. `then` is the
 * caller's. */
#define RDMA_PATH_SYNCS 3
bool rdma_path_open(struct bench *bench, struct doca_pe *pe, uint32_t depth,
		    struct rdma_path *path);
/* Submits one message; false: no send is idle, or the measurement has failed. */
bool rdma_path_send(struct rdma_path *path);
/* For `then`: a message back. */
void rdma_path_answer(struct rdma_path *path);
/* Progress until that is done: one message more is sent; so many have come in all. */
bool rdma_path_send_now(struct rdma_path *path);
bool rdma_path_receive(struct rdma_path *path, uint64_t number);

#endif
