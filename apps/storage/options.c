/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include "worker.h"

#include <doca_log.h>

#include <stdarg.h>
#include <string.h>

DOCA_LOG_REGISTER(STORAGE::OPTIONS);

void options_common_init(struct options_common *common)
{
	memset(common, 0, sizeof(*common));
	common->control_timeout = OPTIONS_CONTROL_TIMEOUT_DEFAULT;
}

doca_error_t options_keep_text(char *to, size_t size, const char *name, const char *text)
{
	if (text[0] == '\0' || strlen(text) >= size) {
		DOCA_LOG_ERR("--%s takes a text of 1 to %zu characters", name, size - 1);
		return DOCA_ERROR_INVALID_VALUE;
	}
	strcpy(to, text);
	return DOCA_SUCCESS;
}

static doca_error_t options_take_device(void *param, void *config)
{
	struct options_common *common = config;

	return options_keep_text(common->device, sizeof(common->device), "device", param);
}

static doca_error_t options_take_cpu(void *param, void *config)
{
	struct options_common *common = config;

	if (common->num_cpus == OPTIONS_CPU_MAX) {
		DOCA_LOG_ERR("--cpu was given more than %d times", OPTIONS_CPU_MAX);
		return DOCA_ERROR_INVALID_VALUE;
	}
	common->cpus[common->num_cpus++] = *(const int *)param;
	return DOCA_SUCCESS;
}

static doca_error_t options_take_control_timeout(void *param, void *config)
{
	struct options_common *common = config;

	common->control_timeout = *(const int *)param;
	return DOCA_SUCCESS;
}

static doca_error_t options_take_stats_json(void *param, void *config)
{
	struct options_common *common = config;

	return options_keep_text(common->stats_json, sizeof(common->stats_json), "stats-json",
				 param);
}

static const struct option options_common_list[] = {
	{
		.short_name = "d",
		.long_name = "device",
		.argument = "<device>",
		.description =
			"Device, by PCI address, IB name or network interface name (required)",
		.type = DOCA_ARGP_TYPE_STRING,
		.callback = options_take_device,
		.mandatory = true,
	},
	{
		.long_name = "cpu",
		.argument = "<index>",
		.description = "CPU of a data path thread, once for each; give the same "
			       "number of them to initiator, bridge and target (required)",
		.type = DOCA_ARGP_TYPE_INT,
		.callback = options_take_cpu,
		.mandatory = true,
		.multiple = true,
	},
	{
		.long_name = "control-timeout",
		.argument = "<seconds>",
		.description = "Longest wait for an answer of a peer (default 10)",
		.type = DOCA_ARGP_TYPE_INT,
		.callback = options_take_control_timeout,
	},
	{
		.long_name = "stats-json",
		.argument = "<path>",
		.description = "Write the outcome and the statistics to this file as JSON",
		.type = DOCA_ARGP_TYPE_STRING,
		.callback = options_take_stats_json,
	},
};

static doca_error_t options_register_one(const struct option *option)
{
	struct doca_argp_param *param;
	doca_error_t result;

	result = doca_argp_param_create(&param);
	if (result != DOCA_SUCCESS)
		return result;
	if (option->short_name != NULL)
		doca_argp_param_set_short_name(param, option->short_name);
	doca_argp_param_set_long_name(param, option->long_name);
	if (option->argument != NULL)
		doca_argp_param_set_arguments(param, option->argument);
	doca_argp_param_set_description(param, option->description);
	doca_argp_param_set_type(param, option->type);
	doca_argp_param_set_callback(param, option->callback);
	if (option->mandatory)
		doca_argp_param_set_mandatory(param);
	if (option->multiple)
		doca_argp_param_set_multiplicity(param);
	return doca_argp_register_param(param);
}

static doca_error_t options_register_list(const struct option *options, size_t count)
{
	doca_error_t result = DOCA_SUCCESS;
	size_t i;

	for (i = 0; i < count && result == DOCA_SUCCESS; i++)
		result = options_register_one(&options[i]);
	return result;
}

doca_error_t options_register(const struct option *options, size_t count)
{
	doca_error_t result;

	result = options_register_list(options_common_list, sizeof(options_common_list) /
								    sizeof(options_common_list[0]));
	if (result == DOCA_SUCCESS)
		result = options_register_list(options, count);
	return result;
}

unsigned int options_fault(FILE *out, const char *format, ...)
{
	va_list args;

	fputs("Invalid configuration: ", out);
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	fputc('\n', out);
	return 1;
}

/* Pinning happens late, so a CPU that cannot be had is found out by a trial at the start. */
unsigned int options_common_check(const struct options_common *common, FILE *out)
{
	unsigned int faults = 0;
	uint32_t i;

	for (i = 0; i < common->num_cpus; i++)
		if (common->cpus[i] < 0 || !worker_cpu_is_usable((uint32_t)common->cpus[i]))
			faults += options_fault(out, "cpu %d does not exist or may not be used",
						common->cpus[i]);
	if (common->control_timeout <= 0)
		faults += options_fault(out, "control-timeout must be at least 1, not %d",
					common->control_timeout);
	return faults;
}

void options_print_begin(const struct options_common *common)
{
	uint32_t i;

	printf("configuration: {\n\tcpu_set : [");
	for (i = 0; i < common->num_cpus; i++)
		printf("%s%d", i == 0 ? "" : ", ", common->cpus[i]);
	printf("]\n\tdevice : \"%s\",\n", common->device);
}

void options_print_end(const struct options_common *common)
{
	if (common->stats_json[0] != '\0')
		printf("\tstats_json : \"%s\",\n", common->stats_json);
	printf("}\n");
}
