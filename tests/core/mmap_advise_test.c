/* SPDX-License-Identifier: BSD-3-Clause
 * Advice about memory: the context, and a task that does nothing and says so.
 */
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_mmap_advise.h>
#include <doca_pe.h>

#include "core/kit.h"
#include "t.h"

#define NUM_TASKS 2

static uint8_t memory[4096];

static struct doca_dev *dpu;
static struct doca_pe *pe;
static struct doca_mmap *mmap;
static struct doca_buf_inventory *inventory;
static struct doca_buf *buf;

/* What the callbacks have seen. */
static uint32_t completed, failed;
static doca_error_t last_status;
static struct doca_task *then; /* to be submitted by the next callback */

static void ended(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_data,
		  union doca_data ctx_data)
{
	struct doca_task *base = doca_mmap_advise_task_invalidate_cache_as_doca_task(task);

	T_EQ(task_data.u64, 5);
	T_EQ(ctx_data.u64, 6);
	last_status = doca_task_get_status(base);
	if (then != NULL)
		T_OK(doca_task_submit(then));
	then = NULL;
	doca_task_free(base);
}

static void on_completed(struct doca_mmap_advise_task_invalidate_cache *task,
			 union doca_data task_data, union doca_data ctx_data)
{
	completed++;
	ended(task, task_data, ctx_data);
}

static void on_failed(struct doca_mmap_advise_task_invalidate_cache *task,
		      union doca_data task_data, union doca_data ctx_data)
{
	failed++;
	ended(task, task_data, ctx_data);
}

static void set_up(void)
{
	dpu = kit_open(KIT_DPU);
	T_OK(doca_pe_create(&pe));
	mmap = kit_mmap(dpu, memory, sizeof(memory), 0);
	T_OK(doca_buf_inventory_create(4, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
	T_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 100, &buf));
}

static void tear_down(void)
{
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_pe_destroy(pe));
	T_OK(doca_dev_close(dpu));
}

/* With its engine, not started. */
static struct doca_mmap_advise *made(void)
{
	const union doca_data ctx_data = {.u64 = 6};
	struct doca_mmap_advise *advise;

	T_OK(doca_mmap_advise_create(dpu, &advise));
	T_OK(doca_pe_connect_ctx(pe, doca_mmap_advise_as_ctx(advise)));
	T_OK(doca_ctx_set_user_data(doca_mmap_advise_as_ctx(advise), ctx_data));
	return advise;
}

static struct doca_mmap_advise *started(void)
{
	struct doca_mmap_advise *advise = made();

	T_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, on_completed, on_failed,
							     NUM_TASKS));
	T_OK(doca_ctx_start(doca_mmap_advise_as_ctx(advise)));
	return advise;
}

static void destroy(struct doca_mmap_advise *advise)
{
	T_OK(doca_ctx_stop(doca_mmap_advise_as_ctx(advise)));
	T_OK(doca_mmap_advise_destroy(advise));
}

static struct doca_task *task_of(struct doca_mmap_advise *advise, struct doca_buf *range)
{
	const union doca_data task_data = {.u64 = 5};
	struct doca_mmap_advise_task_invalidate_cache *task;

	T_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, range, task_data, &task));
	return doca_mmap_advise_task_invalidate_cache_as_doca_task(task);
}

T_CASE(null_is_refused)
{
	const union doca_data none = {0};
	struct doca_mmap_advise_task_invalidate_cache *task;
	struct doca_mmap_advise *advise;

	set_up();
	advise = made();
	T_ERR(doca_mmap_advise_create(NULL, &advise), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_advise_create(dpu, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_advise_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_EQ(doca_mmap_advise_as_ctx(NULL), 0);
	T_EQ(doca_mmap_advise_task_invalidate_cache_as_doca_task(NULL), 0);
	T_ERR(doca_mmap_advise_task_invalidate_cache_set_conf(NULL, on_completed, on_failed, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_advise_task_invalidate_cache_set_conf(advise, NULL, on_failed, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_advise_task_invalidate_cache_set_conf(advise, on_completed, NULL, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_advise_task_invalidate_cache_set_conf(advise, on_completed, on_failed, 0),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_advise_task_invalidate_cache_set_conf(advise, on_completed, on_failed,
							      65537),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_advise_task_invalidate_cache_alloc_init(NULL, buf, none, &task),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, none, &task),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf, none, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_advise_destroy(advise));
	tear_down();
}

T_CASE(every_device_has_the_task)
{
	set_up();
	T_ERR(doca_mmap_advise_cap_task_cache_invalidate_is_supported(NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_advise_cap_task_cache_invalidate_is_supported(doca_dev_as_devinfo(dpu)));
	tear_down();
}

T_CASE(states)
{
	const union doca_data none = {0};
	struct doca_mmap_advise_task_invalidate_cache *task;
	struct doca_mmap_advise *advise;
	struct doca_ctx *ctx;

	set_up();
	advise = made();
	ctx = doca_mmap_advise_as_ctx(advise);
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_BAD_CONFIG);
	T_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, on_completed, on_failed, 1));
	T_ERR(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf, none, &task),
	      DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_start(ctx));
	T_ERR(doca_mmap_advise_task_invalidate_cache_set_conf(advise, on_completed, on_failed, 1),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_advise_destroy(advise), DOCA_ERROR_IN_USE);
	T_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf, none, &task));
	T_ERR(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf, none, &task),
	      DOCA_ERROR_NO_MEMORY);
	doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
	T_OK(doca_ctx_stop(ctx));
	T_OK(doca_ctx_start(ctx));
	destroy(advise);
	tear_down();
}

