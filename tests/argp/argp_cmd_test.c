/* SPDX-License-Identifier: BSD-3-Clause
 * Commands and commands within commands.
 */
#include "argp_kit.h"

static doca_error_t run_get(void *cfg)
{
	T_CHECK(cfg == &config);
	trace_add("get!");
	return DOCA_SUCCESS;
}

static doca_error_t run_all(void *cfg)
{
	trace_add("all!");
	return DOCA_SUCCESS;
}

static doca_error_t run_badly(void *cfg)
{
	trace_add("bad!");
	return DOCA_ERROR_IN_USE;
}

static struct doca_argp_cmd *new_cmd(const char *name, doca_argp_cmd_cb_t callback)
{
	struct doca_argp_cmd *cmd = NULL;

	T_OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, name);
	doca_argp_cmd_set_description(cmd, "does it");
	doca_argp_cmd_set_callback(cmd, callback);
	return cmd;
}

/* prog [-i X] [-o X] { get [-v X] [-m X] [ all [-a] ] | bad } */
static void begin_with_commands(void)
{
	struct doca_argp_cmd *get = new_cmd("get", run_get), *all = new_cmd("all", run_all);
	struct doca_argp_param *param;

	begin();
	trace[0] = '\0';
	param = new_param("i", "inherited", DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_inherited(param);
	T_OK(doca_argp_register_param(param));
	add("o", "outer", DOCA_ARGP_TYPE_STRING);
	T_OK(doca_argp_cmd_register_param(get, new_param("v", "vuid", DOCA_ARGP_TYPE_STRING)));
	T_OK(doca_argp_cmd_register_param(all, new_param("a", NULL, DOCA_ARGP_TYPE_BOOLEAN)));
	T_OK(doca_argp_cmd_register_cmd(get, all));
	T_OK(doca_argp_register_cmd(get));
	T_OK(doca_argp_register_cmd(new_cmd("bad", run_badly)));
}

static void accepted(const char *line, const char *expected)
{
	begin_with_commands();
	T_OK(start(line));
	T_STREQ(trace, expected);
	T_OK(doca_argp_destroy());
}

T_CASE(commands_choose_their_flags)
{
	accepted("get -v x", "x;get!");
	accepted("-o a get -v x", "a;x;get!");
	accepted("get", "get!");
	accepted("-o get", "get;");
}

T_CASE(no_command_is_no_error)
{
	accepted("", "");
	accepted("-o a", "a;");
}

T_CASE(commands_within_commands)
{
	accepted("get all -a", "true;get!all!");
	accepted("get -v x all -a", "x;true;get!all!");
}

T_CASE(inherited_params_are_visible_below)
{
	accepted("get -i x", "x;get!");
	accepted("get all -i x", "x;get!all!");
	accepted("-i x get", "x;get!");
}

T_CASE(built_in_flags_work_below)
{
	int level;

	begin_with_commands();
	T_OK(start("get -l 30"));
	T_OK(doca_argp_get_log_level(&level));
	T_EQ(level, 30);
	T_OK(doca_argp_destroy());
}

T_CASE(other_params_are_not_visible_below)
{
	begin_with_commands();
	refused("get -o x", DOCA_ERROR_NOT_SUPPORTED,
		"unknown flag -o of command get; it belongs to the program and stands before the "
		"command");
	begin_with_commands();
	refused("get all --vuid x", DOCA_ERROR_NOT_SUPPORTED, "unknown flag --vuid of command all");
	begin_with_commands();
	refused("-a", DOCA_ERROR_NOT_SUPPORTED, "unknown flag -a;");
	T_STREQ(trace, "");
}

T_CASE(words_that_are_no_command)
{
	begin_with_commands();
	refused("put", DOCA_ERROR_INVALID_VALUE, "\"put\" is no flag and no command");
	begin_with_commands();
	refused("get get", DOCA_ERROR_INVALID_VALUE, "\"get\" is no flag and no command");
}

T_CASE(mandatory_params_count_for_the_command_chosen)
{
	struct doca_argp_param *param = new_param("m", "must", DOCA_ARGP_TYPE_STRING);
	struct doca_argp_cmd *set = new_cmd("set", run_get);

	begin_with_commands();
	doca_argp_param_set_mandatory(param);
	T_OK(doca_argp_cmd_register_param(set, param));
	T_OK(doca_argp_register_cmd(set));
	refused("set", DOCA_ERROR_INVALID_VALUE, "-m/--must is missing");
	T_STREQ(trace, "");
}

T_CASE(an_error_of_a_command_is_that_of_start)
{
	begin_with_commands();
	refused("bad", DOCA_ERROR_IN_USE, "command bad: ");
	T_STREQ(trace, "bad!");
}

static doca_error_t validate(void *cfg)
{
	trace_add("validated!");
	return DOCA_SUCCESS;
}

T_CASE(validation_comes_after_the_command)
{
	begin_with_commands();
	T_OK(doca_argp_register_validation_callback(validate));
	T_OK(start("get -v x"));
	T_STREQ(trace, "x;get!validated!");
	T_OK(doca_argp_destroy());
}

static doca_error_t destroy_parser(void *cfg)
{
	return doca_argp_destroy();
}

T_CASE(a_command_may_destroy_the_parser)
{
	begin_with_commands();
	T_OK(doca_argp_register_cmd(new_cmd("end", destroy_parser)));
	T_OK(doca_argp_register_validation_callback(validate));
	T_ERR(start("end"), DOCA_ERROR_BAD_STATE);
	T_STREQ(trace, "");
	T_ERR(doca_argp_destroy(), DOCA_ERROR_BAD_STATE);
}

T_CASE(a_command_without_callback_is_a_group)
{
	struct doca_argp_cmd *group = new_cmd("group", NULL);

	begin_with_commands();
	T_OK(doca_argp_cmd_register_cmd(group, new_cmd("all", run_all)));
	T_OK(doca_argp_register_cmd(group));
	T_OK(start("group all"));
	T_STREQ(trace, "all!");
	T_OK(doca_argp_destroy());
}

T_CASE(json_keys_are_those_of_the_scope)
{
	char line[5000];

	begin_with_commands();
	snprintf(line, sizeof(line), "get -j %s",
		 json_file("{\"doca_program_flags\": {\"vuid\": \"x\", \"inherited\": \"y\"}}"));
	T_OK(start(line));
	unlink(json_file(""));
	T_STREQ(trace, "x;y;get!");
	T_OK(doca_argp_destroy());
}

T_CASE(commands_live_without_a_parser)
{
	struct doca_argp_cmd *outer = new_cmd("outer", NULL), *inner = new_cmd("inner", NULL);

	T_OK(doca_argp_register_logger_callback(hear));
	T_ERR(doca_argp_cmd_create(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_cmd_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_argp_cmd_register_param(outer, new_param("p", NULL, DOCA_ARGP_TYPE_INT)));
	T_OK(doca_argp_cmd_register_cmd(outer, inner));
	T_ERR(doca_argp_cmd_destroy(inner), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_argp_cmd_register_cmd(inner, outer), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_cmd_register_cmd(outer, outer), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(said, "command outer cannot stand within itself");
	T_OK(doca_argp_cmd_destroy(outer));
}

T_CASE(registration_takes_the_command_even_when_it_fails)
{
	struct doca_argp_cmd *cmd;

	T_ERR(doca_argp_register_cmd(new_cmd("early", run_get)), DOCA_ERROR_BAD_STATE);
	begin_with_commands();
	T_ERR(doca_argp_register_cmd(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_cmd_register_cmd(NULL, new_cmd("x", NULL)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_cmd_register_param(NULL, new_param("p", NULL, DOCA_ARGP_TYPE_INT)),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_register_cmd(new_cmd("get", run_get)), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(said, "command get cannot be registered; needed: a name that is not taken");
	T_ERR(doca_argp_register_cmd(new_cmd("-x", run_get)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_register_cmd(new_cmd(NULL, run_get)), DOCA_ERROR_INITIALIZATION);
	cmd = new_cmd("nodescr", run_get);
	doca_argp_cmd_set_description(cmd, NULL);
	T_ERR(doca_argp_register_cmd(cmd), DOCA_ERROR_INITIALIZATION);
	cmd = new_cmd("once", run_get);
	T_OK(doca_argp_register_cmd(cmd));
	T_ERR(doca_argp_register_cmd(cmd), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_argp_cmd_destroy(cmd), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_argp_cmd_register_param(cmd, new_param(NULL, NULL, DOCA_ARGP_TYPE_INT)),
	      DOCA_ERROR_INITIALIZATION);
	T_OK(start(""));
	T_ERR(doca_argp_cmd_register_param(cmd, new_param("p", NULL, DOCA_ARGP_TYPE_INT)),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_argp_cmd_register_cmd(cmd, new_cmd("late", NULL)), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_argp_register_cmd(new_cmd("late", run_get)), DOCA_ERROR_BAD_STATE);
	T_OK(doca_argp_destroy());
}

T_CASE(names_of_a_command_are_its_own)
{
	struct doca_argp_cmd *cmd = new_cmd("own", run_get);

	begin_with_commands();
	T_OK(doca_argp_cmd_register_param(cmd, new_param("h", "help", DOCA_ARGP_TYPE_STRING)));
	T_OK(doca_argp_cmd_register_param(cmd, new_param("o", "outer", DOCA_ARGP_TYPE_INT)));
	T_ERR(doca_argp_cmd_register_param(cmd, new_param("o", NULL, DOCA_ARGP_TYPE_INT)),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_argp_register_cmd(cmd));
	T_OK(start("own -h x --outer 5"));
	T_STREQ(trace, "x;5;get!");
	T_OK(doca_argp_destroy());
}
