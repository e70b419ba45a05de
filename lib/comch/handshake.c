/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks of the first records; what to do with them is in server_accept.c and client.c.
 */
#include "comch/handshake.h"

#include <string.h>

doca_error_t comch_hello_parse(const struct sdpu_record *record, struct comch_hello *hello)
{
	if (record->len != sizeof(*hello) || record->num_fds != COMCH_HELLO_FDS)
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(hello, record->bytes, sizeof(*hello));
	if (memchr(hello->host_pci, '\0', sizeof(hello->host_pci)) == NULL ||
	    memchr(hello->name, '\0', sizeof(hello->name)) == NULL || hello->bit >= SDPU_READY_BITS)
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

doca_error_t comch_welcome_parse(const struct sdpu_record *record, struct comch_welcome *welcome)
{
	if (record->len != sizeof(*welcome))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(welcome, record->bytes, sizeof(*welcome));
	if (welcome->result == DOCA_SUCCESS &&
	    (record->num_fds != COMCH_WELCOME_FDS || welcome->bit >= SDPU_READY_BITS))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}
