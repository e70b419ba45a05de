/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts, engines and tasks, by the example of DMA, and what is DMA's own.
 */
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_mmap_advise.h>
#include <doca_pe.h>

#include "dma/rig.h"
#include "misuse/misuse.h"

static const union doca_data none;
static uint8_t memory[4096];

static struct rig rig;
static struct doca_mmap *mmap_;

static void on_state(const union doca_data user_data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev, enum doca_ctx_states next)
{
	(void)user_data, (void)ctx, (void)prev, (void)next;
}

static void on_task(struct doca_dma_task_memcpy *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task, (void)task_data, (void)ctx_data;
}

MISUSE_CASE(idle_context)
{
	struct doca_dma_task_memcpy *task;
	struct doca_dma *bare;
	struct doca_pe *pe;

	rig_open(&rig);
	MISUSE(INVALID_VALUE, doca_dma_task_memcpy_set_conf(rig.dma, NULL, on_task, 1),
	       "a callback is NULL", "needed: one for completion and one for errors");
	MISUSE(INVALID_VALUE, doca_dma_task_memcpy_set_conf(rig.dma, on_task, on_task, 0),
	       "0 tasks", "needed: 1 to 65536");
	MISUSE(INVALID_VALUE, doca_dma_task_memcpy_set_conf(rig.dma, on_task, on_task, 65537),
	       "65537 tasks", "needed: 1 to 65536");
	MISUSE(BAD_STATE, doca_dma_task_memcpy_alloc_init(rig.dma, NULL, NULL, none, &task),
	       "the context is IDLE", "needed: RUNNING", "doca_ctx_start()");
	MISUSE(INVALID_VALUE, doca_ctx_set_completion_vector(rig.ctx, 1), "vector 1;",
	       "there is one, number 0");
	MISUSE(NOT_SUPPORTED,
	       doca_ctx_set_datapath_on_gpu(rig.ctx, (struct doca_gpu *)(void *)memory),
	       "there is no GPU here", "needed: the CPU's data path");
	MISUSE(NOT_PERMITTED, doca_pe_connect_ctx(rig.pe, rig.ctx), "has an engine already",
	       "until it is destroyed");
	MISUSE(IN_USE, doca_pe_destroy(rig.pe), "contexts are connected", "destroy its contexts");
	T_OK(doca_dma_create(rig.dev, &bare));
	MISUSE(NOT_CONNECTED, doca_ctx_start(doca_dma_as_ctx(bare)), "has no progress engine",
	       "needed: one", "doca_pe_connect_ctx()");
	T_OK(doca_pe_create(&pe));
	T_OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(bare)));
	MISUSE(BAD_CONFIG, doca_ctx_start(doca_dma_as_ctx(bare)), "the doca_dma has no tasks",
	       "needed: call doca_dma_task_memcpy_set_conf() first");
	T_OK(doca_dma_destroy(bare));
	T_OK(doca_pe_destroy(pe));
	rig_close(&rig);
}

