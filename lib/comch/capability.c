/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Capability calls of doca_comch.h. Any thread, any time.
 */
#include "comch/capability.h"

#include "base/log.h"

static doca_error_t capability_check(const struct doca_dev *dev, enum sdpu_side side,
				     const char *call, const char *text)
{
	char devices[256];

	if (sdpu_dev_function(dev)->side == side)
		return DOCA_SUCCESS;
	sdpu_topology_list(side, devices, sizeof(devices));
	sdpu_log_err("%s: device %s is %s side; %s: %s", call, sdpu_dev_function(dev)->pci,
		     side == SDPU_SIDE_DPU ? "host" : "DPU", text, devices);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t comch_server_supported(const struct doca_dev *dev)
{
	return capability_check(dev, SDPU_SIDE_DPU, "doca_comch_server_create",
				"a server needs a DPU device");
}

doca_error_t comch_client_supported(const struct doca_dev *dev)
{
	return capability_check(dev, SDPU_SIDE_HOST, "doca_comch_client_create",
				"a client needs a host device");
}

static doca_error_t capability_side(const char *call, const struct doca_devinfo *devinfo,
				    enum sdpu_side side)
{
	if (sdpu_any_null(call, devinfo))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_devinfo_function(devinfo)->side == side ? DOCA_SUCCESS
							    : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo)
{
	return capability_side(__func__, devinfo, SDPU_SIDE_DPU);
}

doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo)
{
	return capability_side(__func__, devinfo, SDPU_SIDE_HOST);
}

COMCH_CAPABILITY(doca_comch_cap_get_max_name_len, max_name_len, limits->comch_max_name_len)
COMCH_CAPABILITY(doca_comch_cap_get_max_msg_size, size, limits->comch_max_msg_size)
COMCH_CAPABILITY(doca_comch_cap_get_max_recv_queue_size, size, limits->comch_max_recv_queue)
COMCH_CAPABILITY(doca_comch_cap_get_max_send_tasks, max_send_tasks, limits->comch_max_send_tasks)
COMCH_CAPABILITY(doca_comch_cap_get_max_clients, num_clients, limits->comch_max_clients)
