/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clocks: each is one of the system's, and pairs are as near as they say. Times are only ever
 * compared with others that were taken before or after them.
 */
#include <time.h>

#include <doca_clock.h>

#include "core/kit.h"
#include "t.h"

static const struct {
	uint64_t type;
	clockid_t clock;
} all[] = {
	{DOCA_CLOCK_NIC_FREE_RUNNING, CLOCK_MONOTONIC_RAW},
	{DOCA_CLOCK_NIC_REAL_TIME, CLOCK_REALTIME},
	{DOCA_CLOCK_NIC_DPA_TIMER, CLOCK_MONOTONIC},
	{DOCA_CLOCK_HOST_REAL_TIME, CLOCK_REALTIME},
	{DOCA_CLOCK_HOST_MONOTONIC, CLOCK_MONOTONIC},
	{DOCA_CLOCK_HOST_MONOTONIC_RAW, CLOCK_MONOTONIC_RAW},
};
#define NUM_ALL (sizeof(all) / sizeof(all[0]))
#define NUM_NIC 3

static struct doca_dev *dev;
static struct doca_clock *clock_;

static void rig_open(const char *pci)
{
	dev = kit_open(pci);
	T_OK(doca_clock_create(dev, &clock_));
}

static void rig_close(void)
{
	T_OK(doca_clock_destroy(clock_));
	T_OK(doca_dev_close(dev));
}

static int64_t in_ns(const struct timespec *ts)
{
	return (int64_t)ts->tv_sec * 1000000000 + ts->tv_nsec;
}

static int64_t system_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return in_ns(&ts);
}

T_CASE(each_is_a_clock_of_the_system)
{
	union doca_clock_timespec_t time;
	int64_t before, after;

	rig_open(KIT_HOST);
	for (size_t i = 0; i < NUM_ALL; i++) {
		before = system_ns(all[i].clock);
		T_OK(doca_clock_get_timestamp(clock_, all[i].type, &time));
		after = system_ns(all[i].clock);
		T_CHECK(before <= in_ns(&time.ts) && in_ns(&time.ts) <= after);
	}
	rig_close();
}

T_CASE(cycles_go_on)
{
	union doca_clock_timespec_t first, time;
	uint64_t margin;

	rig_open(KIT_DPU);
	T_OK(doca_clock_get_timestamp(clock_, DOCA_CLOCK_HOST_COUNTER_CYCLES, &first));
	do
		T_OK(doca_clock_get_timestamp(clock_, DOCA_CLOCK_HOST_COUNTER_CYCLES, &time));
	while (time.counter == first.counter);
	T_CHECK(time.counter > first.counter);
	T_OK(doca_clock_get_crosstimestamp(clock_, DOCA_CLOCK_HOST_COUNTER_CYCLES,
					   DOCA_CLOCK_NIC_FREE_RUNNING, &first, &time, &margin));
	T_CHECK(first.counter != 0 && time.ts.tv_nsec < 1000000000);
	rig_close();
}

/* Two looks at one clock differ by no more than the margin, but for how it is being adjusted. */
static void check_margin(const union doca_clock_timespec_t *primary,
			 const union doca_clock_timespec_t *nic, uint64_t margin)
{
	int64_t apart = in_ns(&nic->ts) - in_ns(&primary->ts);

	T_CHECK(apart >= 0 && (uint64_t)apart <= margin + margin / 1000 + 1);
}

T_CASE(pairs_are_as_near_as_they_say)
{
	union doca_clock_timespec_t primary, nic;
	uint64_t margin;

	rig_open(KIT_DPU);
	for (size_t i = 0; i < NUM_ALL; i++) {
		for (size_t k = 0; k < NUM_NIC; k++) {
			T_OK(doca_clock_get_crosstimestamp(clock_, all[i].type, all[k].type,
							   &primary, &nic, &margin));
			T_EQ(margin == 0, i == k);
			if (all[i].clock == all[k].clock)
				check_margin(&primary, &nic, margin);
		}
	}
	rig_close();
}

T_CASE(what_is_no_clock_is_refused)
{
	union doca_clock_timespec_t time = {.counter = 7}, nic = {.counter = 7};
	uint64_t margin = 7;

	rig_open(KIT_DPU);
	T_ERR(doca_clock_get_timestamp(clock_, 0, &time), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_clock_get_timestamp(clock_, 3, &time), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_clock_get_crosstimestamp(clock_, 1 << 2, DOCA_CLOCK_NIC_REAL_TIME, &time, &nic,
					    &margin),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_clock_get_crosstimestamp(clock_, DOCA_CLOCK_HOST_REAL_TIME,
					    DOCA_CLOCK_HOST_MONOTONIC, &time, &nic, &margin),
	      DOCA_ERROR_INVALID_VALUE);
	T_EQ(time.counter, 7);
	T_EQ(nic.counter, 7);
	T_EQ(margin, 7);
	rig_close();
}

T_CASE(a_device_without_a_dpa_has_no_timer_of_it)
{
	union doca_clock_timespec_t time;
	struct doca_devinfo *info;

	kit_topology("{\"limits\": {\"dpa_cores\": 0}}");
	rig_open(KIT_DPU);
	info = doca_dev_as_devinfo(dev);
	T_OK(doca_clock_cap_nic_free_running_is_supported(info));
	T_OK(doca_clock_cap_nic_real_time_is_supported(info));
	T_ERR(doca_clock_cap_nic_dpa_timer_is_supported(info), DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_clock_get_timestamp(clock_, DOCA_CLOCK_NIC_DPA_TIMER, &time),
	      DOCA_ERROR_NOT_SUPPORTED);
	T_OK(doca_clock_get_timestamp(clock_, DOCA_CLOCK_NIC_REAL_TIME, &time));
	rig_close();
}

T_CASE(every_device_has_all_three)
{
	static const char *const pci[] = {KIT_DPU, KIT_HOST};

	for (size_t i = 0; i < 2; i++) {
		rig_open(pci[i]);
		T_OK(doca_clock_cap_nic_free_running_is_supported(doca_dev_as_devinfo(dev)));
		T_OK(doca_clock_cap_nic_real_time_is_supported(doca_dev_as_devinfo(dev)));
		T_OK(doca_clock_cap_nic_dpa_timer_is_supported(doca_dev_as_devinfo(dev)));
		rig_close();
	}
}

T_CASE(its_device_stays_open)
{
	rig_open(KIT_DPU);
	T_ERR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	rig_close();
}

static void use_in_child(void)
{
	struct doca_clock *made = NULL;

	T_ERR(doca_clock_create(dev, &made), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_clock_destroy(clock_), DOCA_ERROR_BAD_STATE);
}

T_CASE(a_forked_child_is_inert)
{
	rig_open(KIT_DPU);
	kit_in_child(use_in_child);
	rig_close();
}
