/* SPDX-License-Identifier: BSD-3-Clause
 * The help: layout, groups, what it leaves out.
 */
#include "argp_kit.h"

#define LEVELS "<10=DISABLE, 20=CRITICAL, 30=ERROR, 40=WARNING, 50=INFO, 60=DEBUG, 70=TRACE>"
#define DOCA_FLAGS                                                                                 \
	"DOCA Flags:\n"                                                                            \
	"  -h, --help                        Print a help synopsis\n"                              \
	"  -v, --version                     Print program version information\n"                  \
	"  -l, --log-level                   Set the (numeric) log level for the program " LEVELS  \
	"\n"                                                                                       \
	"  --sdk-log-level                   Set the SDK (numeric) log level for the "             \
	"program " LEVELS "\n"                                                                     \
	"  -j, --json <path>                 Parse command line flags from an input json file\n"

static void describe(struct doca_argp_param *param, const char *arguments, const char *text)
{
	doca_argp_param_set_arguments(param, arguments);
	doca_argp_param_set_description(param, text);
}

static void begin_with_params(void)
{
	struct doca_argp_param *param;

	begin();
	param = new_param("p", "pci-addr", DOCA_ARGP_TYPE_STRING);
	describe(param, NULL, "DOCA device PCI address");
	T_OK(doca_argp_register_param(param));
	param = new_param("ns", NULL, DOCA_ARGP_TYPE_STRING);
	describe(param, "<n>", "first line\nsecond line\n");
	T_OK(doca_argp_register_param(param));
	param = new_param("q", "a-name-that-is-longer-than-the-column", DOCA_ARGP_TYPE_STRING);
	describe(param, "<path>", "pushed to the right");
	T_OK(doca_argp_register_param(param));
	param = new_param("s", "secret", DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_hidden(param);
	T_OK(doca_argp_register_param(param));
}

static int run_with_params(void *line)
{
	begin_with_params();
	start(line);
	return 3; /* not reached by -h */
}

T_CASE(help_has_two_groups_and_ends_the_process)
{
	static const char expected[] =
		"Usage: doca_prog [DOCA Flags] [Program Flags]\n"
		"\n" DOCA_FLAGS "\n"
		"Program Flags:\n"
		"  -p, --pci-addr                    DOCA device PCI address\n"
		"  -ns <n>                           first line\n"
		"                                    second line\n"
		"  -q, --a-name-that-is-longer-than-the-column <path> pushed to the right\n"
		"\n";
	int status;

	T_STREQ(output_of(run_with_params, "-h", &status), expected);
	T_EQ(status, 0);
	T_STREQ(output_of(run_with_params, "-p x --help", &status), expected);
	T_EQ(status, 0);
}

static int run_usage(void *name)
{
	T_OK(doca_argp_init(name, NULL));
	doca_argp_usage();
	T_OK(start(""));
	doca_argp_usage();
	return 4; /* usage returns */
}

T_CASE(usage_prints_and_returns)
{
	const char *text;
	int status;

	text = output_of(run_usage, "doca_prog", &status);
	T_EQ(status, 4);
	T_STREQ(text, "Usage: doca_prog [DOCA Flags] [Program Flags]\n\n" DOCA_FLAGS "\n"
		      "Usage: doca_prog [DOCA Flags] [Program Flags]\n\n" DOCA_FLAGS "\n");
}

T_CASE(the_name_is_that_of_the_executable_by_default)
{
	int status;
	const char *text = output_of(run_usage, NULL, &status);

	T_EQ(status, 4);
	T_CONTAINS(text, "Usage: test_argp_argp_help_test [");
	T_CONTAINS(text, "Usage: prog [");
}

/* The usage of 2.9, which programs of that time reach through this name. */
void doca_argp_usage_v209(void);

static int run_usage_v209(void *arg)
{
	begin();
	doca_argp_usage_v209();
	return 4;
}

T_CASE(the_usage_of_209_ends_the_process)
{
	int status;

	T_CONTAINS(output_of(run_usage_v209, NULL, &status), "Usage: doca_prog");
	T_EQ(status, 0);
}

static doca_error_t take_eal(int argc, char **argv)
{
	return DOCA_SUCCESS;
}

static int run_dpdk_help(void *line)
{
	begin();
	doca_argp_set_dpdk_program(take_eal);
	start(line);
	return 3;
}

T_CASE(dpdk_programs_show_a_third_kind_of_flags)
{
	int status;

	T_CONTAINS(output_of(run_dpdk_help, "-- -h", &status),
		   "Usage: doca_prog [DPDK Flags] -- [DOCA Flags] [Program Flags]\n");
	T_EQ(status, 0);
	T_CONTAINS(output_of(run_dpdk_help, "--help", &status), "Usage: doca_prog [DPDK Flags]");
	T_EQ(status, 0);
}

static struct doca_argp_cmd *new_cmd(const char *name)
{
	struct doca_argp_cmd *cmd;

	T_OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, name);
	doca_argp_cmd_set_description(cmd, "does what its name says");
	return cmd;
}

static int run_with_commands(void *line)
{
	struct doca_argp_cmd *get = new_cmd("get"), *hidden = new_cmd("secret");
	struct doca_argp_param *param;

	begin();
	param = new_param("i", "inherited", DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_inherited(param);
	T_OK(doca_argp_register_param(param));
	add("o", "outer", DOCA_ARGP_TYPE_STRING);
	T_OK(doca_argp_cmd_register_param(get, new_param("v", "vuid", DOCA_ARGP_TYPE_STRING)));
	T_OK(doca_argp_cmd_register_cmd(get, new_cmd("all")));
	T_OK(doca_argp_register_cmd(get));
	doca_argp_cmd_set_hidden(hidden);
	T_OK(doca_argp_register_cmd(hidden));
	start(line);
	return 3;
}

T_CASE(commands_are_listed)
{
	int status;

	T_STREQ(output_of(run_with_commands, "-h", &status),
		"Usage: doca_prog [DOCA Flags] [Program Flags] [Command]\n"
		"\n" DOCA_FLAGS "\n"
		"Program Flags:\n"
		"  -i, --inherited                   what it is for\n"
		"  -o, --outer                       what it is for\n"
		"\n"
		"Commands:\n"
		"  get                               does what its name says\n"
		"\n");
	T_EQ(status, 0);
}

T_CASE(a_command_has_its_own_help)
{
	int status;

	T_STREQ(output_of(run_with_commands, "get -h", &status),
		"Usage: doca_prog get [DOCA Flags] [Command Flags] [Command]\n"
		"\n" DOCA_FLAGS "\n"
		"Command Flags:\n"
		"  -v, --vuid                        what it is for\n"
		"  -i, --inherited                   what it is for\n"
		"\n"
		"Commands:\n"
		"  all                               does what its name says\n"
		"\n");
	T_EQ(status, 0);
	T_CONTAINS(output_of(run_with_commands, "get all --help", &status),
		   "Usage: doca_prog get all [DOCA Flags] [Command Flags]\n");
}
