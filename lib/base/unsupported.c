/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/unsupported.h"

#include "base/log.h"

static doca_error_t incomplete(const char *name)
{
	sdpu_log_err("%s: a pointer is NULL; needed: all of them", name);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t sdpu_unsupported(const char *name, bool complete)
{
	if (!complete)
		return incomplete(name);
	sdpu_log_err("%s: not part of this release; needed: one of the calls that docs/fidelity.md "
		     "lists",
		     name);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t sdpu_off_data_path(const char *name, bool complete)
{
	if (!complete)
		return incomplete(name);
	sdpu_log_err("%s: the context is on the CPU data path; needed: a started one on the DPA's "
		     "or the GPU's, as only that has a handle",
		     name);
	return DOCA_ERROR_BAD_STATE;
}
