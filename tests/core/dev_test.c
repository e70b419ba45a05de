/* SPDX-License-Identifier: BSD-3-Clause
 * Devices and representors: lists, opens and closes, what descriptions tell.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/dev.h"
#include "core/kit.h"
#include "t.h"

static struct doca_devinfo **list_of_all(uint32_t *num)
{
	struct doca_devinfo **list;

	T_OK(doca_devinfo_create_list(&list, num));
	return list;
}

static struct doca_devinfo_rep **list_of_reps(struct doca_dev *dev, int filter, uint32_t *num)
{
	struct doca_devinfo_rep **list;

	T_OK(doca_devinfo_rep_create_list(dev, filter, &list, num));
	return list;
}

T_CASE(a_list_may_go_once_the_device_is_open)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	T_OK(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(dev), pci));
	T_STREQ(pci, "0000:03:00.0");
	T_OK(doca_dev_close(dev));
	T_EQ(doca_dev_as_devinfo(NULL), 0);
}

T_CASE(opens_of_one_function_give_one_device_and_count)
{
	struct doca_dev *dev = kit_open(KIT_HOST), *again = kit_open("0000:3B:00.0"), *third;

	T_EQ(dev, again);
	T_OK(doca_dev_open(doca_dev_as_devinfo(dev), &third));
	T_EQ(dev, third);
	T_OK(doca_dev_close(dev));
	T_OK(doca_dev_close(dev));
	T_OK(doca_dev_close(dev));
	kit_log();
	T_ERR(doca_dev_close(dev), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "is no open device");
	dev = kit_open(KIT_HOST);
	T_OK(doca_dev_close(dev));
}

T_CASE(the_last_close_waits_for_objects)
{
	struct doca_dev *dev = kit_open(KIT_DPU), *again = kit_open(KIT_DPU);
	struct doca_mmap *mmap;

	T_OK(doca_mmap_create(&mmap));
	T_OK(doca_mmap_add_dev(mmap, dev));
	T_OK(doca_dev_close(again));
	kit_log();
	T_ERR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	T_CONTAINS(kit_log(), "1 objects still depend on it");
	T_OK(doca_mmap_rm_dev(mmap, dev));
	T_OK(doca_dev_close(dev));
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(lists_that_were_changed_or_are_none_are_not_freed)
{
	uint32_t num;
	struct doca_devinfo **list = list_of_all(&num), *first = list[0];

	list[0] = list[1];
	T_ERR(doca_devinfo_destroy_list(list), DOCA_ERROR_IN_USE);
	list[0] = first;
	T_OK(doca_devinfo_destroy_list(list));
	T_ERR(doca_devinfo_destroy_list(list), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_destroy_list(NULL), DOCA_ERROR_INVALID_VALUE);
}

T_CASE(representors_are_listed_by_one_port_each)
{
	struct doca_dev *port0 = kit_open(KIT_DPU), *port1 = kit_open(KIT_DPU_1);
	static const char *const on0[] = {"0000:3b:00.0", "0000:3b:00.2", "0000:b1:00.0"};
	char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
	struct doca_devinfo_rep **reps;
	uint32_t num;

	reps = list_of_reps(port0, DOCA_DEVINFO_REP_FILTER_NET, &num);
	T_EQ(num, 3);
	for (uint32_t i = 0; i < num; i++) {
		T_OK(doca_devinfo_rep_get_pci_addr_str(reps[i], pci));
		T_STREQ(pci, on0[i]);
	}
	T_OK(doca_devinfo_rep_destroy_list(reps));
	reps = list_of_reps(port1, DOCA_DEVINFO_REP_FILTER_ALL, &num);
	T_EQ(num, 1);
	T_OK(doca_devinfo_rep_get_pci_addr_str(reps[0], pci));
	T_STREQ(pci, "0000:3b:00.1");
	T_OK(doca_devinfo_rep_destroy_list(reps));
	T_OK(doca_dev_close(port0));
	T_OK(doca_dev_close(port1));
}

T_CASE(representors_are_there_where_the_host_is_hidden)
{
	struct doca_devinfo_rep **reps;
	struct doca_dev *port;
	uint32_t num;

	setenv("SOFTDPU_SIDE", "dpu", 1);
	port = kit_open(KIT_DPU);
	reps = list_of_reps(port, DOCA_DEVINFO_REP_FILTER_ALL, &num);
	T_EQ(num, 3);
	T_OK(doca_devinfo_rep_destroy_list(reps));
	T_OK(doca_dev_close(port));
}

T_CASE(representor_filters)
{
	struct doca_dev *port = kit_open(KIT_DPU), *host = kit_open(KIT_HOST);
	struct doca_devinfo_rep **reps = NULL;
	uint32_t num = 77;

	reps = list_of_reps(port, DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED,
			    &num);
	T_EQ(num, 3);
	T_OK(doca_devinfo_rep_destroy_list(reps));
	reps = list_of_reps(port, DOCA_DEVINFO_REP_FILTER_EMULATED, &num);
	T_EQ(num, 0);
	T_OK(doca_devinfo_rep_destroy_list(reps));
	T_ERR(doca_devinfo_rep_destroy_list(reps), DOCA_ERROR_INVALID_VALUE);
	reps = NULL;
	num = 77;
	T_ERR(doca_devinfo_rep_create_list(port, 1, &reps, &num), DOCA_ERROR_INVALID_VALUE);
	kit_log();
	T_ERR(doca_devinfo_rep_create_list(host, DOCA_DEVINFO_REP_FILTER_NET, &reps, &num),
	      DOCA_ERROR_NOT_SUPPORTED);
	T_CONTAINS(kit_log(), "device 0000:3b:00.0 is host side; representors are on DPU devices: "
			      "0000:03:00.0, 0000:03:00.1");
	T_EQ(reps, 0);
	T_EQ(num, 77);
	T_OK(doca_dev_close(port));
	T_OK(doca_dev_close(host));
}

T_CASE(a_representor_keeps_its_device)
{
	struct doca_dev *port = kit_open(KIT_DPU);
	struct doca_dev_rep *rep, *other;
	struct doca_devinfo_rep **reps;
	char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
	uint32_t num;

	reps = list_of_reps(port, DOCA_DEVINFO_REP_FILTER_NET, &num);
	T_OK(doca_dev_rep_open(reps[2], &rep));
	T_OK(doca_dev_rep_open(reps[2], &other));
	T_CHECK(rep != other);
	T_OK(doca_devinfo_rep_destroy_list(reps));
	T_OK(doca_devinfo_rep_get_pci_addr_str(doca_dev_rep_as_devinfo(rep), pci));
	T_STREQ(pci, "0000:b1:00.0");
	T_ERR(doca_dev_close(port), DOCA_ERROR_IN_USE);
	T_OK(doca_dev_rep_close(other));
	sdpu_dev_rep_hold(rep);
	T_ERR(doca_dev_rep_close(rep), DOCA_ERROR_IN_USE);
	sdpu_dev_rep_release(rep);
	T_OK(doca_dev_rep_close(rep));
	T_ERR(doca_dev_rep_close(rep), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_dev_close(port));
	T_EQ(doca_dev_rep_as_devinfo(NULL), 0);
}

T_CASE(a_representor_of_a_closed_device_does_not_open)
{
	struct doca_dev *port = kit_open(KIT_DPU);
	struct doca_devinfo_rep **reps;
	struct doca_dev_rep *rep = NULL;
	uint32_t num;

	reps = list_of_reps(port, DOCA_DEVINFO_REP_FILTER_NET, &num);
	T_OK(doca_dev_close(port));
	T_ERR(doca_dev_rep_open(reps[0], &rep), DOCA_ERROR_NOT_CONNECTED);
	T_EQ(rep, 0);
	T_OK(doca_devinfo_rep_destroy_list(reps));
}

T_CASE(a_device_that_cannot_join_the_runtime_directory_does_not_open)
{
	struct doca_dev *dev = NULL;
	uint32_t num;
	struct doca_devinfo **list = list_of_all(&num);

	setenv("SOFTDPU_RUNTIME_DIR", "/proc/nonexistent", 1);
	T_ERR(doca_dev_open(list[0], &dev), DOCA_ERROR_INITIALIZATION);
	T_EQ(dev, 0);
	T_OK(doca_devinfo_destroy_list(list));
}

T_CASE(pci_addresses_compare_in_both_forms)
{
	static const struct {
		const char *text;
		int is_equal; /* -1: no PCI address */
	} texts[] = {
		{"0000:03:00.0", 1}, {"03:00.0", 1},
		{"03:00.1", 0},	     {"0001:03:00.0", 0},
		{"0000:3b:00.0", 0}, {"0000:03:00.00", -1},
		{"0000:03:00.", -1}, {"", -1},
		{"mlx5_10", -1},     {"03-00.0", -1},
		{"03:00:0", -1},     {"03:00.8", -1},
		{"03:20.0", -1},     {"0000-03:00.0", -1},
		{"03:00.0 ", -1},    {"a much longer text", -1},
	};
	struct doca_dev *dev = kit_open(KIT_DPU);
	const struct doca_devinfo *info = doca_dev_as_devinfo(dev);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		uint8_t is_equal = 77;
		doca_error_t result =
			doca_devinfo_is_equal_pci_addr(info, texts[i].text, &is_equal);

		T_EQ(result, texts[i].is_equal < 0 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS);
		T_EQ(is_equal, texts[i].is_equal < 0 ? 77 : texts[i].is_equal);
	}
	T_OK(doca_dev_close(dev));
}

