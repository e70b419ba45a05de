/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices and representors by the names that people use for them, for parameters of programs. A
 * text that is a PCI address is compared as one, in both its forms; IB and interface names never
 * look like one. The error for an unknown name lists those that exist. Any thread.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "bus/process.h"
#include "core/dev_object.h"
#include "core/pci_addr.h"
#include "core/topology.h"

static bool function_is_called(const struct sdpu_function *function, const char *text)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	if (sdpu_pci_normalize(text, pci))
		return strcmp(function->pci, pci) == 0;
	return strcmp(function->ibdev, text) == 0 || strcmp(function->iface, text) == 0;
}

/* Appends "PCI (A, B)" at *used, never beyond size. */
static void append_names(char *text, size_t size, size_t *used, const char *pci, const char *a,
			 const char *b)
{
	int n;

	if (*used >= size)
		return;
	n = snprintf(text + *used, size - *used, "%s%s (%s, %s)", *used ? ", " : "", pci, a, b);
	*used += n > 0 ? (size_t)n : 0;
}

static const struct sdpu_function *device_find(const struct sdpu_topology_view *view,
					       const char *text)
{
	const struct sdpu_function *function = NULL;

	while ((function = sdpu_topology_next(view, function)) != NULL)
		if (function_is_called(function, text))
			break;
	return function;
}

static void device_names(const struct sdpu_topology_view *view, char *names, size_t size)
{
	const struct sdpu_function *function = NULL;
	size_t used = 0;

	snprintf(names, size, "none");
	while ((function = sdpu_topology_next(view, function)) != NULL)
		append_names(names, size, &used, function->pci, function->ibdev, function->iface);
}

static doca_error_t refuse_name(const struct sdpu_topology_view *view, const char *text)
{
	char names[1024];

	device_names(view, names, sizeof(names));
	sdpu_log_err("no device \"%s\" (PCI address, IB name or interface name); there are: %s",
		     text, names);
	return DOCA_ERROR_NOT_FOUND;
}

doca_error_t sdpu_dev_open_by_name(const char *text, struct doca_dev **dev)
{
	const struct sdpu_function *function;
	struct sdpu_topology_view view;
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_topology_look(&view);
	if (result != DOCA_SUCCESS)
		return result;
	function = device_find(&view, text);
	return function == NULL ? refuse_name(&view, text) : sdpu_dev_open(function, dev);
}

static bool representor_is_called(const struct sdpu_function *function, const char *text)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	if (sdpu_pci_normalize(text, pci))
		return strcmp(function->pci, pci) == 0;
	return strcmp(function->rep_name, text) == 0 || strcmp(function->rep_iface, text) == 0;
}

static const struct sdpu_function *representor_find(const struct sdpu_function *port,
						    const char *text)
{
	const struct sdpu_function *function = NULL;

	while ((function = sdpu_topology_next_represented(port, function)) != NULL)
		if (representor_is_called(function, text))
			break;
	return function;
}

static void representor_names(const struct sdpu_function *port, char *names, size_t size)
{
	const struct sdpu_function *function = NULL;
	size_t used = 0;

	snprintf(names, size, "none");
	while ((function = sdpu_topology_next_represented(port, function)) != NULL)
		append_names(names, size, &used, function->pci, function->rep_name,
			     function->rep_iface);
}

static doca_error_t refuse_rep_name(const struct sdpu_function *port, const char *text)
{
	char names[1024];

	representor_names(port, names, sizeof(names));
	sdpu_log_err("no representor \"%s\" on device %s (the host's PCI address, or pf<N>vf<M>); "
		     "there are: %s",
		     text, port->pci, names);
	return DOCA_ERROR_NOT_FOUND;
}

doca_error_t sdpu_dev_rep_open_by_name(struct doca_dev *dev, const char *text,
				       struct doca_dev_rep **rep)
{
	const struct sdpu_function *port = sdpu_dev_function(dev);
	struct doca_devinfo_rep info = {.dev = dev};

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	info.function = representor_find(port, text);
	return info.function == NULL ? refuse_rep_name(port, text) : sdpu_dev_rep_open(&info, rep);
}

/* --- addresses that programs compare by themselves --- */

/*
 * True the first time that this address is asked about. Programs compare one address with every
 * device there is, and may do so again and again. port: whose representors; NULL: devices.
 */
static bool is_first_mention(const struct sdpu_function *port, const char *pci)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct {
		const struct sdpu_function *port;
		char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	} told[16];
	static uint32_t num;
	uint32_t i = 0;
	bool is_first;

	pthread_mutex_lock(&lock);
	while (i < num && (told[i].port != port || strcmp(told[i].pci, pci) != 0))
		i++;
	is_first = i == num && num < SDPU_ARRAY_SIZE(told);
	if (is_first) {
		told[num].port = port;
		strcpy(told[num++].pci, pci);
	}
	pthread_mutex_unlock(&lock);
	return is_first;
}

void sdpu_devinfo_tell_missing(const char *text)
{
	struct sdpu_topology_view view;
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	char names[1024];

	/* Some programs compare with one text addresses, then names: a name is no mistake. */
	if (!sdpu_pci_normalize(text, pci))
		snprintf(pci, sizeof(pci), "%s", text);
	if (sdpu_topology_look(&view) != DOCA_SUCCESS || device_find(&view, text) != NULL ||
	    !is_first_mention(NULL, pci))
		return;
	device_names(&view, names, sizeof(names));
	sdpu_log_warn("doca_devinfo_is_equal_pci_addr: no device is %s; there are: %s; take one of "
		      "them, or describe others in a file (SOFTDPU_TOPOLOGY)",
		      pci, names);
}

void sdpu_devinfo_rep_tell_missing(const struct sdpu_function *port, const char *text)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	char names[1024];

	if (!sdpu_pci_normalize(text, pci) || representor_find(port, pci) != NULL ||
	    !is_first_mention(port, pci))
		return;
	representor_names(port, names, sizeof(names));
	sdpu_log_warn("doca_devinfo_rep_is_equal_pci_addr: no representor of device %s is %s; "
		      "there are: %s; take one of them, or describe others in a file "
		      "(SOFTDPU_TOPOLOGY)",
		      port->pci, pci, names);
}
