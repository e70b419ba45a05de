/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge_options.h"

#include <arpa/inet.h>
#include <doca_log.h>

#include <stdlib.h>
#include <string.h>

DOCA_LOG_REGISTER(STORAGE::BRIDGE_OPTIONS);

/* One more than "255.255.255.255:65535" has. */
#define SERVER_TEXT_MAX 22
#define PORT_MAX 65535

void bridge_options_init(struct bridge_options *options)
{
	memset(options, 0, sizeof(*options));
	options_common_init(&options->common);
	strcpy(options->channel_name, OPTIONS_CHANNEL_NAME_DEFAULT);
}

/* Digits only: strtoul() alone would take signs and white space. */
static bool bridge_parse_port(const char *text, uint16_t *port)
{
	unsigned long value;

	if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text))
		return false;
	value = strtoul(text, NULL, 10);
	*port = (uint16_t)value;
	return value >= 1 && value <= PORT_MAX;
}

doca_error_t bridge_parse_storage_server(const char *text, struct sockaddr_in *server)
{
	char address[SERVER_TEXT_MAX + 1] = "";
	struct sockaddr_in parsed = {.sin_family = AF_INET};
	uint16_t port;
	char *colon;

	if (strlen(text) > SERVER_TEXT_MAX)
		return DOCA_ERROR_INVALID_VALUE;
	strcpy(address, text);
	colon = strchr(address, ':');
	if (colon == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*colon = '\0';
	/* inet_pton() takes exactly four decimal octets and nothing around them. */
	if (inet_pton(AF_INET, address, &parsed.sin_addr) != 1 ||
	    !bridge_parse_port(colon + 1, &port))
		return DOCA_ERROR_INVALID_VALUE;
	parsed.sin_port = htons(port);
	*server = parsed;
	return DOCA_SUCCESS;
}

static doca_error_t bridge_take_representor(void *param, void *config)
{
	struct bridge_options *options = config;

	return options_keep_text(options->representor, sizeof(options->representor), "representor",
				 param);
}

static doca_error_t bridge_take_channel_name(void *param, void *config)
{
	struct bridge_options *options = config;

	return options_keep_text(options->channel_name, sizeof(options->channel_name),
				 "command-channel-name", param);
}

/* The published programs take a list and use its last member. */
static doca_error_t bridge_take_storage_server(void *param, void *config)
{
	struct bridge_options *options = config;

	if (bridge_parse_storage_server(param, &options->storage_server) != DOCA_SUCCESS) {
		DOCA_LOG_ERR("--storage-server takes <IPv4 address>:<port from 1 to 65535>, such "
			     "as 172.17.0.1:12345, not \"%s\"",
			     (const char *)param);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (options->storage_server_text[0] != '\0')
		DOCA_LOG_WARN("Ignoring --storage-server %s: %s comes later, and only the last "
			      "one is used",
			      options->storage_server_text, (const char *)param);
	return options_keep_text(options->storage_server_text, sizeof(options->storage_server_text),
				 "storage-server", param);
}

static const struct option bridge_option_list[] = {
	{"r", "representor", "<address>",
	 "PCI address, as the host sees it, of the function that the initiator uses (required)",
	 DOCA_ARGP_TYPE_STRING, bridge_take_representor, true, false},
	{NULL, "storage-server", "<address>:<port>",
	 "Address of the target's --listen-port; of several the last is used (required)",
	 DOCA_ARGP_TYPE_STRING, bridge_take_storage_server, true, true},
	{NULL, "command-channel-name", "<name>",
	 "Name of the comch server; several bridges on one device need several names "
	 "(default " OPTIONS_CHANNEL_NAME_DEFAULT ")",
	 DOCA_ARGP_TYPE_STRING, bridge_take_channel_name, false, false},
};

doca_error_t bridge_options_register(void)
{
	return options_register(bridge_option_list,
				sizeof(bridge_option_list) / sizeof(bridge_option_list[0]));
}

unsigned int bridge_options_check(const struct options_common *common, FILE *out)
{
	return options_common_check(common, out);
}

void bridge_options_print(const struct options_common *common)
{
	const struct bridge_options *options = (const struct bridge_options *)common;

	options_print_begin(common);
	printf("\trepresentor : \"%s\",\n", options->representor);
	printf("\tcommand_channel_name : \"%s\",\n", options->channel_name);
	printf("\tstorage_server : %s\n", options->storage_server_text);
	options_print_end(common);
}
