/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bridge, on the DPU: stands between initiator and target, so that the initiator needs to
 * know nothing of the target. It forwards control messages and IO messages in both directions
 * and re-exports the initiator's memory; it never touches the bulk data.
 *
 *	bridge_main.c     the program
 *	bridge_control.c  the phases: what the control thread does, in order
 *	bridge_connect.c  the RDMA connections of a thread, negotiated with the target
 *	bridge_thread.c   the objects of a data path thread
 *	bridge_io.c       the data path: what a thread does with IO messages
 */
#ifndef STORAGE_BRIDGE_H
#define STORAGE_BRIDGE_H

#include "app.h"
#include "batch.h"
#include "bridge_options.h"
#include "comch_link.h"
#include "control_comch.h"
#include "control_tcp.h"
#include "message_pool.h"
#include "rdma_link.h"
#include "stats.h"

#define BRIDGE_PROGRAM_NAME "doca_storage_zero_copy_comch_to_rdma"

struct bridge;
struct bridge_thread;

/* A buffer on the way from initiator to target: received, forwarded, received again. */
struct bridge_request {
	struct bridge_thread *thread;
	struct doca_buf *buf; /* shared by both tasks, which are never under way together */
	struct doca_comch_consumer_task_post_recv *receive;
	struct doca_rdma_task_send *forward;
};

/* A buffer on the way from target to initiator: received, relayed, received again. */
struct bridge_answer {
	struct bridge_thread *thread;
	uint32_t index; /* of its message and buf in the pool */
	struct doca_rdma_task_receive *receive;
	struct doca_comch_producer_task_send *relay;
};

struct bridge_thread {
	struct worker worker; /* first: the worker's body gets it */
	struct bridge *bridge;
	struct message_pool pool; /* first all requests, then all answers */
	struct comch_link comch;
	/* The data link hangs on the control engine: it is passive and not progressed here. */
	struct rdma_link links[WIRE_ROLE_COUNT];
	struct bridge_request *requests;
	struct bridge_answer *answers;
	struct batch batch;
	uint32_t relaying;    /* answers that the initiator has not taken yet */
	doca_error_t failure; /* first task that failed */
	bool closing;	      /* being destroyed: completions are left alone */
	struct stats_thread stats;
};

struct bridge {
	struct app app; /* first */
	struct bridge_options options;
	struct doca_dev *dev;
	struct doca_dev_rep *rep;
	struct doca_pe *pe; /* control engine */
	struct control_comch initiator;
	struct control_tcp target;
	struct doca_mmap *host_mmap; /* import of the initiator's memory, exported again */
	uint32_t buffer_count;
	uint32_t buffer_size;
	uint32_t batch_size;
	struct bridge_thread *threads;
	struct stats_thread stats[OPTIONS_CPU_MAX]; /* kept when the threads are destroyed */
	struct stats_thread total;
	uint64_t started, ended; /* data path */
};

extern const struct app_program bridge_program;

/* Objects of one thread, step by step; each raises the fault on failure. */
doca_error_t bridge_thread_make(struct bridge_thread *thread);
doca_error_t bridge_thread_make_tasks(struct bridge_thread *thread);
void bridge_thread_destroy(struct bridge_thread *thread);

/* Both RDMA connections of a thread; id is that of the message that made it necessary. */
doca_error_t bridge_thread_connect(struct bridge_thread *thread, uint32_t id);

/* The data path of one thread. */
void bridge_thread_body(struct worker *worker);
doca_error_t bridge_configure_ctrl_tasks(struct bridge_thread *thread);
void bridge_fill_consumer_conf(struct bridge_thread *thread, struct comch_link_consumer_conf *conf);
void bridge_fill_producer_conf(struct bridge_thread *thread, struct comch_link_producer_conf *conf);

static inline uint32_t bridge_num_requests(const struct bridge *bridge)
{
	return bridge->buffer_count + bridge->batch_size;
}

#endif
