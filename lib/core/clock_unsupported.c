/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clocks of a device.
 */
#include <doca_clock.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_clock_create,
	(const struct doca_dev *dev, struct doca_clock **clock), dev && clock)
SDPU_UNSUPPORTED(doca_clock_destroy, (struct doca_clock *clock), clock)
SDPU_UNSUPPORTED(doca_clock_get_timestamp,
	(const struct doca_clock *clock, uint64_t clock_type,
	 union doca_clock_timespec_t *clock_ts), clock && clock_ts)
SDPU_UNSUPPORTED(doca_clock_get_crosstimestamp,
	(const struct doca_clock *clock, uint64_t primary_clock_type, uint64_t nic_clock_type,
	 union doca_clock_timespec_t *primary_clock_ts, union doca_clock_timespec_t *nic_clock_ts,
	 uint64_t *error_margin_nsecs),
	clock && primary_clock_ts && nic_clock_ts && error_margin_nsecs)
SDPU_UNSUPPORTED_CAP(doca_clock_cap_nic_free_running_is_supported)
SDPU_UNSUPPORTED_CAP(doca_clock_cap_nic_real_time_is_supported)
SDPU_UNSUPPORTED_CAP(doca_clock_cap_nic_dpa_timer_is_supported)
/* clang-format on */
