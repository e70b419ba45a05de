/* SPDX-License-Identifier: BSD-3-Clause
 * The argument parser: life, registration, the command line, callbacks.
 */
#include "argp_kit.h"

T_CASE(one_parser_at_a_time)
{
	T_OK(doca_argp_register_logger_callback(hear));
	T_ERR(doca_argp_destroy(), DOCA_ERROR_BAD_STATE);
	T_OK(doca_argp_init("doca_prog", NULL));
	T_ERR(doca_argp_init("doca_prog", NULL), DOCA_ERROR_BAD_STATE);
	T_OK(doca_argp_destroy());
	T_ERR(doca_argp_destroy(), DOCA_ERROR_BAD_STATE);
	T_OK(doca_argp_init(NULL, NULL));
	T_OK(doca_argp_destroy());
	T_ERR(doca_argp_init("", NULL), DOCA_ERROR_INVALID_VALUE);
}

T_CASE(nothing_to_parse)
{
	begin();
	T_OK(start(""));
	T_STREQ(trace, "");
	T_STREQ(said, "");
	T_OK(doca_argp_destroy());
}

T_CASE(start_wants_argc_and_argv_of_main)
{
	char *with_hole[] = {"prog", NULL, "-x"};

	T_ERR(doca_argp_start(1, with_hole), DOCA_ERROR_BAD_STATE);
	begin();
	T_ERR(doca_argp_start(1, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_start(0, with_hole), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_start(3, with_hole), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_argp_start(1, with_hole));
	T_ERR(doca_argp_start(1, with_hole), DOCA_ERROR_BAD_STATE);
	T_OK(doca_argp_destroy());
}

T_CASE(params_live_without_a_parser)
{
	struct doca_argp_param *param;

	T_ERR(doca_argp_param_create(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_param_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_argp_param_create(&param));
	doca_argp_param_set_short_name(param, "a");
	doca_argp_param_set_short_name(param, "b");
	doca_argp_param_set_arguments(param, "<x>");
	T_OK(doca_argp_param_destroy(param));
}

T_CASE(setters_ignore_null)
{
	doca_argp_param_set_short_name(NULL, "a");
	doca_argp_param_set_long_name(NULL, "a");
	doca_argp_param_set_arguments(NULL, "a");
	doca_argp_param_set_description(NULL, "a");
	doca_argp_param_set_callback(NULL, take_text);
	doca_argp_param_set_type(NULL, DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_mandatory(NULL);
	doca_argp_param_set_cli_only(NULL);
	doca_argp_param_set_multiplicity(NULL);
	doca_argp_param_set_singular(NULL);
	doca_argp_param_set_inherited(NULL);
	doca_argp_param_set_hidden(NULL);
	doca_argp_cmd_set_name(NULL, "a");
	doca_argp_cmd_set_description(NULL, "a");
	doca_argp_cmd_set_callback(NULL, NULL);
	doca_argp_cmd_set_hidden(NULL);
	doca_argp_set_dpdk_program(NULL);
	doca_argp_usage();
}

T_CASE(a_registered_param_belongs_to_the_parser)
{
	struct doca_argp_param *param;

	begin();
	param = new_param("p", "param", DOCA_ARGP_TYPE_STRING);
	T_OK(doca_argp_register_param(param));
	T_ERR(doca_argp_param_destroy(param), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_argp_register_param(param), DOCA_ERROR_BAD_STATE);
	doca_argp_param_set_short_name(param, "q");
	doca_argp_param_set_type(param, DOCA_ARGP_TYPE_INT);
	T_CONTAINS(said, "\"q\" is ignored");
	T_OK(start("-p x"));
	T_STREQ(trace, "x;");
	T_OK(doca_argp_destroy());
}

/* The leak checker sees to the other half: what fails to register is freed. */
T_CASE(registration_takes_the_param_even_when_it_fails)
{
	T_ERR(doca_argp_register_param(new_param("p", NULL, DOCA_ARGP_TYPE_INT)),
	      DOCA_ERROR_BAD_STATE);
	begin();
	T_ERR(doca_argp_register_param(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_register_param(new_param(NULL, NULL, DOCA_ARGP_TYPE_INT)),
	      DOCA_ERROR_INITIALIZATION);
	T_OK(start(""));
	T_ERR(doca_argp_register_param(new_param("p", NULL, DOCA_ARGP_TYPE_INT)),
	      DOCA_ERROR_BAD_STATE);
	T_OK(doca_argp_destroy());
}

T_CASE(a_param_needs_name_description_callback_and_type)
{
	struct doca_argp_param *param;

	begin();
	T_ERR(doca_argp_register_param(new_param(NULL, NULL, DOCA_ARGP_TYPE_INT)),
	      DOCA_ERROR_INITIALIZATION);
	T_CONTAINS(said, "needed: a short or a long name");
	param = new_param("p", NULL, DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_description(param, NULL);
	T_ERR(doca_argp_register_param(param), DOCA_ERROR_INITIALIZATION);
	T_CONTAINS(said, "parameter -p has not all that it needs; needed: a description");
	param = new_param(NULL, "pp", DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_callback(param, NULL);
	T_ERR(doca_argp_register_param(param), DOCA_ERROR_INITIALIZATION);
	T_CONTAINS(said, "parameter --pp has not all that it needs; needed: a callback");
	T_ERR(doca_argp_register_param(new_param("p", "pp", DOCA_ARGP_TYPE_UNKNOWN)),
	      DOCA_ERROR_INITIALIZATION);
	T_CONTAINS(said, "parameter -p/--pp has not all that it needs; needed: a type");
	T_OK(doca_argp_destroy());
}

T_CASE(names_must_be_usable_and_free)
{
	static const struct {
		const char *short_name, *long_name;
	} bad[] = {
		{"h", NULL},	     {"v", NULL},    {"l", NULL},
		{"j", NULL},	     {NULL, "help"}, {NULL, "version"},
		{NULL, "log-level"}, {NULL, "json"}, {NULL, "sdk-log-level"},
		{"a", "new"},	     {"new", "aa"},  {"-x", NULL},
		{NULL, "--x"},	     {"", NULL},     {"x y", NULL},
		{NULL, "x=y"},
	};

	begin();
	add("a", "aa", DOCA_ARGP_TYPE_INT);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		T_ERR(doca_argp_register_param(
			      new_param(bad[i].short_name, bad[i].long_name, DOCA_ARGP_TYPE_INT)),
		      DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(said, "belong to the parser");
	T_CONTAINS(said, "a name that is not taken");
	T_CONTAINS(said, "a name of one word");
	add("aa", "a", DOCA_ARGP_TYPE_INT); /* the kinds are apart */
	T_OK(doca_argp_destroy());
}

T_CASE(values_of_every_type)
{
	begin();
	add("s", "string", DOCA_ARGP_TYPE_STRING);
	add("i", "int", DOCA_ARGP_TYPE_INT);
	add("b", "bool", DOCA_ARGP_TYPE_BOOLEAN);
	add("d", "double", DOCA_ARGP_TYPE_DOUBLE);
	T_OK(start("-s text -i -12 -b -d 2.5e1"));
	T_STREQ(trace, "text;-12;true;25;");
	T_OK(doca_argp_destroy());
}

T_CASE(short_names_may_have_several_letters)
{
	begin();
	add("n", NULL, DOCA_ARGP_TYPE_INT);
	add("ns", NULL, DOCA_ARGP_TYPE_STRING);
	add("b0", NULL, DOCA_ARGP_TYPE_STRING);
	add("pf_dev", NULL, DOCA_ARGP_TYPE_STRING);
	add("gns-ignore-val", NULL, DOCA_ARGP_TYPE_BOOLEAN);
	T_OK(start("-ns a -b0 b -n 1 -pf_dev c -gns-ignore-val"));
	T_STREQ(trace, "a;b;1;c;true;");
	T_OK(doca_argp_destroy());
}

T_CASE(letters_are_not_clustered)
{
	begin();
	add("a", NULL, DOCA_ARGP_TYPE_BOOLEAN);
	add("b", NULL, DOCA_ARGP_TYPE_BOOLEAN);
	refused("-ab", DOCA_ERROR_NOT_SUPPORTED, "unknown flag -ab");
}

T_CASE(values_may_follow_an_equals_sign)
{
	begin();
	add("s", "string", DOCA_ARGP_TYPE_STRING);
	add("i", "int", DOCA_ARGP_TYPE_INT);
	add("b", "bool", DOCA_ARGP_TYPE_BOOLEAN);
	add("c", "cool", DOCA_ARGP_TYPE_BOOLEAN);
	T_OK(start("--string=a=b -i=7 --bool=false -c=true"));
	T_STREQ(trace, "a=b;7;false;true;");
	T_OK(doca_argp_destroy());
}

T_CASE(true_and_false_may_stand_behind_a_boolean)
{
	begin();
	add("b", "bool", DOCA_ARGP_TYPE_BOOLEAN);
	add("c", "cool", DOCA_ARGP_TYPE_BOOLEAN);
	add("d", "dual", DOCA_ARGP_TYPE_BOOLEAN);
	add("s", "string", DOCA_ARGP_TYPE_STRING);
	T_OK(start("--bool true -c false -d -s true"));
	T_STREQ(trace, "true;false;true;true;");
	T_OK(doca_argp_destroy());
	begin();
	add("b", "bool", DOCA_ARGP_TYPE_BOOLEAN);
	T_ERR(start("-b yes"), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_argp_destroy());
}

T_CASE(the_number_of_dashes_is_a_preference)
{
	begin();
	add("x", "y", DOCA_ARGP_TYPE_STRING);
	add("y", "z", DOCA_ARGP_TYPE_INT);
	T_OK(start("-z 1 --y text"));
	T_STREQ(trace, "1;text;");
	T_OK(doca_argp_destroy());
	begin();
	add("x", "y", DOCA_ARGP_TYPE_STRING);
	add("y", "z", DOCA_ARGP_TYPE_INT);
	T_OK(start("-y 2 --x more"));
	T_STREQ(trace, "1;text;2;more;");
	T_OK(doca_argp_destroy());
}

T_CASE(callbacks_come_in_the_order_of_the_line)
{
	begin();
	add("a", NULL, DOCA_ARGP_TYPE_STRING);
	add("b", NULL, DOCA_ARGP_TYPE_STRING);
	T_OK(start("-b 1 -a 2"));
	T_STREQ(trace, "1;2;");
	T_OK(doca_argp_destroy());
}

T_CASE(a_value_may_look_like_a_flag)
{
	begin();
	add("s", NULL, DOCA_ARGP_TYPE_STRING);
	T_OK(start("-s --help"));
	T_STREQ(trace, "--help;");
	T_OK(doca_argp_destroy());
}

T_CASE(a_lone_double_dash_is_skipped)
{
	begin();
	add("s", NULL, DOCA_ARGP_TYPE_STRING);
	T_OK(start("-- -s x"));
	T_STREQ(trace, "x;");
	T_OK(doca_argp_destroy());
}

T_CASE(once_unless_multiple)
{
	struct doca_argp_param *param;

	begin();
	add("s", NULL, DOCA_ARGP_TYPE_STRING);
	param = new_param("m", NULL, DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_multiplicity(param);
	T_OK(doca_argp_register_param(param));
	T_OK(start("-m 1 -s x -m 2 -m 3"));
	T_STREQ(trace, "1;x;2;3;");
	T_OK(doca_argp_destroy());
	begin();
	add("s", "sss", DOCA_ARGP_TYPE_STRING);
	refused("-s x --sss y", DOCA_ERROR_INVALID_VALUE, "--sss: given twice");
	T_STREQ(trace, "1;x;2;3;");
}

T_CASE(unknown_flags)
{
	begin();
	add("s", NULL, DOCA_ARGP_TYPE_STRING);
	refused("-s x --nope", DOCA_ERROR_NOT_SUPPORTED, "unknown flag --nope; --help lists");
	T_STREQ(trace, ""); /* nothing was called back before the line was read */
	begin();
	refused("word", DOCA_ERROR_INVALID_VALUE, "\"word\" is no flag;");
	begin();
	refused("-", DOCA_ERROR_INVALID_VALUE, "\"-\" is no flag");
}

T_CASE(missing_values)
{
	begin();
	add("s", NULL, DOCA_ARGP_TYPE_STRING);
	refused("-s", DOCA_ERROR_INVALID_VALUE, "-s: the last argument; needed: a value");
	begin();
	refused("--log-level", DOCA_ERROR_INVALID_VALUE, "--log-level: the last argument");
}

static void bad_value(enum doca_argp_type type, const char *line, const char *message)
{
	begin();
	add("p", "param", type);
	refused(line, DOCA_ERROR_INVALID_VALUE, message);
}

T_CASE(values_that_do_not_fit_the_type)
{
	const char *whole = "needed: a whole number from -2147483648 to 2147483647";

	bad_value(DOCA_ARGP_TYPE_INT, "-p 12x", "-p/--param: \"12x\" is given");
	bad_value(DOCA_ARGP_TYPE_INT, "-p x", whole);
	bad_value(DOCA_ARGP_TYPE_INT, "-p 1.5", whole);
	bad_value(DOCA_ARGP_TYPE_INT, "-p=", whole);
	bad_value(DOCA_ARGP_TYPE_INT, "-p 2147483648", whole);
	bad_value(DOCA_ARGP_TYPE_INT, "-p 99999999999999999999", whole);
	bad_value(DOCA_ARGP_TYPE_INT, "-p 0x", whole);
	bad_value(DOCA_ARGP_TYPE_DOUBLE, "-p 1.5x", "needed: a number");
	bad_value(DOCA_ARGP_TYPE_DOUBLE, "-p=", "needed: a number");
	bad_value(DOCA_ARGP_TYPE_DOUBLE, "-p nan", "needed: a number");
	bad_value(DOCA_ARGP_TYPE_DOUBLE, "-p 1e999", "needed: a number");
	bad_value(DOCA_ARGP_TYPE_BOOLEAN, "-p=yes", "needed: nothing, true or false");
	T_STREQ(trace, "");
}

T_CASE(whole_numbers)
{
	struct doca_argp_param *param;

	begin();
	param = new_param("i", NULL, DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_multiplicity(param);
	T_OK(doca_argp_register_param(param));
	T_OK(start("-i 010 -i 0x1F -i -0x10 -i +3 -i 2147483647 -i -2147483648"));
	T_STREQ(trace, "10;31;-16;3;2147483647;-2147483648;");
	T_OK(doca_argp_destroy());
}

static doca_error_t add_mandatory(const char *short_name, const char *long_name)
{
	struct doca_argp_param *param = new_param(short_name, long_name, DOCA_ARGP_TYPE_STRING);

	doca_argp_param_set_mandatory(param);
	return doca_argp_register_param(param);
}

T_CASE(mandatory_params_are_looked_for_after_the_callbacks)
{
	begin();
	T_OK(add_mandatory("m", "must"));
	add("o", NULL, DOCA_ARGP_TYPE_STRING);
	refused("-o x", DOCA_ERROR_INVALID_VALUE, "-m/--must is missing; needed: what it is for");
	T_STREQ(trace, "x;");
	begin();
	T_OK(add_mandatory("m", "must"));
	T_OK(start("--must y"));
	T_STREQ(trace, "x;y;");
	T_OK(doca_argp_destroy());
}

static void begin_with_singular(void)
{
	struct doca_argp_param *param;

	begin();
	T_OK(add_mandatory("m", NULL));
	param = new_param(NULL, "list", DOCA_ARGP_TYPE_BOOLEAN);
	doca_argp_param_set_singular(param);
	T_OK(doca_argp_register_param(param));
}

T_CASE(a_singular_param_stands_alone_and_excuses_mandatory_ones)
{
	begin_with_singular();
	T_OK(start("--list --log-level 40"));
	T_STREQ(trace, "true;");
	T_OK(doca_argp_destroy());
	begin_with_singular();
	refused("--list -m x", DOCA_ERROR_INVALID_VALUE, "--list: must be the only flag");
	T_STREQ(trace, "true;");
}

static doca_error_t refuse_text(void *param, void *cfg)
{
	trace_add("refused %s;", (const char *)param);
	return DOCA_ERROR_BAD_CONFIG;
}

T_CASE(an_error_of_a_callback_ends_the_parsing)
{
	struct doca_argp_param *param;

	begin();
	param = new_param("r", "refuse", DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_callback(param, refuse_text);
	T_OK(doca_argp_register_param(param));
	add("s", NULL, DOCA_ARGP_TYPE_STRING);
	refused("-s a -r b -s=c", DOCA_ERROR_INVALID_VALUE, "given twice");
	begin();
	param = new_param("r", "refuse", DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_callback(param, refuse_text);
	T_OK(doca_argp_register_param(param));
	add("s", NULL, DOCA_ARGP_TYPE_STRING);
	refused("-r b -s c", DOCA_ERROR_BAD_CONFIG, "-r/--refuse: the value was not accepted");
	T_STREQ(trace, "refused b;");
}

static doca_error_t validate_first(void *cfg)
{
	T_CHECK(cfg == &config);
	trace_add("first;");
	return DOCA_SUCCESS;
}

static doca_error_t validate_second(void *cfg)
{
	trace_add("second;");
	return DOCA_ERROR_TOO_BIG;
}

T_CASE(validation_callbacks_run_last)
{
	T_ERR(doca_argp_register_validation_callback(validate_first), DOCA_ERROR_BAD_STATE);
	begin();
	T_ERR(doca_argp_register_validation_callback(NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_argp_register_validation_callback(validate_first));
	T_OK(doca_argp_register_validation_callback(validate_second));
	add("s", NULL, DOCA_ARGP_TYPE_STRING);
	refused("-s x", DOCA_ERROR_TOO_BIG, "not accepted together");
	T_STREQ(trace, "x;first;second;");
	begin();
	T_OK(doca_argp_register_validation_callback(validate_first));
	T_OK(add_mandatory("m", NULL));
	refused("", DOCA_ERROR_INVALID_VALUE, "-m is missing");
	T_STREQ(trace, "x;first;second;");
}

T_CASE(setup_calls_after_the_start)
{
	begin();
	T_OK(start(""));
	T_ERR(doca_argp_register_validation_callback(validate_first), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_argp_register_version_callback(take_bool), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_argp_disable_pedantic_config_parsing(), DOCA_ERROR_BAD_STATE);
	T_OK(doca_argp_destroy());
	T_ERR(doca_argp_disable_pedantic_config_parsing(), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_argp_register_version_callback(take_bool), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_argp_register_version_callback(NULL), DOCA_ERROR_INVALID_VALUE);
}

static doca_error_t destroy_parser(void *param, void *cfg)
{
	T_OK(doca_argp_destroy());
	trace_add("destroyed;");
	return DOCA_SUCCESS;
}

T_CASE(a_callback_may_destroy_the_parser)
{
	struct doca_argp_param *param;

	begin();
	param = new_param("d", NULL, DOCA_ARGP_TYPE_BOOLEAN);
	doca_argp_param_set_callback(param, destroy_parser);
	T_OK(doca_argp_register_param(param));
	add("s", NULL, DOCA_ARGP_TYPE_STRING);
	T_ERR(start("-s x -d -s=y"), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_argp_destroy());

	begin();
	param = new_param("d", NULL, DOCA_ARGP_TYPE_BOOLEAN);
	doca_argp_param_set_callback(param, destroy_parser);
	T_OK(doca_argp_register_param(param));
	add("s", NULL, DOCA_ARGP_TYPE_STRING);
	T_OK(doca_argp_register_validation_callback(validate_first));
	T_ERR(start("-d -s x"), DOCA_ERROR_BAD_STATE);
	T_STREQ(trace, "destroyed;");
	T_ERR(doca_argp_destroy(), DOCA_ERROR_BAD_STATE);
	begin(); /* and its place is free */
	T_OK(doca_argp_destroy());
}

T_CASE(log_levels)
{
	int level = 0;

	T_ERR(doca_argp_get_log_level(&level), DOCA_ERROR_BAD_STATE);
	begin();
	T_ERR(doca_argp_get_log_level(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_argp_get_sdk_log_level(NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_ERROR));
	T_OK(doca_argp_get_log_level(&level));
	T_EQ(level, DOCA_LOG_LEVEL_ERROR);
	T_OK(doca_argp_get_sdk_log_level(&level));
	T_EQ(level, DOCA_LOG_LEVEL_INFO);
	T_OK(start("-l 60 --sdk-log-level 20"));
	T_OK(doca_argp_get_log_level(&level));
	T_EQ(level, 60);
	T_EQ(doca_log_level_get_global_lower_limit(), 60);
	T_OK(doca_argp_get_sdk_log_level(&level));
	T_EQ(level, 20);
	T_EQ(doca_log_level_get_global_sdk_limit(), 20);
	T_OK(doca_argp_destroy());
}

T_CASE(bad_log_levels)
{
	static const char *const lines[] = {"-l 55", "--log-level x", "--sdk-log-level -10",
					    "--sdk-log-level 0", "-l 50x"};

	for (size_t i = 0; i < 5; i++) {
		begin();
		refused(lines[i], DOCA_ERROR_INVALID_VALUE, "needed: one of <10=DISABLE");
	}
	T_EQ(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_INFO);
}

static int run_version(void *arg)
{
	begin();
	if (arg)
		T_OK(doca_argp_register_version_callback(arg));
	start("-v");
	return 3; /* not reached when the version ends the process */
}

/* The form that published programs use. */
static doca_error_t version_and_exit(void *param, void *cfg)
{
	T_CHECK(*(bool *)param);
	printf("version %s\n", cfg == &config ? "mine" : "?");
	T_OK(doca_argp_destroy());
	exit(EXIT_SUCCESS);
}

static doca_error_t version_and_return(void *param, void *cfg)
{
	return DOCA_SUCCESS;
}

T_CASE(version_flag)
{
	int status;

	T_STREQ(output_of(run_version, NULL, &status),
		"DOCA SDK     Version (Compilation): 3.1.0105\n"
		"DOCA Runtime Version (Runtime):     3.1.0105\n");
	T_EQ(status, 0);
	T_STREQ(output_of(run_version, version_and_exit, &status), "version mine\n");
	T_EQ(status, 0);
	output_of(run_version, version_and_return, &status);
	T_EQ(status, 3);
}

T_CASE(the_version_takes_no_value)
{
	begin();
	refused("--version=2", DOCA_ERROR_INVALID_VALUE, "takes no value");
}

T_CASE(logger_callbacks)
{
	T_ERR(doca_argp_register_logger_callback(NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_argp_register_logger_callback(hear));
	T_ERR(doca_argp_register_logger_callback(hear), DOCA_ERROR_ALREADY_EXIST);
	T_CONTAINS(said, "there is one already");
	T_OK(doca_argp_disable_logger_callback());
	T_OK(doca_argp_disable_logger_callback());
	said[0] = '\0';
	T_ERR(doca_argp_destroy(), DOCA_ERROR_BAD_STATE);
	T_STREQ(said, "");
	T_OK(doca_argp_register_logger_callback(hear));
	T_OK(doca_argp_init("x", NULL));
	T_OK(doca_argp_destroy()); /* forgets it */
	T_OK(doca_argp_register_logger_callback(hear));
}

static char sdk_text[4096], sdk_buf[2048];

static void sdk_flush(char *buf)
{
	strncat(sdk_text, buf, sizeof(sdk_text) - strlen(sdk_text) - 1);
}

T_CASE(without_a_logger_the_sdk_log_is_told)
{
	struct doca_log_backend *backend;

	T_OK(doca_log_backend_create_with_buf_sdk(sdk_buf, sizeof(sdk_buf), sdk_flush, &backend));
	T_OK(doca_argp_init("doca_prog", NULL));
	T_ERR(start("--nope"), DOCA_ERROR_NOT_SUPPORTED);
	T_CONTAINS(sdk_text, "[DOCA][ERR][cli.c:");
	T_CONTAINS(sdk_text, "unknown flag --nope");
	T_OK(doca_argp_destroy());
}

static int run_unheard(void *arg)
{
	dup2(STDOUT_FILENO, STDERR_FILENO);
	T_OK(doca_argp_init("doca_prog", NULL));
	return start("--nope") == DOCA_ERROR_NOT_SUPPORTED ? 0 : 1;
}

T_CASE(without_any_log_standard_error_is_told)
{
	int status;

	T_STREQ(output_of(run_unheard, NULL, &status),
		"doca_prog: unknown flag --nope; --help lists the flags\n");
	T_EQ(status, 0);
}
