/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles of device functions. A handle comes from a program, so it is checked first; one of the
 * wrong kind ends the kernel. An address where nothing is mapped faults, and the fault ends it. No
 * state; in a kernel.
 */
#ifndef SDPU_DPA_HANDLE_H
#define SDPU_DPA_HANDLE_H

#include <stdbool.h>

#include "base/compiler.h"
#include "core/dpa_handle.h"

/* Ends the kernel: says what `call` was given and what it needs. */
SDPU_SHARED void sdpu_dpa_handle_refuse(const char *call, uint64_t handle, enum sdpu_dpa_kind kind)
	__attribute__((cold, noreturn));

static inline bool sdpu_dpa_handle_is(uint64_t handle, enum sdpu_dpa_kind kind)
{
	const struct sdpu_dpa_head *head = (const struct sdpu_dpa_head *)(uintptr_t)handle;

	/* acquire: pairs with the release of sdpu_dpa_handle_give() */
	return handle != 0 && handle % _Alignof(struct sdpu_dpa_head) == 0 &&
	       sdpu_load_acquire(&head->kind) == (uint32_t)kind;
}

/* The object, which is of that kind. */
static inline void *sdpu_dpa_handle_open(const char *call, uint64_t handle, enum sdpu_dpa_kind kind)
{
	if (sdpu_unlikely(!sdpu_dpa_handle_is(handle, kind)))
		sdpu_dpa_handle_refuse(call, handle, kind);
	return (void *)(uintptr_t)handle;
}

#endif
