/* SPDX-License-Identifier: BSD-3-Clause
 * Any text as a topology file: a topology that is whole, or a refusal that says why.
 */
#include <stdlib.h>
#include <string.h>

#include "core/topology.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_function(const struct sdpu_topology *topology, const struct sdpu_function *at)
{
	bool is_host = at->side == SDPU_SIDE_HOST;

	if (strlen(at->pci) != DOCA_DEVINFO_PCI_ADDR_SIZE - 1 || at->ibdev[0] == '\0' ||
	    at->iface[0] == '\0' || at->limits != &topology->limits)
		abort();
	if (is_host != (at->represented_on != NULL) || is_host != (at->rep_name[0] != '\0'))
		abort();
	if (is_host && (at->represented_on->side != SDPU_SIDE_DPU ||
			at->represented_on->dpu != at->dpu || at->represented_on >= at))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sdpu_topology *topology;
	struct sdpu_json_error err;
	struct json_object *root;
	doca_error_t result;

	if (sdpu_json_parse("fuzz", (const char *)data, size, &root, &err) != DOCA_SUCCESS)
		return 0;
	err.text[0] = '\0';
	result = sdpu_topology_read(root, "fuzz", &topology, &err);
	sdpu_json_free(root);
	if (result != DOCA_SUCCESS) {
		if (result != DOCA_ERROR_BAD_CONFIG || err.text[0] == '\0')
			abort();
		return 0;
	}
	if (topology->num_functions == 0 || topology->num_functions > SDPU_TOPOLOGY_MAX_FUNCTIONS)
		abort();
	for (uint32_t i = 0; i < topology->num_functions; i++)
		check_function(topology, &topology->functions[i]);
	free(topology);
	return 0;
}
