/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queue of asynchronous operations: copies and waits that device code starts. Owner: the user; it
 * holds its DPA context from create to destroy, and is attached to its completion from start to
 * stop. One DPA thread at a time posts; operations are done in their order. If the queue is empty,
 * a copy is done by the thread that posts it. A wait, and what follows it, is done by a thread of
 * the queue, which sleeps while there is none. Stop ends unfinished waits, without an element.
 *
 * async_ops.c (host), async_run.c (the thread), dev_async.c (device functions).
 */
#ifndef SDPU_DPA_ASYNC_OPS_H
#define SDPU_DPA_ASYNC_OPS_H

#include <pthread.h>

#include <doca_sync_event.h>

#include "core/mmap_handle.h"
#include "dpa/completion_object.h"

enum async_op_kind { ASYNC_COPY, ASYNC_WAIT_GT, ASYNC_WAIT_NE };

struct async_op {
	enum async_op_kind kind;
	struct sdpu_dpa_slots *slots; /* one slot is taken; NULL: not reported */

	doca_dpa_dev_mmap_t dst, src; /* of a copy */
	uint64_t dst_addr, src_addr;
	size_t len;

	struct doca_sync_event *event; /* of a wait; held while queued; NULL: destroyed */
	uint64_t value;
};

struct doca_dpa_async_ops {
	struct sdpu_dpa_head head;
	struct doca_dpa *dpa; /* joined */
	struct doca_dpa_completion *comp;
	struct sdpu_dpa_slots *slots;
	enum dpa_member_state state;
	uint32_t user_data;
	uint32_t size; /* a power of two */
	uint32_t told; /* atomic: a dropped operation was logged */
	struct async_op *queue;
	pthread_t thread;
	struct sdpu_mmap_pins pins; /* the thread's */
	uint32_t ending;	    /* atomic: it is to end */

	uint32_t posted
		SDPU_CACHE_ALIGNED; /* atomic: operations queued so far; written by the poster */
	uint32_t asleep;	    /* atomic, futex: the thread sleeps; written by itself */
	uint32_t done
		SDPU_CACHE_ALIGNED; /* atomic: operations done so far; written by the thread */
};

/* async_run.c. SUCCESS, or why it failed. */
doca_error_t dpa_async_run(struct doca_dpa_async_ops *async, const struct async_op *op);
/* Reports its end. */
void dpa_async_finish(struct doca_dpa_async_ops *async, const struct async_op *op,
		      doca_error_t result);
/* Wakes the thread to look at the queue and at `ending`. To be called after a publish with full
 * fence. */
void dpa_async_wake(struct doca_dpa_async_ops *async);
void *dpa_async_main(void *arg);

#endif
