/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Server names in the runtime directory: one claim per (represented host function, name), which
 * tells the endpoint of the process where the server lives. Freed at once when the server stops or
 * its process dies.
 */
#ifndef SDPU_COMCH_NAME_H
#define SDPU_COMCH_NAME_H

#include <stddef.h>

#include <doca_error.h>

#include "bus/agent.h"
#include "bus/rundir.h"

/* ALREADY_EXIST: another living server has it (logged). Requires a running agent. */
doca_error_t comch_name_claim(const char *dev_pci, const char *host_pci, const char *name,
			      struct sdpu_claim **claim);
/* NOT_FOUND: nobody serves that name for this host function. */
doca_error_t comch_name_find(const char *host_pci, const char *name,
			     char endpoint[SDPU_ENDPOINT_MAX]);
/* "\"a\" for 0000:3b:00.0, ...": servers that there are, for the message of a failed connect. */
void comch_name_list(char *text, size_t size);

#endif
