/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The IO messages of one data path thread: a region of 64-byte messages, the mmap over it, an
 * inventory, and one buf per message. Made and destroyed by the control thread, used by the
 * thread in between. Destroyed after all tasks that use its bufs.
 */
#ifndef STORAGE_MESSAGE_POOL_H
#define STORAGE_MESSAGE_POOL_H

#include "io_message.h"
#include "memory.h"

#include <doca_buf.h>
#include <doca_buf_inventory.h>

struct message_pool {
	struct memory_region region;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
	struct doca_buf **bufs; /* buf i covers message i, with data length 0 */
	uint32_t count;
};

/* extra_bufs: elements of the inventory beyond one per message. */
doca_error_t message_pool_make(struct message_pool *pool, struct doca_dev *dev, uint32_t count,
			       uint32_t extra_bufs, uint32_t permissions, struct fault *fault);

void message_pool_destroy(struct message_pool *pool);

static inline uint8_t *message_pool_at(const struct message_pool *pool, uint32_t index)
{
	return (uint8_t *)pool->region.base + (size_t)index * IO_MESSAGE_SIZE;
}

/* Makes buf index a source: all of its message is data. */
static inline doca_error_t message_pool_set_full(const struct message_pool *pool, uint32_t index)
{
	return doca_buf_set_data(pool->bufs[index], message_pool_at(pool, index), IO_MESSAGE_SIZE);
}

#endif
