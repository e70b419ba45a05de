/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_clock.h
 * Clocks of the host and of a device, and pairs of times taken at one moment.
 *
 * A device has no clock of its own here: DOCA_CLOCK_NIC_FREE_RUNNING is the system's
 * CLOCK_MONOTONIC_RAW, DOCA_CLOCK_NIC_REAL_TIME its CLOCK_REALTIME, and DOCA_CLOCK_NIC_DPA_TIMER
 * its CLOCK_MONOTONIC, in which __dpa_thread_time() counts microseconds. So all devices of a
 * machine agree, and with the host.
 *
 * Threads: any. Outputs are written only on success.
 */
#ifndef DOCA_CLOCK_H_
#define DOCA_CLOCK_H_

#include <time.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_clock;
struct doca_dev;
struct doca_devinfo;

/** Clocks of the device: time since it began to count, time of day, and the timer of the DPA. */
#define DOCA_CLOCK_NIC_FREE_RUNNING (1 << 0)
#define DOCA_CLOCK_NIC_REAL_TIME (1 << 1)
#define DOCA_CLOCK_NIC_DPA_TIMER (1 << 8)

/** Clocks of the host: processor cycles, and three of the operating system. */
#define DOCA_CLOCK_HOST_COUNTER_CYCLES (1 << 16)
#define DOCA_CLOCK_HOST_REAL_TIME (1 << 17)
#define DOCA_CLOCK_HOST_MONOTONIC (1 << 18)
#define DOCA_CLOCK_HOST_MONOTONIC_RAW (1 << 19)

/** A time. */
union doca_clock_timespec_t {
	struct timespec ts; /**< Seconds and nanoseconds, for all clocks but one. */
	uint64_t counter;   /**< Cycles, for DOCA_CLOCK_HOST_COUNTER_CYCLES. */
};

/**
 * Create a clock object.
 *
 * @param dev the device, which cannot be closed while the object exists
 * @param[out] clock the object, owned by the caller until doca_clock_destroy()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_create(const struct doca_dev *dev, struct doca_clock **clock);

/**
 * Destroy a clock object.
 *
 * @param clock the object, which must not be used any more
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: clock is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_destroy(struct doca_clock *clock);

/**
 * Read one clock.
 *
 * @param clock the object
 * @param clock_type one of the clocks above
 * @param[out] clock_ts its time
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or there is no such clock
 * @return DOCA_ERROR_NOT_SUPPORTED: DOCA_CLOCK_NIC_DPA_TIMER, and the device has no DPA
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_get_timestamp(const struct doca_clock *clock, uint64_t clock_type,
				      union doca_clock_timespec_t *clock_ts);

/**
 * Read a clock of the host or the device and one of the device at the same moment, or as near as a
 * few attempts get.
 *
 * @param clock the object
 * @param primary_clock_type one of the clocks above
 * @param nic_clock_type one of those of the device
 * @param[out] primary_clock_ts time of the first
 * @param[out] nic_clock_ts time of the second
 * @param[out] error_margin_nsecs how far apart the readings may be, in nanoseconds; 0 when exact
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, there is no such clock, or nic_clock_type is
 * one of the host
 * @return DOCA_ERROR_NOT_SUPPORTED: DOCA_CLOCK_NIC_DPA_TIMER, and the device has no DPA
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_get_crosstimestamp(const struct doca_clock *clock,
					   uint64_t primary_clock_type, uint64_t nic_clock_type,
					   union doca_clock_timespec_t *primary_clock_ts,
					   union doca_clock_timespec_t *nic_clock_ts,
					   uint64_t *error_margin_nsecs);

/**
 * Whether a device has DOCA_CLOCK_NIC_FREE_RUNNING.
 *
 * @param devinfo the device
 * @return DOCA_SUCCESS: it has
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it has not
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_free_running_is_supported(const struct doca_devinfo *devinfo);

/**
 * Whether a device has DOCA_CLOCK_NIC_REAL_TIME.
 *
 * @param devinfo the device
 * @return DOCA_SUCCESS: it has
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it has not
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_real_time_is_supported(const struct doca_devinfo *devinfo);

/**
 * Whether a device has DOCA_CLOCK_NIC_DPA_TIMER.
 *
 * @param devinfo the device
 * @return DOCA_SUCCESS: it has
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it has not
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_dpa_timer_is_supported(const struct doca_devinfo *devinfo);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CLOCK_H_ */
