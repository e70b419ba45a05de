/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What published programs do with DMA contexts and engines: stop in the midst, drive everything
 * from callbacks, use tasks again, sleep until something happens, free early.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/kit.h"
#include "dma/rig.h"

static struct rig rig;
static uint8_t from[4096], to[4096];
static struct doca_mmap *from_mmap, *to_mmap;

static void begin(void)
{
	rig_open(&rig);
	from_mmap = kit_mmap(rig.dev, from, sizeof(from), 0);
	to_mmap = kit_mmap(rig.dev, to, sizeof(to), 0);
	rig_fill(from, sizeof(from), 1);
}

static void end(void)
{
	T_OK(doca_mmap_destroy(to_mmap));
	T_OK(doca_mmap_destroy(from_mmap));
	rig_close(&rig);
}

static void copy(uint64_t number)
{
	rig_copy(&rig, rig_data(&rig, from_mmap, from, 64),
		 rig_room(&rig, to_mmap, to + 64 * number, 64), number);
}

static void free_all(struct rig *at, struct doca_dma_task_memcpy *task)
{
	(void)at;
	rig_drop(doca_dma_task_memcpy_get_src(task));
	rig_drop(doca_dma_task_memcpy_get_dst(task));
	doca_task_free(doca_dma_task_memcpy_as_task(task));
}

/* The context stops by itself with the first failure; the program frees its tasks meanwhile. */
T_CASE(task_error)
{
	begin();
	T_OK(doca_ctx_start(rig.ctx));
	for (uint64_t i = 0; i < 16; i++)
		copy(i);
	rig_copy(&rig, rig_room(&rig, from_mmap, from, 64), rig_room(&rig, to_mmap, to, 64), 16);
	for (uint64_t i = 17; i < 20; i++)
		copy(i);
	RIG_UNTIL(&rig, rig.ok + rig.failed == 20);
	T_EQ(rig.ok, 16);
	RIG_UNTIL(&rig, rig_state(&rig) == DOCA_CTX_STATE_IDLE);
	T_EQ(rig.num_states, 3);
	end();
}

static void stop_at_8(struct rig *at, struct doca_dma_task_memcpy *task)
{
	(void)task;
	if (at->ok == 8 && at->failed == 0) {
		T_ERR(doca_ctx_stop(at->ctx), DOCA_ERROR_IN_PROGRESS);
		T_ERR(doca_ctx_stop(at->ctx), DOCA_ERROR_IN_PROGRESS);
	}
}

T_CASE(async_stop)
{
	size_t inflight;

	begin();
	rig.on_task = stop_at_8;
	T_OK(doca_ctx_start(rig.ctx));
	for (uint64_t i = 0; i < 16; i++)
		copy(i);
	T_OK(doca_ctx_get_num_inflight_tasks(rig.ctx, &inflight));
	T_EQ(inflight, 16);
	RIG_UNTIL(&rig, rig_state(&rig) == DOCA_CTX_STATE_IDLE);
	T_EQ(rig.ok, 8);
	T_EQ(rig.failed, 8);
	T_ERR(rig.status, DOCA_ERROR_SHUTDOWN);
	rig_expect(to + 64 * 7, 64, 1);
	T_EQ(to[64 * 8], 0);
	end();
}

/* Everything happens in callbacks: the first task is submitted when it runs, the object destroyed
 * when it is idle. */
static void react_to_state(struct rig *at, enum doca_ctx_states next)
{
	if (next == DOCA_CTX_STATE_RUNNING)
		copy(0);
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	T_OK(doca_dma_destroy(at->dma));
	at->dma = NULL;
}

static void react_to_task(struct rig *at, struct doca_dma_task_memcpy *task)
{
	(void)task;
	if (at->ok < 10)
		copy(at->ok);
	else
		T_ERR(doca_ctx_stop(at->ctx), DOCA_ERROR_IN_PROGRESS);
}

T_CASE(reactive)
{
	begin();
	rig.on_state = react_to_state;
	rig.on_task = react_to_task;
	T_OK(doca_ctx_start(rig.ctx));
	RIG_UNTIL(&rig, rig.dma == NULL);
	T_EQ(rig.ok, 10);
	rig_expect(to + 64 * 9, 64, 1);
	T_EQ(doca_pe_progress(rig.pe), 0);
	end();
}

/* One task, used again with other bufs from its own callback. */
static void resubmit(struct rig *at, struct doca_dma_task_memcpy *task)
{
	const union doca_data number = {.u64 = at->ok};
	struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);

	if (at->ok == 8) {
		free_all(at, task);
		return;
	}
	rig_drop(dst);
	doca_dma_task_memcpy_set_dst(task, rig_room(at, to_mmap, to + 64 * at->ok, 64));
	doca_task_set_user_data(doca_dma_task_memcpy_as_task(task), number);
	T_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
}

