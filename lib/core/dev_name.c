/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices and representors by the names that people use for them, for parameters of programs. A
 * text that is a PCI address is compared as one, in both its forms; IB and interface names never
 * look like one. Who names what does not exist is told what does.
 */
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

static doca_error_t refuse_name(const struct sdpu_topology_view *view, const char *text)
{
	const struct sdpu_function *function = NULL;
	char names[1024] = "";
	size_t used = 0;

	while ((function = sdpu_topology_next(view, function)) != NULL)
		append_names(names, sizeof(names), &used, function->pci, function->ibdev,
			     function->iface);
	sdpu_log_err("no device \"%s\" (PCI address, IB name or interface name); there are: %s",
		     text, used ? names : "none");
	return DOCA_ERROR_NOT_FOUND;
}

doca_error_t sdpu_dev_open_by_name(const char *text, struct doca_dev **dev)
{
	const struct sdpu_function *function = NULL;
	struct sdpu_topology_view view;
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_topology_look(&view);
	if (result != DOCA_SUCCESS)
		return result;
	while ((function = sdpu_topology_next(&view, function)) != NULL)
		if (function_is_called(function, text))
			return sdpu_dev_open(function, dev);
	return refuse_name(&view, text);
}

static bool representor_is_called(const struct sdpu_function *function, const char *text)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	if (sdpu_pci_normalize(text, pci))
		return strcmp(function->pci, pci) == 0;
	return strcmp(function->rep_name, text) == 0 || strcmp(function->rep_iface, text) == 0;
}

static doca_error_t refuse_rep_name(const struct sdpu_function *port, const char *text)
{
	const struct sdpu_function *function = NULL;
	char names[1024] = "";
	size_t used = 0;

	while ((function = sdpu_topology_next_represented(port, function)) != NULL)
		append_names(names, sizeof(names), &used, function->pci, function->rep_name,
			     function->rep_iface);
	sdpu_log_err("no representor \"%s\" on device %s (the host's PCI address, or pf<N>vf<M>); "
		     "there are: %s",
		     text, port->pci, used ? names : "none");
	return DOCA_ERROR_NOT_FOUND;
}

doca_error_t sdpu_dev_rep_open_by_name(struct doca_dev *dev, const char *text,
				       struct doca_dev_rep **rep)
{
	const struct sdpu_function *port = sdpu_dev_function(dev);
	struct doca_devinfo_rep info = {.dev = dev};

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	while ((info.function = sdpu_topology_next_represented(port, info.function)) != NULL)
		if (representor_is_called(info.function, text))
			return sdpu_dev_rep_open(&info, rep);
	return refuse_rep_name(port, text);
}
