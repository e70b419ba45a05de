/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The life of the parser: set up by init, described, started once, destroyed. It is owned by its
 * place, `current`; while doca_argp_start() runs, by that call, which then frees what a callback
 * has destroyed. Not thread-safe, as main() is not.
 */
#include "argp/argp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/log.h"

/* The parser in its place: what the public functions work on. */
static struct argp_parser *current;

struct argp_parser *argp_current(void)
{
	return current;
}

const char *argp_program_name(const struct argp_parser *p)
{
	return p->program_name ? p->program_name : program_invocation_short_name;
}

/* NULL: out of memory. */
static struct argp_parser *parser_create(const char *program_name, void *config)
{
	struct argp_parser *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->program_name = program_name ? strdup(program_name) : NULL;
	if (program_name && !p->program_name) {
		free(p);
		return NULL;
	}
	p->config = config;
	p->pedantic = true; /* a typing error in a key is a mistake unless the program says not */
	argp_cmd_init(&p->root);
	p->scope = &p->root;
	sdpu_list_init(&p->validations);
	sdpu_list_init(&p->values);
	return p;
}

/* The order is free: nothing here points into another part. */
static void parser_free(struct argp_parser *p)
{
	struct sdpu_list *it;

	while ((it = sdpu_list_pop(&p->validations)) != NULL)
		free(sdpu_container_of(it, struct argp_validation, link));
	argp_values_free(p);
	argp_cmd_fini(&p->root);
	argp_dpdk_free(p);
	free(p->program_name);
	free(p);
}

