/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/desc.h"

#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "bus/blob_wire.h"
#include "t.h"

static void desc_take(struct desc *desc, const void *bytes, size_t len)
{
	T_CHECK(len > 0 && len <= 1000);
	desc->len = len;
	memcpy(desc->bytes, bytes, len);
}

void desc_export_pci(struct doca_mmap *mmap, struct doca_dev *dev, struct desc *desc)
{
	const void *bytes;
	size_t len;

	T_OK(doca_mmap_export_pci(mmap, dev, &bytes, &len));
	desc_take(desc, bytes, len);
}

void desc_export_rdma(struct doca_mmap *mmap, struct doca_dev *dev, struct desc *desc)
{
	const void *bytes;
	size_t len;

	T_OK(doca_mmap_export_rdma(mmap, dev, &bytes, &len));
	desc_take(desc, bytes, len);
}

doca_error_t desc_import(const struct desc *desc, struct doca_dev *dev, struct doca_mmap **mmap)
{
	return doca_mmap_create_from_export(NULL, desc->bytes, desc->len, dev, mmap);
}

struct sdpu_blob desc_blob(const struct desc *desc)
{
	struct sdpu_blob blob;

	T_OK(sdpu_blob_decode("test", desc->bytes, desc->len, SDPU_BLOB_IS_MMAP, &blob));
	return blob;
}

void desc_of_blob(struct desc *desc, const struct sdpu_blob *blob)
{
	sdpu_blob_encode(blob, desc->bytes, &desc->len);
}

void desc_resum(struct desc *desc)
{
	sdpu_put_u32(desc->bytes + BLOB_AT_SUM, sdpu_blob_sum(desc->bytes, desc->len));
}

void desc_tell(int fd, const struct desc *desc)
{
	T_EQ(write(fd, desc, sizeof(*desc)), sizeof(*desc));
}

void desc_hear(int fd, struct desc *desc)
{
	T_EQ(read(fd, desc, sizeof(*desc)), sizeof(*desc));
}