/* What the getter is bound to in programs built with -DSOFTDPU_API=209. */
doca_error_t doca_devinfo_get_active_rate_v209(const struct doca_devinfo *devinfo, double *rate);

T_CASE(the_rate_of_2_9_is_in_gigabits)
{
	struct doca_dev *dev = kit_open(KIT_HOST);
	double rate = 0;

	T_OK(doca_devinfo_get_active_rate_v209(doca_dev_as_devinfo(dev), &rate));
	T_CHECK(rate > 99.9 && rate < 100.1);
	T_ERR(doca_devinfo_get_active_rate_v209(NULL, &rate), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_dev_close(dev));
}

T_CASE(device_getters)
{
	struct doca_dev *dev = kit_open(KIT_HOST);
	const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
	char iface[DOCA_DEVINFO_IFACE_NAME_SIZE], ibdev[DOCA_DEVINFO_IFACE_NAME_SIZE];
	uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE], ip[DOCA_DEVINFO_IPV6_ADDR_SIZE];
	enum doca_pci_func_type type;
	uint16_t vhca_id, lid = 77;
	uint32_t sf_index = 77;
	uint64_t rate;

	T_OK(doca_devinfo_get_iface_name(info, iface, sizeof(iface)));
	T_STREQ(iface, "ens1f0np0");
	T_OK(doca_devinfo_get_ibdev_name(info, ibdev, sizeof(ibdev)));
	T_STREQ(ibdev, "mlx5_2");
	T_OK(doca_devinfo_get_mac_addr(info, mac, sizeof(mac)));
	T_EQ(mac[0], 2);
	T_OK(doca_devinfo_get_ipv4_addr(info, ip, sizeof(ip)));
	T_EQ(ip[0], 198);
	T_OK(doca_devinfo_get_ipv6_addr(info, ip, sizeof(ip)));
	T_EQ(ip[0], 0xfd);
	T_OK(doca_devinfo_get_pci_func_type(info, &type));
	T_EQ(type, DOCA_PCI_FUNC_TYPE_PF);
	T_OK(doca_devinfo_get_vhca_id(info, &vhca_id));
	T_EQ(vhca_id, 2);
	T_OK(doca_devinfo_get_active_rate(info, &rate));
	T_EQ(rate, 100000000000);
	T_ERR(doca_devinfo_get_lid(info, &lid), DOCA_ERROR_NOT_SUPPORTED);
	T_EQ(lid, 77);
	T_ERR(doca_devinfo_get_sf_index(info, &sf_index), DOCA_ERROR_NOT_SUPPORTED);
	T_EQ(sf_index, 77);
	T_OK(doca_dev_close(dev));
}

