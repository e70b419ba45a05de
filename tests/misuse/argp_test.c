/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of argp. What is wrong with a command line is told to the program's user, in another form:
 * tests/argp has that.
 */
#include <doca_argp.h>

#include "misuse/misuse.h"

static char *argv[] = {"program", NULL};

static doca_error_t on_param(void *param, void *config)
{
	(void)param, (void)config;
	return DOCA_SUCCESS;
}

static doca_error_t on_validation(void *config)
{
	(void)config;
	return DOCA_SUCCESS;
}

static struct doca_argp_param *param_make(const char *name)
{
	struct doca_argp_param *param;

	T_OK(doca_argp_param_create(&param));
	doca_argp_param_set_long_name(param, name);
	doca_argp_param_set_description(param, "something");
	doca_argp_param_set_callback(param, on_param);
	doca_argp_param_set_type(param, DOCA_ARGP_TYPE_STRING);
	return param;
}

MISUSE_CASE(no_parser)
{
	int level;

	MISUSE(INVALID_VALUE, doca_argp_init("", NULL), "the name is empty", "needed: a word");
	MISUSE(BAD_STATE, doca_argp_destroy(), "there is no parser", "doca_argp_init()");
	MISUSE(BAD_STATE, doca_argp_start(1, argv), "the parser is not there",
	       "needed: a call between doca_argp_init()");
	MISUSE(BAD_STATE, doca_argp_get_log_level(&level), "there is no parser",
	       "doca_argp_init()");
	MISUSE(BAD_STATE, doca_argp_get_sdk_log_level(&level), "there is no parser",
	       "doca_argp_init()");
	MISUSE(BAD_STATE, doca_argp_register_param(param_make("x")), "the parser is not there",
	       "needed: a call between doca_argp_init()");
	MISUSE(BAD_STATE, doca_argp_register_version_callback(on_param), "the parser is not there",
	       "needed: a call between doca_argp_init()");
	MISUSE(BAD_STATE, doca_argp_register_validation_callback(on_validation),
	       "the parser is not there", "needed: a call between doca_argp_init()");
	MISUSE(BAD_STATE, doca_argp_disable_pedantic_config_parsing(), "the parser is not there",
	       "needed: a call between doca_argp_init()");
}

MISUSE_CASE(registration)
{
	struct doca_argp_param *param;
	struct doca_argp_cmd *cmd;

	T_OK(doca_argp_init("program", NULL));
	MISUSE(BAD_STATE, doca_argp_init("program", NULL), "the parser exists",
	       "doca_argp_destroy()");
	T_OK(doca_argp_param_create(&param));
	MISUSE(INITIALIZATION, doca_argp_register_param(param), "has not all that it needs",
	       "needed: a short or a long name");
	MISUSE(INVALID_VALUE, doca_argp_register_param(param_make("two words")),
	       "--two words cannot be registered", "needed: a name of one word");
	MISUSE(INVALID_VALUE, doca_argp_register_param(param_make("help")),
	       "--help cannot be registered", "belong to the parser");
	param = param_make("twice");
	T_OK(doca_argp_register_param(param));
	MISUSE(BAD_STATE, doca_argp_register_param(param), "is registered already",
	       "needed: a parameter of its own");
	MISUSE(BAD_STATE, doca_argp_param_destroy(param), "is registered",
	       "needed: one that is not");
	MISUSE(INVALID_VALUE, doca_argp_register_param(param_make("twice")),
	       "--twice cannot be registered", "needed: a name that is not taken");
	T_OK(doca_argp_cmd_create(&cmd));
	MISUSE(INITIALIZATION, doca_argp_register_cmd(cmd), "has not all that it needs",
	       "needed: a name");
	T_OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, "get");
	doca_argp_cmd_set_description(cmd, "gets");
	T_OK(doca_argp_register_cmd(cmd));
	MISUSE(BAD_STATE, doca_argp_register_cmd(cmd), "is registered already",
	       "needed: a command of its own");
	MISUSE(BAD_STATE, doca_argp_cmd_destroy(cmd), "is registered", "needed: one that is not");
	MISUSE(INVALID_VALUE, doca_argp_cmd_register_cmd(cmd, NULL), "is NULL", "needed: both");
	T_OK(doca_argp_start(1, argv));
	MISUSE(BAD_STATE, doca_argp_start(1, argv), "the parser has started",
	       "needed: a call between doca_argp_init()");
	MISUSE(BAD_STATE, doca_argp_register_param(param_make("late")), "the parser has started",
	       "needed: a call between doca_argp_init()");
	MISUSE(BAD_STATE, doca_argp_cmd_register_param(cmd, param_make("late")),
	       "the parser has started", "before doca_argp_start()");
	T_OK(doca_argp_destroy());
}
