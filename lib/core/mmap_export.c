/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Export descriptors (bus/blob.h). A descriptor names the first owner of the memory, however often
 * it was exported again: importers on this machine reach the owner directly, and who passed it on
 * may go. It belongs to the mmap, one per device and way, and is made once, as programs keep the
 * pointer. Importers on another machine come to us through a connection, and are served what is in
 * the table of RDMA exports (export_table.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/agent.h"
#include "bus/process.h"
#include "core/export_table.h"
#include "core/mmap_object.h"

struct export_kind {
	const char *call;
	enum sdpu_blob_kind kind;
	uint32_t needs_one_of;
	const char *needs;
};

static const struct export_kind export_pci = {
	.call = "doca_mmap_export_pci",
	.kind = SDPU_BLOB_PCI,
	.needs_one_of = DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
	.needs = "DOCA_ACCESS_FLAG_PCI_READ_ONLY or _READ_WRITE",
};

static const struct export_kind export_rdma = {
	.call = "doca_mmap_export_rdma",
	.kind = SDPU_BLOB_RDMA,
	.needs_one_of = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
			DOCA_ACCESS_FLAG_RDMA_ATOMIC,
	.needs = "DOCA_ACCESS_FLAG_RDMA_READ, _WRITE or _ATOMIC",
};

static const uint8_t *export_key(const struct doca_mmap *mmap)
{
	return mmap->imported ? mmap->source.key : sdpu_window_key(mmap->window);
}

void sdpu_mmap_drop_exports(struct doca_mmap *mmap)
{
	for (uint32_t i = 0; i < mmap->num_devs; i++) {
		struct sdpu_mmap_dev *entry = &mmap->devs[i];

		if (entry->rdma.bytes != NULL)
			sdpu_export_remove(export_key(mmap));
		free(entry->pci.bytes);
		free(entry->rdma.bytes);
		entry->pci = entry->rdma = (struct sdpu_mmap_export){0};
	}
}

static doca_error_t export_check(const struct doca_mmap *mmap, const struct doca_dev *dev,
				 const struct export_kind *kind)
{
	const struct sdpu_function *function = sdpu_dev_function(dev);

	if (mmap->state != SDPU_MMAP_STARTED) {
		sdpu_log_err("%s: the mmap is not started; call doca_mmap_start() first",
			     kind->call);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (sdpu_mmap_find_dev(mmap, dev) == NULL) {
		sdpu_log_err("%s: device %s is none of the mmap's; call doca_mmap_add_dev() "
			     "before start",
			     kind->call, function->pci);
		return DOCA_ERROR_NOT_FOUND;
	}
	if (mmap->imported && mmap->reach == NULL) {
		sdpu_log_err("%s: the mmap was imported from another machine; only its owner, and "
			     "who imported it on that machine, can export it",
			     kind->call);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if ((mmap->perms & kind->needs_one_of) == 0) {
		sdpu_log_err("%s: the permissions are 0x%x; needed: %s "
			     "(doca_mmap_set_permissions())",
			     kind->call, mmap->perms, kind->needs);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (kind->kind == SDPU_BLOB_PCI && function->side != SDPU_SIDE_HOST) {
		sdpu_log_err("%s: device %s is DPU side; only host devices export over PCIe",
			     kind->call, function->pci);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return DOCA_SUCCESS;
}

/* What a descriptor of this mmap says. */
static doca_error_t describe(const struct doca_mmap *mmap, enum sdpu_blob_kind kind,
			     struct sdpu_blob *blob)
{
	doca_error_t result = DOCA_SUCCESS;

	if (mmap->imported) {
		*blob = mmap->source;
		strcpy(blob->reexporter, sdpu_agent_endpoint());
	} else {
		*blob = (struct sdpu_blob){.addr = (uintptr_t)mmap->addr, .len = mmap->len};
		memcpy(blob->key, export_key(mmap), sizeof(blob->key));
		strcpy(blob->owner, sdpu_agent_endpoint());
		result = sdpu_machine_id(blob->machine_id);
	}
	blob->kind = kind;
	blob->perms = mmap->perms;
	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_DRIVER;
}

/* Requesters of other machines may ask for it from now on. */
static doca_error_t publish(const struct sdpu_blob *blob)
{
	struct sdpu_export e = {.perms = blob->perms, .addr = blob->addr, .len = blob->len};

	memcpy(e.key, blob->key, sizeof(e.key));
	memcpy(e.owner, blob->owner, sizeof(e.owner));
	return sdpu_export_add(&e);
}

static doca_error_t make_export(const struct doca_mmap *mmap, const struct export_kind *kind,
				struct sdpu_mmap_export *made)
{
	struct sdpu_blob blob;
	doca_error_t result = describe(mmap, kind->kind, &blob);
	uint8_t *bytes;

	if (result != DOCA_SUCCESS)
		return result;
	bytes = malloc(SDPU_BLOB_MAX);
	if (bytes == NULL || (kind->kind == SDPU_BLOB_RDMA && publish(&blob) != DOCA_SUCCESS)) {
		free(bytes);
		return sdpu_no_memory(kind->call);
	}
	sdpu_blob_encode(&blob, bytes, &made->len);
	made->bytes = bytes;
	return DOCA_SUCCESS;
}

static doca_error_t export(struct doca_mmap *mmap, const struct doca_dev *dev,
			   const struct export_kind *kind, const void **export_desc,
			   size_t *export_desc_len)
{
	struct sdpu_mmap_export *made;
	struct sdpu_mmap_dev *entry;
	doca_error_t result;

	if (sdpu_any_null(kind->call, mmap, dev, export_desc, export_desc_len))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(kind->call))
		return DOCA_ERROR_BAD_STATE;
	result = export_check(mmap, dev, kind);
	if (result != DOCA_SUCCESS)
		return result;
	/* checked above: the device is there */
	entry = sdpu_mmap_find_dev(mmap, dev);
	made = kind->kind == SDPU_BLOB_PCI ? &entry->pci : &entry->rdma;
	if (made->bytes == NULL)
		result = make_export(mmap, kind, made);
	if (result != DOCA_SUCCESS)
		return result;
	mmap->exported = true;
	*export_desc = made->bytes;
	*export_desc_len = made->len;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev,
				  const void **export_desc, size_t *export_desc_len)
{
	return export(mmap, dev, &export_pci, export_desc, export_desc_len);
}

doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev,
				   const void **export_desc, size_t *export_desc_len)
{
	return export(mmap, dev, &export_rdma, export_desc, export_desc_len);
}