T_CASE(small_rooms_are_refused)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
	char text[DOCA_DEVINFO_IFACE_NAME_SIZE] = "as it was";

	T_ERR(doca_devinfo_get_iface_name(info, text, 255), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_ibdev_name(info, text, 63), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_mac_addr(info, (uint8_t *)text, 5), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_ipv4_addr(info, (uint8_t *)text, 3), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_ipv6_addr(info, (uint8_t *)text, 15), DOCA_ERROR_INVALID_VALUE);
	T_STREQ(text, "as it was");
	T_OK(doca_dev_close(dev));
}

T_CASE(a_function_may_have_no_ip_address_or_an_sf_index)
{
	struct doca_dev *dev;
	uint8_t ip[16];
	uint32_t sf_index;

	kit_topology("{\"dpus\": [{\"functions\": [{\"pci\": \"01:00.0\", \"type\": \"sf\", "
		     "\"sf_index\": 9, \"ipv4\": null, \"ipv6\": null}]}]}");
	dev = kit_open("01:00.0");
	T_ERR(doca_devinfo_get_ipv4_addr(doca_dev_as_devinfo(dev), ip, 4), DOCA_ERROR_NOT_FOUND);
	T_ERR(doca_devinfo_get_ipv6_addr(doca_dev_as_devinfo(dev), ip, 16), DOCA_ERROR_NOT_FOUND);
	T_OK(doca_devinfo_get_sf_index(doca_dev_as_devinfo(dev), &sf_index));
	T_EQ(sf_index, 9);
	T_OK(doca_dev_close(dev));
}

