/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copy: the data of one list of bufs to the room of another. Any buf of either may be local, and is
 * then accessed in place, or imported, and is then reached through its window.
 *
 * It goes by stretches, each within one buf on both sides: local to local by the processor, with a
 * window on one side as a copy of lib/bus, from window to window in two passes through staging
 * memory. Owner: the DMA context, which has one under way at a time; thread: the engine's. Ends
 * with dma_copy_end(), at any point. When an exporter dies, it fails. Data path.
 */
#ifndef SDPU_DMA_COPY_H
#define SDPU_DMA_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "bus/window.h"
#include "core/buf.h"

#define DMA_STAGING_SIZE (256u * 1024u)

/* A place in a list; left 0: at its end. */
struct dma_cursor {
	const struct doca_buf *buf;
	struct sdpu_reach *reach; /* NULL: local */
	uint8_t *at;
	size_t left; /* in this buf */
	bool room;   /* it goes over the room behind the data, not over the data */
};

/* What is under way through a window. */
enum dma_pass {
	DMA_PASS_NONE,
	DMA_PASS_STAGE, /* from the source into staging */
	DMA_PASS_LAST,	/* to the destination */
};

struct dma_copy {
	size_t len;
	size_t done;
	struct dma_cursor src, dst;
	enum dma_pass pass;
	struct sdpu_copy window;
	struct iovec local; /* window's local side */
	uint8_t *staging;
};

/* Validated: len bytes, not 0, are there and have room. staging: DMA_STAGING_SIZE bytes,
 * lent until the end. */
void dma_copy_begin(struct dma_copy *copy, const struct doca_buf *src, const struct doca_buf *dst,
		    size_t len, uint8_t *staging);
/* Moves about `budget` bytes at most. IN_PROGRESS: call again; else it is over, as sdpu_copy_run()
 * says. */
doca_error_t dma_copy_run(struct dma_copy *copy, size_t budget);
/* What such a failure means, in words. */
const char *dma_copy_fault(doca_error_t result);
/* Once for each begin; gives up what is under way. */
void dma_copy_end(struct dma_copy *copy);

#endif