MISUSE_CASE(running_context)
{
	struct doca_pe *pe;

	rig_start(&rig);
	T_OK(doca_pe_create(&pe));
	MISUSE(BAD_STATE, doca_ctx_start(rig.ctx), "the doca_dma is RUNNING", "needed: IDLE",
	       "doca_ctx_stop()");
	MISUSE(BAD_STATE, doca_ctx_set_user_data(rig.ctx, none), "the context is RUNNING",
	       "needed: IDLE", "before doca_ctx_start()");
	MISUSE(BAD_STATE, doca_ctx_set_state_changed_cb(rig.ctx, on_state),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_ctx_set_completion_vector(rig.ctx, 0), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_ctx_set_datapath_on_gpu(rig.ctx, (struct doca_gpu *)(void *)memory),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_ctx_set_datapath_on_dpa(rig.ctx, (struct doca_dpa *)(void *)memory),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_pe_connect_ctx(pe, rig.ctx), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_dma_task_memcpy_set_conf(rig.dma, on_task, on_task, 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_dma_set_ordered_completions(rig.dma, 1), "the context is RUNNING",
	       "needed: IDLE");
	MISUSE(IN_USE, doca_dma_destroy(rig.dma), "it is RUNNING", "needed: IDLE",
	       "doca_ctx_stop()");
	T_OK(doca_pe_destroy(pe));
	rig_close(&rig);
}

/* What a callback may not do. */
static void inside(struct rig *r, struct doca_dma_task_memcpy *task)
{
	(void)task;
	MISUSE(IN_USE, doca_pe_destroy(r->pe), "called inside a callback",
	       "outside of its callbacks");
	MISUSE(BAD_STATE, doca_pe_set_event_mode(r->pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL),
	       "called inside a callback", "return first");
}

MISUSE_CASE(tasks)
{
	struct doca_dma_task_memcpy *task, *second;
	const struct doca_buf *src;
	struct doca_task *base;

	rig.num_tasks = 1;
	rig_start(&rig);
	mmap_ = kit_mmap(rig.dev, memory, sizeof(memory), 0);
	MISUSE(INVALID_VALUE, doca_pe_set_event_mode(rig.pe, 7), "mode 7",
	       "needed: one of enum doca_pe_event_mode");
	task = rig_task(&rig, rig_data(&rig, mmap_, memory, 64),
			rig_room(&rig, mmap_, memory + 2048, 64), 1);
	base = doca_dma_task_memcpy_as_task(task);
	MISUSE(NO_MEMORY, doca_dma_task_memcpy_alloc_init(rig.dma, NULL, NULL, none, &second),
	       "all 1 tasks are out", "needed: one that is free", "configure more");
	QUIET(NO_MEMORY, doca_dma_task_memcpy_alloc_init(rig.dma, NULL, NULL, none, &second));
	MISUSE(INVALID_VALUE, doca_task_submit_ex(base, 8), "flags 0x8",
	       "needed: none but FLUSH (1)");
	src = doca_dma_task_memcpy_get_src(task);
	doca_dma_task_memcpy_set_src(task, NULL);
	MISUSE(INVALID_VALUE, doca_task_try_submit(base), "source or destination is NULL",
	       "needed: a buf for both");
	doca_dma_task_memcpy_set_src(task, src);
	rig.keep = true;
	rig.on_task = inside;
	T_OK(doca_task_submit(base));
	MISUSE(BAD_STATE, doca_task_submit(base), "doca_dma_task_memcpy is submitted already",
	       "needed: a task that is the program's");
	MISUSE(BAD_STATE, doca_task_submit_ex(base, 0), "is submitted already",
	       "needed: a task that is the program's");
	MISUSE(BAD_STATE, doca_task_try_submit(base), "is submitted already",
	       "needed: a task that is the program's");
	RIG_UNTIL(&rig, rig.ok == 1);
	(void)doca_ctx_stop(rig.ctx);
	MISUSE(BAD_STATE, doca_task_submit(base), "is STOPPING", "needed: RUNNING");
	rig_drop(doca_dma_task_memcpy_get_src(task));
	rig_drop(doca_dma_task_memcpy_get_dst(task));
	doca_task_free(base);
	RIG_UNTIL(&rig, rig_state(&rig) == DOCA_CTX_STATE_IDLE);
	T_OK(doca_mmap_destroy(mmap_));
	rig_close(&rig);
}

/* One that fails ends its context, so each has a context of its own. */
static void begin_copy(void)
{
	rig_start(&rig);
	mmap_ = kit_mmap(rig.dev, memory, sizeof(memory), 0);
	misuse_begin();
}

static void end_copy(void)
{
	RIG_UNTIL(&rig, rig_state(&rig) == DOCA_CTX_STATE_IDLE);
	T_OK(doca_mmap_destroy(mmap_));
	rig_close(&rig);
	rig = (struct rig){0};
}

MISUSE_CASE(copies_that_fail)
{
	begin_copy();
	rig_copy(&rig, rig_room(&rig, mmap_, memory, 64), rig_room(&rig, mmap_, memory + 64, 64),
		 1);
	ENDS(IO_FAILED, doca_dma_task_memcpy, (doca_pe_progress(rig.pe), rig.failed == 1),
	     rig.status, "the source has no data", "needed: at least 1 byte");
	end_copy();
	begin_copy();
	rig_copy(&rig, rig_data(&rig, mmap_, memory, 64), rig_room(&rig, mmap_, memory + 64, 63),
		 1);
	ENDS(IO_FAILED, doca_dma_task_memcpy, (doca_pe_progress(rig.pe), rig.failed == 1),
	     rig.status, "the destination has too little room", "needed: as much behind its data");
	end_copy();
}

/* Between submit and completion, in which a program may think that it needs them no more. */
static void copy_released(bool src_is, bool dst_is)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src, *dst;

	begin_copy();
	rig.keep = true;
	src = rig_data(&rig, mmap_, memory, 64);
	dst = rig_room(&rig, mmap_, memory + 2048, 64);
	task = rig_task(&rig, src, dst, 1);
	T_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	if (src_is)
		rig_drop(src);
	if (dst_is)
		rig_drop(dst);
	ENDS(IO_FAILED, doca_dma_task_memcpy, (doca_pe_progress(rig.pe), rig.failed == 1),
	     rig.status, "a buf was released", "needed: one with a reference until");
	if (!src_is)
		rig_drop(src);
	if (!dst_is)
		rig_drop(dst);
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	end_copy();
}

MISUSE_CASE(copies_of_released_bufs)
{
	copy_released(true, false);
	copy_released(false, true);
	copy_released(true, true);
}

static void on_advised(struct doca_mmap_advise_task_invalidate_cache *task,
		       union doca_data task_data, union doca_data ctx_data)
{
	(void)task, (void)task_data, (void)ctx_data;
}

MISUSE_CASE(memory_advice)
{
	struct doca_mmap_advise_task_invalidate_cache *task;
	struct doca_mmap_advise *advise;
	struct doca_ctx *ctx;

	rig_open(&rig);
	T_OK(doca_mmap_advise_create(rig.dev, &advise));
	ctx = doca_mmap_advise_as_ctx(advise);
	T_OK(doca_pe_connect_ctx(rig.pe, ctx));
	MISUSE(INVALID_VALUE,
	       doca_mmap_advise_task_invalidate_cache_set_conf(advise, NULL, NULL, 1),
	       "a callback is NULL", "needed: one for completion and one for errors");
	MISUSE(BAD_STATE,
	       doca_mmap_advise_task_invalidate_cache_alloc_init(
		       advise, (struct doca_buf *)(void *)memory, none, &task),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_CONFIG, doca_ctx_start(ctx), "set_conf");
	T_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, on_advised, on_advised, 1));
	T_OK(doca_ctx_start(ctx));
	MISUSE(NOT_PERMITTED,
	       doca_mmap_advise_task_invalidate_cache_set_conf(advise, NULL, NULL, 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(IN_USE, doca_mmap_advise_destroy(advise), "it is RUNNING", "needed: IDLE");
	T_OK(doca_ctx_stop(ctx));
	T_OK(doca_mmap_advise_destroy(advise));
	rig_close(&rig);
}
