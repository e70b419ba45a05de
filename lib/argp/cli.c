/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line. A token is matched whole: a short name has one dash and may have several
 * letters, so letters are never taken apart. Either number of dashes finds either kind of name, the
 * kind that it announces first. A bare word is a command of the scope where we are.
 */
#include "argp/argp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One flag as it stands: -name, --name or either with =value. */
struct flag {
	const char *token;
	char *name;			    /* owned */
	const char *value;		    /* behind '='; NULL when there is none */
	struct doca_argp_param *param;	    /* what it means: one of the two, */
	const struct argp_builtin *builtin; /* or neither */
};

static bool flag_find(struct argp_parser *p, struct flag *flag, bool is_long)
{
	flag->param = argp_find_param(p->scope, flag->name, is_long);
	if (!flag->param)
		flag->builtin = argp_builtin_find(flag->name, is_long);
	return flag->param || flag->builtin;
}

/* Most often a flag of the program that stands behind the command by mistake. */
static doca_error_t flag_unknown(struct argp_parser *p, const struct flag *flag)
{
	const char *hint = "";

	if (argp_find_param(&p->root, flag->name, false) ||
	    argp_find_param(&p->root, flag->name, true))
		hint = "; it belongs to the program and stands before the command";
	argp_err("unknown flag %s%s%s%s; --help lists the flags", flag->token,
		 p->scope->name ? " of command " : "", p->scope->name ? p->scope->name : "", hint);
	return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t flag_split(struct flag *flag, const char *token)
{
	const char *name = token + (token[1] == '-' ? 2 : 1);
	const char *equals = strchr(name, '=');

	*flag = (struct flag){.token = token, .value = equals ? equals + 1 : NULL};
	flag->name = equals ? strndup(name, (size_t)(equals - name)) : strdup(name);
	if (flag->name)
		return DOCA_SUCCESS;
	argp_err("out of memory for the arguments");
	return DOCA_ERROR_NO_MEMORY;
}

/* What stands behind a boolean may be a command; but true and false, as people write them there,
 * are nothing else. */
static bool flag_may_have_value(struct argp_parser *p, const struct flag *flag, const char *next)
{
	return flag->param && flag->param->type == ARGP_TYPE_BOOLEAN && next &&
	       (strcmp(next, "true") == 0 || strcmp(next, "false") == 0) &&
	       !argp_find_cmd(p->scope, next);
}

static bool flag_needs_value(const struct flag *flag)
{
	return flag->param ? flag->param->type != ARGP_TYPE_BOOLEAN
			   : flag->builtin->run_value != NULL;
}

/*
 * Takes the next argument for a value when there is need, whatever it looks like: text may start
 * with a dash, and numbers do.
 */
static doca_error_t flag_take_value(struct argp_parser *p, struct flag *flag, int argc, char **argv,
				    int *next)
{
	bool needs = flag_needs_value(flag) ||
		     flag_may_have_value(p, flag, *next < argc ? argv[*next] : NULL);

	if (needs && !flag->value) {
		if (*next >= argc) {
			argp_err("%s: the last argument; needed: a value behind it", flag->token);
			return DOCA_ERROR_INVALID_VALUE;
		}
		flag->value = argv[(*next)++];
	}
	if (!needs && flag->value && flag->builtin) {
		argp_err("%s: this flag takes no value", flag->token);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

/* Twice is an accident in scripts that put lines together, and one of the two would be lost. */
static doca_error_t flag_add_value(struct argp_parser *p, const struct flag *flag)
{
	struct doca_argp_param *param = flag->param;

	if ((param->given & ARGP_GIVEN_CLI) && !param->multiplicity) {
		argp_err("%s: given twice; once is the most for this flag", flag->token);
		return DOCA_ERROR_INVALID_VALUE;
	}
	param->given |= ARGP_GIVEN_CLI;
	return flag->value ? argp_value_add_text(p, param, flag->value)
			   : argp_value_add_flag(p, param, true);
}

static doca_error_t flag_read(struct argp_parser *p, struct flag *flag, int argc, char **argv,
			      int *next)
{
	bool is_long = flag->token[1] == '-';
	doca_error_t result;

	if (!flag_find(p, flag, is_long) && !flag_find(p, flag, !is_long))
		return flag_unknown(p, flag);
	result = flag_take_value(p, flag, argc, argv, next);
	if (result != DOCA_SUCCESS)
		return result;
	return flag->param ? flag_add_value(p, flag)
			   : argp_builtin_run(p, flag->builtin, flag->value);
}

/* There are no free arguments: a word is a command, or a value that lost its flag. */
static doca_error_t word_read(struct argp_parser *p, const char *word)
{
	struct doca_argp_cmd *cmd = argp_find_cmd(p->scope, word);

	if (!cmd) {
		argp_err("\"%s\" is no flag%s; flags start with a dash, --help lists them", word,
			 sdpu_list_empty(&p->scope->cmds) ? "" : " and no command");
		return DOCA_ERROR_INVALID_VALUE;
	}
	p->scope = cmd;
	return DOCA_SUCCESS;
}

static doca_error_t token_read(struct argp_parser *p, int argc, char **argv, int *next)
{
	const char *token = argv[(*next)++];
	struct flag flag;
	doca_error_t result;

	if (token[0] != '-' || !token[1])
		return word_read(p, token);
	if (strcmp(token, "--") == 0)
		return DOCA_SUCCESS; /* programs of all kinds are called as those of DPDK are */
	result = flag_split(&flag, token);
	if (result != DOCA_SUCCESS)
		return result;
	result = flag_read(p, &flag, argc, argv, next);
	free(flag.name);
	return result;
}

/* A singular parameter allows no other. */
static doca_error_t singular_check(struct argp_parser *p)
{
	struct doca_argp_param *singular = NULL;
	char name[ARGP_NAME_SIZE];
	struct sdpu_list *it;

	sdpu_list_for_each (it, &p->values)
		if (sdpu_container_of(it, struct argp_value, link)->param->singular)
			singular = sdpu_container_of(it, struct argp_value, link)->param;
	if (!singular)
		return DOCA_SUCCESS;
	sdpu_list_for_each (it, &p->values) {
		if (sdpu_container_of(it, struct argp_value, link)->param == singular)
			continue;
		argp_param_name(singular, name, sizeof(name));
		argp_err("%s: must be the only flag of the program", name);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

/* Help and version act where they stand; whatever is wrong before them is told first. */
doca_error_t argp_read_command_line(struct argp_parser *p, int argc, char **argv)
{
	doca_error_t result = DOCA_SUCCESS;
	int next = 1;

	if (p->dpdk_callback)
		result = argp_dpdk_take_argv(p, argc, argv, &next);
	while (result == DOCA_SUCCESS && next < argc && !p->destroyed)
		result = token_read(p, argc, argv, &next);
	return result == DOCA_SUCCESS ? singular_check(p) : result;
}