T_CASE(task_resubmit)
{
	begin();
	rig.keep = true;
	rig.on_task = resubmit;
	T_OK(doca_ctx_start(rig.ctx));
	copy(0);
	RIG_UNTIL(&rig, rig.ok == 8);
	for (uint64_t i = 0; i < 8; i++) {
		rig_expect(to + 64 * i, 64, 1);
		T_EQ(rig.numbers[i], i);
	}
	end();
}

T_CASE(task_try_submit)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src, *dst;

	begin();
	T_OK(doca_ctx_start(rig.ctx));
	src = rig_data(&rig, from_mmap, from, 64);
	dst = rig_room(&rig, to_mmap, to, 64);
	task = rig_task(&rig, NULL, dst, 0);
	T_ERR(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_INVALID_VALUE);
	doca_dma_task_memcpy_set_src(task, src);
	T_OK(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
	RIG_UNTIL(&rig, rig.ok == 1);
	end();
}

/* Several contexts on one engine, one of which fails. */
T_CASE(several_contexts)
{
	struct doca_dma *other;
	struct doca_dma_task_memcpy *task;
	const union doca_data none = {.u64 = 0};

	begin();
	T_OK(doca_dma_create(rig.dev, &other));
	rig_configure(&rig, other);
	T_OK(doca_ctx_start(rig.ctx));
	T_OK(doca_ctx_start(doca_dma_as_ctx(other)));
	for (uint64_t i = 0; i < 8; i++)
		copy(i);
	T_OK(doca_dma_task_memcpy_alloc_init(other, NULL, NULL, none, &task));
	T_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	RIG_UNTIL(&rig, rig.ok == 8 && rig.failed == 1);
	T_EQ(rig_state(&rig), DOCA_CTX_STATE_RUNNING);
	RIG_UNTIL(&rig, doca_dma_destroy(other) == DOCA_SUCCESS);
	end();
}

/* The flow of the event sample, whose wait has no time-out. */
static void wait_for(int epoll_fd, uint32_t completions)
{
	struct epoll_event event;

	while (rig.ok < completions) {
		T_OK(doca_pe_request_notification(rig.pe));
		T_EQ(epoll_wait(epoll_fd, &event, 1, 10000), 1);
		T_OK(doca_pe_clear_notification(rig.pe, 0));
		while (doca_pe_progress(rig.pe))
			;
	}
}

static void events(size_t len, const char *window)
{
	struct epoll_event event = {.events = EPOLLIN};
	uint8_t *source = malloc(len), *target = malloc(len);
	struct doca_mmap *source_mmap, *target_mmap, *exported;
	struct rig_card card;
	doca_notification_handle_t handle;
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);

	setenv("SOFTDPU_WINDOW", window, 1);
	begin();
	exported = kit_mmap(rig.host, source, len, RIG_HOST_PERMS);
	rig_export(&rig, exported, &card);
	source_mmap = rig_import(&rig, &card);
	target_mmap = kit_mmap(rig.dev, target, len, 0);
	rig_fill(source, len, 5);
	T_OK(doca_ctx_start(rig.ctx));
	T_OK(doca_pe_get_notification_handle(rig.pe, &handle));
	T_EQ(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, handle, &event), 0);
	for (uint32_t i = 1; i <= 5; i++) {
		rig_copy(&rig, rig_data(&rig, source_mmap, source, len),
			 rig_room(&rig, target_mmap, target, len), i);
		wait_for(epoll_fd, i);
		rig_expect(target, len, 5);
		memset(target, 0, len);
	}
	/* Submitted between the request and the wait. */
	T_OK(doca_pe_request_notification(rig.pe));
	copy(0);
	T_EQ(epoll_wait(epoll_fd, &event, 1, 10000), 1);
	T_OK(doca_pe_clear_notification(rig.pe, 0));
	wait_for(epoll_fd, 6);
	T_OK(doca_mmap_destroy(target_mmap));
	T_OK(doca_mmap_destroy(source_mmap));
	T_OK(doca_mmap_destroy(exported));
	end();
	close(epoll_fd);
	free(source);
	free(target);
}

T_CASE(events_of_short_copies)
{
	events(64, "cross");
}

T_CASE(events_of_long_copies)
{
	events(5u << 20, "cross");
}

T_CASE(events_of_served_copies)
{
	events(1u << 20, "served");
}

/* An idle engine says so. */
T_CASE(nothing_to_do)
{
	begin();
	T_OK(doca_ctx_start(rig.ctx));
	RIG_UNTIL(&rig, doca_pe_progress(rig.pe) == 0);
	T_EQ(doca_pe_progress(rig.pe), 0);
	copy(0);
	T_EQ(doca_pe_progress(rig.pe), 1);
	T_EQ(rig.ok, 1);
	T_EQ(doca_pe_progress(rig.pe), 0);
	end();
}

