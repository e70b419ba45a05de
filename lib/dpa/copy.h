/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of device code between mmaps, named by their handles: memory of this process, which is
 * copied in place, and imported memory, which is reached through its window. No state. Blocks until
 * done; when an exporter dies it fails. Data path.
 */
#ifndef SDPU_DPA_COPY_H
#define SDPU_DPA_COPY_H

#include <stddef.h>
#include <stdint.h>

#include <doca_dpa_dev_handles.h>
#include <doca_error.h>

#include "base/compiler.h"
#include "core/mmap_handle.h"

/*
 * In a kernel; a kill waits for the end of it. NOT_FOUND: no such handle (any more).
 * NOT_PERMITTED: outside of an mmap, or it may not be read or written; its exporter has stopped it.
 * INVALID_VALUE, IO_FAILED: memory is gone. CONNECTION_RESET: an exporter is dead. SHUTDOWN: an
 * mmap was stopped, or the kernel is to end (and does, unless the caller has a guard). On failure
 * part of it may have been copied.
 */
SDPU_SHARED doca_error_t sdpu_dpa_copy(doca_dpa_dev_mmap_t dst, uint64_t dst_addr,
				       doca_dpa_dev_mmap_t src, uint64_t src_addr, size_t len);
/* The same for threads of the library, with their own pins. The copy ends when *ending (atomic) is
 * not 0. */
doca_error_t dpa_copy_with(struct sdpu_mmap_pins *pins, const uint32_t *ending,
			   doca_dpa_dev_mmap_t dst, uint64_t dst_addr, doca_dpa_dev_mmap_t src,
			   uint64_t src_addr, size_t len);
/* Describes such a failure in words. */
SDPU_SHARED const char *sdpu_dpa_copy_fault(doca_error_t result);

#endif
