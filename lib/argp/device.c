/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices named on the command line:
 *	[pci/]DEVICE[,device arguments]
 *	[pci/]DEVICE,REPRESENTOR[,device arguments]
 * What is opened here belongs to the program with the call of its callback, whatever that returns.
 */
#include "argp/argp.h"

#include <string.h>

#include "base/error_text.h"
#include "core/dev.h"

/* Cuts the text at its first comma; what follows, NULL when nothing does. */
static char *text_cut(char *text)
{
	char *comma = strchr(text, ',');

	if (!comma)
		return NULL;
	*comma = '\0';
	return comma[1] ? comma + 1 : NULL;
}

static const char *device_name(const char *text)
{
	return strncmp(text, "pci/", 4) == 0 ? text + 4 : text;
}

/* The program opens it itself, from the description in an open device of ours. */
static doca_error_t open_by_callback(struct argp_parser *p, const char *name, struct doca_dev **dev)
{
	struct doca_dev *ours;
	doca_error_t result = sdpu_dev_open_by_name(name, &ours);

	if (result != DOCA_SUCCESS)
		return result;
	result = p->dev_open(sdpu_dev_devinfo(ours), p->dev_open_ctx, dev);
	sdpu_dev_close(ours);
	return result;
}

static doca_error_t refuse(const struct argp_value *value, const char *what, doca_error_t result)
{
	char name[ARGP_NAME_SIZE];

	argp_param_name(value->param, name, sizeof(name));
	argp_err("%s: %s cannot be opened: %s", name, what, sdpu_error_descr(result));
	return result;
}

doca_error_t argp_device_open(struct argp_parser *p, struct argp_value *value,
			      struct doca_argp_device_ctx *ctx)
{
	const char *devargs = text_cut(value->text);
	const char *name = device_name(value->text);
	doca_error_t result;

	result = p->dev_open ? open_by_callback(p, name, &ctx->dev)
			     : sdpu_dev_open_by_name(name, &ctx->dev);
	if (result != DOCA_SUCCESS)
		return refuse(value, name, result);
	ctx->devargs = devargs;
	return DOCA_SUCCESS;
}

doca_error_t argp_device_rep_open(struct argp_parser *p, struct argp_value *value,
				  struct doca_argp_device_rep_ctx *ctx)
{
	char *selector = text_cut(value->text);
	const char *devargs;
	doca_error_t result;

	if (!selector) {
		argp_err("\"%s\" names no representor; needed: DEVICE,REPRESENTOR such as "
			 "pci/0000:03:00.0,pf0vf0",
			 value->text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	devargs = text_cut(selector);
	result = argp_device_open(p, value, &ctx->dev_ctx);
	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_dev_rep_open_by_name(ctx->dev_ctx.dev, selector, &ctx->dev_rep);
	if (result != DOCA_SUCCESS) {
		sdpu_dev_close(ctx->dev_ctx.dev);
		return refuse(value, selector, result);
	}
	ctx->dev_ctx.devargs = devargs;
	return DOCA_SUCCESS;
}
