/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which device may run what.
 */
#ifndef SDPU_COMCH_CAPABILITY_H
#define SDPU_COMCH_CAPABILITY_H

#include <doca_comch.h>

/* NOT_SUPPORTED on the wrong side, logged with the devices that would do. */
doca_error_t comch_server_supported(const struct doca_dev *dev);
doca_error_t comch_client_supported(const struct doca_dev *dev);

#endif
