/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parameters. The caller's from create to registration: until then the setters may be called in any
 * order and as often as liked, and destroy ends it. Once registered a parameter does not change any
 * more (a callback of the program could otherwise change it under the parser's feet), and ends with
 * its scope.
 */
#include "argp/argp.h"

#include <stdlib.h>
#include <string.h>

void argp_set_text(char **field, const char *text, bool registered, bool *incomplete)
{
	char *copy = NULL;

	if (registered) {
		argp_warn("\"%s\" is ignored: the object is registered and cannot be changed",
			  text ? text : "(null)");
		return;
	}
	/* Programs pass literals, but also buffers that they use again for the next parameter. */
	if (text) {
		copy = strdup(text);
		*incomplete |= !copy;
	}
	free(*field);
	*field = copy;
}

doca_error_t doca_argp_param_create(struct doca_argp_param **param)
{
	struct doca_argp_param *made;

	if (!param) {
		argp_err(
			"doca_argp_param_create: param is NULL; needed: the address of a variable");
		return DOCA_ERROR_INVALID_VALUE;
	}
	made = calloc(1, sizeof(*made));
	if (!made) {
		argp_err("doca_argp_param_create: out of memory; needed: room for a parameter");
		return DOCA_ERROR_NO_MEMORY;
	}
	sdpu_list_init(&made->link);
	*param = made;
	return DOCA_SUCCESS;
}

/* Wherever it stands: a node on no list is its own. */
void argp_param_free(struct doca_argp_param *param)
{
	sdpu_list_remove(&param->link);
	free(param->short_name);
	free(param->long_name);
	free(param->arguments);
	free(param->description);
	free(param);
}

void argp_param_release(struct doca_argp_param *param)
{
	if (param && !param->registered)
		argp_param_free(param);
}

doca_error_t doca_argp_param_destroy(struct doca_argp_param *param)
{
	if (!param) {
		argp_err("doca_argp_param_destroy: param is NULL; needed: what "
			 "doca_argp_param_create() "
			 "gave");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (param->registered) {
		argp_err(
			"doca_argp_param_destroy: the parameter is registered; needed: one that is "
			"not, as others end with the parser");
		return DOCA_ERROR_BAD_STATE;
	}
	argp_param_free(param);
	return DOCA_SUCCESS;
}

/* The setters return nothing: what went wrong in one shows at registration. */
void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name)
{
	if (param)
		argp_set_text(&param->short_name, name, param->registered, &param->incomplete);
}

void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name)
{
	if (param)
		argp_set_text(&param->long_name, name, param->registered, &param->incomplete);
}

void doca_argp_param_set_arguments(struct doca_argp_param *param, const char *arguments)
{
	if (param)
		argp_set_text(&param->arguments, arguments, param->registered, &param->incomplete);
}

void doca_argp_param_set_description(struct doca_argp_param *param, const char *description)
{
	if (param)
		argp_set_text(&param->description, description, param->registered,
			      &param->incomplete);
}

/* The parameter, if it may still be changed. */
static struct doca_argp_param *changeable(struct doca_argp_param *param, const char *who)
{
	if (!param)
		return NULL;
	if (param->registered) {
		argp_warn("%s: ignored: the parameter is registered", who);
		return NULL;
	}
	return param;
}

void doca_argp_param_set_callback(struct doca_argp_param *param, doca_argp_param_cb_t callback)
{
	if (changeable(param, __func__))
		param->callback = callback;
}

/* Numbers that are none of the API's stay UNKNOWN, which registration refuses by name. */
static enum argp_type type_of(enum doca_argp_type type)
{
	switch (type) {
	case DOCA_ARGP_TYPE_STRING:
		return ARGP_TYPE_STRING;
	case DOCA_ARGP_TYPE_INT:
		return ARGP_TYPE_INT;
	case DOCA_ARGP_TYPE_BOOLEAN:
		return ARGP_TYPE_BOOLEAN;
	case DOCA_ARGP_TYPE_DEVICE:
		return ARGP_TYPE_DEVICE;
	case DOCA_ARGP_TYPE_DEVICE_REP:
		return ARGP_TYPE_DEVICE_REP;
	case DOCA_ARGP_TYPE_DOUBLE:
		return ARGP_TYPE_DOUBLE;
	default:
		return ARGP_TYPE_UNKNOWN;
	}
}

void doca_argp_param_set_type(struct doca_argp_param *param, enum doca_argp_type type)
{
	if (changeable(param, __func__))
		param->type = type_of(type);
}

/* What programs compiled for 2.9 call: there, 4 was an object of the JSON file. */
DOCA_EXPERIMENTAL
void doca_argp_param_set_type_v209(struct doca_argp_param *param, int type);
void doca_argp_param_set_type_v209(struct doca_argp_param *param, int type)
{
	enum argp_type t = type == 4 ? ARGP_TYPE_JSON_OBJ : ARGP_TYPE_UNKNOWN;

	if (changeable(param, __func__))
		param->type = type >= 0 && type < 4 ? type_of((enum doca_argp_type)type) : t;
}

void doca_argp_param_set_mandatory(struct doca_argp_param *param)
{
	if (changeable(param, __func__))
		param->mandatory = true;
}

void doca_argp_param_set_cli_only(struct doca_argp_param *param)
{
	if (changeable(param, __func__))
		param->cli_only = true;
}

void doca_argp_param_set_multiplicity(struct doca_argp_param *param)
{
	if (changeable(param, __func__))
		param->multiplicity = true;
}

void doca_argp_param_set_singular(struct doca_argp_param *param)
{
	if (changeable(param, __func__))
		param->singular = true;
}

void doca_argp_param_set_inherited(struct doca_argp_param *param)
{
	if (changeable(param, __func__))
		param->inherited = true;
}

void doca_argp_param_set_hidden(struct doca_argp_param *param)
{
	if (changeable(param, __func__))
		param->hidden = true;
}
