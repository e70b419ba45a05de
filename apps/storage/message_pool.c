/* SPDX-License-Identifier: BSD-3-Clause */
#include "message_pool.h"

#include <stdlib.h>

static doca_error_t message_pool_make_bufs(struct message_pool *pool)
{
	doca_error_t result = DOCA_SUCCESS;
	uint32_t i;

	pool->bufs = calloc(pool->count, sizeof(*pool->bufs));
	if (pool->bufs == NULL)
		return DOCA_ERROR_NO_MEMORY;
	for (i = 0; i < pool->count && result == DOCA_SUCCESS; i++)
		result = doca_buf_inventory_buf_get_by_addr(pool->inventory, pool->mmap,
							    message_pool_at(pool, i),
							    IO_MESSAGE_SIZE, &pool->bufs[i]);
	return result;
}

doca_error_t message_pool_make(struct message_pool *pool, struct doca_dev *dev, uint32_t count,
			       uint32_t extra_bufs, uint32_t permissions, struct fault *fault)
{
	doca_error_t result;

	pool->count = count;
	result = memory_allocate(&pool->region, MEMORY_PRIVATE, (size_t)count * IO_MESSAGE_SIZE,
				 fault);
	if (result == DOCA_SUCCESS)
		result = memory_make_mmap(&pool->region, dev, permissions, &pool->mmap, fault);
	if (result != DOCA_SUCCESS)
		return result;

	result = doca_buf_inventory_create((size_t)count + extra_bufs, &pool->inventory);
	if (result == DOCA_SUCCESS)
		result = doca_buf_inventory_start(pool->inventory);
	if (result == DOCA_SUCCESS)
		result = message_pool_make_bufs(pool);
	if (result != DOCA_SUCCESS)
		return fault_raise(fault, result, "Cannot make %u IO messages: %s", count,
				   doca_error_get_name(result));
	return DOCA_SUCCESS;
}

/* The reverse of the way it was made. */
void message_pool_destroy(struct message_pool *pool)
{
	uint32_t i;

	for (i = 0; i < pool->count && pool->bufs != NULL; i++)
		if (pool->bufs[i] != NULL)
			doca_buf_dec_refcount(pool->bufs[i], NULL);
	free(pool->bufs);
	if (pool->inventory != NULL)
		doca_buf_inventory_destroy(pool->inventory);
	if (pool->mmap != NULL)
		doca_mmap_destroy(pool->mmap);
	memory_free(&pool->region);
	*pool = (struct message_pool){.region.fd = -1};
}
