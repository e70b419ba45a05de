/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open representors. Each open makes one; it holds the device that listed it, which therefore
 * cannot be closed first. Owner: the user, who opened it; counts change under the lock of dev.c.
 * Ends with close, refused while an object (a Comch server) depends on it.
 */
#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/dev_object.h"

static struct sdpu_list reps = {.next = &reps, .prev = &reps}; /* under sdpu_dev_lock() */

const struct sdpu_function *sdpu_dev_rep_function(const struct doca_dev_rep *rep)
{
	return rep->info.function;
}

doca_error_t sdpu_dev_rep_open(const struct doca_devinfo_rep *info, struct doca_dev_rep **rep)
{
	struct doca_dev_rep *made = calloc(1, sizeof(*made));
	doca_error_t result;

	if (made == NULL)
		return sdpu_no_memory("doca_dev_rep_open");
	/* the list that info is from does not keep its device open */
	result = sdpu_dev_hold_if_open(info->dev);
	if (result != DOCA_SUCCESS) {
		sdpu_log_err("doca_dev_rep_open: representor of %s: its device was closed; keep it "
			     "open as long as the representor",
			     info->function->pci);
		free(made);
		return result;
	}
	made->info = *info;
	sdpu_dev_lock();
	sdpu_list_append(&reps, &made->node);
	sdpu_dev_unlock();
	*rep = made;
	return DOCA_SUCCESS;
}

/* Compares pointers only: rep may be none of ours. */
static bool rep_is_open(const struct doca_dev_rep *rep)
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, &reps) {
		if (sdpu_container_of(it, struct doca_dev_rep, node) == rep)
			return true;
	}
	return false;
}

/* Takes it off the list; the memory is the caller's then. */
static doca_error_t rep_take(struct doca_dev_rep *rep)
{
	if (!rep_is_open(rep)) {
		sdpu_log_err("doca_dev_rep_close: %p is no open representor; was it closed before?",
			     (void *)rep);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (rep->holders > 0) {
		sdpu_log_err("doca_dev_rep_close: representor of %s: %u objects still depend on "
			     "it; destroy them first",
			     rep->info.function->pci, rep->holders);
		return DOCA_ERROR_IN_USE;
	}
	sdpu_list_remove(&rep->node);
	return DOCA_SUCCESS;
}

static doca_error_t rep_close(struct doca_dev_rep *rep)
{
	doca_error_t result;

	sdpu_dev_lock();
	result = rep_take(rep);
	sdpu_dev_unlock();
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_dev_release(rep->info.dev);
	free(rep);
	return DOCA_SUCCESS;
}

void sdpu_dev_rep_hold(struct doca_dev_rep *rep)
{
	if (sdpu_process_inert())
		return;
	sdpu_dev_lock();
	rep->holders++;
	sdpu_dev_unlock();
}

void sdpu_dev_rep_release(struct doca_dev_rep *rep)
{
	if (sdpu_process_inert())
		return;
	sdpu_dev_lock();
	rep->holders--;
	sdpu_dev_unlock();
}

doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep)
{
	if (sdpu_any_null(__func__, devinfo, dev_rep))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	return sdpu_dev_rep_open(devinfo, dev_rep);
}

doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev)
{
	if (sdpu_any_null(__func__, dev))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	return rep_close(dev);
}

struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep)
{
	return dev_rep == NULL ? NULL : &dev_rep->info;
}
