/* SPDX-License-Identifier: BSD-3-Clause
 * JSON files, and arguments for DPDK from both sides.
 */
#include "argp_kit.h"

static void begin_with_params(void)
{
	struct doca_argp_param *param;

	begin();
	add("s", "string", DOCA_ARGP_TYPE_STRING);
	add("i", "int", DOCA_ARGP_TYPE_INT);
	add("b", "bool", DOCA_ARGP_TYPE_BOOLEAN);
	add("d", "double", DOCA_ARGP_TYPE_DOUBLE);
	add("o", NULL, DOCA_ARGP_TYPE_STRING);
	param = new_param(NULL, "cpu", DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_multiplicity(param);
	T_OK(doca_argp_register_param(param));
	param = new_param(NULL, "cli", DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_cli_only(param);
	T_OK(doca_argp_register_param(param));
}

static void accepted(const char *text, const char *more, const char *expected)
{
	begin_with_params();
	trace[0] = '\0';
	said[0] = '\0';
	if (start_json(text, more) != DOCA_SUCCESS)
		T_FAIL("%s", said);
	T_STREQ(trace, expected);
	T_OK(doca_argp_destroy());
}

static void not_accepted(const char *text, doca_error_t code, const char *message)
{
	begin_with_params();
	json_refused(text, code, message);
}

T_CASE(values_of_every_type)
{
	accepted("{\"doca_program_flags\": {\"string\": \"a b\", \"int\": -5, \"bool\": true, "
		 "\"double\": 1.5}}",
		 "", "a b;-5;true;1.5;");
	accepted("{\"doca_program_flags\": {\"bool\": false, \"double\": 2}}", "", "false;2;");
	accepted("{}", "", "");
}

T_CASE(files_as_people_write_them)
{
	accepted("// comment\n{\n  \"doca_program_flags\": { /* more */\n"
		 "    \"int\": 0x1f,\n    \"cpu\": [1, 0x2,],\n  },\n}\n",
		 "", "31;1;2;");
}

T_CASE(multiple_values_are_an_array_or_one)
{
	accepted("{\"doca_program_flags\": {\"cpu\": [3, 1, 2]}}", "", "3;1;2;");
	accepted("{\"doca_program_flags\": {\"cpu\": 7}}", "", "7;");
	accepted("{\"doca_program_flags\": {\"cpu\": []}}", "", "");
}

T_CASE(file_and_line_go_together_in_their_order)
{
	accepted("{\"doca_program_flags\": {\"int\": 1, \"cpu\": [1]}}", "-i 2 --cpu 5",
		 "1;1;2;5;");
	accepted("{\"doca_program_flags\": {\"int\": 1}}", "-s x", "1;x;");
}

T_CASE(a_file_satisfies_what_is_mandatory)
{
	struct doca_argp_param *param = new_param("m", "must", DOCA_ARGP_TYPE_STRING);

	doca_argp_param_set_mandatory(param);
	begin();
	T_OK(doca_argp_register_param(param));
	T_OK(start_json("{\"doca_program_flags\": {\"must\": \"x\"}}", ""));
	T_OK(doca_argp_destroy());
}

T_CASE(log_levels)
{
	int level;

	begin();
	T_OK(start_json("{\"doca_general_flags\": {\"log-level\": 60, \"sdk-log-level\": 20}}",
			""));
	T_OK(doca_argp_get_log_level(&level));
	T_EQ(level, 60);
	T_EQ(doca_log_level_get_global_lower_limit(), 60);
	T_OK(doca_argp_get_sdk_log_level(&level));
	T_EQ(level, 20);
	T_OK(doca_argp_destroy());
	not_accepted("{\"doca_general_flags\": {\"log-level\": 55}}", DOCA_ERROR_INVALID_VALUE,
		     "doca_general_flags.log-level: 55 is no log level");
	not_accepted("{\"doca_general_flags\": {\"sdk-log-level\": \"60\"}}",
		     DOCA_ERROR_INVALID_VALUE,
		     "doca_general_flags.sdk-log-level is \"60\"; needed: a whole number");
}

T_CASE(files_that_are_no_files_or_no_json)
{
	begin();
	refused("-j /nowhere/x.json", DOCA_ERROR_IO_FAILED,
		"-j/--json: /nowhere/x.json: cannot be read: No such file");
	not_accepted("{\n \"doca_program_flags\": {\n  \"int\" 1\n}}", DOCA_ERROR_IO_FAILED,
		     "args.json:3:9: found '1', expected ':' after a key");
	not_accepted("", DOCA_ERROR_IO_FAILED, "found the end of the file, expected '{'");
	not_accepted("[]", DOCA_ERROR_IO_FAILED, "expected '{'");
}

T_CASE(one_file_only)
{
	begin();
	T_ERR(start_json("{}", "--json y"), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(said, "-j/--json: given twice");
	T_OK(doca_argp_destroy());
}

T_CASE(wrong_values_are_named_by_path)
{
	not_accepted("{\"doca_program_flags\": {\"cpu\": [1, \"x\"]}}", DOCA_ERROR_INVALID_VALUE,
		     "args.json: doca_program_flags.cpu[1] is \"x\"; needed: a whole number from "
		     "-2147483648 to 2147483647");
	not_accepted("{\"doca_program_flags\": {\"int\": 0x80000000}}", DOCA_ERROR_INVALID_VALUE,
		     "doca_program_flags.int is 2147483648;");
	not_accepted("{\"doca_program_flags\": {\"int\": [1]}}", DOCA_ERROR_INVALID_VALUE,
		     "doca_program_flags.int is an array;");
	not_accepted("{\"doca_program_flags\": {\"string\": 5}}", DOCA_ERROR_INVALID_VALUE,
		     "doca_program_flags.string is 5; needed: text in double quotes");
	not_accepted("{\"doca_program_flags\": {\"bool\": \"true\"}}", DOCA_ERROR_INVALID_VALUE,
		     "doca_program_flags.bool is \"true\"; needed: true or false");
	not_accepted("{\"doca_program_flags\": {\"double\": {}}}", DOCA_ERROR_INVALID_VALUE,
		     "doca_program_flags.double is an object; needed: a number");
	not_accepted("{\"doca_program_flags\": 1}", DOCA_ERROR_INVALID_VALUE,
		     "doca_program_flags is 1; needed: an object");
	T_STREQ(trace, "");
}

static const char *const unknown_keys[] = {
	"{\"doca_program_flags\": {\"nope\": 1}}",
	"{\"doca_general_flags\": {\"nope\": 1}}",
	"{\"nope\": 1}",
};

T_CASE(unknown_keys_are_refused_by_default)
{
	not_accepted(unknown_keys[0], DOCA_ERROR_INVALID_VALUE, "doca_program_flags.nope: unknown");
	not_accepted(unknown_keys[1], DOCA_ERROR_INVALID_VALUE,
		     "doca_general_flags.nope is unknown; known here: log-level, sdk-log-level");
	not_accepted(unknown_keys[2], DOCA_ERROR_INVALID_VALUE, "nope is unknown; known here: ");
	/* a short name is no key */
	not_accepted("{\"doca_program_flags\": {\"o\": \"x\"}}", DOCA_ERROR_INVALID_VALUE,
		     "doca_program_flags.o: unknown");
}

T_CASE(unknown_keys_are_ignored_when_not_pedantic)
{
	for (size_t i = 0; i < 3; i++) {
		begin_with_params();
		T_OK(doca_argp_disable_pedantic_config_parsing());
		T_OK(start_json(unknown_keys[i], ""));
		T_OK(doca_argp_destroy());
	}
	T_STREQ(trace, "");
}

T_CASE(command_line_only)
{
	not_accepted("{\"doca_program_flags\": {\"cli\": \"x\"}}", DOCA_ERROR_INVALID_VALUE,
		     "doca_program_flags.cli: this flag is for the command line only");
	accepted("{}", "--cli x", "x;");
}

/* An object of the file as a value exists for programs of 2.9 only. */
void doca_argp_param_set_type_v209(struct doca_argp_param *param, int type);

static void begin_with_object(void)
{
	struct doca_argp_param *param = new_param(NULL, "obj", DOCA_ARGP_TYPE_UNKNOWN);

	doca_argp_param_set_type_v209(param, 4);
	doca_argp_param_set_callback(param, take_text);
	begin();
	T_OK(doca_argp_register_param(param));
	param = new_param("i", NULL, DOCA_ARGP_TYPE_UNKNOWN);
	doca_argp_param_set_type_v209(param, DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_callback(param, take_int);
	T_OK(doca_argp_register_param(param));
}

T_CASE(objects_of_209)
{
	struct doca_argp_param *param = new_param("x", NULL, DOCA_ARGP_TYPE_INT);

	begin_with_object();
	T_OK(start_json("{\"doca_program_flags\": {\"obj\": {\"a\": 1}}}", "-i 3"));
	T_STREQ(trace, "{ \"a\": 1 };3;");
	T_OK(doca_argp_destroy());
	begin_with_object();
	refused("--obj x", DOCA_ERROR_INVALID_VALUE, "needed: an object of a JSON file");
	begin_with_object();
	json_refused("{\"doca_program_flags\": {\"obj\": 1}}", DOCA_ERROR_INVALID_VALUE,
		     "obj is 1; needed: an object");
	begin();
	doca_argp_param_set_type_v209(param, 5);
	T_ERR(doca_argp_register_param(param), DOCA_ERROR_INITIALIZATION);
	T_OK(doca_argp_destroy());
}

static doca_error_t take_eal(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		trace_add("%s ", argv[i]);
	T_CHECK(argv[argc] == NULL);
	trace_add("| ");
	return DOCA_SUCCESS;
}

static void dpdk(const char *line, const char *expected)
{
	begin_with_params();
	doca_argp_set_dpdk_program(take_eal);
	trace[0] = '\0';
	T_OK(start(line));
	T_STREQ(trace, expected);
	T_OK(doca_argp_destroy());
}

T_CASE(arguments_before_the_double_dash_are_for_dpdk)
{
	dpdk("-l 0-3 -a 03:00.0 -- -s x -i 1", "prog -l 0-3 -a 03:00.0 | x;1;");
	dpdk("-- -s x", "prog | x;");
	dpdk("-l 0-3 --", "prog -l 0-3 | ");
	dpdk("-l 0-3", "prog -l 0-3 | ");
	dpdk("", "prog | ");
}

static doca_error_t refuse_eal(int argc, char **argv)
{
	return DOCA_ERROR_DRIVER;
}

T_CASE(an_error_of_the_dpdk_callback_comes_first)
{
	begin_with_params();
	doca_argp_set_dpdk_program(refuse_eal);
	refused("-- -s x", DOCA_ERROR_DRIVER, "the arguments of DPDK were not accepted");
	T_STREQ(trace, "");
}

static void dpdk_json(const char *text, const char *expected)
{
	begin_with_params();
	doca_argp_set_dpdk_program(take_eal);
	trace[0] = '\0';
	said[0] = '\0';
	if (start_json(text, "") != DOCA_SUCCESS)
		T_FAIL("%s", said);
	T_STREQ(trace, expected);
	T_OK(doca_argp_destroy());
}

static void dpdk_json_refused(const char *text, const char *message)
{
	begin_with_params();
	doca_argp_set_dpdk_program(take_eal);
	json_refused(text, DOCA_ERROR_INVALID_VALUE, message);
}

T_CASE(dpdk_flags_from_a_file)
{
	dpdk_json(
		"{\"doca_dpdk_flags\": {\n"
		"  \"devices\": [{\"device\": \"pf\", \"id\": \"03:00.0\", \"hws\": true},\n"
		"    {\"device\": \"sf\", \"id\": \"4\", \"sft\": true, \"n\": 2, \"x\": false},\n"
		"    {\"device\": \"vf\", \"id\": \"b1:00.3\", \"hws\": false}],\n"
		"  \"core-list\": \"0-4\", \"core-mask\": \"0xff\",\n"
		"  \"flags\": \"--file-prefix  a -n 2 \"},\n"
		" \"doca_program_flags\": {\"int\": 9}}",
		"prog -a 03:00.0,dv_flow_en=2 -a auxiliary:mlx5_core.sf.4,sft_en=1,n=2,x=0 "
		"-a b1:00.3 -l 0-4 -c 0xff --file-prefix a -n 2 | 9;");
	dpdk_json("{\"doca_dpdk_flags\": {\"flags\": \"\", \"core-list\": \"\"}}", "prog | ");
}

T_CASE(wrong_dpdk_flags)
{
	char text[2048], id[700];

	dpdk_json_refused("{\"doca_dpdk_flags\": {\"nope\": 1}}",
			  "doca_dpdk_flags.nope is unknown");
	dpdk_json_refused("{\"doca_dpdk_flags\": {\"flags\": 1}}", "doca_dpdk_flags.flags is 1;");
	dpdk_json_refused("{\"doca_dpdk_flags\": {\"core-mask\": 255}}", "core-mask is 255;");
	dpdk_json_refused("{\"doca_dpdk_flags\": {\"devices\": {}}}", "devices is an object;");
	dpdk_json_refused("{\"doca_dpdk_flags\": {\"devices\": [1]}}", "devices[0] is 1;");
	dpdk_json_refused("{\"doca_dpdk_flags\": {\"devices\": [{\"device\": \"pf\"}]}}",
			  "devices[0] is an object; needed: an object with \"device\" and \"id\"");
	dpdk_json_refused("{\"doca_dpdk_flags\": {\"devices\": [{\"device\": 1, \"id\": \"x\"}]}}",
			  "devices[0].device is 1;");
	memset(id, 'x', sizeof(id) - 1);
	id[sizeof(id) - 1] = '\0';
	snprintf(text, sizeof(text),
		 "{\"doca_dpdk_flags\": {\"devices\": [{\"device\": \"pf\", \"id\": \"%s\"}]}}",
		 id);
	dpdk_json_refused(text, "less than 511 characters");
}

T_CASE(other_programs_skip_the_dpdk_section)
{
	accepted("{\"doca_dpdk_flags\": {\"whatever\": 1}}", "", "");
	not_accepted("{\"doca_dpdk_flags\": 1}", DOCA_ERROR_INVALID_VALUE, "doca_dpdk_flags is 1;");
}
