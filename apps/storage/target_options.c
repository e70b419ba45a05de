/* SPDX-License-Identifier: BSD-3-Clause */
#include "target_options.h"

#include <doca_log.h>

#include <string.h>

DOCA_LOG_REGISTER(STORAGE::TARGET_OPTIONS);

#define PORT_MAX 65535

void target_options_init(struct target_options *options)
{
	memset(options, 0, sizeof(*options));
	options_common_init(&options->common);
}

static doca_error_t target_take_listen_port(void *param, void *config)
{
	struct target_options *options = config;
	const int port = *(const int *)param;

	if (port < 1 || port > PORT_MAX) {
		DOCA_LOG_ERR("--listen-port takes a number from 1 to %d, not %d", PORT_MAX, port);
		return DOCA_ERROR_INVALID_VALUE;
	}
	options->listen_port = (uint16_t)port;
	return DOCA_SUCCESS;
}

static doca_error_t target_take_storage_file(void *param, void *config)
{
	struct target_options *options = config;

	return options_keep_text(options->storage_file, sizeof(options->storage_file),
				 "storage-file", param);
}

static const struct option target_option_list[] = {
	{NULL, "listen-port", "<port>", "TCP port for the bridge, 1 to 65535 (required)",
	 DOCA_ARGP_TYPE_INT, target_take_listen_port, true, false},
	{NULL, "storage-file", "<path>",
	 "Keep the storage in this file, made or grown as needed (default: plain memory)",
	 DOCA_ARGP_TYPE_STRING, target_take_storage_file, false, false},
};

doca_error_t target_options_register(void)
{
	return options_register(target_option_list,
				sizeof(target_option_list) / sizeof(target_option_list[0]));
}

unsigned int target_options_check(const struct options_common *common, FILE *out)
{
	return options_common_check(common, out);
}

void target_options_print(const struct options_common *common)
{
	const struct target_options *options = (const struct target_options *)common;

	options_print_begin(common);
	printf("\tlisten_port : %u,\n", options->listen_port);
	if (options->storage_file[0] != '\0')
		printf("\tstorage_file : \"%s\",\n", options->storage_file);
	options_print_end(common);
}
