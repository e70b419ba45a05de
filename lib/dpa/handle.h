/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles of device code: each is the address of an object that begins with a word which says what
 * it is. Owner: the object's; the word is set when it starts and cleared when it stops. A handle
 * comes from a program, so a device function looks at it before anything else; what is no handle of
 * the right kind ends the kernel. An address where nothing is mapped faults, and the fault ends it.
 */
#ifndef SDPU_DPA_HANDLE_H
#define SDPU_DPA_HANDLE_H

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
	SDPU_DPA_KIND_CONSUMER,
	SDPU_DPA_KIND_CONSUMER_COMPLETION,
	SDPU_DPA_KIND_CONSUMER_ELEMENT,
	SDPU_DPA_KIND_PRODUCER,
	SDPU_DPA_KINDS_END
};

/* The first member of what a handle leads to. Atomic: one thread stops what others look at. */
struct sdpu_dpa_head {
	uint32_t kind; /* enum sdpu_dpa_kind */
};

/* Ends the kernel: says what `call` was given and what it needs. */
SDPU_SHARED void sdpu_dpa_handle_refuse(const char *call, uint64_t handle, enum sdpu_dpa_kind kind)
	__attribute__((cold, noreturn));

/* In a kernel. The object, which is of that kind. */
static inline void *sdpu_dpa_handle_open(const char *call, uint64_t handle, enum sdpu_dpa_kind kind)
{
	const struct sdpu_dpa_head *head = (const struct sdpu_dpa_head *)(uintptr_t)handle;

	/* acquire: pairs with the release of sdpu_dpa_handle_give() */
	if (sdpu_unlikely(handle == 0 || handle % 8 != 0 ||
			  sdpu_load_acquire(&head->kind) != (uint32_t)kind))
		sdpu_dpa_handle_refuse(call, handle, kind);
	return (void *)(uintptr_t)handle;
}

/* The object is ready: what was stored before is seen by who opens the handle. */
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
