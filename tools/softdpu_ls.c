/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu ls`: the devices that this process sees, with arguments to paste, and who is there in
 * the runtime directory. Only files are looked at; nobody is asked or disturbed.
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_comch.h>
#include <doca_dev.h>
#include <doca_error.h>

#include "entry.h"
#include "json_out.h"
#include "options.h"
#include "process.h"

static const struct command_option options[] = {OPTION_JSON, OPTION_END};

/* ---- devices ---- */

static const char *short_pci(const char *pci)
{
	return strncmp(pci, "0000:", 5) == 0 ? pci + 5 : pci;
}

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
	struct json_object *object = json_object_new_object(), *array;

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

static bool list_devices(struct json_object *array)
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

/* ---- who is there ---- */

static void add_entry(const struct softdpu_entry *entry, void *user_data)
{
	static const char *const kinds[] = {"process", "server", "rdma", "unknown"};
	struct json_object *array = user_data, *object = json_object_new_object();
	char words[ENTRY_WORDS_SIZE], name[PROCESS_NAME_SIZE];

	entry_describe(entry, words);
	json_add_text(object, "kind", kinds[entry->kind]);
	json_add_text(object, "what", words);
	json_add_bool(object, "alive", entry->is_alive);
	json_add_int(object, "pid", entry->pid);
	if (entry->pid > 0) {
		process_name(entry->pid, name);
		json_add_text(object, "command", name);
	}
	json_object_array_add(array, object);
}

static bool list_entries(struct json_object *array)
{
	doca_error_t result = softdpu_registry_look(add_entry, array);

	if (result != DOCA_SUCCESS)
		fprintf(stderr,
			"softdpu ls: the runtime directory cannot be read: %s; softdpu "
			"doctor tells why\n",
			doca_error_get_descr(result));
	return result == DOCA_SUCCESS;
}

/* ---- text ---- */

static const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value = json_object_object_get(object, key);

	return value == NULL ? "" : json_object_get_string(value);
}

static void print_device(struct json_object *device)
{
	struct json_object *reps = json_object_object_get(device, "representors");
	size_t i, num = json_object_array_length(reps);

	printf("  %-4s  %-12s  %-8s  %-10s  -d %s", text_of(device, "side"), text_of(device, "pci"),
	       text_of(device, "ibdev"), text_of(device, "iface"),
	       short_pci(text_of(device, "pci")));
	for (i = 0; i < num; i++)
		printf("%s%s", i == 0 ? " -r " : " | ",
		       short_pci(json_object_get_string(json_object_array_get_idx(reps, i))));
	putchar('\n');
}

static void print_entry(struct json_object *entry)
{
	if (!json_object_get_boolean(json_object_object_get(entry, "alive")))
		printf("  %s: of a dead process; softdpu clean removes it\n",
		       text_of(entry, "what"));
	else if (json_object_get_int(json_object_object_get(entry, "pid")) == 0)
		printf("  %s: in another PID namespace\n", text_of(entry, "what"));
	else
		printf("  %s: pid %s (%s)\n", text_of(entry, "what"), text_of(entry, "pid"),
		       text_of(entry, "command"));
}

static void print_list(const char *title, struct json_object *array,
		       void (*print)(struct json_object *element), const char *kind)
{
	size_t i, num = json_object_array_length(array), shown = 0;

	printf("%s:\n", title);
	for (i = 0; i < num; i++) {
		struct json_object *element = json_object_array_get_idx(array, i);

		if (kind != NULL && strcmp(text_of(element, "kind"), kind) != 0)
			continue;
		print(element);
		shown++;
	}
	if (shown == 0)
		puts("  none");
}

/* ---- the command ---- */

static const struct part {
	const char *name, *title, *kind; /* kind NULL: devices */
} parts[] = {
	{"devices", "Devices", NULL},
	{"processes", "Processes", "process"},
	{"servers", "Comch servers", "server"},
	{"rdma", "RDMA ports", "rdma"},
};

#define NUM_PARTS (sizeof(parts) / sizeof(parts[0]))

static void print_parts(const char *wanted, struct json_object *devices,
			struct json_object *entries)
{
	size_t i;

	for (i = 0; i < NUM_PARTS; i++) {
		if (wanted != NULL && strcmp(wanted, parts[i].name) != 0)
			continue;
		if (parts[i].kind == NULL)
			print_list(parts[i].title, devices, print_device, NULL);
		else
			print_list(parts[i].title, entries, print_entry, parts[i].kind);
	}
}

static bool is_part(const char *name)
{
	size_t i;

	for (i = 0; i < NUM_PARTS; i++)
		if (strcmp(name, parts[i].name) == 0)
			return true;
	return false;
}

static int ls_run(const struct command *command, int argc, char **argv)
{
	struct json_object *object, *devices, *entries;
	bool as_json = false, good;
	int status;
	int first = options_parse_flags(command, argc, argv, &as_json, &status);

	if (first < 0)
		return status;
	if (argc - first > 1 || (first < argc && (as_json || !is_part(argv[first]))))
		return options_refuse(command, "lists %s or, as JSON, all of them", command->words);
	object = json_object_new_object();
	/* Before devices are opened, so that this process is not among those that it lists. */
	entries = json_add_array(object, "entries");
	devices = json_add_array(object, "devices");
	good = list_entries(entries) && list_devices(devices);
	json_add_text(object, "directory", softdpu_registry_path());
	if (good && as_json) {
		json_print(object);
		return EXIT_SUCCESS;
	}
	if (good)
		print_parts(first < argc ? argv[first] : NULL, devices, entries);
	json_object_put(object);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

const struct command command_ls = {
	.name = "ls",
	.operands = "[devices|processes|servers|rdma]",
	.summary = "list devices with arguments to paste, and who is there",
	.example = "  softdpu ls servers\n",
	.options = options,
	.kind = WORDS_LISTED,
	.words = "devices processes servers rdma",
	.run = ls_run,
};
