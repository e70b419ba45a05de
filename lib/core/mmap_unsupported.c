/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranges that no process has in its address space: memory of a GPU, and of a DPA.
 */
#include <doca_mmap.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_mmap_set_dmabuf_memrange,
	(struct doca_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset, size_t len),
	mmap && dmabuf_fd >= 0 && len)
SDPU_UNSUPPORTED(doca_mmap_set_dpa_memrange,
	(struct doca_mmap *mmap, struct doca_dpa *dpa, uint64_t dpa_addr, size_t len),
	mmap && dpa && dpa_addr && len)
SDPU_UNSUPPORTED(doca_mmap_dev_get_dpa_handle,
	(struct doca_mmap *mmap, const struct doca_dev *dev, doca_dpa_dev_mmap_t *mmap_handle),
	mmap && dev && mmap_handle)
/* clang-format on */
