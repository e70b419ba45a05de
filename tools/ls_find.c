/* SPDX-License-Identifier: BSD-3-Clause */
#include "ls.h"

#include <stdio.h>
#include <string.h>

#include <doca_comch.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <softdpu.h>

#include "entry.h"
#include "json_out.h"
#include "memory.h"
#include "process.h"

/* Host functions of a DPU device; the library lists them for an open one. */
static void add_representors(const struct doca_devinfo *info, struct json_object *array)
{
	char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
	struct doca_devinfo_rep **list;
	struct doca_dev *dev;
	uint32_t num, i;

	if (doca_dev_open((struct doca_devinfo *)info, &dev) != DOCA_SUCCESS)
		return;
	if (doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num) ==
	    DOCA_SUCCESS) {
		for (i = 0; i < num; i++)
			if (doca_devinfo_rep_get_pci_addr_str(list[i], pci) == DOCA_SUCCESS)
				json_object_array_add(array, json_text(pci, strlen(pci)));
		doca_devinfo_rep_destroy_list(list);
	}
	doca_dev_close(dev);
}

static struct json_object *device_as_json(const struct doca_devinfo *info)
{
	bool is_dpu = doca_comch_cap_server_is_supported(info) == DOCA_SUCCESS;
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE] = "", ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
	char iface[DOCA_DEVINFO_IFACE_NAME_SIZE] = "";
	struct json_object *object = memory_need(json_object_new_object()), *array;

	doca_devinfo_get_pci_addr_str(info, pci);
	doca_devinfo_get_ibdev_name(info, ibdev, sizeof(ibdev));
	doca_devinfo_get_iface_name(info, iface, sizeof(iface));
	json_add_text(object, "side", is_dpu ? "dpu" : "host");
	json_add_text(object, "pci", pci);
	json_add_text(object, "ibdev", ibdev);
	json_add_text(object, "iface", iface);
	array = json_add_array(object, "representors");
	if (is_dpu)
		add_representors(info, array);
	return object;
}

bool ls_find_devices(struct json_object *array)
{
	struct doca_devinfo **list;
	uint32_t num, i;
	doca_error_t result = doca_devinfo_create_list(&list, &num);

	if (result == DOCA_ERROR_NOT_FOUND)
		return true;
	if (result != DOCA_SUCCESS) {
		fprintf(stderr,
			"softdpu ls: devices cannot be listed: %s; softdpu doctor tells why\n",
			doca_error_get_descr(result));
		return false;
	}
	for (i = 0; i < num; i++)
		json_object_array_add(array, device_as_json(list[i]));
	doca_devinfo_destroy_list(list);
	return true;
}

static void add_entry(const struct softdpu_entry *entry, void *user_data)
{
	static const char *const kinds[] = {"process", "server", "rdma", "unknown"};
	struct json_object *array = user_data, *object = memory_need(json_object_new_object());
	char words[ENTRY_WORDS_SIZE], name[PROCESS_NAME_SIZE];

	entry_describe(entry, words);
	json_add_text(object, "kind", kinds[entry->kind]);
	json_add_text(object, "what", words);
	if (entry->kind == SOFTDPU_ENTRY_PROCESS)
		json_add_text(object, "endpoint", entry->name);
	json_add_bool(object, "alive", entry->is_alive);
	json_add_int(object, "pid", entry->pid);
	if (entry->pid > 0) {
		process_name(entry->pid, name);
		json_add_text(object, "command", name);
	}
	json_object_array_add(array, object);
}

bool ls_find_entries(struct json_object *array)
{
	doca_error_t result = softdpu_registry_look(add_entry, array);

	if (result != DOCA_SUCCESS)
		fprintf(stderr,
			"softdpu ls: the runtime directory cannot be read: %s; softdpu "
			"doctor tells why\n",
			doca_error_get_descr(result));
	return result == DOCA_SUCCESS;
}
