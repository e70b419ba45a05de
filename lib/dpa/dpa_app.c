/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program of a DPA context: constant, made by dpacc (softdpu_dpa_app.h).
 */
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "dpa/dpa_object.h"

static const char *const kind_name[] = {
	[SOFTDPU_DPA_KERNEL_GLOBAL] = "__dpa_global__",
	[SOFTDPU_DPA_KERNEL_RPC] = "__dpa_rpc__",
};

/* Lists the names of the kernels of a kind, as far as they fit. */
static void list_kernels(const struct doca_dpa_app *app, uint32_t kind, char *text, size_t size)
{
	size_t used = 0;

	snprintf(text, size, "none");
	for (uint32_t i = 0; i < app->num_kernels && used < size; i++) {
		if (app->kernels[i]->kind == kind)
			used += (size_t)snprintf(text + used, size - used, "%s%s",
						 used == 0 ? "" : ", ", app->kernels[i]->name);
	}
}

static const struct softdpu_dpa_kernel *search(const struct doca_dpa_app *app,
					       doca_dpa_func_t *function)
{
	for (uint32_t i = 0; i < app->num_kernels; i++) {
		if (app->kernels[i]->function == function)
			return app->kernels[i];
	}
	return NULL;
}

doca_error_t dpa_app_find(const struct doca_dpa *dpa, const char *call, doca_dpa_func_t *function,
			  enum softdpu_dpa_kernel_kind kind,
			  const struct softdpu_dpa_kernel **kernel)
{
	const struct softdpu_dpa_kernel *found = search(dpa->app, function);
	char names[512];

	if (found != NULL && found->kind == (uint32_t)kind) {
		*kernel = found;
		return DOCA_SUCCESS;
	}
	list_kernels(dpa->app, kind, names, sizeof(names));
	sdpu_log_err("%s: function %s is not marked %s in program %s; those that are: %s", call,
		     found != NULL ? found->name : "(unknown)", kind_name[kind], dpa->app->name,
		     names);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t check_app(const struct doca_dpa_app *app)
{
	if (app->magic == SOFTDPU_DPA_APP_MAGIC && app->version == SOFTDPU_DPA_APP_VERSION)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_dpa_set_app: no program of our dpacc, or of another release (found 0x%x "
		     "version %u, needed 0x%x version %u); build the device code again",
		     app->magic, app->version, SOFTDPU_DPA_APP_MAGIC, SOFTDPU_DPA_APP_VERSION);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_dpa_set_app(struct doca_dpa *dpa, struct doca_dpa_app *app)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa, app))
		return DOCA_ERROR_INVALID_VALUE;
	result = dpa_check_configurable(dpa, __func__);
	if (result == DOCA_SUCCESS)
		result = check_app(app);
	if (result == DOCA_SUCCESS)
		dpa->app = app;
	return result == DOCA_ERROR_NOT_PERMITTED ? DOCA_ERROR_BAD_STATE : result;
}

doca_error_t doca_dpa_get_app(struct doca_dpa *dpa, struct doca_dpa_app **app)
{
	if (sdpu_any_null(__func__, dpa, app))
		return DOCA_ERROR_INVALID_VALUE;
	if (dpa->app == NULL) {
		sdpu_log_err("doca_dpa_get_app: none was set; call doca_dpa_set_app() first");
		return DOCA_ERROR_INVALID_VALUE;
	}
	*app = (struct doca_dpa_app *)(uintptr_t)dpa->app;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_app_get_name(struct doca_dpa_app *app, char *app_name, uint32_t *app_name_len)
{
	if (sdpu_any_null(__func__, app, app_name, app_name_len))
		return DOCA_ERROR_INVALID_VALUE;
	return dpa_text_give(__func__, app->name, app_name, app_name_len);
}
