/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The storage target: owns the storage memory. For a read it writes storage into the initiator's
 * memory by RDMA, for a write it reads the initiator's memory into storage.
 *
 *	target_main.c     the program
 *	target_control.c  the phases: what the control thread does, in order
 *	target_thread.c   the objects of a data path thread
 *	target_io.c       the data path: what a thread does with IO messages
 */
#ifndef STORAGE_TARGET_H
#define STORAGE_TARGET_H

#include "app.h"
#include "control_tcp.h"
#include "message_pool.h"
#include "rdma_link.h"
#include "stats.h"
#include "storage_file.h"
#include "target_options.h"

#define TARGET_PROGRAM_NAME "doca_storage_zero_copy_target_rdma"

struct target;
struct target_thread;

/* What a transfer waits for. There is one transfer per message buffer of a thread. */
enum target_transfer_state {
	TARGET_TRANSFER_RECEIVING, /* its receive is posted: the next IO message */
	TARGET_TRANSFER_MOVING,	   /* the bulk data */
	TARGET_TRANSFER_ANSWERING, /* the bridge to take the answer */
};

/* One operation: message, bulk transfer, answer. All tasks carry it as user data. */
struct target_transfer {
	enum target_transfer_state state;
	struct target_thread *thread;
	uint32_t index;		      /* of its message and buf in the pool */
	struct doca_buf *storage_buf; /* all of the thread's storage ... */
	struct doca_buf *host_buf;    /* ... and of the initiator's memory; data set per transfer */
	struct doca_rdma_task_receive *receive;
	struct doca_rdma_task_read *read;   /* serves a write */
	struct doca_rdma_task_write *write; /* serves a read */
	struct doca_rdma_task_send *send;
};

struct target_thread {
	struct worker worker; /* first: the worker's body gets it */
	struct target *target;
	struct message_pool pool;
	struct memory_region storage; /* unused when the storage is a file */
	uint8_t *storage_base;
	struct doca_mmap *storage_mmap;
	struct doca_mmap *host_mmap; /* import of the initiator's memory */
	uint8_t *host_base;	     /* its address in the initiator, never dereferenced */
	struct rdma_link links[WIRE_ROLE_COUNT];
	struct target_transfer *transfers; /* one per message */
	uint32_t in_flight;		   /* transfers that are not RECEIVING */
	doca_error_t failure;		   /* first transfer that failed */
	bool closing;			   /* being destroyed: completions are left alone */
	struct stats_thread stats;
};

struct target {
	struct app app; /* first */
	struct target_options options;
	struct doca_dev *dev;
	struct control_tcp bridge;
	struct storage_file file;
	uint32_t buffer_count;
	uint32_t buffer_size;
	size_t region_size; /* of the initiator's memory, all threads */
	struct target_thread *threads;
	struct stats_thread stats[OPTIONS_CPU_MAX]; /* kept when the threads are destroyed */
	struct stats_thread total;
	uint64_t started, ended; /* data path */
};

extern const struct app_program target_program;

/* Objects of one thread, step by step; each raises the fault on failure. */
doca_error_t target_thread_make(struct target_thread *thread, const struct wire_blob *host);
doca_error_t target_thread_make_engine(struct target_thread *thread);
doca_error_t target_thread_make_link(struct target_thread *thread, enum wire_role role,
				     struct wire_blob *details);
doca_error_t target_thread_make_tasks(struct target_thread *thread);
void target_thread_destroy(struct target_thread *thread);

/* The data path of one thread. */
void target_thread_body(struct worker *worker);
doca_error_t target_configure_tasks(struct target_thread *thread, enum wire_role role);

#endif
