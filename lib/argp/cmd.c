/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Commands. Like a parameter, a command is the caller's until it is registered, with everything
 * that was put into it; a tree of commands may be built before there is a parser. Whoever holds the
 * top of a tree frees all of it.
 */
#include "argp/argp.h"

#include <stdlib.h>

void argp_cmd_init(struct doca_argp_cmd *cmd)
{
	*cmd = (struct doca_argp_cmd){0};
	sdpu_list_init(&cmd->link);
	sdpu_list_init(&cmd->params);
	sdpu_list_init(&cmd->cmds);
}

/*
 * Everything but the structure itself, which may be part of the parser. Recursion is as deep as the
 * program nests commands in its own source.
 */
void argp_cmd_fini(struct doca_argp_cmd *cmd)
{
	struct sdpu_list *it;

	while ((it = sdpu_list_pop(&cmd->params)) != NULL)
		argp_param_free(sdpu_container_of(it, struct doca_argp_param, link));
	while ((it = sdpu_list_pop(&cmd->cmds)) != NULL) {
		struct doca_argp_cmd *inner = sdpu_container_of(it, struct doca_argp_cmd, link);

		argp_cmd_fini(inner);
		free(inner);
	}
	free(cmd->name);
	free(cmd->description);
}

/* For the ways out on which registration owes the caller nothing but an error. */
void argp_cmd_release(struct doca_argp_cmd *cmd)
{
	if (!cmd || cmd->registered)
		return;
	argp_cmd_fini(cmd);
	free(cmd);
}

doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd)
{
	struct doca_argp_cmd *made;

	if (!cmd) {
		argp_err("doca_argp_cmd_create: cmd is NULL; needed: the address of a variable");
		return DOCA_ERROR_INVALID_VALUE;
	}
	made = malloc(sizeof(*made));
	if (!made) {
		argp_err("doca_argp_cmd_create: out of memory; needed: room for a command");
		return DOCA_ERROR_NO_MEMORY;
	}
	argp_cmd_init(made); /* no name yet: only the parser's own scope stays without */
	*cmd = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd)
{
	if (!cmd) {
		argp_err("doca_argp_cmd_destroy: cmd is NULL; needed: what doca_argp_cmd_create() "
			 "gave");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (cmd->registered) {
		argp_err("doca_argp_cmd_destroy: command %s is registered; needed: one that is "
			 "not, as "
			 "others end with the parser",
			 cmd->name);
		return DOCA_ERROR_BAD_STATE;
	}
	argp_cmd_release(cmd);
	return DOCA_SUCCESS;
}

void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name)
{
	if (cmd)
		argp_set_text(&cmd->name, name, cmd->registered, &cmd->incomplete);
}

void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd, const char *description)
{
	if (cmd)
		argp_set_text(&cmd->description, description, cmd->registered, &cmd->incomplete);
}

void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd, doca_argp_cmd_cb_t callback)
{
	if (cmd)
		cmd->callback = callback;
}

void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd)
{
	if (cmd)
		cmd->hidden = true;
}

/* A command can be filled before the parser exists, but not once it has started with it. */
static bool cmd_has_started(const struct doca_argp_cmd *cmd)
{
	const struct argp_parser *p = argp_current();

	while (cmd->parent)
		cmd = cmd->parent;
	return p && cmd == &p->root && p->state == ARGP_STARTED;
}

doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd, struct doca_argp_param *param)
{
	if (!cmd || !param) {
		argp_err("doca_argp_cmd_register_param: cmd or param is NULL; needed: both");
		argp_param_release(param);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (cmd_has_started(cmd)) {
		argp_err("doca_argp_cmd_register_param: the parser has started; needed: register "
			 "before doca_argp_start()");
		argp_param_release(param);
		return DOCA_ERROR_BAD_STATE;
	}
	return argp_scope_add_param(cmd, param, __func__);
}

doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd, struct doca_argp_cmd *inner_cmd)
{
	if (!cmd || !inner_cmd) {
		argp_err("doca_argp_cmd_register_cmd: cmd or inner_cmd is NULL; needed: both");
		argp_cmd_release(inner_cmd);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (cmd_has_started(cmd)) {
		argp_err("doca_argp_cmd_register_cmd: the parser has started; needed: register "
			 "before doca_argp_start()");
		argp_cmd_release(inner_cmd);
		return DOCA_ERROR_BAD_STATE;
	}
	return argp_scope_add_cmd(cmd, inner_cmd, __func__);
}

doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *cmd)
{
	struct argp_parser *p = argp_current();

	if (!cmd) {
		argp_err("doca_argp_register_cmd: cmd is NULL; needed: what doca_argp_cmd_create() "
			 "gave");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!p || p->state != ARGP_SETUP) {
		argp_err("doca_argp_register_cmd: the parser %s; needed: register between "
			 "doca_argp_init() and doca_argp_start()",
			 p ? "has started" : "is not there");
		argp_cmd_release(cmd);
		return DOCA_ERROR_BAD_STATE;
	}
	return argp_scope_add_cmd(&p->root, cmd, __func__);
}
