/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Export descriptors of mmaps, as programs carry them about.
 */
#ifndef TESTS_CORE_DESC_H
#define TESTS_CORE_DESC_H

#include <stddef.h>
#include <stdint.h>

#include <doca_mmap.h>

#include "bus/blob.h"

struct desc {
	size_t len;
	uint8_t bytes[1024];
};

void desc_export_pci(struct doca_mmap *mmap, struct doca_dev *dev, struct desc *desc);
void desc_export_rdma(struct doca_mmap *mmap, struct doca_dev *dev, struct desc *desc);
doca_error_t desc_import(const struct desc *desc, struct doca_dev *dev, struct doca_mmap **mmap);

/* What it says; and made to say something else. */
struct sdpu_blob desc_blob(const struct desc *desc);
void desc_of_blob(struct desc *desc, const struct sdpu_blob *blob);
/* Sets the checksum right after the bytes were changed. */
void desc_resum(struct desc *desc);

/* Through a pipe. */
void desc_tell(int fd, const struct desc *desc);
void desc_hear(int fd, struct desc *desc);

#endif
