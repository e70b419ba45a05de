/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Life of a DPA context: create, start, stop, destroy, extend.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "dpa/dpa_object.h"
#include "dpa/fault.h"

static doca_error_t check_dev(const struct doca_devinfo *devinfo, const char *call)
{
	const struct sdpu_function *function = sdpu_devinfo_function(devinfo);

	if (function->limits->dpa_cores != 0)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: device %s has no DPA; needed: one for which doca_dpa_cap_is_supported() "
		     "answers "
		     "DOCA_SUCCESS; the topology says dpa_cores 0",
		     call, function->pci);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_dpa_cap_is_supported(const struct doca_devinfo *devinfo)
{
	if (sdpu_any_null(__func__, devinfo))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_devinfo_function(devinfo)->limits->dpa_cores != 0 ? DOCA_SUCCESS
								      : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_dpa_create(struct doca_dev *dev, struct doca_dpa **dpa)
{
	struct doca_dpa *made;
	doca_error_t result;

	if (sdpu_any_null(__func__, dev, dpa))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = check_dev(sdpu_dev_devinfo(dev), __func__);
	if (result != DOCA_SUCCESS)
		return result;
	made = dpa_make(dev);
	if (made == NULL)
		return sdpu_no_memory(__func__);
	*dpa = made;
	return DOCA_SUCCESS;
}

/* All that runs kernels. */
static doca_error_t runtime_open(struct doca_dpa *dpa)
{
	doca_error_t result = dpa_fault_install();

	if (result != DOCA_SUCCESS)
		return result;
	dpa_pool_open(&dpa->pool);
	result = dpa_launcher_open(&dpa->launcher);
	if (result != DOCA_SUCCESS)
		goto pool;
	result = dpa_watchdog_open(&dpa->watchdog, dpa);
	dpa->has_runtime = result == DOCA_SUCCESS;
	if (result == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	dpa_launcher_close(&dpa->launcher);
pool:
	(void)dpa_pool_close(&dpa->pool);
	return result;
}

/* False: a kernel still runs. */
static bool runtime_close(struct doca_dpa *dpa)
{
	bool ended;

	if (!dpa->has_runtime)
		return true;
	dpa->has_runtime = false;
	dpa_launcher_shut(&dpa->launcher);
	ended = dpa_pool_close(&dpa->pool);
	dpa_launcher_close(&dpa->launcher);
	dpa_watchdog_close(&dpa->watchdog);
	return ended;
}

doca_error_t doca_dpa_start(struct doca_dpa *dpa)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa))
		return DOCA_ERROR_INVALID_VALUE;
	result = dpa_check_configurable(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_NOT_PERMITTED ? DOCA_ERROR_BAD_STATE : result;
	if (dpa->app == NULL) {
		sdpu_log_err("doca_dpa_start: no program; call doca_dpa_set_app() first");
		return DOCA_ERROR_BAD_STATE;
	}
	result = runtime_open(dpa);
	if (result != DOCA_SUCCESS)
		return result;
	(void)sdpu_dpa_handle_give(&dpa->base.head, SDPU_DPA_KIND_CONTEXT);
	(void)dpa_move(dpa, SDPU_DPA_STARTED);
	return DOCA_SUCCESS;
}

static doca_error_t check_may_stop(const struct doca_dpa *dpa)
{
	uint32_t members = sdpu_load(&dpa->members);

	if (dpa_is_extended(dpa)) {
		sdpu_log_err("doca_dpa_stop: the context is extended; it ends with "
			     "doca_dpa_destroy()");
		return DOCA_ERROR_BAD_STATE;
	}
	if (!sdpu_dpa_running(dpa))
		return sdpu_dpa_check_running(dpa, "doca_dpa_stop");
	if (members == 0)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_dpa_stop: %u objects live in the context (threads, completions and the "
		     "like; %u are contexts that extend it); destroy them first",
		     members, dpa->extensions);
	return DOCA_ERROR_IN_USE;
}

doca_error_t doca_dpa_stop(struct doca_dpa *dpa)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = check_may_stop(dpa);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_dpa_handle_withdraw(&dpa->base.head);
	if (!runtime_close(dpa)) {
		(void)dpa_move(dpa, SDPU_DPA_FATAL);
		return DOCA_ERROR_DRIVER;
	}
	(void)dpa_move(dpa, SDPU_DPA_IDLE);
	return DOCA_SUCCESS;
}

static doca_error_t check_may_destroy(const struct doca_dpa *dpa)
{
	uint32_t holders = sdpu_load(&dpa->base.holders);
	uint32_t members = dpa_is_extended(dpa) ? sdpu_load(&dpa->members) : 0;

	if (holders == 0 && dpa->extensions == 0 && members == 0)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_dpa_destroy: in use by %u contexts, events, mmaps or arrays, by %u "
		     "contexts that extend it, and by %u objects that live in it; destroy them "
		     "first",
		     holders, dpa->extensions, members);
	return DOCA_ERROR_IN_USE;
}

static void forget_extension(struct doca_dpa *dpa)
{
	if (!dpa_is_extended(dpa))
		return;
	dpa_root(dpa)->extensions--;
	sdpu_dpa_leave(dpa_root(dpa));
}

doca_error_t doca_dpa_destroy(struct doca_dpa *dpa)
{
	doca_error_t result;
	bool ended;

	if (sdpu_any_null(__func__, dpa))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = check_may_destroy(dpa);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_dpa_handle_withdraw(&dpa->base.head);
	ended = runtime_close(dpa);
	(void)dpa_move(dpa, SDPU_DPA_GONE);
	forget_extension(dpa);
	dpa_file_close(&dpa->log);
	dpa_file_close(&dpa->trace);
	sdpu_dev_release(dpa->base.dev);
	/* A kernel that could not be ended still uses it. */
	if (ended)
		dpa_unref(dpa);
	return DOCA_SUCCESS;
}

static doca_error_t check_may_extend(const struct doca_dpa *dpa, const struct doca_dev *other)
{
	const struct sdpu_function *own = sdpu_dev_function(dpa->base.dev);
	const struct sdpu_function *function = sdpu_dev_function(other);

	if (dpa_is_extended(dpa)) {
		sdpu_log_err("doca_dpa_device_extend: the context is itself extended; extend its "
			     "base");
		return DOCA_ERROR_BAD_STATE;
	}
	if (own->side == function->side && own->dpu == function->dpu)
		return sdpu_dpa_check_running(dpa, "doca_dpa_device_extend");
	sdpu_log_err("doca_dpa_device_extend: device %s is not on the card, or the side, of device "
		     "%s; it has another DPA",
		     function->pci, own->pci);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_dpa_device_extend(struct doca_dpa *dpa, struct doca_dev *other_dev,
				    struct doca_dpa **extended_dpa)
{
	struct doca_dpa *extended;
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa, other_dev, extended_dpa))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_may_extend(dpa, other_dev);
	if (result == DOCA_SUCCESS)
		result = sdpu_dpa_join(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	extended = dpa_make(other_dev);
	if (extended == NULL) {
		sdpu_dpa_leave(dpa);
		return sdpu_no_memory(__func__);
	}
	extended->base.root = &dpa->base;
	extended->app = dpa->app;
	extended->log_level = dpa->log_level;
	dpa->extensions++;
	(void)sdpu_dpa_handle_give(&extended->base.head, SDPU_DPA_KIND_CONTEXT);
	(void)dpa_move(extended, SDPU_DPA_STARTED);
	*extended_dpa = extended;
	return DOCA_SUCCESS;
}
