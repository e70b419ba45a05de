/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptions of representors: the list, and what it tells. Belong to their list or to an open
 * representor and never change; any thread may read them. What the host calls the function is told
 * here (its PCI address), and what the DPU calls the representor (its interface).
 */
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/dev_object.h"
#include "core/pci_addr.h"
#include "core/topology.h"

#define KNOWN_FILTERS (DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED)

/* Every function of the topology is a network function. */
static bool filter_wants_net(int filter)
{
	return filter == DOCA_DEVINFO_REP_FILTER_ALL || (filter & DOCA_DEVINFO_REP_FILTER_NET) != 0;
}

static uint32_t count_represented(const struct sdpu_function *port)
{
	const struct sdpu_function *function = NULL;
	uint32_t num = 0;

	while ((function = sdpu_topology_next_represented(port, function)) != NULL)
		num++;
	return num;
}

/* The device is noted, not held: programs close it while a list still exists. */
static doca_error_t list_make(struct doca_dev *dev, uint32_t num, struct doca_devinfo_rep ***out)
{
	const struct sdpu_function *function = NULL;
	struct doca_devinfo_rep **list;

	list = (struct doca_devinfo_rep **)sdpu_devlist_create(num, sizeof(**list));
	if (list == NULL)
		return sdpu_no_memory("doca_devinfo_rep_create_list");
	for (uint32_t i = 0; i < num; i++) {
		function = sdpu_topology_next_represented(dev->info.function, function);
		*list[i] = (struct doca_devinfo_rep){.function = function, .dev = dev};
	}
	*out = list;
	return DOCA_SUCCESS;
}

static doca_error_t filter_check(const struct doca_dev *dev, int filter)
{
	if ((filter & ~KNOWN_FILTERS) != 0) {
		sdpu_log_err("doca_devinfo_rep_create_list: filter 0x%x has unknown bits; known "
			     "are those of enum doca_devinfo_rep_filter",
			     (unsigned int)filter);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (dev->info.function->side != SDPU_SIDE_DPU) {
		char devices[256];

		sdpu_topology_list(SDPU_SIDE_DPU, devices, sizeof(devices));
		sdpu_log_err("doca_devinfo_rep_create_list: device %s is host side; "
			     "representors are on DPU devices: %s",
			     dev->info.function->pci, devices);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
					  struct doca_devinfo_rep ***dev_list_rep,
					  uint32_t *nb_devs_rep)
{
	doca_error_t result;
	uint32_t num;

	if (sdpu_any_null(__func__, dev, dev_list_rep, nb_devs_rep))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = filter_check(dev, filter);
	if (result != DOCA_SUCCESS)
		return result;
	num = filter_wants_net(filter) ? count_represented(dev->info.function) : 0;
	result = list_make(dev, num, dev_list_rep);
	if (result == DOCA_SUCCESS)
		*nb_devs_rep = num;
	return result;
}

doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep)
{
	if (sdpu_any_null(__func__, dev_list_rep))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	return sdpu_devlist_destroy(dev_list_rep, "doca_devinfo_rep_destroy_list");
}

doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid,
				       uint32_t size)
{
	if (sdpu_any_null(__func__, devinfo_rep, rep_vuid))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_devinfo_give(rep_vuid, size, devinfo_rep->function->vuid,
				 sizeof(devinfo_rep->function->vuid), "doca_devinfo_rep_get_vuid");
}

doca_error_t doca_devinfo_rep_get_iface_name(const struct doca_devinfo_rep *devinfo_rep,
					     char *iface_name, uint32_t size)
{
	if (sdpu_any_null(__func__, devinfo_rep, iface_name))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_devinfo_give(iface_name, size, devinfo_rep->function->rep_iface,
				 sizeof(devinfo_rep->function->rep_iface),
				 "doca_devinfo_rep_get_iface_name");
}

doca_error_t doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep,
					       char *pci_addr_str)
{
	if (sdpu_any_null(__func__, devinfo_rep, pci_addr_str))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(pci_addr_str, devinfo_rep->function->pci, sizeof(devinfo_rep->function->pci));
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_is_equal_pci_addr(const struct doca_devinfo_rep *devinfo_rep,
						const char *pci_addr, uint8_t *is_equal)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, devinfo_rep, pci_addr, is_equal))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_pci_compare(devinfo_rep->function->pci, pci_addr, is_equal);
	if (result == DOCA_SUCCESS && *is_equal == 0)
		sdpu_devinfo_rep_tell_missing(devinfo_rep->function->represented_on, pci_addr);
	return result;
}

doca_error_t doca_devinfo_rep_get_pci_func_type(const struct doca_devinfo_rep *devinfo_rep,
						enum doca_pci_func_type *pci_func_type)
{
	if (sdpu_any_null(__func__, devinfo_rep, pci_func_type))
		return DOCA_ERROR_INVALID_VALUE;
	*pci_func_type = devinfo_rep->function->type;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_get_is_hotplug(const struct doca_devinfo_rep *devinfo_rep,
					     uint8_t *is_hotplug)
{
	if (sdpu_any_null(__func__, devinfo_rep, is_hotplug))
		return DOCA_ERROR_INVALID_VALUE;
	*is_hotplug = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_get_vhca_id(const struct doca_devinfo_rep *devinfo_rep,
					  uint16_t *vhca_id)
{
	if (sdpu_any_null(__func__, devinfo_rep, vhca_id))
		return DOCA_ERROR_INVALID_VALUE;
	*vhca_id = devinfo_rep->function->vhca_id;
	return DOCA_SUCCESS;
}