/* Freed while submitted: no callback; the bufs may go as well. */
T_CASE(tasks_that_are_freed_early)
{
	struct doca_dma_task_memcpy *task;
	struct doca_buf *src, *dst;

	begin();
	T_OK(doca_ctx_start(rig.ctx));
	src = rig_data(&rig, from_mmap, from, 64);
	dst = rig_room(&rig, to_mmap, to, 64);
	task = rig_task(&rig, src, dst, 0);
	T_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	free_all(&rig, task);
	T_OK(doca_mmap_destroy(to_mmap));
	to_mmap = kit_mmap(rig.dev, to, sizeof(to), 0);
	copy(1);
	RIG_UNTIL(&rig, rig.ok == 1);
	T_EQ(rig.failed, 0);
	T_EQ(to[0], 0);
	end();
}

/* A long copy out of memory of the host's, of which only the beginning is done. */
#define LONG_LEN ((size_t)8 << 20)

static uint8_t *long_memory;
static struct doca_mmap *long_to, *exported, *imported;

static void long_begin(const char *window)
{
	struct rig_card card;

	setenv("SOFTDPU_WINDOW", window, 1);
	begin();
	T_OK(doca_ctx_start(rig.ctx));
	long_memory = calloc(2, LONG_LEN);
	exported = kit_mmap(rig.host, long_memory, LONG_LEN, RIG_HOST_PERMS);
	rig_export(&rig, exported, &card);
	imported = rig_import(&rig, &card);
	long_to = kit_mmap(rig.dev, long_memory + LONG_LEN, LONG_LEN, 0);
}

static struct doca_dma_task_memcpy *long_copy(void)
{
	struct doca_dma_task_memcpy *task;

	task = rig_task(&rig, rig_data(&rig, imported, long_memory, LONG_LEN),
			rig_room(&rig, long_to, long_memory + LONG_LEN, LONG_LEN), 0);
	T_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	doca_pe_progress(rig.pe);
	T_EQ(rig.ok, 0);
	return task;
}

static void long_end(void)
{
	T_OK(doca_mmap_destroy(exported));
	end();
	free(long_memory);
}

static void (*running)(const char *window);

static int run_with(void *window)
{
	running(window);
	return 0;
}

static void each_window(void (*run)(const char *window))
{
	running = run;
	for (int i = 0; i < 4; i++)
		T_EQ(t_wait(t_fork(run_with, (void *)rig_windows[i]), 20000), 0);
}

static void stop_in_the_midst(const char *window)
{
	long_begin(window);
	long_copy();
	T_ERR(doca_ctx_stop(rig.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_UNTIL(&rig, rig.failed == 1);
	T_ERR(rig.status, DOCA_ERROR_SHUTDOWN);
	T_OK(doca_mmap_destroy(long_to));
	T_OK(doca_mmap_destroy(imported));
	long_end();
}

T_CASE(stopped_in_the_midst_of_a_copy)
{
	each_window(stop_in_the_midst);
}

/* With all that it works on, before anybody progresses. */
static void free_in_the_midst(const char *window)
{
	long_begin(window);
	free_all(&rig, long_copy());
	T_OK(doca_mmap_destroy(long_to));
	T_OK(doca_mmap_destroy(imported));
	copy(0);
	RIG_UNTIL(&rig, rig.ok == 1);
	T_EQ(rig.failed, 0);
	long_end();
}

T_CASE(freed_in_the_midst_of_a_copy)
{
	each_window(free_in_the_midst);
}

/* What one has used is of use to the others. */
static void free_many(const char *window)
{
	long_begin(window);
	for (int i = 0; i < 20; i++)
		free_all(&rig, long_copy());
	T_OK(rig_run(&rig, rig_data(&rig, imported, long_memory, LONG_LEN),
		     rig_room(&rig, long_to, long_memory + LONG_LEN, LONG_LEN)));
	T_OK(doca_mmap_destroy(long_to));
	T_OK(doca_mmap_destroy(imported));
	long_end();
}

T_CASE(a_copy_behind_many_that_were_freed)
{
	each_window(free_many);
}

/* Clean-up paths call both and look at neither result. */
T_CASE(stop_and_destroy_back_to_back)
{
	begin();
	T_OK(doca_ctx_start(rig.ctx));
	copy(0);
	(void)doca_ctx_stop(rig.ctx);
	(void)doca_dma_destroy(rig.dma);
	RIG_UNTIL(&rig, rig.failed == 1);
	end();
}
