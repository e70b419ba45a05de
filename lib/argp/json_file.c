/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The JSON file: three sections, all optional. Keys of the program's section are long names. What a
 * file says counts where its flag stands on the command line.
 */
#include "argp/argp.h"

#include <stdio.h>

static const char *const sections[] = {"doca_dpdk_flags", "doca_general_flags",
				       "doca_program_flags"};
static const char *const general_keys[] = {"log-level", "sdk-log-level"};

/* The tree's BAD_CONFIG is INVALID_VALUE to a program: one of its arguments is wrong. */
static doca_error_t complain(const struct sdpu_json_error *err)
{
	argp_err("%s", err->text);
	return DOCA_ERROR_INVALID_VALUE;
}

/* An absent key leaves the level alone. */
static doca_error_t level_read(struct argp_parser *p, const struct sdpu_json *section,
			       const char *key, bool sdk)
{
	struct sdpu_json_error err;
	char where[ARGP_NAME_SIZE];
	struct sdpu_json at;
	int64_t level;

	if (!sdpu_json_member(section, key, &at))
		return DOCA_SUCCESS;
	if (sdpu_json_get_int(&at, DOCA_LOG_LEVEL_DISABLE, DOCA_LOG_LEVEL_TRACE, &level, &err) !=
	    DOCA_SUCCESS)
		return complain(&err);
	sdpu_json_path(&at, where, sizeof(where));
	return argp_set_log_level(p, sdk, (long)level, where);
}

static doca_error_t general_read(struct argp_parser *p, const struct sdpu_json *section)
{
	struct sdpu_json_error err;
	doca_error_t result;

	if (p->pedantic && sdpu_json_need_keys(section, general_keys, SDPU_ARRAY_SIZE(general_keys),
					       &err) != DOCA_SUCCESS)
		return complain(&err);
	result = level_read(p, section, general_keys[0], false);
	return result == DOCA_SUCCESS ? level_read(p, section, general_keys[1], true) : result;
}

/* Elements of an array one by one, any other value as it is. */
static doca_error_t values_read(struct argp_parser *p, struct doca_argp_param *param,
				const struct sdpu_json *at)
{
	doca_error_t result = DOCA_SUCCESS;
	struct sdpu_json_error err;

	if (!param->multiplicity || sdpu_json_need_array(at, &err) != DOCA_SUCCESS)
		return argp_value_add_json(p, param, at);
	for (size_t i = 0; i < sdpu_json_length(at) && result == DOCA_SUCCESS; i++) {
		struct sdpu_json element = sdpu_json_element(at, i);

		result = argp_value_add_json(p, param, &element);
	}
	return result;
}

/* Names are looked for where the command line is: in a command, its flags may be in the file. */
static doca_error_t member_read(struct argp_parser *p, const struct sdpu_json *at)
{
	struct doca_argp_param *param = argp_find_param(p->scope, at->key, true);
	char where[ARGP_NAME_SIZE];

	if (!param && !p->pedantic)
		return DOCA_SUCCESS;
	if (!param || param->cli_only) {
		sdpu_json_path(at, where, sizeof(where));
		argp_err("%s: %s", where,
			 param ? "this flag is for the command line only"
			       : "unknown; a key is the long name of a flag, --help lists them");
		return DOCA_ERROR_INVALID_VALUE;
	}
	/* The tree cannot hold a key twice, and the command line may repeat what the file says. */
	param->given |= ARGP_GIVEN_JSON;
	return values_read(p, param, at);
}

static doca_error_t program_read(struct argp_parser *p, const struct sdpu_json *section)
{
	doca_error_t result;

	json_object_object_foreach(section->value, key, value)
	{
		struct sdpu_json member = {.value = value, .parent = section, .key = key};

		result = member_read(p, &member);
		if (result != DOCA_SUCCESS)
			return result;
	}
	return DOCA_SUCCESS;
}

/* A program that is none of DPDK's shares files with those that are. */
static doca_error_t dpdk_read(struct argp_parser *p, const struct sdpu_json *section)
{
	return p->dpdk_callback ? argp_dpdk_take_json(p, section) : DOCA_SUCCESS;
}

static doca_error_t
section_read(struct argp_parser *p, const struct sdpu_json *root, const char *name,
	     doca_error_t (*read)(struct argp_parser *p, const struct sdpu_json *section))
{
	struct sdpu_json_error err;
	struct sdpu_json section;

	if (!sdpu_json_member(root, name, &section))
		return DOCA_SUCCESS;
	if (sdpu_json_need_object(&section, &err) != DOCA_SUCCESS)
		return complain(&err);
	return read(p, &section);
}

/* General before program, so that the log level counts for the latter's messages. */
static doca_error_t sections_read(struct argp_parser *p, const struct sdpu_json *root)
{
	struct sdpu_json_error err;
	doca_error_t result;

	if (p->pedantic &&
	    sdpu_json_need_keys(root, sections, SDPU_ARRAY_SIZE(sections), &err) != DOCA_SUCCESS)
		return complain(&err);
	result = section_read(p, root, sections[0], dpdk_read);
	if (result == DOCA_SUCCESS)
		result = section_read(p, root, sections[1], general_read);
	if (result == DOCA_SUCCESS)
		result = section_read(p, root, sections[2], program_read);
	return result;
}

doca_error_t argp_read_json_file(struct argp_parser *p, const char *path)
{
	struct sdpu_json_error err;
	struct json_object *tree;
	struct sdpu_json root;
	doca_error_t result = sdpu_json_load(path, &tree, &err);

	if (result != DOCA_SUCCESS) {
		argp_err("-j/--json: %s", err.text);
		/* unreadable and unparsable are the same to a program: the file is of no use */
		return result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_IO_FAILED;
	}
	root = sdpu_json_root(tree, path);
	result = sections_read(p, &root);
	sdpu_json_free(tree);
	return result;
}
