/* SPDX-License-Identifier: BSD-3-Clause */
#include "device.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Lengths of bb:dd.f and dddd:bb:dd.f. */
#define PCI_SHORT_LENGTH 7
#define PCI_LONG_LENGTH 12

/* Room for the names of what does exist, in the text that says that the wanted one does not. */
#define FOUND_SIZE 256

static bool device_is_pci_text(const char *name)
{
	const size_t length = strlen(name);

	return length == PCI_SHORT_LENGTH || length == PCI_LONG_LENGTH;
}

/* In the order that the flag promises; a name of the right length is tried as an address first. */
static bool device_matches(const struct doca_devinfo *info, const char *name)
{
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
	char iface[DOCA_DEVINFO_IFACE_NAME_SIZE] = "";
	uint8_t equal = 0;

	if (device_is_pci_text(name) &&
	    doca_devinfo_is_equal_pci_addr(info, name, &equal) == DOCA_SUCCESS && equal)
		return true;
	if (doca_devinfo_get_ibdev_name(info, ibdev, sizeof(ibdev)) == DOCA_SUCCESS &&
	    strcmp(ibdev, name) == 0)
		return true;
	return doca_devinfo_get_iface_name(info, iface, sizeof(iface)) == DOCA_SUCCESS &&
	       strcmp(iface, name) == 0;
}

static void device_note_found(char *found, const char *address)
{
	const size_t used = strlen(found);

	snprintf(found + used, FOUND_SIZE - used, "%s%s", used == 0 ? "" : ", ", address);
}

static doca_error_t device_open_from(struct doca_devinfo **list, uint32_t count, const char *name,
				     struct doca_dev **dev, struct fault *fault)
{
	char address[DOCA_DEVINFO_PCI_ADDR_SIZE], found[FOUND_SIZE] = "";
	doca_error_t result;
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (device_matches(list[i], name)) {
			result = doca_dev_open(list[i], dev);
			if (result == DOCA_SUCCESS)
				return result;
			return fault_raise(fault, result, "Cannot open device \"%s\": %s", name,
					   doca_error_get_name(result));
		}
		if (doca_devinfo_get_pci_addr_str(list[i], address) == DOCA_SUCCESS)
			device_note_found(found, address);
	}
	return fault_raise(fault, DOCA_ERROR_NOT_FOUND,
			   "no device matched \"%s\"; this side has %s", name, found);
}

doca_error_t device_open(const char *name, struct doca_dev **dev, struct fault *fault)
{
	struct doca_devinfo **list;
	uint32_t count;
	doca_error_t result;

	result = doca_devinfo_create_list(&list, &count);
	if (result != DOCA_SUCCESS)
		return fault_raise(fault, result, "Cannot list the devices: %s",
				   doca_error_get_name(result));
	result = device_open_from(list, count, name, dev, fault);
	doca_devinfo_destroy_list(list);
	return result;
}

static doca_error_t device_rep_open_from(struct doca_devinfo_rep **list, uint32_t count,
					 const char *address, struct doca_dev_rep **rep,
					 struct fault *fault)
{
	char other[DOCA_DEVINFO_REP_PCI_ADDR_SIZE], found[FOUND_SIZE] = "";
	uint8_t equal = 0;
	doca_error_t result;
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (doca_devinfo_rep_is_equal_pci_addr(list[i], address, &equal) == DOCA_SUCCESS &&
		    equal) {
			result = doca_dev_rep_open(list[i], rep);
			if (result == DOCA_SUCCESS)
				return result;
			return fault_raise(fault, result, "Cannot open representor \"%s\": %s",
					   address, doca_error_get_name(result));
		}
		if (doca_devinfo_rep_get_pci_addr_str(list[i], other) == DOCA_SUCCESS)
			device_note_found(found, other);
	}
	return fault_raise(fault, DOCA_ERROR_NOT_FOUND,
			   "no representor matched \"%s\"; this device has %s", address,
			   found[0] == '\0' ? "none" : found);
}

doca_error_t device_rep_open(struct doca_dev *dev, const char *address, struct doca_dev_rep **rep,
			     struct fault *fault)
{
	struct doca_devinfo_rep **list;
	uint8_t supported = 0;
	uint32_t count;
	doca_error_t result;

	result = doca_devinfo_rep_cap_is_filter_net_supported(doca_dev_as_devinfo(dev), &supported);
	if (result == DOCA_SUCCESS && !supported)
		result = DOCA_ERROR_NOT_SUPPORTED;
	if (result == DOCA_SUCCESS)
		result = doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list,
						      &count);
	if (result != DOCA_SUCCESS)
		return fault_raise(fault, result,
				   "The device has no network representors (%s); --device must be "
				   "a device of the DPU",
				   doca_error_get_name(result));
	result = device_rep_open_from(list, count, address, rep, fault);
	doca_devinfo_rep_destroy_list(list);
	return result;
}
