/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The second pass. Any callback may destroy the parser: after each one we look, and touch nothing
 * of the parser but the mark itself if it did.
 */
#include "argp/argp.h"

#include <stdlib.h>

#include "base/error_text.h"

/* From the call on the device is the program's, which closes it even if it refuses it. */
static doca_error_t device_deliver(struct argp_parser *p, struct argp_value *value)
{
	struct doca_argp_device_ctx ctx;
	doca_error_t result = argp_device_open(p, value, &ctx);

	return result == DOCA_SUCCESS ? value->param->callback(&ctx, p->config) : result;
}

static doca_error_t device_rep_deliver(struct argp_parser *p, struct argp_value *value)
{
	struct doca_argp_device_rep_ctx ctx;
	doca_error_t result = argp_device_rep_open(p, value, &ctx);

	return result == DOCA_SUCCESS ? value->param->callback(&ctx, p->config) : result;
}

/* The pointer that a callback gets is valid during the call, and may be written through. */
static doca_error_t value_deliver(struct argp_parser *p, struct argp_value *value)
{
	doca_argp_param_cb_t callback = value->param->callback;

	switch (value->param->type) {
	case ARGP_TYPE_INT:
		return callback(&value->number, p->config);
	case ARGP_TYPE_BOOLEAN:
		return callback(&value->flag, p->config);
	case ARGP_TYPE_DOUBLE:
		return callback(&value->real, p->config);
	case ARGP_TYPE_DEVICE:
		return device_deliver(p, value);
	case ARGP_TYPE_DEVICE_REP:
		return device_rep_deliver(p, value);
	default:
		return callback(value->text, p->config);
	}
}

static doca_error_t values_deliver(struct argp_parser *p)
{
	doca_error_t result = DOCA_SUCCESS;
	char name[ARGP_NAME_SIZE];
	struct sdpu_list *it;

	while (result == DOCA_SUCCESS && !p->destroyed &&
	       (it = sdpu_list_pop(&p->values)) != NULL) {
		struct argp_value *value = sdpu_container_of(it, struct argp_value, link);

		/* Off the list first: a callback that destroys the parser frees what is on it. */
		result = value_deliver(p, value);
		argp_param_name(value->param, name, sizeof(name));
		argp_value_free(value);
	}
	if (result != DOCA_SUCCESS)
		argp_err("%s: the value was not accepted: %s", name, sdpu_error_descr(result));
	return result;
}

/* Two walks: the singular one may stand behind the mandatory ones that it excuses. */
static doca_error_t mandatory_check_scope(const struct doca_argp_cmd *scope, bool *excused)
{
	char name[ARGP_NAME_SIZE];
	const struct sdpu_list *it;

	sdpu_list_for_each (it, &scope->params) {
		const struct doca_argp_param *param =
			sdpu_container_of(it, struct doca_argp_param, link);

		if (param->singular && param->given)
			*excused = true;
	}
	sdpu_list_for_each (it, &scope->params) {
		const struct doca_argp_param *param =
			sdpu_container_of(it, struct doca_argp_param, link);

		if (!param->mandatory || param->given || *excused)
			continue;
		argp_param_name(param, name, sizeof(name));
		argp_err("%s is missing; needed: %s", name, param->description);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

/* Of the program and of every command on the way. A singular parameter excuses all others. */
static doca_error_t mandatory_check(const struct argp_parser *p)
{
	doca_error_t result = DOCA_SUCCESS;
	bool excused = false;

	for (const struct doca_argp_cmd *cmd = p->scope; cmd && result == DOCA_SUCCESS;
	     cmd = cmd->parent)
		result = mandatory_check_scope(cmd, &excused);
	return result;
}

/* Outer commands first. */
static doca_error_t commands_run(struct argp_parser *p, const struct doca_argp_cmd *cmd)
{
	doca_error_t result = cmd->parent ? commands_run(p, cmd->parent) : DOCA_SUCCESS;

	if (result != DOCA_SUCCESS || p->destroyed || !cmd->callback)
		return result;
	result = cmd->callback(p->config);
	if (result != DOCA_SUCCESS)
		argp_err("command %s: %s", cmd->name, sdpu_error_descr(result));
	return result;
}

/* They see a configuration that is complete, in the order of their registration. */
static doca_error_t validations_run(struct argp_parser *p)
{
	doca_error_t result = DOCA_SUCCESS;
	struct sdpu_list *it;

	sdpu_list_for_each (it, &p->validations) {
		result = sdpu_container_of(it, struct argp_validation, link)->callback(p->config);
		if (result != DOCA_SUCCESS)
			argp_err("the arguments were not accepted together: %s",
				 sdpu_error_descr(result));
		if (result != DOCA_SUCCESS || p->destroyed)
			break;
	}
	return result;
}

/* Before all values: their callbacks may use what DPDK sets up. */
static doca_error_t dpdk_run(struct argp_parser *p)
{
	doca_error_t result;

	if (!p->dpdk_callback)
		return DOCA_SUCCESS;
	result = p->dpdk_callback(p->eal_argc, p->eal_argv);
	if (result != DOCA_SUCCESS)
		argp_err("the arguments of DPDK were not accepted: %s", sdpu_error_descr(result));
	return result;
}

/* The first error ends it and is what doca_argp_start() returns. */
doca_error_t argp_deliver(struct argp_parser *p)
{
	doca_error_t result = dpdk_run(p);

	if (result == DOCA_SUCCESS && !p->destroyed)
		result = values_deliver(p);
	if (result == DOCA_SUCCESS && !p->destroyed)
		result = mandatory_check(p);
	if (result == DOCA_SUCCESS && !p->destroyed)
		result = commands_run(p, p->scope);
	if (result == DOCA_SUCCESS && !p->destroyed)
		result = validations_run(p);
	return result;
}
