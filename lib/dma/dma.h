/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DMA context: a queue of copies, of which the engine's polls carry out the oldest.
 *
 * Owner: the user; thread: that of its engine. Start succeeds at once. A copy that fails stops the
 * context: it becomes STOPPING, and the copies behind it end with SHUTDOWN. When the exporter of an
 * imported mmap dies, the copy that needs it fails in this way.
 */
#ifndef SDPU_DMA_DMA_H
#define SDPU_DMA_DMA_H

#include <doca_dma.h>

#include "core/ctx.h"
#include "core/dev.h"
#include "core/pe.h"
#include "core/task.h"
#include "dma/copy.h"

/* Owner: as for every task. What a copy needs while it is carried out belongs to the context. */
struct doca_dma_task_memcpy {
	struct doca_task base;
	const struct doca_buf *src;
	struct doca_buf *dst;
};

struct doca_dma {
	struct doca_ctx ctx;
	struct sdpu_source source;
	struct sdpu_task_queue waiting; /* submitted, oldest first */
	bool begun;			/* the oldest has begun and uses `copy` */
	struct dma_copy copy;
	struct sdpu_task_pool memcpys;
	uint8_t staging[DMA_STAGING_SIZE]; /* of `copy`; last, as few contexts touch it */
};

static inline const struct sdpu_limits *dma_limits(const struct doca_dma *dma)
{
	return sdpu_dev_function(dma->ctx.dev)->limits;
}

/* validate.c: can this copy be made? NULL, and its length; or a text that says what is wrong. */
const char *dma_validate(const struct doca_dma *dma, const struct doca_buf *src,
			 const struct doca_buf *dst, size_t *len);

/* dma.c: appends the task to the queue. */
void dma_submit(struct doca_dma *dma, struct doca_task *task);
/* The user has freed a queued task: stops using its bufs. */
void dma_cancel(struct doca_dma *dma, const struct doca_task *task);

#endif