static void capabilities_are(const char *pci, int filters)
{
	struct doca_dev *dev = kit_open(pci);
	const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
	uint8_t value = 77;

	T_OK(doca_devinfo_rep_cap_is_filter_all_supported(info, &value));
	T_EQ(value, filters);
	T_OK(doca_devinfo_rep_cap_is_filter_net_supported(info, &value));
	T_EQ(value, filters);
	T_OK(doca_devinfo_rep_cap_is_filter_emulated_supported(info, &value));
	T_EQ(value, 0);
	value = 77;
	T_OK(doca_devinfo_cap_is_hotplug_manager_supported(info, &value));
	T_EQ(value, 0);
	T_OK(doca_devinfo_cap_is_notification_moderation_supported(info, &value));
	T_EQ(value, 0);
	T_OK(doca_devinfo_cap_is_accelerate_resource_reclaim_supported(info, &value));
	T_EQ(value, 0);
	T_ERR(doca_dev_accelerate_resource_reclaim(dev), DOCA_ERROR_NOT_SUPPORTED);
	T_OK(doca_dev_close(dev));
}

T_CASE(capabilities)
{
	capabilities_are(KIT_DPU, 1);
	capabilities_are(KIT_HOST, 0);
}

T_CASE(representor_getters)
{
	struct doca_dev *port = kit_open(KIT_DPU);
	char text[DOCA_DEVINFO_REP_VUID_SIZE], iface[DOCA_DEVINFO_IFACE_NAME_SIZE];
	struct doca_devinfo_rep **reps;
	enum doca_pci_func_type type;
	uint8_t value;
	uint16_t vhca_id;
	uint32_t num;

	reps = list_of_reps(port, DOCA_DEVINFO_REP_FILTER_NET, &num);
	T_OK(doca_devinfo_rep_get_vuid(reps[1], text, sizeof(text)));
	T_STREQ(text, "SOFTDPU0F4");
	T_ERR(doca_devinfo_rep_get_vuid(reps[1], text, 127), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_devinfo_rep_get_iface_name(reps[1], iface, sizeof(iface)));
	T_STREQ(iface, "pf0vf0");
	T_ERR(doca_devinfo_rep_get_iface_name(reps[1], iface, 255), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_devinfo_rep_get_pci_func_type(reps[1], &type));
	T_EQ(type, DOCA_PCI_FUNC_TYPE_VF);
	T_OK(doca_devinfo_rep_get_vhca_id(reps[1], &vhca_id));
	T_EQ(vhca_id, 4);
	T_OK(doca_devinfo_rep_get_is_hotplug(reps[1], &value));
	T_EQ(value, 0);
	T_OK(doca_devinfo_rep_is_equal_pci_addr(reps[1], "3b:00.2", &value));
	T_EQ(value, 1);
	T_OK(doca_devinfo_rep_is_equal_pci_addr(reps[1], "3b:00.0", &value));
	T_EQ(value, 0);
	T_ERR(doca_devinfo_rep_is_equal_pci_addr(reps[1], "x", &value), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_devinfo_rep_destroy_list(reps));
	T_OK(doca_dev_close(port));
}

