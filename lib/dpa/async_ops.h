/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queue of asynchronous operations: copies and waits that device code starts. Owner: the user; it
 * holds its DPA context from create to destroy, and is attached to its completion from start to
 * stop. One DPA thread at a time posts; operations are done in their order. A copy with nothing
 * before it is done by who posts it; a wait, and what follows it, by a thread of the queue's own,
 * which sleeps while there is none. Stop ends waits that go on, without an element.
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
	struct sdpu_dpa_slots *slots; /* one is taken; NULL: it is not reported */

	doca_dpa_dev_mmap_t dst, src; /* of a copy */
	uint64_t dst_addr, src_addr;
	size_t len;

	struct doca_sync_event *event; /* of a wait; held while queued; NULL: it is no more */
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
	uint32_t told; /* atomic: that an operation was dropped was logged */
	struct async_op *queue;
	pthread_t thread;
	struct sdpu_mmap_pins pins; /* the thread's */
	uint32_t ending;	    /* atomic: it is to end */

	uint32_t posted SDPU_CACHE_ALIGNED; /* atomic: operations queued so far; who posts writes */
	uint32_t asleep;		    /* atomic, futex: the thread, by itself */
	uint32_t done SDPU_CACHE_ALIGNED; /* atomic: operations that are over; the thread writes */
};

/* async_run.c. SUCCESS, or why it failed. */
doca_error_t dpa_async_run(struct doca_dpa_async_ops *async, const struct async_op *op);
/* Reports its end. */
void dpa_async_finish(struct doca_dpa_async_ops *async, const struct async_op *op,
		      doca_error_t result);
/* Lets the thread look at what is queued, or at `ending`. After a publish with full fence. */
void dpa_async_wake(struct doca_dpa_async_ops *async);
void *dpa_async_main(void *arg);

#endif
