/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations of a queue, and the thread that waits for events; contract in async_ops.h. Whoever
 * changes an event wakes nobody, so the thread polls it: all the time at first, later at intervals.
 */
#include <doca_dpa_dev.h>

#include "base/clock.h"
#include "base/log.h"
#include "core/pe.h"
#include "core/sync_event.h"
#include "dpa/async_ops.h"
#include "dpa/copy.h"
#include "dpa/futex.h"
#include "dpa/strand.h"

#define POLLS_BEFORE_NAP 2000
#define NAP_FIRST 1000ull
#define NAP_LONGEST (SDPU_MS / 4)

static bool condition_holds(const struct async_op *op, uint64_t value)
{
	return op->kind == ASYNC_WAIT_GT ? value > op->value : value != op->value;
}

static void pause_after(uint32_t polls, uint64_t *nap)
{
	if (polls < POLLS_BEFORE_NAP) {
		sdpu_spin_idle();
		return;
	}
	sdpu_clock_sleep(*nap);
	if (*nap < NAP_LONGEST)
		*nap *= 2;
}

static doca_error_t wait_for(const struct doca_dpa_async_ops *async, const struct async_op *op)
{
	uint64_t nap = NAP_FIRST, value = 0;
	doca_error_t result;

	if (op->event == NULL)
		return DOCA_ERROR_BAD_STATE;
	for (uint32_t polls = 0; sdpu_load(&async->ending) == 0; polls += polls < UINT32_MAX) {
		result = sdpu_event_operate(op->event, SDPU_ATOMIC_LOAD, 0, &value);
		if (result != DOCA_SUCCESS || condition_holds(op, value))
			return result;
		pause_after(polls, &nap);
	}
	return DOCA_ERROR_SHUTDOWN;
}

doca_error_t dpa_async_run(struct doca_dpa_async_ops *async, const struct async_op *op)
{
	if (op->kind != ASYNC_COPY)
		return wait_for(async, op);
	if (sdpu_dpa_strand_self() != NULL)
		return sdpu_dpa_copy(op->dst, op->dst_addr, op->src, op->src_addr, op->len);
	return dpa_copy_with(&async->pins, &async->ending, op->dst, op->dst_addr, op->src,
			     op->src_addr, op->len);
}

__attribute__((cold, noinline)) static void explain(const struct async_op *op, doca_error_t result)
{
	if (op->kind == ASYNC_COPY)
		sdpu_log_err("doca_dpa_dev_post_memcpy: %zu bytes from 0x%llx to 0x%llx: %s",
			     op->len, (unsigned long long)op->src_addr,
			     (unsigned long long)op->dst_addr, sdpu_dpa_copy_fault(result));
	else
		sdpu_log_err("doca_dpa_dev_sync_event_post_wait_%s: %s",
			     op->kind == ASYNC_WAIT_GT ? "gt" : "ne", sdpu_event_fault(result));
}

void dpa_async_finish(struct doca_dpa_async_ops *async, const struct async_op *op,
		      doca_error_t result)
{
	struct sdpu_dpa_element element = {
		.type = result == DOCA_SUCCESS ? DOCA_DPA_DEV_COMP_SEND
					       : DOCA_DPA_DEV_COMP_SEND_ERR,
		.user_data = async->user_data,
		.slots = op->slots,
	};

	if (sdpu_unlikely(result != DOCA_SUCCESS))
		explain(op, result);
	/* A failure is reported even if success would not be. */
	else if (op->slots == NULL)
		return;
	if (!sdpu_dpa_completion_push(async->comp, &element) && op->slots != NULL)
		sdpu_dpa_slots_give(op->slots);
}

void dpa_async_wake(struct doca_dpa_async_ops *async)
{
	if (sdpu_load(&async->asleep) == 0)
		return;
	sdpu_store(&async->asleep, 0);
	dpa_futex_wake(&async->asleep);
}

static bool has_work(const struct doca_dpa_async_ops *async)
{
	/* acquire: pairs with the publish of the poster */
	return sdpu_load_acquire(&async->posted) != sdpu_load(&async->done) ||
	       sdpu_load(&async->ending) != 0;
}

/* Sets `asleep`; full fence; looks again. Pairs with the fence of the poster, which publishes and
 * then reads `asleep`. */
static void sleep_until_work(struct doca_dpa_async_ops *async)
{
	while (!has_work(async)) {
		sdpu_publish_fenced(&async->asleep, 1);
		if (!has_work(async))
			dpa_futex_wait(&async->asleep, 1);
		sdpu_store(&async->asleep, 0);
	}
}

/* False: the thread is to end. */
static bool do_next(struct doca_dpa_async_ops *async)
{
	uint32_t done = sdpu_load(&async->done);
	const struct async_op *op = &async->queue[done & (async->size - 1)];
	doca_error_t result = dpa_async_run(async, op);

	if (sdpu_load(&async->ending) != 0)
		return false;
	dpa_async_finish(async, op, result);
	sdpu_event_release(op->event);
	/* release: pairs with the acquire of the poster: the place is free, and what the poster
	 * does itself comes after this operation */
	sdpu_store_release(&async->done, done + 1);
	return true;
}

void *dpa_async_main(void *arg)
{
	struct doca_dpa_async_ops *async = arg;

	sdpu_mmap_pins_add(&async->pins);
	do
		sleep_until_work(async);
	while (sdpu_load(&async->ending) == 0 && do_next(async));
	sdpu_mmap_pins_remove(&async->pins);
	return NULL;
}
