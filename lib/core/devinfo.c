/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptions of devices: the list, and what it tells. A description belongs to its list or its
 * device and never changes; any thread may read it.
 */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/dev_object.h"
#include "core/pci_addr.h"
#include "core/topology.h"

/* Bits per second, reported for every port: programs print it or divide by it, none depends on
 * it. */
#define LINK_RATE 100000000000ull

const struct sdpu_function *sdpu_devinfo_function(const struct doca_devinfo *devinfo)
{
	return devinfo->function;
}

static uint32_t count_visible(const struct sdpu_topology_view *view)
{
	const struct sdpu_function *function = NULL;
	uint32_t num = 0;

	while ((function = sdpu_topology_next(view, function)) != NULL)
		num++;
	return num;
}

static doca_error_t list_make(struct doca_devinfo ***dev_list, uint32_t *nb_devs)
{
	const struct sdpu_function *function = NULL;
	struct sdpu_topology_view view;
	doca_error_t result = sdpu_topology_look(&view);
	struct doca_devinfo **list;
	uint32_t num, i = 0;

	if (result != DOCA_SUCCESS)
		return result;
	num = count_visible(&view);
	if (num == 0) {
		sdpu_log_err("doca_devinfo_create_list: no device is visible; needed: at least 1; "
			     "unset SOFTDPU_DEVICES, which hides all, and SOFTDPU_SIDE, which "
			     "hides those of the other side");
		return DOCA_ERROR_NOT_FOUND;
	}
	list = (struct doca_devinfo **)sdpu_devlist_create(num, sizeof(**list));
	if (list == NULL)
		return sdpu_no_memory("doca_devinfo_create_list");
	while ((function = sdpu_topology_next(&view, function)) != NULL)
		list[i++]->function = function;
	*dev_list = list;
	*nb_devs = num;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list, uint32_t *nb_devs)
{
	if (sdpu_any_null(__func__, dev_list, nb_devs))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	return list_make(dev_list, nb_devs);
}

doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list)
{
	if (sdpu_any_null(__func__, dev_list))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	return sdpu_devlist_destroy(dev_list, "doca_devinfo_destroy_list");
}

doca_error_t sdpu_devinfo_give(void *room, uint32_t size, const void *value, uint32_t need,
			       const char *call)
{
	if (size < need) {
		sdpu_log_err("%s: room for %u bytes; needed: %u; take the size that doca_dev.h "
			     "names",
			     call, size, need);
		return DOCA_ERROR_INVALID_VALUE;
	}
	/* fields have the size that the API names, and are NUL-padded texts or plain bytes */
	memcpy(room, value, need);
	return DOCA_SUCCESS;
}

/* The getters of fixed-size fields differ in the field only. */
#define DEVINFO_FIELD(call, type, name, field)                                                     \
	doca_error_t call(const struct doca_devinfo *devinfo, type *name, uint32_t size)           \
	{                                                                                          \
		if (sdpu_any_null(#call, devinfo, name))                                           \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		return sdpu_devinfo_give(name, size, devinfo->function->field,                     \
					 sizeof(devinfo->function->field), #call);                 \
	}

DEVINFO_FIELD(doca_devinfo_get_mac_addr, uint8_t, mac_addr, mac)
DEVINFO_FIELD(doca_devinfo_get_iface_name, char, iface_name, iface)
DEVINFO_FIELD(doca_devinfo_get_ibdev_name, char, ibdev_name, ibdev)

/* The same for addresses. All zeroes mean that there is none, which the caller is told without a
 * log line. */
#define DEVINFO_ADDRESS(call, name, field)                                                         \
	doca_error_t call(const struct doca_devinfo *devinfo, uint8_t *name, uint32_t size)        \
	{                                                                                          \
		static const uint8_t none[sizeof(devinfo->function->field)];                       \
                                                                                                   \
		if (sdpu_any_null(#call, devinfo, name))                                           \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		if (memcmp(devinfo->function->field, none, sizeof(none)) == 0)                     \
			return DOCA_ERROR_NOT_FOUND;                                               \
		return sdpu_devinfo_give(name, size, devinfo->function->field, sizeof(none),       \
					 #call);                                                   \
	}

DEVINFO_ADDRESS(doca_devinfo_get_ipv4_addr, ipv4_addr, ipv4)
DEVINFO_ADDRESS(doca_devinfo_get_ipv6_addr, ipv6_addr, ipv6)

/* Getters of a single value. */
#define DEVINFO_VALUE(call, type, name, value)                                                     \
	doca_error_t call(const struct doca_devinfo *devinfo, type *name)                          \
	{                                                                                          \
		if (sdpu_any_null(#call, devinfo, name))                                           \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		*name = value;                                                                     \
		return DOCA_SUCCESS;                                                               \
	}

DEVINFO_VALUE(doca_devinfo_get_active_rate, uint64_t, active_rate, LINK_RATE)
DEVINFO_VALUE(doca_devinfo_get_vhca_id, uint16_t, vhca_id, devinfo->function->vhca_id)
DEVINFO_VALUE(doca_devinfo_get_pci_func_type, enum doca_pci_func_type, func_type,
	      devinfo->function->type)
DEVINFO_VALUE(doca_devinfo_cap_is_hotplug_manager_supported, uint8_t, is_hotplug_manager, 0)
DEVINFO_VALUE(doca_devinfo_cap_is_notification_moderation_supported, uint8_t, is_supported, 0)
DEVINFO_VALUE(doca_devinfo_cap_is_accelerate_resource_reclaim_supported, uint8_t, is_supported, 0)
DEVINFO_VALUE(doca_devinfo_rep_cap_is_filter_all_supported, uint8_t, filter_all_supported,
	      devinfo->function->side == SDPU_SIDE_DPU)
DEVINFO_VALUE(doca_devinfo_rep_cap_is_filter_net_supported, uint8_t, filter_net_supported,
	      devinfo->function->side == SDPU_SIDE_DPU)
DEVINFO_VALUE(doca_devinfo_rep_cap_is_filter_emulated_supported, uint8_t, filter_emulated_supported,
	      0)

/* The same call for programs built with -DSOFTDPU_API=209, which get gigabits per second. */
DOCA_EXPERIMENTAL doca_error_t doca_devinfo_get_active_rate_v209(const struct doca_devinfo *devinfo,
								 double *active_rate);
DEVINFO_VALUE(doca_devinfo_get_active_rate_v209, double, active_rate, LINK_RATE / 1e9)

doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str)
{
	if (sdpu_any_null(__func__, devinfo, pci_addr_str))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(pci_addr_str, devinfo->function->pci, sizeof(devinfo->function->pci));
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
					    const char *pci_addr, uint8_t *is_equal)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, devinfo, pci_addr, is_equal))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_pci_compare(devinfo->function->pci, pci_addr, is_equal);
	if (result != DOCA_SUCCESS || *is_equal == 0)
		sdpu_devinfo_tell_missing(pci_addr);
	return result;
}

doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid)
{
	/* all ports are Ethernet */
	return sdpu_any_null(__func__, devinfo, lid) ? DOCA_ERROR_INVALID_VALUE
						     : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo, uint32_t *sf_index)
{
	if (sdpu_any_null(__func__, devinfo, sf_index))
		return DOCA_ERROR_INVALID_VALUE;
	if (devinfo->function->type != DOCA_PCI_FUNC_TYPE_SF)
		return DOCA_ERROR_NOT_SUPPORTED;
	*sf_index = devinfo->function->sf_index;
	return DOCA_SUCCESS;
}
