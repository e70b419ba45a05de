/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events for GPU code, and those of other machines for code on a DPA, which does no RDMA.
 */
#include <doca_sync_event.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_sync_event_add_publisher_location_gpu,
	(struct doca_sync_event *event, struct doca_gpu *gpu), event && gpu)
SDPU_UNSUPPORTED(doca_sync_event_add_subscriber_location_gpu,
	(struct doca_sync_event *event, struct doca_gpu *gpu), event && gpu)
SDPU_UNSUPPORTED(doca_sync_event_remote_net_get_dpa_handle,
	(struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
	 doca_dpa_dev_sync_event_remote_net_t *handle), event && dpa && handle)
SDPU_UNSUPPORTED(doca_sync_event_get_gpu_handle,
	(struct doca_sync_event *event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **handle),
	event && gpu && handle)
SDPU_UNSUPPORTED(doca_sync_event_remote_net_get_gpu_handle,
	(struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
	 doca_gpu_dev_sync_event_remote_net_t **handle), event && gpu && handle)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_is_export_to_gpu_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_remote_net_is_export_to_dpa_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_remote_net_is_export_to_gpu_supported)
/* clang-format on */
