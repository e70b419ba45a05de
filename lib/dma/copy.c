/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From list to list, stretch by stretch; contract in copy.h.
 */
#include "dma/copy.h"

#include <string.h>

#include "base/copy.h"
#include "core/mmap.h"

/*
 * What a process copies to itself it will read next. Only what does not stay in a second-level
 * cache anyway is better written past it.
 */
#define STREAM_FROM ((size_t)2 << 20)

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void cursor_enter(struct dma_cursor *cursor, const struct doca_buf *buf)
{
	cursor->buf = buf;
	cursor->reach = sdpu_mmap_reach(buf->mmap);
	cursor->at = cursor->room ? sdpu_buf_tail(buf) : buf->data;
	cursor->left = cursor->room ? sdpu_buf_tail_room(buf) : buf->data_len;
}

static void cursor_advance(struct dma_cursor *cursor, size_t len)
{
	cursor->at += len;
	cursor->left -= len;
	while (cursor->left == 0 && cursor->buf->next != NULL)
		cursor_enter(cursor, cursor->buf->next);
}

static void cursor_begin(struct dma_cursor *cursor, const struct doca_buf *buf, bool room)
{
	cursor->room = room;
	cursor_enter(cursor, buf);
	cursor_advance(cursor, 0);
}

void dma_copy_begin(struct dma_copy *copy, const struct doca_buf *src, const struct doca_buf *dst,
		    size_t len, uint8_t *staging)
{
	copy->len = len;
	copy->done = 0;
	copy->pass = DMA_PASS_NONE;
	copy->staging = staging;
	cursor_begin(&copy->src, src, false);
	cursor_begin(&copy->dst, dst, true);
}

static void copy_advance(struct dma_copy *copy, size_t len)
{
	copy->done += len;
	cursor_advance(&copy->src, len);
	cursor_advance(&copy->dst, len);
}

static bool is_apart(const uint8_t *a, const uint8_t *b, size_t len)
{
	return (uintptr_t)a - (uintptr_t)b >= len && (uintptr_t)b - (uintptr_t)a >= len;
}

/* Both sides are ours. Those that overlap move at once: a part would write what the next reads. */
static size_t copy_local(struct dma_copy *copy, size_t budget)
{
	size_t stretch = least(copy->src.left, copy->dst.left);
	bool apart = is_apart(copy->src.at, copy->dst.at, stretch);
	size_t len = apart ? least(budget, stretch) : stretch;

	if (!apart)
		memmove(copy->dst.at, copy->src.at, len);
	else if (copy->len < STREAM_FROM)
		memcpy(copy->dst.at, copy->src.at, len);
	else
		sdpu_copy_out(copy->dst.at, copy->src.at, len, copy->len);
	copy_advance(copy, len);
	return len;
}

/* Permissions were validated. */
static void copy_open_window(struct dma_copy *copy, enum dma_pass pass,
			     enum sdpu_copy_direction direction, void *local, size_t len)
{
	const struct dma_cursor *far = direction == SDPU_COPY_GET ? &copy->src : &copy->dst;

	copy->pass = pass;
	copy->local = (struct iovec){.iov_base = local, .iov_len = len};
	copy->window = (struct sdpu_copy){
		.reach = far->reach,
		.direction = direction,
		.addr = (uintptr_t)far->at,
		.local = &copy->local,
		.num_local = 1,
		.len = len,
	};
}

static void copy_open(struct dma_copy *copy)
{
	size_t len = least(copy->src.left, copy->dst.left);

	if (copy->src.reach == NULL)
		copy_open_window(copy, DMA_PASS_LAST, SDPU_COPY_PUT, copy->src.at, len);
	else if (copy->dst.reach == NULL)
		copy_open_window(copy, DMA_PASS_LAST, SDPU_COPY_GET, copy->dst.at, len);
	else
		copy_open_window(copy, DMA_PASS_STAGE, SDPU_COPY_GET, copy->staging,
				 least(len, DMA_STAGING_SIZE));
}

/* One pass has ended well. */
static void copy_close(struct dma_copy *copy)
{
	size_t len = copy->window.len;

	if (copy->pass == DMA_PASS_STAGE) {
		copy_open_window(copy, DMA_PASS_LAST, SDPU_COPY_PUT, copy->staging, len);
		return;
	}
	copy->pass = DMA_PASS_NONE;
	copy_advance(copy, len);
}

static doca_error_t copy_through_window(struct dma_copy *copy, size_t budget, size_t *moved)
{
	doca_error_t result;
	size_t before;

	if (copy->pass == DMA_PASS_NONE)
		copy_open(copy);
	before = copy->window.done;
	result = sdpu_copy_run(&copy->window, budget);
	*moved = copy->window.done - before;
	if (result == DOCA_SUCCESS)
		copy_close(copy);
	return result;
}

doca_error_t dma_copy_run(struct dma_copy *copy, size_t budget)
{
	doca_error_t result;
	size_t moved;

	while (copy->done < copy->len) {
		if (budget == 0)
			return DOCA_ERROR_IN_PROGRESS;
		if (copy->src.reach == NULL && copy->dst.reach == NULL) {
			moved = copy_local(copy, budget);
		} else {
			result = copy_through_window(copy, budget, &moved);
			if (result != DOCA_SUCCESS)
				return result;
		}
		budget -= least(moved, budget);
	}
	return DOCA_SUCCESS;
}

const char *dma_copy_fault(doca_error_t result)
{
	switch (result) {
	case DOCA_ERROR_CONNECTION_RESET:
		return "the exporter of a buf's mmap is dead";
	case DOCA_ERROR_NOT_PERMITTED:
		return "the exporter of a buf's mmap has stopped it";
	case DOCA_ERROR_INVALID_VALUE:
		return "the memory of a local buf is gone, or cannot be written";
	default:
		return "the memory behind an imported buf is gone";
	}
}

void dma_copy_end(struct dma_copy *copy)
{
	if (copy->pass != DMA_PASS_NONE)
		sdpu_copy_cancel(&copy->window);
	copy->pass = DMA_PASS_NONE;
}
