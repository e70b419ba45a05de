/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Heap of a DPA context: the memory that doca_dpa_mem_alloc() hands out. It is memory of this
 * process, and kernels use it as such. Owner: the context, which frees the rest when it is
 * destroyed, after its last kernel. Host's threads, any; a lock.
 */
#ifndef SDPU_DPA_HEAP_H
#define SDPU_DPA_HEAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

#define DPA_HEAP_SIZE ((size_t)1 << 30) /* bytes of one context, in all */
#define DPA_HEAP_ALIGN 64

struct dpa_heap {
	pthread_mutex_t lock;
	struct sdpu_list blocks;
	size_t used;
};

void dpa_heap_init(struct dpa_heap *heap);
void dpa_heap_fini(struct dpa_heap *heap);

/* NULL: no memory. size > 0. */
void *dpa_heap_alloc(struct dpa_heap *heap, size_t size);
/* False: no block begins there. */
bool dpa_heap_free(struct dpa_heap *heap, uint64_t addr);

/* Where a range lies. */
enum dpa_heap_place {
	DPA_HEAP_INSIDE,  /* within one block */
	DPA_HEAP_BEYOND,  /* begins in a block and ends behind it */
	DPA_HEAP_OUTSIDE, /* begins elsewhere: perhaps a variable of device code */
};
enum dpa_heap_place dpa_heap_find(struct dpa_heap *heap, uint64_t addr, size_t len);

#endif
