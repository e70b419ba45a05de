/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions that post to a queue of asynchronous operations; contract in async_ops.h. In a
 * kernel, on its strand. A kill waits for the end of a post.
 */
#include <doca_dpa_dev_buf.h>
#include <doca_dpa_dev_sync_event.h>

#include "base/log.h"
#include "core/sync_event.h"
#include "dpa/async_ops.h"
#include "dpa/dev_buf.h"
#include "dpa/dpa.h"
#include "dpa/strand.h"

#define WAIT_VALUE_MAX 254 /* what the card can wait for */

static bool is_idle(const struct doca_dpa_async_ops *async)
{
	/* acquire: pairs with the release of dpa_async_main(); all before this is reported */
	return sdpu_load_acquire(&async->done) == sdpu_load(&async->posted);
}

static bool enqueue(struct doca_dpa_async_ops *async, const struct async_op *op)
{
	uint32_t posted = sdpu_load(&async->posted);
	struct async_op *place = &async->queue[posted & (async->size - 1)];

	if (posted - sdpu_load_acquire(&async->done) == async->size)
		return false;
	*place = *op;
	place->event = sdpu_event_hold(op->event);
	/* release: pairs with the acquire of has_work() in async_run.c, and the fence with the one
	 * of sleep_until_work() */
	sdpu_publish_fenced(&async->posted, posted + 1);
	dpa_async_wake(async);
	return true;
}

__attribute__((cold, noinline)) static void drop(const char *call, struct doca_dpa_async_ops *async)
{
	if (sdpu_swap(&async->told, 1) == 0)
		sdpu_log_err("%s: dropped, as all %u places of the queue are taken; read its "
			     "completion and ack with doca_dpa_dev_completion_ack(), or create it "
			     "larger (this is said once)",
			     call, async->size);
}

static void post_guarded(const char *call, struct doca_dpa_async_ops *async,
			 const struct async_op *op)
{
	if (op->slots != NULL && !sdpu_dpa_slots_take(op->slots)) {
		drop(call, async);
		return;
	}
	if (op->kind == ASYNC_COPY && is_idle(async)) {
		dpa_async_finish(async, op, dpa_async_run(async, op));
		return;
	}
	if (enqueue(async, op))
		return;
	if (op->slots != NULL)
		sdpu_dpa_slots_give(op->slots);
	drop(call, async);
}

static void post(const char *call, doca_dpa_dev_async_ops_t handle, struct async_op *op,
		 uint32_t flags)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(call);
	struct doca_dpa_async_ops *async =
		sdpu_dpa_handle_open(call, handle, SDPU_DPA_KIND_ASYNC_OPS);

	if ((flags & DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS) == 0)
		op->slots = async->slots;
	sdpu_dpa_guard_enter(strand);
	post_guarded(call, async, op);
	sdpu_dpa_guard_leave(strand);
}

void doca_dpa_dev_post_memcpy(doca_dpa_dev_async_ops_t async_ops_handle,
			      doca_dpa_dev_mmap_t dst_mmap_handle, uint64_t dst_addr,
			      doca_dpa_dev_mmap_t src_mmap_handle, uint64_t src_addr, size_t length,
			      uint32_t flags)
{
	struct async_op op = {
		.kind = ASYNC_COPY,
		.dst = dst_mmap_handle,
		.src = src_mmap_handle,
		.dst_addr = dst_addr,
		.src_addr = src_addr,
		.len = length,
	};

	post(__func__, async_ops_handle, &op, flags);
}

void doca_dpa_dev_post_buf_memcpy(doca_dpa_dev_async_ops_t async_ops_handle,
				  doca_dpa_dev_buf_t dst_buf_handle,
				  doca_dpa_dev_buf_t src_buf_handle, uint32_t flags)
{
	const struct doca_dpa_dev_buf *dst = dpa_buf_open(__func__, dst_buf_handle);
	const struct doca_dpa_dev_buf *src = dpa_buf_open(__func__, src_buf_handle);
	struct async_op op = {
		.kind = ASYNC_COPY,
		.dst = dst->mmap,
		.src = src->mmap,
		.dst_addr = dst->addr,
		.src_addr = src->addr,
		.len = src->len,
	};

	if (src->len > dst->len)
		sdpu_dpa_fatal("doca_dpa_dev_post_buf_memcpy: the source has %llu bytes, the "
			       "destination room for %llu",
			       (unsigned long long)src->len, (unsigned long long)dst->len);
	post(__func__, async_ops_handle, &op, flags);
}

static void post_wait(const char *call, doca_dpa_dev_async_ops_t async_ops, enum async_op_kind kind,
		      doca_dpa_dev_sync_event_t handle, uint64_t value)
{
	struct async_op op = {.kind = kind, .value = value};

	(void)sdpu_dpa_strand_enter(call);
	if (value > WAIT_VALUE_MAX)
		sdpu_dpa_fatal("%s: value %llu; needed: at most %u", call,
			       (unsigned long long)value, WAIT_VALUE_MAX);
	op.event = sdpu_event_of_head(sdpu_dpa_handle_open(call, handle, SDPU_DPA_KIND_SYNC_EVENT));
	post(call, async_ops, &op, DOCA_DPA_DEV_SUBMIT_FLAG_NONE);
}

void doca_dpa_dev_sync_event_post_wait_gt(doca_dpa_dev_async_ops_t async_ops_handle,
					  doca_dpa_dev_sync_event_t wait_se_handle, uint64_t value)
{
	post_wait(__func__, async_ops_handle, ASYNC_WAIT_GT, wait_se_handle, value);
}

void doca_dpa_dev_sync_event_post_wait_ne(doca_dpa_dev_async_ops_t async_ops_handle,
					  doca_dpa_dev_sync_event_t wait_se_handle, uint64_t value)
{
	post_wait(__func__, async_ops_handle, ASYNC_WAIT_NE, wait_se_handle, value);
}
