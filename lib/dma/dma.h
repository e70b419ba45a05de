/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DMA context: a line of copies, of which only the oldest acts, by the engine's polls.
 *
 * Owner: the user; thread: that of its engine. Start succeeds at once. A copy that fails takes the
 * context along: it goes STOPPING, and the copies behind it end with SHUTDOWN, as with a stop. When
 * the exporter of an imported mmap dies, the copy that needs it fails so.
 */
#ifndef SDPU_DMA_DMA_H
#define SDPU_DMA_DMA_H

#include <doca_dma.h>

#include "core/ctx.h"
#include "core/dev.h"
#include "core/pe.h"
#include "core/task.h"
#include "dma/copy.h"

/* Owner: as for every task. What a copy needs while it acts is the context's. */
struct doca_dma_task_memcpy {
	struct doca_task base;
	const struct doca_buf *src;
	struct doca_buf *dst;
};

struct doca_dma {
	struct doca_ctx ctx;
	struct sdpu_source source;
	struct sdpu_task_queue waiting; /* submitted, the oldest first */
	bool begun;			/* the oldest has: copy is its */
	struct dma_copy copy;
	struct sdpu_task_pool memcpys;
	uint8_t staging[DMA_STAGING_SIZE]; /* copy's; the last member: few contexts touch it */
};

static inline const struct sdpu_limits *dma_limits(const struct doca_dma *dma)
{
	return sdpu_dev_function(dma->ctx.dev)->limits;
}

/* validate.c: may this copy be made? NULL and its length, or what is wrong in words. */
const char *dma_validate(const struct doca_dma *dma, const struct doca_buf *src,
			 const struct doca_buf *dst, size_t *len);

/* dma.c: at the end of the line. */
void dma_submit(struct doca_dma *dma, struct doca_task *task);
/* One of the line lets go of its bufs. */
void dma_cancel(struct doca_dma *dma, const struct doca_task *task);

#endif
