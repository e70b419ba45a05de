/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranges that no process has in its address space: memory of a GPU.
 */
#include <doca_mmap.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_mmap_set_dmabuf_memrange,
	(struct doca_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset, size_t len),
	mmap && dmabuf_fd >= 0 && len)
/* clang-format on */
