/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Batched submission of receives: only every size-th is flushed. Surplus receives, one batch of
 * them, make up for those that wait for their flush.
 */
#ifndef STORAGE_BATCH_H
#define STORAGE_BATCH_H

#include <doca_pe.h>

#include <stdint.h>

struct batch {
	uint32_t size; /* at least 1 */
	uint32_t left; /* submits until the next flush, that one included */
};

static inline void batch_init(struct batch *batch, uint32_t size)
{
	batch->size = size;
	batch->left = size;
}

static inline doca_error_t batch_submit(struct batch *batch, struct doca_task *task)
{
	uint32_t flags = DOCA_TASK_SUBMIT_FLAG_NONE;

	if (--batch->left == 0) {
		batch->left = batch->size;
		flags = DOCA_TASK_SUBMIT_FLAG_FLUSH;
	}
	return doca_task_submit_ex(task, flags);
}

#endif
