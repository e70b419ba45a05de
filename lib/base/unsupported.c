/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/unsupported.h"

#include "base/log.h"

doca_error_t sdpu_unsupported(const char *name, bool complete)
{
	if (!complete) {
		sdpu_log_err("%s: a pointer is NULL; this call needs all of them", name);
		return DOCA_ERROR_INVALID_VALUE;
	}
	sdpu_log_err("%s: not part of this release; docs/fidelity.md lists what is", name);
	return DOCA_ERROR_NOT_SUPPORTED;
}
