/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open devices: one per function, counted; contract in dev.h.
 *
 * One lock guards the list and all counts, those of representors too. It is held for a few lines
 * only, and nothing else is locked or called under it, so that any thread may hold and release a
 * device wherever it stands, the agent's in its callbacks included.
 *
 * A pointer that the user hands in is compared with those of the list before it is followed: a
 * device that is closed too often is an error, not freed twice.
 */
#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/unsupported.h"
#include "base/refuse.h"
#include "bus/agent.h"
#include "bus/process.h"
#include "bus/rundir.h"
#include "core/dev_object.h"

static pthread_mutex_t devs_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sdpu_list devs = {.next = &devs, .prev = &devs};

void sdpu_dev_lock(void)
{
	pthread_mutex_lock(&devs_lock);
}

void sdpu_dev_unlock(void)
{
	pthread_mutex_unlock(&devs_lock);
}

const struct sdpu_function *sdpu_dev_function(const struct doca_dev *dev)
{
	return dev->info.function;
}

static struct doca_dev *find_open(const struct sdpu_function *function)
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, &devs) {
		struct doca_dev *dev = sdpu_container_of(it, struct doca_dev, node);

		if (dev->info.function == function)
			return dev;
	}
	return NULL;
}

/* Compares pointers only: dev may be none of ours. */
static bool is_open(const struct doca_dev *dev)
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, &devs) {
		if (sdpu_container_of(it, struct doca_dev, node) == dev)
			return true;
	}
	return false;
}

/* One more open of an open device; NULL when it is not. */
static struct doca_dev *open_again(const struct sdpu_function *function)
{
	struct doca_dev *dev;

	sdpu_dev_lock();
	dev = find_open(function);
	if (dev != NULL)
		dev->opens++;
	sdpu_dev_unlock();
	return dev;
}

/* Puts `made` among the open devices, unless another thread was first. */
static struct doca_dev *open_first(struct doca_dev *made)
{
	struct doca_dev *dev;

	sdpu_dev_lock();
	dev = find_open(made->info.function);
	if (dev == NULL) {
		sdpu_list_append(&devs, &made->node);
		dev = made;
	}
	dev->opens++;
	sdpu_dev_unlock();
	return dev;
}

/* Each open device holds the agent, so that the process is on the bus as long as any is open. The
 * agent logs by itself why it cannot start. It is neither started nor ended under our lock: its
 * thread releases devices. */
static doca_error_t join_bus(void)
{
	doca_error_t result = sdpu_rundir_open("doca_dev_open");

	if (result == DOCA_SUCCESS)
		result = sdpu_agent_get();
	if (result == DOCA_ERROR_NO_MEMORY)
		return sdpu_no_memory("doca_dev_open");
	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_INITIALIZATION;
}

/* The first open is made outside the lock; another thread may have opened the device meanwhile. */
doca_error_t sdpu_dev_open(const struct sdpu_function *function, struct doca_dev **dev)
{
	struct doca_dev *made, *opened = open_again(function);
	doca_error_t result;

	if (opened == NULL) {
		result = join_bus();
		if (result != DOCA_SUCCESS)
			return result;
		made = calloc(1, sizeof(*made));
		if (made == NULL) {
			sdpu_agent_put();
			return sdpu_no_memory("doca_dev_open");
		}
		made->info.function = function;
		opened = open_first(made);
		if (opened != made) {
			free(made);
			sdpu_agent_put();
		}
	}
	*dev = opened;
	return DOCA_SUCCESS;
}

/* Undoes one open. *last: nobody has it open any more, and it is off the list. */
static doca_error_t close_once(struct doca_dev *dev, bool *last)
{
	if (!is_open(dev)) {
		sdpu_log_err("doca_dev_close: %p is no open device; each doca_dev_open() is "
			     "followed by one doca_dev_close()",
			     (void *)dev);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (dev->opens == 1 && dev->holders > 0) {
		sdpu_log_err("doca_dev_close: device %s: %u objects still depend on it; destroy "
			     "contexts, mmaps and representors first",
			     dev->info.function->pci, dev->holders);
		return DOCA_ERROR_IN_USE;
	}
	*last = --dev->opens == 0;
	if (*last)
		sdpu_list_remove(&dev->node);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_dev_close(struct doca_dev *dev)
{
	doca_error_t result;
	bool last = false;

	sdpu_dev_lock();
	result = close_once(dev, &last);
	sdpu_dev_unlock();
	if (last) {
		sdpu_agent_put();
		free(dev);
	}
	return result;
}

doca_error_t sdpu_dev_hold_if_open(struct doca_dev *dev)
{
	doca_error_t result = DOCA_ERROR_NOT_CONNECTED;

	sdpu_dev_lock();
	if (is_open(dev)) {
		dev->holders++;
		result = DOCA_SUCCESS;
	}
	sdpu_dev_unlock();
	return result;
}

void sdpu_dev_hold(struct doca_dev *dev)
{
	/* in a forked child the lock may be for ever that of a thread which is not there */
	if (sdpu_process_inert())
		return;
	sdpu_dev_lock();
	dev->holders++;
	sdpu_dev_unlock();
}

void sdpu_dev_release(struct doca_dev *dev)
{
	if (sdpu_process_inert())
		return;
	sdpu_dev_lock();
	dev->holders--;
	sdpu_dev_unlock();
}

doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev)
{
	if (sdpu_any_null(__func__, devinfo, dev))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	return sdpu_dev_open(devinfo->function, dev);
}

doca_error_t doca_dev_close(struct doca_dev *dev)
{
	if (sdpu_any_null(__func__, dev))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	return sdpu_dev_close(dev);
}

struct doca_devinfo *sdpu_dev_devinfo(const struct doca_dev *dev)
{
	/* not changed here; the API's type has no const */
	return (struct doca_devinfo *)&dev->info;
}

struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev)
{
	return dev == NULL ? NULL : sdpu_dev_devinfo(dev);
}

doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev)
{
	return sdpu_unsupported(__func__, dev != NULL);
}
