/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What devices can do with sync events: everything that needs no DPA or GPU, on both sides of the
 * PCIe bus. No state; any thread.
 */
#include <doca_sync_event.h>

#include "base/refuse.h"

#define SUPPORTED(name)                                                                            \
	doca_error_t name(const struct doca_devinfo *devinfo)                                      \
	{                                                                                          \
		return sdpu_any_null(__func__, devinfo) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS; \
	}

SUPPORTED(doca_sync_event_cap_is_create_from_export_supported)
SUPPORTED(doca_sync_event_cap_is_export_to_remote_net_supported)
SUPPORTED(doca_sync_event_cap_is_export_to_remote_pci_supported)
SUPPORTED(doca_sync_event_cap_remote_net_is_create_from_export_supported)
SUPPORTED(doca_sync_event_cap_task_get_is_supported)
SUPPORTED(doca_sync_event_cap_task_notify_add_is_supported)
SUPPORTED(doca_sync_event_cap_task_notify_set_is_supported)
SUPPORTED(doca_sync_event_cap_task_wait_eq_is_supported)
SUPPORTED(doca_sync_event_cap_task_wait_neq_is_supported)
