/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of the bridge. */
#ifndef STORAGE_BRIDGE_OPTIONS_H
#define STORAGE_BRIDGE_OPTIONS_H

#include "options.h"

#include <netinet/in.h>

struct bridge_options {
	struct options_common common; /* first: see options.h */
	char representor[OPTIONS_NAME_SIZE];
	char channel_name[OPTIONS_NAME_SIZE];
	char storage_server_text[OPTIONS_NAME_SIZE];
	struct sockaddr_in storage_server;
};

void bridge_options_init(struct bridge_options *options);
doca_error_t bridge_options_register(void);

/* common: that of the options. Returns the number of faults, prints a line for each to out. */
unsigned int bridge_options_check(const struct options_common *common, FILE *out);

void bridge_options_print(const struct options_common *common);

/*
 * Takes "a.b.c.d:port" apart. DOCA_ERROR_INVALID_VALUE for anything else: other characters, octets
 * beyond 255, port 0 or beyond 65535.
 */
doca_error_t bridge_parse_storage_server(const char *text, struct sockaddr_in *server);

#endif
