/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clocks of a device, which are the system's under other names, and pairs of times of one moment.
 * Owner: the user, who keeps the device open; any thread, as nothing of an object changes. It has
 * no peer.
 */
#include <stdlib.h>

#include <doca_clock.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/dev.h"

#define NIC_CLOCKS                                                                                 \
	(DOCA_CLOCK_NIC_FREE_RUNNING | DOCA_CLOCK_NIC_REAL_TIME | DOCA_CLOCK_NIC_DPA_TIMER)
/* Pairs read at most; the one with the least time between the two readings counts. */
#define PAIR_TRIES 8

struct doca_clock {
	struct doca_dev *dev; /* held */
};

struct source {
	uint64_t type;
	clockid_t clock;
};

static const struct source sources[] = {
	{DOCA_CLOCK_NIC_FREE_RUNNING, CLOCK_MONOTONIC_RAW},
	{DOCA_CLOCK_NIC_REAL_TIME, CLOCK_REALTIME},
	{DOCA_CLOCK_NIC_DPA_TIMER, CLOCK_MONOTONIC}, /* that of __dpa_thread_time() */
	{DOCA_CLOCK_HOST_REAL_TIME, CLOCK_REALTIME},
	{DOCA_CLOCK_HOST_MONOTONIC, CLOCK_MONOTONIC},
	{DOCA_CLOCK_HOST_MONOTONIC_RAW, CLOCK_MONOTONIC_RAW},
};

doca_error_t doca_clock_create(const struct doca_dev *dev, struct doca_clock **clock)
{
	struct doca_clock *made;

	if (sdpu_any_null(__func__, dev, clock))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	made = malloc(sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	made->dev = (struct doca_dev *)(uintptr_t)dev;
	sdpu_dev_hold(made->dev);
	*clock = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_clock_destroy(struct doca_clock *clock)
{
	if (sdpu_any_null(__func__, clock))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	sdpu_dev_release(clock->dev);
	free(clock);
	return DOCA_SUCCESS;
}

static const struct source *source_find(uint64_t type)
{
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(sources); i++)
		if (sources[i].type == type)
			return &sources[i];
	return NULL;
}

static bool has_dpa(const struct sdpu_function *function)
{
	return function->limits->dpa_cores != 0;
}

static doca_error_t check_type(const struct doca_clock *clock, uint64_t type, const char *call)
{
	const struct sdpu_function *function = sdpu_dev_function(clock->dev);

	if (type != DOCA_CLOCK_HOST_COUNTER_CYCLES && source_find(type) == NULL) {
		sdpu_log_err("%s: 0x%llx is no clock; needed: one of the DOCA_CLOCK_* of "
			     "doca_clock.h",
			     call, (unsigned long long)type);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (type == DOCA_CLOCK_NIC_DPA_TIMER && !has_dpa(function)) {
		sdpu_log_err("%s: device %s has no DPA, and so no timer of it; needed: one for "
			     "which doca_clock_cap_nic_dpa_timer_is_supported() answers "
			     "DOCA_SUCCESS; the topology says dpa_cores 0",
			     call, function->pci);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return DOCA_SUCCESS;
}

static void source_read(uint64_t type, union doca_clock_timespec_t *time)
{
	const struct source *source = source_find(type);

	if (source == NULL)
		time->counter = sdpu_clock_cycles();
	else
		sdpu_clock_get(source->clock, &time->ts);
}

doca_error_t doca_clock_get_timestamp(const struct doca_clock *clock, uint64_t clock_type,
				      union doca_clock_timespec_t *clock_ts)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, clock, clock_ts))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_type(clock, clock_type, __func__);
	if (result == DOCA_SUCCESS)
		source_read(clock_type, clock_ts);
	return result;
}

struct pair {
	union doca_clock_timespec_t primary, nic;
	uint64_t apart; /* at most, in nanoseconds */
};

static void pair_read(uint64_t primary, uint64_t nic, struct pair *pair)
{
	uint64_t begin = sdpu_clock_now();

	source_read(primary, &pair->primary);
	source_read(nic, &pair->nic);
	/* Both times are rounded down, and a coarse clock may not have moved between them. */
	pair->apart = sdpu_clock_now() - begin + 1;
	if (primary != nic)
		return;
	pair->nic = pair->primary;
	pair->apart = 0;
}

doca_error_t doca_clock_get_crosstimestamp(const struct doca_clock *clock,
					   uint64_t primary_clock_type, uint64_t nic_clock_type,
					   union doca_clock_timespec_t *primary_clock_ts,
					   union doca_clock_timespec_t *nic_clock_ts,
					   uint64_t *error_margin_nsecs)
{
	struct pair best, pair;
	doca_error_t result;

	if (sdpu_any_null(__func__, clock, primary_clock_ts, nic_clock_ts, error_margin_nsecs))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_type(clock, primary_clock_type, __func__);
	if (result == DOCA_SUCCESS)
		result = check_type(clock, nic_clock_type, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	if ((nic_clock_type & NIC_CLOCKS) == 0) {
		sdpu_log_err("%s: nic_clock_type 0x%llx is a clock of the host; needed: one of the "
			     "DOCA_CLOCK_NIC_*; the host's goes first",
			     __func__, (unsigned long long)nic_clock_type);
		return DOCA_ERROR_INVALID_VALUE;
	}
	pair_read(primary_clock_type, nic_clock_type, &best);
	for (int i = 1; i < PAIR_TRIES && best.apart != 0; i++) {
		pair_read(primary_clock_type, nic_clock_type, &pair);
		if (pair.apart < best.apart)
			best = pair;
	}
	*primary_clock_ts = best.primary;
	*nic_clock_ts = best.nic;
	*error_margin_nsecs = best.apart;
	return DOCA_SUCCESS;
}

doca_error_t doca_clock_cap_nic_free_running_is_supported(const struct doca_devinfo *devinfo)
{
	return sdpu_any_null(__func__, devinfo) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

doca_error_t doca_clock_cap_nic_real_time_is_supported(const struct doca_devinfo *devinfo)
{
	return sdpu_any_null(__func__, devinfo) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

doca_error_t doca_clock_cap_nic_dpa_timer_is_supported(const struct doca_devinfo *devinfo)
{
	if (sdpu_any_null(__func__, devinfo))
		return DOCA_ERROR_INVALID_VALUE;
	return has_dpa(sdpu_devinfo_function(devinfo)) ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}
