/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One RDMA context with its one connection: half of what a bridge thread and a target thread
 * share. Each thread has two, one for IO messages and one for bulk data. Made and destroyed by
 * the control thread; in between it belongs to whoever owns its engine. When the peer dies, the
 * tasks on it end in their error callbacks, and the link is lost, which shows even when there are
 * no tasks, and when a child of the peer keeps its control connection open.
 */
#ifndef STORAGE_RDMA_LINK_H
#define STORAGE_RDMA_LINK_H

#include "fault.h"
#include "wire.h"

#include <doca_dev.h>
#include <doca_pe.h>
#include <doca_rdma.h>

#include <stdatomic.h>
#include <stdbool.h>

struct rdma_link {
	struct doca_rdma *rdma; /* NULL: not made */
	struct doca_pe *pe;	/* borrowed */
	struct doca_rdma_connection *connection;
	enum wire_role role;
	atomic_bool lost; /* set by whoever progresses the engine, read by the thread too */
};

/* Makes the context, idle; the caller may then configure tasks. */
doca_error_t rdma_link_make(struct rdma_link *link, enum wire_role role, struct doca_dev *dev,
			    struct doca_pe *pe, void *user_data, struct fault *fault);

/* Starts the context and exports its connection; *details are valid until it is destroyed. */
doca_error_t rdma_link_start(struct rdma_link *link, struct wire_blob *details,
			     struct fault *fault);

doca_error_t rdma_link_connect(struct rdma_link *link, const struct wire_blob *remote,
			       struct fault *fault);

bool rdma_link_is_running(const struct rdma_link *link);

/* Whether any of a thread's links has ended on the peer's side. */
bool rdma_link_any_is_lost(const struct rdma_link links[WIRE_ROLE_COUNT]);

/* free_tasks(arg) frees the tasks of the context; NULL for none. */
void rdma_link_destroy(struct rdma_link *link, void (*free_tasks)(void *arg), void *arg,
		       struct fault *fault);

const char *wire_role_name(enum wire_role role);

#endif
