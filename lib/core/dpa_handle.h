/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles of device code: each but an mmap's is the address of an object that begins with a word
 * which says what it is. Owner: the object's; the word is set when there is a handle, and cleared
 * when the object stops. Device code may keep a handle for longer than its object lives: the memory
 * is retired, not freed, so that the handle leads to a cleared word. Any thread.
 */
#ifndef SDPU_CORE_DPA_HANDLE_H
#define SDPU_CORE_DPA_HANDLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/compiler.h"

enum sdpu_dpa_kind {
	SDPU_DPA_KIND_NONE,
	SDPU_DPA_KIND_CONTEXT = 0x44504101,
	SDPU_DPA_KIND_COMPLETION,
	SDPU_DPA_KIND_COMPLETION_ELEMENT,
	SDPU_DPA_KIND_NOTIFICATION,
	SDPU_DPA_KIND_ASYNC_OPS,
	SDPU_DPA_KIND_HASH_TABLE,
	SDPU_DPA_KIND_BUF_ARRAY,
	SDPU_DPA_KIND_SYNC_EVENT,
	SDPU_DPA_KIND_CONSUMER,
	SDPU_DPA_KIND_CONSUMER_COMPLETION,
	SDPU_DPA_KIND_CONSUMER_ELEMENT,
	SDPU_DPA_KIND_PRODUCER,
	SDPU_DPA_KINDS_END
};

/* The first member of what a handle leads to. */
struct sdpu_dpa_head {
	uint32_t kind; /* enum sdpu_dpa_kind; atomic */
} __attribute__((aligned(8)));

/* The object is ready: whoever finds the kind sees what was stored before. */
static inline uint64_t sdpu_dpa_handle_give(struct sdpu_dpa_head *head, enum sdpu_dpa_kind kind)
{
	sdpu_store_release(&head->kind, (uint32_t)kind);
	return (uintptr_t)head;
}

static inline void sdpu_dpa_handle_withdraw(struct sdpu_dpa_head *head)
{
	sdpu_store_release(&head->kind, SDPU_DPA_KIND_NONE);
}

#define SDPU_DPA_RETIRED 256

/* Memory of destroyed objects whose handles may still be in use. The oldest blocks are freed when
 * there are too many, or too many bytes. Owner: whoever embeds it, zeroed; clear frees all. */
struct sdpu_dpa_retired {
	uint32_t next;			/* atomic */
	size_t bytes;			/* atomic */
	void *blocks[SDPU_DPA_RETIRED]; /* atomic */
};

SDPU_SHARED void sdpu_dpa_retired_add(struct sdpu_dpa_retired *retired, void *memory);
SDPU_SHARED void sdpu_dpa_retired_clear(struct sdpu_dpa_retired *retired);
/* In place of free(), for objects that no DPA context outlives: into the list of the process. */
SDPU_SHARED void sdpu_dpa_handle_retire(void *memory);

#endif
