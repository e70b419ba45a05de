/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices of an mmap. It holds each until it is removed or the mmap is destroyed, so that the
 * agent, which serves the range to others, runs as long as anybody can reach it. There are few: a
 * search is a short loop, and an addition allocates.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/mmap_object.h"

struct sdpu_mmap_dev *sdpu_mmap_find_dev(const struct doca_mmap *mmap, const struct doca_dev *dev)
{
	for (uint32_t i = 0; i < mmap->num_devs; i++)
		if (mmap->devs[i].dev == dev)
			return &mmap->devs[i];
	return NULL;
}

bool sdpu_mmap_has_function(const struct doca_mmap *mmap, const struct doca_dev *dev)
{
	/* a function has one device in a process, however often it is opened */
	return sdpu_mmap_find_dev(mmap, dev) != NULL;
}

doca_error_t sdpu_mmap_append_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
	struct sdpu_mmap_dev *devs;

	devs = realloc(mmap->devs, (mmap->num_devs + 1) * sizeof(*devs));
	if (devs == NULL)
		return sdpu_no_memory("doca_mmap_add_dev");
	sdpu_dev_hold(dev);
	devs[mmap->num_devs] = (struct sdpu_mmap_dev){.dev = dev};
	mmap->devs = devs;
	mmap->num_devs++;
	return DOCA_SUCCESS;
}

/* Devices change before the mmap is used, and never after. */
static doca_error_t devs_changeable(const struct doca_mmap *mmap, const char *call)
{
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (!mmap->imported && !mmap->exported && mmap->dpa == NULL &&
	    mmap->state == SDPU_MMAP_IDLE)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the mmap is started, exported, imported, or of a DPA's memory; devices "
		     "are chosen before doca_mmap_start() and doca_mmap_set_dpa_memrange()",
		     call);
	return DOCA_ERROR_NOT_PERMITTED;
}

static doca_error_t add_check(const struct doca_mmap *mmap, const struct doca_dev *dev)
{
	const struct sdpu_function *function = sdpu_dev_function(dev);
	uint32_t max = mmap->max_devs;

	/* two bounds: what the program asked room for, and what the card can do */
	if (sdpu_mmap_find_dev(mmap, dev) != NULL) {
		sdpu_log_err(
			"doca_mmap_add_dev: device %s was added before; needed: each device once",
			function->pci);
		return DOCA_ERROR_ALREADY_EXIST;
	}
	if (max > function->limits->mmap_max_devices)
		max = function->limits->mmap_max_devices;
	if (mmap->num_devs >= max) {
		sdpu_log_err("doca_mmap_add_dev: device %s is one too many; at most %u "
			     "(doca_mmap_set_max_num_devices(), limit of the device: %u)",
			     function->pci, max, function->limits->mmap_max_devices);
		return DOCA_ERROR_NO_MEMORY;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap, dev))
		return DOCA_ERROR_INVALID_VALUE;
	result = devs_changeable(mmap, "doca_mmap_add_dev");
	if (result == DOCA_SUCCESS)
		result = add_check(mmap, dev);
	return result == DOCA_SUCCESS ? sdpu_mmap_append_dev(mmap, dev) : result;
}

static doca_error_t refuse_dev(const char *call, const struct doca_dev *dev)
{
	sdpu_log_err("%s: device %s is none of the mmap's; needed: one that doca_mmap_add_dev() "
		     "gave to it before start",
		     call, sdpu_dev_function(dev)->pci);
	return DOCA_ERROR_NOT_FOUND;
}

doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
	struct sdpu_mmap_dev *entry;
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap, dev))
		return DOCA_ERROR_INVALID_VALUE;
	result = devs_changeable(mmap, "doca_mmap_rm_dev");
	if (result != DOCA_SUCCESS)
		return result;
	entry = sdpu_mmap_find_dev(mmap, dev);
	if (entry == NULL)
		return refuse_dev(__func__, dev);
	mmap->num_devs--;
	memmove(entry, entry + 1, (size_t)(mmap->devs + mmap->num_devs - entry) * sizeof(*entry));
	sdpu_dev_release(dev);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices)
{
	if (sdpu_any_null(__func__, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->imported || mmap->was_started) {
		sdpu_log_err("doca_mmap_set_max_num_devices: the mmap was started or is imported; "
			     "call it before doca_mmap_start()");
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (max_num_devices == 0 || max_num_devices < mmap->num_devs) {
		sdpu_log_err("doca_mmap_set_max_num_devices: %u; needed: at least 1 and the %u "
			     "that were added",
			     max_num_devices, mmap->num_devs);
		return DOCA_ERROR_INVALID_VALUE;
	}
	mmap->max_devs = max_num_devices;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap, uint32_t *max_num_devices)
{
	if (sdpu_any_null(__func__, mmap, max_num_devices))
		return DOCA_ERROR_INVALID_VALUE;
	*max_num_devices = mmap->max_devs;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_mkey(struct doca_mmap *mmap, struct doca_dev *dev, uint32_t *mkey)
{
	const struct sdpu_mmap_dev *entry;

	if (sdpu_any_null(__func__, mmap, dev, mkey))
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->state != SDPU_MMAP_STARTED) {
		sdpu_log_err("doca_mmap_get_mkey: the mmap is not started; keys come with "
			     "doca_mmap_start()");
		return DOCA_ERROR_INVALID_VALUE;
	}
	entry = sdpu_mmap_find_dev(mmap, dev);
	if (entry == NULL)
		return refuse_dev(__func__, dev);
	/* the place of a device in a started mmap does not change; at most 255 fit */
	*mkey = mmap->id << 8 | (uint32_t)(entry - mmap->devs + 1);
	return DOCA_SUCCESS;
}

static doca_error_t side_is(const char *call, const struct doca_devinfo *devinfo,
			    enum sdpu_side side, uint8_t *supported)
{
	if (sdpu_any_null(call, devinfo, supported))
		return DOCA_ERROR_INVALID_VALUE;
	*supported = sdpu_devinfo_function(devinfo)->side == side;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo,
						   uint8_t *supported)
{
	return side_is(__func__, devinfo, SDPU_SIDE_HOST, supported);
}

doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(const struct doca_devinfo *devinfo,
							       uint8_t *supported)
{
	return side_is(__func__, devinfo, SDPU_SIDE_DPU, supported);
}
