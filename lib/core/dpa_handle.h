/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles of device code: each but an mmap's is the address of an object that begins with a word
 * which says what it is. Owner: the object's; the word is set when there is a handle, and cleared
 * when the object stops. Any thread.
 */
#ifndef SDPU_CORE_DPA_HANDLE_H
#define SDPU_CORE_DPA_HANDLE_H

#include <stdint.h>

#include "base/atomic.h"

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

/* The object is ready: what was stored before is seen by who finds the kind. */
static inline uint64_t sdpu_dpa_handle_give(struct sdpu_dpa_head *head, enum sdpu_dpa_kind kind)
{
	sdpu_store_release(&head->kind, (uint32_t)kind);
	return (uintptr_t)head;
}

static inline void sdpu_dpa_handle_withdraw(struct sdpu_dpa_head *head)
{
	sdpu_store_release(&head->kind, SDPU_DPA_KIND_NONE);
}

#endif
