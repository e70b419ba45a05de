/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA: contexts, running code, memory.
 */
#include <doca_dpa.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_dpa_mem_free, (struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dev_ptr), dpa)
SDPU_UNSUPPORTED(doca_dpa_h2d_memcpy,
	(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dst_ptr, void *src_ptr, size_t size),
	dpa && src_ptr)
SDPU_UNSUPPORTED(doca_dpa_h2d_buf_memcpy,
	(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dst_ptr, struct doca_buf *buf, size_t size),
	dpa && buf)
SDPU_UNSUPPORTED(doca_dpa_d2h_memcpy,
	(struct doca_dpa *dpa, void *dst_ptr, doca_dpa_dev_uintptr_t src_ptr, size_t size),
	dpa && dst_ptr)
SDPU_UNSUPPORTED(doca_dpa_d2h_buf_memcpy,
	(struct doca_dpa *dpa, struct doca_buf *buf, doca_dpa_dev_uintptr_t src_ptr, size_t size),
	dpa && buf)
SDPU_UNSUPPORTED(doca_dpa_memset,
	(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dev_ptr, int value, size_t size), dpa)
/* clang-format on */

/* The one call that writes its output on failure too. */
doca_error_t doca_dpa_mem_alloc(struct doca_dpa *dpa, size_t size, doca_dpa_dev_uintptr_t *dev_ptr)
{
	if (dev_ptr)
		*dev_ptr = 0;
	return sdpu_unsupported(__func__, dpa && dev_ptr);
}
