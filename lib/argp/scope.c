/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scopes: what may enter them, and how names are found. A name is looked for in the scope itself
 * and then among the inherited parameters of the scopes above.
 */
#include "argp/argp.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool names_equal(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static struct doca_argp_param *find_own(struct doca_argp_cmd *scope, const char *name, bool is_long)
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, &scope->params) {
		struct doca_argp_param *param = sdpu_container_of(it, struct doca_argp_param, link);

		if (names_equal(is_long ? param->long_name : param->short_name, name))
			return param;
	}
	return NULL;
}

/* The nearest scope that has the name wins. */
struct doca_argp_param *argp_find_param(struct doca_argp_cmd *scope, const char *name, bool is_long)
{
	struct doca_argp_param *param = find_own(scope, name, is_long);

	for (struct doca_argp_cmd *cmd = scope->parent; cmd && !param; cmd = cmd->parent) {
		param = find_own(cmd, name, is_long);
		if (param && !param->inherited)
			param = NULL;
	}
	return param;
}

struct doca_argp_cmd *argp_find_cmd(struct doca_argp_cmd *scope, const char *name)
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, &scope->cmds) {
		struct doca_argp_cmd *cmd = sdpu_container_of(it, struct doca_argp_cmd, link);

		if (names_equal(cmd->name, name))
			return cmd;
	}
	return NULL;
}

void argp_param_name(const struct doca_argp_param *param, char *text, size_t size)
{
	if (param->short_name && param->long_name)
		snprintf(text, size, "-%s/--%s", param->short_name, param->long_name);
	else if (param->long_name)
		snprintf(text, size, "--%s", param->long_name);
	else
		snprintf(text, size, "-%s", param->short_name ? param->short_name : "?");
}

/* A name is one word that starts with no dash and leaves '=' to values. NULL is no name and fine.
 */
static bool name_is_usable(const char *name)
{
	if (!name)
		return true;
	if (!*name || *name == '-')
		return false;
	for (; *name; name++)
		if (isspace((unsigned char)*name) || *name == '=')
			return false;
	return true;
}

/* INITIALIZATION names the first of the four things that a parameter cannot do without. */
static doca_error_t param_check_fields(const struct doca_argp_param *param, const char *name,
				       const char *call)
{
	const char *missing = NULL;

	if (!param->short_name && !param->long_name)
		missing = "a short or a long name";
	else if (!param->description)
		missing = "a description";
	else if (!param->callback)
		missing = "a callback";
	else if (param->type == ARGP_TYPE_UNKNOWN)
		missing = "a type";
	if (!missing)
		return DOCA_SUCCESS;
	argp_err("%s: parameter %s has not all that it needs; needed: %s", call, name, missing);
	return DOCA_ERROR_INITIALIZATION;
}

/*
 * Names are unique within a scope only: a command may use one of the program's for itself, even if
 * that is inherited, and the built-in ones.
 */
static doca_error_t param_check_names(struct doca_argp_cmd *scope,
				      const struct doca_argp_param *param, const char *name,
				      const char *call)
{
	const char *trouble = NULL;

	if (!name_is_usable(param->short_name) || !name_is_usable(param->long_name))
		trouble = "a name of one word without leading '-' and without '='";
	else if (!scope->parent && !scope->name && argp_builtin_is_reserved(param))
		trouble = "another name, as -h -v -l -j and their long names belong to the parser";
	else if (find_own(scope, param->short_name, false) ||
		 find_own(scope, param->long_name, true))
		trouble = "a name that is not taken";
	if (!trouble)
		return DOCA_SUCCESS;
	argp_err("%s: parameter %s cannot be registered; needed: %s", call, name, trouble);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t param_check(struct doca_argp_cmd *scope, const struct doca_argp_param *param,
				const char *call)
{
	char name[ARGP_NAME_SIZE];
	doca_error_t result;

	argp_param_name(param, name, sizeof(name));
	if (param->incomplete) {
		argp_err("%s: parameter %s cannot be registered; needed: memory for its texts",
			 call, name);
		return DOCA_ERROR_NO_MEMORY;
	}
	result = param_check_fields(param, name, call);
	return result == DOCA_SUCCESS ? param_check_names(scope, param, name, call) : result;
}

doca_error_t argp_scope_add_param(struct doca_argp_cmd *scope, struct doca_argp_param *param,
				  const char *call)
{
	doca_error_t result;

	if (param->registered) {
		argp_err("%s: the parameter is registered already; needed: a parameter of its own "
			 "for each "
			 "place",
			 call);
		return DOCA_ERROR_BAD_STATE; /* and stays with whom it belongs to */
	}
	result = param_check(scope, param, call);
	if (result != DOCA_SUCCESS) {
		argp_param_release(param);
		return result;
	}
	/* From here on it ends with the scope. */
	param->registered = true;
	sdpu_list_append(&scope->params, &param->link);
	return DOCA_SUCCESS;
}

/* A command without a callback is legal: it groups others. */
static doca_error_t cmd_check(struct doca_argp_cmd *scope, const struct doca_argp_cmd *cmd,
			      const char *call)
{
	const char *name = cmd->name ? cmd->name : "?";

	if (cmd->incomplete) {
		argp_err("%s: command %s cannot be registered; needed: memory for its texts", call,
			 name);
		return DOCA_ERROR_NO_MEMORY;
	}
	if (!cmd->name || !cmd->description) {
		argp_err("%s: command %s has not all that it needs; needed: a %s", call, name,
			 cmd->name ? "description" : "name");
		return DOCA_ERROR_INITIALIZATION;
	}
	if (!name_is_usable(cmd->name) || argp_find_cmd(scope, cmd->name)) {
		argp_err("%s: command %s cannot be registered; needed: %s", call, name,
			 name_is_usable(cmd->name) ? "a name that is not taken"
						   : "a name of one word without leading '-'");
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

doca_error_t argp_scope_add_cmd(struct doca_argp_cmd *scope, struct doca_argp_cmd *cmd,
				const char *call)
{
	doca_error_t result;

	if (cmd->registered) {
		argp_err("%s: command %s is registered already; needed: a command of its own for "
			 "each place",
			 call, cmd->name);
		return DOCA_ERROR_BAD_STATE;
	}
	/* Trees only: a ring would be searched for ever, and freed by nobody. */
	for (struct doca_argp_cmd *above = scope; above; above = above->parent) {
		if (above == cmd) {
			argp_err("%s: command %s cannot stand within itself; needed: another one",
				 call, cmd->name ? cmd->name : "?");
			return DOCA_ERROR_INVALID_VALUE; /* nobody can own it: stays with the caller
							  */
		}
	}
	result = cmd_check(scope, cmd, call);
	if (result != DOCA_SUCCESS) {
		argp_cmd_release(cmd);
		return result;
	}
	cmd->registered = true;
	cmd->parent = scope;
	sdpu_list_append(&scope->cmds, &cmd->link);
	return DOCA_SUCCESS;
}
