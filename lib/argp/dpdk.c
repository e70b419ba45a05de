/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arguments for DPDK, collected in the first pass as an argv of its own and handed over, in one
 * call, at the start of the second. DPDK keeps pointers into it, so the strings live until the
 * parser is destroyed. They come before a lone "--", or from the section of a JSON file. Without
 * "--" the arguments are all DPDK's, unless one asks for the help, the version or a JSON file.
 */
#include "argp/argp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The array ends in NULL at any time, as argv does. */
static doca_error_t eal_add(struct argp_parser *p, const char *text, size_t len)
{
	char **grown = realloc(p->eal_argv, ((size_t)p->eal_argc + 2) * sizeof(*grown));

	if (grown)
		p->eal_argv = grown;
	if (grown)
		grown[p->eal_argc] = strndup(text, len);
	if (!grown || !grown[p->eal_argc]) {
		argp_err("out of memory for the arguments of DPDK");
		return DOCA_ERROR_NO_MEMORY;
	}
	grown[++p->eal_argc] = NULL;
	return DOCA_SUCCESS;
}

static doca_error_t eal_add_pair(struct argp_parser *p, const char *flag, const char *value)
{
	doca_error_t result = eal_add(p, flag, strlen(flag));

	return result == DOCA_SUCCESS ? eal_add(p, value, strlen(value)) : result;
}

void argp_dpdk_free(struct argp_parser *p)
{
	for (int i = 0; i < p->eal_argc; i++)
		free(p->eal_argv[i]);
	free(p->eal_argv);
}

static bool is_one_of(const char *text, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(text, *list) == 0)
			return true;
	return false;
}

/* Index of the lone "--"; argc when there is none and all is DPDK's, 0 when nothing is. */
static int eal_end(int argc, char **argv)
{
	static const char *const ours[] = {"-h", "--help", "-v", "--version", "-j", "--json", NULL};
	int end = argc;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0)
			return i;
		if (is_one_of(argv[i], ours))
			end = 0;
	}
	return end;
}

doca_error_t argp_dpdk_take_argv(struct argp_parser *p, int argc, char **argv, int *first)
{
	int end = eal_end(argc, argv);
	doca_error_t result = eal_add(p, argv[0], strlen(argv[0]));

	for (int i = 1; i < end && result == DOCA_SUCCESS; i++)
		result = eal_add(p, argv[i], strlen(argv[i]));
	*first = end + 1;
	return result;
}

static doca_error_t complain(const struct sdpu_json_error *err)
{
	argp_err("%s", err->text);
	return DOCA_ERROR_INVALID_VALUE;
}

/* A member that is text, as value of a flag. An empty text counts as absent. */
static doca_error_t text_take(struct argp_parser *p, const struct sdpu_json *section,
			      const char *key, const char *flag)
{
	struct sdpu_json_error err;
	struct sdpu_json at;
	const char *text;

	if (!sdpu_json_member(section, key, &at))
		return DOCA_SUCCESS;
	if (sdpu_json_get_string(&at, &text, &err) != DOCA_SUCCESS)
		return complain(&err);
	return *text ? eal_add_pair(p, flag, text) : DOCA_SUCCESS;
}

/* Free text: words between blanks. */
static doca_error_t flags_take(struct argp_parser *p, const struct sdpu_json *section)
{
	doca_error_t result = DOCA_SUCCESS;
	struct sdpu_json_error err;
	struct sdpu_json at;
	const char *text;

	if (!sdpu_json_member(section, "flags", &at))
		return DOCA_SUCCESS;
	if (sdpu_json_get_string(&at, &text, &err) != DOCA_SUCCESS)
		return complain(&err);
	while (result == DOCA_SUCCESS) {
		size_t len;

		text += strspn(text, " \t\r\n");
		len = strcspn(text, " \t\r\n");
		if (len == 0)
			break;
		result = eal_add(p, text, len);
		text += len;
	}
	return result;
}

/* One device being written; bounded, since a command line is read by people, too. */
struct device_text {
	char text[512];
	size_t used;
};

