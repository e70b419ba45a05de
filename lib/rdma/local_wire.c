/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judging of records between two ends; what they mean is in local_wire.h.
 */
#include "rdma/local_wire.h"

#include <string.h>

doca_error_t local_hello_parse(const struct sdpu_record *record, struct local_hello *hello)
{
	if (record->len != sizeof(*hello))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(hello, record->bytes, sizeof(*hello));
	if (hello->kind == LOCAL_HELLO_WATCH && record->num_fds == 0)
		return DOCA_SUCCESS;
	if ((hello->kind == LOCAL_HELLO_CALL || hello->kind == LOCAL_HELLO_DIAL) &&
	    record->num_fds == LOCAL_CALL_FDS && hello->bit < SDPU_READY_BITS)
		return DOCA_SUCCESS;
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t local_welcome_parse(const struct sdpu_record *record, struct local_welcome *welcome)
{
	if (record->len != sizeof(*welcome))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(welcome, record->bytes, sizeof(*welcome));
	if (welcome->result != DOCA_SUCCESS)
		return DOCA_SUCCESS;
	return record->num_fds == LOCAL_WELCOME_FDS && welcome->bit < SDPU_READY_BITS &&
			       welcome->private_len <= LOCAL_PRIVATE_MAX
		       ? DOCA_SUCCESS
		       : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t local_mail_parse(const struct sdpu_record *record, struct local_mail *mail)
{
	if (record->len != sizeof(*mail) || record->num_fds == 0)
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(mail, record->bytes, sizeof(*mail));
	return mail->id < LOCAL_GRANTS ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}
