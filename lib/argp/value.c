/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From what the user wrote to a value of the parameter's type. A value is made in the first pass
 * and belongs to p->values until the second takes it from there. Whatever is wrong with it is told
 * here, with the flag or the place in the file, what stands there, and what would be accepted.
 */
#include "argp/argp.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Takes a copy of *model; its text changes hands only on success. */
static doca_error_t value_append(struct argp_parser *p, const struct argp_value *model)
{
	struct argp_value *value = malloc(sizeof(*value));

	if (!value) {
		argp_err("out of memory for the arguments");
		return DOCA_ERROR_NO_MEMORY;
	}
	*value = *model;
	sdpu_list_append(&p->values, &value->link);
	return DOCA_SUCCESS;
}

void argp_value_free(struct argp_value *value)
{
	free(value->text);
	free(value);
}

void argp_values_free(struct argp_parser *p)
{
	struct sdpu_list *it;

	while ((it = sdpu_list_pop(&p->values)) != NULL)
		argp_value_free(sdpu_container_of(it, struct argp_value, link));
}

/* Text is copied: what a callback gets may be changed by it, and argv and tree are not ours. */
static doca_error_t text_append(struct argp_parser *p, struct doca_argp_param *param,
				const char *text)
{
	struct argp_value value = {.param = param, .text = strdup(text)};
	doca_error_t result;

	if (!value.text) {
		argp_err("out of memory for the arguments");
		return DOCA_ERROR_NO_MEMORY;
	}
	result = value_append(p, &value);
	if (result != DOCA_SUCCESS)
		free(value.text);
	return result;
}

/* Decimal, or hexadecimal when it says so. A leading 0 does not make a number octal. */
static bool int_parse(const char *text, int *number)
{
	const char *digits = text + (*text == '-' || *text == '+');
	int base = digits[0] == '0' && (digits[1] | 32) == 'x' ? 16 : 10;
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, base);
	if (end == text || *end || errno || value < INT_MIN || value > INT_MAX)
		return false;
	*number = (int)value;
	return true;
}

/* strtod() takes "nan" and "inf", which no program expects from its user. */
static bool double_parse(const char *text, double *real)
{
	char *end;

	*real = strtod(text, &end);
	return end != text && !*end && isfinite(*real);
}

/* Only behind an equals sign: on its own, presence means true. */
static bool bool_parse(const char *text, bool *flag)
{
	*flag = strcmp(text, "true") == 0;
	return *flag || strcmp(text, "false") == 0;
}

static doca_error_t text_refuse(const struct doca_argp_param *param, const char *text,
				const char *needed)
{
	char name[ARGP_NAME_SIZE];

	argp_param_name(param, name, sizeof(name));
	argp_err("%s: \"%s\" is given; needed: %s", name, text, needed);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t argp_value_add_flag(struct argp_parser *p, struct doca_argp_param *param, bool flag)
{
	struct argp_value value = {.param = param, .flag = flag};

	return value_append(p, &value);
}

doca_error_t argp_value_add_text(struct argp_parser *p, struct doca_argp_param *param,
				 const char *text)
{
	struct argp_value value = {.param = param};

	switch (param->type) {
	case ARGP_TYPE_INT:
		if (!int_parse(text, &value.number))
			return text_refuse(param, text,
					   "a whole number from -2147483648 to 2147483647");
		return value_append(p, &value);
	case ARGP_TYPE_DOUBLE:
		if (!double_parse(text, &value.real))
			return text_refuse(param, text, "a number");
		return value_append(p, &value);
	case ARGP_TYPE_BOOLEAN:
		if (!bool_parse(text, &value.flag))
			return text_refuse(param, text, "nothing, true or false");
		return value_append(p, &value);
	case ARGP_TYPE_JSON_OBJ:
		return text_refuse(param, text, "an object of a JSON file (-j)");
	default: /* text, and devices: opened in the second pass only, so as not to leak them */
		return text_append(p, param, text);
	}
}

/* The reading of one JSON value; what is wrong goes to *err. */
static doca_error_t json_read(const struct doca_argp_param *param, const struct sdpu_json *at,
			      struct argp_value *value, const char **text,
			      struct sdpu_json_error *err)
{
	doca_error_t result;
	int64_t number = 0;

	switch (param->type) {
	case ARGP_TYPE_INT:
		result = sdpu_json_get_int(at, INT_MIN, INT_MAX, &number, err);
		value->number = (int)number;
		return result;
	case ARGP_TYPE_DOUBLE:
		return sdpu_json_get_double(at, &value->real, err);
	case ARGP_TYPE_BOOLEAN:
		return sdpu_json_get_bool(at, &value->flag, err);
	case ARGP_TYPE_JSON_OBJ:
		/* belongs to the tree */
		*text = json_object_to_json_string(at->value);
		return sdpu_json_need_object(at, err);
	default:
		return sdpu_json_get_string(at, text, err);
	}
}

doca_error_t argp_value_add_json(struct argp_parser *p, struct doca_argp_param *param,
				 const struct sdpu_json *at)
{
	struct argp_value value = {.param = param};
	struct sdpu_json_error err;
	const char *text = NULL;

	if (json_read(param, at, &value, &text, &err) != DOCA_SUCCESS) {
		argp_err("%s", err.text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return text ? text_append(p, param, text) : value_append(p, &value);
}