static void device_put(struct device_text *out, const char *fmt, ...) sdpu_printf_like(2, 3);
static void device_put(struct device_text *out, const char *fmt, ...)
{
	size_t room = sizeof(out->text) - out->used;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(out->text + out->used, room, fmt, ap);
	va_end(ap);
	/* what does not fit leaves the end of the buffer as mark, see device_take() */
	out->used += n >= 0 && (size_t)n < room ? (size_t)n : room - 1;
}

/* Two arguments of the driver have names of their own in these files. */
static void device_put_member(struct device_text *out, const char *key, struct json_object *value)
{
	bool is_flag = json_object_is_type(value, json_type_boolean);
	bool on = json_object_get_boolean(value);

	if (is_flag && strcmp(key, "hws") == 0)
		device_put(out, "%s", on ? ",dv_flow_en=2" : "");
	else if (is_flag && strcmp(key, "sft") == 0)
		device_put(out, "%s", on ? ",sft_en=1" : "");
	else if (is_flag)
		device_put(out, ",%s=%d", key, on);
	else
		device_put(out, ",%s=%s", key, json_object_get_string(value));
}

/* One of the two members that a device cannot do without. */
static doca_error_t device_member(const struct sdpu_json *device, const char *key,
				  const char **text)
{
	struct sdpu_json_error err;
	struct sdpu_json at;

	if (sdpu_json_need_object(device, &err) != DOCA_SUCCESS)
		return complain(&err);
	if (!sdpu_json_member(device, key, &at)) {
		sdpu_json_refuse(device, &err, "an object with \"device\" and \"id\"");
		return complain(&err);
	}
	if (sdpu_json_get_string(&at, text, &err) != DOCA_SUCCESS)
		return complain(&err);
	return DOCA_SUCCESS;
}

/* {"device": "pf", "id": "03:00.0", ...} as "-a 03:00.0,..." */
static doca_error_t device_take(struct argp_parser *p, const struct sdpu_json *device)
{
	struct device_text out = {.used = 0};
	struct sdpu_json_error err;
	const char *kind, *id;

	if (device_member(device, "device", &kind) != DOCA_SUCCESS ||
	    device_member(device, "id", &id) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	device_put(&out, "%s%s", strcmp(kind, "sf") == 0 ? "auxiliary:mlx5_core.sf." : "", id);
	json_object_object_foreach(device->value, key, value)
	{
		if (strcmp(key, "device") != 0 && strcmp(key, "id") != 0)
			device_put_member(&out, key, value);
	}
	if (out.used == sizeof(out.text) - 1) {
		sdpu_json_refuse(device, &err, "a device that takes less than 511 characters");
		return complain(&err);
	}
	return eal_add_pair(p, "-a", out.text);
}

static doca_error_t devices_take(struct argp_parser *p, const struct sdpu_json *section)
{
	doca_error_t result = DOCA_SUCCESS;
	struct sdpu_json_error err;
	struct sdpu_json devices;

	if (!sdpu_json_member(section, "devices", &devices))
		return DOCA_SUCCESS;
	if (sdpu_json_need_array(&devices, &err) != DOCA_SUCCESS)
		return complain(&err);
	for (size_t i = 0; i < sdpu_json_length(&devices) && result == DOCA_SUCCESS; i++) {
		struct sdpu_json device = sdpu_json_element(&devices, i);

		result = device_take(p, &device);
	}
	return result;
}

/* Behind what the command line had, so that the file may add to it. */
doca_error_t argp_dpdk_take_json(struct argp_parser *p, const struct sdpu_json *section)
{
	static const char *const known[] = {"devices", "core-list", "core-mask", "flags"};
	struct sdpu_json_error err;
	doca_error_t result;

	if (p->pedantic &&
	    sdpu_json_need_keys(section, known, SDPU_ARRAY_SIZE(known), &err) != DOCA_SUCCESS)
		return complain(&err);
	result = devices_take(p, section);
	if (result == DOCA_SUCCESS)
		result = text_take(p, section, "core-list", "-l");
	if (result == DOCA_SUCCESS)
		result = text_take(p, section, "core-mask", "-c");
	if (result == DOCA_SUCCESS)
		result = flags_take(p, section);
	return result;
}
