/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices, their lists and representors.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_clock.h>
#include <doca_dev.h>
#include <doca_mmap.h>

#include "misuse/misuse.h"

static struct doca_dev *host, *dpu;
static struct doca_devinfo **list;
static struct doca_devinfo_rep **reps;
static uint32_t num;

static void rig_open(void)
{
	host = kit_open(KIT_HOST);
	dpu = kit_open(KIT_DPU);
}

static void rig_close(void)
{
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

MISUSE_CASE(lists)
{
	struct doca_devinfo *first;

	MISUSE(INVALID_VALUE, doca_devinfo_destroy_list((struct doca_devinfo **)(void *)&num),
	       "is no list", "needed: what the create call gave");
	T_OK(doca_devinfo_create_list(&list, &num));
	first = list[0];
	list[0] = NULL;
	MISUSE(IN_USE, doca_devinfo_destroy_list(list), "the list was changed",
	       "hand it back as it was");
	list[0] = first;
	T_OK(doca_devinfo_destroy_list(list));
	setenv("SOFTDPU_DEVICES", "none", 1);
	MISUSE(NOT_FOUND, doca_devinfo_create_list(&list, &num), "no device is visible",
	       "needed: at least 1", "SOFTDPU_DEVICES");
}

MISUSE_CASE(questions)
{
	const struct doca_devinfo *info;
	uint8_t bytes[64], is_equal;
	uint32_t index;
	uint16_t lid;
	char text[8];

	kit_topology("{\"limits\": {}}");
	rig_open();
	info = doca_dev_as_devinfo(host);
	MISUSE(INVALID_VALUE, doca_devinfo_get_mac_addr(info, bytes, 5), "room for 5 bytes",
	       "needed: 6");
	MISUSE(INVALID_VALUE, doca_devinfo_get_iface_name(info, text, 8), "room for 8 bytes",
	       "needed:");
	MISUSE(INVALID_VALUE, doca_devinfo_get_ibdev_name(info, text, 8), "room for 8 bytes",
	       "needed:");
	QUIET(NOT_SUPPORTED, doca_devinfo_get_lid(info, &lid));
	QUIET(NOT_SUPPORTED, doca_devinfo_get_sf_index(info, &index));
	QUIET(INVALID_VALUE, doca_devinfo_is_equal_pci_addr(info, "mlx5_0", &is_equal));
	MISUSE(NOT_SUPPORTED, doca_dev_accelerate_resource_reclaim(host),
	       "not part of this release", "docs/fidelity.md");
	rig_close();
}

/* What is said to the first of two questions for one address, of which the second says nothing. */
static const char *device_is_missing(const char *pci, const char *again)
{
	static char said[1024];
	uint8_t is_equal;

	(void)kit_log();
	T_OK(doca_devinfo_is_equal_pci_addr(doca_dev_as_devinfo(host), pci, &is_equal));
	snprintf(said, sizeof(said), "%s", kit_log());
	T_OK(doca_devinfo_is_equal_pci_addr(doca_dev_as_devinfo(dpu), again, &is_equal));
	T_EQ(kit_log_lines(kit_log()), 0);
	return said;
}

static const char *representor_is_missing(const char *pci)
{
	static char said[1024];
	uint8_t is_equal;

	(void)kit_log();
	T_OK(doca_devinfo_rep_is_equal_pci_addr(reps[0], pci, &is_equal));
	snprintf(said, sizeof(said), "%s", kit_log());
	T_OK(doca_devinfo_rep_is_equal_pci_addr(reps[1], pci, &is_equal));
	T_EQ(kit_log_lines(kit_log()), 0);
	return said;
}

T_CASE(addresses_that_are_not_there_are_told_of_once)
{
	const char *said;

	rig_open();
	T_EQ(kit_log_lines(device_is_missing("03:00.0", "3b:00.0")), 0);
	said = device_is_missing("5E:00.0", "0000:5e:00.0");
	T_EQ(kit_log_lines(said), 1);
	T_CHECK(strstr(said, " doca_devinfo_is_equal_pci_addr: no device is 0000:5e:00.0; there "
			     "are: 0000:03:00.0 (mlx5_0, p0), ") != NULL);
	T_CHECK(strstr(said, "SOFTDPU_TOPOLOGY") != NULL);
	/* A name may be compared with names next; what is neither is told of. */
	T_ERR(doca_devinfo_is_equal_pci_addr(doca_dev_as_devinfo(host), "mlx5_0", &(uint8_t){0}),
	      DOCA_ERROR_INVALID_VALUE);
	T_EQ(kit_log_lines(kit_log()), 0);
	T_ERR(doca_devinfo_is_equal_pci_addr(doca_dev_as_devinfo(host), "mlx5_77", &(uint8_t){0}),
	      DOCA_ERROR_INVALID_VALUE);
	T_CHECK(strstr(kit_log(), "no device is mlx5_77; there are: 0000:03:00.0 ") != NULL);
	T_OK(doca_devinfo_rep_create_list(dpu, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
	T_EQ(kit_log_lines(representor_is_missing("b1:00.0")), 0);
	said = representor_is_missing("5e:00.0");
	T_EQ(kit_log_lines(said), 1);
	T_CHECK(strstr(said,
		       " doca_devinfo_rep_is_equal_pci_addr: no representor of device "
		       "0000:03:00.0 is 0000:5e:00.0; there are: 0000:3b:00.0 (pf0, ") != NULL);
	T_OK(doca_devinfo_rep_destroy_list(reps));
	rig_close();
}

MISUSE_CASE(objects_depend_on_it)
{
	struct doca_mmap *mmap;

	rig_open();
	T_OK(doca_mmap_create(&mmap));
	T_OK(doca_mmap_add_dev(mmap, host));
	MISUSE(IN_USE, doca_dev_close(host), "1 objects still depend on it", "destroy contexts");
	T_OK(doca_mmap_destroy(mmap));
	rig_close();
	MISUSE(INVALID_VALUE, doca_dev_close(host), "is no open device", "one doca_dev_close()");
}

MISUSE_CASE(representors)
{
	struct doca_dev_rep *rep;
	char text[8];

	rig_open();
	MISUSE(INVALID_VALUE, doca_devinfo_rep_create_list(dpu, 1 << 20, &reps, &num),
	       "unknown bits", "known are those of enum doca_devinfo_rep_filter");
	MISUSE(NOT_SUPPORTED,
	       doca_devinfo_rep_create_list(host, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num),
	       "0000:3b:00.0 is host side", "representors are on DPU devices", "0000:03:00.0");
	T_OK(doca_devinfo_rep_create_list(dpu, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
	MISUSE(INVALID_VALUE, doca_devinfo_rep_get_vuid(reps[0], text, 8), "room for 8 bytes",
	       "needed:");
	MISUSE(INVALID_VALUE, doca_devinfo_rep_get_iface_name(reps[0], text, 8), "room for 8 bytes",
	       "needed:");
	T_OK(doca_dev_rep_open(reps[0], &rep));
	MISUSE(IN_USE, doca_dev_close(dpu), "objects still depend on it", "representors first");
	T_OK(doca_dev_rep_close(rep));
	MISUSE(INVALID_VALUE, doca_dev_rep_close(rep), "is no open representor",
	       "was it closed before?");
	T_OK(doca_dev_close(dpu));
	MISUSE(NOT_CONNECTED, doca_dev_rep_open(reps[0], &rep), "its device was closed",
	       "keep it open");
	T_OK(doca_devinfo_rep_destroy_list(reps));
	MISUSE(INVALID_VALUE, doca_devinfo_rep_destroy_list(reps), "is no list",
	       "needed: what the create call gave");
	T_OK(doca_dev_close(host));
}

MISUSE_CASE(clocks)
{
	union doca_clock_timespec_t time, nic;
	struct doca_clock *clock;
	uint64_t margin;

	kit_topology("{\"limits\": {\"dpa_cores\": 0}}");
	rig_open();
	T_OK(doca_clock_create(dpu, &clock));
	MISUSE(INVALID_VALUE, doca_clock_get_timestamp(clock, 3, &time), "0x3 is no clock",
	       "needed: one of the DOCA_CLOCK_*");
	MISUSE(NOT_SUPPORTED, doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_DPA_TIMER, &time),
	       "device 0000:03:00.0 has no DPA", "needed: one for which", "dpa_cores 0");
	MISUSE(INVALID_VALUE,
	       doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_NIC_REAL_TIME,
					     DOCA_CLOCK_HOST_REAL_TIME, &time, &nic, &margin),
	       "nic_clock_type 0x20000 is a clock of the host", "the host's goes first");
	MISUSE(NOT_SUPPORTED,
	       doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_REAL_TIME,
					     DOCA_CLOCK_NIC_DPA_TIMER, &time, &nic, &margin),
	       "has no DPA", "needed: one for which");
	QUIET(NOT_SUPPORTED, doca_clock_cap_nic_dpa_timer_is_supported(doca_dev_as_devinfo(dpu)));
	T_OK(doca_clock_destroy(clock));
	rig_close();
}

MISUSE_CASE(no_runtime_directory)
{
	struct doca_dev *dev;

	T_OK(doca_devinfo_create_list(&list, &num));
	setenv("SOFTDPU_RUNTIME_DIR", "/proc/nothing/here", 1);
	MISUSE(INITIALIZATION, doca_dev_open(list[0], &dev),
	       "runtime directory /proc/nothing/here cannot be made",
	       "needed: a place where it can", "SOFTDPU_RUNTIME_DIR");
	setenv("SOFTDPU_RUNTIME_DIR", "/dev/null", 1);
	MISUSE(INITIALIZATION, doca_dev_open(list[0], &dev),
	       "runtime directory /dev/null cannot be opened", "needed: a directory of user",
	       "remove what is there");
	setenv("SOFTDPU_RUNTIME_DIR", "/usr", 1);
	MISUSE(INITIALIZATION, doca_dev_open(list[0], &dev), "runtime directory /usr", "needed: ");
	T_OK(doca_devinfo_destroy_list(list));
}
