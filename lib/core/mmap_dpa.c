/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mmaps and DPAs: ranges in the heap of one, which is memory of this process, and handles by which
 * kernels name a range. A mmap over a heap holds the DPA context.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/dpa_base.h"
#include "core/mmap_handle.h"
#include "core/mmap_object.h"

/* The context's device reaches its heap: it is among the mmap's. */
static doca_error_t take_device(struct doca_mmap *mmap, struct doca_dpa *dpa)
{
	struct doca_dev *dev = sdpu_dpa_dev(dpa);

	return sdpu_mmap_find_dev(mmap, dev) != NULL ? DOCA_SUCCESS
						     : sdpu_mmap_append_dev(mmap, dev);
}

doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa,
					uint64_t dpa_addr, size_t len)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap, dpa) || sdpu_is_zero(__func__, dpa_addr))
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_dpa_running(dpa)) {
		sdpu_log_err("doca_mmap_set_dpa_memrange: the DPA context is not started; its heap "
			     "is there after doca_dpa_start()");
		return DOCA_ERROR_BAD_STATE;
	}
	result = sdpu_mmap_check_range(mmap, (void *)(uintptr_t)dpa_addr, len, __func__);
	if (result == DOCA_SUCCESS)
		result = take_device(mmap, dpa);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_dpa_hold(dpa);
	mmap->dpa = dpa;
	mmap->addr = (uint8_t *)(uintptr_t)dpa_addr;
	mmap->len = len;
	return DOCA_SUCCESS;
}

static doca_error_t handle_check(const struct doca_mmap *mmap, const struct doca_dev *dev)
{
	const struct sdpu_function *function = sdpu_dev_function(dev);

	if (mmap->state != SDPU_MMAP_STARTED) {
		sdpu_log_err("doca_mmap_dev_get_dpa_handle: the mmap is not started; handles come "
			     "with doca_mmap_start()");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (sdpu_mmap_find_dev(mmap, dev) == NULL) {
		sdpu_log_err("doca_mmap_dev_get_dpa_handle: device %s is none of the mmap's; call "
			     "doca_mmap_add_dev() before start",
			     function->pci);
		return DOCA_ERROR_NOT_FOUND;
	}
	if (function->limits->dpa_cores == 0) {
		sdpu_log_err("doca_mmap_dev_get_dpa_handle: device %s has no DPA; needed: one for "
			     "which doca_dpa_cap_is_supported() answers DOCA_SUCCESS",
			     function->pci);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap, const struct doca_dev *dev,
					  doca_dpa_dev_mmap_t *mmap_handle)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap, dev, mmap_handle))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = handle_check(mmap, dev);
	return result == DOCA_SUCCESS ? sdpu_mmap_give_handle(mmap, __func__, mmap_handle) : result;
}
