/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The help, in the form that published programs show: names from column 3, explanations from
 * column 37 or one blank behind longer names. It goes to standard output whoever asked for it, and
 * shows the scope that the command line has reached.
 */
#include "argp/argp.h"

#include <stdio.h>
#include <string.h>

enum { INDENT = 2, TEXT_COLUMN = 36 };

/* Further lines of an explanation stand below the first; a newline at its end is not one. */
static void entry_print(const char *names, const char *description)
{
	const char *line = description;
	int width = TEXT_COLUMN - INDENT - 1;

	printf("%*s%-*s ", INDENT, "", width, names);
	for (;;) {
		size_t len = strcspn(line, "\n");

		printf("%.*s\n", (int)len, line);
		if (!line[len] || !line[len + 1])
			return;
		line += len + 1;
		printf("%*s", TEXT_COLUMN, "");
	}
}

static void flag_print(const char *short_name, const char *long_name, const char *arguments,
		       const char *description)
{
	char names[512];

	snprintf(names, sizeof(names), "%s%s%s%s%s%s%s", short_name ? "-" : "",
		 short_name ? short_name : "", short_name && long_name ? ", " : "",
		 long_name ? "--" : "", long_name ? long_name : "", arguments ? " " : "",
		 arguments ? arguments : "");
	entry_print(names, description);
}

static bool param_is_shown(const struct doca_argp_param *param, bool from_above)
{
	return !param->hidden && (!from_above || param->inherited);
}

/* Those of the scope itself, then what it inherits; `print` false: only says whether there are any.
 */
static bool params_walk(const struct doca_argp_cmd *scope, bool print)
{
	const struct sdpu_list *it;
	bool any = false;

	for (const struct doca_argp_cmd *cmd = scope; cmd; cmd = cmd->parent) {
		sdpu_list_for_each (it, &cmd->params) {
			const struct doca_argp_param *param =
				sdpu_container_of(it, struct doca_argp_param, link);

			if (!param_is_shown(param, cmd != scope))
				continue;
			any = true;
			if (print)
				flag_print(param->short_name, param->long_name, param->arguments,
					   param->description);
		}
	}
	return any;
}

/* `print` as in params_walk(). */
static bool cmds_walk(const struct doca_argp_cmd *scope, bool print)
{
	const struct sdpu_list *it;
	bool any = false;

	sdpu_list_for_each (it, &scope->cmds) {
		const struct doca_argp_cmd *cmd = sdpu_container_of(it, struct doca_argp_cmd, link);

		if (cmd->hidden)
			continue;
		any = true;
		if (print)
			entry_print(cmd->name, cmd->description);
	}
	return any;
}

static void command_path_print(const struct doca_argp_cmd *scope)
{
	if (!scope->parent)
		return;
	command_path_print(scope->parent);
	printf(" %s", scope->name);
}

/* Words of the commands stand where they have to be typed. */
static void usage_line_print(const struct argp_parser *p)
{
	printf("Usage: %s", argp_program_name(p));
	if (p->dpdk_callback)
		printf(" [DPDK Flags] --");
	command_path_print(p->scope);
	printf(" [DOCA Flags] [%s Flags]%s\n", p->scope->parent ? "Command" : "Program",
	       cmds_walk(p->scope, false) ? " [Command]" : "");
}

void argp_print_help(const struct argp_parser *p)
{
	const struct argp_builtin *flag;

	usage_line_print(p);
	printf("\nDOCA Flags:\n");
	for (unsigned int i = 0; (flag = argp_builtin_at(i)) != NULL; i++)
		flag_print(flag->short_name, flag->long_name, flag->arguments, flag->description);
	if (params_walk(p->scope, false)) {
		printf("\n%s Flags:\n", p->scope->parent ? "Command" : "Program");
		params_walk(p->scope, true);
	}
	if (cmds_walk(p->scope, false)) {
		printf("\nCommands:\n");
		cmds_walk(p->scope, true);
	}
	printf("\n");
	fflush(stdout); /* the process may end without exit handlers next */
}
