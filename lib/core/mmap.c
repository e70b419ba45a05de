/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Life of an mmap; contract in mmap.h.
 *
 * Local: IDLE, configured -> start -> STARTED, has a window -> stop -> IDLE, and again, unless it
 * was exported: a descriptor that is void stays void. Imported: born STARTED, has a reach unless it
 * is foreign; stop is its end, as programs stop and destroy every mmap in the same way. When the
 * exporter dies, the reach fails each copy; the mmap itself stays as it is until the user destroys
 * it.
 */
#include <stdlib.h>

#include "base/atomic.h"
#include "base/log.h"
#include "base/refuse.h"
#include "bus/mapping.h"
#include "bus/process.h"
#include "bus/window_check.h"
#include "core/dpa_base.h"
#include "core/mmap_handle.h"
#include "core/mmap_object.h"

/* Room for all functions of a card: programs add several devices without asking for room. */
#define DEFAULT_MAX_DEVS 32

uint32_t sdpu_mmap_stops;

uint32_t sdpu_mmap_permissions(const struct doca_mmap *mmap)
{
	return mmap->perms;
}

struct sdpu_window *sdpu_mmap_window(const struct doca_mmap *mmap)
{
	return mmap->window;
}

struct sdpu_reach *sdpu_mmap_reach(const struct doca_mmap *mmap)
{
	return mmap->reach;
}

const struct sdpu_blob *sdpu_mmap_source(const struct doca_mmap *mmap)
{
	return mmap->imported ? &mmap->source : NULL;
}

bool sdpu_mmap_started(const struct doca_mmap *mmap)
{
	return mmap->state == SDPU_MMAP_STARTED;
}

struct doca_mmap *sdpu_mmap_make(void)
{
	static uint32_t last_id;
	struct doca_mmap *mmap = calloc(1, sizeof(*mmap));

	if (mmap == NULL)
		return NULL;
	/* programs use destinations of local operations without setting permissions */
	mmap->perms = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	mmap->max_devs = DEFAULT_MAX_DEVS;
	mmap->id = sdpu_fetch_add(&last_id, 1) + 1;
	return mmap;
}

void sdpu_mmap_free(struct doca_mmap *mmap)
{
	sdpu_mmap_drop_exports(mmap);
	for (uint32_t i = 0; i < mmap->num_devs; i++)
		sdpu_dev_release(mmap->devs[i].dev);
	if (mmap->dpa != NULL)
		sdpu_dpa_release(mmap->dpa);
	free(mmap->devs);
	free(mmap);
}

doca_error_t doca_mmap_create(struct doca_mmap **mmap)
{
	struct doca_mmap *made;

	if (sdpu_any_null(__func__, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	made = sdpu_mmap_make();
	if (made == NULL)
		return sdpu_no_memory(__func__);
	*mmap = made;
	return DOCA_SUCCESS;
}

static doca_error_t start_check(const struct doca_mmap *mmap)
{
	if (mmap->imported || mmap->state == SDPU_MMAP_STARTED || mmap->exported) {
		sdpu_log_err("doca_mmap_start: the mmap %s; needed: a new one, as it cannot be "
			     "started again",
			     mmap->imported ? "is imported and was ready at once"
			     : mmap->state == SDPU_MMAP_STARTED ? "is started"
								: "was exported and stopped");
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (mmap->addr == NULL) {
		sdpu_log_err("doca_mmap_start: no memory range; needed: one; call "
			     "doca_mmap_set_memrange() first");
		return DOCA_ERROR_INVALID_VALUE;
	}
	/* A card would pin it. */
	return sdpu_mapping_check_range("doca_mmap_start", mmap->addr, mmap->len,
					sdpu_perms_writable(mmap->perms));
}

doca_error_t doca_mmap_start(struct doca_mmap *mmap)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = start_check(mmap);
	if (result == DOCA_SUCCESS)
		result = sdpu_window_create(mmap->addr, mmap->len, mmap->perms, &mmap->window);
	if (result == DOCA_ERROR_NO_MEMORY)
		return sdpu_no_memory(__func__);
	if (result != DOCA_SUCCESS)
		return result;
	mmap->was_started = true;
	mmap->state = SDPU_MMAP_STARTED;
	return DOCA_SUCCESS;
}

/* Ends all access by others. The memory may be gone already: it is not touched. */
static doca_error_t stop(struct doca_mmap *mmap, const char *call)
{
	uint32_t num_bufs = sdpu_load(&mmap->num_bufs);

	if (num_bufs > 0) {
		sdpu_log_err("%s: %u bufs of it exist; give them back with "
			     "doca_buf_dec_refcount() first",
			     call, num_bufs);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (mmap->state == SDPU_MMAP_IDLE)
		return DOCA_SUCCESS;
	/* first no new bufs, then nobody finds it any more, then no new copies; destroying the
	 * window waits for those under way */
	mmap->state = SDPU_MMAP_IDLE;
	sdpu_mmap_take_handle(mmap);
	sdpu_mmap_drop_exports(mmap);
	(void)sdpu_fetch_add(&sdpu_mmap_stops, 1);
	if (mmap->imported)
		sdpu_reach_close(mmap->reach);
	else
		sdpu_window_destroy(mmap->window);
	mmap->reach = NULL;
	mmap->window = NULL;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_stop(struct doca_mmap *mmap)
{
	if (sdpu_any_null(__func__, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	return stop(mmap, "doca_mmap_stop");
}

doca_error_t doca_mmap_destroy(struct doca_mmap *mmap)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = stop(mmap, "doca_mmap_destroy");
	if (result != DOCA_SUCCESS)
		return result;
	/* No access is under way any more: the user may free the range. */
	if (mmap->was_started && mmap->free_cb != NULL)
		mmap->free_cb(mmap->addr, mmap->len, mmap->free_cookie);
	sdpu_mmap_free(mmap);
	return DOCA_SUCCESS;
}