doca_error_t doca_argp_init(const char *program_name, void *program_config)
{
	struct argp_parser *p;

	if (current) {
		argp_err("doca_argp_init: the parser exists; needed: none; call "
			 "doca_argp_destroy() first");
		return DOCA_ERROR_BAD_STATE;
	}
	if (program_name && !*program_name) {
		argp_err("doca_argp_init: the name is empty; needed: a word, or NULL for that of "
			 "the "
			 "executable");
		return DOCA_ERROR_INVALID_VALUE;
	}
	p = parser_create(program_name, program_config);
	if (!p) {
		argp_err("doca_argp_init: out of memory; needed: room for a parser");
		return DOCA_ERROR_NO_MEMORY;
	}
	current = p;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_destroy(void)
{
	struct argp_parser *p = current;

	if (!p) {
		argp_err("doca_argp_destroy: there is no parser; needed: doca_argp_init() before");
		return DOCA_ERROR_BAD_STATE;
	}
	/* The place is free at once, so that the callback that called us may init again. */
	current = NULL;
	argp_forget_logger();
	if (p->running)
		p->destroyed = true; /* doca_argp_start() is below us on the stack */
	else
		parser_free(p);
	return DOCA_SUCCESS;
}

/* The parser while it can be described, else NULL and a word to the programmer. */
static struct argp_parser *parser_in_setup(const char *who)
{
	if (current && current->state == ARGP_SETUP)
		return current;
	argp_err("%s: the parser %s; needed: a call between doca_argp_init() and "
		 "doca_argp_start()",
		 who, current ? "has started" : "is not there");
	return NULL;
}

doca_error_t doca_argp_register_param(struct doca_argp_param *input_param)
{
	struct argp_parser *p;

	if (!input_param) {
		argp_err("doca_argp_register_param: input_param is NULL; needed: what "
			 "doca_argp_param_create() gave");
		return DOCA_ERROR_INVALID_VALUE;
	}
	/* Ownership moves whatever the result: no program destroys it after a failure. */
	p = parser_in_setup(__func__);
	if (!p) {
		argp_param_release(input_param);
		return DOCA_ERROR_BAD_STATE;
	}
	return argp_scope_add_param(&p->root, input_param, __func__);
}

doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback)
{
	struct argp_parser *p;

	if (!callback) {
		argp_err("doca_argp_register_version_callback: callback is NULL; needed: a "
			 "function");
		return DOCA_ERROR_INVALID_VALUE;
	}
	p = parser_in_setup(__func__);
	if (!p)
		return DOCA_ERROR_BAD_STATE;
	p->version_callback = callback;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_validation_callback(doca_argp_validation_cb_t callback)
{
	struct argp_validation *validation;
	struct argp_parser *p;

	if (!callback) {
		argp_err("doca_argp_register_validation_callback: callback is NULL; needed: a "
			 "function");
		return DOCA_ERROR_INVALID_VALUE;
	}
	p = parser_in_setup(__func__);
	if (!p)
		return DOCA_ERROR_BAD_STATE;
	validation = malloc(sizeof(*validation));
	if (!validation) {
		argp_err("doca_argp_register_validation_callback: out of memory; needed: room for "
			 "it");
		return DOCA_ERROR_NO_MEMORY;
	}
	validation->callback = callback;
	sdpu_list_append(&p->validations, &validation->link);
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_dev_open_callback(doca_argp_dev_open_cb_t callback, void *usr_ctx)
{
	struct argp_parser *p;

	if (!callback) {
		argp_err("doca_argp_register_dev_open_callback: callback is NULL; needed: a "
			 "function");
		return DOCA_ERROR_INVALID_VALUE;
	}
	p = parser_in_setup(__func__);
	if (!p)
		return DOCA_ERROR_BAD_STATE;
	p->dev_open = callback;
	p->dev_open_ctx = usr_ctx;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_disable_pedantic_config_parsing(void)
{
	struct argp_parser *p = parser_in_setup(__func__);

	if (!p)
		return DOCA_ERROR_BAD_STATE;
	p->pedantic = false;
	return DOCA_SUCCESS;
}

void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback)
{
	struct argp_parser *p = parser_in_setup(__func__);

	if (p)
		p->dpdk_callback = callback;
}

static doca_error_t log_level_get(const char *who, int chosen, enum sdpu_log_tier tier, int *level)
{
	if (!level) {
		argp_err("%s: log_level is NULL; needed: the address of a variable", who);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (!current) {
		argp_err("%s: there is no parser; needed: call doca_argp_init() first", who);
		return DOCA_ERROR_BAD_STATE;
	}
	/* Programs ask before parsing, too, to pass a default on to other libraries. */
	*level = chosen ? chosen : (int)sdpu_log_get_global_lower(tier);
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_get_log_level(int *log_level)
{
	return log_level_get(__func__, current ? current->log_level : 0, SDPU_LOG_TIER_APP,
			     log_level);
}

doca_error_t doca_argp_get_sdk_log_level(int *log_level)
{
	return log_level_get(__func__, current ? current->sdk_log_level : 0, SDPU_LOG_TIER_SDK,
			     log_level);
}

static void usage_print(void)
{
	if (current)
		argp_print_help(current);
	else
		argp_err(
			"doca_argp_usage: there is no parser; needed: call doca_argp_init() first");
}

void doca_argp_usage(void)
{
	usage_print();
}

/* What programs compiled for 2.9 call: there, the help ended the program. */
DOCA_EXPERIMENTAL
void doca_argp_usage_v209(void);
void doca_argp_usage_v209(void)
{
	usage_print();
	exit(EXIT_SUCCESS);
}

/* From argv rather than from the kernel: whoever started us chose it to be shown. */
static doca_error_t program_name_take(struct argp_parser *p, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (p->program_name)
		return DOCA_SUCCESS;
	p->program_name = strdup(slash ? slash + 1 : path);
	if (p->program_name)
		return DOCA_SUCCESS;
	argp_err("doca_argp_start: out of memory; needed: room for the name of the program");
	return DOCA_ERROR_NO_MEMORY;
}

/* Both passes. A version callback may destroy the parser during the first one already. */
static doca_error_t parser_run(struct argp_parser *p, int argc, char **argv)
{
	doca_error_t result = program_name_take(p, argv[0]);

	if (result != DOCA_SUCCESS)
		return result;
	result = argp_read_command_line(p, argc, argv);
	if (result != DOCA_SUCCESS || p->destroyed)
		return result;
	return argp_deliver(p);
}

/* Some programs build argv themselves; a hole in it would be followed otherwise. */
static bool argv_is_usable(int argc, char **argv)
{
	if (argc < 1 || !argv)
		return false;
	for (int i = 0; i < argc; i++)
		if (!argv[i])
			return false;
	return true;
}

doca_error_t doca_argp_start(int argc, char **argv)
{
	struct argp_parser *p;
	doca_error_t result;

	if (!argv_is_usable(argc, argv)) {
		argp_err("doca_argp_start: argc is 0, or argv has a hole; needed: both as main() "
			 "gets "
			 "them");
		return DOCA_ERROR_INVALID_VALUE;
	}
	p = parser_in_setup(__func__);
	if (!p)
		return DOCA_ERROR_BAD_STATE;
	/* From here on, failed or not, there is no second start: callbacks may have run. */
	p->state = ARGP_STARTED;
	p->running = true;
	result = parser_run(p, argc, argv);
	p->running = false;
	if (!p->destroyed)
		return result;
	parser_free(p);
	if (result != DOCA_SUCCESS)
		return result;
	argp_err("doca_argp_start: a callback destroyed the parser; what was left is not read");
	return DOCA_ERROR_BAD_STATE;
}