T_CASE(a_good_range_completes_and_nothing_changes)
{
	struct doca_mmap_advise *advise;

	set_up();
	advise = started();
	memset(memory, 7, sizeof(memory));
	T_OK(doca_task_submit(task_of(advise, buf)));
	T_EQ(completed, 0);
	T_EQ(doca_pe_progress(pe), 1);
	T_EQ(completed, 1);
	T_EQ(last_status, DOCA_SUCCESS);
	T_EQ(memory[0], 7);
	T_EQ(memory[99], 7);
	T_EQ(doca_pe_progress(pe), 0);
	destroy(advise);
	tear_down();
}

T_CASE(submitted_inside_a_callback_of_another_context)
{
	struct doca_mmap_advise *one, *other;

	set_up();
	one = started();
	other = started();
	then = task_of(other, buf);
	T_OK(doca_task_submit(task_of(one, buf)));
	T_EVENTUALLY((doca_pe_progress(pe), completed == 2), 10000);
	T_EQ(failed, 0);
	destroy(one);
	destroy(other);
	tear_down();
}

static void on_copied(struct doca_dma_task_memcpy *copy, union doca_data task_data,
		      union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	T_OK(doca_task_get_status(doca_dma_task_memcpy_as_task(copy)));
	T_OK(doca_task_submit(then));
	then = NULL;
	doca_task_free(doca_dma_task_memcpy_as_task(copy));
}

static struct doca_dma *dma_started(void)
{
	struct doca_dma *dma;

	T_OK(doca_dma_create(dpu, &dma));
	T_OK(doca_dma_task_memcpy_set_conf(dma, on_copied, on_copied, 1));
	T_OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
	T_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
	return dma;
}

/* As published programs do it: the copy's destination is dropped when it was written. */
T_CASE(submitted_inside_the_callback_of_a_copy)
{
	const union doca_data none = {0};
	struct doca_dma_task_memcpy *copy;
	struct doca_mmap_advise *advise;
	struct doca_dma *dma;
	struct doca_buf *dst;

	set_up();
	advise = started();
	dma = dma_started();
	memory[0] = 9;
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + 2048, 100, &dst));
	T_OK(doca_dma_task_memcpy_alloc_init(dma, buf, dst, none, &copy));
	then = task_of(advise, dst);
	T_OK(doca_task_submit(doca_dma_task_memcpy_as_task(copy)));
	T_EVENTUALLY((doca_pe_progress(pe), completed == 1), 10000);
	T_EQ(memory[2048], 9);
	T_OK(doca_buf_dec_refcount(dst, NULL));
	T_OK(doca_ctx_stop(doca_dma_as_ctx(dma)));
	T_OK(doca_dma_destroy(dma));
	destroy(advise);
	tear_down();
}

T_CASE(a_range_that_the_device_cannot_see_fails_and_the_context_goes_on)
{
	struct doca_mmap *strange;
	struct doca_mmap_advise *advise;
	struct doca_task *task;
	struct doca_buf *bad;

	set_up();
	advise = started();
	strange = kit_mmap(NULL, memory, sizeof(memory), 0);
	T_OK(doca_buf_inventory_buf_get_by_data(inventory, strange, memory, 8, &bad));
	T_OK(doca_buf_chain_list(buf, bad));
	task = task_of(advise, buf);
	T_ERR(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_task_submit(task));
	T_EVENTUALLY((doca_pe_progress(pe), failed == 1), 10000);
	T_EQ(last_status, DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_unchain_list(buf, bad));
	T_OK(doca_buf_dec_refcount(bad, NULL));
	T_OK(doca_task_try_submit(task_of(advise, buf)));
	T_EVENTUALLY((doca_pe_progress(pe), completed == 1), 10000);
	destroy(advise);
	T_OK(doca_mmap_destroy(strange));
	tear_down();
}

T_CASE(a_range_whose_mmap_was_stopped_fails)
{
	struct doca_mmap *stopped;
	struct doca_mmap_advise *advise;
	struct doca_buf *bad;

	set_up();
	advise = started();
	T_OK(doca_mmap_create(&stopped));
	T_OK(doca_mmap_add_dev(stopped, dpu));
	T_OK(doca_mmap_set_memrange(stopped, memory, sizeof(memory)));
	/* it counts no bufs, so that it stops over them */
	T_OK(doca_mmap_enable_thread_safety(stopped));
	T_OK(doca_mmap_start(stopped));
	T_OK(doca_buf_inventory_buf_get_by_data(inventory, stopped, memory, 8, &bad));
	T_OK(doca_mmap_stop(stopped));
	T_OK(doca_task_submit(task_of(advise, bad)));
	T_EVENTUALLY((doca_pe_progress(pe), failed == 1), 10000);
	T_OK(doca_buf_dec_refcount(bad, NULL));
	T_OK(doca_mmap_destroy(stopped));
	destroy(advise);
	tear_down();
}

T_CASE(stop_waits_for_its_tasks)
{
	struct doca_mmap_advise *advise;
	enum doca_ctx_states state;
	struct doca_ctx *ctx;

	set_up();
	advise = started();
	ctx = doca_mmap_advise_as_ctx(advise);
	T_OK(doca_task_submit(task_of(advise, buf)));
	T_ERR(doca_ctx_stop(ctx), DOCA_ERROR_IN_PROGRESS);
	T_EVENTUALLY((doca_pe_progress(pe), doca_ctx_get_state(ctx, &state) == DOCA_SUCCESS &&
						    state == DOCA_CTX_STATE_IDLE),
		     10000);
	T_EQ(completed, 1);
	T_OK(doca_mmap_advise_destroy(advise));
	tear_down();
}
