/* SPDX-License-Identifier: BSD-3-Clause */
#include "dpa/heap.h"

#include <stdlib.h>

/* Header in front of the memory that it describes. */
struct block {
	struct sdpu_list node;
	size_t size;
} __attribute__((aligned(DPA_HEAP_ALIGN)));

void dpa_heap_init(struct dpa_heap *heap)
{
	pthread_mutex_init(&heap->lock, NULL);
	sdpu_list_init(&heap->blocks);
	heap->used = 0;
}

void dpa_heap_fini(struct dpa_heap *heap)
{
	struct sdpu_list *node;

	while ((node = sdpu_list_pop(&heap->blocks)) != NULL)
		free(sdpu_container_of(node, struct block, node));
	pthread_mutex_destroy(&heap->lock);
}

void *dpa_heap_alloc(struct dpa_heap *heap, size_t size)
{
	struct block *block = NULL;

	pthread_mutex_lock(&heap->lock);
	if (size <= DPA_HEAP_SIZE - heap->used)
		block = aligned_alloc(DPA_HEAP_ALIGN, (sizeof(*block) + size + DPA_HEAP_ALIGN - 1) /
							      DPA_HEAP_ALIGN * DPA_HEAP_ALIGN);
	if (block != NULL) {
		block->size = size;
		heap->used += size;
		sdpu_list_append(&heap->blocks, &block->node);
	}
	pthread_mutex_unlock(&heap->lock);
	return block != NULL ? block + 1 : NULL;
}

/* The block in which addr lies. Under the lock. */
static struct block *find(const struct dpa_heap *heap, uint64_t addr)
{
	struct sdpu_list *node;

	for (node = heap->blocks.next; node != &heap->blocks; node = node->next) {
		struct block *block = sdpu_container_of(node, struct block, node);

		if (addr - (uintptr_t)(block + 1) < block->size)
			return block;
	}
	return NULL;
}

bool dpa_heap_free(struct dpa_heap *heap, uint64_t addr)
{
	struct block *block;

	pthread_mutex_lock(&heap->lock);
	block = find(heap, addr);
	if (block != NULL && addr != (uintptr_t)(block + 1))
		block = NULL;
	if (block != NULL) {
		heap->used -= block->size;
		sdpu_list_remove(&block->node);
	}
	pthread_mutex_unlock(&heap->lock);
	free(block);
	return block != NULL;
}

enum dpa_heap_place dpa_heap_find(struct dpa_heap *heap, uint64_t addr, size_t len)
{
	enum dpa_heap_place place = DPA_HEAP_OUTSIDE;
	const struct block *block;

	pthread_mutex_lock(&heap->lock);
	block = find(heap, addr);
	if (block != NULL)
		place = len <= block->size - (addr - (uintptr_t)(block + 1)) ? DPA_HEAP_INSIDE
									     : DPA_HEAP_BEYOND;
	pthread_mutex_unlock(&heap->lock);
	return place;
}
