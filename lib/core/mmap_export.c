/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Export descriptors (bus/blob.h), and mmaps made from them. A descriptor names the first owner of
 * the memory, however often it was exported again: importers reach the owner directly, and who
 * passed it on may go. It belongs to the mmap, one per device and way, and is made once, as
 * programs keep the pointer.
 *
 * A descriptor has been through files and sockets. It is judged before anything is done with it,
 * and then it only says whom to ask: range and permissions are those that the owner's agent tells.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "bus/agent.h"
#include "bus/process.h"
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

void sdpu_mmap_drop_exports(struct doca_mmap *mmap)
{
	for (uint32_t i = 0; i < mmap->num_devs; i++) {
		free(mmap->devs[i].pci.bytes);
		free(mmap->devs[i].rdma.bytes);
		mmap->devs[i].pci = mmap->devs[i].rdma = (struct sdpu_mmap_export){0};
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
		memcpy(blob->key, sdpu_window_key(mmap->window), sizeof(blob->key));
		strcpy(blob->owner, sdpu_agent_endpoint());
		result = sdpu_boot_id(blob->boot_id);
	}
	blob->kind = kind;
	blob->perms = mmap->perms;
	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_DRIVER;
}

static doca_error_t make_export(const struct doca_mmap *mmap, enum sdpu_blob_kind kind,
				struct sdpu_mmap_export *made)
{
	struct sdpu_blob blob;
	doca_error_t result = describe(mmap, kind, &blob);

	if (result != DOCA_SUCCESS)
		return result;
	made->bytes = malloc(SDPU_BLOB_MAX);
	if (made->bytes == NULL)
		return DOCA_ERROR_NO_MEMORY;
	sdpu_blob_encode(&blob, made->bytes, &made->len);
	return DOCA_SUCCESS;
}

static doca_error_t export(struct doca_mmap *mmap, const struct doca_dev *dev,
			   const struct export_kind *kind, const void **export_desc,
			   size_t *export_desc_len)
{
	struct sdpu_mmap_export *made;
	struct sdpu_mmap_dev *entry;
	doca_error_t result;

	if (mmap == NULL || dev == NULL || export_desc == NULL || export_desc_len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	result = export_check(mmap, dev, kind);
	if (result != DOCA_SUCCESS)
		return result;
	/* checked above: the device is there */
	entry = sdpu_mmap_find_dev(mmap, dev);
	made = kind->kind == SDPU_BLOB_PCI ? &entry->pci : &entry->rdma;
	if (made->bytes == NULL)
		result = make_export(mmap, kind->kind, made);
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

/* Can this device, on this machine, reach what the descriptor names? */
static doca_error_t import_check(const struct sdpu_blob *blob, const struct doca_dev *dev)
{
	uint8_t boot_id[SDPU_BOOT_ID_SIZE];

	if (blob->kind == SDPU_BLOB_PCI && sdpu_dev_function(dev)->side != SDPU_SIDE_DPU) {
		sdpu_log_err("doca_mmap_create_from_export: device %s is host side; PCI exports "
			     "are imported by DPU devices",
			     sdpu_dev_function(dev)->pci);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	if (sdpu_boot_id(boot_id) != DOCA_SUCCESS)
		return DOCA_ERROR_DRIVER;
	if (memcmp(boot_id, blob->boot_id, sizeof(boot_id)) != 0) {
		sdpu_log_err("doca_mmap_create_from_export: the descriptor is of another machine, "
			     "or from before the last boot");
		return DOCA_ERROR_DRIVER;
	}
	return DOCA_SUCCESS;
}

/* lib/bus has said what happened. What is not there is a fault of the descriptor. */
static doca_error_t import_result(doca_error_t why)
{
	if (why == DOCA_ERROR_NOT_FOUND)
		return DOCA_ERROR_INVALID_VALUE;
	return why == DOCA_ERROR_NO_MEMORY ? why : DOCA_ERROR_DRIVER;
}

/* The owner's word on its range counts; a descriptor that says otherwise was tampered with. */
static doca_error_t open_reach(const struct sdpu_blob *blob, struct sdpu_reach **reach)
{
	struct sdpu_reach *opened;
	uint64_t addr, len;
	doca_error_t result = sdpu_reach_import(blob->owner, blob->key, &opened);

	if (result != DOCA_SUCCESS)
		return import_result(result);
	sdpu_reach_range(opened, &addr, &len);
	if (addr != blob->addr || len != blob->len) {
		sdpu_reach_close(opened);
		sdpu_log_err("doca_mmap_create_from_export: the descriptor names another range "
			     "than its exporter");
		return DOCA_ERROR_INVALID_VALUE;
	}
	*reach = opened;
	return DOCA_SUCCESS;
}

/* Takes over the reach, on success only. */
static struct doca_mmap *make_imported(const struct sdpu_blob *blob, struct sdpu_reach *reach,
				       struct doca_dev *dev)
{
	struct doca_mmap *mmap = sdpu_mmap_make();

	if (mmap == NULL)
		return NULL;
	if (sdpu_mmap_append_dev(mmap, dev) != DOCA_SUCCESS) {
		sdpu_mmap_free(mmap);
		return NULL;
	}
	mmap->addr = (uint8_t *)(uintptr_t)blob->addr;
	mmap->len = blob->len;
	mmap->perms = sdpu_reach_perms(reach);
	mmap->source = *blob;
	mmap->reach = reach;
	mmap->imported = true;
	mmap->state = SDPU_MMAP_STARTED;
	return mmap;
}

doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
					  size_t export_desc_len, struct doca_dev *dev,
					  struct doca_mmap **mmap)
{
	struct sdpu_reach *reach;
	struct doca_mmap *made;
	struct sdpu_blob blob;
	doca_error_t result;

	if (export_desc == NULL || dev == NULL || mmap == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	/* from here on may take seconds: the owner's agent is asked; no lock of ours is held */
	result = sdpu_blob_decode(export_desc, export_desc_len, &blob);
	if (result == DOCA_SUCCESS)
		result = import_check(&blob, dev);
	if (result == DOCA_SUCCESS)
		result = open_reach(&blob, &reach);
	if (result != DOCA_SUCCESS)
		return result;
	made = make_imported(&blob, reach, dev);
	if (made == NULL) {
		sdpu_reach_close(reach);
		return DOCA_ERROR_NO_MEMORY;
	}
	if (user_data != NULL)
		made->user_data = *user_data;
	*mmap = made;
	return DOCA_SUCCESS;
}
