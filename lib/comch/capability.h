/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which device may run what.
 */
#ifndef SDPU_COMCH_CAPABILITY_H
#define SDPU_COMCH_CAPABILITY_H

#include <doca_comch.h>

#include "base/refuse.h"
#include "core/dev.h"

/* NOT_SUPPORTED on the wrong side, logged with the devices that would do. */
doca_error_t comch_server_supported(const struct doca_dev *dev);
doca_error_t comch_client_supported(const struct doca_dev *dev);

/* Defines a capability call that writes one number, which may use `limits` of the device, through
 * its parameter `name`. A NULL is reported under the name that the header gives it. */
#define COMCH_CAPABILITY(call, name, value)                                                        \
	doca_error_t call(const struct doca_devinfo *devinfo, uint32_t *name)                      \
	{                                                                                          \
		const struct sdpu_limits *limits;                                                  \
                                                                                                   \
		if (sdpu_any_null(__func__, devinfo, name))                                        \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		limits = sdpu_devinfo_function(devinfo)->limits;                                   \
		(void)limits;                                                                      \
		*name = (value);                                                                   \
		return DOCA_SUCCESS;                                                               \
	}

#endif