T_CASE(by_name)
{
	static const char *const names[] = {"3b:00.0", "0000:3b:00.0", "mlx5_2", "ens1f0np0"};
	struct doca_dev *dev, *other = NULL;
	struct doca_dev_rep *rep = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		T_OK(sdpu_dev_open_by_name(names[i], &dev));
		T_STREQ(sdpu_dev_function(dev)->ibdev, "mlx5_2");
		T_OK(sdpu_dev_close(dev));
	}
	kit_log();
	T_ERR(sdpu_dev_open_by_name("mlx5_9", &other), DOCA_ERROR_NOT_FOUND);
	T_EQ(other, 0);
	T_CONTAINS(kit_log(),
		   "no device \"mlx5_9\" (PCI address, IB name or interface name); there "
		   "are: 0000:03:00.0 (mlx5_0, p0), ");
	dev = kit_open(KIT_DPU);
	T_ERR(sdpu_dev_rep_open_by_name(dev, "pf1", &rep), DOCA_ERROR_NOT_FOUND);
	T_EQ(rep, 0);
	T_CONTAINS(kit_log(), "there are: 0000:3b:00.0 (pf0, pf0hpf), ");
	T_OK(sdpu_dev_rep_open_by_name(dev, "pf0vf0", &rep));
	T_STREQ(sdpu_dev_rep_function(rep)->pci, "0000:3b:00.2");
	T_OK(doca_dev_rep_close(rep));
	T_OK(sdpu_dev_rep_open_by_name(dev, "b1:00.0", &rep));
	T_STREQ(sdpu_dev_rep_function(rep)->pci, "0000:b1:00.0");
	T_OK(doca_dev_rep_close(rep));
	T_OK(doca_dev_close(dev));
}

static void *open_and_close(void *arg)
{
	(void)arg;
	for (int i = 0; i < 100; i++) {
		struct doca_dev *dev = kit_open(KIT_DPU);

		sdpu_dev_hold(dev);
		sdpu_dev_release(dev);
		T_OK(doca_dev_close(dev));
	}
	return NULL;
}

T_CASE(threads_open_and_close_the_same_function)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		T_EQ(pthread_create(&threads[i], NULL, open_and_close, NULL), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static struct doca_dev *parent_dev;

static void child_is_inert(void)
{
	struct doca_devinfo_rep **reps;
	struct doca_devinfo **list;
	struct doca_dev *dev;
	uint32_t num;

	T_ERR(doca_devinfo_create_list(&list, &num), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dev_open(doca_dev_as_devinfo(parent_dev), &dev), DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_dev_open_by_name("mlx5_0", &dev), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_devinfo_rep_create_list(parent_dev, 0, &reps, &num), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dev_close(parent_dev), DOCA_ERROR_BAD_STATE);
}

T_CASE(a_forked_child_is_inert)
{
	parent_dev = kit_open(KIT_DPU);
	kit_in_child(child_is_inert);
	T_OK(doca_dev_close(parent_dev));
}

T_CASE(null_is_refused)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_devinfo *info = doca_dev_as_devinfo(dev);
	struct doca_devinfo_rep **reps;
	struct doca_devinfo **list;
	struct doca_dev_rep *rep;
	char text[256];
	uint8_t u8;
	uint32_t num;

	T_ERR(doca_devinfo_create_list(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_create_list(&list, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_rep_create_list(NULL, 0, &reps, &num), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_rep_create_list(dev, 0, NULL, &num), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_rep_create_list(dev, 0, &reps, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_rep_destroy_list(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dev_open(NULL, &dev), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dev_open(info, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dev_close(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dev_rep_open(NULL, &rep), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dev_rep_close(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dev_accelerate_resource_reclaim(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_pci_addr_str(NULL, text), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_pci_addr_str(info, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_is_equal_pci_addr(info, NULL, &u8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_is_equal_pci_addr(info, "03:00.0", NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_iface_name(NULL, text, 256), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_iface_name(info, NULL, 256), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_ipv4_addr(info, NULL, 4), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_lid(info, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_sf_index(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_get_vhca_id(info, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_rep_cap_is_filter_net_supported(NULL, &u8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_rep_get_vuid(NULL, text, 128), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_devinfo_rep_get_is_hotplug(NULL, &u8), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_dev_close(dev));
}
