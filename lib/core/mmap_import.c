/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mmaps made from export descriptors. A descriptor has been through files and sockets. It is judged
 * before anything is done with it, and then it only says whom to ask: range and permissions are
 * those that the owner's agent tells. One of another machine (foreign) is taken at its word, as
 * nobody can be asked yet: whoever serves an access there judges it.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "bus/rundir.h"
#include "core/import.h"
#include "core/mmap_object.h"

/* Can this device reach what the descriptor names, and was it made on this machine? */
static doca_error_t import_check(const struct sdpu_blob *blob, const struct doca_dev *dev,
				 bool *foreign)
{
	doca_error_t result;

	if (blob->kind == SDPU_BLOB_PCI && sdpu_dev_function(dev)->side != SDPU_SIDE_DPU) {
		sdpu_log_err("doca_mmap_create_from_export: device %s is host side; needed: a DPU "
			     "device, "
			     "as only these import PCI exports",
			     sdpu_dev_function(dev)->pci);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	result = sdpu_import_is_foreign(blob, foreign);
	if (result == DOCA_SUCCESS && *foreign && blob->kind == SDPU_BLOB_PCI) {
		sdpu_log_err("doca_mmap_create_from_export: the descriptor is of another machine, "
			     "another runtime directory than %s, or from before the last boot; "
			     "needed: one of here, as a PCI export is imported where it was made",
			     sdpu_rundir_path());
		return DOCA_ERROR_DRIVER;
	}
	return result;
}

/* Takes over the reach, on success only. No reach: foreign. */
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
	mmap->perms = reach != NULL ? sdpu_reach_perms(reach) : blob->perms;
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
	struct sdpu_reach *reach = NULL;
	struct doca_mmap *made;
	struct sdpu_blob blob;
	doca_error_t result;
	bool foreign;

	if (sdpu_any_null(__func__, export_desc, dev, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	/* from here on may take seconds: the owner's agent is asked; no lock of ours is held */
	result = sdpu_blob_decode(__func__, export_desc, export_desc_len, SDPU_BLOB_IS_MMAP, &blob);
	if (result == DOCA_SUCCESS)
		result = import_check(&blob, dev, &foreign);
	if (result == DOCA_SUCCESS && !foreign)
		result = sdpu_import_open("doca_mmap_create_from_export", &blob, &reach);
	if (result != DOCA_SUCCESS)
		return result;
	made = make_imported(&blob, reach, dev);
	if (made == NULL) {
		sdpu_reach_close(reach);
		return sdpu_no_memory(__func__);
	}
	if (user_data != NULL)
		made->user_data = *user_data;
	*mmap = made;
	return DOCA_SUCCESS;
}
